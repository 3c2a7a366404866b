import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { pace } from '../../scripts/lib/pace.mjs';
import { debugType } from '../../src/contributions';
import { debugProjectTests } from '../../src/editor/tests/debugProjectTests';
import { systemClock } from '../../src/toolkit/base/time';
import { findNode } from '../../src/toolkit/testRuns/findNode';
import { findTestedFolder } from '../../src/toolkit/testRuns/runProjectTests';
import type { TestsRun } from '../../src/toolkit/testRuns/runProjectTests';
import { readTestRecording } from '../../src/toolkit/testRuns/testRecording';
import { putFiles, removeFolder, testedFolder } from '../support/testedFolder';

const { commands, debug, window, workspace } = vscode;
const { node = process.execPath, environment } = findNode(process.env, process.execPath);

/** What is in front in the debugger. */
interface Top {
  session: vscode.DebugSession;
  thread: number;
  place: string;
}

/** A message of the adapter to the editor. */
interface Told {
  event?: string;
  body?: { threadId?: number; reason?: string; description?: string };
}

/** Frames as a session gives them; nothing while it runs. */
async function framesOf(
  session: vscode.DebugSession,
  thread: number,
): Promise<{ name: string; place: string }[]> {
  const { stackFrames = [] } = (await session
    .customRequest('stackTrace', { threadId: thread, startFrame: 0, levels: 20 })
    .then(undefined, () => ({}))) as {
    stackFrames?: { name: string; line: number; source?: { path?: string } }[];
  };
  return stackFrames.map(({ name, line, source = {} }) => ({
    name,
    place: `${path.posix.basename(source.path ?? '')}:${line}`,
  }));
}

/** A call that the contract refuses, in line 12; its sender gets it back. */
const refusal = {
  threads: '1 alice, 2 till, 3 alice',
  stops: ['exception till.tolk:12', 'End of the recording', 'end'],
};

/** What is in front, for a test that fails. */
async function inFront(): Promise<string> {
  const { session, threadId } = debug.activeStackItem ?? {};
  const frames = session === undefined || threadId === undefined ? [] : await framesOf(session, threadId);
  return `${session?.type} ${threadId} ${frames.map(({ place }) => place).join(' < ')}`;
}

