import type { Command } from 'commander';
import type { DeployedCode } from '../toolkit/contracts/abi/contractDescription';
import type { ErrorCode } from '../toolkit/base/errorCodes';
import type { ErrorKind } from '../toolkit/base/errors';
import type { CoveredRun } from '../toolkit/replay/coveredRun';
import type { SourceCoverage, UnlinedMethod } from '../toolkit/sourceMap/coverageBook';
import type { SourceMap } from '../toolkit/sourceMap/sourceMap';
import { limitOption } from './writeWholeFile';
import type { NetworkOptions } from './networkOptions';
import { addNetworkOptions } from './networkOptions';
import { addJsonOptions, addSourceOption, takesLinks } from './networkHere';
import { isRecordingName, recordsAtOnce, recordsToCover } from './openRecord';
import type { Replayer } from './openReplayer';
import { writeJsonLine, writeNote, writeText } from './output';

interface CoverageOptions extends NetworkOptions {
  json?: true;
  address?: string | undefined;
  replays?: string[];
  lcov?: string;
  limit: string;
  source?: string;
}

/** `coverage A`: which lines and branches of a contract its transactions ran. */
export function registerCoverageCommand(program: Command): void {
  const command = program
    .command('coverage')
    .summary("show which source lines a contract's transactions ran")
    .description(
      'Replays the last transactions of an account, or saved replays, and counts how often each line and branch ran. ' +
        'The source is found in the project around the working folder by the hash of the code. Code without a source ' +
        'is counted by instruction, but not in --lcov. Exits with 1 if nothing was counted.',
    )
    .argument('[account]', 'the contract, as with --address')
    .option('--address <account>', 'the contract: an address, a domain, or a name')
    .option('--replays <files...>', 'saved replays (*.tonreplay) or recordings of tests (*.tontests)')
    .option('--lcov <file>', 'write the counts in the format of lcov')
    .option('--limit <number>', 'how many transactions, the newest first', '50');
  addJsonOptions(
    command,
    'print the counts as one JSON line',
    async () => (await import('./lineAnswers')).coverageAnswerSchema,
  );
  takesLinks(addNetworkOptions(addSourceOption(command))).action(
    async (account: string | undefined, options: CoverageOptions) => {
      await coverage({ ...options, address: options.address ?? account });
    },
  );
}

async function coverage(options: CoverageOptions): Promise<void> {
  const [
    { openReplayer },
    { shownFile, sourceMapHere },
    { CoverageBook },
    { coverAll, leftOutNotes },
    { refusedNotes },
  ] = await Promise.all([
    import('./openReplayer'),
    import('./linesHere'),
    import('../toolkit/sourceMap/coverageBook'),
    import('../toolkit/replay/coverAll'),
    import('../toolkit/sourceMap/refusedNotes'),
  ]);
  const replayer = await openReplayer(options);
  const book = new CoverageBook();
  const told = new Set<string>();
  const listed = new Map<string, Promise<SourceMap>>();
  let byInstruction = 0;
  const tally = await coverAll(
    await transactions(replayer, options),
    async (what) => {
      const run = await what(async (deployed) => {
        const { map, notes } = await sourceMapHere(deployed, options.source);
        [...notes, ...(map === undefined ? [] : refusedNotes(map))].forEach((note) => told.add(note));
        const known = map ?? (await instructionsOf(deployed, listed));
        if (known !== undefined) {
          book.addMap(known);
        }
        return known;
      });
      const hasCounts = run.outcome === 'covered' && run.counts.places.size > 0;
      byInstruction += hasCounts && listed.has(run.codeHash) ? 1 : 0;
      return run;
    },
    book,
    // What is asked of a network is asked one by one.
    { atOnce: options.address === undefined ? recordsAtOnce : 1 },
  );
  [...told, ...leftOutNotes({ ...tally, noLines: tally.noLines + byInstruction })].forEach(writeNote);
  const codes = new Set((await Promise.all(listed.values())).map(({ name }) => name));
  const files = book.files().filter(({ file }) => !codes.has(file));
  const unnamed = book.files().filter(({ file }) => codes.has(file));
  const withLines = tally.covered - byInstruction;
  if (options.lcov !== undefined) {
    const [{ writeWholeFile }, { lcovText }] = await Promise.all([
      import('./writeWholeFile'),
      import('../toolkit/sourceMap/lcovText'),
    ]);
    await writeWholeFile('coverage', options.lcov, lcovText(files, shownFile));
  }
  const unlined = book.unlined();
  if (options.json === true) {
    const { coverageAnswer } = await import('./lineAnswers');
    writeJsonLine(coverageAnswer(tally, byInstruction, files, unnamed, unlined));
  } else {
    writeText(`${withLines} of ${tally.asked} transactions ran code with source lines`);
    if (files.length > 0) {
      writeText(['', ...(await table(files, shownFile))].join('\n'));
    }
    if (unlined.length > 0) {
      writeText(['', ...(await unlinedTable(unlined))].join('\n'));
    }
    if (byInstruction > 0) {
      writeText(`\n${byInstruction} of ${tally.asked} are counted by instruction`);
      writeText(['', ...(await codeTable(unnamed))].join('\n'));
    }
  }
  if (tally.covered === 0 || (options.lcov !== undefined && withLines === 0)) {
    throw await errorWith('coverage-empty', 'failed', 'No transaction ran code with source lines.');
  }
}

