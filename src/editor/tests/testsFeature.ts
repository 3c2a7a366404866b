import * as vscode from 'vscode';
import type { TestRecordRef, TestTarget } from '../../commandTargets';
import { runCommand } from '../../contributions';
import { setContextKey } from '../../contextKeys';
import { WorkbenchError } from '../../toolkit/base/errors';
import { fileName } from '../../toolkit/base/text';
import { recordPlace } from '../../toolkit/testRuns/describeRecord';
import { calledLines } from '../../toolkit/testRuns/testCalls';
import type { RegisteredDebug } from '../debug/registerDebug';
import type { ReplayServices } from '../replay/replays';
import { TraceContext } from '../../toolkit/trace/traceContext';
import { describeForList } from '../traces/openTraceCommand';
import { withProgress } from '../ui/withProgress';
import { rowsOf } from './chosenTests';
import type { FinishedTests } from './testExplorer';
import { TestExplorer } from './testExplorer';
import { TestFiles } from './testFiles';
import { TestMarks } from './testMarks';
import { recordNames, testProgram } from './testPrograms';
import { recordRef, TestRecordings } from './testRecordings';

/** Extensions with a tree of their own for the same tests. */
const otherTrees = ['Orta.vscode-jest', 'vitest.explorer'];

/** Tests of contracts: their rows, their marks, and what leads from them to the contract. */
export class TestsFeature implements vscode.Disposable {
  readonly recordings: TestRecordings;
  readonly #files = new TestFiles();
  #explorer: TestExplorer | undefined;
  readonly #marks: TestMarks;
  readonly #parts: vscode.Disposable;
  #hasTests = false;

  constructor(
    readonly services: ReplayServices,
    readonly debug: RegisteredDebug,
  ) {
    this.recordings = new TestRecordings(services.log);
    this.#explorer = hasOtherTree() ? undefined : this.#makeExplorer();
    this.#marks = new TestMarks(services, this.recordings, (ref) => this.#explorer?.hasFailed(ref) === true);
    this.#parts = vscode.Disposable.from(
      this.#files,
      this.recordings,
      this.#marks,
      { dispose: () => this.#explorer?.dispose() },
      vscode.extensions.onDidChange(() => this.#followExtensions()),
      this.#files.onDidChange((uri) => {
        this.#explorer?.items.update(uri, this.#files.get(uri));
        this.#tellFound(this.#files.list().length > 0);
      }),
      this.recordings.onDidChange(() => this.#marks.changed()),
    );
    this.#files.find().catch((error: unknown) => services.log.error('tests could not be listed', error));
  }

