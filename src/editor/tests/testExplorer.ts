import path from 'node:path';
import * as vscode from 'vscode';
import type { TestRecordRef } from '../../commandTargets';
import { abortedError, WorkbenchError, errorSentences, toWorkbenchError } from '../../toolkit/base/errors';
import { systemClock } from '../../toolkit/base/time';
import { findNode } from '../../toolkit/testRuns/findNode';
import { findTestedFolder, runProjectTests } from '../../toolkit/testRuns/runProjectTests';
import type { RunTestsOptions, TestedFolder, TestsRun } from '../../toolkit/testRuns/runProjectTests';
import type { ReplayServices } from '../replay/replays';
import { chosenTests, rowsOf } from './chosenTests';
import type { TestFiles } from './testFiles';
import { TestItems } from './testItems';
import type { TestRecordings } from './testRecordings';
import { TestReport } from './testReport';

/** A way to run the tests of a project. */
type Runner = (tested: TestedFolder, options: RunTestsOptions) => Promise<TestsRun>;
/** What is done once the tests have run. */
type After = (run: vscode.TestRun, done: FinishedTests) => Promise<void>;

/** Tests that ran, in one or more projects. */
export interface FinishedTests {
  runs: readonly TestsRun[];
  /** The chosen rows. */
  chosen: readonly vscode.TestItem[];
  signal: AbortSignal;
}

/** Tests that run together: whole files of one project, or rows of one file. */
interface Group {
  tested: TestedFolder;
  files: vscode.TestItem[];
  /** What was asked for of them. */
  rows: vscode.TestItem[];
}

/** The tests of contracts in the Test Explorer. They run with the project's own runner, and are recorded. */
export class TestExplorer implements vscode.Disposable {
  readonly items: TestItems;
  readonly #report: TestReport;

  constructor(
    private readonly services: ReplayServices,
    private readonly controller: vscode.TestController,
    private readonly files: TestFiles,
    private readonly recordings: TestRecordings,
  ) {
    this.items = new TestItems(controller);
    this.#report = new TestReport(services, recordings, this.items);
    controller.refreshHandler = async () => this.files.find();
  }

  /** A way to run tests, besides the plain one. */
  addProfile(
    label: string,
    kind: vscode.TestRunProfileKind,
    after: After,
    runner?: Runner,
  ): vscode.TestRunProfile {
    const run = async (request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> =>
      this.#run(request, token, { after, runner });
    return this.controller.createRunProfile(label, kind, run, runner === undefined);
  }

  /** What a row was about when it last ran. */
  refOf(item: string): TestRecordRef | undefined {
    return this.#report.refs.get(item);
  }

  /** Whether a record is what a failed test was about. */
  hasFailed(ref: TestRecordRef): boolean {
    return [...this.#report.refs.values()].some(
      ({ recording, record, hasFailed }) => hasFailed && recording === ref.recording && record === ref.record,
    );
  }

  dispose(): void {
    this.controller.dispose();
  }

  async #run(
    request: vscode.TestRunRequest,
    token: vscode.CancellationToken,
    { after, runner = runProjectTests }: { after: After; runner: Runner | undefined },
  ): Promise<void> {
    const run = this.controller.createTestRun(request);
    const controller = new AbortController();
    const stops = [token, run.token].map((one) => one.onCancellationRequested(() => controller.abort()));
    const chosen = request.include ?? [...this.controller.items].map(([, item]) => item);
    const runs: TestsRun[] = [];
    try {
      requireTrust();
      const isAll = request.include === undefined;
      for (const group of this.#groups(run, chosen, request.exclude ?? [])) {
        runs.push(await this.#runGroup(run, { ...group, isAll }, runner, controller.signal));
      }
      await after(run, { runs, chosen, signal: controller.signal });
    } catch (thrown) {
      const error = toWorkbenchError(thrown);
      if (error.code === 'aborted') {
        run.appendOutput('\r\nStopped.\r\n');
      } else {
        this.services.log.error(`tests: ${error.code}: ${error.message}`, error.cause);
        chosen.forEach((item) => run.errored(item, new vscode.TestMessage(errorSentences(error))));
        run.appendOutput(`${errorSentences(error)}\r\n`);
      }
    } finally {
      vscode.Disposable.from(...stops).dispose();
      run.end();
    }
  }

  /**
   * Whole files by project; a file of which only some tests run is by itself, because the names of tests hold for all
   * files of a run. A file that has no project says so, and the others run.
   */
  #groups(
    run: vscode.TestRun,
    chosen: readonly vscode.TestItem[],
    excluded: readonly vscode.TestItem[],
  ): Group[] {
    const groups = new Map<string, Group>();
    for (const [file, rows] of chosenTests(chosen, excluded)) {
      try {
        const tested = findTestedFolder(path.dirname(file.uri!.fsPath));
        const key = rows.includes(file) ? tested.root : file.id;
        const group = groups.get(key) ?? { tested, files: [], rows: [] };
        groups.set(key, group);
        group.files.push(file);
        group.rows.push(...rows);
        rows.flatMap(rowsOf).forEach((row) => run.started(row));
      } catch (error) {
        const message = new vscode.TestMessage(errorSentences(toWorkbenchError(error)));
        rows.forEach((row) => run.errored(row, message));
      }
    }
    return [...groups.values()];
  }

  async #runGroup(
    run: vscode.TestRun,
    group: Group & { isAll: boolean },
    runner: Runner,
    signal: AbortSignal,
  ): Promise<TestsRun> {
    const { root } = group.tested;
    const files = group.files.map(({ uri }) => path.relative(root, uri!.fsPath).replaceAll('\\', '/'));
    const names = group.rows.flatMap((row) => this.items.pattern(row) ?? []);
    const isWhole = names.length === 0;
    const all = [...this.controller.items].filter(([, item]) => item.uri!.fsPath.startsWith(root + path.sep));
    this.recordings.forget();
    const options = {
      ...runOptions((text) => run.appendOutput(text.replaceAll(/\r?\n/g, '\r\n')), signal),
      // All of a project run as the runner finds them.
      ...(group.isAll && isWhole && files.length === all.length ? {} : { files }),
      ...(isWhole ? {} : { names: names.map((one) => `(?:${one})`).join('|') }),
    };
    const ran = await runner(group.tested, options);
    await this.#report.tell(run, group, ran, signal);
    if (signal.aborted) {
      throw abortedError(signal.reason);
    }
    return ran;
  }
}

/** How tests are run from here. @param print takes what the runner prints */
function runOptions(print: (text: string) => void, signal: AbortSignal): RunTestsOptions {
  const { node, environment } = findNode(process.env, process.execPath);
  return { print, signal, node, clock: systemClock, environment: { ...environment, FORCE_COLOR: '1' } };
}

/** @throws WorkbenchError `workspace-untrusted` (input) */
export function requireTrust(): void {
  if (!vscode.workspace.isTrusted) {
    throw new WorkbenchError({
      code: 'workspace-untrusted',
      kind: 'input',
      message: 'This workspace is not trusted, so nothing of it runs.',
      hint: 'Trust it first (Workspaces: Manage Workspace Trust).',
    });
  }
}
