import type { Command } from 'commander';
import type { MappedSteps } from '../toolkit/sourceMap/mapSteps';
import { limitOption } from './limitOption';
import { addNetworkOptions } from './network';
import type { NetworkOptions } from './network';
import { writeNote, writeText } from './output';

interface CoverageOptions extends NetworkOptions {
  address: string;
  lcov?: string;
  limit: string;
  source?: string;
}

/** `coverage --address A`: which lines of a contract its transactions ran. */
export function registerCoverageCommand(program: Command): void {
  const command = program
    .command('coverage')
    .summary("show which source lines a contract's transactions ran")
    .description(
      'Replays the last transactions of an account and counts how often each line of its source ran. The source is ' +
        'found in the project around the working folder by the hash of the code.',
    )
    .requiredOption('--address <account>', 'the contract: an address, a domain, or a name')
    .option('--lcov <file>', 'write the counts in the format of lcov')
    .option('--limit <number>', 'how many transactions to replay, the newest first', '50')
    .option(
      '--source <file>',
      "the source of the code; FunC and Tact are compiled by their project's compiler only if named here",
    );
  addNetworkOptions(command).action(async (options: CoverageOptions) => {
    await coverage(options);
  });
}

async function coverage(options: CoverageOptions): Promise<void> {
  const [{ openReplayer }, { runWithLines, shownFile }, { coverageOf, lcovText }] = await Promise.all([
    import('./openReplayer'),
    import('./linesHere'),
    import('../toolkit/sourceMap/coverageOf'),
  ]);
  const replayer = await openReplayer(options);
  const hashes = await replayer.history(options.address, await limitOption(options.limit));
  const runs: MappedSteps[] = [];
  const told = new Set<string>();
  for (const hash of hashes) {
    const { steps, notes } = await runWithLines(replayer, hash, options.source);
    notes.forEach((note) => told.add(note));
    runs.push(...(steps === undefined ? [] : [steps]));
  }
  told.forEach(writeNote);
  const files = coverageOf(runs);
  if (options.lcov !== undefined) {
    const { writeWholeFile } = await import('./writeWholeFile');
    await writeWholeFile('coverage', options.lcov, lcovText(files, shownFile));
  }
  const rows = files.map(({ file, lines, functions }) => {
    const ran = [...lines.values()].filter((hits) => hits > 0).length;
    const called = functions.filter(({ calls }) => calls > 0).length;
    return [
      shownFile(file),
      `${ran} of ${lines.size}`,
      `${called} of ${functions.length}`,
      [...lines].flatMap(([line, hits]) => (hits === 0 ? [line] : [])).join(' '),
    ];
  });
  const { formatTable } = await import('../toolkit/formatTable');
  writeText(`${runs.length} of ${hashes.length} transactions ran code with source lines`);
  if (rows.length > 0) {
    const heading = ['file', 'lines', 'functions', 'lines that did not run'];
    const table = formatTable([heading, ...rows], ['left', 'right', 'right', 'left']);
    writeText(['', ...table].join('\n'));
  }
}
