import path from 'node:path';
import * as vscode from 'vscode';
import type { TestRecordRef } from '../../commandTargets';
import { keepNewest } from '../../toolkit/base/collections';
import { WorkbenchError } from '../../toolkit/base/errors';
import type { Log } from '../../toolkit/base/log';
import { recordingName, recordingsFolder } from '../../toolkit/testRuns/recordLines';
import type { TestCall } from '../../toolkit/testRuns/testCalls';
import type { TestRecord, TestRecording } from '../../toolkit/testRuns/testRecording';
import { readWorkspaceFile } from '../ui/readWorkspaceFile';

/** Recordings that are kept; the oldest are read again. */
const capacity = 20;

/** What the tests of a file ran, as it was recorded. */
export interface OpenRecording {
  /** Its file. */
  uri: vscode.Uri;
  /** The test file. */
  testFile: vscode.Uri;
  recording: TestRecording;
  calls: readonly TestCall[];
  /** Milliseconds: when it was written. */
  writtenAt: number;
}

/** The recordings of the workspace, whoever ran the tests: `.ton/tests/*.tontests`. */
export class TestRecordings implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  /** Fires with the file of a recording that was written, or removed. */
  readonly onDidChange = this.#changed.event;
  readonly #watcher = vscode.workspace.createFileSystemWatcher(`**/${recordingsFolder}/*.tontests`);
  readonly #known = new Map<string, { stamp: string; open: Promise<OpenRecording> }>();

  constructor(private readonly log: Log) {
    const tell = (uri: vscode.Uri): void => this.#changed.fire(uri);
    this.#watcher.onDidCreate(tell);
    this.#watcher.onDidChange(tell);
    this.#watcher.onDidDelete(tell);
  }

  /** The recording of a test file: of the nearest folder around it that has one. Undefined if there is none. */
  async of(testFile: vscode.Uri): Promise<OpenRecording | undefined> {
    const top = vscode.workspace.getWorkspaceFolder(testFile);
    if (top === undefined || testFile.scheme !== 'file') {
      return undefined;
    }
    for (let folder = path.dirname(testFile.fsPath); ; folder = path.dirname(folder)) {
      const name = recordingName(path.relative(folder, testFile.fsPath).replaceAll('\\', '/'));
      const found = await this.#read(vscode.Uri.file(path.join(folder, recordingsFolder, name)));
      if (found !== undefined) {
        return found;
      }
      if (folder === top.uri.fsPath || folder === path.dirname(folder)) {
        return undefined;
      }
    }
  }

  /**
   * The record that a reference names.
   * @throws WorkbenchError `test-record-unknown` (input) if the tests ran again since, and it is gone
   */
  async find({ recording, record: n }: TestRecordRef): Promise<{ open: OpenRecording; record: TestRecord }> {
    const open = await this.#read(vscode.Uri.file(recording));
    const record = open?.recording.records[n - 1];
    if (open === undefined || record === undefined) {
      throw new WorkbenchError({
        code: 'test-record-unknown',
        kind: 'input',
        message: 'What this test ran is no longer recorded.',
        hint: 'Run the test again.',
      });
    }
    return { open, record };
  }

  /** Forgets what was read, such as before the tests run again. */
  forget(): void {
    this.#known.clear();
  }

  dispose(): void {
    this.#changed.dispose();
    this.#watcher.dispose();
  }

  async #read(uri: vscode.Uri): Promise<OpenRecording | undefined> {
    const key = uri.toString();
    let stamp: string;
    let writtenAt: number;
    try {
      const { mtime, size } = await vscode.workspace.fs.stat(uri);
      [stamp, writtenAt] = [`${mtime} ${size}`, mtime];
    } catch {
      return undefined;
    }
    const known = this.#known.get(key);
    const open = known?.stamp === stamp ? known.open : this.#open(uri, writtenAt);
    keepNewest(this.#known, key, { stamp, open }, capacity);
    try {
      return await open;
    } catch (error) {
      this.log.debug(`${uri.fsPath} is no recording of tests: ${String(error)}`);
      return undefined;
    }
  }

  async #open(uri: vscode.Uri, writtenAt: number): Promise<OpenRecording> {
    const [{ readTestRecording }, { testCalls }] = await Promise.all([
      import('../../toolkit/testRuns/testRecording'),
      import('../../toolkit/testRuns/testCalls'),
    ]);
    const recording = readTestRecording(Buffer.from(await readWorkspaceFile(uri, 'testRecording')));
    const root = path.resolve(path.dirname(uri.fsPath), '../..');
    const testFile = vscode.Uri.file(path.join(root, recording.header.file));
    return { uri, testFile, recording, calls: testCalls(recording), writtenAt };
  }
}

/** How a record is named to a command. */
export function recordRef({ uri }: OpenRecording, { n }: TestRecord): TestRecordRef {
  return { recording: uri.fsPath, record: n };
}
