import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beginCell, contractAddress, toNano } from '@ton/core';
import { defaultNetworkConfig } from '../../../src/toolkit/execution/emulator/networkConfig';
import { createSandboxEmulator } from '../../../src/toolkit/execution/emulator/createSandboxEmulator';
import { WorkbenchError } from '../../../src/toolkit/base/errors';
import type { JournalDisk } from '../../../src/toolkit/base/journal/journalDisk';
import { nodeDisk } from '../../../src/toolkit/base/journal/journalDisk';
import { systemProcesses } from '../../../src/toolkit/base/journal/processMark';
import { blockInput, wholeAccount } from '../../../src/toolkit/localnet/chain/history';
import { keepBlock } from '../../../src/toolkit/localnet/chain/keepBlock';
import type { LocalChain } from '../../../src/toolkit/localnet/chain/localChain';
import type { OpenChain } from '../../../src/toolkit/localnet/openChain';
import { openChain } from '../../../src/toolkit/localnet/openChain';
import { Ledger } from '../../../src/toolkit/localnet/chain/ledger';
import { createServer } from '../../../src/toolkit/localnet/server/createServer';
import { splitBlock } from '../../../src/toolkit/localnet/storage/blockEntry';
import { StateStore } from '../../../src/toolkit/localnet/storage/stateStore';
import { createLog, Redactor, silentLog } from '../../../src/toolkit/base/log';
import earlier from './support/earlierState.json';
import { addressOf, ManualClock, mineWith, transfer } from './support/testChain';

const [alice, bob] = ['alice', 'bob'].map(addressOf) as [string, string];
const emulator = createSandboxEmulator();

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

