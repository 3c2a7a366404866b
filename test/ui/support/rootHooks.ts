import { openWorkbenches } from './workbench';

/**
 * For every test of a run, as Mocha's `rootHooks`: a runner that makes one Mocha per file loads this module once and
 * hands it to each.
 */
export const mochaHooks: Mocha.RootHookObject = {
  /** Whatever test fails, its window is kept on record, and the error says what it shows. */
  async afterEach(this: Mocha.Context) {
    const test = this.currentTest;
    if (test?.state === 'failed') {
      const workbenches = [...openWorkbenches];
      await Promise.all(workbenches.map((workbench) => workbench.keepEvidence(test.fullTitle())));
      const shown = await Promise.all(workbenches.map((workbench) => workbench.shown()));
      if (test.err !== undefined) {
        test.err.message = [...shown, test.err.message].join('\n');
      }
    }
  },
  async afterAll() {
    await Promise.all([...openWorkbenches].map((workbench) => workbench.close()));
  },
};
