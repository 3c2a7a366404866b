import { Cell, beginCell, contractAddress, external, loadShardAccount, storeMessage } from '@ton/core';
import assert from 'node:assert/strict';
import type { Access } from '../../../src/toolkit/access/createAccess';
import { createAccess } from '../../../src/toolkit/access/createAccess';
import type { V3Block } from '../../../src/toolkit/api/v3Blocks';
import { createSandboxEmulator } from '../../../src/toolkit/execution/emulator/createSandboxEmulator';
import type { Localnet } from '../../../src/toolkit/localnet/localnet';
import { startLocalnet } from '../../../src/toolkit/localnet/startLocalnet';
import { silentLog } from '../../../src/toolkit/base/log';
import type { BlockQuery } from '../../../src/toolkit/replay/replayInputs';
import { fetchPreviousBlocks, previousBlocksUse } from '../../../src/toolkit/replay/replayInputs';
import { openReplayFile, replayFileText } from '../../../src/toolkit/replay/replayFile';
import { ReplaySource } from '../../../src/toolkit/replay/replaySource';
import { replayText } from '../../../src/toolkit/replay/replayReport';
import { runReplay } from '../../../src/toolkit/replay/runReplay';

const code = (...bytes: string[]): Cell =>
  beginCell()
    .storeBuffer(Buffer.from(bytes.join(''), 'hex'))
    .endCell();
/** ACCEPT; PREVMCBLOCKS; FIRST; 3 INDEX; NEWC; 256 STU; ENDC; c4 POP: keeps the newest block's root hash. */
const keepsRoot = code('f800', 'f83400', '6f10', '6f13', 'c8', 'cbff', 'c9', 'ed54');

describe('the previous blocks that code reads', () => {
  let network: Localnet;
  let access: Access;
  let hash: string;

  before(async () => {
    network = await startLocalnet({ port: 0, mode: { kind: 'manual' }, log: silentLog });
    const { v2, v3 } = network;
    access = createAccess({ network: { name: 'Service', kind: 'custom', v2, v3, globalId: -239 } });
    const control = (name: string, body: object): Promise<unknown> =>
      fetch(`${network.control}/${name}`, { method: 'POST', body: JSON.stringify(body) });
    const data = Cell.EMPTY;
    const [codeText, dataText] = [keepsRoot, data].map((cell) => cell.toBoc().toString('base64'));
    await control('deploy', { code: codeText, data: dataText, value: '1000000000' });
    await control('mine', {});
    const to = contractAddress(0, { code: keepsRoot, data });
    const message = beginCell()
      .store(storeMessage(external({ to, body: Cell.EMPTY })))
      .endCell();
    await access.v3.message({ boc: message.toBoc().toString('base64') });
    await control('mine', {});
    const { transactions } = await access.v3.transactions({ account: [to.toRawString()], limit: 1 });
    hash = transactions![0]!.hash!;
  });
  after(() => network.close());

  it('are asked for only if an instruction reads them', async () => {
    assert.equal(await previousBlocksUse([code('f800', 'c8c9', 'ed54')]), 'none');
    assert.equal(await previousBlocksUse([keepsRoot]), 'recent');
    assert.equal(await previousBlocksUse([code('f83401')]), 'recent');
    assert.equal(await previousBlocksUse([code('f83402')]), 'all');
    assert.equal(await previousBlocksUse([code('f82d')]), 'all');
  });

  it('are given to the replay, which reads them, and are kept in its file', async () => {
    const inputs = await new ReplaySource(access).gather(hash);
    const newest = inputs.previousBlocks!.last[0]!;
    assert.equal(newest.seqno, inputs.seqno! - 1);
    const { blocks } = await access.v3.blocks({
      workchain: -1,
      shard: '8000000000000000',
      seqno: newest.seqno,
      limit: 1,
    });
    assert.deepEqual(openReplayFile(replayFileText(inputs)), inputs);
    const replay = await runReplay(inputs, await createSandboxEmulator());
    // The local network gives its code none, so the instruction failed there.
    assert.deepEqual(replay.differences[0], {
      ...replay.differences[0],
      field: 'exit code',
      original: '7',
      replayed: '0',
    });
    const { account } = loadShardAccount(Cell.fromBase64(replay.outcome.shardAccount).beginParse());
    const { state } = account!.storage;
    assert.ok(state.type === 'active');
    assert.equal(state.state.data!.beginParse().loadBuffer(32).toString('hex'), blocks![0]!.root_hash);
  });

  it('are missed in words if the service does not have them', async () => {
    const without: Access = {
      ...access,
      v3: {
        ...access.v3,
        blocks: async (query = {}, options) =>
          query.workchain === -1 ? { blocks: [] } : access.v3.blocks(query, options),
      },
    };
    const inputs = await new ReplaySource(without).gather(hash);
    assert.equal(inputs.lacksPreviousBlocks, true);
    const replay = await runReplay(inputs, await createSandboxEmulator());
    const report = { inputs, replay, recording: undefined, edits: [], requests: 1 };
    assert.match(
      replayText(report),
      /^The code reads previous masterchain blocks, which the service did not give/m,
    );
  });

  it('take three requests, and sixteen more for the hundreds', async () => {
    const asked: BlockQuery[] = [];
    const block = (seqno: number): V3Block => ({
      seqno,
      root_hash: String(seqno).padStart(64, '0'),
      file_hash: 'ff'.repeat(32),
      end_lt: BigInt(seqno) * 10n,
      key_block: false,
      prev_key_block_seqno: 1_234,
    });
    const ask = async (query: BlockQuery): Promise<V3Block[]> => {
      asked.push(query);
      return Promise.resolve(
        query.seqno === undefined
          ? Array.from({ length: query.limit }, (_, index) => block(Number(query.end_lt) / 10 - index))
          : [block(query.seqno)],
      );
    };
    const recent = await fetchPreviousBlocks(19_071, false, ask);
    assert.equal(asked.length, 3);
    assert.deepEqual(
      [recent?.last.length, recent?.last.at(-1)?.seqno, recent?.key.seqno],
      [16, 19_056, 1_234],
    );
    const all = await fetchPreviousBlocks(19_071, true, ask);
    assert.equal(asked.length, 3 + 19);
    assert.deepEqual([all?.hundreds?.[0]?.seqno, all?.hundreds?.at(-1)?.seqno], [19_000, 17_500]);
    assert.equal(await fetchPreviousBlocks(5, false, () => Promise.resolve([])), undefined);
  });
});
