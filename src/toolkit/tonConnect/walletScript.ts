import * as z from 'zod';
import { WorkbenchError } from '../base/errors';
import { relayWays, walletDecisions } from './protocol';
import type { RelayWay, WalletDecision, WalletVerdict } from './protocol';

const decision = z.enum(walletDecisions);
const mostLateness = 3_600;
const seconds = z.number().nonnegative().max(mostLateness);

/** A decision as scripts and programs write it: a word, or `{"decision": "answer-late", "seconds": 5}`. */
const scriptedDecision: z.ZodType<WalletDecision | WalletVerdict> = z.union([
  decision,
  z.strictObject({ decision, seconds: seconds.optional() }),
]);
const script = z.array(scriptedDecision).max(10_000);

/**
 * A decision as a program gives it: one in plain JavaScript has no other check.
 * @throws WorkbenchError `usage` (input)
 */
export function checkDecision(given: unknown): WalletVerdict {
  const { data } = scriptedDecision.safeParse(given);
  if (data === undefined) {
    throw new WorkbenchError({
      code: 'usage',
      kind: 'input',
      message: `${(JSON.stringify(given) ?? String(given)).slice(0, 60)} is not a decision.`,
      hint: `Give one of these: ${walletDecisions.join(', ')}; or { decision: 'answer-late', seconds: 5 }.`,
    });
  }
  return typeof data === 'string' ? { decision: data } : data;
}

/**
 * The decisions of a script: a JSON list of words, or of `{"decision": "answer-late", "seconds": 5}`.
 * @throws WorkbenchError `wallet-script-invalid` (input)
 */
export function parseWalletScript(text: string): WalletVerdict[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw invalid('it is not JSON', cause);
  }
  const read = script.safeParse(value);
  if (!read.success) {
    const [place] = read.error.issues[0]?.path ?? [];
    throw invalid(typeof place === 'number' ? `entry ${place + 1} is not a decision` : 'it is not a list');
  }
  return read.data.map((one) => (typeof one === 'string' ? { decision: one } : one));
}

/**
 * A decision as typed: `approve`, `reject 3`, `answer-late 2 5` (request 2, after 5 s, at most an hour). Undefined if it is
 * none.
 */
export function parseTypedDecision(
  line: string,
): { number: number | undefined; verdict: WalletVerdict } | undefined {
  const [word = '', number, seconds, ...rest] = line.trim().split(/\s+/);
  const found = walletDecisions.find((one) => one === word);
  const isWhole = [number, seconds].every((one) => one === undefined || /^\d{1,9}$/.test(one));
  if (found === undefined || !isWhole || rest.length > 0 || Number(seconds ?? 0) > mostLateness) {
    return undefined;
  }
  return {
    number: number === undefined ? undefined : Number(number),
    verdict: { decision: found, ...(seconds === undefined ? {} : { seconds: Number(seconds) }) },
  };
}

/** A relayer's deed as typed: `submit`, `submit-twice 3` (of request 3). Undefined if it is none. */
export function parseTypedRelay(line: string): { number: number | undefined; way: RelayWay } | undefined {
  const [word = '', number, ...rest] = line.trim().split(/\s+/);
  const way = relayWays.find((one) => one === word);
  const isWhole = number === undefined || /^\d{1,9}$/.test(number);
  return way === undefined || !isWhole || rest.length > 0
    ? undefined
    : { way, number: number === undefined ? undefined : Number(number) };
}

function invalid(reason: string, cause?: unknown): WorkbenchError {
  return new WorkbenchError({
    code: 'wallet-script-invalid',
    kind: 'input',
    message: `The script of the test wallet cannot be used: ${reason}.`,
    hint: `Give a JSON list of decisions: ${walletDecisions.map((one) => `"${one}"`).join(', ')}.`,
    cause,
  });
}
