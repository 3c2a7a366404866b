import { groupDigits, visibleText } from '../text';
import type { LastAnswer } from './lastAnswers';
import { answerText } from './summaryText';

/** Characters of the arguments and of the answer. */
const longestArguments = 40;
const longestAnswer = 80;

/** What an answer is shown with. */
export interface AnswerSurroundings {
  /** What the deployed contract is called. */
  instance: string;
  /** The network and the time, where the answer is not of the local network. */
  elsewhere?: string | undefined;
  /** The source is not what the code that answered was compiled from any more. */
  isEdited: boolean;
}

/** An answer above its get-method: `weightOf(bob) = 3 on Vault, gas 812`. */
export function answerTitle(
  { method, typed, stack, answer, failed, gas }: LastAnswer,
  { instance, elsewhere, isEdited }: AnswerSurroundings,
): string {
  const call = `${method}(${visibleText(typed ?? stack, longestArguments)})`;
  const value = visibleText(answerText(answer), longestAnswer);
  const place = visibleText(instance) + (elsewhere === undefined ? '' : ` (${elsewhere})`);
  const cost = gas === null ? '' : `, gas ${groupDigits(gas)}`;
  return `${call} ${failed ? '' : '= '}${value} on ${place}${cost}${isEdited ? ' (source edited since)' : ''}`;
}
