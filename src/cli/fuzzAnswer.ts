import * as z from 'zod';
import { WorkbenchError } from '../toolkit/base/errors';
import { formatTable } from '../toolkit/base/formatTable';
import { jsonFacts } from '../toolkit/base/jsonFacts';
import { visibleText } from '../toolkit/base/text';
import { counted, formatCoins, formatInteger } from '../toolkit/trace/figures';
import type { FuzzedSheet, FuzzFinding } from '../toolkit/workflows/fuzzSheet';

const faultSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('exit'),
    account: jsonFacts.account,
    code: z.int(),
    phase: z.enum(['compute', 'action', 'get-method']),
    meaning: z.string().nullable().describe('What the code usually means, if that is known.'),
  }),
  z.strictObject({
    kind: z.literal('expect'),
    line: z.int().describe('Of the step in the sheet.'),
    failures: z.array(z.string()).describe('One sentence for each unmet expectation.'),
  }),
  z.strictObject({
    kind: z.literal('coins'),
    missing: jsonFacts.nanocoins.describe('In no balance, fee, or message; negative: came from nowhere.'),
  }),
]);

/** The schema of what `fuzz --json` prints. */
export const fuzzAnswerSchema = z
  .strictObject({
    seed: z.int().describe('--seed repeats the run with it.'),
    runs: z.int().describe('Random sequences that were run, without those that shortened what was found.'),
    lines: z.int().describe('Messages and calls in these.'),
    targets: z.array(z.string()).describe('What was sent and called: `Pot Take`, `Pot total()`.'),
    leftOut: z.array(z.string()).describe('What has values of a type that cannot be written.'),
    stoppedBy: z.enum(['seconds']).nullable(),
    finding: z
      .strictObject({
        fault: faultSchema,
        run: z.int().describe('The sequence that it was found in, from 1; 0: the sheet alone breaks it.'),
        foundWith: z.int().describe('Lines of that sequence.'),
        lines: z
          .array(z.strictObject({ text: z.string(), exitCode: jsonFacts.exitCode }))
          .describe('What is left of them, as a sheet has them.'),
      })
      .nullable(),
    unjudged: z.array(z.string()).describe('Accounts that failed, and whose source is not known.'),
  })
  .meta({ title: 'A contract under random messages' });

/** What was found, for programs. */
export function fuzzAnswer(fuzzed: FuzzedSheet): z.infer<typeof fuzzAnswerSchema> {
  const { seed, runs, lines, targets, leftOut, stoppedBy, finding, unjudged } = fuzzed;
  return {
    ...{ seed, runs, lines, targets: [...targets], leftOut: [...leftOut] },
    stoppedBy: stoppedBy ?? null,
    finding:
      finding === undefined
        ? null
        : {
            ...{ fault: faultAnswer(finding.fault), run: finding.run, foundWith: finding.foundWith },
            lines: [...finding.lines],
          },
    unjudged: [...unjudged],
  };
}

function faultAnswer(fault: FuzzFinding['fault']): z.infer<typeof faultSchema> {
  switch (fault.kind) {
    case 'exit':
      return { ...fault, meaning: fault.meaning ?? null };
    case 'expect':
      return { kind: 'expect', line: fault.step.lineNumber, failures: [...fault.failures] };
    case 'coins':
      return { kind: 'coins', missing: fault.missing.toString() };
  }
}

/** What was found, for people. */
export function fuzzText(fuzzed: FuzzedSheet, file: string): string {
  const { finding, targets, leftOut, unjudged, seed } = fuzzed;
  const plain = (names: readonly string[]): string => names.map((name) => visibleText(name)).join(', ');
  return [
    `${finding === undefined ? '✓' : '✗'} ${seenText(fuzzed)}, seed ${seed}`,
    ...(finding === undefined
      ? [`  ${plain(targets)}`]
      : [`    ${visibleText(faultText(fuzzed, finding, file))}`, ...lineTexts(finding)]),
    ...(leftOut.length === 0
      ? []
      : [`  Not tried, because of a type that cannot be written: ${plain(leftOut)}`]),
    ...(unjudged.length === 0
      ? []
      : [`  Exit codes of ${plain(unjudged)} were not judged: no source is known.`]),
  ].join('\n');
}

function seenText({ runs, lines, finding, stoppedBy }: FuzzedSheet): string {
  if (finding === undefined) {
    const stopped = stoppedBy === undefined ? '' : ', stopped by --seconds';
    return `${counted(runs, 'run')} of ${formatInteger(lines)} messages and calls broke nothing${stopped}`;
  }
  const { run, foundWith } = finding;
  return run === 0
    ? 'the sheet breaks it before anything random is sent'
    : `found in run ${formatInteger(run)}, ${foundWith} → ${counted(finding.lines.length, 'line')}`;
}

function lineTexts({ lines }: FuzzFinding): string[] {
  const rows = lines.map(({ text, exitCode }, index) => [
    String(index + 1),
    visibleText(text),
    exitCode === null ? 'no code ran' : `exit ${exitCode}`,
  ]);
  return formatTable(rows, ['right', 'left', 'left']).map((line) => `  ${line}`);
}

function faultText({ accountNames }: FuzzedSheet, { fault }: FuzzFinding, file: string): string {
  switch (fault.kind) {
    case 'exit': {
      const meaning = fault.meaning === undefined ? '' : ` (${fault.meaning})`;
      const name = accountNames.get(fault.account) ?? fault.account;
      const what = {
        compute: 'ends with exit code',
        action: 'fails in its actions with code',
        'get-method': 'answers with exit code',
      }[fault.phase];
      return `${name} ${what} ${fault.code}${meaning}, which its source does not name.`;
    }
    case 'expect':
      return `${file}:${fault.step.lineNumber} ${fault.failures.join(' ')}`;
    case 'coins':
      return fault.missing > 0n
        ? `${formatCoins(fault.missing)} TON are in no balance, fee, or message after the last line.`
        : `${formatCoins(-fault.missing)} TON came from nowhere in the last line.`;
  }
}

/** `fuzz-fault` (failed): what is wrong, and how to repeat it. */
export function fuzzFaultError(
  fuzzed: FuzzedSheet,
  finding: FuzzFinding,
  { file, kept }: { file: string; kept: string | undefined },
): WorkbenchError {
  return new WorkbenchError({
    code: 'fuzz-fault',
    kind: 'failed',
    message: visibleText(faultText(fuzzed, finding, file)),
    hint:
      kept === undefined
        ? `Repeat it with --seed ${fuzzed.seed}. --keep FILE.toncall writes it as a sheet that fails until it is mended.`
        : `${kept} fails until it is mended: ton-workbench fuzz ${kept}`,
  });
}
