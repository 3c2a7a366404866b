import assert from 'node:assert/strict';
import { appendFile, readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Delivery } from '../../../src/toolkit/webhook/delivery';
import { faultyFileSystem } from './support/faultyFileSystem';
import { startListener, stopListeners, temporaryDirectory } from './support/listener';
import type { TestListener } from './support/listener';
import { payload, recipient } from './support/sample';

const firstSegment = (listener: TestListener): string =>
  path.join(listener.directory, 'deliveries-000001.jsonl');

const references = (listener: TestListener): (string | null)[] =>
  listener.list({ limit: Infinity }).items.map((item) => (JSON.parse(item) as Delivery).reference);

describe('webhook journal', () => {
  afterEach(stopListeners);

  it('holds a delivery before it is acknowledged', async () => {
    const listener = await startListener();
    await listener.deliver(payload());
    const text = await readFile(firstSegment(listener), 'utf8');
    assert.equal(text.split('\n').length, 2);
    assert.match(text, /"verdict":"accepted"/);
  });

  it('is synced within a second, and once for many', async () => {
    const fileSystem = faultyFileSystem();
    const listener = await startListener({}, { fileSystem });
    await Promise.all(
      Array.from({ length: 50 }, (_, n) => listener.deliver(payload({ reference: `r${n}` }))),
    );
    assert.equal(fileSystem.syncs, 0);
    await sleep(1_300);
    assert.equal(fileSystem.syncs, 1);
    await listener.close();
    assert.equal(fileSystem.syncs, 2, 'and when closing');
  });

  it('acknowledges nothing on a full disk, and goes on when there is space again', async () => {
    const fileSystem = faultyFileSystem();
    const journalDirectory = await temporaryDirectory();
    const listener = await startListener({ journalDirectory }, { fileSystem });
    assert.equal((await listener.deliver(payload({ reference: 'before' }))).status, 200);
    fileSystem.bytesLeft = 100;
    const refused = await listener.deliver(payload({ reference: 'full' }));
    assert.equal(refused.status, 503);
    assert.equal(refused.json.received, false);
    assert.equal(listener.told.at(-1)?.status, 503);
    assert.match(listener.told.at(-1)?.reason ?? '', /not stored/);
    const forged = await listener.post(Buffer.from('{}'), [['X-Pay-Signature', 'sha256=00']]);
    assert.equal(forged.status, 401, 'a refusal stays what it is');
    fileSystem.bytesLeft = Infinity;
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

  it('takes no second delivery for a repeat of one that could not be written', async () => {
    const fileSystem = faultyFileSystem();
    const listener = await startListener({}, { fileSystem });
    let open!: () => void;
    fileSystem.gate = new Promise((resolve) => (open = resolve));
    fileSystem.failures = 1;
    const first = listener.deliver(payload());
    await sleep(100);
    const second = listener.deliver(payload());
    await sleep(100);
    open();
    const opened = performance.now();
    assert.deepEqual([(await first).status, (await second).status], [503, 503]);
    assert.ok(performance.now() - opened < 5_000, 'told at once, not by the deadline');
    await listener.deliver(payload());
    assert.equal(listener.told.at(-1)?.verdict, 'accepted');
  });

  it('sets a tail aside that it could not cut back', async () => {
    const fileSystem = faultyFileSystem();
    const journalDirectory = await temporaryDirectory();
    const listener = await startListener({ journalDirectory }, { fileSystem });
    await listener.deliver(payload({ reference: 'a' }));
    Object.assign(fileSystem, { bytesLeft: 100, noTruncate: true });
    assert.equal((await listener.deliver(payload({ reference: 'b' }))).status, 503);
    Object.assign(fileSystem, { bytesLeft: Infinity, noTruncate: false });
    assert.equal((await listener.deliver(payload({ reference: 'c' }))).status, 200);
    await listener.close();
    const again = await startListener({ journalDirectory });
    assert.deepEqual(references(again), ['c', 'a']);
    assert.equal((await readdir(journalDirectory)).filter((name) => name.includes('damaged')).length, 1);
  });

  it('answers in time although the disk hangs', async () => {
    const fileSystem = faultyFileSystem();
    const listener = await startListener({}, { fileSystem, timeouts: { answer: 300 } });
    let open!: () => void;
    fileSystem.gate = new Promise((resolve) => (open = resolve));
    const started = performance.now();
    assert.equal((await listener.deliver(payload())).status, 503);
    assert.ok(performance.now() - started < 1_000);
    open();
    await sleep(50);
    await listener.deliver(payload());
    assert.equal(listener.told.at(-1)?.verdict, 'repeat', 'it was written after all');
  });

  it('passes over damage: a cut tail, garbage, a damaged line in the middle', async () => {
    const journalDirectory = await temporaryDirectory();
    const listener = await startListener({ journalDirectory });
    for (const reference of ['a', 'b', 'c']) {
      await listener.deliver(payload({ reference }));
    }
    const file = firstSegment(listener);
    await listener.close();
    const lines = (await readFile(file, 'utf8')).split('\n');
    await writeFile(file, [lines[0], lines[1]?.slice(0, 50), lines[2], '{"v":1,"ki'].join('\n'));
    await appendFile(file, Buffer.from([0, 0, 0xff]));
    const again = await startListener({ journalDirectory });
    assert.deepEqual(references(again), ['c', 'a']);
    const aside = (await readdir(journalDirectory)).find((name) => name.includes('damaged'));
    assert.match(await readFile(path.join(journalDirectory, aside ?? ''), 'latin1'), /"ki\0\0/);
    await again.deliver(payload({ reference: 'd' }));
    await again.close();
    const third = await startListener({ journalDirectory });
    assert.deepEqual(references(third), ['d', 'c', 'a']);
  });

  it('stays within its bounds, and still knows the repeats of what it dropped', async () => {
    const journalDirectory = await temporaryDirectory();
    const limits = { maximumLines: 80, maximumBytes: 1024 * 1024 };
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
    const bytesLimit = { maximumLines: 1e6, maximumBytes: 200_000 };
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

  it('takes over the lock of a process that was killed', async () => {
    const journalDirectory = await temporaryDirectory();
    for (const lock of [
      '{"pid":999999999,"startedAt":1}',
      `{"pid":${process.pid},"startedAt":1}`,
      'garbage',
    ]) {
      await writeFile(path.join(journalDirectory, 'lock.json'), lock);
      await (await startListener({ journalDirectory })).close();
    }
  });
});
