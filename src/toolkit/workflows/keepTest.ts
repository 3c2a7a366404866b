import { Cell, loadShardAccount } from '@ton/core';
import path from 'node:path';
import type { BuiltContract } from '../build/readBuiltContract';
import { loadFolded } from '../cell/loadFolded';
import { WorkbenchError } from '../base/errors';
import { visibleText } from '../base/text';
import type { Emulator } from '../execution/emulator/emulator';
import { replayedTrace } from '../replay/gatherGetMethod';
import { replayFileText } from '../replay/replayFile';
import type { ReplayInputs } from '../replay/replayInputs';
import { replayImpossibleError } from '../replay/replayErrors';
import { runReplay } from '../replay/runReplay';
import { keepImpossibleError, keptTestText } from '../testRuns/keptTestText';
import type { TestStyle } from '../testRuns/testStyle';
import type { TraceContext } from '../trace/traceContext';
import type { TraceModel } from '../trace/traceModel';
import { sentOutcome } from './sheetSteps';

/** What is kept, and how. */
export interface KeepTestOptions {
  /** Of the transaction: of a network, a rehearsal, a test, or a file. */
  inputs: ReplayInputs;
  /** The contract, as its source compiles today. */
  built: Pick<BuiltContract, 'name' | 'code'>;
  /** The source, relative to the project. */
  source: string;
  /** How the project's tests are written; undefined for a call sheet. */
  style?: TestStyle | undefined;
  /** Where the files go, relative to the project; by default `kept` in its folder of tests. */
  folder?: string | undefined;
  /** The exit code that is right, in the compute or the action phase; 0 for success. */
  exit: number;
  emulator: Pick<Emulator, 'runTransaction' | 'runTickTock'>;
  /** Gives a trace the names of exit codes. */
  describe: (model: TraceModel) => Promise<TraceContext>;
  signal?: AbortSignal | undefined;
}

/** A transaction as a test that fails today. */
export interface KeptTest {
  /** The test first, then its data; relative to the project, with forward slashes. */
  files: readonly { path: string; text: string }[];
  /** How it ended, and how it ends with today's source: `exit code 402 (ERR_OVER_LIMIT)`. */
  was: string;
  today: string;
}

/**
 * Makes a test of a transaction: it runs again with the code that its source has then, on the state that it met. The test
 * fails today, and passes once the source is mended. Nothing is written.
 *
 * @throws WorkbenchError `keep-impossible`, `keep-passes` (input), `replay-impossible` (failed), those of `runReplay`
 */
export async function keepTest({
  inputs,
  built,
  source,
  style,
  folder = path.posix.join(style?.folder ?? 'tests', 'kept'),
  exit,
  emulator,
  describe,
  signal,
}: KeepTestOptions): Promise<KeptTest> {
  const replay = await runReplay(inputs, emulator, { signal });
  if (replay.verdict === 'diverged') {
    throw replayImpossibleError(
      'It runs otherwise here than it did, so a test of it would not show what happened.',
      'Run replay to see the difference.',
    );
  }
  const { account } = loadFolded(Cell.fromBase64(replay.stateBefore), loadShardAccount);
  if (account?.storage.state.type !== 'active') {
    throw keepImpossibleError(
      'The contract was not deployed before this transaction, so its code cannot be exchanged.',
      'Write a call sheet with a deploy step.',
    );
  }
  if (style !== undefined && replay.original.inMessage == null) {
    throw keepImpossibleError(
      'No message caused this transaction.',
      'Add --as sheet: a call sheet repeats it.',
    );
  }
  const kept: ReplayInputs = {
    ...inputs,
    // The state right before it, so that nothing has to run first.
    state: { ...inputs.state, shardAccount: replay.stateBefore },
    earlier: [],
  };
  const outcome = async (of: typeof replay): Promise<Outcome> =>
    outcomeOf(await describe(replayedTrace({ inputs: kept, replay: of })));
  const was = await outcome(replay);
  const today = await outcome(
    await runReplay(kept, emulator, { edits: { code: Cell.fromBase64(built.code) }, signal }),
  );
  if (isExpected(today, exit)) {
    throw passesError(today, source, exit);
  }
  const hash = replay.original.hash().toString('hex').slice(0, 8);
  const base = `${fileWord(built.name)}-${hash}`;
  const file = (ending: string): string => path.posix.join(folder, base + ending);
  const wanted = exit === 0 ? 'succeeds' : `ends with exit code ${exit}`;
  const what = `transaction ${hash} from ${visibleText(inputs.network)}, which ended with ${was.words}.`;
  const title = `${wanted}, as transaction ${hash} did not`;
  const data = file('.tonreplay');
  const text =
    style === undefined
      ? sheetText({
          what,
          title,
          data: `${base}.tonreplay`,
          source: path.posix.relative(folder, source),
          exit,
        })
      : keptTestText({ what, contract: built.name, title, source, data, inputs: kept, exit }, style);
  return {
    files: [
      { path: file(style?.ending ?? '.toncall'), text },
      { path: data, text: replayFileText(kept) },
    ],
    was: was.words,
    today: today.words,
  };
}

interface SheetParts {
  what: string;
  title: string;
  data: string;
  source: string;
  exit: number;
}

function sheetText({ what, title, data, source, exit }: SheetParts): string {
  const word = (name: string): string => (/\s/.test(name) ? `"${name}"` : name);
  return [
    `# Kept by TON Workbench: ${what}`,
    '# The replay has the message, and the state and the configuration that it met. No network is asked.',
    '',
    `### ${title}`,
    `replay ${word(data)} with ${word(source)}`,
    `expect exit ${exit}`,
    '',
  ].join('\n');
}

interface Outcome {
  /** 0 for success; null if it has none. */
  exit: number | null;
  words: string;
}

function outcomeOf(trace: TraceContext): Outcome {
  const { exitCode, exitPhase, exitName } = sentOutcome(trace);
  const name = exitName === undefined ? '' : ` (${visibleText(exitName)})`;
  const failure =
    exitPhase === 'action' ? `result ${exitCode}${name} in the action phase` : `exit code ${exitCode}${name}`;
  return {
    exit: exitCode,
    words: exitCode === null ? 'no exit code' : exitCode === 0 ? 'success' : failure,
  };
}

function isExpected({ exit }: Outcome, wanted: number): boolean {
  return exit === wanted || (wanted === 0 && exit === 1);
}

function passesError({ words }: Outcome, source: string, exit: number): WorkbenchError {
  return new WorkbenchError({
    code: 'keep-passes',
    kind: 'input',
    message: `With ${source} as it is today, this transaction ends with ${words}: a test of it would pass already.`,
    hint:
      exit === 0
        ? 'If it should have failed, name the exit code that is right: --exit 401.'
        : 'If it should succeed, leave --exit out.',
  });
}

/** A name as a part of a file's: `Jetton Minter` is `jetton-minter`. */
function fileWord(name: string): string {
  const word = name
    .replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, '-')
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  return word === '' ? 'contract' : word;
}
