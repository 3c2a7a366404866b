import type { Command } from 'commander';
import { WorkbenchError } from '../toolkit/base/errors';
import type { ReplayInputs } from '../toolkit/replay/replayInputs';
import type { ReplayReport } from '../toolkit/replay/replayReport';
import type { NetworkOptions } from './networkOptions';
import { addNetworkOptions } from './networkOptions';
import { addJsonOptions, addSourceOption, replayedWords, takesLinks } from './networkHere';
import type { OpenedRecord } from './openRecord';
import type { Replayer } from './openReplayer';
import { openReplayer } from './openReplayer';
import { exitStatusOf, usageError, writeJsonLine, writeJsonList, writeNote, writeText } from './output';
import { whenRead } from './outputStreams';
import { readGivenText } from './readGivenFile';
import { stopSignal } from './runTests';
import { parseStep } from './stepOption';

interface ReplayOptions extends NetworkOptions {
  json?: true;
  edit?: string[];
  save?: string;
  steps?: true;
  step?: number;
  source?: string;
  trace?: true;
  list?: string;
  shard?: string;
}

/** `replay HASH|FILE`: runs a transaction again, and says how well the result agrees. */
export function registerReplayCommand(program: Command): void {
  const command = program
    .command('replay')
    .summary('run a transaction again, as it was or with changes')
    .description(
      'Runs a transaction again on the state that it ran on, and compares the result: exact, exact state, same ' +
        'computation, or diverged. Exits with 0 if the transaction or the state is identical, else 1. With --edit, ' +
        'shows what the changes would have changed. Nothing is sent.',
    )
    .argument('[what]', replayedWords)
    .option(
      '--edit <key=value>',
      'body, value and balance (in TON), sender, time, code, data, config.N, or signature=ignored; may be repeated',
      (edit: string, before: string[] | undefined) => [...(before ?? []), edit],
    )
    .option('--save <file>', 'write all that it depended on to a file (*.tonreplay)')
    .option('--steps', 'list every step: position, line, instruction, gas, stack')
    .option('--step <n>', 'show the stack before one step, also one that the log has lost', parseStep)

    .option('--trace', 'replay every transaction of its trace, one line each')
    .option('--list <file>', 'replay the hashes in a file; prints one JSON line each')
    .option('--shard <k/n>', 'with --list: every nth hash, from the kth');
  addJsonOptions(
    command,
    'print the result as one JSON line',
    async () => (await import('./replayAnswers')).replayAnswerSchema,
  );
  takesLinks(addNetworkOptions(addSourceOption(command))).action(
    async (what: string | undefined, options: ReplayOptions) => {
      if (options.list !== undefined) {
        await replayMany('a list', options, () => readHashes(options.list ?? '', options.shard));
      } else if (options.trace === true) {
        await replayMany('a trace', options, async (replayer) =>
          (await replayer.trace(required(what))).map(({ hash }) => hash),
        );
      } else {
        await replayOne(required(what), options);
      }
    },
  );
}

function required(what: string | undefined): string {
  if (what === undefined) {
    throw usageError('There is nothing to replay.', 'Give the hash of a transaction, or a saved replay.');
  }
  return what;
}

async function replayOne(what: string, options: ReplayOptions): Promise<void> {
  const { openRecord } = await import('./openRecord');
  const opened = await openRecord(what);
  if (opened !== undefined && (opened.record.kind === 'get' || opened.record.transaction === undefined)) {
    await replayWithoutTransaction(opened, options);
    return;
  }
  const replayer = await openReplayer(options);
  const gathered = await replayer.inputs(what);
  if (options.save !== undefined) {
    await save(options.save, gathered.inputs);
  }
  const report = await withLines(await replayer.run(gathered, options.edit ?? []), options);
  const { step } = options;
  if (options.json === true) {
    await writeAnswer(report, options, step);
  } else {
    await write(report, await replayer.names());
    if (options.steps === true) {
      await writeSteps(report);
    }
    if (step !== undefined) {
      await writeStep(report, step);
    }
  }
  if (options.json !== true && gathered.requests > 0 && beginsTrace(report)) {
    writeNote('This is the first transaction of its trace. Add --trace to replay all of them.');
  }
  failUnlessExact(isExact(report));
}

