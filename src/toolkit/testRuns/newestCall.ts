import type { TestCall } from './testCalls';
import type { TestRecord, TestRecording } from './testRecording';

/** What is known of a recording before and after a step of its test. */
export interface RecordedStep {
  /** Undefined if there was none. */
  before: Pick<TestRecording, 'records'> | undefined;
  after: Pick<TestRecording, 'records'>;
  /** Of the test file, from 1: where the step began. */
  line: number;
}

/**
 * The call that a step of a test made: of what was recorded since, the first one of the line, else the last one, such as
 * that of a helper; undefined if the step ran no code. A recording that began anew has nothing from before.
 */
export function newestCall(
  calls: readonly TestCall[],
  { before, after, line }: RecordedStep,
): TestCall | undefined {
  const old = before?.records ?? [];
  const last = old.at(-1);
  const isGoingOn = last !== undefined && isSame(last, after.records[old.length - 1]);
  const known = isGoingOn ? old.length : 0;
  const fresh = calls.filter(({ records }) => (records[0]?.n ?? 0) > known);
  const own = fresh.filter(({ at }) => at?.line === line);
  // In a recording from the beginning, the line may have run for other tests: the last is meant.
  return (isGoingOn ? own[0] : own.at(-1)) ?? fresh.at(-1);
}

/** Whether it is the same run: the engine's seed and time are in it. */
function isSame(one: TestRecord, other: TestRecord | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
