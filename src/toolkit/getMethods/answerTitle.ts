import { visibleText } from '../text';
import type { LastAnswer } from './lastAnswers';
import { answerText } from './summaryText';

/** Maximum characters of the arguments and of the answer. */
const longestArguments = 40;
const longestAnswer = 80;

/** What is shown around an answer. */
export interface AnswerSurroundings {
  /** Name of the deployed contract. */
  instance: string;
  /** Network and time, unless the answer is the local network's. */
  elsewhere?: string | undefined;
  /** What it cost: `gas 479`. */
  cost?: string | undefined;
  /** Whether the source has changed since the code that answered was compiled. */
  isEdited: boolean;
}

/** An answer as shown above its get-method: `weightOf(bob) = 3 on Vault, gas 812`. */
export function answerTitle(
  { method, typed, stack, answer, failed }: LastAnswer,
  { instance, elsewhere, cost, isEdited }: AnswerSurroundings,
): string {
  const call = `${method}(${visibleText(typed ?? stack, longestArguments)})`;
  const value = visibleText(answerText(answer), longestAnswer);
  const place = visibleText(instance) + (elsewhere === undefined ? '' : ` (${elsewhere})`);
  return `${call} ${failed ? '' : '= '}${value} on ${place}${cost === undefined ? '' : `, ${cost}`}${isEdited ? ' (source edited since)' : ''}`;
}