  /** The tree of another extension that was installed meanwhile runs the tests from now on; without it, ours does. */
  #followExtensions(): void {
    if (hasOtherTree()) {
      this.#explorer?.dispose();
      this.#explorer = undefined;
    } else if (this.#explorer === undefined) {
      const made = this.#makeExplorer();
      this.#explorer = made;
      this.#files.list().forEach((file) => made.items.update(file.uri, file));
    }
  }

  /** Files change with each letter that is typed. */
  #tellFound(hasTests: boolean): void {
    if (hasTests !== this.#hasTests) {
      this.#hasTests = hasTests;
      setContextKey(vscode.commands, 'tonWorkbench.testsFound', hasTests);
    }
  }

  /** Shows the trace page of what a test was about, or of the call at the cursor. */
  async openTrace(target: TestTarget | undefined): Promise<void> {
    const { open, record } = await this.recordings.find(await this.#refOf(target));
    const call = open.calls.find(({ records }) => records.includes(record));
    const { callTrace } = await import('../../toolkit/testRuns/callTrace');
    const { model, inputsOf } = await withProgress('Running the call again', (signal) =>
      this.services.replays.withEmulator(signal, (emulator) =>
        callTrace(open.recording, { records: call?.records ?? [record] }, emulator, signal),
      ),
    );
    const place = recordPlace(open.recording, record);
    const listed = await describeForList(this.services, model, { test: place });
    const { names = [], ...knowledge } = listed.context.knowledge;
    const own = await recordNames(this.services, open.recording, call?.records ?? [record]);
    const context = new TraceContext(model, { ...knowledge, names: new Map([...own, ...names]) });
    const described = { ...listed, context };
    this.services.traces.add([{ ...described, status: 'test', inputsOf }]);
    await runCommand(vscode.commands, 'tonWorkbench.showTracePage', { key: described.key });
  }

  /** Debugs what a test was about, or the call at the cursor: the session goes through all that the test ran. */
  async debugTest(target: TestTarget | undefined): Promise<void> {
    const { open, record } = await this.recordings.find(await this.#refOf(target));
    await this.debug.begin(await testProgram(this.services, open, record));
  }

  dispose(): void {
    this.#parts.dispose();
  }

  #makeExplorer(): TestExplorer {
    const controller = vscode.tests.createTestController('tonWorkbench.tests', 'TON contract tests');
    const explorer = new TestExplorer(this.services, controller, this.#files, this.recordings);
    const after = async ({ runs }: FinishedTests): Promise<void> => {
      for (const { root, recordings, folder } of runs) {
        await Promise.all(
          recordings.map(async (name) => {
            const found = await this.recordings
              .find({ recording: `${folder}/${name}`, record: 1 })
              .catch(() => undefined);
            await (found === undefined ? undefined : this.#files.add(found.open.testFile));
          }),
        );
        this.services.log.debug(`tests ran in ${root}`);
      }
      this.#marks.changed();
    };
    explorer.addProfile('Run', vscode.TestRunProfileKind.Run, (_, done) => after(done));
    explorer.addProfile('Debug the Contract', vscode.TestRunProfileKind.Debug, async (_, done) => {
      await after(done);
      await this.#debugAfter(done);
    });
    explorer.addProfile(
      'Debug the Test Itself',
      vscode.TestRunProfileKind.Debug,
      (_, done) => after(done),
      async (tested, options) => (await import('./debugProjectTests')).debugProjectTests(tested, options),
    );
    const coverage = explorer.addProfile(
      'Coverage',
      vscode.TestRunProfileKind.Coverage,
      async (run, done) => {
        await after(done);
        const { coverTestRuns } = await import('./coverTestRuns');
        await coverTestRuns(this.services, this.recordings, run, done);
      },
    );
    coverage.loadDetailedCoverage = async (_run, file) =>
      (await import('../coverage/coverageRuns')).coverageDetails(file);
    return explorer;
  }

  /** The first of the chosen tests that failed; else the first that ran code. */
  async #debugAfter({ chosen }: FinishedTests): Promise<void> {
    const refs = chosen.flatMap(rowsOf).flatMap(({ id }) => this.#explorer?.refOf(id) ?? []);
    const ref = refs.find((one) => this.#explorer?.hasFailed(one) === true) ?? refs[0];
    if (ref === undefined) {
      throw nothingRanError();
    }
    await this.debugTest(ref);
  }

  async #refOf(target: TestTarget | undefined): Promise<TestRecordRef> {
    if (target !== undefined && 'recording' in target) {
      return target;
    }
    const id = target === undefined ? undefined : 'test' in target ? target.test.id : target.id;
    const ref = id === undefined ? await this.#atCursor() : this.#explorer?.refOf(id);
    if (ref === undefined) {
      throw nothingRanError();
    }
    return ref;
  }

  /** The call at the cursor, or the last one above it. */
  async #atCursor(): Promise<TestRecordRef | undefined> {
    const editor = vscode.window.activeTextEditor;
    const open = editor && (await this.recordings.of(editor.document.uri));
    if (open === undefined) {
      throw new WorkbenchError({
        code: 'test-record-unknown',
        kind: 'input',
        message: `No test of ${editor === undefined ? 'this window' : fileName(editor.document.uri.path)} is recorded.`,
        hint: 'Open a test file, and run its tests in the Test Explorer.',
      });
    }
    const above = calledLines(open.calls).filter(({ line }) => line <= editor!.selection.active.line + 1);
    const call = above.at(-1)?.call;
    return call && recordRef(open, call.main);
  }
}

function hasOtherTree(): boolean {
  return otherTrees.some((id) => vscode.extensions.getExtension(id) !== undefined);
}

function nothingRanError(): WorkbenchError {
  return new WorkbenchError({
    code: 'test-record-unknown',
    kind: 'input',
    message: 'No code of a contract is recorded for this test.',
    hint: 'Run it in the Test Explorer; it has to use Blockchain of @ton/sandbox.',
  });
}