/** A get-method of a test, or a message that it was refused. */
async function replayWithoutTransaction(
  opened: OpenedRecord,
  { edit, save, step, steps, source, json }: ReplayOptions,
): Promise<void> {
  if ([edit, save, step].some((one) => one !== undefined)) {
    throw usageError('--edit, --save, and --step need a transaction, which this record is not.');
  }
  const { recordAnswer, recordText, reportRecord } = await import('./replayTestRecord');
  const report = await reportRecord(opened, source);
  report.notes.forEach(writeNote);
  const recorded = { recording: report.ran.recording, lines: report.lines };
  if (json !== true) {
    writeText(await recordText(report));
    if (steps === true) {
      await writeSteps(recorded);
    }
  } else if (steps === true) {
    const { listedSteps } = await import('./replayAnswers');
    const signal = stopSignal();
    await writeJsonList(await recordAnswer(report), 'stepList', listedSteps(recorded), () =>
      whenRead(signal),
    );
  } else {
    writeJsonLine(await recordAnswer(report));
  }
  failUnlessExact(report.ran.isExact);
}

/** Adds source lines, if they are shown: to a list of steps, and to what failed. */
async function withLines(
  report: ReplayReport,
  { steps, source, json }: ReplayOptions,
): Promise<ReplayReport> {
  const { recording, replay } = report;
  if (recording === undefined) {
    return report;
  }
  const [{ linesHere }, { replayedCode }, { finalFailure }, { failedActionOf, failureAt }] =
    await Promise.all([
      import('./linesHere'),
      import('../toolkit/replay/replayedCode'),
      import('../toolkit/recording/recording'),
      import('../toolkit/replay/failureAt'),
    ]);
  const failure = finalFailure(recording)?.step ?? failedActionOf(recording, replay.replayed);
  if (steps !== true && source === undefined && failure === undefined) {
    return report;
  }
  const { steps: lines, notes } = await linesHere(recording, replayedCode(replay), source);
  if (steps === true || source !== undefined) {
    notes.forEach(writeNote);
  } else if (
    json !== true &&
    failure !== undefined &&
    (lines && failureAt(lines, replay.replayed)) === undefined
  ) {
    (notes.length > 0 ? notes : ['The instruction that failed has no source line.']).forEach(writeNote);
  }
  return { ...report, lines };
}

/** One JSON document, whatever was asked for. */
async function writeAnswer(
  report: ReplayReport,
  { steps }: ReplayOptions,
  step: number | undefined,
): Promise<void> {
  const [{ replayDoubts }, { listedSteps, replayAnswer }] = await Promise.all([
    import('../toolkit/replay/replayReport'),
    import('./replayAnswers'),
  ]);
  replayDoubts(report).forEach(writeNote);
  const answer = await replayAnswer(report, step);
  if (steps === true) {
    const signal = stopSignal();
    await writeJsonList(answer, 'stepList', listedSteps(report), () => whenRead(signal));
  } else {
    writeJsonLine(answer);
  }
}

/** @param names of accounts, by raw address */
async function write(report: ReplayReport, names: ReadonlyMap<string, string>): Promise<void> {
  const [{ replayText }, { shownFile }] = await Promise.all([
    import('../toolkit/replay/replayReport'),
    import('./linesHere'),
  ]);
  writeText(replayText(report, shownFile, (address) => names.get(address)));
}

/** The hash of a trace is that of its first transaction, so either could be meant. */
function beginsTrace({ replay: { original } }: ReplayReport): boolean {
  return original.inMessage?.info.type !== 'internal' && original.outMessagesCount > 0;
}

