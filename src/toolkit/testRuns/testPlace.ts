/** The part of a test of Mocha that says where it is. */
interface MochaTest {
  file?: string | undefined;
  fullTitle(): string;
}

/** The runner's own view of where it is. */
interface TestPlace {
  runner: 'jest' | 'vitest' | 'mocha' | 'unknown';
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

/** Which test of which file runs now. */
export function testPlace(mochaTest: MochaTest | undefined): TestPlace {
  const { expect, __vitest_worker__: vitest, before, it } = globalThis as RunnerGlobals;
  if (vitest !== undefined) {
    return { runner: 'vitest', file: vitest.filepath, name: vitest.current && namesOf(vitest.current) };
  }
  if (mochaTest !== undefined || (before !== undefined && it !== undefined)) {
    return { runner: 'mocha', file: mochaTest?.file, name: mochaTest?.fullTitle() };
  }
  const { testPath: file, currentTestName: name } = expect?.getState?.() ?? {};
  return { runner: file === undefined ? 'unknown' : 'jest', file, name };
}

function namesOf({ name, suite }: VitestTask): string {
  return suite === undefined || suite.name === '' ? name : `${namesOf(suite)} ${name}`;
}