/** The instructions of a code without a source here; undefined if it cannot be read. A code is read once. */
async function instructionsOf(
  { code, codeHash }: DeployedCode,
  known: Map<string, Promise<SourceMap>>,
): Promise<SourceMap | undefined> {
  if (code === undefined || codeHash === undefined) {
    return undefined;
  }
  const [{ instructionMap }, { knownMethodName }] = await Promise.all([
    import('../toolkit/sourceMap/instructionMap'),
    import('../toolkit/getMethods/knownMethodName'),
  ]);
  const map = known.get(codeHash) ?? instructionMap({ code, codeHash, methodName: knownMethodName });
  const isReadable = (await map).places.length > 0;
  if (isReadable) {
    known.set(codeHash, map);
  }
  return isReadable ? map : undefined;
}

/** Runs one thing again, and counts what it ran. */
type CoverOne = (linesOf: (deployed: DeployedCode) => Promise<SourceMap | undefined>) => Promise<CoveredRun>;

/** What to replay: files, then the account's last transactions. */
async function transactions(
  replayer: Replayer,
  { address, replays = [], limit }: CoverageOptions,
): Promise<CoverOne[]> {
  if (address === undefined && replays.length === 0) {
    const hint = 'Give an account, or --replays with saved replays.';
    throw await errorWith('usage', 'input', 'There is nothing to replay.', hint);
  }
  const most = await limitOption(limit);
  const hashes = address === undefined ? [] : await replayer.history(address, most);
  const saved = await Promise.all(
    replays.map(async (file): Promise<CoverOne[]> =>
      isRecordingName(file)
        ? recordsToCover(file)
        : [async (linesOf) => replayer.cover(await replayer.open(file), linesOf)],
    ),
  );
  return [
    ...saved.flat(),
    ...hashes.map(
      (hash): CoverOne =>
        async (linesOf) =>
          replayer.cover(await replayer.inputs(hash), linesOf),
    ),
  ];
}

async function errorWith(code: ErrorCode, kind: ErrorKind, message: string, hint?: string): Promise<Error> {
  const { WorkbenchError } = await import('../toolkit/base/errors');
  return new WorkbenchError({ code, kind, message, hint });
}

async function table(
  files: readonly SourceCoverage[],
  shownFile: (file: string) => string,
): Promise<string[]> {
  const { formatTable } = await import('../toolkit/base/formatTable');
  const share = (hits: readonly number[]): string =>
    `${hits.filter((one) => one > 0).length} of ${hits.length}`;
  const rows = files.map(({ file, lines, functions, branches }) => [
    shownFile(file),
    share([...lines.values()]),
    share(branches.flatMap(({ ways }) => ways)),
    share(functions.map(({ calls }) => calls)),
    [...lines].flatMap(([line, hits]) => (hits === 0 ? [line] : [])).join(' '),
  ]);
  const heading = ['file', 'lines', 'branches', 'functions', 'lines that did not run'];
  return formatTable([heading, ...rows], ['left', 'right', 'right', 'right', 'left']);
}

/** The handlers and get-methods that ran, and of which no line is known. */
async function unlinedTable(methods: readonly UnlinedMethod[]): Promise<string[]> {
  const { formatTable } = await import('../toolkit/base/formatTable');
  const rows = methods.map(({ contract, name, runs, why }) => [`${contract} ${name}`, String(runs), why]);
  return formatTable([['without lines', 'ran', 'why'], ...rows], ['left', 'right', 'left']);
}

/** What ran of codes without a source. */
async function codeTable(codes: readonly SourceCoverage[]): Promise<string[]> {
  const [{ formatTable }, { codeCoverage }] = await Promise.all([
    import('../toolkit/base/formatTable'),
    import('./lineAnswers'),
  ]);
  const rows = codes.map(codeCoverage).map(({ name, instructions, ran, methods }) => {
    const idle = methods.filter((method) => !method.ran);
    return [
      name,
      `${ran} of ${instructions}`,
      `${methods.length - idle.length} of ${methods.length}`,
      idle.map((method) => method.name).join(', '),
    ];
  });
  const heading = ['code', 'instructions', 'methods', 'methods that did not run'];
  return formatTable([heading, ...rows], ['left', 'right', 'right', 'left']);
}
