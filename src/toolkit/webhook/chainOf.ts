import type { Access } from '../access/createAccess';
import type { ChainLookup } from './chainLookup';
import { v3ChainLookup } from './v3ChainLookup';

/** Payments of a network, looked up over its v3 API. */
export function chainOf({ v3 }: Access, signal: AbortSignal): ChainLookup {
  return v3ChainLookup({
    transactions: (parameters) => v3.transactions(parameters, { signal }),
    traces: (parameters) => v3.traces(parameters, { signal }),
    jettonWallets: (parameters) => v3.jettonWallets(parameters, { signal }),
  });
}
