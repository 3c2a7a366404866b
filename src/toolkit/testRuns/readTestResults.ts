import { stripVTControlCharacters } from 'node:util';
import * as z from 'zod';
import { checkShape } from '../base/checkShape';

/** Of an assertion, in a report. */
const mostLines = 15;
/** Of these, from its beginning. */
const firstLines = 3;
const mostCharacters = 200;

const clip = (line: string): string =>
  line.length > mostCharacters ? `${line.slice(0, mostCharacters)}…` : line;

/** How a test ended. */
export interface TestResult {
  /** Absolute. */
  file: string;
  /** Full name, as in recordings; null if the file itself failed. */
  name: string | null;
  state: 'passed' | 'failed' | 'skipped';
  /** Milliseconds. */
  elapsedMs: number;
  /** Why it failed, in the runner's words. */
  message?: string | undefined;
}

/** Jest's and Vitest's own form. */
const reportSchema = z.object({
  testResults: z.array(
    z.object({
      name: z.string().optional(),
      testFilePath: z.string().optional(),
      message: z.string().nullish(),
      failureMessage: z.string().nullish(),
      status: z.string().nullish(),
      assertionResults: z.array(z.unknown()).nullish(),
      testResults: z.array(z.unknown()).nullish(),
    }),
  ),
});
const testSchema = z.object({
  fullName: z.string(),
  status: z.string(),
  duration: z.number().nullish(),
  failureMessages: z.array(z.string()).nullish(),
});
/** The lines that the recorder writes in Mocha. */
const lineSchema = z.object({
  file: z.string(),
  name: z.string(),
  state: z.enum(['passed', 'failed', 'pending']).optional(),
  duration: z.number().optional(),
  message: z.string().optional(),
});

/** The results that a run of Jest or Vitest, or the recorder in Mocha, has written. What has another form is left out. */
export function readTestResults(text: string): TestResult[] {
  const report = checkShape(reportSchema, parsed(text)).data;
  if (report !== undefined) {
    return report.testResults.flatMap(fileResults);
  }
  return text.split('\n').flatMap((line): TestResult[] => {
    const { data } = checkShape(lineSchema, parsed(line));
    if (data === undefined) {
      return [];
    }
    const { file, name, state, duration = 0, message } = data;
    return [{ file, name, state: stateOf(state ?? 'pending'), elapsedMs: duration, message }];
  });
}

/**
 * What a runner says of a failure, without its colors, and without the frames of the stack and what comes after them. Of a
 * long one the end is kept: after all transactions it says what none of them was.
 */
export function assertionText(message: string): string {
  const lines = stripVTControlCharacters(message).trimEnd().split('\n');
  const frame = lines.findIndex((line) => /^\s+at /.test(line));
  const told = (frame < 0 ? lines : lines.slice(0, frame)).join('\n').trimEnd().split('\n');
  const shown =
    told.length > mostLines
      ? [...told.slice(0, firstLines), '…', ...told.slice(firstLines - mostLines)]
      : told;
  return shown.map((line) => clip(line)).join('\n');
}

/** The line of a test file in the frames of an error. @param names of the file, of which runners write one */
export function failedLine(message: string, names: readonly string[]): number | undefined {
  for (const name of names) {
    const at = message.indexOf(`${name}:`);
    const line =
      at < 0 ? NaN : Number.parseInt(message.slice(at + name.length + 1, at + name.length + 10), 10);
    if (!Number.isNaN(line)) {
      return line;
    }
  }
  return undefined;
}

function fileResults(one: z.infer<typeof reportSchema>['testResults'][number]): TestResult[] {
  const file = one.name ?? one.testFilePath ?? '';
  const tests = (one.assertionResults ?? one.testResults ?? []).flatMap((value): TestResult[] => {
    const { data } = checkShape(testSchema, value);
    return data === undefined
      ? []
      : [
          {
            file,
            name: data.fullName,
            state: stateOf(data.status),
            elapsedMs: data.duration ?? 0,
            message: data.failureMessages?.[0],
          },
        ];
  });
  const why = one.failureMessage ?? one.message ?? '';
  const hasFailed = tests.length === 0 && why !== '';
  return hasFailed ? [{ file, name: null, state: 'failed', elapsedMs: 0, message: why }] : tests;
}

function stateOf(word: string): TestResult['state'] {
  return word === 'passed' || word === 'failed' ? word : 'skipped';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
