/** One test of a report: a scenario of a sheet. */
export interface JunitCase {
  name: string;
  /** Milliseconds. */
  elapsedMs: number;
  /** The unmet expectations, one sentence each; absent or empty if it passed. */
  failures?: readonly string[] | undefined;
  /** What prevented it. */
  error?: { code: string; message: string } | undefined;
  /** It was not reached. */
  isSkipped?: boolean | undefined;
}

/** The tests of one sheet. */
export interface JunitSuite {
  /** The file, as the user named it. */
  name: string;
  /** When the run began. */
  at: Date;
  cases: readonly JunitCase[];
}

/** The report of a run as JUnit XML, as CI services read it. @param of what was run */
export function junitReport(suites: readonly JunitSuite[], of = 'call sheets'): string {
  const all = suites.flatMap(({ cases }) => cases);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="TON Workbench ${escaped(of)}" ${counts(all, false)}>`,
    ...suites.flatMap(suiteLines),
    '</testsuites>',
    '',
  ].join('\n');
}

function suiteLines({ name, at, cases }: JunitSuite): string[] {
  const timestamp = at.toISOString().replace(/\.\d+Z$/, '');
  return [
    `  <testsuite name="${escaped(name)}" ${counts(cases, true)} timestamp="${timestamp}" hostname="localhost">`,
    ...cases.flatMap((one) => caseLines(one, name)),
    '  </testsuite>',
  ];
}

function caseLines({ name, elapsedMs, failures = [], error, isSkipped }: JunitCase, suite: string): string[] {
  const head = `    <testcase name="${escaped(name)}" classname="${escaped(suite)}" time="${seconds(elapsedMs)}"`;
  const inside =
    error !== undefined
      ? [
          tag('error', error.message, error.code, [
            error.message,
            ...failures.filter((one) => one !== error.message),
          ]),
        ]
      : failures.length > 0
        ? [tag('failure', failures[0] ?? '', 'expectation-failed', failures)]
        : isSkipped === true
          ? ['      <skipped/>']
          : [];
  return inside.length === 0 ? [`${head}/>`] : [`${head}>`, ...inside, '    </testcase>'];
}

function tag(name: 'error' | 'failure', message: string, type: string, lines: readonly string[]): string {
  return `      <${name} message="${escaped(message)}" type="${escaped(type)}">${escaped(lines.join('\n'))}</${name}>`;
}

function counts(cases: readonly JunitCase[], withSkipped: boolean): string {
  const errors = cases.filter(({ error }) => error !== undefined).length;
  const failures = cases.filter(
    ({ error, failures: told }) => error === undefined && (told?.length ?? 0) > 0,
  ).length;
  const skipped = withSkipped ? ` skipped="${cases.filter((one) => one.isSkipped === true).length}"` : '';
  const time = seconds(cases.reduce((sum, { elapsedMs }) => sum + elapsedMs, 0));
  return `tests="${cases.length}" failures="${failures}" errors="${errors}"${skipped} time="${time}"`;
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
  '\r': '&#13;',
  '\t': '&#9;',
};

/** Text for an attribute or an element. What XML 1.0 cannot hold, not even escaped, becomes U+FFFD. */
function escaped(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replace(/[&<>"\n\r\t]/g, (character) => entities[character] ?? character);
}
