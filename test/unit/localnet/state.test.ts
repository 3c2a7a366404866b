import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { beginCell, contractAddress, toNano } from '@ton/core';
import { defaultNetworkConfig } from '../../../src/toolkit/emulator/networkConfig';
import { createSandboxEmulator } from '../../../src/toolkit/emulator/sandboxEmulator';
import { WorkbenchError } from '../../../src/toolkit/errors';
import type { LocalChain } from '../../../src/toolkit/localnet/chain/localChain';
import type { OpenChain } from '../../../src/toolkit/localnet/chain/openChain';
import { openChain } from '../../../src/toolkit/localnet/chain/openChain';
import { createServer } from '../../../src/toolkit/localnet/server/createServer';
import type { JournalDisk } from '../../../src/toolkit/localnet/storage/journalFile';
import { StateLock } from '../../../src/toolkit/localnet/storage/stateLock';
import { createLog, Redactor } from '../../../src/toolkit/log';
import { addressOf, ManualClock, mineWith, transfer } from './support/testChain';

const [alice, bob] = ['alice', 'bob'].map(addressOf) as [string, string];

/** What the indexed API and a wallet's client see of a chain. */
async function answersOf(chain: LocalChain, accounts: readonly string[]): Promise<Record<string, unknown>> {
  const server = await createServer(chain);
  const paths = [
    '/api/v3/traces?limit=100&include_actions=true',
    '/api/v3/messages?limit=100',
    '/api/v3/blocks?limit=100',
    ...accounts.flatMap((address) => [
      `/api/v3/transactions?account=${address}&limit=100`,
      `/api/v3/accountStates?address=${address}&include_boc=true`,
      `/api/v2/getAddressInformation?address=${address}&seqno=2`,
      `/api/v2/getTransactions?address=${address}&limit=100`,
    ]),
  ];
  const answers: Record<string, unknown> = {};
  for (const url of paths) {
    const { body } = await server.inject(url);
    assert.ok(body.length > 20, body);
    answers[url] = JSON.parse(body.replace(/"@extra":"[^"]*"/g, '"@extra":""')) as unknown;
  }
  await server.close();
  return answers;
}

describe('the state of a local network on the disk', function () {
  this.timeout(30_000);
  let folder: string;
  let lines: string[];
  const journal = (): string => path.join(folder, 'journal.log');

  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tonwb-state-'));
    lines = [];
  });
  afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

  const open = async (disk?: JournalDisk): Promise<OpenChain> =>
    openChain({
      emulator: await createSandboxEmulator(),
      config: defaultNetworkConfig(),
      clock: new ManualClock(),
      log: createLog((level, line) => lines.push(`${level} ${line}`), new Redactor()),
      mode: { kind: 'manual' },
      stateDirectory: folder,
      disk,
    });
  /** As a killed process leaves it: nothing flushed, nothing closed, the lock still there. */
  const kill = ({ store }: OpenChain): void => {
    void store;
    fs.rmSync(path.join(folder, 'lock.json'));
  };

  it('comes back as it was: blocks, accounts, traces, settings', async () => {
    const first = await open();
    await mineWith(first.chain, transfer('alice', { seqno: 0, to: bob, value: toNano('5') }));
    first.chain.configure({ timeOffset: 100, snapshots: { early: 1 } });
    await mineWith(first.chain, transfer('bob', { seqno: 0, to: alice, value: 1n }));
    const before = first.chain.ledger;
    first.store?.close();

    const { chain, store } = await open();
    assert.equal(chain.ledger.last.master.rootHash, before.last.master.rootHash);
    assert.equal(chain.ledger.transactions.length, 4);
    assert.equal(
      chain.ledger.accounts.get(bob)?.facts.account.hash64,
      before.accounts.get(bob)?.facts.account.hash64,
    );
    assert.deepEqual(chain.settings.snapshots, { early: 1 });
    assert.equal(chain.now(), first.chain.now());
    await mineWith(chain, transfer('alice', { seqno: 1, to: bob, value: 1n }));
    assert.equal(chain.ledger.last.seqno, 4);
    store?.close();
  });

  it('answers the same after it was started again, and goes on the same', async () => {
    const first = await open();
    const init = { code: beginCell().storeUint(1, 8).endCell(), data: beginCell().storeUint(2, 8).endCell() };
    const deployed = contractAddress(0, init).toRawString().toUpperCase();
    await mineWith(first.chain, transfer('alice', { seqno: 0, to: bob, value: toNano('5'), body: 'rent' }));
    await mineWith(first.chain, transfer('bob', { seqno: 0, to: deployed, value: toNano('1'), init }));
    // It bounces: nobody lives there.
    const nobody = `0:${'11'.repeat(32)}`;
    await mineWith(first.chain, transfer('bob', { seqno: 1, to: nobody, value: 500_000_000n, bounce: true }));
    const next = transfer('alice', { seqno: 1, to: bob, value: 1n });
    const before = await answersOf(first.chain, [alice, bob, deployed, nobody]);
    first.store?.close();

    const second = await open();
    assert.deepEqual(await answersOf(second.chain, [alice, bob, deployed, nobody]), before);
    await mineWith(second.chain, next);
    const { rootHash } = second.chain.ledger.last.master;
    // A third start reads what the first and the second wrote; taking the chain back applies it once more.
    kill(second);
    const third = await open();
    assert.equal(third.chain.ledger.last.master.rootHash, rootHash);
    await third.chain.restore(4);
    assert.deepEqual(await answersOf(third.chain, [alice, bob, deployed, nobody]), before);
    third.store?.close();
  });

  it('writes each code once', async () => {
    const { chain, store } = await open();
    await mineWith(chain, transfer('alice', { seqno: 0, to: bob, value: 1n }));
    const [code] = [...chain.ledger.codes.values()].map(({ data }) => data.toString('hex'));
    for (let seqno = 1; seqno < 4; seqno += 1) {
      await mineWith(chain, transfer('alice', { seqno, to: bob, value: 1n }));
    }
    store?.close();
    // The accounts of the beginning stand whole in the first block.
    const beginning = chain.ledger.blocks[0]!.changed.filter(({ facts }) => facts.code !== null).length;
    const found = fs.readFileSync(journal()).toString('hex').split(code!).length - 1;
    assert.ok(found > 0 && found <= beginning, `${found} times`);
  });

  it('executes what was accepted before it was killed', async () => {
    const first = await open();
    const { hash } = await first.chain.submit(transfer('alice', { seqno: 0, to: bob, value: 1n }));
    kill(first);
    const { chain, store } = await open();
    assert.equal(chain.pending.size, 0);
    assert.equal(chain.ledger.messages(hash)[0]?.consumer?.account.address, alice);
    store?.close();
  });

  it('drops an entry that was cut short and keeps everything before it', async () => {
    const first = await open();
    await mineWith(first.chain, transfer('alice', { seqno: 0, to: bob, value: 1n }));
    const whole = fs.statSync(journal()).size;
    await mineWith(first.chain, transfer('alice', { seqno: 1, to: bob, value: 1n }));
    kill(first);
    fs.truncateSync(journal(), whole + 11);
    const { chain, store } = await open();
    assert.equal(chain.ledger.transactions.length, 2);
    assert.ok(!lines.some((line) => line.startsWith('warn')));
    store?.close();
  });

  it('sets a damaged file aside, says so, and goes on with what could be read', async () => {
    const first = await open();
    await mineWith(first.chain, transfer('alice', { seqno: 0, to: bob, value: 1n }));
    const whole = fs.statSync(journal()).size;
    await mineWith(first.chain, transfer('alice', { seqno: 1, to: bob, value: 1n }));
    await mineWith(first.chain, transfer('alice', { seqno: 2, to: bob, value: 1n }));
    first.store?.close();
    const bytes = fs.readFileSync(journal());
    bytes[whole + 60] = (bytes[whole + 60] as number) ^ 0xff;
    fs.writeFileSync(journal(), bytes);

    const second = await open();
    assert.equal(second.chain.ledger.transactions.length, 2);
    assert.ok(lines.some((line) => line.startsWith('warn') && line.includes('damaged')));
    const aside = fs.readdirSync(folder).find((name) => name.startsWith('journal.damaged-'));
    assert.ok(aside);
    assert.deepEqual(fs.readFileSync(path.join(folder, aside)), bytes);
    await mineWith(second.chain, transfer('alice', { seqno: 1, to: bob, value: 1n }));
    second.store?.close();
    const third = await open();
    assert.equal(third.chain.ledger.transactions.length, 4);
    third.store?.close();
  });

  it('begins anew over a file that is no journal', async () => {
    fs.writeFileSync(journal(), 'something else entirely');
    const { chain, store } = await open();
    assert.equal(chain.ledger.last.seqno, 1);
    store?.close();
  });

  it('accepts nothing while the disk is full, loses nothing, and goes on when it is not', async () => {
    let full = false;
    const disk: JournalDisk = {
      ...fs,
      writeSync: ((file: number, bytes: Buffer, offset: number, length: number, position: number) => {
        if (full) {
          // The disk takes a few bytes before it is full.
          fs.writeSync(file, bytes, offset, Math.min(3, length), position);
          throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
        }
        return fs.writeSync(file, bytes, offset, length, position);
      }) as typeof fs.writeSync,
    };
    const first = await open(disk);
    await first.chain.submit(transfer('alice', { seqno: 0, to: bob, value: 1n }));
    full = true;
    const block = await first.chain.mine();
    assert.equal(block.transactions.length, 2);
    await assert.rejects(first.chain.submit(transfer('bob', { seqno: 0, to: alice, value: 1n })), {
      code: 'localnet-state-unwritable',
    });
    assert.equal(first.store?.unwritten, 1);
    full = false;
    await mineWith(first.chain, transfer('bob', { seqno: 0, to: alice, value: 1n }));
    assert.equal(first.store.unwritten, 0);
    first.store.close();
    const { chain, store } = await open();
    assert.equal(chain.ledger.transactions.length, 4);
    assert.equal(chain.ledger.last.master.rootHash, first.chain.ledger.last.master.rootHash);
    store?.close();
  });

  it('belongs to one network at a time; a lock whose process is gone is no obstacle', async () => {
    const { store } = await open();
    store?.announce(1234);
    await assert.rejects(open(), (error) => {
      assert.ok(WorkbenchError.is(error, 'localnet-state-in-use'));
      assert.equal(error.details.port, 1234);
      return true;
    });
    store?.close();
    // No process has this id: it is above what systems give out.
    fs.writeFileSync(path.join(folder, 'lock.json'), JSON.stringify({ pid: 2 ** 30 }));
    const lock = StateLock.take(folder, process.pid);
    lock.release();
  });

  it('says when there can be no such folder', () => {
    const file = path.join(folder, 'a file');
    fs.writeFileSync(file, '');
    for (const place of [file, path.join(file, 'below'), '']) {
      assert.throws(
        () => StateLock.take(place, process.pid),
        (error) => WorkbenchError.is(error, 'localnet-state-unusable') && error.kind === 'input',
        place,
      );
    }
  });

  it('remembers that the chain was taken back', async () => {
    const first = await open();
    await mineWith(first.chain, transfer('alice', { seqno: 0, to: bob, value: 1n }));
    await mineWith(first.chain, transfer('alice', { seqno: 1, to: bob, value: 1n }));
    await first.chain.restore(2);
    await mineWith(first.chain, transfer('alice', { seqno: 1, to: bob, value: 77n }));
    kill(first);
    const { chain, store } = await open();
    assert.equal(chain.ledger.last.seqno, 3);
    assert.equal(chain.ledger.last.master.rootHash, first.chain.ledger.last.master.rootHash);
    store?.close();
  });
});