/** Replays several transactions, one line each; goes on after one that cannot be replayed. */
async function replayMany(
  of: string,
  options: ReplayOptions,
  hashesOf: (replayer: Replayer) => Promise<readonly string[]>,
): Promise<void> {
  if ([options.edit, options.save, options.steps, options.step].some((one) => one !== undefined)) {
    throw usageError(`--edit, --save, --steps, and --step are for one transaction, not for ${of}.`);
  }
  const replayer = await openReplayer(options);
  const hashes = await hashesOf(replayer);
  const [{ replayLine }, { failureAnswer, replayAnswer }, { toWorkbenchError }] = await Promise.all([
    import('../toolkit/replay/replayReport'),
    import('./replayAnswers'),
    import('../toolkit/base/errors'),
  ]);
  const isJson = options.json === true || options.list !== undefined;
  let worst = 0;
  let areExact = true;
  for (const hash of hashes) {
    try {
      const report = await replayer.run(await replayer.inputs(hash), []);
      areExact &&= isExact(report);
      if (isJson) {
        writeJsonLine(await replayAnswer(report, undefined));
      } else {
        writeText(replayLine(report));
      }
    } catch (thrown) {
      const error = toWorkbenchError(thrown);
      if (error.code === 'aborted') {
        throw error;
      }
      worst = Math.max(worst, exitStatusOf(error.kind));
      if (isJson) {
        writeJsonLine(failureAnswer(hash, error));
      } else {
        writeText(`not replayed      ${hash}  ${error.message}`);
      }
    }
  }
  failUnlessExact(areExact);
  if (worst > 0) {
    throw failedError('Not every transaction could be replayed.');
  }
}

async function writeSteps({ recording, lines }: Pick<ReplayReport, 'recording' | 'lines'>): Promise<void> {
  if (recording === undefined) {
    writeText('\nNo code ran, so there are no steps.');
    return;
  }
  const [{ stepsText }, { lineText }, { shownFile }] = await Promise.all([
    import('../toolkit/recording/stepsText'),
    import('../toolkit/sourceMap/thrownAt'),
    import('./linesHere'),
  ]);
  writeText('');
  const signal = stopSignal();
  const lineOf = lines && ((step: number): string => lineText(lines, step, shownFile));
  for (const line of stepsText(recording, lineOf)) {
    writeText(line);
    await whenRead(signal);
  }
}

async function writeStep(report: ReplayReport, number: number): Promise<void> {
  const { stateAnswer } = await import('./replayAnswers');
  const { step, cell, offset, stack } = await stateAnswer(report, number);
  const slots = stack?.map((value, index) => `  s${stack.length - 1 - index}  ${value}`).reverse() ?? [
    '  The stack holds continuations, which the engine cannot hand over.',
  ];
  writeText([`\nstep ${step}, before cell ${cell}, bit ${offset}`, ...slots].join('\n'));
}

async function readHashes(file: string, shard: string | undefined): Promise<string[]> {
  const text = await readGivenText({ path: file, code: 'file-unreadable' }, 'givenFile');
  const [, k = '1', n = '1'] = /^(\d{1,6})\/(\d{1,6})$/.exec(shard ?? '1/1') ?? [, '0', '0'];
  const [part, parts] = [Number(k), Number(n)];
  if (part < 1 || part > parts) {
    throw usageError(`--shard ${JSON.stringify(shard)} is not a part such as 3/16.`);
  }
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .filter((_, index) => index % parts === part - 1);
}

async function save(file: string, inputs: ReplayInputs): Promise<void> {
  const [{ replayFileText }, { writeWholeFile }] = await Promise.all([
    import('../toolkit/replay/replayFile'),
    import('./writeWholeFile'),
  ]);
  await writeWholeFile('replay', file, replayFileText(inputs));
}

/** Edited runs have no verdict, so they do not fail. */
function isExact({ replay: { verdict }, edits }: ReplayReport): boolean {
  return edits.length > 0 || verdict === 'exact' || verdict === 'exact-state';
}

function failUnlessExact(areExact: boolean): void {
  if (!areExact) {
    throw failedError('The replay differs from what happened.');
  }
}

function failedError(message: string): WorkbenchError {
  return new WorkbenchError({ code: 'replay-diverged', kind: 'failed', message });
}
