import fc from 'fast-check';
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { JournalDisk } from '../../../../src/toolkit/base/journal/journalDisk';
import { nodeDisk } from '../../../../src/toolkit/base/journal/journalDisk';
import { JournalFile } from '../../../../src/toolkit/base/journal/journalFile';
import type { JournalFinding, ReadOptions } from '../../../../src/toolkit/base/journal/frames';
import { systemClock } from '../../../../src/toolkit/base/time';
import { memoryDisk } from './support/memoryDisk';

interface Opened {
  file: JournalFile;
  findings: JournalFinding[];
  entries: string[];
}

describe('a journal file', () => {
  let folder: string;
  let name: string;

  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tonwb-journal-'));
    name = path.join(folder, 'journal.log');
  });
  afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

  function open(
    afterDamage: ReadOptions['afterDamage'] = 'stop',
    { disk = nodeDisk, guard = () => undefined }: { disk?: JournalDisk; guard?: () => void } = {},
  ): Opened {
    const entries: string[] = [];
    const opened = JournalFile.open(
      { path: name, disk, clock: systemClock, guard, onUnsynced: (error) => assert.fail(String(error)) },
      { onEntry: (payload) => entries.push(payload.toString()), afterDamage },
    );
    return { ...opened, entries };
  }

  const texts = ['first', 'the second', '', 'x'.repeat(300), 'fifth', 'the last one'];

  async function written(): Promise<Buffer> {
    const { file } = open();
    file.append(texts.slice(0, 2).map((text) => Buffer.from(text)));
    await file.appendLater(texts.slice(2, 5).map((text) => Buffer.from(text)));
    file.append([Buffer.from('the last one')]);
    await file.close();
    return fs.readFileSync(name);
  }

  const isBeginning = (entries: readonly string[]): boolean =>
    entries.every((entry, index) => entry === texts[index]);

  const isSubsequence = (entries: readonly string[]): boolean => {
    let at = 0;
    return entries.every((entry) => {
      at = texts.indexOf(entry, at) + 1;
      return at > 0;
    });
  };

  it('returns what was written, by replay and by position', async () => {
    const { file } = open();
    const positions = file.append(texts.map((text) => Buffer.from(text)));
    assert.deepEqual(
      positions.map((position) => file.read(position).toString()),
      texts,
    );
    await file.close();
    const again = open();
    assert.deepEqual([again.entries, again.findings], [texts, []]);
    assert.equal(again.file.length, fs.statSync(name).size);
    await again.file.close();
    assert.equal(fs.statSync(name).mode & 0o777, 0o600);
  });

  it('never loses an entry silently: every bit of a file flipped, one after the other', async () => {
    const disk = memoryDisk();
    const whole = await written();
    for (const afterDamage of ['stop', 'skip'] as const) {
      for (let bit = 0; bit < whole.length * 8; bit += 1) {
        const bytes = Buffer.from(whole);
        bytes[bit >> 3] = (bytes[bit >> 3] as number) ^ (1 << (bit & 7));
        disk.put(name, bytes);
        const { file, findings, entries } = open(afterDamage, { disk });
        assert.equal(findings.length, 1, `bit ${bit}`);
        const [{ kind, keptAs, text }] = findings as [JournalFinding];
        assert.ok(kind === 'damaged' || kind === 'unreadable', `bit ${bit}: ${kind}`);
        assert.deepEqual(disk.readFile(keptAs ?? ''), bytes, 'the damaged file is kept as it was');
        assert.ok(text.includes(path.basename(keptAs ?? '?')));
        assert.ok(afterDamage === 'stop' ? isBeginning(entries) : isSubsequence(entries), `bit ${bit}`);
        if (afterDamage === 'skip' && kind === 'damaged') {
          assert.equal(entries.length, texts.length - 1, `bit ${bit}: only the damaged entry is missing`);
        }
        await file.close();
        const again = open('stop', { disk });
        assert.deepEqual([again.entries, again.findings], [entries, []], 'what is used now is whole');
        await again.file.close();
        disk.remove(keptAs ?? '');
      }
    }
  });

  it('has a correct beginning after every truncation, and reports what was cut', async () => {
    const disk = memoryDisk();
    const whole = await written();
    const ends = new Set<number>();
    fs.rmSync(name);
    const { file } = open();
    ends.add(file.length);
    for (const text of texts) {
      file.append([Buffer.from(text)]);
      ends.add(file.length);
    }
    await file.close();
    for (let length = 0; length < whole.length; length += 1) {
      disk.put(name, whole.subarray(0, length));
      const { file: cut, findings, entries } = open('stop', { disk });
      assert.ok(isBeginning(entries));
      assert.equal(findings.length, ends.has(length) ? 0 : 1, `length ${length}`);
      assert.ok(findings.every(({ kind }) => kind === 'cut'));
      cut.append([Buffer.from('next')]);
      await cut.close();
      const again = open('stop', { disk });
      assert.deepEqual([again.entries, again.findings], [[...entries, 'next'], []]);
      await again.file.close();
    }
  });

  it('detects zeroed, duplicated, and swapped pages, and pages of another file', async () => {
    const other = await written();
    fs.rmSync(name);
    const whole = await written();
    const disk = memoryDisk();
    const place = fc.nat(whole.length - 1);
    let changed = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('zero', 'double', 'exchange', 'other', 'noise', 'drop'),
        place,
        place,
        fc.integer({ min: 1, max: 64 }),
        async (what, from, to, size) => {
          const bytes = damaged(what, whole, other, from, to, size);
          if (bytes.equals(whole.subarray(0, bytes.length))) {
            return;
          }
          changed += 1;
          for (const afterDamage of ['stop', 'skip'] as const) {
            disk.put(name, bytes);
            const { file, findings, entries } = open(afterDamage, { disk });
            assert.equal(findings.length, 1, `${what} ${from} ${to} ${size}`);
            assert.ok(afterDamage === 'stop' ? isBeginning(entries) : isSubsequence(entries), what);
            await file.close();
            findings.forEach(({ keptAs }) => keptAs !== null && disk.remove(keptAs));
          }
        },
      ),
      { numRuns: 3_000 },
    );
    assert.ok(changed > 2_000);
  });

  it('keeps a file of another kind aside, and starts a new one', async () => {
    for (const text of ['something else entirely', 'TONWBJ2\n and its entries', '{"v":1}\n']) {
      fs.writeFileSync(name, text);
      const { file, findings, entries } = open();
      assert.deepEqual(entries, []);
      assert.equal(findings[0]?.kind, 'unreadable');
      assert.equal(fs.readFileSync(findings[0]?.keptAs ?? '', 'utf8'), text);
      file.append([Buffer.from('a')]);
      await file.close();
      assert.deepEqual(open().entries, ['a']);
    }
  });

  it('acknowledges nothing that the disk rejected, and continues when it accepts again', async () => {
    let room = Infinity;
    const write = (handle: number, bytes: Buffer, offset: number, position: number): number => {
      if (room <= 0) {
        throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
      }
      const part = bytes.subarray(offset, offset + Math.min(room, bytes.length - offset));
      room -= part.length;
      return nodeDisk.write(handle, part, 0, position);
    };
    let noTruncate = false;
    const disk: JournalDisk = {
      ...nodeDisk,
      write,
      writeLater: (...parameters) => new Promise((resolve) => resolve(write(...parameters))),
      truncate: (...parameters) => (noTruncate ? assert.fail('I/O error') : nodeDisk.truncate(...parameters)),
    };
    const { file } = open('stop', { disk });
    file.append([Buffer.from('before')]);
    for (noTruncate of [false, true]) {
      for (const left of [0, 3, 25]) {
        room = left;
        assert.throws(() => file.append([Buffer.from('lost, all of it')]), { code: 'ENOSPC' });
        room = left;
        await assert.rejects(file.appendLater([Buffer.from('lost'), Buffer.from('lost too')]), {
          code: 'ENOSPC',
        });
        room = left;
        assert.throws(() => file.rewrite([Buffer.from('lost as well')]), { code: 'ENOSPC' });
      }
    }
    room = Infinity;
    file.append([Buffer.from('after')]);
    await file.close();
    const again = open();
    assert.deepEqual([again.entries, again.findings], [['before', 'after'], []]);
    assert.deepEqual(fs.readdirSync(folder), ['journal.log']);
  });

  it('is rewritten atomically', async () => {
    const { file } = open();
    file.append(texts.map((text) => Buffer.from(text)));
    file.rewrite([Buffer.from('new')]);
    file.append([Buffer.from('and more')]);
    await file.close();
    assert.deepEqual(open().entries, ['new', 'and more']);
  });

  it('writes nothing once it was deleted, or belongs to another process', async () => {
    let isOurs = true;
    const guard = (): void => assert.ok(isOurs, 'not ours');
    const { file } = open('stop', { guard });
    file.append([Buffer.from('a')]);
    isOurs = false;
    assert.throws(() => file.append([Buffer.from('b')]), /not ours/);
    await assert.rejects(file.appendLater([Buffer.from('b')]), /not ours/);
    assert.throws(() => file.rewrite([]), /not ours/);
    isOurs = true;
    fs.rmSync(name);
    assert.throws(() => file.append([Buffer.from('b')]), { code: 'journal-deleted' });
    await file.close();
  });
});

function damaged(what: string, whole: Buffer, other: Buffer, from: number, to: number, size: number): Buffer {
  const bytes = Buffer.from(whole);
  const piece = Buffer.from(whole.subarray(from, from + size));
  switch (what) {
    case 'zero':
      return bytes.fill(0, from, Math.min(from + size, bytes.length));
    case 'double':
      return Buffer.concat([bytes.subarray(0, to), piece, bytes.subarray(to)]);
    case 'exchange':
      bytes.copy(bytes, from, to, to + size);
      piece.copy(bytes, to);
      return bytes;
    case 'other':
      other.copy(bytes, from, from, from + size);
      return bytes;
    case 'noise':
      for (let at = from; at < Math.min(from + size, bytes.length); at += 1) {
        bytes[at] = (at * 167 + to) & 0xff;
      }
      return bytes;
    default:
      return Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + size)]);
  }
}
