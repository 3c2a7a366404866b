import assert from 'node:assert/strict';
import { beginCell, Cell, contractAddress, internal, SendMode, toNano } from '@ton/core';
import { WalletContractV5R1 } from '@ton/ton';
import type { Access } from '../../../src/toolkit/access/createAccess';
import { createAccess } from '../../../src/toolkit/access/createAccess';
import { createSandboxEmulator } from '../../../src/toolkit/execution/emulator/createSandboxEmulator';
import { WorkbenchError } from '../../../src/toolkit/base/errors';
import type { ErrorCode } from '../../../src/toolkit/base/errorCodes';
import { namedAccounts } from '../../../src/toolkit/localnet/accounts/namedAccounts';
import type { Localnet } from '../../../src/toolkit/localnet/localnet';
import { startLocalnet } from '../../../src/toolkit/localnet/startLocalnet';
import { silentLog } from '../../../src/toolkit/base/log';
import { ReplaySource } from '../../../src/toolkit/replay/replaySource';
import type { GatherOptions, ReplayCost } from '../../../src/toolkit/replay/replaySource';
import { replayText } from '../../../src/toolkit/replay/replayReport';
import { runReplay } from '../../../src/toolkit/replay/runReplay';
import { addressOf, externalBoc, transfer } from '../localnet/support/testChain';

/** Transfers in the four messages that make bob's 1,005 transactions of one block. */
const crowd = { alice: 255, carol: 255, erin: 255, grace: 240 };

