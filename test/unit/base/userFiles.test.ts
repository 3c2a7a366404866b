import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readGivenFile } from '../../../src/cli/readGivenFile';
import { requestReader } from '../../../src/toolkit/build/compileRequest';
import { compileSource } from '../../../src/toolkit/build/compileSource';
import { findPackage } from '../../../src/toolkit/build/projectCompiler';
import { readCompiledCodes } from '../../../src/toolkit/build/compiledCodesFile';
import { FolderLock } from '../../../src/toolkit/base/journal/folderLock';
import { nodeDisk } from '../../../src/toolkit/base/journal/journalDisk';
import {
  findLocalNetwork,
  writeLocalNetworkFile,
} from '../../../src/toolkit/localnet/folder/localNetworkFile';
import { readFolderRecord } from '../../../src/toolkit/localnet/folder/folderRecord';
import { PaymentSettingsFile } from '../../../src/toolkit/payments/paymentSettings';
import { readUserFile, readUserText } from '../../../src/toolkit/base/readUserFile';
import { readDeliveries } from '../../../src/toolkit/webhook/journal/deliveryEntry';
import { writeNewFiles, writeUserFile } from '../../../src/toolkit/base/writeUserFile';
import { itOnPosix } from '../../support/itOnPosix';

let folder: string;
const at = (...names: string[]): string => path.join(folder, ...names);
const zero = (name: string): string => {
  fs.mkdirSync(path.dirname(at(name)), { recursive: true });
  fs.symlinkSync('/dev/zero', at(name));
  return at(name);
};
const fifo = (name: string): string => {
  execFileSync('mkfifo', [at(name)]);
  return at(name);
};

describe('a file whose path others choose', () => {
  beforeEach(
    () => (folder = fs.realpathSync(fs.mkdtempSync(path.join(tmpdir(), 'ton-workbench-user-files-')))),
  );
  afterEach(() => fs.rmSync(folder, { recursive: true }));

  it('is read to its end, and not beyond its limit', () => {
    fs.writeFileSync(at('small'), 'text');
    fs.writeFileSync(at('large'), 'x'.repeat(10_001));
    assert.equal(readUserText(at('small'), 'localNetworkFile'), 'text');
    assert.throws(() => readUserFile(at('large'), 'localNetworkFile'), {
      code: 'over-limit',
      message: `The file ${at('large')} has more than 10,000 bytes.`,
    });
    // A character takes up to four bytes.
    fs.writeFileSync(at('sheet'), '€'.repeat(256 * 1024));
    assert.equal(readUserText(at('sheet'), 'callSheet').length, 256 * 1024);
    assert.throws(() => readUserFile(at('nothing'), 'boc'), { code: 'ENOENT' });
    assert.throws(() => readUserFile(folder, 'boc'), { code: 'EISDIR' });
  });

  it('stays in its folder where that matters, whatever its links say', () => {
    fs.mkdirSync(at('in'));
    fs.writeFileSync(at('in', 'own'), 'own');
    fs.writeFileSync(at('other'), 'other');
    fs.symlinkSync(at('other'), at('in', 'out'));
    fs.symlinkSync(at('in', 'own'), at('in', 'same'));
    assert.equal(readUserText(at('in', 'same'), 'boc', { inside: at('in') }), 'own');
    assert.throws(() => readUserText(at('in', 'out'), 'boc', { inside: at('in') }), { code: 'EOUTSIDE' });
    assert.equal(readUserText(at('in', 'out'), 'boc'), 'other');
  });

  itOnPosix('is no device, directly or by a link: every reader refuses it at once', async () => {
    assert.throws(() => readUserFile('/dev/zero', 'boc'), { code: 'ENOTFILE' });
    assert.throws(() => readUserFile(fifo('pipe'), 'boc'), { code: 'ENOTFILE' });
    assert.throws(() => readUserFile(zero('link'), 'boc'), { code: 'ENOTFILE' });
    await assert.rejects(readGivenFile({ path: '/dev/zero', code: 'file-unreadable' }, 'boc'), {
      code: 'file-unreadable',
      message: 'The file "/dev/zero" is a device or a pipe, not a file.',
    });
    zero('.ton/local.json');
    assert.equal(findLocalNetwork(folder), undefined);
    zero('.ton/compiled.json');
    assert.deepEqual(readCompiledCodes(folder), []);
    zero('state/network.json');
    assert.deepEqual(readFolderRecord(at('state')), {});
    const settings = { onInvalid: () => undefined, onChanged: () => undefined };
    assert.throws(() => new PaymentSettingsFile('/dev/zero', settings), { code: 'ENOTFILE' });
    assert.throws(() => nodeDisk.readFile(at('link')), { code: 'ENOTFILE' });
    zero('journal/deliveries-000001.log');
    zero('journal/orders.log');
    await assert.rejects(readDeliveries(at('journal'), { onEntry: () => undefined }), { code: 'ENOTFILE' });
  });

  itOnPosix('is no device in place of a lock', async () => {
    zero('lock.json');
    const lock = await FolderLock.take(folder, { inUse: () => new Error('in use') as never });
    assert.equal(fs.lstatSync(at('lock.json')).isFile(), true);
    lock.release();
  });

  itOnPosix('is no device that a source imports', async () => {
    zero('b.tolk');
    fs.writeFileSync(at('a.tolk'), 'import "b.tolk"\nfun onInternalMessage() {}\n');
    await assert.rejects(
      compileSource(at('a.tolk'), { read: requestReader({ isTrusted: false }), isTrusted: false }),
      {
        code: 'compile-failed',
        message: /b\.tolk is a device or a pipe, not a file/,
      },
    );
  });

  itOnPosix('is no device that Node.js would read to find a package', () => {
    const source = at('contracts', 'a.tolk');
    fs.mkdirSync(at('node_modules', 'one'), { recursive: true });
    fs.writeFileSync(at('node_modules', 'one', 'index.js'), '');
    assert.equal(findPackage(source, 'one'), at('node_modules', 'one', 'index.js'));
    zero('node_modules/one/package.json');
    assert.equal(findPackage(source, 'one'), undefined);
    fs.rmSync(at('node_modules', 'one', 'package.json'));
    fifo('package.json');
    assert.equal(findPackage(source, 'one'), undefined);
  });

  itOnPosix('can be a pipe if the user named it, to the same limit', async () => {
    const path = fifo('given');
    // Opened for both ends, as a shell does before it runs the command.
    const writer = fs.openSync(path, fs.constants.O_RDWR);
    fs.writeSync(writer, 'text');
    const given = readGivenFile({ path, code: 'file-unreadable' }, 'secretFile');
    fs.writeSync(writer, ' and more');
    await new Promise(setImmediate);
    fs.closeSync(writer);
    assert.equal((await given).toString(), 'text and more');
    await assert.rejects(readGivenFile({ path, code: 'file-unreadable' }, 'secretFile'), {
      message: `The file ${JSON.stringify(path)} is a pipe to which nobody writes.`,
    });
  });

  itOnPosix('counts only if it is the own one where it says which network to use', () => {
    writeLocalNetworkFile(folder, { v2: 'http://127.0.0.1:1', v3: 'http://127.0.0.1:1' });
    assert.notEqual(findLocalNetwork(folder), undefined);
    const { getuid } = process;
    try {
      process.getuid = () => fs.statSync(folder).uid + 1;
      assert.equal(findLocalNetwork(folder), undefined);
    } finally {
      process.getuid = getuid;
    }
  });
});

