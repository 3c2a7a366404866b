import path from 'node:path';
import type { RunTestsOptions, TestedFolder, TestsRun } from '../toolkit/testRuns/runProjectTests';
import { onReaderGone } from './outputStreams';
import { pathHere, perRun, surroundings } from './surroundings';
import { pathExists } from './writeWholeFile';

/** How the tests are run. */
export interface AskedTests {
  /** Test files or names, as the runner takes them. */
  patterns: readonly string[];
  /** Each instance of `Blockchain` has an engine of its own. */
  ownEngines: boolean;
  /** What the runner prints goes there. */
  print: (text: string) => void;
}

/**
 * Runs the tests of the project around the working folder with its own runner, and records them.
 *
 * @throws WorkbenchError `runner-missing` (input), `tests-not-recorded` (input), `aborted`
 */
export async function runTests(options: AskedTests): Promise<TestsRun> {
  const { runProjectTests } = await import('../toolkit/testRuns/runProjectTests');
  return runProjectTests(await testedHere(), await runnerOptions(options));
}

/**
 * The project around the working folder.
 * @throws WorkbenchError `runner-missing` (input)
 */
export async function testedHere(): Promise<TestedFolder> {
  const { findTestedFolder } = await import('../toolkit/testRuns/runProjectTests');
  const { folder, root } = surroundings();
  return findTestedFolder(folder, root);
}

/** How tests run from here, as the user asks for it. */
export async function runnerOptions({ patterns, ownEngines, print }: AskedTests): Promise<RunTestsOptions> {
  const [{ findNode }, tested] = await Promise.all([import('../toolkit/testRuns/findNode'), testedHere()]);
  const { environment, errors, clock } = surroundings();
  // Files are named from where the user is.
  const fromRoot = async (one: string): Promise<string> => {
    const file = pathHere(one);
    return (await pathExists(file)) ? path.relative(tested.root, file) : one;
  };
  // An editor runs this as its own process, but tests run as in the user's terminal.
  const program =
    process.versions['electron'] === undefined
      ? { node: process.execPath, environment }
      : findNode(environment, process.execPath);
  return {
    ...{ ownEngines, print, clock, node: program.node },
    patterns: await Promise.all(patterns.map(fromRoot)),
    environment: { ...program.environment, ...(errors.isTTY === true ? { FORCE_COLOR: '1' } : {}) },
    signal: stopSignal({ isReaderNeeded: false }),
  };
}

const stopping = perRun<{ controller?: AbortController }>(() => ({}));

/**
 * Fires once when a command should stop: on SIGINT, SIGTERM or SIGHUP, or when the reader of its output is gone. A
 * second signal ends the process at once. Only for commands with something to finish or clean up: without it a signal
 * simply ends the process.
 *
 * @param options `isReaderNeeded`: false for a command that does more than print, which goes on after `| head -1`
 */
export function stopSignal({ isReaderNeeded = true } = {}): AbortSignal {
  const known = stopping();
  if (known.controller !== undefined) {
    return known.controller.signal;
  }
  const controller = new AbortController();
  known.controller = controller;
  surroundings().onStop(() => controller.abort());
  if (isReaderNeeded) {
    onReaderGone(() => controller.abort());
  }
  return controller.signal;
}

/** The signal of {@link stopSignal}, if the command has asked for it. */
export function stopSignalInUse(): AbortSignal | undefined {
  return stopping().controller?.signal;
}
