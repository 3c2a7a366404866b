import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createSandboxEmulator } from '../../../src/toolkit/execution/emulator/createSandboxEmulator';
import { WorkbenchError } from '../../../src/toolkit/base/errors';
import { findRecord } from '../../../src/toolkit/testRuns/findRecord';
import type { GetMethodLine, HeaderLine } from '../../../src/toolkit/testRuns/recordLines';
import {
  RecordingFile,
  recordingFormat,
  recordingName,
  recordingVersion,
} from '../../../src/toolkit/testRuns/recordLines';
import { runRecord } from '../../../src/toolkit/testRuns/runRecord';
import { readTestRecording } from '../../../src/toolkit/testRuns/testRecording';

const header: HeaderLine = {
  format: recordingFormat,
  version: recordingVersion,
  file: 'tests/office.test.ts',
  runner: 'jest',
  versions: { sandbox: '0.41.0' },
};
const empty = 'te6ccgEBAQEAAgAAAA==';

describe('the recording of a test file', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'recording-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const place = (): string => path.join(folder, recordingName(header.file));
  const line = (
    file: RecordingFile,
    n: number,
    test: string,
    more: Partial<GetMethodLine> = {},
  ): GetMethodLine => ({
    ...{ n, test, kind: 'get', chain: 1, at: { line: n, column: 3 }, now: 1_800_000_000 },
    ...{ config: file.blob(`${empty}`), code: file.blob(empty), data: empty, stack: empty },
    ...{ address: `0:${'ab'.repeat(32)}`, balance: '1', methodId: 85_143, gasLimit: '1000000' },
    ...{ seed: '00'.repeat(32), exit: 0, gas: '500', answer: empty },
    ...more,
  });

  it('holds each text once, and reads back what was written', () => {
    const file = new RecordingFile(folder, header);
    const lines = [1, 2, 3].map((n) => line(file, n, 'sells'));
    lines.forEach((one) => file.write(one));
    const content = readFileSync(place());
    assert.equal(content.toString().match(/"blob"/g)?.length, 1);
    const read = readTestRecording(content);
    assert.deepEqual([read.header, read.records], [header, lines]);
    assert.equal(read.blob(lines[0]!.code), empty);
    assert.deepEqual([read.cut, read.isTruncated], [undefined, false]);
  });

  it('stays within what all recordings may take, and counts what it leaves out', () => {
    writeFileSync(path.join(folder, 'other.tontests'), 'x'.repeat(6_000));
    const file = new RecordingFile(folder, header, 10_000);
    for (let n = 1; n <= 50; n += 1) {
      file.write(line(file, n, 'sells'));
    }
    const content = readFileSync(place());
    assert.ok(content.length <= 4_000, String(content.length));
    const { records, cut } = readTestRecording(content);
    assert.ok(records.length > 3);
    assert.deepEqual(cut, { cut: 'limit', left: 50 - records.length });
  });

  it('opens if its last line is not whole, wherever it ends', () => {
    const file = new RecordingFile(folder, header);
    [1, 2].forEach((n) => file.write(line(file, n, 'sells')));
    const content = readFileSync(place());
    const lastLine = content.lastIndexOf(10, content.length - 2) + 1;
    for (const end of [lastLine + 1, lastLine + 100, content.length - 1]) {
      const read = readTestRecording(content.subarray(0, end));
      assert.deepEqual([read.records.length, read.isTruncated], [1, true]);
    }
  });

  it('is refused with the line that is wrong', () => {
    const file = new RecordingFile(folder, header);
    [1, 2].forEach((n) => file.write(line(file, n, 'sells')));
    const text = readFileSync(place(), 'utf8');
    const lines = text.split('\n');
    const refused = (changed: string, problem: RegExp): void => {
      assert.throws(
        () => readTestRecording(Buffer.from(changed)),
        (error) => WorkbenchError.is(error, 'test-recording-invalid') && problem.test(error.message),
        String(problem),
      );
    };
    refused('', /line 1 is not a JSON object/);
    refused(text.replace('"version":1', '"version":0'), /line 1: version must be 1/);
    refused(text.replace('"now":1800000000', '"now":-1'), /line 3: now must be at least 0/);
    refused(text.replace('"kind":"get"', '"kind":"got"'), /line 3: kind must be/);
    refused(text.replace('"exit":0', '"exit":0,"more":1'), /line 3: it has the unknown field "more"/);
    refused([...lines.slice(0, 2), ...lines.slice(3)].join('\n'), /line 3: n is 2, not 1/);
    const recording = readTestRecording(Buffer.from([lines[0], ...lines.slice(2)].join('\n')));
    assert.throws(() => recording.blob('00'.repeat(16)), /has no blob/);
  });

  it('names a record by its number, its test, or its place in the test', () => {
    const file = new RecordingFile(folder, header);
    const records = [
      line(file, 1, 'Office sells 1'),
      line(file, 2, 'Office sells 10', { at: { line: 8, column: 1 }, exit: 77 }),
      line(file, 3, 'Office sells 10', { at: { line: 9, column: 1 }, exit: 78 }),
      line(file, 4, 'Office sells 10', { at: { line: 9, column: 1 } }),
      line(file, 5, 'Office ends: at 2:30', { exit: 1 }),
    ];
    records.forEach((one) => file.write(one));
    const recording = readTestRecording(readFileSync(place()));
    const found = (what: string): number => findRecord(recording, what).n;
    assert.deepEqual(
      ['4', 'Office sells 1', 'sells 10:1', 'Office ends: at 2:30', 'at 2:30:1'].map(found),
      [4, 1, 2, 5, 5],
    );
    // A test ends where it fails: with its last call, and there with what failed first.
    assert.equal(found('Office sells 10'), 3);
    for (const [what, problem] of [
      ['6', /has 5 records/],
      ['Office', /several tests have "Office" in their names: Office sells 1; Office sells 10/],
      ['sells 10:4', /has 3 records, and none is number 4/],
      ['buys', /no test of tests\/office\.test\.ts/],
    ] as const) {
      assert.throws(
        () => found(what),
        (error) => WorkbenchError.is(error, 'test-record-unknown') && problem.test(error.message),
        what,
      );
    }
  });

  it('may hold anything as a transaction: it is refused in words', async () => {
    const file = new RecordingFile(folder, header);
    const config = file.blob(empty);
    const bocs = [empty, 'AAAA', Buffer.from('b5ee9c72ffffffff', 'hex').toString('base64')];
    bocs.forEach((boc, index) =>
      file.write({
        ...{ n: index + 1, test: `test ${index}`, kind: 'message', chain: 1, config, now: 1, lt: '1' },
        ...{ seed: '11'.repeat(32), state: boc, transaction: boc },
      }),
    );
    const emulator = await createSandboxEmulator();
    const recording = readTestRecording(readFileSync(place()).subarray());
    for (const record of recording.records) {
      const isRefused = (error: unknown): boolean =>
        WorkbenchError.is(error, 'test-recording-invalid') || WorkbenchError.is(error, 'replay-file-invalid');
      await assert.rejects(runRecord(recording, record, emulator), isRefused, String(record.n));
      assert.throws(() => findRecord(recording, `test ${record.n - 1}`), isRefused, String(record.n));
    }
  });
});