describe('a file that the user names for an output', () => {
  beforeEach(
    () => (folder = fs.realpathSync(fs.mkdtempSync(path.join(tmpdir(), 'ton-workbench-user-files-')))),
  );
  afterEach(() => fs.rmSync(folder, { recursive: true }));

  it('is replaced in one step, or new', async () => {
    await writeUserFile(at('new'), 'one');
    const { ino } = fs.statSync(at('new'));
    const held = fs.openSync(at('new'), 'r');
    await writeUserFile(at('new'), 'two');
    assert.equal(fs.readFileSync(at('new'), 'utf8'), 'two');
    // Who has opened it reads what it was.
    assert.equal(fs.readFileSync(held, 'utf8'), 'one');
    assert.notEqual(fs.statSync(at('new')).ino, ino);
    fs.closeSync(held);
    assert.deepEqual(fs.readdirSync(folder), ['new']);
    await assert.rejects(writeUserFile(at('new'), 'three', { isNew: true }), { code: 'EEXIST' });
    await assert.rejects(writeUserFile(at('no', 'folder'), ''), { code: 'ENOENT' });
    await assert.rejects(writeUserFile(folder, ''), { code: 'EISDIR' });
  });

  it('is written with others if none of them is there, also where the last one is', async () => {
    const files = ['kept/a.test.ts', 'kept/deep/a.tonreplay'].map((one) => ({ path: one, text: one }));
    fs.mkdirSync(at('kept/deep'), { recursive: true });
    fs.writeFileSync(at('kept/deep/a.tonreplay'), 'before');
    await assert.rejects(writeNewFiles(folder, files), {
      code: 'EEXIST',
      path: at('kept/deep/a.tonreplay'),
    });
    assert.deepEqual(fs.readdirSync(at('kept')), ['deep']);
    assert.equal(fs.readFileSync(at('kept/deep/a.tonreplay'), 'utf8'), 'before');
    fs.rmSync(at('kept'), { recursive: true });
    assert.deepEqual(
      await writeNewFiles(folder, files),
      files.map((one) => at(one.path)),
    );
    assert.equal(fs.readFileSync(at('kept/a.test.ts'), 'utf8'), 'kept/a.test.ts');
  });

  itOnPosix('keeps its mode, its links and its other names', async () => {
    fs.writeFileSync(at('private'), 'old');
    fs.chmodSync(at('private'), 0o600);
    fs.symlinkSync('private', at('link'));
    await writeUserFile(at('link'), 'new');
    assert.equal(fs.readlinkSync(at('link')), 'private');
    assert.equal(fs.readFileSync(at('private'), 'utf8'), 'new');
    assert.equal(fs.statSync(at('private')).mode & 0o777, 0o600);
    fs.linkSync(at('private'), at('second'));
    await writeUserFile(at('private'), 'newer');
    assert.equal(fs.readFileSync(at('second'), 'utf8'), 'newer');
    fs.symlinkSync('later', at('dangling'));
    await writeUserFile(at('dangling'), 'made');
    assert.equal(fs.readFileSync(at('later'), 'utf8'), 'made');
    assert.equal(fs.lstatSync(at('dangling')).isSymbolicLink(), true);
  });

  itOnPosix('can be a pipe or a device, which gets what is written', async () => {
    const pipe = fifo('pipe');
    const reader = fs.openSync(pipe, fs.constants.O_RDWR);
    await writeUserFile(pipe, 'through');
    const bytes = Buffer.alloc(20);
    assert.equal(bytes.toString('utf8', 0, fs.readSync(reader, bytes)), 'through');
    fs.closeSync(reader);
    assert.equal(fs.lstatSync(pipe).isFIFO(), true);
    fs.symlinkSync('/dev/null', at('null'));
    await writeUserFile(at('null'), 'nothing');
    assert.equal(fs.statSync('/dev/null').isCharacterDevice(), true);
    assert.equal(fs.lstatSync(at('null')).isSymbolicLink(), true);
  });
});
