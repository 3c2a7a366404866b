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
};

/**
 * Runs tests in the editor's debugger of JavaScript, recorded, so that Step Into the Contract can follow a call.
 *
 * @throws WorkbenchError as `recordRun`
 */
export async function debugProjectTests(tested: TestedFolder, options: RunTestsOptions): Promise<TestsRun> {
  const { root, program, runner } = tested;
  return recordRun(tested, options, async ({ args, environment }) => {
    const marker = `ton-workbench-${Date.now()}`;
    const configuration = {
      ...{ type: 'node', request: 'launch', name: 'Tests of contracts', tests: marker },
      ...{ program, cwd: root, args: [...args, ...patient[runner]] },
      env: { ...environment },
      ...(options.node === undefined ? {} : { runtimeExecutable: options.node }),
      ...{ console: 'internalConsole', outputCapture: 'std', skipFiles: ['<node_internals>/**'] },
    };
    const ended = sessionEnd(marker, options.signal);
    const folder = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(root));
    const hasBegun = await vscode.debug.startDebugging(folder, configuration);
    await (hasBegun ? ended : undefined);
    if (options.signal.aborted) {
      throw abortedError(options.signal.reason);
    }
    return hasBegun ? 0 : 1;
  });
}

/** Resolves when the session with a marker has ended; canceling ends it. */
function sessionEnd(marker: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const isOwn = ({ configuration }: vscode.DebugSession): boolean => configuration['tests'] === marker;
    let own: vscode.DebugSession | undefined;
    const stop = (): void => void vscode.debug.stopDebugging(own);
    const parts = vscode.Disposable.from(
      vscode.debug.onDidStartDebugSession((session) => {
        own = isOwn(session) && session.parentSession === undefined ? session : own;
      }),
      vscode.debug.onDidTerminateDebugSession((session) => {
        if (isOwn(session) && session.parentSession === undefined) {
          parts.dispose();
          signal.removeEventListener('abort', stop);
          resolve();
        }
      }),
    );
    signal.addEventListener('abort', stop, { once: true });
  });
}
