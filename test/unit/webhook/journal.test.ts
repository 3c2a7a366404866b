import assert from 'node:assert/strict';
import { readFile, readdir, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { systemProcesses } from '../../../src/toolkit/base/journal/processMark';
import type { Delivery } from '../../../src/toolkit/webhook/delivery/delivery';
import { openListener } from '../../../src/toolkit/webhook/listener/listenerCore';
import { Redactor, createLog } from '../../../src/toolkit/base/log';
import { readKeptDelivery } from '../../../src/toolkit/webhook/journal/deliveryEntry';
import { faultyDisk } from './support/faultyDisk';
import { until } from '../../support/until';
import { startListener, stopListeners, temporaryDirectory } from './support/listener';
import type { TestListener } from './support/listener';
import { bytes, payload, recipient } from './support/sample';
import { SteppedClock } from '../../support/steppedClock';

const firstSegment = (listener: TestListener): string =>
  path.join(listener.directory, 'deliveries-000001.log');

const references = (listener: TestListener): (string | null)[] =>
  listener.list({ limit: Infinity }).items.map((item) => (JSON.parse(item) as Delivery).reference);

describe('webhook journal', () => {
  afterEach(stopListeners);

  it('contains a delivery before it is acknowledged', async () => {
    const listener = await startListener();
    await listener.deliver(payload());
    const kept = await readKeptDelivery(listener.directory, listener.told[0]?.id ?? '');
    assert.equal(kept?.verdict, 'accepted');
    assert.deepEqual(kept?.body, bytes(payload()));
  });

  it('is synced within a second, once for many', async () => {
    const disk = faultyDisk();
    const clock = new SteppedClock();
    const listener = await startListener({}, { disk, clock });
    await Promise.all(
      Array.from({ length: 50 }, (_, n) => listener.deliver(payload({ reference: `r${n}` }))),
    );
    clock.advance(999);
    await nextTurn();
    assert.equal(disk.syncs, 0);
    clock.advance(1);
    await nextTurn();
    assert.equal(disk.syncs, 1);
    clock.advance(10_000);
    await nextTurn();
    assert.equal(disk.syncs, 1, 'nothing new, nothing to sync');
    await listener.deliver(payload({ reference: 'last' }));
    await listener.close();
    assert.equal(disk.syncs, 2, 'and when closing');
  });

  it('acknowledges nothing on a full disk, and continues when there is space again', async () => {
    const disk = faultyDisk();
    const journalDirectory = await temporaryDirectory();
    const listener = await startListener({ journalDirectory }, { disk });
    assert.equal((await listener.deliver(payload({ reference: 'before' }))).status, 200);
    disk.bytesLeft = 100;
    const refused = await listener.deliver(payload({ reference: 'full' }));
    assert.equal(refused.status, 503);
    assert.equal(refused.json.received, false);
    assert.equal(listener.told.at(-1)?.status, 503);
    assert.match(listener.told.at(-1)?.reason ?? '', /not stored/);
    const forged = await listener.post(Buffer.from('{}'), [['X-Pay-Signature', 'sha256=00']]);
    assert.equal(forged.status, 401, 'a refusal stays what it is');
    disk.bytesLeft = Infinity;
    assert.equal((await listener.deliver(payload({ reference: 'full' }))).status, 200);
    assert.equal(listener.told.at(-1)?.verdict, 'accepted', 'what was not stored was not processed');
    await listener.close();
    const again = await startListener({ journalDirectory });
    assert.deepEqual(references(again), ['full', 'before']);
    assert.deepEqual(
      (await readdir(journalDirectory)).filter((name) => name.includes('damaged')),
      [],
      'the half line was cut back',
    );
  });

  it('does not treat a second delivery as a repeat of one that could not be written', async () => {
    const disk = faultyDisk();
    const listener = await startListener({}, { disk });
    let open!: () => void;
    disk.gate = new Promise((resolve) => (open = resolve));
    disk.failures = 1;
    const first = listener.deliver(payload());
    await until(() => disk.writes > 0, 'the first is being written');
    const judged = listener.nextRequest();
    const second = listener.deliver(payload());
    await judged;
    await nextTurn();
    open();
    const opened = performance.now();
    assert.deepEqual([(await first).status, (await second).status], [503, 503]);
    assert.ok(performance.now() - opened < 5_000, 'told at once, not by the deadline');
    await listener.deliver(payload());
    assert.equal(listener.told.at(-1)?.verdict, 'accepted');
  });

  it('overwrites a tail that it could not cut off', async () => {
    const disk = faultyDisk();
    const journalDirectory = await temporaryDirectory();
    const listener = await startListener({ journalDirectory }, { disk });
    await listener.deliver(payload({ reference: 'a' }));
    Object.assign(disk, { bytesLeft: 100, noTruncate: true });
    assert.equal((await listener.deliver(payload({ reference: 'b' }))).status, 503);
    Object.assign(disk, { bytesLeft: Infinity, noTruncate: false });
    assert.equal((await listener.deliver(payload({ reference: 'c' }))).status, 200);
    await listener.close();
    const again = await startListener({ journalDirectory });
    assert.deepEqual(references(again), ['c', 'a']);
    assert.deepEqual(again.problems, []);
  });

  it('answers in time even if the disk hangs', async () => {
    const disk = faultyDisk();
    const clock = new SteppedClock();
    const listener = await startListener({}, { disk, clock });
    let open!: () => void;
    disk.gate = new Promise((resolve) => (open = resolve));
    let isAnswered = false;
    const answer = listener.deliver(payload()).finally(() => (isAnswered = true));
    await until(() => disk.writes > 0, 'it is being written');
    clock.advance(9_400);
    await nextTurn();
    assert.equal(isAnswered, false, 'the disk has its time');
    // The service waits 10 s.
    clock.advance(250);
    assert.equal((await answer).status, 503);
    open();
    await until(() => listener.list().total > 0, 'it is written');
    await listener.deliver(payload());
    assert.equal(listener.told.at(-1)?.verdict, 'repeat', 'it was written after all');
  });

  it('skips damage in the middle and a cut tail, keeps the file, and reports both', async () => {
    const journalDirectory = await temporaryDirectory();
    const listener = await startListener({ journalDirectory });
    for (const reference of ['a', 'b', 'c']) {
      await listener.deliver(payload({ reference }));
    }
    const file = firstSegment(listener);
    await listener.close();
    const whole = await readFile(file);
    const damaged = Buffer.from(whole);
    damaged[Math.floor(whole.length / 2)]! ^= 1;
    await writeFile(file, Buffer.concat([damaged, Buffer.from([0, 0, 0xff])]));
    const lines: string[] = [];
    const log = createLog((level, line) => lines.push(`${level} ${line}`), new Redactor());
    const again = await startListener({ journalDirectory }, { log });
    assert.deepEqual(references(again), ['c', 'a']);
    assert.match(again.problems.join(), /deliveries-000001\.log is damaged/);
    assert.match(lines.join('\n'), /^warn .*deliveries-000001\.log is damaged/);
    const aside = (await readdir(journalDirectory)).find((name) => name.includes('damaged')) ?? '';
    assert.ok(again.problems.join().includes(aside), 'it says where the file is');
    assert.deepEqual((await readFile(path.join(journalDirectory, aside))).subarray(0, whole.length), damaged);
    await again.deliver(payload({ reference: 'd' }));
    await again.close();
    await truncate(file, (await stat(file)).size - 7);
    const third = await startListener({ journalDirectory });
    assert.deepEqual(references(third), ['c', 'a']);
    assert.match(third.problems.join(), /is incomplete/);
  });

  it('detects every flipped bit', async () => {
    const journalDirectory = await temporaryDirectory();
    const listener = await startListener({ journalDirectory });
    for (const reference of ['a', 'b', 'c']) {
      await listener.deliver(payload({ reference }));
    }
    const file = firstSegment(listener);
    const all = new Map(listener.list().items.map((item) => [(JSON.parse(item) as Delivery).id, item]));
    const bodies = new Map([...all.keys()].map((id) => [id, listener.get(id)]));
    await listener.close();
    const whole = await readFile(file);
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: whole.length - 1 }), fc.nat({ max: 7 }), async (at, bit) => {
        const damaged = Buffer.from(whole);
        damaged[at]! ^= 1 << bit;
        await writeFile(file, damaged);
        const again = await openListener({ port: 0, secrets: [], journalDirectory });
        try {
          const { items } = again.list();
          assert.ok(again.problems.length > 0, 'it is said');
          items.forEach((item) => {
            const { id } = JSON.parse(item) as Delivery;
            assert.deepEqual(JSON.parse(item), JSON.parse(all.get(id) ?? ''));
            assert.deepEqual(again.get(id), bodies.get(id));
          });
        } finally {
          await again.close();
        }
      }),
      { numRuns: 100 },
    );
  });

  it('keeps files of the version without checksums, and says so', async () => {
    const journalDirectory = await temporaryDirectory();
    for (const name of ['deliveries-000001.jsonl', 'orders.jsonl']) {
      await writeFile(path.join(journalDirectory, name), `{"v":1,"of":"${name}"}\n`);
    }
    const first = await startListener({ journalDirectory });
    assert.match(
      first.problems.join('\n'),
      /^deliveries-000001\.jsonl .* earlier version[^]*^orders\.jsonl /m,
    );
    const aside = (await readdir(journalDirectory)).filter((name) => name.includes('unreadable')).sort();
    assert.deepEqual(
      await Promise.all(aside.map((name) => readFile(path.join(journalDirectory, name), 'utf8'))),
      ['{"v":1,"of":"deliveries-000001.jsonl"}\n', '{"v":1,"of":"orders.jsonl"}\n'],
    );
    await first.close();
    assert.deepEqual((await startListener({ journalDirectory })).problems, [], 'once');
  });

  it('acknowledges nothing once its folder is gone, or was taken over', async () => {
    const listener = await startListener();
    await listener.deliver(payload({ reference: 'before' }));
    const lock = path.join(listener.directory, 'lock.json');
    await rename(lock, `${lock}.mine`);
    await writeFile(lock, await readFile(`${lock}.mine`));
    const refused = await listener.deliver(payload({ reference: 'taken over' }));
    assert.equal(refused.status, 503);
    await rm(listener.directory, { recursive: true });
    assert.equal((await listener.deliver(payload({ reference: 'gone' }))).status, 503);
    assert.equal(listener.told.at(-1)?.status, 503);
    assert.equal(listener.list().total, 1);
  });

  it('stays within its bounds, and still recognizes repeats of what it dropped', async () => {
    const journalDirectory = await temporaryDirectory();
    const limits = { maximumEntries: 80, maximumBytes: 1024 * 1024 };
    const orders = [{ reference: 'first', amount: '10.5', asset: 'TON', recipient }];
    const listener = await startListener({ journalDirectory, limits });
    await listener.deliver(payload({ reference: 'first' }));
    for (let n = 0; n < 200; n++) {
      await listener.deliver(payload({ reference: `r${n}` }));
    }
    const { total } = listener.list();
    assert.ok(total <= 80 && total >= 60, `${total} kept`);
    assert.ok(!references(listener).includes('first'));
    await listener.deliver(payload({ reference: 'first' }));
    assert.equal(listener.told.at(-1)?.verdict, 'repeat');
    await listener.close();
    const again = await startListener({ journalDirectory, limits, orders });
    assert.equal(again.orders()[0]?.state, 'paid');
    await again.deliver(payload({ reference: 'first' }));
    assert.equal(again.told.at(-1)?.verdict, 'repeat');
    const bytesLimit = { maximumEntries: 1e6, maximumBytes: 200_000 };
    await again.close();
    const third = await startListener({ journalDirectory, limits: bytesLimit });
    for (let n = 0; n < 30; n++) {
      await third.deliver(payload({ reference: `s${n}`, commentToSender: 'x'.repeat(10_000) }));
    }
    // Old files are dropped in the background; closing waits for that.
    await third.close();
    const kept = await Promise.all(
      (await readdir(journalDirectory))
        .filter((name) => name.startsWith('deliveries'))
        .map(async (name) => (await readFile(path.join(journalDirectory, name))).length),
    );
    assert.ok(kept.reduce((sum, length) => sum + length, 0) <= 200_000 + 50_000);
  });

  it('takes over the lock of a process that has ended, even if its pid is reused', async () => {
    const journalDirectory = await temporaryDirectory();
    const mark = systemProcesses.self();
    for (const lock of [
      { ...mark, pid: 999_999_999, token: 'a' },
      { ...mark, started: 'before', token: 'b' },
      { ...mark, pid: 1, started: 'before', token: 'c' },
      'garbage',
    ]) {
      await writeFile(path.join(journalDirectory, 'lock.json'), JSON.stringify(lock));
      await (await startListener({ journalDirectory })).close();
    }
  });

  it('lets one of several take a stale lock', async () => {
    const journalDirectory = await temporaryDirectory();
    for (let round = 0; round < 5; round++) {
      const lock = { ...systemProcesses.self(), pid: 999_999_999, token: `stale${round}` };
      await writeFile(path.join(journalDirectory, 'lock.json'), JSON.stringify(lock));
      const starts = await Promise.allSettled(
        Array.from({ length: 5 }, () => startListener({ journalDirectory })),
      );
      const started = starts.filter(({ status }) => status === 'fulfilled');
      assert.equal(started.length, 1);
      await stopListeners({ keepFolders: true });
    }
  });
});
