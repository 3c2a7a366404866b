import { Address, Cell, beginCell, loadShardAccount } from '@ton/core';
import { WalletContractV4 } from '@ton/ton';
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAccountSource } from '../../../src/toolkit/accounts/createAccountSource';
import { makeShardAccount } from '../../../src/toolkit/accounts/makeShardAccount';
import { createAccess } from '../../../src/toolkit/access/createAccess';
import type { Access } from '../../../src/toolkit/access/createAccess';
import { defaultNetworkConfig } from '../../../src/toolkit/execution/emulator/networkConfig';
import { createSandboxEmulator } from '../../../src/toolkit/execution/emulator/createSandboxEmulator';
import { genesisAccounts } from '../../../src/toolkit/localnet/system/systemAccounts';
import { addressOf, transfer } from '../localnet/support/testChain';

const wallet = WalletContractV4.create({ workchain: 0, publicKey: Buffer.alloc(32, 3) });
const address = wallet.address.toRawString();
const hash = Buffer.alloc(32, 9).toString('base64');
const genesis = genesisAccounts(1_700_000_000)[0]!;
const exact = makeShardAccount({
  ...{
    address: wallet.address,
    status: 'uninit',
    balance: 5n,
    code: undefined,
    data: undefined,
    frozenHash: undefined,
  },
  ...{ lastLt: 0n, lastHash: undefined, lastMessages: 0, lastPaid: 0 },
});
const library = beginCell().storeUint(1, 8).endCell();

/** What an endpoint answers; with a `status` it refuses. */
type Answer = object;
const blockId = { workchain: -1, shard: '-9223372036854775808', seqno: 70, root_hash: hash, file_hash: hash };
const information = {
  balance: '5000000000',
  last_transaction_id: { lt: '46000001', hash },
  code: wallet.init.code.toBoc().toString('base64'),
  data: wallet.init.data.toBoc().toString('base64'),
  frozen_hash: '',
  sync_utime: 1_800_000_000,
  state: 'active',
};
const block = {
  '/v2/getMasterchainInfo': { last: blockId, state_root_hash: hash, init: { ...blockId, seqno: 0 } },
  '/v2/getBlockHeader': {
    id: blockId,
    global_id: -239,
    version: 0,
    after_merge: false,
    after_split: false,
    before_split: false,
    want_merge: false,
    want_split: false,
    validator_list_hash_short: 0,
    catchain_seqno: 0,
    min_ref_mc_seqno: 0,
    is_key_block: false,
    prev_key_block_seqno: 0,
    start_lt: '46000000',
    end_lt: '46000010',
    gen_utime: 1_800_000_000,
    prev_blocks: [],
  },
};

