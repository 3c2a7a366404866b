import assert from 'node:assert/strict';
import { request } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Address, beginCell, Cell, contractAddress, Dictionary, toNano } from '@ton/core';
import { runTolkCompiler } from '@ton/tolk-js';
import { createAccess } from '../../src/toolkit/access/createAccess';
import type { Access } from '../../src/toolkit/access/createAccess';
import { callControl } from '../../src/toolkit/localnet/callControl';
import type { Localnet } from '../../src/toolkit/localnet/localnet';
import { startLocalnet } from '../../src/toolkit/localnet/startLocalnet';
import { silentLog } from '../../src/toolkit/base/log';
import { WorkbenchError } from '../../src/toolkit/base/errors';
import { lastError, runCommandLine, startCommandLine } from '../support/commandLine';
import { startPassingProxy } from '../support/passingProxy';
import type { PassingProxy } from '../support/passingProxy';
import { addressOf, transfer } from '../unit/localnet/support/testChain';
import { HastyClock } from '../support/hastyClock';
import { until } from '../support/until';

const source = `
fun onInternalMessage(in: InMessage) {
    if (in.body.isEmpty()) { return; }
    var data = contract.getData().beginParse();
    contract.setData(beginCell().storeUint(data.loadUint(32) + in.body.loadUint(32), 32).endCell());
}
get fun total(): int {
    var data = contract.getData().beginParse();
    return data.loadUint(32);
}
`;

const [alice, bob] = ['alice', 'bob'].map(addressOf) as [string, string];
/** An account on the source that nobody touches after the fork. */
const stranger = `0:${'5A'.repeat(32)}`;
const lacking = { status: 404, body: { ok: false, error: 'Not Found', code: 404 } };
const collected = {
  status: 500,
  body: { ok: false, error: 'LITE_SERVER_UNKNOWN: state already gc-d', code: 500 },
};

