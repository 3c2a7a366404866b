import type { GetMethodSignature } from '../abi/getMethodSignature';
import type { ExitSource } from '../exitCodes';
import type { Row, ShowOptions } from './entryRows';
import { withExits } from './exitExplanation';
import { isSuccess } from './getMethodResult';
import type { GetMethodResult } from './getMethodResult';
import { knownSignature } from './knownSignature';
import { outputRows } from './outputRows';
import { exitFact } from './resultFacts';
import type { SummaryPart } from './summaryText';

/** The known names of a contract. */
export interface SummaryOptions extends ShowOptions {
  signature?: GetMethodSignature | undefined;
  /** What is known about the contract's exit codes. */
  exits?: ExitSource | undefined;
}

/** Fields shown in a row; the rest is counted. */
const shownFields = 3;
const longestValue = 40;

/** The answer in a few parts, for a list row: `supply 100 000, mintable true, … 3 more`, or why it failed. */
export function summarizeResult(result: GetMethodResult, options: SummaryOptions = {}): SummaryPart[] {
  if (!isSuccess(result)) {
    return [{ text: `✗ ${exitFact(result)}, ${withExits(result, options.exits).exitMeaning}` }];
  }
  const { rows } = outputRows(result, options.signature ?? knownSignature(result), options);
  if (rows.length === 0) {
    return [{ text: 'nothing' }];
  }
  const more = rows.length > shownFields ? [{ text: `… ${rows.length - shownFields} more` }] : [];
  return [...rows.slice(0, shownFields).map(rowSummary), ...more];
}

/** The field's name, if any, and its value. */
function rowSummary({ index, name, value, brief }: Row): SummaryPart {
  const text = brief ?? value;
  const short = text.length > longestValue ? `${text.slice(0, longestValue - 1)}…` : text;
  return name === undefined || name === index ? { text: short } : { name, text: short };
}
