import {
  Address,
  beginCell,
  contractAddress,
  external,
  internal,
  SendMode,
  storeMessage,
  toNano,
} from '@ton/core';
import { WalletContractV5R1 } from '@ton/ton';
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, request as httpRequest } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { lastError, runCommandLine, runProcess } from '../support/commandLine';
import type { CommandLineRun } from '../support/commandLine';
import { startLocalnetCommand } from '../support/localnetCommand';
import type { LocalnetCommand, LocalnetReady } from '../support/localnetCommand';

interface SendResult {
  hash: string;
  hashNorm: string | null;
  destination: string;
  sent: boolean;
  accepted: boolean;
  exitCode: number | null;
  reason: string | null;
  fees: string;
  confidence: string;
  asPredicted: boolean | null;
  trace: { transactions: number; state: string } | null;
}

/** Passes everything on to `target`, but cuts the connection where an answer to a sent message would stand. */
async function cuttingProxy(
  target: string,
): Promise<{ server: Server; origin: string; sends: () => number }> {
  let sends = 0;
  const server = createServer((incoming, outgoing) => {
    const isSend = /\/(sendBoc|sendBocReturnHash|message)$/.test(incoming.url ?? '');
    const url = new URL(incoming.url ?? '', target);
    const forward = httpRequest(url, { method: incoming.method, headers: incoming.headers }, (answer) => {
      if (isSend) {
        sends++;
        answer.resume().once('end', () => incoming.socket.destroy());
        return;
      }
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(forward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    server,
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sends: () => sends,
  };
}

describe('the boc and send commands', () => {
  let localnet: LocalnetCommand;
  let ready: LocalnetReady;
  let origin: string;
  let folder: string;

  before(async () => {
    localnet = await startLocalnetCommand();
    ({ ready, origin } = localnet);
    folder = await mkdtemp(path.join(tmpdir(), 'ton-workbench-send-'));
  });
  after(async () => {
    await localnet.stop();
    await rm(folder, { recursive: true });
  });

  /** A signed transfer from alice to bob, as a BoC. */
  function transfer(seqno: number, value = '1.5'): Buffer {
    const [alice, bob] = ['alice', 'bob'].map((name) => ready.accounts.find((one) => one.name === name));
    assert.ok(alice !== undefined && bob !== undefined);
    const wallet = WalletContractV5R1.create({ publicKey: Buffer.from(alice.publicKey, 'hex') });
    assert.equal(wallet.address.toRawString(), alice.address);
    const body = wallet.createTransfer({
      seqno,
      secretKey: Buffer.from(alice.secretKey, 'hex'),
      sendMode: SendMode.PAY_GAS_SEPARATELY,
      messages: [internal({ to: Address.parse(bob.address), value: toNano(value), body: 'rent' })],
    });
    const message = external({ to: wallet.address, body });
    return beginCell().store(storeMessage(message)).endCell().toBoc();
  }

  const json = (run: CommandLineRun): SendResult => JSON.parse(run.stdout) as SendResult;
  const base64 = (boc: Buffer): string => boc.toString('base64');

  it('boc: prints the same for a file, base64 and hex', async () => {
    const boc = transfer(0);
    const file = path.join(folder, 'message.boc');
    await writeFile(file, boc);
    const runs = await Promise.all(
      [file, base64(boc), boc.toString('hex')].map((argument) => runCommandLine(['boc', argument, '--json'])),
    );
    for (const run of runs) {
      assert.equal(run.status, 0, run.stderr);
      assert.equal(run.stdout, runs[0]!.stdout);
    }
    const result = JSON.parse(runs[0]!.stdout) as {
      bytes: number;
      cells: number;
      roots: Record<string, unknown>[];
      decoded: { name: string };
    };
    assert.equal(result.bytes, boc.length);
    assert.deepEqual(Object.keys(result.roots[0]!).sort(), ['bits', 'depth', 'hash', 'kind', 'refs']);
    assert.equal(result.roots[0]!['kind'], 'ordinary');
    assert.equal(typeof result.roots[0]!['bits'], 'number');
    assert.equal(result.decoded.name, 'external_in_message');
    const tree = await runCommandLine(['boc', file]);
    assert.match(tree.stdout, /comment {2}"rent"/);
  });

  it('boc: exits with 2 for a bad BoC and says what is wrong and where', async () => {
    const boc = transfer(0);
    boc[boc.length - 1]! ^= 1;
    const run = await runCommandLine(['boc', base64(boc), '--json']);
    assert.equal(run.status, 2);
    assert.equal(run.stdout, '');
    assert.equal(lastError(run).code, 'boc-bad-crc');
    assert.match(lastError(run).message, new RegExp(`byte ${boc.length - 4}`));
    const missing = await runCommandLine(['boc', path.join(folder, 'nothing.boc')]);
    assert.deepEqual([missing.status, lastError(missing).code], [2, 'boc-file-unreadable']);
  });

  it('send --dry-run: predicts and sends nothing', async () => {
    const run = await runCommandLine([
      'send',
      base64(transfer(0)),
      '--network',
      origin,
      '--dry-run',
      '--json',
    ]);
    assert.equal(run.status, 0, run.stderr);
    const result = json(run);
    assert.deepEqual([result.sent, result.accepted, result.exitCode, result.reason], [false, true, 0, null]);
    assert.match(result.fees, /^\d+$/);
    assert.equal(result.trace?.transactions, 2);
    const again = await runCommandLine([
      'send',
      base64(transfer(0)),
      '--network',
      origin,
      '--dry-run',
      '--json',
    ]);
    assert.equal(json(again).accepted, true, 'seqno 0 is still expected');
  });

  it('send: sends once, follows, and sees what was predicted', async () => {
    const run = await runProcess(['send', base64(transfer(0)), '--network', origin, '--json']);
    assert.equal(run.status, 0, run.stderr);
    const result = json(run);
    assert.deepEqual([result.sent, result.accepted, result.asPredicted], [true, true, true]);
    assert.equal(result.trace?.state, 'complete');
  });

  it('send: does not send what would be refused, and exits with 1 and the reason', async () => {
    const run = await runCommandLine(['send', base64(transfer(0)), '--network', origin, '--json']);
    assert.equal(run.status, 1);
    assert.equal(json(run).reason, 'seqno 0, the wallet expects 1');
    assert.equal(lastError(run).code, 'message-refused');
    const anyway = await runCommandLine([
      'send',
      base64(transfer(0)),
      '--network',
      origin,
      '--anyway',
      '--json',
    ]);
    assert.equal(anyway.status, 1);
    assert.equal(lastError(anyway).code, 'message-rejected');
  });

  it('send: a connection that drops after the request results in exactly one message and an honest report', async () => {
    const proxy = await cuttingProxy(origin);
    try {
      const run = await runCommandLine(['send', base64(transfer(1)), '--network', proxy.origin, '--json']);
      assert.equal(run.status, 0, run.stderr);
      assert.equal(json(run).sent, true);
      assert.match(run.stderr, /the answer was lost, and the network has the message/);
      assert.equal(proxy.sends(), 1);
      const answer = await fetch(
        `${ready.v3}/transactionsByMessage?msg_hash=${json(run).hashNorm}&direction=in`,
      );
      if (answer.ok) {
        const { transactions } = (await answer.json()) as { transactions: unknown[] };
        assert.equal(transactions.length, 1);
      }
      const next = await runCommandLine([
        'send',
        base64(transfer(2)),
        '--network',
        origin,
        '--dry-run',
        '--json',
      ]);
      assert.equal(json(next).accepted, true, 'the wallet executed one message, not two');
    } finally {
      proxy.server.closeAllConnections();
      proxy.server.close();
    }
  });

  it('send: requires --yes on the main network before anything is sent', async () => {
    const run = await runCommandLine(['send', base64(transfer(2)), '--network', 'mainnet', '--json']);
    assert.deepEqual([run.status, lastError(run).code], [2, 'confirmation-needed']);
  });

  it('send: refuses anything that is not an external message', async () => {
    const cell = beginCell().storeUint(0, 32).storeStringTail('hello').endCell().toBoc();
    const run = await runCommandLine(['send', base64(cell), '--network', origin, '--json']);
    assert.deepEqual([run.status, lastError(run).code], [2, 'message-not-external']);
  });

  it('send --compose: signs with a wallet of the local network, sends, and sees what was predicted', async () => {
    const line = 'send bob 0.25ton comment "composed" from carol';
    const run = await runCommandLine(['send', '--compose', line, '--network', origin, '--json']);
    assert.equal(run.status, 0, run.stderr);
    const result = json(run);
    const carol = ready.accounts.find(({ name }) => name === 'carol')!;
    assert.equal(result.destination, carol.address);
    assert.deepEqual([result.sent, result.accepted, result.asPredicted], [true, true, true]);
    assert.match(result.hashNorm ?? '', /^[0-9a-f]{64}$/);
    assert.ok(!run.stdout.includes(carol.secretKey) && !run.stderr.includes(carol.secretKey));
  });

  it('send --compose: does not send what the wallet cannot pay for, unless told to', async () => {
    const line = 'send bob 99000000ton from carol';
    const refused = await runCommandLine(['send', '--compose', line, '--network', origin, '--json']);
    assert.deepEqual([refused.status, lastError(refused).code], [1, 'message-refused']);
    assert.match(
      lastError(refused).message,
      /the account has [\d.]+ TON, the message needs 99000000\.\d+ TON/,
    );
    assert.deepEqual([json(refused).sent, json(refused).accepted], [false, true]);
    const anyway = await runCommandLine([
      ...['send', '--compose', line, '--network', origin],
      ...['--json', '--anyway'],
    ]);
    assert.deepEqual([anyway.status, lastError(anyway).code], [1, 'trace-failed']);
    assert.deepEqual([json(anyway).sent, json(anyway).asPredicted], [true, true]);
  });

  it('send --compose: sends in the name of a contract, without a signature', async () => {
    const [alice, bob] = ['alice', 'bob'].map((name) => ready.accounts.find((one) => one.name === name)!);
    const line = `${bob!.address} 2ton body b(u32 0xd53276db, u64 7) as ${alice!.address}`;
    const run = await runCommandLine(['send', '--compose', line, '--network', origin, '--json']);
    assert.equal(run.status, 0, run.stderr);
    const result = json(run);
    assert.equal(result.destination, bob!.address);
    assert.deepEqual([result.sent, result.asPredicted, result.trace?.state], [true, true, 'complete']);
    assert.equal(result.hashNorm, null);
    const found = await runCommandLine(['trace', result.hash, '--network', origin, '--json']);
    assert.equal(found.status, 0, found.stderr);
    assert.equal(
      (JSON.parse(found.stdout) as { transactions: number }).transactions,
      result.trace?.transactions,
    );
    const rehearsed = await runCommandLine([
      ...['send', '--compose', line, '--dry-run', '--network', origin, '--json'],
    ]);
    assert.equal(json(rehearsed).hash, null);
  });

  it('send --compose: refuses mistakes, and never leaves the local network', async () => {
    const wrong = await runCommandLine(['send', '--compose', 'bob 1ton frm alice', '--network', origin]);
    assert.deepEqual([wrong.status, lastError(wrong).code], [2, 'compose-line-invalid']);
    const real = await runCommandLine(['send', '--compose', 'bob 1ton', '--network', 'mainnet', '--yes']);
    assert.deepEqual([real.status, lastError(real).code], [2, 'signing-way-missing']);
    const both = await runCommandLine([
      'send',
      base64(transfer(9)),
      '--compose',
      'bob 1ton',
      '--network',
      origin,
    ]);
    assert.deepEqual([both.status, lastError(both).code], [2, 'send-source-unclear']);
  });

  it('send --compose: deploys a contract from a file, at the address of its code and data', async () => {
    const code = WalletContractV5R1.create({ publicKey: Buffer.alloc(32, 5) }).init.code;
    const file = path.join(folder, 'code.boc');
    await writeFile(file, code.toBoc());
    const line = `send new 1ton code file ${JSON.stringify(file)} data b(u1 1, u32 0)`;
    const run = await runCommandLine(['send', '--compose', line, '--network', origin, '--json']);
    assert.equal(run.status, 0, run.stderr);
    assert.deepEqual([json(run).asPredicted, json(run).reason], [true, null]);
    const data = beginCell().storeUint(1, 1).storeUint(0, 32).endCell();
    const address = contractAddress(0, { code, data }).toString();
    const answer = await fetch(`${ready.v2}/getAddressState?address=${encodeURIComponent(address)}`);
    assert.equal(((await answer.json()) as { result: string }).result, 'active');
  });

  it('send: exits with 1 if the sent message fails, and says how', async () => {
    const nobody = `0:${'12'.repeat(32)}`;
    const line = `send ${nobody} 0.1ton bounce from dave`;
    const run = await runCommandLine(['send', '--compose', line, '--network', origin, '--json']);
    assert.deepEqual(
      [run.status, lastError(run).code, json(run).sent],
      [1, 'trace-failed', true],
      run.stderr,
    );
  });

  it("boc --abi: reads a cell by a compiler's ABI, and as any of its structs", async () => {
    const file = path.join(folder, 'Counter.abi');
    const field = { name: 'by', type: { kind: 'simple', type: 'uint', optional: false, format: 32 } };
    const types = [
      { name: 'Add', header: 0x5eed0001, fields: [field] },
      { name: 'Step', header: null, fields: [field] },
    ];
    await writeFile(file, JSON.stringify({ name: 'Counter', types, getters: [] }));
    const add = beginCell().storeUint(0x5eed0001, 32).storeUint(9, 32).endCell().toBoc().toString('hex');
    const decoded = async (...args: string[]): Promise<unknown> => {
      const run = await runCommandLine(['boc', add, '--json', ...args]);
      return run.status === 0
        ? (JSON.parse(run.stdout) as { decoded: unknown }).decoded
        : [run.status, lastError(run).code];
    };
    assert.equal(await decoded(), null);
    assert.deepEqual(await decoded('--abi', file), {
      name: 'Add',
      opcode: '0x5eed0001',
      fields: { by: '9' },
    });
    assert.deepEqual(await decoded('--abi', file, '--as', 'Step'), {
      name: 'Step',
      left: { bits: 32, refs: 0 },
      fields: { by: (0x5eed0001).toString() },
    });
    assert.deepEqual(await decoded('--abi', file, '--as', 'Stop'), [2, 'struct-unknown']);
    assert.deepEqual(await decoded('--abi', path.join(folder, 'none.abi')), [2, 'abi-file-unreadable']);
  });
});