describe('a fork of a network', () => {
  let origin: Localnet;
  let proxy: PassingProxy;
  let counter: { code: Cell; address: string };
  let inLibrary: string;
  let pinned: number;
  let folder: string;
  const open: Localnet[] = [];

  before(async () => {
    const compiled = await runTolkCompiler({ entrypointFileName: 'c.tolk', fsReadCallback: () => source });
    assert.equal(compiled.status, 'ok', JSON.stringify(compiled));
    const code = Cell.fromBase64((compiled as { codeBoc64: string }).codeBoc64);
    origin = await startLocalnet({ port: 0, log: silentLog });
    const { control } = origin;
    const library = beginCell().storeUint(2, 8).storeBuffer(code.hash()).endCell({ exotic: true });
    await callControl(control, 'library', { boc: code.toBoc().toString('hex') });
    const deploy = async (deployed: Cell, total: number): Promise<string> => {
      const data = beginCell().storeUint(total, 32).endCell();
      const boc = (cell: Cell): string => cell.toBoc().toString('hex');
      await callControl(control, 'deploy', { code: boc(deployed), data: boc(data) });
      return contractAddress(0, { code: deployed, data }).toRawString();
    };
    counter = { code, address: await deploy(code, 40) };
    inLibrary = await deploy(library, 7);
    await callControl(control, 'faucet', { address: stranger, amount: '77000000000' });
    await send(origin, transfer('alice', { seqno: 0, to: bob, value: toNano('5') }));
    pinned = await seqnoOf(origin);
    proxy = await startPassingProxy(new URL(origin.v2).origin);
    folder = await mkdtemp(path.join(tmpdir(), 'tonwb-fork-'));
  });
  after(async () => {
    await proxy.close();
    await origin.close();
    await rm(folder, { recursive: true, force: true });
  });
  afterEach(async () => {
    proxy.answer = () => undefined;
    await Promise.all(open.splice(0).map((one) => one.close()));
  });

  /** Access to the source through the proxy, without waits between attempts. */
  const access = (): Access =>
    createAccess({
      network: {
        name: 'Source',
        kind: 'local',
        v2: `${proxy.origin}/api/v2`,
        v3: `${proxy.origin}/api/v3`,
        globalId: -239,
      },
      budgetMs: 1_500,
      clock: new HastyClock(),
    });

  async function fork(
    options: { stateDirectory?: string; seqno?: number; allowedOrigins?: string[] } = {},
  ): Promise<Localnet> {
    const { stateDirectory, seqno, allowedOrigins } = options;
    const started = await startLocalnet({
      port: 0,
      allowedOrigins,
      log: silentLog,
      stateDirectory,
      fork: { access: access(), seqno },
    });
    open.push(started);
    return started;
  }

  it('continues from its block: states, get-methods, libraries, sends, seqnos, and times', async () => {
    const forked = await fork();
    assert.deepEqual([forked.status().fork?.seqno, await seqnoOf(forked)], [pinned, pinned + 1]);
    // What happens to the source from here on is none of the fork's business.
    await send(origin, order('bob', 0, counter.address, 2));
    assert.equal(await total(origin, counter.address), 42);
    assert.equal(await total(forked, counter.address), 40);
    assert.equal(await total(forked, inLibrary), 7);
    assert.equal(await balance(forked, stranger), 77_000_000_000n);

    const hash = await send(forked, order('alice', 1, counter.address, 100));
    assert.equal(await total(forked, counter.address), 140);
    assert.equal(await total(origin, counter.address), 42);
    const [trace] = await traces(forked, hash);
    assert.equal(Object.keys(trace!.transactions).length, 2);
    for (const { mc_block_seqno: block, lt, prev_trans_lt: before } of Object.values(trace!.transactions)) {
      assert.ok(block > pinned);
      assert.ok(BigInt(lt) > BigInt(before));
    }
    const { fork: after } = await callControl(forked.control, 'status', {});
    assert.ok(after !== undefined && after.exact >= 4, JSON.stringify(after));
    assert.deepEqual([after.partial, after.libraries], [0, 1]);
    const state = (address: string): Promise<unknown> => accountState(forked, address);
    assert.deepEqual(
      [await state(counter.address), await state(`0:${'99'.repeat(32)}`)],
      ['exact', undefined],
    );
  });

  it('says what was only reconstructed because the source has no getShardAccountCell', async () => {
    proxy.answer = ({ pathname }) => (pathname.endsWith('/getShardAccountCell') ? lacking : undefined);
    const forked = await fork({ seqno: pinned });
    assert.equal(await total(forked, counter.address), 40);
    assert.equal(await accountState(forked, counter.address), 'partial');
    const hash = await send(forked, order('alice', 1, counter.address, 5));
    assert.equal(await total(forked, counter.address), 45);
    assert.equal((await traces(forked, hash)).length, 1);
    assert.equal(await balance(forked, stranger), 77_000_000_000n);
    const { fork: facts } = await callControl(forked.control, 'status', {});
    assert.ok(facts !== undefined);
    assert.deepEqual([facts.exact, facts.partial >= 3], [0, true], JSON.stringify(facts));
    assert.equal((await accountAnswer(forked, counter.address)).state, 'partial');
  });

  it('restarts from what it has saved while the source is down', async () => {
    const stateDirectory = path.join(folder, 'kept');
    const first = await fork({ stateDirectory });
    const at = first.status().fork?.seqno;
    const before = await total(first, counter.address);
    await send(first, order('alice', 1, counter.address, 1));
    await first.close();
    proxy.answer = () => ({ status: 503, body: {} });
    const asked = proxy.seen.length;
    const second = await fork({ stateDirectory });
    assert.equal(second.status().fork?.seqno, at);
    assert.equal(await total(second, counter.address), before + 1);
    await send(second, order('alice', 2, counter.address, 1));
    assert.equal(await total(second, counter.address), before + 2);
    assert.equal(proxy.seen.length, asked, 'nothing is asked again');
    // An account that was never read is not taken for one that does not exist.
    const { status } = await v3(second, `/addressInformation?address=${stranger}`);
    assert.equal(status, 502);
    const { fork: facts } = await callControl(second.control, 'status', {});
    assert.equal(typeof facts?.failure, 'string');
    await callControl(second.control, 'reset', {});
    assert.equal(
      await total(second, counter.address),
      before,
      'back at its block, and still without the source',
    );
    await second.close();

    await assert.rejects(
      startLocalnet({ port: 0, log: silentLog, stateDirectory }),
      (error) => WorkbenchError.is(error, 'localnet-fork-needed') && error.details.seqno === at,
    );
    await assert.rejects(fork({ stateDirectory, seqno: 1 }), { code: 'localnet-fork-mismatch' });
  });

  it('holds a message whose account cannot be read, and delivers it once it can', async () => {
    const forked = await fork();
    const before = await balance(forked, alice);
    const seqno = await aliceSeqno(forked);
    proxy.answer = () => ({ status: 503, body: {} });
    const { body } = await post(
      forked,
      transfer('alice', { seqno, to: stranger, value: toNano('3'), bounce: false }),
    );
    const hash = (body as { message_hash: string }).message_hash;
    await until(async () => (await balance(forked, alice)) < before);
    assert.equal((await traces(forked, hash))[0]?.trace_info.trace_state, 'pending');
    proxy.answer = () => undefined;
    await until(async () => (await balance(forked, stranger)) > toNano('79.9'));
  });

  it('has distinct errors for an unknown block and for missing archive data', async () => {
    await assert.rejects(fork({ seqno: 1_000_000 }), { code: 'block-unknown' });
    proxy.answer = ({ searchParams }) => (searchParams.has('seqno') ? collected : undefined);
    await assert.rejects(fork({ seqno: pinned }), { code: 'archive-unavailable' });
  });

  it("accepts the network's configuration, whatever is in its parameter 43", async () => {
    const config = await configOf(origin);
    const known = 'te6cckEBAQEAMAAAXAIAIAAAAAAgAAAAAMgCAAAA//8CAAABAAAAAAgAAAABAAAAAQAAAAAACAAAABrxuxg0';
    const long = beginCell()
      .storeSlice(Cell.fromBase64(known).beginParse())
      .storeUint(1, 1)
      .storeUint(3, 32)
      .endCell();
    assert.equal(long.bits.length, 401);
    const bytes = beginCell().storeDictDirect(config.set(43, long)).endCell().toBoc().toString('base64');
    proxy.answer = ({ pathname }) =>
      pathname.endsWith('/getConfigAll')
        ? {
            status: 200,
            body: { ok: true, result: { '@type': 'configInfo', config: { '@type': 'tvm.cell', bytes } } },
          }
        : undefined;
    const forked = await fork();
    assert.match(forked.status().configOrigin, /Source/);
    await send(forked, order('alice', await aliceSeqno(forked), counter.address, 1));
    assert.equal((await configOf(forked)).get(43)?.bits.length, 368);
  });

  it("runs the TVM version that the source's configuration names", async () => {
    const asm =
      'fun gas(): int asm "GASCONSUMED"\nfun onInternalMessage() {}\nget fun used(): bool { return gas() > 0; }';
    const compiled = await runTolkCompiler({ entrypointFileName: 'v.tolk', fsReadCallback: () => asm });
    assert.equal(compiled.status, 'ok', JSON.stringify(compiled));
    const code = Cell.fromBase64((compiled as { codeBoc64: string }).codeBoc64);
    const data = beginCell().endCell();
    const boc = (cell: Cell): string => cell.toBoc().toString('hex');
    const address = contractAddress(0, { code, data }).toRawString();
    await callControl(origin.control, 'deploy', { code: boc(code), data: boc(data) });
    const used = (at: Localnet): Promise<number> => exitOf(at, address, 'used');
    const config = await configOf(origin);
    // GASCONSUMED came with version 4.
    const version = beginCell().storeUint(0xc4, 8).storeUint(3, 32).storeUint(494, 64).endCell();
    const bytes = beginCell().storeDictDirect(config.set(8, version)).endCell().toBoc().toString('base64');
    const isEarlier = { now: false };
    proxy.answer = ({ pathname }) =>
      isEarlier.now && pathname.endsWith('/getConfigAll')
        ? {
            status: 200,
            body: { ok: true, result: { '@type': 'configInfo', config: { '@type': 'tvm.cell', bytes } } },
          }
        : undefined;
    assert.deepEqual([await used(origin), await used(await fork())], [0, 0]);
    isEarlier.now = true;
    const earlier = await fork();
    assert.equal((await configOf(earlier)).get(8)?.hash().toString('hex'), version.hash().toString('hex'));
    assert.equal(await used(earlier), 6, 'an instruction that this version does not have');
  });

  it("reads nothing on behalf of another site's web page, unless its origin is allowed", async () => {
    const forked = await fork({ allowedOrigins: ['https://app.example.org/'] });
    const { port } = forked;
    let account = 0;
    /** Asks for an account that nobody has asked for before. */
    const ask = (headers: Record<string, string>, method = 'GET'): Promise<[number, boolean]> =>
      new Promise((resolve, reject) => {
        const address = `0:${(++account).toString(16).padStart(64, 'e')}`;
        request(
          {
            port,
            method,
            path: `/api/v2/getAddressInformation?address=${address}`,
            headers: { host: `127.0.0.1:${port}`, ...headers },
          },
          (response) => {
            response.resume();
            const { statusCode = 0, headers: answered } = response;
            resolve([statusCode, answered['access-control-allow-origin'] !== undefined]);
          },
        )
          .on('error', reject)
          .end();
      });
    const before = proxy.seen.length;
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: 'http://localhost.evil.example' },
      { origin: 'https://app.example.org.evil.example' },
      { host: `rebound.example:${port}`, 'sec-fetch-site': 'same-origin' },
      { host: `rebound.example:${port}` },
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
    ] as Record<string, string>[]) {
      assert.deepEqual(await ask(headers), [403, false], JSON.stringify(headers));
      assert.deepEqual(await ask({ ...headers, 'access-control-request-method': 'GET' }, 'OPTIONS'), [
        403,
        false,
      ]);
    }
    assert.equal(proxy.seen.length, before);
    for (const headers of [
      {},
      { origin: 'http://localhost:5173' },
      { origin: 'http://app.localhost:3000', 'sec-fetch-site': 'cross-site' },
      { origin: 'https://app.example.org', 'sec-fetch-site': 'cross-site' },
      { host: `localhost:${port}`, 'sec-fetch-site': 'none' },
    ] as Record<string, string>[]) {
      assert.deepEqual(await ask(headers), [200, true], JSON.stringify(headers));
    }
    assert.ok(proxy.seen.length > before);
  });

  it('accepts only valid origins', async () => {
    for (const text of ['https://a.example/path', 'a.example', '*', 'file:///']) {
      await assert.rejects(fork({ allowedOrigins: [text] }), { code: 'origin-invalid' });
    }
  });

  it('runs from the command line', async () => {
    const running = await startCommandLine([
      ...['localnet', '--port', '0', '--json', '--fork', proxy.origin],
      ...['--fork-block', String(pinned)],
    ]);
    const ready = JSON.parse(running.firstLine) as { v2: string; v3: string; fork: { seqno: number } };
    assert.equal(ready.fork.seqno, pinned);
    assert.equal(await total(ready, counter.address), 40);
    running.child.kill();
    assert.equal(await running.ended, 0);
    const refused = await runCommandLine(['localnet', '--port', '0', '--fork-block', '3']);
    assert.deepEqual([refused.status, lastError(refused).code], [2, 'fork-network-missing']);
  });
});

