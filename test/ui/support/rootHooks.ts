import { openWorkbenches } from './workbench';

/**
 * For every test of a run, as Mocha's `rootHooks`: a runner that makes one Mocha per file loads this module once and
 * hands it to each.
 */
export const mochaHooks: Mocha.RootHookObject = {
  /** Whatever test fails, its window is kept on record. */
  async afterEach(this: Mocha.Context) {
    const test = this.currentTest;
    if (test?.state === 'failed') {
      await Promise.all([...openWorkbenches].map((workbench) => workbench.keepEvidence(test.fullTitle())));
    }
  },
  async afterAll() {
    await Promise.all([...openWorkbenches].map((workbench) => workbench.close()));
  },
};
