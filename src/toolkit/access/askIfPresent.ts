import { WorkbenchError } from '../base/errors';

/** The methods that the service of each keeper is known to lack. */
const lacking = new WeakMap<object, Set<string>>();

/** How to recognize and remember that a service lacks a method. */
export interface AskIfPresentOptions {
  /** The name of the method. */
  method: string;
  /** Remembers that the service lacks it: the network for good, or an object that lives only as long as one task. */
  keeper: object;
  /**
   * Whether 422 means that, too. Some services answer an unknown method with it, others an invalid value of a
   * known one.
   */
  or422?: boolean;
}

/**
 * Asks a method that not every service has, unless the keeper knows that this one lacks it. What counts here
 * is how a service answers, not what it claims to be: see v2Variant for that.
 *
 * @returns undefined if the service lacks the method
 */
export async function askIfPresent<T>(
  { method, keeper, or422 = false }: AskIfPresentOptions,
  ask: () => Promise<T>,
): Promise<T | undefined> {
  const known = lacking.get(keeper) ?? new Set();
  if (known.has(method)) {
    return undefined;
  }
  try {
    return await ask();
  } catch (error) {
    if (!saysLacking(error, or422)) {
      throw error;
    }
    lacking.set(keeper, known.add(method));
    return undefined;
  }
}

function saysLacking(error: unknown, or422: boolean): boolean {
  if (!WorkbenchError.is(error)) {
    return false;
  }
  const { status, serviceText } = error.details;
  return (
    error.code === 'not-found' ||
    (error.code === 'bad-request' && [404, 405, ...(or422 ? [422] : [])].includes(Number(status))) ||
    /method not (?:found|supported)|unknown method/i.test(String(serviceText))
  );
}
