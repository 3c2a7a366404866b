import type { Workbench } from './workbench';

/** For `afterEach`: keeps what a failed test left on the screen. */
export function keepEvidenceOf(workbench: () => Workbench | undefined): Mocha.AsyncFunc {
  return async function () {
    if (this.currentTest?.isFailed() === true) {
      await workbench()?.keepEvidence(this.currentTest.title);
    }
  };
}
