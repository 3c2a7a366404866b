import { fromNano } from '@ton/core';
import { WorkbenchError } from '../base/errors';
import { readTonAmount } from '../stack/integerText';

/** Nanocoins that one request may move on the main network, unless the user has raised it by hand. */
const defaultMainnetLimit = 1_000_000_000n;

/**
 * The limit from a text in TON: `5`, `0.5`, `5ton`.
 * @returns nanocoins; undefined if it is none
 */
export function readMainnetLimit(text: string): bigint | undefined {
  return readTonAmount(text);
}

/**
 * Keeps a request on the main network within the limit.
 *
 * @param value nanocoins
 * @param limit as of {@link readMainnetLimit}; undefined for {@link defaultMainnetLimit}
 * @param source what the user raises: a variable or a setting
 * @throws WorkbenchError `mainnet-limit` (input)
 */
export function requireWithinLimit(value: bigint, limit: string | undefined, source: string): void {
  const most = limit === undefined ? defaultMainnetLimit : readMainnetLimit(limit);
  if (most === undefined) {
    throw new WorkbenchError({
      code: 'mainnet-limit',
      kind: 'input',
      message: `${source} is no amount in TON: ${JSON.stringify(limit)}.`,
      hint: 'Give a number, such as 5 or 0.5. Nothing was handed over.',
    });
  }
  if (value > most) {
    throw new WorkbenchError({
      code: 'mainnet-limit',
      kind: 'input',
      message: `MAIN NETWORK: ${fromNano(value)} TON is more than one request may move, ${fromNano(most)} TON.`,
      hint: `Send less, or raise ${source} by hand. Nothing was handed over.`,
      details: { value: value.toString(), most: most.toString() },
    });
  }
}
