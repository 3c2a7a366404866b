import * as z from 'zod';
import { checkTransaction } from './checkTransaction';
import type { RequestBounds } from './checkTransaction';
import { RefusedRequest, protocolCodes, refuseRequest } from './protocol';
import { readSignData } from './signData';
import type { WalletTask } from './walletRequest';

const envelope = z.object({
  method: z.string().max(100),
  params: z.array(z.unknown()).max(10).optional(),
  id: z.union([z.string().regex(/^\d{1,30}$/), z.number().int().nonnegative()]),
});

/** A message of a dApp in a session, before its parameters are looked at. */
export interface RequestEnvelope {
  method: string;
  params: readonly unknown[];
  /** Decimal. */
  id: string;
}

/** Undefined if it is no request: then it has no id to answer to. */
export function readEnvelope(text: string): RequestEnvelope | undefined {
  try {
    const { method, params = [], id } = envelope.parse(JSON.parse(text));
    return { method, params, id: String(id) };
  } catch {
    return undefined;
  }
}

/**
 * The task of a request.
 * @throws RefusedRequest with the protocol's codes
 */
export function readTask({ method, params }: RequestEnvelope, bounds: RequestBounds): WalletTask {
  if (method === 'sendTransaction') {
    return { method, params: checkTransaction(firstOf(params), bounds) };
  }
  if (method === 'signData') {
    return { method, params: readSignData(firstOf(params), bounds) };
  }
  throw new RefusedRequest(protocolCodes.notSupported, `${method} is not supported`);
}

/** The parameter: JSON in a string. */
function firstOf([first]: readonly unknown[]): unknown {
  if (typeof first !== 'string') {
    return refuseRequest('params is not a list of one JSON string');
  }
  try {
    return JSON.parse(first);
  } catch {
    return refuseRequest('params[0] is not JSON');
  }
}