describe('createAccountSource', () => {
  let server: Server | undefined;
  let asked: string[] = [];
  afterEach(() => server?.close());

  async function service(answers: Record<string, Answer>): Promise<Access> {
    asked = [];
    const all: Record<string, Answer> = { ...block, ...answers };
    server = createServer((request, response) => {
      const url = new URL(request.url!, 'http://x');
      asked.push(`${url.pathname}${url.search}`);
      const answer = all[url.pathname];
      const refusal =
        answer === undefined ? { status: 404, error: 'Not Found' } : (answer as { status?: number });
      const isRefusal = typeof refusal.status === 'number';
      response
        .writeHead(isRefusal ? refusal.status! : 200, { 'content-type': 'application/json' })
        .end(
          JSON.stringify(
            isRefusal ? { ok: false, ...refusal, code: refusal.status } : { ok: true, result: answer },
          ),
        );
    });
    await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return createAccess({ network: { name: 'Test', kind: 'custom', v2: `${base}/v2`, globalId: -239 } });
  }
  const questions = (name: string): number => asked.filter((one) => one.includes(name)).length;

  it('returns the exact cell if the service has it, and asks once', async () => {
    const access = await service({ '/v2/getShardAccountCell': { bytes: exact } });
    const source = await createAccountSource({ access });
    assert.deepEqual([source.seqno, source.genUtime, source.endLt], [70, 1_800_000_000, 46_000_010n]);
    assert.deepEqual(await source.account(address), { shardAccount: exact, fidelity: 'exact' });
    await Promise.all([source.account(address), source.account(address)]);
    assert.equal(questions('getShardAccountCell'), 1);
  });

  it('takes no answer about another account', async () => {
    const bytes = genesis.shardAccount.toString('base64');
    const access = await service({ '/v2/getShardAccountCell': { bytes } });
    const source = await createAccountSource({ access });
    await assert.rejects(source.account(address), { code: 'wrong-shape', kind: 'service' });
  });

  it('takes nothing from a network that has another block of that number by now', async () => {
    const header = { ...block['/v2/getBlockHeader'], id: { ...blockId } };
    const access = await service({
      '/v2/getShardAccountCell': { bytes: exact },
      '/v2/getBlockHeader': header,
    });
    const source = await createAccountSource({ access, hold: true });
    assert.equal(source.rootHash, '09'.repeat(32));
    await source.account(address);
    // It was restored, and has gone past the block again.
    header.id.root_hash = Buffer.alloc(32, 8).toString('base64');
    const other = new Address(0, Buffer.alloc(32, 4)).toRawString();
    await assert.rejects(source.account(other), { code: 'wrong-shape' }, 'the cell of another account');
    await assert.rejects(source.config(), { code: 'fork-block-replaced', kind: 'service' });
    // So does a later run, with what it has kept.
    const { seqno, genUtime, endLt, rootHash } = source;
    const pinned = { seqno, genUtime, endLt, rootHash };
    const resumed = await createAccountSource({ access, pinned });
    await assert.rejects(resumed.account(address), { code: 'fork-block-replaced' });
  });

  it('treats an empty cell as an account that was never used', async () => {
    const empty = beginCell().endCell().toBoc().toString('base64');
    const access = await service({ '/v2/getShardAccountCell': { bytes: empty } });
    const { shardAccount, fidelity } = await (await createAccountSource({ access })).account(address);
    assert.equal(fidelity, 'exact');
    assert.equal(
      loadShardAccount(Cell.fromBase64(shardAccount).beginParse()).account ?? undefined,
      undefined,
    );
  });

  it('reconstructs a state if the service has no cells, and says so', async () => {
    const access = await service({ '/v2/getAddressInformation': information, '/v2/getTransactions': [] });
    const source = await createAccountSource({ access });
    const { shardAccount, fidelity } = await source.account(address);
    assert.equal(fidelity, 'partial');
    const { account } = loadShardAccount(Cell.fromBase64(shardAccount).beginParse());
    assert.equal(account!.storage.balance.coins, 5_000_000_000n);
    assert.equal(account!.storageStats.lastPaid, 1_800_000_000);
    assert.ok(account!.storage.state.type === 'active');
    assert.ok(account!.storage.state.state.code!.equals(wallet.init.code));
    await source.account(new Address(0, Buffer.alloc(32, 4)).toRawString());
    assert.equal(questions('getShardAccountCell'), 1, 'a missing method is asked for once');
  });

  it('distinguishes an account that was never used from an empty one', async () => {
    const nobody = { ...information, balance: '0', code: '', data: '', state: 'uninitialized' };
    const access = await service({
      '/v2/getAddressInformation': { ...nobody, last_transaction_id: { lt: '0', hash } },
    });
    const { shardAccount } = await (await createAccountSource({ access })).account(address);
    assert.equal(
      loadShardAccount(Cell.fromBase64(shardAccount).beginParse()).account ?? undefined,
      undefined,
    );
  });

  it('has a separate error for unavailable archive data', async () => {
    const access = await service({
      '/v2/getShardAccountCell': { status: 500, error: 'LITE_SERVER_UNKNOWN: state already gc-d' },
    });
    const source = await createAccountSource({ access, seqno: 5 });
    await assert.rejects(source.account(address), { code: 'archive-unavailable' });
    assert.ok(asked.some((one) => one.includes('getShardAccountCell') && one.includes('seqno=5')));
  });

  it('reads libraries and the configuration', async () => {
    const config = defaultNetworkConfig();
    const access = await service({
      '/v2/getLibraries': {
        result: [{ hash: library.hash().toString('base64'), data: library.toBoc().toString('base64') }],
      },
      '/v2/getConfigAll': { config: { bytes: config.base64 } },
    });
    const source = await createAccountSource({ access });
    assert.equal(await source.library(library.hash().toString('hex')), library.toBoc().toString('base64'));
    assert.equal(await source.library('ab'.repeat(32)), undefined);
    assert.equal(await source.config(), config.base64);
  });

  it('says nothing about a configuration that the service does not provide', async () => {
    assert.equal(await (await createAccountSource({ access: await service({}) })).config(), undefined);
  });

  it('does not cache failures', async () => {
    const answers: Record<string, Answer> = { '/v2/getShardAccountCell': { status: 403, error: 'no' } };
    const access = await service(answers);
    const source = await createAccountSource({ access });
    await assert.rejects(source.account(address), { code: 'forbidden' });
    await assert.rejects(source.account(address), { code: 'forbidden' });
    assert.equal(questions('getShardAccountCell'), 2);
  });
});

describe('makeShardAccount', () => {
  it('makes an account on which the emulator computes the same as on the exact one', async () => {
    const emulator = await createSandboxEmulator();
    const config = defaultNetworkConfig().base64;
    const run = (shardAccount: string, seqno: number): ReturnType<typeof emulator.runTransaction> =>
      emulator.runTransaction({
        config,
        libraries: null,
        shardAccount,
        message: transfer('alice', { seqno, to: addressOf('bob'), value: 1n }).toString('base64'),
        now: 1_800_000_000 + seqno * 1_000_000,
        lt: 5_000_000n * BigInt(seqno + 1),
        seed: Buffer.alloc(32, 1),
      });
    const first = await run(genesis.shardAccount.toString('base64'), 0);
    assert.ok(first.success);
    const { account, lastTransactionHash, lastTransactionLt } = loadShardAccount(
      Cell.fromBase64(first.shardAccount).beginParse(),
    );
    assert.ok(account?.storage.state.type === 'active');
    const made = makeShardAccount({
      address: account.addr,
      status: 'active',
      balance: account.storage.balance.coins,
      code: account.storage.state.state.code ?? undefined,
      data: account.storage.state.state.data ?? undefined,
      frozenHash: undefined,
      lastLt: lastTransactionLt,
      lastMessages: 1,
      lastHash: lastTransactionHash.toString(16).padStart(64, '0'),
      lastPaid: account.storageStats.lastPaid,
    });
    const [real, ours] = [await run(first.shardAccount, 1), await run(made, 1)];
    assert.ok(real.success && ours.success);
    const hashOf = (boc: string): string => Cell.fromBase64(boc).hash().toString('hex');
    assert.equal(hashOf(ours.transaction), hashOf(real.transaction));
  });
});
