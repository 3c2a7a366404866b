import type { TestRunner } from './testRunner';

/** A test as the recorder knows it from a runner's hooks. */
export interface HookedTest {
  runner: 'mocha' | 'node';
  /** Absolute. */
  file: string | undefined;
  /** Full name; undefined outside of tests. */
  name: string | undefined;
}

/** The runner's own view of where it is. */
interface TestPlace {
  runner: TestRunner | 'unknown';
  /** Absolute; undefined if the runner does not say. */
  file: string | undefined;
  /** Full name with those of its suites, joined by spaces; undefined outside of tests. */
  name: string | undefined;
}

interface VitestTask {
  name: string;
  suite?: VitestTask | undefined;
}

/** What the runners leave in the global scope. */
interface RunnerGlobals {
  expect?: { getState?: () => { testPath?: string; currentTestName?: string } };
  __vitest_worker__?: { filepath?: string; current?: VitestTask };
  before?: unknown;
  it?: unknown;
}

/**
 * Which test of which file runs now.
 * @param hooked the one of which the runner's hooks have told last
 */
export function testPlace(hooked: HookedTest | undefined): TestPlace {
  const { expect, __vitest_worker__: vitest, before, it } = globalThis as RunnerGlobals;
  if (vitest !== undefined) {
    return { runner: 'vitest', file: vitest.filepath, name: vitest.current && namesOf(vitest.current) };
  }
  if (hooked !== undefined) {
    return hooked;
  }
  if (before !== undefined && it !== undefined) {
    return { runner: 'mocha', file: undefined, name: undefined };
  }
  const { testPath: file, currentTestName: name } = expect?.getState?.() ?? {};
  return { runner: file === undefined ? 'unknown' : 'jest', file, name };
}

function namesOf({ name, suite }: VitestTask): string {
  return suite === undefined || suite.name === '' ? name : `${namesOf(suite)} ${name}`;
}
