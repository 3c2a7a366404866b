import { WorkbenchError } from '../toolkit/base/errors';
import { approvals, relayWays } from '../toolkit/tonConnect/protocol';
import type { Approval, RelayWay } from '../toolkit/tonConnect/protocol';
import type { FeatureWord } from '../toolkit/tonConnect/walletFeatures';
import { featureWords, parseFeatureWords } from '../toolkit/tonConnect/walletFeatures';
import { checkDecision } from '../toolkit/tonConnect/walletScript';
import type { WalletDecision } from './wallet';

/** The longest time that a timer can wait, in milliseconds. */
const longestWait = 2 ** 31 - 1;

/**
 * The options of a test's wallet, with their defaults. Tests in plain JavaScript have no other check.
 * @param known the names of the network's accounts
 * @throws WorkbenchError `usage`, `wallet-account-unknown`, `wallet-features-unknown` (input)
 */
export function checkTonOptions(
  given: unknown,
  known: readonly string[],
): { accounts: [string, ...string[]]; approve: Approval; features: FeatureWord[] } {
  const {
    accounts = ['alice'],
    approve,
    features = [],
  } = fieldsOf('ton', given, ['accounts', 'approve', 'features']);
  const [first, ...others] = namesIn('accounts', accounts, known.join(', '));
  if (first === undefined) {
    throw wrong('ton.accounts is empty.', `Give at least one of these: ${known.join(', ')}.`);
  }
  const missing = [first, ...others].find((name) => !known.includes(name));
  if (missing !== undefined) {
    throw new WorkbenchError({
      code: 'wallet-account-unknown',
      kind: 'input',
      message: `The local network has no account ${JSON.stringify(missing)}.`,
      hint: `It has: ${known.join(', ')}.`,
    });
  }
  return {
    accounts: [first, ...others],
    approve: approve === undefined ? 'ask' : wordOf('ton.approve', approve, approvals),
    features: namesIn('features', features, Object.keys(featureWords).join(', ')).flatMap((word) =>
      parseFeatureWords(word),
    ),
  };
}

/**
 * The options of `approve`: what is decided, and how long a test waits, in milliseconds.
 * @throws WorkbenchError `usage` (input)
 */
export function checkApproveOptions(given: unknown): {
  decision: WalletDecision;
  timeout: number | undefined;
} {
  const { decision = 'approve', timeout } = fieldsOf('approve', given, ['decision', 'timeout']);
  const { decision: word, seconds } = checkDecision(decision);
  return {
    decision: word === 'answer-late' && seconds !== undefined ? { decision: word, seconds } : word,
    timeout: timeIn(timeout),
  };
}

/**
 * The options of `reject`: how long a test waits, in milliseconds.
 * @throws WorkbenchError `usage` (input)
 */
export function checkRejectOptions(given: unknown): { timeout: number | undefined } {
  return { timeout: timeIn(fieldsOf('reject', given, ['timeout'])['timeout']) };
}

/**
 * What `relay` is to submit: the number of a request, if it is given, and the way.
 * @throws WorkbenchError `usage` (input)
 */
export function checkRelay(request: unknown, way: unknown): { number: number | undefined; way: RelayWay } {
  if (request !== undefined && !Number.isSafeInteger(request)) {
    throw wrong(
      `${shown(request)} is not the number of a request.`,
      'Call relay(number, way), or relay(undefined, way) for the last signed message.',
    );
  }
  return {
    number: request as number | undefined,
    way: way === undefined ? 'submit' : wordOf('The way to relay', way, relayWays),
  };
}

function timeIn(given: unknown): number | undefined {
  if (given !== undefined && !(typeof given === 'number' && given > 0 && given <= longestWait)) {
    throw wrong(`${shown(given)} is not a timeout.`, 'Give milliseconds: a number above 0.');
  }
  return given;
}

/** An object with no other fields than those that are known. */
function fieldsOf<Name extends string>(
  what: string,
  given: unknown = {},
  known: readonly Name[],
): Partial<Record<Name, unknown>> {
  const hint = `It takes these: ${known.join(', ')}.`;
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw wrong(`The options of ${what} are not an object: ${shown(given)}.`, hint);
  }
  const strange = Object.keys(given).find((key) => !known.some((one) => one === key));
  if (strange !== undefined) {
    throw wrong(`${what} has no option ${JSON.stringify(strange)}.`, hint);
  }
  return given;
}

function wordOf<Word extends string>(what: string, given: unknown, known: readonly Word[]): Word {
  const found = known.find((one) => one === given);
  if (found === undefined) {
    throw wrong(`${what} cannot be ${shown(given)}.`, `Give one of these: ${known.join(', ')}.`);
  }
  return found;
}

function namesIn(option: string, given: unknown, some: string): string[] {
  if (!Array.isArray(given) || !given.every((one): one is string => typeof one === 'string')) {
    throw wrong(
      `ton.${option} is not a list of names: ${shown(given)}.`,
      `Give a list of some of these: ${some}.`,
    );
  }
  return given;
}

/** A value in an error: short, and in one line. */
function shown(value: unknown): string {
  return (JSON.stringify(value) ?? String(value)).slice(0, 60);
}

function wrong(message: string, hint: string): WorkbenchError {
  return new WorkbenchError({ code: 'usage', kind: 'input', message, hint });
}
