import { clockTime } from '../clockTime';
import { decisionTitles } from './protocol';
import type { WalletDecision } from './protocol';
import type { DecidedRequest, RequestStage, WalletAnswer } from './walletRequest';

/** Where a request stands, in words; undefined while it is pending. */
export function stageWords(stage: RequestStage): string | undefined {
  switch (stage.kind) {
    case 'pending':
      return undefined;
    case 'decided':
      return decidedWords(stage.decided);
    case 'answered':
      return answerWords(stage.answer);
    case 'withdrawn':
      return 'Withdrawn: the connection of its dApp has ended.';
    case 'stopped':
      return 'The test wallet has stopped: start it to go on with this request.';
  }
}

const verdictWords: Readonly<Record<WalletDecision, string>> = {
  approve: 'Approved',
  reject: 'Rejected',
  'approve-lose-answer': `Approved (${decisionTitles['approve-lose-answer']})`,
  'answer-late': `Approved (${decisionTitles['answer-late']})`,
  'wrong-network': `Decided (${decisionTitles['wrong-network']})`,
};

function decidedWords({ decision, notBefore }: DecidedRequest): string {
  const next =
    notBefore === undefined
      ? decision === 'reject' || decision === 'wrong-network'
        ? 'being answered'
        : 'being carried out'
      : `the dApp is answered at ${clockTime(notBefore / 1000)}, or later if it takes longer`;
  return `${verdictWords[decision]}; ${next}`;
}

/** What became of an answer that nobody has come for, and what to do. */
export const unheardWords =
  "no page with this id listens on this wallet's bridge, so nobody has the answer. " +
  "Add this wallet's entry (its wallets list) to the dApp, and connect with that.";

function answerWords({ decision, error, isAnswered, isUnheard, hash }: WalletAnswer): string {
  if (isUnheard === true) {
    const title = decision === undefined ? 'Answered' : decisionTitles[decision];
    return `${title}: not done yet, because ${unheardWords}`;
  }
  const done = error === undefined ? 'Carried out' : `Refused with code ${error.code}: ${error.message}`;
  const how = decision === undefined ? '' : ` (${decisionTitles[decision]})`;
  const told = isAnswered ? '' : '; the dApp gets no answer';
  return `${done}${how}${told}${hash === undefined ? '' : `\nmessage  ${hash}`}`;
}
