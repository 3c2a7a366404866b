import assert from 'node:assert/strict';
import { beginCell, toNano } from '@ton/core';
import { createAccess } from '../../../src/toolkit/access/createAccess';
import { createSandboxEmulator } from '../../../src/toolkit/execution/emulator/createSandboxEmulator';
import type { Emulator } from '../../../src/toolkit/execution/emulator/emulator';
import type { Localnet } from '../../../src/toolkit/localnet/localnet';
import { startLocalnet } from '../../../src/toolkit/localnet/startLocalnet';
import { silentLog } from '../../../src/toolkit/base/log';
import { editableParts } from '../../../src/toolkit/replay/editableParts';
import { readReplayEdits } from '../../../src/toolkit/replay/replayInputs';
import { ReplaySource } from '../../../src/toolkit/replay/replaySource';
import { runReplay } from '../../../src/toolkit/replay/runReplay';
import { readCellText } from '../../../src/toolkit/stack/parseOneCell';
import { addressOf, transfer } from '../localnet/support/testChain';

describe('the parts of a replay that can be changed', () => {
  let network: Localnet;
  let emulator: Emulator;
  let source: ReplaySource;
  const counts: number[] = [];

  before(async () => {
    [network, emulator] = await Promise.all([
      startLocalnet({ port: 0, mode: { kind: 'manual' }, log: silentLog }),
      createSandboxEmulator(),
    ]);
    const { v2, v3 } = network;
    const access = createAccess({ network: { name: 'Local', kind: 'local', v2, v3, globalId: -239 } });
    source = new ReplaySource(access, (requests) => counts.push(requests));
    const boc = transfer('alice', { seqno: 0, to: addressOf('bob'), value: toNano('1.5') }).toString(
      'base64',
    );
    await access.v3.message({ boc });
    await fetch(`${network.control}/mine`, { method: 'POST', body: '{}' });
    for (const name of ['alice', 'bob']) {
      const { transactions } = await access.v3.transactions({ account: [addressOf(name)], limit: 1 });
      hashes.push(transactions![0]!.hash!);
    }
  });
  after(() => network.close());

  const hashes: string[] = [];
  const partsOf = async (hash: string) => {
    const inputs = await source.gather(hash);
    return { inputs, parts: editableParts(inputs, await runReplay(inputs, emulator)) };
  };

  it('are those that the message and the account have', async () => {
    const keys = async (hash: string) => (await partsOf(hash)).parts.map(({ key }) => key).join(' ');
    assert.equal(await keys(hashes[0]!), 'body time balance code data config signature');
    assert.equal(await keys(hashes[1]!), 'body value sender time balance code data config signature');
  });

  it('have the values as they were: changing each to itself changes nothing', async () => {
    const { inputs, parts } = await partsOf(hashes[1]!);
    assert.equal(parts.find(({ key }) => key === 'value')?.value, '1.5');
    assert.equal(parts.find(({ key }) => key === 'sender')?.value, addressOf('alice'));
    const texts = parts.flatMap(({ key, value }) => (value === undefined ? [] : [`${key}=${value}`]));
    assert.equal(texts.length, 7);
    const edits = await readReplayEdits(texts, inputs, {
      cell: (text) => Promise.resolve(readCellText(text)),
      address: (text) => Promise.resolve(text),
    });
    assert.equal((await runReplay(inputs, emulator, { edits })).verdict, 'exact');
  });

  it('are gathered with every request counted as it is made', async () => {
    await source.gather(hashes[0]!);
    assert.ok(counts.length > 0);
    assert.deepEqual(
      counts,
      counts.map((_, index) => index + 1),
    );
    assert.equal(counts.length, source.requests);
  });

  it('take a BoC alone as a cell', () => {
    const cell = beginCell().storeUint(7, 64).endCell();
    for (const boc of [cell.toBoc().toString('base64'), cell.toBoc().toString('hex')]) {
      assert.ok(readCellText(` ${boc} `).equals(cell));
    }
    assert.ok(readCellText('b(u64 7)').equals(cell));
  });
});
