import { lowerHex } from '../../toolkit/address/lowerHex';
import type { Services } from '../services';
import { shownWith } from './callOnNetwork';
import type { ContractAnswer } from '../../toolkit/workflows/callContract';
import { sourceAnswers } from './sourceAnswers';
import type { CompleteCall } from './recentCalls';

/**
 * Records an answer in the row of a pinned contract and for the lens above its get-method, and returns its
 * summary.
 * @param isAsked whether the user ran this call; an answer that only keeps a view current does not replace
 * that of another call
 */
export async function noteAnswer(
  services: Services,
  call: CompleteCall,
  answer: ContractAnswer,
  { isAsked }: { isAsked: boolean },
): Promise<string> {
  const [{ summarizeResult }, { summaryText }, { isSuccess }] = await Promise.all([
    import('../../toolkit/getMethods/summarizeResult'),
    import('../../toolkit/getMethods/summaryText'),
    import('../../toolkit/getMethods/getMethodResult'),
  ]);
  const { result } = answer;
  const summary = summarizeResult(result, shownWith(services, answer));
  await services.pins.answered(result.network, lowerHex(result.address), {
    method: call.method,
    stack: call.stack,
    answer: summary,
    at: Date.now(),
    failed: !isSuccess(result),
    ...(call.texts === undefined ? {} : { texts: call.texts }),
    ...(result.block === undefined ? {} : { block: result.block }),
  });
  await sourceAnswers(services).note(answer, { ...call, summary, isAsked });
  return summaryText(summary);
}
