import { WorkbenchError } from '../toolkit/base/errors';
import type { TonAnswer, TonRelayed } from './pageWalletTypes';
import type { Trace } from './traceTypes';

/** What a test can ask about: an answer, a submission or all of them, or a trace. */
export type Outcome = TonAnswer | TonRelayed | readonly TonRelayed[] | Trace;

/**
 * Tells whether a payment did all that it should: nothing failed, in none of its transactions. Of several submissions, each
 * must have.
 *
 * @returns `why`: what failed, in a sentence; undefined if all went well
 * @throws WorkbenchError `usage` (input) for anything else, `trace-not-found` (failed)
 */
export async function judgeOutcome(received: Outcome): Promise<{ pass: boolean; why: string | undefined }> {
  if (Array.isArray(received) && received.length > 0) {
    const each = await Promise.all(received.map((one: TonRelayed) => judgeOutcome(one)));
    const failed = each.findIndex(({ pass }) => !pass);
    return failed < 0
      ? { pass: true, why: undefined }
      : { pass: false, why: `submission ${failed + 1} of ${each.length}: ${each[failed]?.why}` };
  }
  if (typeof received !== 'object' || received === null || !('steps' in received || 'trace' in received)) {
    throw new WorkbenchError({
      code: 'usage',
      kind: 'input',
      message: `toSucceed cannot judge ${received instanceof Promise ? 'a promise' : 'this value'}.`,
      hint: 'Give it what `await wallet.approve()` or `await wallet.relay()` returns, or a trace.',
    });
  }
  if ('error' in received && received.error !== undefined) {
    return { pass: false, why: received.error.message };
  }
  const trace = 'steps' in received ? received : await received.trace();
  return trace.succeeded
    ? { pass: true, why: undefined }
    : { pass: false, why: trace.verdict ?? 'it is not known why' };
}
