import { formatTable } from '../../base/formatTable';
import { groupDigits, visibleText } from '../../base/text';
import type { CheckRow } from '../check/shopRules';
import { brokenRules, checkName, checkSymbol, describeReadHeaders, fixesOf } from '../check/shopRules';
import type { WebhookProvider } from '../provider/webhookProvider';
import type { ReceiverFramework } from '../receiver/receiverSource';
import { frameworkTitles } from '../receiver/receiverSource';
import { checkRemark } from './checkRemark';

/** What was checked, and with what. */
export interface CheckedEndpoint {
  url: string;
  /** Undefined: the deliveries carried none. */
  secretName: string | undefined;
  /** The order whose fields the payloads used; undefined for a sample. */
  reference?: string | undefined;
  /** Where the shop told of its orders, if it was asked. */
  ordersUrl?: string | undefined;
}

/** A report, and its fixes: what each is called in the text, the line of its heading (zero-based), and its code. */
export interface CheckReport {
  text: string;
  fixes: readonly { name: string; line: number; code: string }[];
}

/**
 * The report of an endpoint check: the verdict first, then each rule with expectation, answer, and duration, then the
 * code that keeps the broken ones.
 * @param provider whose deliveries were sent
 */
export function describeCheck(
  rows: readonly CheckRow[],
  { url, secretName, reference, ordersUrl }: CheckedEndpoint,
  framework: ReceiverFramework,
  provider: WebhookProvider,
): CheckReport {
  const fixes = fixesOf(rows, framework, provider.receiver());
  const tolerated = rows.filter((row) => row.tolerated).length;
  const verdict = rows.every(({ ok }) => ok)
    ? `✓ ${url} ${tolerated === 0 ? `follows all ${rows.length} rules` : `breaks none of ${rows.length} rules; harmless other answers: ${tolerated} (!)`}`
    : `✗ ${url} breaks ${brokenRules(rows)}`;
  const headers = describeReadHeaders(rows);
  const [heading = '', ...table] = formatTable(
    [
      ['rule', 'wants', 'got', 'slowest', 'scenario'],
      ...rows.map((row) => [
        row.rule,
        row.expected,
        row.got,
        time(row.ms),
        row.shop === undefined ? row.scenario : checkName(row),
      ]),
    ],
    ['left', 'left', 'left', 'right', 'left'],
  );
  const lines = rows.flatMap((row, index) => [
    `${checkSymbol(row)} ${table[index] ?? ''}`,
    ...(row.note === null ? [] : wrap(row.note, 100).map((line) => `    ${line}`)),
    ...placesOf(fixes.flatMap((fix, number) => (fix.rows.includes(row) ? [nameOf(number)] : []))),
  ]);
  const report = [
    verdict,
    `  ${describeSecret(secretName, provider)}; ` +
      (reference === undefined
        ? `a sample payment${provider.carries.includes('reference') ? ' with a reference that none of your orders has' : ''}`
        : `for the order ${visibleText(reference, 100)}`),
    '',
    `  ${heading}`,
    ...lines,
    '',
    ...(headers === undefined ? [] : wrap(headers, 100).map((line) => `  ${line}`)),
    ...wrap(checkRemark(reference, ordersUrl, provider), 100).map((line) => `  ${line}`),
    '',
  ];
  const places: CheckReport['fixes'][number][] = [];
  for (const [number, { rows: kept, code }] of fixes.entries()) {
    places.push({ name: nameOf(number), line: report.length, code });
    report.push(
      `  ${nameOf(number)} for ${frameworkTitles[framework]}: ${kept.map(({ rule }) => rule).join('; ')}`,
      '',
      ...code
        .trimEnd()
        .split('\n')
        .map((line) => (line === '' ? '' : `    ${line}`)),
      '',
    );
  }
  return { text: report.join('\n'), fixes: places };
}

/** What made the deliveries genuine. An optional secret that there is none of has no name. */
function describeSecret(name: string | undefined, { secretForm: { word } }: WebhookProvider): string {
  return name === undefined
    ? `without a ${word}`
    : `${word === 'token' ? 'with' : 'signed with'} the ${word} named “${visibleText(name, 100)}”`;
}

function placesOf(names: readonly string[]): string[] {
  return names.length === 0 ? [] : [`    → ${names.join(' and ')} below`];
}

function nameOf(number: number): string {
  return `fix ${number + 1}`;
}

function time(ms: number): string {
  return `${groupDigits(Math.round(ms))} ms`;
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [''];
  for (const word of text.split(' ')) {
    const last = lines.at(-1) ?? '';
    if (last !== '' && last.length + word.length + 1 > width) {
      lines.push(word);
    } else {
      lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
    }
  }
  return lines;
}