describe('the source of a replay', () => {
  let network: Localnet;
  let access: Access;
  /** Hashes of bob's transactions in that block, oldest first. */
  let hashes: string[];

  before(async () => {
    network = await startLocalnet({ port: 0, mode: { kind: 'manual' }, log: silentLog });
    const { v2, v3 } = network;
    access = createAccess({ network: { name: 'Busy', kind: 'custom', v2, v3, globalId: -239 } });
    for (const [name, count] of Object.entries(crowd)) {
      await access.v3.message({ boc: manyTransfers(name, count).toString('base64') });
    }
    await mine();
    await mine();
    const newest = { account: [addressOf('bob')], limit: 1000 };
    const found = await access.v3.transactions(newest);
    const rest = await access.v3.transactions({ ...newest, offset: 1000 });
    hashes = [...found.transactions!, ...rest.transactions!].map(({ hash }) => hash!).reverse();
    assert.equal(hashes.length, 1005);
  });
  after(() => network.close());

  const mine = (): Promise<unknown> => fetch(`${network.control}/mine`, { method: 'POST', body: '{}' });

  /** The same service, but some of its v2 methods answer otherwise. */
  const without = (changed: Partial<Access['v2']>): Access => ({
    ...access,
    v2: { ...access.v2, ...changed },
  });

  const failure = async (
    code: ErrorCode,
    { service = access, hash = hashes[3]!, ...options }: GatherOptions & { service?: Access; hash?: string },
  ): Promise<WorkbenchError> => {
    const error = await new ReplaySource(service).gather(hash, options).catch((thrown: unknown) => thrown);
    assert.ok(WorkbenchError.is(error, code), String(error));
    return error;
  };

  it('says what hundreds of earlier transactions cost before it asks for them', async () => {
    const costs: ReplayCost[] = [];
    const source = new ReplaySource(access);
    // A block holds 1,000 transactions: bob's last one in it.
    const last = hashes[995]!;
    const confirm = (isWanted: boolean) => (cost: ReplayCost) => {
      costs.push(cost);
      return Promise.resolve(isWanted);
    };
    const refused = await source.gather(last, { confirm: confirm(false) }).catch((thrown: unknown) => thrown);
    assert.ok(WorkbenchError.is(refused, 'replay-impossible'));
    assert.equal(refused.message, 'The replay was not started.');
    const before = source.requests;
    const inputs = await source.gather(last, { confirm: confirm(true) });
    assert.equal(inputs.earlier.length, 995);
    assert.deepEqual(costs[0], { earlier: 995, requests: 11 });
    // What the refused one has asked for is not asked for again, but for the account's state and the cost.
    assert.ok(source.requests - before <= costs[1]!.requests + 2, `${source.requests - before} requests`);
  });

  it('refuses more than 1,000 earlier transactions', async () => {
    const service = without({
      getShardAccountCell: ({ address }) => access.v2.getShardAccountCell({ address, seqno: 1 }),
    });
    const error = await failure('replay-impossible', { service, hash: hashes[1004]! });
    assert.match(error.message, /^More than 1000 transactions of 0:[0-9a-f]{64} must run before this one\.$/);
  });

  it('says so if the service has dropped the history that it needs', async () => {
    const pruned = (): Promise<never> =>
      Promise.reject(
        new WorkbenchError({ code: 'history-missing', kind: 'service', message: 'lt not in db' }),
      );
    for (const name of ['getShardAccountCell', 'getTransactions', 'getConfigAll'] as const) {
      const error = await failure('archive-unavailable', { service: without({ [name]: pruned }) });
      assert.match(error.message, /^The service of Busy no longer has /, name);
      assert.match(error.hint ?? '', /keeps an archive/);
    }
  });

  it('stops between two requests when it is canceled', async () => {
    const stop = new AbortController();
    const seen: number[] = [];
    const source = new ReplaySource(access, (requests) => {
      seen.push(requests);
      if (requests === 3) {
        stop.abort();
      }
    });
    const error = await source.gather(hashes[3]!, { signal: stop.signal }).catch((thrown: unknown) => thrown);
    assert.ok(WorkbenchError.is(error, 'aborted'), String(error));
    assert.deepEqual(seen, [1, 2, 3]);
  });

  it('refuses accounts of workchains whose rules are unknown', async () => {
    const service: Access = {
      ...access,
      v3: {
        ...access.v3,
        transactions: async (query, options) => {
          const answer = await access.v3.transactions(query, options);
          const [first] = answer.transactions ?? [];
          return { ...answer, transactions: [{ ...first!, account: `5${first!.account!.slice(1)}` }] };
        },
      },
    };
    const error = await failure('replay-impossible', { service });
    assert.equal(
      error.message,
      'The account is in workchain 5. Replays know the rules of the workchains 0 and -1 only.',
    );
  });

  it('names the libraries that the network does not have', async () => {
    const { hash, library } = await deployMissingLibrary();
    const emulator = await createSandboxEmulator();
    const inputs = await new ReplaySource(access).gather(hash);
    assert.deepEqual(inputs.missingLibraries, [library]);
    const replay = await runReplay(inputs, emulator);
    const text = replayText({ inputs, replay, edits: [], recording: undefined, requests: 0 });
    assert.match(text, new RegExp(`The network does not have these libraries: ${library}\\.`));
  });

  /** A contract whose code is in a library that nobody has published. */
  const deployMissingLibrary = async (): Promise<{ hash: string; library: string }> => {
    const library = '5a'.repeat(32);
    const code = beginCell()
      .storeUint(2, 8)
      .storeBuffer(Buffer.from(library, 'hex'))
      .endCell({ exotic: true });
    const init = { code, data: new Cell() };
    const to = contractAddress(0, init).toRawString();
    const boc = transfer('ivan', { seqno: 0, to, value: toNano('1'), init });
    await access.v3.message({ boc: boc.toString('base64') });
    await mine();
    await mine();
    const { transactions } = await access.v3.transactions({ account: [to], limit: 1 });
    return { hash: transactions![0]!.hash!, library };
  };
});

function manyTransfers(name: string, count: number): Buffer {
  const { publicKey, secretKey, address } = namedAccounts.find((one) => one.name === name)!;
  const wallet = WalletContractV5R1.create({ publicKey: Buffer.from(publicKey, 'hex') });
  assert.equal(wallet.address.toRawString(), address);
  const message = internal({ to: addressOf('bob'), value: toNano('0.01'), bounce: false });
  const body = wallet.createTransfer({
    seqno: 0,
    secretKey: Buffer.from(secretKey, 'hex'),
    messages: Array.from({ length: count }, () => message),
    sendMode: SendMode.PAY_GAS_SEPARATELY,
    timeout: 2_000_000_000,
  });
  return externalBoc(address, body);
}
