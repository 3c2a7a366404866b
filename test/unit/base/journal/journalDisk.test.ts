import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CacheFolder } from '../../../../src/toolkit/base/journal/journalDisk';
import { itOnPosix } from '../../../support/itOnPosix';

describe('a folder with what can be made again', () => {
  let above: string;
  let place: string;
  const folder = (limits = { bytes: 10_000, entries: 10 }): CacheFolder => new CacheFolder(place, limits);
  const text = (name: string, from = folder()): string | undefined => from.read(name)?.toString();
  const write = (name: string, content: string, to = folder()): void => to.write(name, Buffer.from(content));

  beforeEach(() => {
    above = fs.mkdtempSync(path.join(tmpdir(), 'tonwb-cache-'));
    place = path.join(above, 'a/b');
  });
  afterEach(() => fs.rmSync(above, { recursive: true, force: true }));

  it('is made with the first entry, and leaves nothing but entries', () => {
    assert.equal(text('one'), undefined);
    write('one', 'first');
    write('one', 'second');
    assert.equal(text('one'), 'second');
    assert.deepEqual(fs.readdirSync(place), ['one']);
  });

  it('is not waited for where a file system allows no folders', () => {
    place = process.platform === 'linux' ? '/proc/no-folder/a' : path.join(above, 'file/a');
    fs.writeFileSync(path.join(above, 'file'), '');
    write('one', 'content');
    assert.equal(text('one'), undefined);
  });

  itOnPosix("is the user's alone", () => {
    write('one', 'content');
    assert.equal(fs.statSync(place).mode & 0o777, 0o700);
    assert.equal(fs.statSync(path.join(place, 'one')).mode & 0o777, 0o600);
    // Others could have put entries there.
    fs.chmodSync(place, 0o770);
    assert.equal(text('one'), undefined);
    write('two', 'content');
    assert.deepEqual(fs.readdirSync(place), ['one']);
    fs.chmodSync(place, 0o700);
    assert.equal(text('one'), 'content');
    const link = path.join(above, 'link');
    fs.symlinkSync(place, link);
    assert.equal(new CacheFolder(link, { bytes: 10_000, entries: 10 }).read('one'), undefined);
  });

  it('does not give an entry that is torn, changed, or under another name', () => {
    write('one', 'some content');
    const file = path.join(place, 'one');
    const whole = fs.readFileSync(file);
    for (let size = 0; size < whole.length; size += 1) {
      fs.writeFileSync(file, whole.subarray(0, size));
      assert.equal(text('one'), undefined, `${size} bytes`);
      const changed = Buffer.from(whole);
      changed[size]! ^= 1;
      fs.writeFileSync(file, changed);
      assert.equal(text('one'), undefined, `byte ${size}`);
    }
    fs.writeFileSync(path.join(place, 'other'), whole);
    assert.equal(text('other'), undefined);
    fs.writeFileSync(file, whole);
    assert.equal(text('one'), 'some content');
  });

  it('keeps the newest entries, by their number and by their size', () => {
    const age = (name: string, seconds: number): void => {
      const time = Date.now() / 1000 - seconds;
      fs.utimesSync(path.join(place, name), time, time);
    };
    for (const [index, name] of ['oldest', 'older', 'old'].entries()) {
      write(name, name);
      age(name, 100 - index);
    }
    // What another process left behind when it was killed counts, too.
    fs.writeFileSync(path.join(place, 'left.tmp'), '');
    age('left.tmp', 1_000);
    write('new', 'new', folder({ bytes: 10_000, entries: 3 }));
    assert.deepEqual(fs.readdirSync(place).sort(), ['new', 'old', 'older']);
    write('large', 'x'.repeat(500), folder({ bytes: 600, entries: 10 }));
    assert.deepEqual(fs.readdirSync(place).sort(), ['large', 'new']);
    write('huge', 'x'.repeat(700), folder({ bytes: 600, entries: 10 }));
    assert.deepEqual(fs.readdirSync(place), []);
  });

  it('that cannot be used finds and keeps nothing, and says nothing', () => {
    fs.writeFileSync(path.join(above, 'a'), 'a file');
    write('one', 'content');
    assert.equal(text('one'), undefined);
    assert.equal(fs.readFileSync(path.join(above, 'a'), 'utf8'), 'a file');
    place = path.join(above, 'c');
    fs.mkdirSync(path.join(place, 'one'), { recursive: true, mode: 0o700 });
    write('one', 'content');
    assert.deepEqual(fs.readdirSync(place), ['one']);
  });
});
