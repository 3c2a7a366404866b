import { limits } from '../base/limits';
import { clockTime } from '../base/text';
import type { WalletDecision } from './protocol';
import { decisionTitles, relayTitles } from './protocol';
import type { DecidedRequest, RelayRecord, RequestStage, WalletAnswer } from './walletBook';

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
  'answer-twice': `Approved (${decisionTitles['answer-twice']})`,
  'wrong-network': `Decided (${decisionTitles['wrong-network']})`,
  'connect-only': `Decided (${decisionTitles['connect-only']})`,
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

/** Why the request in a link was refused, as the end of a sentence; empty if it was not. */
export function embeddedWords(response: WalletAnswer['response']): string {
  return response?.error === undefined
    ? ''
    : `; the request in the link was refused with code ${response.error.code}: ${response.error.message}`;
}

function answerWords(answer: WalletAnswer): string {
  const { decision, error, response, isAnswered, isUnheard, hash, relays = [] } = answer;
  if (isUnheard === true) {
    const title = decision === undefined ? 'Answered' : decisionTitles[decision];
    return `${title}: not done yet, because ${unheardWords}`;
  }
  const done =
    error === undefined
      ? `Carried out${embeddedWords(response)}`
      : `Refused with code ${error.code}: ${error.message}`;
  const how = decision === undefined ? '' : ` (${decisionTitles[decision]})`;
  const told = isAnswered ? '' : '; the dApp gets no answer';
  const sent = hash === undefined ? '' : `\nmessage  ${hash}`;
  return [`${done}${how}${told}${sent}`, ...relays.map(relayLines)].join('\n');
}

/** What became of a submission, one line for each time. */
export function relayLines({ way, outcomes }: RelayRecord): string {
  const [first, ...more] = outcomes.map(({ words, trace }) =>
    trace === undefined ? words : `${words}\n  trace  ${trace}`,
  );
  return [`${relayTitles[way]}: ${first}`, ...more.map((one) => `again: ${one}`)].join('\n');
}

/** What somebody should know who signs without sending. */
export function relayWarning(validUntil: number | undefined): string {
  const end =
    validUntil === undefined ? `for ${limits.walletLifetime.most} s` : `until ${clockTime(validUntil)}`;
  return `Signing sends nothing now. Whoever has the signature can submit it ${end}, once.`;
}
