import type { ChainLookup } from './chainLookup';
import { v3ChainLookup } from './v3ChainLookup';
import type { V3Calls } from './v3ChainLookup';

/** A client of the v3 API whose calls can be cancelled, such as an `Access`. */
export interface V3Client {
  v3: {
    [Name in keyof V3Calls]: (
      parameters: Parameters<V3Calls[Name]>[0],
      options: { signal: AbortSignal },
    ) => ReturnType<V3Calls[Name]>;
  };
}

/** Payments of a network, looked up over its v3 API. */
export function chainOf({ v3 }: V3Client, signal: AbortSignal): ChainLookup {
  return v3ChainLookup({
    transactions: (parameters) => v3.transactions(parameters, { signal }),
    traces: (parameters) => v3.traces(parameters, { signal }),
    jettonWallets: (parameters) => v3.jettonWallets(parameters, { signal }),
  });
}
