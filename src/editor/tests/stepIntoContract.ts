import * as vscode from 'vscode';
import { WorkbenchError } from '../../toolkit/base/errors';
import { systemClock } from '../../toolkit/base/time';
import { newestCall } from '../../toolkit/testRuns/newestCall';
import { testProgram } from './testPrograms';
import type { TestsFeature } from './testsFeature';

/** Milliseconds between two looks at whether a step has ended. */
const lookAgainMs = 50;

/** Where the debugger of JavaScript stands. */
interface TestStop {
  session: vscode.DebugSession;
  thread: number;
  /** Of its top frame, which has another one each time that the thread stops. */
  frame: number;
  file: vscode.Uri;
  /** One-based. */
  line: number;
}

/**
 * TON: Step Into the Contract: while a debugger of JavaScript stands at a line of a test that sends, steps over it, and
 * opens ours at the first line that the contract ran. The recorder writes at once, so all of the call is there when the
 * test stands again. When our session ends, the test's line is shown.
 *
 * @throws WorkbenchError `debug-request-invalid` (input), `test-record-unknown` (input)
 */
export async function stepIntoContract({ recordings, services, debug }: TestsFeature): Promise<void> {
  const at = await testStop();
  const before = (await recordings.of(at.file))?.recording;
  await at.session.customRequest('next', { threadId: at.thread });
  await untilStopped(at);
  recordings.forget();
  const open = await recordings.of(at.file);
  const call = open && newestCall(open.calls, { before, after: open.recording, line: at.line });
  // The first is the wallet's, which has called the contract.
  const record = call?.records[1] ?? call?.records[0];
  if (open === undefined || call === undefined || record === undefined) {
    throw new WorkbenchError({
      code: 'test-record-unknown',
      kind: 'input',
      message:
        open === undefined
          ? 'This run of the test is not recorded.'
          : `Line ${at.line} ran no code of a contract; the test stands behind it.`,
      hint:
        open === undefined
          ? 'Start it with “Debug the Test Itself”, or name ton-workbench/record among the set-up files of its runner.'
          : 'Stop at a line that sends a message or asks a get-method.',
    });
  }
  const program = await testProgram(services, open, record, call.records);
  const ours = await debug.begin(program, { atEntry: true, from: at.session });
  const end = vscode.debug.onDidTerminateDebugSession((ended) => {
    if (ended === ours) {
      end.dispose();
      void showTest(at);
    } else if (ended === at.session) {
      end.dispose();
    }
  });
}

async function testStop(): Promise<TestStop> {
  const item = vscode.debug.activeStackItem;
  const stop = item === undefined ? undefined : await topOf(item.session, item.threadId);
  if (stop === undefined) {
    throw new WorkbenchError({
      code: 'debug-request-invalid',
      kind: 'input',
      message: 'No debugger of JavaScript stands at a line of a test.',
      hint: 'Debug the test itself, and stop at a line that sends a message.',
    });
  }
  return stop;
}

/** The top frame of a thread that stands; undefined if it runs, or is not JavaScript. */
async function topOf(session: vscode.DebugSession, thread: number): Promise<TestStop | undefined> {
  if (!/^(?:pwa-)?node/.test(session.type)) {
    return undefined;
  }
  const { stackFrames = [] } = (await session
    .customRequest('stackTrace', { threadId: thread, startFrame: 0, levels: 1 })
    .then(undefined, () => ({}))) as {
    stackFrames?: { id: number; line: number; source?: { path?: string } }[];
  };
  const [{ id: frame = 0, line = 0, source = {} } = {}] = stackFrames;
  return source.path === undefined
    ? undefined
    : { session, thread, frame, file: fileOfFrame(source.path), line };
}

/**
 * The file of a frame. In a window whose files are elsewhere (WSL, SSH, containers, a browser), the editor has made its path
 * an address of the window's: `vscode-remote://wsl+Ubuntu/home/…`.
 */
function fileOfFrame(place: string): vscode.Uri {
  if (!/^[a-z][\w+.-]+:\/\//i.test(place)) {
    return vscode.Uri.file(place);
  }
  const uri = vscode.Uri.parse(place);
  return uri.scheme === 'vscode-remote' ? vscode.Uri.file(uri.path) : uri;
}

/**
 * Resolves when the thread stands anew, or its session has ended. No event tells it: a step need not change what is in front.
 * The step is answered before the thread runs, so it may still stand where it stood.
 */
async function untilStopped({ session, thread, frame }: TestStop): Promise<void> {
  let hasEnded = false;
  const listening = vscode.debug.onDidTerminateDebugSession((ended) => {
    hasEnded ||= ended === session;
  });
  try {
    for (
      let now = await topOf(session, thread);
      !hasEnded && (now === undefined || now.frame === frame);
      now = await topOf(session, thread)
    ) {
      await systemClock.sleep(lookAgainMs);
    }
  } finally {
    listening.dispose();
  }
}

/** The line at which the test stands. */
async function showTest({ session, thread }: TestStop): Promise<void> {
  const now = await topOf(session, thread);
  if (now !== undefined) {
    const start = new vscode.Position(now.line - 1, 0);
    await vscode.window.showTextDocument(now.file, { selection: new vscode.Range(start, start) });
  }
}