type Place = Pick<Localnet, 'v3'>;

/** A signed transfer that adds a number to the counter. */
function order(name: string, seqno: number, to: string, add: number): Buffer {
  const body = beginCell().storeUint(add, 32).endCell();
  return transfer(name, {
    seqno,
    to: Address.parse(to).toRawString(),
    value: toNano('0.1'),
    bounce: true,
    body,
  });
}

async function v3(on: Place, rest: string, body?: unknown): Promise<{ status: number; body: unknown }> {
  const init =
    body === undefined
      ? {}
      : { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  const response = await fetch(`${on.v3}${rest}`, init);
  return { status: response.status, body: await response.json() };
}

function post(on: Place, boc: Buffer): Promise<{ status: number; body: unknown }> {
  return v3(on, '/message', { boc: boc.toString('base64') });
}

/** Sends and waits for the whole trace; answers the message's hash. */
async function send(on: Place, boc: Buffer): Promise<string> {
  const { status, body } = await post(on, boc);
  assert.equal(status, 200, JSON.stringify(body));
  const hash = (body as { message_hash: string }).message_hash;
  await until(async () => (await traces(on, hash))[0]?.trace_info.trace_state === 'complete');
  return hash;
}

interface Trace {
  trace_info: { trace_state: string };
  transactions: Record<string, { mc_block_seqno: number; lt: string; prev_trans_lt: string }>;
}

async function traces(on: Place, hash: string): Promise<Trace[]> {
  const { body } = await v3(on, `/traces?msg_hash=${encodeURIComponent(hash)}`);
  return (body as { traces: Trace[] }).traces;
}

async function exitOf(on: Place, address: string, method: string): Promise<number> {
  const { body } = await v3(on, '/runGetMethod', { address, method, stack: [] });
  return (body as { exit_code: number }).exit_code;
}

async function total(on: Place, address: string): Promise<number> {
  const { body } = await v3(on, '/runGetMethod', { address, method: 'total', stack: [] });
  const { exit_code: exitCode, stack } = body as { exit_code: number; stack: { value: string }[] };
  assert.equal(exitCode, 0, JSON.stringify(body));
  return Number(stack[0]!.value);
}

async function seqnoOf(on: Place): Promise<number> {
  const { body } = await v3(on, '/masterchainInfo');
  return (body as { last: { seqno: number } }).last.seqno;
}

async function aliceSeqno(on: Place): Promise<number> {
  const { body } = await v3(on, `/walletInformation?address=${alice}`);
  return (body as { seqno: number }).seqno;
}

async function balance(on: Place, address: string): Promise<bigint> {
  const { status, body } = await v3(on, `/addressInformation?address=${address}`);
  assert.equal(status, 200, JSON.stringify(body));
  return BigInt((body as { balance: string }).balance);
}

async function accountState(on: Place, address: string): Promise<unknown> {
  const { body } = await v3(on, `/accountStates?address=${address}`);
  return (body as { accounts: { fork_state?: string }[] }).accounts[0]?.fork_state;
}

async function accountAnswer({ control }: Localnet, address: string): Promise<{ state: string }> {
  const response = await fetch(`${control}/account?address=${address}`);
  return (await response.json()) as { state: string };
}

async function configOf({ v2 }: Localnet): Promise<Dictionary<number, Cell>> {
  const response = await fetch(`${v2}/getConfigAll`);
  const { result } = (await response.json()) as { result: { config: { bytes: string } } };
  return Cell.fromBase64(result.config.bytes)
    .beginParse()
    .loadDictDirect(Dictionary.Keys.Int(32), Dictionary.Values.Cell());
}