describe('a test in the debugger of JavaScript', () => {
  const own = {
    ...{ showErrorMessage: window.showErrorMessage, showWarningMessage: window.showWarningMessage },
    showInformationMessage: window.showInformationMessage,
  };
  let folder: string;
  let told: string[];
  /** Where the debugger of contracts has stopped since the last step. */
  let stopped: { threadId: number; words: string }[] = [];
  const tracking = debug.registerDebugAdapterTrackerFactory(debugType, {
    createDebugAdapterTracker: () => ({
      onDidSendMessage: ({ event, body }: Told) => {
        if (event === 'stopped' && body?.threadId !== undefined) {
          stopped.push({ threadId: body.threadId, words: body.description ?? body.reason ?? '' });
        }
      },
    }),
  });

  before(async () => {
    const packages = path.join(
      vscode.extensions.getExtension('ton-workbench.ton-workbench')?.extensionPath ?? '',
      'node_modules',
    );
    const parent = workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
    folder = await testedFolder({}, { parent, own: packages });
    const tell = (message: string): Promise<undefined> => {
      told.push(message);
      return Promise.resolve(undefined);
    };
    Object.assign(window, {
      ...{ showErrorMessage: tell, showWarningMessage: tell, showInformationMessage: tell },
    });
  });
  beforeEach(() => {
    told = [];
  });
  afterEach(async () => {
    debug.removeBreakpoints(debug.breakpoints);
    await debug.stopDebugging();
    await commands.executeCommand('workbench.action.closeAllEditors');
  });
  after(async () => {
    tracking.dispose();
    Object.assign(window, own);
    await removeFolder(folder);
  });

  /** Looks until something is so. */
  const until = async <T>(what: string, look: () => Promise<T | undefined> | T | undefined): Promise<T> => {
    const deadline = Date.now() + 60_000 * pace;
    for (;;) {
      const found = await look();
      if (found !== undefined) {
        return found;
      }
      if (Date.now() >= deadline) {
        assert.fail(`${what}; in front: ${await inFront()}; ${told.join()}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
  };
  const stopAt = async (type: string, place: string): Promise<Top> =>
    until(`no stop at ${place}`, async () => {
      const item = debug.activeStackItem;
      if (item?.threadId === undefined || item.session.type !== type) {
        return undefined;
      }
      const [top] = await framesOf(item.session, item.threadId);
      return top?.place === place ? { session: item.session, thread: item.threadId, place } : undefined;
    });
  const goOn = ({ session, thread }: Top): Thenable<unknown> =>
    session.customRequest('continue', { threadId: thread });
  const breakAt = (file: string, lines: readonly number[]): void => {
    const uri = vscode.Uri.file(path.join(folder, file));
    debug.addBreakpoints(
      lines.map(
        (line) => new vscode.SourceBreakpoint(new vscode.Location(uri, new vscode.Position(line - 1, 0))),
      ),
    );
  };
  const debugged = (file: string, names?: string): Promise<TestsRun> =>
    debugProjectTests(findTestedFolder(folder), {
      ...{ files: [file], names, print: () => undefined, signal: new AbortController().signal },
      ...{ clock: systemClock, environment, node },
    });
  /** Steps from a line of the test to the contract's first one, through all transactions, and back to the test. */
  const stepThrough = async (
    from: Top,
    way: { threads: string; stops: string[]; back: string },
  ): Promise<Top> => {
    stopped = [];
    await commands.executeCommand('tonWorkbench.stepIntoContract');
    assert.deepEqual(told, []);
    // The first line of the contract: in front, and not only somewhere.
    const entry = await stopAt(debugType, 'till.tolk:6');
    const { session } = entry;
    const { threads } = (await session.customRequest('threads')) as { threads: { name: string }[] };
    assert.equal(threads.map(({ name }) => name).join(', '), way.threads);
    let hasEnded = false;
    const ending = debug.onDidTerminateDebugSession((one) => (hasEnded ||= one === session));
    const stops: string[] = [];
    for (let thread: number | undefined = entry.thread; thread !== undefined;) {
      const known = stopped.length;
      await session.customRequest('continue', { threadId: thread });
      const next = await until('the contract neither stops nor ends', () =>
        hasEnded ? { threadId: undefined, words: 'end' } : stopped[known],
      );
      thread = next.threadId;
      const [top] = thread === undefined ? [] : await framesOf(session, thread);
      stops.push(top === undefined || next.words !== 'exception' ? next.words : `${next.words} ${top.place}`);
    }
    ending.dispose();
    assert.deepEqual(stops, way.stops);
    const back = await stopAt(from.session.type, way.back);
    assert.equal(back.session, from.session);
    await until('the line of the test is not shown', () => {
      const { document, selection } = window.activeTextEditor ?? {};
      const shown = `${path.basename(document?.fileName ?? '')}:${(selection?.active.line ?? -1) + 1}`;
      return shown === way.back || undefined;
    });
    return back;
  };

  it('steps into the contract from the line that sends, through all transactions of the call, and back', async () => {
    // The first code that is recorded, what deploys the contract, and what it refuses.
    breakAt('tests/till.spec.js', [11, 22]);
    const run = debugged('tests/till.spec.js', 'over the limit, matcher');
    const deploys = await stopAt('pwa-node', 'till.spec.js:11');
    const deployed = await stepThrough(deploys, {
      ...{ threads: '1 alice, 2 till', stops: ['End of the recording', 'end'] },
      back: 'till.spec.js:12',
    });
    await goOn(deployed);
    const pays = await stopAt('pwa-node', 'till.spec.js:22');
    const paid = await stepThrough(pays, { ...refusal, back: 'till.spec.js:23' });
    await goOn(paid);
    const { results, recordings } = await run;
    assert.deepEqual(recordings, ['tests--till.spec.js.tontests']);
    const known = results.filter(({ state }) => state !== 'skipped').map(({ name, state }) => [name, state]);
    assert.deepEqual(known, [['Till over the limit, matcher', 'failed']]);
  });

  it('steps into the contract from a test of Node.js, whose command line records the same without the editor', async () => {
    const [file, recording] = ['tests/till.test.js', '.ton/tests/tests--till.test.js.tontests'];
    const nodeTests = readFileSync(path.join(folder, 'tests/till.spec.js'), 'utf8')
      .replace('\n', " const { beforeEach, describe, it } = require('node:test');\n")
      .replaceAll(
        /expect\((.+)\)\.(?:toBe|toHaveLength)\((.+)\);/g,
        "if (($1) !== $2) { throw new Error('other'); }",
      );
    await putFiles(folder, {
      'package.json': JSON.stringify({
        private: true,
        scripts: { test: `node --stack-size=900 --test --test-timeout 5 ${file}` },
      }),
      [file]: nodeTests,
    });
    breakAt(file, [22]);
    const begun: Partial<vscode.DebugConfiguration>[] = [];
    const starting = debug.onDidStartDebugSession(({ configuration, parentSession }) => {
      begun.push(...(parentSession === undefined ? [configuration] : []));
    });
    const run = debugged(file);
    const pays = await stopAt('pwa-node', 'till.test.js:22');
    starting.dispose();
    const paid = await stepThrough(pays, { ...refusal, back: 'till.test.js:23' });
    await goOn(paid);
    const { recordings, runner } = await run;
    assert.deepEqual([runner, recordings], ['node', [path.basename(recording)]]);
    const records = (): unknown[] =>
      readTestRecording(readFileSync(path.join(folder, recording))).records.map(({ test, at, kind }) => [
        test,
        at,
        kind,
      ]);
    const inEditor = records();
    const { runtimeExecutable, runtimeArgs = [], env = {} } = begun[0] ?? {};
    const [recorder = ''] = (runtimeArgs as string[]).slice(-2);
    assert.equal(path.basename(recorder), 'record.cjs');
    assert.deepEqual(runtimeArgs, [
      ...['--stack-size=900', '--test', '--test-timeout', '5', '--test-concurrency=1'],
      ...['--test-timeout=86400000', '--require', recorder, file],
    ]);
    assert.equal(runtimeExecutable, node);
    let failure: { status?: number } = {};
    try {
      execFileSync(runtimeExecutable, runtimeArgs, {
        cwd: folder,
        env: { ...(env as NodeJS.ProcessEnv), TON_WORKBENCH_RESULTS: path.join(folder, 'results.json') },
        stdio: 'pipe',
      });
    } catch (error) {
      failure = error as { status?: number };
    }
    // Two pass and three fail.
    assert.equal(failure.status, 1);
    assert.deepEqual(records(), inEditor);
  });
});
