import type { Command } from 'commander';
import type { SourceCoverage } from '../toolkit/sourceMap/coverageBook';
import type { TestsCoverage } from './coverTests';
import { writeNote, writeText } from './output';
import { endWith, surroundings } from './surroundings';
import type { ExplainedRun } from './test';
import type { GasChange } from './gasSnapshot';
import type { GasRow } from './testGas';

interface ReportOptions {
  out?: string;
  gasDiff?: string;
}

/** Rows of a table in the report; a comment on GitHub has at most 65,536 characters. */
const mostRows = 100;

/** `report [PATTERN]`: tests, gas, and coverage as one text in Markdown, for a comment on a pull request. */
export function registerReportCommand(program: Command): void {
  program
    .command('report')
    .summary('tests, gas, and coverage as one comment for a pull request')
    .description(
      "Runs the project's own tests as the command test does and writes one text in Markdown: the tests that failed " +
        'with their assertions and the lines of the contracts, the gas of each message and get-method, and what of the sources ran. The ' +
        "exit status is the runner's. What the runner prints goes to stderr.",
    )
    .argument('[patterns...]', 'test files or names, as the runner takes them')
    .option('--out <file>', 'write it to a file instead')
    .option('--gas-diff <file>', 'with what takes other gas than in a snapshot of test --gas-snapshot')
    .action(async (patterns: string[], options: ReportOptions) => {
      await report(patterns, options);
    });
}

async function report(patterns: readonly string[], { out, gasDiff }: ReportOptions): Promise<void> {
  if (out !== undefined) {
    await (await import('./writeReport')).checkReportFile(out);
  }
  const [
    { explainTests },
    { gasRows, gasUses },
    { gasChanges, gasSnapshot, readGasSnapshot },
    { coverTests },
    { writeWholeFile },
  ] = await Promise.all([
    import('./test'),
    import('./testGas'),
    import('./gasSnapshot'),
    import('./coverTests'),
    import('./writeWholeFile'),
  ]);
  const before = gasDiff === undefined ? undefined : await readGasSnapshot(gasDiff);
  const { errors } = surroundings();
  const tested = await explainTests({ patterns, ownEngines: false, print: (text) => errors.write(text) });
  const uses = await gasUses(tested.recordings.values());
  const gas = {
    rows: gasRows(uses),
    ...(before === undefined ? {} : gasChanges(before, gasSnapshot(uses, '', 0))),
  };
  const coverage = await coverTests(tested.recordings);
  coverage.notes.forEach(writeNote);
  const text = await reportComment(tested, gas, coverage);
  if (out === undefined) {
    writeText(text);
  } else {
    await writeWholeFile('report', out, text);
  }
  endWith(tested.run.status);
}

/** The report. Its first line is the same in every one, so that a comment can be found again. */
export async function reportComment(
  { run, explained }: ExplainedRun,
  gas: { rows: readonly GasRow[]; changes?: readonly GasChange[]; same?: number },
  { files }: Pick<TestsCoverage, 'files'>,
): Promise<string> {
  const [{ shownFile }, { thrownText }, { assertionText }, { gasChangeCells, gasChangeHeading }] =
    await Promise.all([
      import('./linesHere'),
      import('../toolkit/sourceMap/thrownAt'),
      import('../toolkit/testRuns/readTestResults'),
      import('./gasSnapshot'),
    ]);
  const count = (state: string): number => run.results.filter((one) => one.state === state).length;
  const [passed, failed, skipped] = [count('passed'), count('failed'), count('skipped')];
  const verdict =
    failed > 0
      ? `❌ ${failed} of ${passed + failed} tests failed`
      : run.status === 0
        ? `✅ ${passed} ${passed === 1 ? 'test' : 'tests'} passed`
        : `❌ The tests ended with status ${run.status}`;
  const failures = explained.slice(0, mostRows).map(({ result, file, line, about }) => {
    const place = `${file}${line === undefined ? '' : `:${line}`}`;
    const told =
      about === undefined
        ? ['It ran no transaction and no get-method.']
        : [
            `${about.words}: ${about.exit}`,
            ...(about.thrown === undefined ? [] : thrownText(about.thrown, shownFile)),
          ];
    const assertion = result.message === undefined ? [] : [assertionText(result.message), ''];
    const text = fenced([...assertion, ...told].join('\n'));
    return `**${escaped(result.name ?? 'the file itself')}** (${escaped(place)})\n\n${text}`;
  });
  return [
    '<!-- ton-workbench report -->',
    `### ${verdict}${skipped > 0 ? `, ${skipped} skipped` : ''}`,
    ...failures,
    ...moreOf(explained.length, 'failed tests'),
    ...(gas.changes === undefined
      ? []
      : [
          `**Gas: ${gas.changes.length === 0 ? 'no change' : `${gas.changes.length} changed`}, ${gas.same ?? 0} the same**`,
        ]),
    ...table(gasChangeHeading, (gas.changes ?? []).map(gasChangeCells)),
    ...folded(
      'Gas',
      ['contract', 'message or get-method', 'runs', 'least', 'mean', 'most'],
      gas.rows.map(({ contract, ran, runs, least, mean, most }) => [
        contract,
        ran,
        ...[runs, least, mean, most].map(String),
      ]),
    ),
    ...folded(
      'Coverage',
      ['file', 'lines', 'branches', 'lines that did not run'],
      files.map((one) => coverageRow(one, shownFile)),
    ),
  ].join('\n\n');
}

function coverageRow(
  { file, lines, branches }: SourceCoverage,
  shownFile: (file: string) => string,
): string[] {
  const share = (hits: readonly number[]): string =>
    hits.length === 0 ? '-' : `${hits.filter((one) => one > 0).length} of ${hits.length}`;
  const idle = [...lines].flatMap(([line, hits]) => (hits === 0 ? [line] : []));
  return [
    shownFile(file),
    share([...lines.values()]),
    share(branches.flatMap(({ ways }) => ways)),
    `${idle.slice(0, 40).join(' ')}${idle.length > 40 ? ' …' : ''}`,
  ];
}

/** A table; nothing without rows. */
function table(heading: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.map(escaped).join(' | ')} |`;
  const lines = [line(heading), line(heading.map(() => '---')), ...rows.slice(0, mostRows).map(line)];
  return rows.length === 0 ? [] : [lines.join('\n'), ...moreOf(rows.length, 'rows')];
}

/** A table that opens with a click; nothing without rows. */
function folded(title: string, heading: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return rows.length === 0
    ? []
    : [`<details><summary>${title}</summary>`, ...table(heading, rows), '</details>'];
}

function moreOf(count: number, what: string): string[] {
  return count > mostRows ? [`… and ${count - mostRows} more ${what}`] : [];
}

/** Names come from the project and its packages: they are text, never markup. */
function escaped(text: string): string {
  return text
    .replaceAll(/[\\`*_[\]<>|#@~]/g, (character) => `&#${character.codePointAt(0)};`)
    .replaceAll('\n', ' ');
}

function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${text}\n${fence}`;
}
