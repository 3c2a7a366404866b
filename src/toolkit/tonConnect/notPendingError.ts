import { WorkbenchError } from '../errors';
import { decisionTitles } from './protocol';
import type { WalletDecision } from './protocol';
import { requestUnknownError } from './requestUnknownError';
import type { WalletBook } from './walletBook';

/** Why a request cannot be decided: it was already, it was withdrawn, or it is not known. */
export function notPendingError(
  number: number,
  { requests, answers }: Pick<WalletBook, 'requests' | 'answers'>,
): WorkbenchError {
  const verdict = requests.get(number)?.verdict;
  if (verdict !== undefined) {
    return decidedError(number, verdict.decision, 'The dApp is answered once that is carried out.');
  }
  const answer = answers.findLast((one) => one.number === number);
  if (answer?.decision !== undefined) {
    const { decision, isAnswered } = answer;
    return decidedError(number, decision, isAnswered ? 'The dApp was answered.' : 'The dApp gets no answer.');
  }
  return answer?.isAnswered === false ? withdrawnError(number) : requestUnknownError(number);
}

function decidedError(number: number, decision: WalletDecision, hint: string): WorkbenchError {
  return new WorkbenchError({
    code: 'wallet-request-decided',
    kind: 'input',
    message: `Request ${number} was decided already: ${decisionTitles[decision]}.`,
    hint,
  });
}

function withdrawnError(number: number): WorkbenchError {
  return new WorkbenchError({
    code: 'wallet-request-decided',
    kind: 'input',
    message: `Request ${number} was withdrawn: the connection of its dApp has ended.`,
    hint: 'Connect the dApp again, and let it ask again.',
  });
}
