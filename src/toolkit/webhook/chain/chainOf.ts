import type { ChainLookup } from './chainLookup';
import { v3ChainLookup } from './v3ChainLookup';
import type { AskV3 } from './v3ChainLookup';

/** A network's v3 API that returns JSON as sent by the service and can be canceled. */
export interface V3Source {
  request(
    endpoint: Parameters<AskV3>[0],
    parameters: Parameters<AskV3>[1],
    signal: AbortSignal | undefined,
  ): Promise<unknown>;
}

/** Payments of a network, looked up over its v3 API. */
export function chainOf(source: V3Source, signal: AbortSignal): ChainLookup {
  return v3ChainLookup((endpoint, parameters) => source.request(endpoint, parameters, signal));
}
