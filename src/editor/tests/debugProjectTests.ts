import * as vscode from 'vscode';
import { abortedError } from '../../toolkit/base/errors';
import type { RunTestsOptions, TestedFolder, TestsRun } from '../../toolkit/testRuns/runProjectTests';
import { recordRun } from '../../toolkit/testRuns/runProjectTests';
import type { TestRunner } from '../../toolkit/testRuns/testRunner';

/** A test that stands at a line is not slow, and what stands there is in one process. */
const patient: Readonly<Record<TestRunner, readonly string[]>> = {
  jest: ['--runInBand', '--testTimeout=86400000'],
  vitest: ['--testTimeout=0', '--no-file-parallelism'],
  mocha: ['--timeout', '0'],
  node: ['--test-concurrency=1', '--test-timeout=86400000'],
};

/**
 * Runs tests in the editor's debugger of JavaScript, recorded, so that Step Into the Contract can follow a call.
 *
 * @throws WorkbenchError as `recordRun`
 */
export async function debugProjectTests(tested: TestedFolder, options: RunTestsOptions): Promise<TestsRun> {
  const { root, program, runner, script } = tested;
  return recordRun(tested, options, async ({ args, environment }) => {
    const marker = `ton-workbench-${Date.now()}`;
    const nodeFlags = script?.nodeFlags ?? [];
    // Of two options, Node.js takes the last, and all of them before the files: those of the script come before the recorder.
    const recorder = args.lastIndexOf('--require');
    const configuration = {
      ...{ type: 'node', request: 'launch', name: 'Tests of contracts', tests: marker },
      cwd: root,
      ...(runner === 'node'
        ? {
            runtimeArgs: [
              ...[...nodeFlags, program, ...args.slice(0, recorder)],
              ...[...patient[runner], ...args.slice(recorder)],
            ],
          }
        : { runtimeArgs: nodeFlags, program, args: [...args, ...patient[runner]] }),
      env: { ...environment },
      ...(options.node === undefined ? {} : { runtimeExecutable: options.node }),
      ...{ console: 'internalConsole', outputCapture: 'std', skipFiles: ['<node_internals>/**'] },
    };
    const session = new OwnSession(marker, options.signal);
    const folder = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(root));
    let hasBegun = false;
    try {
      hasBegun = await vscode.debug.startDebugging(folder, configuration);
      await (hasBegun ? session.ended : undefined);
    } finally {
      session.dispose();
    }
    if (options.signal.aborted) {
      throw abortedError(options.signal.reason);
    }
    return hasBegun ? 0 : 1;
  });
}

/** The session with a marker. Canceling ends it, also if it starts later, and no other session of the window. */
class OwnSession implements vscode.Disposable {
  readonly ended: Promise<void>;
  #session: vscode.DebugSession | undefined;
  readonly #parts: vscode.Disposable[] = [];

  constructor(
    private readonly marker: string,
    private readonly signal: AbortSignal,
  ) {
    this.ended = new Promise((resolve) => {
      this.#parts.push(
        vscode.debug.onDidTerminateDebugSession((session) => {
          if (this.#isOwn(session)) {
            resolve();
          }
        }),
      );
    });
    this.#parts.push(
      vscode.debug.onDidStartDebugSession((session) => {
        if (this.#isOwn(session)) {
          this.#session = session;
          this.#stopIfCanceled();
        }
      }),
    );
    signal.addEventListener('abort', this.#stopIfCanceled, { once: true });
  }

  dispose(): void {
    this.signal.removeEventListener('abort', this.#stopIfCanceled);
    vscode.Disposable.from(...this.#parts).dispose();
  }

  #isOwn({ configuration, parentSession }: vscode.DebugSession): boolean {
    return configuration['tests'] === this.marker && parentSession === undefined;
  }

  /** Without a session, `stopDebugging` would end all. */
  readonly #stopIfCanceled = (): void => {
    if (this.signal.aborted && this.#session !== undefined) {
      void vscode.debug.stopDebugging(this.#session);
    }
  };
}
