import { stripVTControlCharacters } from 'node:util';
import * as vscode from 'vscode';
import type { TestRecordRef } from '../../commandTargets';
import { toWorkbenchError, unlessAborted } from '../../toolkit/base/errors';
import { capitalized, visibleText } from '../../toolkit/base/text';
import { aboutRecord } from '../../toolkit/testRuns/findRecord';
import { failedLine } from '../../toolkit/testRuns/readTestResults';
import type { TestResult } from '../../toolkit/testRuns/readTestResults';
import type { TestsRun } from '../../toolkit/testRuns/runProjectTests';
import type { ReplayServices } from '../replay/replays';
import { isBelow, rowsOf } from './chosenTests';
import type { ExplainedRecord } from './explainRecord';
import { explainRecord, thrownPlace } from './explainRecord';
import type { TestItems } from './testItems';
import type { OpenRecording, TestRecordings } from './testRecordings';
import { recordRef } from './testRecordings';

/** Menus of a message show its commands by this. */
const contractMessage = 'tonContract';
/** Failed tests whose lines are looked for; each runs its code again. */
const mostExplained = 200;

/** What a test was about when it last ran. */
interface ToldRef extends TestRecordRef {
  hasFailed: boolean;
}

/** Tells the Test Explorer how the tests of a run ended, and what the failed ones were about. */
export class TestReport {
  /** By the id of a row. */
  readonly refs = new Map<string, ToldRef>();

  constructor(
    private readonly services: ReplayServices,
    private readonly recordings: TestRecordings,
    private readonly items: TestItems,
  ) {}

  /**
   * @param asked the rows of the files that ran, and those of them that were to run
   * @param signal ends looking for lines; how the tests ended is told all the same
   */
  async tell(
    run: vscode.TestRun,
    { files, rows }: { files: readonly vscode.TestItem[]; rows: readonly vscode.TestItem[] },
    { results, status }: TestsRun,
    signal: AbortSignal,
  ): Promise<void> {
    const asked = new Set(rows);
    const left = new Set(rows.flatMap(rowsOf).filter(({ children }) => children.size === 0));
    let explained = 0;
    for (const result of results) {
      const uri = vscode.Uri.file(result.file);
      if (result.name === null) {
        const file = files.find((one) => one.uri?.fsPath === uri.fsPath);
        if (file !== undefined) {
          rowsOf(file).forEach((row) => left.delete(row));
          run.errored(file, runnerMessage(result, uri));
        }
        continue;
      }
      const item = this.items.of(uri, result.name);
      if (item === undefined) {
        continue;
      }
      rowsOf(item).forEach((row) => left.delete(row));
      if (result.state === 'skipped' && !isBelow(item, asked)) {
        // It keeps how it ended before; what it ran then is no longer recorded.
        this.refs.delete(item.id);
        continue;
      }
      explained += result.state === 'failed' ? 1 : 0;
      await this.#tellOne(run, item, result, explained <= mostExplained, signal);
    }
    left.forEach((item) => run.skipped(item));
    if (results.length === 0) {
      const why = `The runner ended with status ${status} and no results. Its output says why.`;
      files.forEach((file) => run.errored(file, new vscode.TestMessage(why)));
    }
  }

  async #tellOne(
    run: vscode.TestRun,
    item: vscode.TestItem,
    result: TestResult,
    isExplained: boolean,
    signal: AbortSignal,
  ): Promise<void> {
    const { state, elapsedMs, name } = result;
    const uri = item.uri!;
    this.refs.delete(item.id);
    const open = state === 'skipped' ? undefined : await this.recordings.of(uri);
    const records = open?.recording.records.filter(({ test }) => test === name) ?? [];
    const record = aboutRecord(records);
    if (open !== undefined && record !== undefined) {
      this.refs.set(item.id, { ...recordRef(open, record), hasFailed: state === 'failed' });
    }
    if (state === 'skipped') {
      run.skipped(item);
    } else if (state === 'passed') {
      run.passed(item, elapsedMs);
    } else {
      const about =
        open === undefined || record === undefined || !isExplained || signal.aborted
          ? []
          : await this.#about(open, record, signal);
      run.failed(item, [runnerMessage(result, uri), ...about], elapsedMs);
    }
  }

  /** What a failed test was about: the verdict, the line, and its values, at the contract's line. */
  async #about(
    open: OpenRecording,
    record: OpenRecording['recording']['records'][number],
    signal: AbortSignal,
  ): Promise<vscode.TestMessage[]> {
    const callAt = new vscode.Location(
      open.testFile,
      new vscode.Position(Math.max(0, (record.at?.line ?? 1) - 1), 0),
    );
    let explained: ExplainedRecord;
    try {
      explained = await unlessAborted(explainRecord(this.services, open, record, signal), signal);
    } catch (error) {
      const { message } = toWorkbenchError(error);
      return signal.aborted ? [] : [messageAt(`What it ran cannot run again: ${message}`, callAt)];
    }
    const { verdict, line, thrown, doubts } = explained;
    const call = open.calls.find(({ records }) => records.includes(record));
    const place = call === undefined ? 0 : call.records.indexOf(record) + 1;
    const facts = [
      ...(line === undefined
        ? []
        : [
            `${line.place}   ${line.code}`,
            ...(line.under === '' ? line.values : [`${' '.repeat(line.place.length + 3)}${line.under}`]),
          ]),
      ...(call !== undefined && call.transactions > 1
        ? [`transaction ${place} of ${call.transactions} of the call in line ${record.at?.line ?? '?'}`]
        : []),
      ...doubts.map((doubt) => `It may differ: ${doubt}.`),
    ];
    const text = [capitalized(verdict), ...facts].map((one) => visibleText(one, 300)).join('\n');
    return [messageAt(text, thrown === undefined ? callAt : thrownPlace(thrown))];
  }
}

function messageAt(text: string, at: vscode.Location): vscode.TestMessage {
  const message = new vscode.TestMessage(text);
  message.location = at;
  message.contextValue = contractMessage;
  return message;
}

/** The runner's own message, at the line of the test that it names. */
function runnerMessage({ message = 'failed', file }: TestResult, uri: vscode.Uri): vscode.TestMessage {
  const made = new vscode.TestMessage(stripVTControlCharacters(message));
  const line = failedLine(message, [file, vscode.workspace.asRelativePath(uri, false)]);
  if (line !== undefined) {
    made.location = new vscode.Location(uri, new vscode.Position(line - 1, 0));
  }
  return made;
}