describe('the state of a local network on disk', () => {
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
      emulator: await emulator,
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

  it('is restored: blocks, accounts, traces, settings', async () => {
    const first = await open();
    await mineWith(first.chain, transfer('alice', { seqno: 0, to: bob, value: toNano('5') }));
    first.chain.configure({ timeOffset: 100, snapshots: { early: 1 } });
    await mineWith(first.chain, transfer('bob', { seqno: 0, to: alice, value: 1n }));
    const before = first.chain.ledger;
    await first.store?.close();

    const { chain, store } = await open();
    assert.equal(chain.ledger.last.master.rootHash, before.last.master.rootHash);
    assert.equal(chain.ledger.transactions.length, 4);
    assert.equal(
      chain.ledger.accounts.get(bob)?.facts.account.hexHash,
      before.accounts.get(bob)?.facts.account.hexHash,
    );
    assert.deepEqual(chain.settings.snapshots, { early: 1 });
    assert.equal(chain.now(), first.chain.now());
    await mineWith(chain, transfer('alice', { seqno: 1, to: bob, value: 1n }));
    assert.equal(chain.ledger.last.seqno, 4);
    await store?.close();
  });

  it('answers the same after a restart, and continues the same way', async () => {
    const first = await open();
    const init = { code: beginCell().storeUint(1, 8).endCell(), data: beginCell().storeUint(2, 8).endCell() };
    const deployed = contractAddress(0, init).toRawString();
    await mineWith(first.chain, transfer('alice', { seqno: 0, to: bob, value: toNano('5'), body: 'rent' }));
    await mineWith(first.chain, transfer('bob', { seqno: 0, to: deployed, value: toNano('1'), init }));
    // It bounces: nobody lives there.
    const nobody = `0:${'11'.repeat(32)}`;
    await mineWith(first.chain, transfer('bob', { seqno: 1, to: nobody, value: 500_000_000n, bounce: true }));
    const next = transfer('alice', { seqno: 1, to: bob, value: 1n });
    const before = await answersOf(first.chain, [alice, bob, deployed, nobody]);
    await first.store?.close();

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
    await third.store?.close();
  });

  it('opens what an earlier version has written; blocks and messages keep their hashes', async () => {
    // Written when journals had hashes in base64 and addresses in upper case.
    fs.writeFileSync(journal(), gunzipSync(Buffer.from(earlier.journal, 'base64')));
    const { chain, store } = await open();
    const server = await createServer(chain);
    const ask = async <Body>(url: string): Promise<Body> =>
      JSON.parse((await server.inject(url)).body) as Body;
    const hashes = await ask<{ blocks: Record<string, unknown>[] }>('/api/v3/blocks?limit=100&sort=desc');
    const kept = hashes.blocks.map((block) => [
      block.workchain,
      block.seqno,
      block.root_hash,
      block.file_hash,
    ]);
    // The message from outside that was accepted, and the faucet's, are executed now, in a block of their own.
    assert.deepEqual(kept.slice(-earlier.blocks.length), earlier.blocks);
    assert.equal(kept.length, earlier.blocks.length + 2);
    const { transactions } = await ask<{ transactions: { hash: string }[] }>(
      '/api/v3/transactions?limit=100',
    );
    const found = transactions.map(({ hash }) => hash);
    assert.deepEqual(found.slice(-earlier.transactions.length), earlier.transactions);
    assert.equal(found.length, earlier.transactions.length + 3);
    const status = await ask<{ failed: unknown; names: unknown }>('/control/status');
    assert.deepEqual([status.failed, status.names], [earlier.failed, earlier.names]);
    // What is written from now on is in the other form, and both are read.
    const { hash } = await chain.submit(transfer('bob', { seqno: 1, to: alice, value: 1n }));
    await chain.mine();
    const last = chain.ledger.last.master.rootHash;
    await server.close();
    await store?.close();
    const again = await open();
    assert.equal(again.chain.ledger.last.master.rootHash, last);
    assert.equal(again.chain.ledger.messages(hash)[0]?.consumer?.account.address, bob);
    assert.deepEqual(
      lines.filter((line) => !line.startsWith('info')),
      [],
    );
    await again.store?.close();
  });

  it('writes each code once', async () => {
    const { chain, store } = await open();
    await mineWith(chain, transfer('alice', { seqno: 0, to: bob, value: 1n }));
    const [code] = [...chain.ledger.codes.values()].map(({ data }) => data.toString('hex'));
    for (let seqno = 1; seqno < 4; seqno += 1) {
      await mineWith(chain, transfer('alice', { seqno, to: bob, value: 1n }));
    }
    await store?.close();
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
    await store?.close();
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
    assert.deepEqual(
      lines.map((line) => /The last entry of journal.log.*\(11 bytes/.test(line)),
      [true],
    );
    assert.deepEqual(chain.stateProblems.length, 1);
    await store?.close();
  });

  it('sets a damaged file aside, says so, and continues with what is readable', async () => {
    const first = await open();
    await mineWith(first.chain, transfer('alice', { seqno: 0, to: bob, value: 1n }));
    const whole = fs.statSync(journal()).size;
    await mineWith(first.chain, transfer('alice', { seqno: 1, to: bob, value: 1n }));
    await mineWith(first.chain, transfer('alice', { seqno: 2, to: bob, value: 1n }));
    await first.store?.close();
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
    await second.store?.close();
    const third = await open();
    assert.equal(third.chain.ledger.transactions.length, 4);
    await third.store?.close();
  });

  it('reports every flipped length correctly, and keeps the file', async () => {
    const first = await open();
    for (let seqno = 0; seqno < 3; seqno += 1) {
      await mineWith(first.chain, transfer('alice', { seqno, to: bob, value: 1n }));
    }
    await first.store?.close();
    const whole = fs.readFileSync(journal());
    // Each frame begins with the same four bytes; its length is the third number.
    const marker = whole.subarray(20, 24);
    const frames: number[] = [];
    for (let at = whole.indexOf(marker); at >= 0; at = whole.indexOf(marker, at + 1)) {
      frames.push(at);
    }
    assert.equal(frames.length, 7, 'the beginning, and thrice a message and its block');
    for (const [index, frame] of frames.entries()) {
      for (const byte of [8, 11]) {
        const bytes = Buffer.from(whole);
        bytes[frame + byte] = (bytes[frame + byte] as number) ^ 0x40;
        fs.writeFileSync(journal(), bytes);
        lines = [];
        const { chain, store } = await open();
        assert.ok(
          lines.some((line) => line.startsWith('warn') && line.includes('damaged')),
          `frame ${index}, byte ${byte}: ${lines.join()}`,
        );
        assert.match(chain.stateProblems.join(), /saved as journal\.damaged/);
        assert.equal(chain.ledger.transactions.length, 2 * Math.floor(index / 2));
        const aside = fs.readdirSync(folder).filter((name) => name.startsWith('journal.damaged-'));
        assert.deepEqual(
          aside.map((name) => fs.readFileSync(path.join(folder, name))),
          [bytes],
        );
        await store?.close();
        aside.forEach((name) => fs.rmSync(path.join(folder, name)));
      }
    }
  });

  it('starts over if the file is not a journal, or is from an earlier version, and keeps the file', async () => {
    for (const text of ['something else entirely', 'TONWBJ2\n and entries']) {
      fs.writeFileSync(journal(), text);
      const { chain, store } = await open();
      assert.equal(chain.ledger.last.seqno, 1);
      assert.match(chain.stateProblems.join(), /saved as journal\.unreadable/);
      await store?.close();
      const aside = fs.readdirSync(folder).find((name) => name.startsWith('journal.unreadable-'));
      assert.equal(fs.readFileSync(path.join(folder, aside ?? ''), 'utf8'), text);
      fs.rmSync(path.join(folder, aside ?? ''));
    }
  });

  it('saves a block before it is applied exactly as it is afterward', async () => {
    const { chain, store } = await open();
    const init = { code: beginCell().storeUint(1, 8).endCell(), data: beginCell().storeUint(2, 8).endCell() };
    const deployed = contractAddress(0, init).toRawString();
    await mineWith(chain, transfer('alice', { seqno: 0, to: bob, value: toNano('5'), body: 'rent' }));
    await chain.submit(transfer('bob', { seqno: 0, to: deployed, value: toNano('1'), init }));
    await chain.submit(transfer('carol', { seqno: 0, to: `0:${'11'.repeat(32)}`, value: 1n, bounce: true }));
    await chain.mine();
    const earlier = new Ledger();
    for (const block of chain.ledger.blocks) {
      const after = blockInput(chain.ledger, block);
      const executed = block.transactions.map((transaction) => ({
        address: transaction.account.address,
        boc: transaction.boc,
        shardAccount: wholeAccount(chain.ledger, transaction.after),
      }));
      const before = keepBlock(earlier, { ...after, transactions: executed });
      const { head, blobs } = splitBlock(before, []);
      assert.deepEqual({ head, blobs }, splitBlock(after, []));
      earlier.apply(after);
    }
    await store?.close();
  });

  /** A disk that can be filled. */
  function smallDisk(): { disk: JournalDisk; fill: (isFull: boolean) => void } {
    let isFull = false;
    const disk: JournalDisk = {
      ...nodeDisk,
      write: (handle, bytes, offset, position) => {
        if (isFull) {
          // The disk takes a few bytes before it is full.
          nodeDisk.write(handle, bytes.subarray(0, offset + 3), offset, position);
          throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
        }
        return nodeDisk.write(handle, bytes, offset, position);
      },
    };
    return { disk, fill: (full) => (isFull = full) };
  }

  it('accepts nothing while the disk is full, loses nothing, and continues when it is not', async () => {
    const { disk, fill } = smallDisk();
    const first = await open(disk);
    await first.chain.submit(transfer('alice', { seqno: 0, to: bob, value: 1n }));
    fill(true);
    const refused = { code: 'localnet-state-unwritable' };
    await assert.rejects(first.chain.mine(), refused);
    assert.equal(first.chain.ledger.last.seqno, 1, 'what cannot be kept has not happened');
    await assert.rejects(first.chain.submit(transfer('bob', { seqno: 0, to: alice, value: 1n })), refused);
    fill(false);
    await assert.rejects(
      first.chain.submit(transfer('bob', { seqno: 0, to: alice, value: 1n })),
      refused,
      'first the block of what was accepted before',
    );
    assert.match(first.chain.stateProblems.join(), /cannot write its state/);
    fill(false);
    // It is tried again by itself when blocks are not made by hand.
    await first.chain.mine();
    await mineWith(first.chain, transfer('bob', { seqno: 0, to: alice, value: 1n }));
    assert.deepEqual(first.chain.stateProblems, []);
    assert.equal(first.chain.ledger.transactions.length, 4);
    await first.store?.close();
    const { chain, store } = await open();
    assert.equal(chain.ledger.transactions.length, 4);
    assert.equal(chain.ledger.last.master.rootHash, first.chain.ledger.last.master.rootHash);
    await store?.close();
  });

  it('refuses each control command on a full disk, with no effect', async () => {
    const { disk, fill } = smallDisk();
    const first = await open(disk);
    first.chain.mode = { kind: 'automatic', delay: 3_600_000 };
    await mineWith(first.chain, transfer('alice', { seqno: 0, to: bob, value: 1n }));
    const server = await createServer(first.chain);
    const kept = await first.chain.restore(first.chain.ledger.last.seqno, { keep: true });
    const cell = beginCell().storeUint(7, 8).endCell().toBoc().toString('base64');
    const commands: [string, object][] = [
      ['faucet', { address: bob, amount: '1' }],
      ['sendAs', { from: alice, to: bob, value: '1' }],
      ['deploy', { code: cell, data: cell, name: 'vault' }],
      ['name', { address: alice, name: 'shop' }],
      ['setAccount', { address: bob, balance: '7' }],
      ['time', { seconds: 10 }],
      ['mine', {}],
      ['snapshot', { name: 'early' }],
      ['restore', { seqno: 1 }],
      ['undoRestore', { undo: kept }],
      ['reset', {}],
      ['library', { boc: cell }],
    ];
    const seen = async (): Promise<unknown> => {
      const { chain } = first;
      const { ledger, settings, carried } = chain;
      const status = (await server.inject('/control/status')).json<Record<string, unknown>>();
      delete status.stateProblems;
      return { status, settings, carried, seqno: ledger.last.seqno, bob: ledger.accounts.get(bob)?.current };
    };
    const before = await seen();
    fill(true);
    for (const [name, payload] of commands) {
      const answer = await server.inject({ method: 'POST', url: `/control/${name}`, payload });
      assert.equal(
        answer.json<{ code: string }>().code,
        'localnet-state-unwritable',
        `${name}: ${answer.body}`,
      );
      assert.notEqual(answer.statusCode, 200, name);
      assert.deepEqual(await seen(), before, name);
    }
    // Killed now, it comes back as it was.
    kill(first);
    const second = await open();
    assert.equal(second.chain.ledger.last.seqno, 2);
    assert.deepEqual(second.chain.settings, first.chain.settings);
    await second.store?.close();
    await server.close();
  });

  it('is on disk before a control command is answered, even without a block', async () => {
    const first = await open();
    const server = await createServer(first.chain);
    const payload = { address: bob, amount: '123' };
    const answer = await server.inject({ method: 'POST', url: '/control/faucet', payload });
    const { message, trace } = answer.json<{ message: string; trace: null }>();
    assert.equal(trace, null, 'blocks are made by hand');
    kill(first);
    const second = await open();
    assert.equal(second.chain.carried, 1);
    await second.chain.mine();
    assert.equal(second.chain.ledger.messages(message)[0]?.consumer?.account.address, bob);
    kill(second);
    const third = await open();
    assert.equal(third.chain.carried, 0, 'it came once');
    assert.equal(third.chain.ledger.transactions.length, 1);
    await third.store?.close();
    await server.close();
  });

  it('forgets pending messages when the chain is restored', async () => {
    const first = await open();
    const server = await createServer(first.chain);
    await first.chain.submit(transfer('alice', { seqno: 0, to: bob, value: 1n }));
    await server.inject({ method: 'POST', url: '/control/faucet', payload: { address: bob, amount: '123' } });
    await first.chain.restore(1);
    assert.deepEqual([first.chain.pending.size, first.chain.carried], [0, 0]);
    kill(first);
    const { chain, store } = await open();
    assert.deepEqual([chain.pending.size, chain.carried, chain.ledger.transactions.length], [0, 0, 0]);
    await store?.close();
    await server.close();
  });

  it('returns only to existing snapshots, whatever their names', async () => {
    const first = await open();
    const server = await createServer(first.chain);
    const post = async (name: string, payload: object): Promise<[number, Record<string, unknown>]> => {
      const answer = await server.inject({ method: 'POST', url: `/control/${name}`, payload });
      return [answer.statusCode, answer.json()];
    };
    await mineWith(first.chain, transfer('alice', { seqno: 0, to: bob, value: 1n }));
    const names = [...Object.getOwnPropertyNames(Object.prototype), 'length', ''];
    for (const name of names) {
      assert.equal((await post('restore', { name }))[0], 422, name);
    }
    for (const body of [
      '{"seqno":null}',
      '{"__proto__":{"seqno":1}}',
      '{"seqno":"NaN"}',
      '{"seqno":[1,2]}',
    ]) {
      const answer = await server.inject({ method: 'POST', url: '/control/restore', payload: body });
      assert.equal(answer.statusCode, 422, body);
    }
    assert.equal(first.chain.ledger.last.seqno, 2);
    for (const name of names) {
      assert.deepEqual(await post('snapshot', { name }), [200, { seqno: 2 }], name);
    }
    await first.chain.mine();
    kill(first);
    const second = await open();
    const again = await createServer(second.chain);
    for (const name of names) {
      await second.chain.mine();
      const answer = await again.inject({ method: 'POST', url: '/control/restore', payload: { name } });
      assert.deepEqual(answer.json(), { seqno: 2 }, name);
    }
    await second.store?.close();
    await Promise.all([server.close(), again.close()]);
  });

  it('belongs to one network at a time; the lock of a process that has ended does not block it', async () => {
    const { store } = await open();
    store?.announce(1234);
    await assert.rejects(open(), (error) => {
      assert.ok(WorkbenchError.is(error, 'localnet-state-in-use'));
      assert.equal(error.details.port, 1234);
      return true;
    });
    await store?.close();
    const gone = { ...systemProcesses.self(), pid: 2 ** 30, started: '1', token: 'gone' };
    fs.writeFileSync(path.join(folder, 'lock.json'), JSON.stringify(gone));
    await (await open()).store?.close();
    assert.deepEqual(fs.readdirSync(folder), ['journal.log']);
  });

  it('accepts nothing once the folder was deleted or belongs to another', async () => {
    const first = await open();
    fs.rmSync(path.join(folder, 'lock.json'));
    const second = await open();
    await assert.rejects(first.chain.submit(transfer('alice', { seqno: 0, to: bob, value: 1n })), (error) => {
      assert.ok(WorkbenchError.is(error, 'localnet-state-unwritable'));
      assert.match(error.message, /took it over/);
      return true;
    });
    assert.match(first.chain.stateProblems.join(), /took it over/);
    await first.store?.close();
    await mineWith(second.chain, transfer('alice', { seqno: 0, to: bob, value: 1n }));
    fs.rmSync(folder, { recursive: true });
    await assert.rejects(second.chain.mine(), { code: 'localnet-state-unwritable' });
    await second.store?.close();
    assert.ok(!fs.existsSync(folder));
  });

  it('is readable by its owner only', async () => {
    fs.rmSync(folder, { recursive: true });
    const first = await open();
    assert.equal(fs.statSync(folder).mode & 0o777, 0o700);
    for (const name of fs.readdirSync(folder)) {
      assert.equal(fs.statSync(path.join(folder, name)).mode & 0o777, 0o600, name);
    }
    await first.store?.close();
    fs.chmodSync(journal(), 0o644);
    const second = await open();
    assert.equal(fs.statSync(journal()).mode & 0o777, 0o600);
    await second.store?.close();
  });

  it('says if the folder cannot be created', async () => {
    const file = path.join(folder, 'a file');
    fs.writeFileSync(file, '');
    const places = [file, path.join(file, 'below'), ''];
    fs.mkdirSync(path.join(folder, 'journal is a folder', 'journal.log'), { recursive: true });
    for (const place of [...places, path.join(folder, 'journal is a folder')]) {
      await assert.rejects(
        StateStore.open(place, () => undefined, silentLog),
        (error) => WorkbenchError.is(error, 'localnet-state-unusable') && error.kind === 'input',
        place,
      );
    }
    const readOnly: JournalDisk = {
      ...nodeDisk,
      open: () => {
        throw Object.assign(new Error('EROFS: read-only file system'), { code: 'EROFS' });
      },
    };
    await assert.rejects(
      StateStore.open(folder, () => undefined, silentLog, { disk: readOnly }),
      {
        code: 'localnet-state-unusable',
      },
    );
    assert.ok(!fs.existsSync(path.join(folder, 'lock.json')), 'the lock is given back');
  });

  it('remembers that a return to an earlier block was undone', async () => {
    const first = await open();
    for (const seqno of [0, 1, 2]) {
      await mineWith(first.chain, transfer('alice', { seqno, to: bob, value: 1n }));
    }
    const before = first.chain.ledger.last;
    const undo = await first.chain.restore(2, { keep: true });
    await mineWith(first.chain, transfer('alice', { seqno: 1, to: bob, value: 9n }));
    const undone = first.chain.undone.find(undo ?? 0);
    assert.ok(undone);
    await first.chain.undoRestore(undone);
    assert.equal(first.chain.ledger.last.master.rootHash, before.master.rootHash);
    await first.store?.close();
    const { chain, store } = await open();
    assert.equal(chain.ledger.last.master.rootHash, before.master.rootHash);
    assert.equal(chain.ledger.transactions.length, first.chain.ledger.transactions.length);
    await mineWith(chain, transfer('alice', { seqno: 3, to: bob, value: 1n }));
    await store?.close();
  });

  it('remembers that the chain was restored', async () => {
    const first = await open();
    await mineWith(first.chain, transfer('alice', { seqno: 0, to: bob, value: 1n }));
    await mineWith(first.chain, transfer('alice', { seqno: 1, to: bob, value: 1n }));
    await first.chain.restore(2);
    await mineWith(first.chain, transfer('alice', { seqno: 1, to: bob, value: 77n }));
    kill(first);
    const { chain, store } = await open();
    assert.equal(chain.ledger.last.seqno, 3);
    assert.equal(chain.ledger.last.master.rootHash, first.chain.ledger.last.master.rootHash);
    await store?.close();
  });
});
