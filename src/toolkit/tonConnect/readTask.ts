import * as z from 'zod';
import { limits } from '../base/limits';
import type { LocalAccount } from '../accounts/localAccount';
import type { RequestBounds } from './checkTransaction';
import { checkTransaction } from './checkTransaction';
import type { EmbeddedTask } from './connectLink';
import { expandEmbedded } from './expandEmbedded';
import type { ProtocolError } from './protocol';
import { RefusedRequest, protocolCodes, protocolError, refuseRequest } from './protocol';
import { readSignData } from './signData';
import type { WalletRequest, WalletSession } from './walletBook';
import type { WalletFeatures } from './walletFeatures';

/** A request as far as its answer needs it. */
export type AskedRequestFacts = Pick<WalletRequest, 'number' | 'session' | 'id' | 'digest' | 'at'> & {
  method: string;
};

/** What a message is, with the session as it is after it. */
type JudgedMessage =
  /** Its id is so old that nobody can tell whether it was answered. */
  | { kind: 'ignored' }
  | { kind: 'refused'; asked: AskedRequestFacts; session: WalletSession; error: ProtocolError }
  | { kind: 'disconnect'; asked: AskedRequestFacts; session: WalletSession }
  | { kind: 'request'; request: WalletRequest; session: WalletSession };

/** Judges a message that was not seen before, by its id, the session's state, and its own contents. */
export function judgeMessage(
  session: WalletSession,
  envelope: RequestEnvelope,
  {
    wallet,
    features,
    chain,
    ...head
  }: Pick<WalletRequest, 'number' | 'digest' | 'at'> & {
    wallet: LocalAccount;
    features: WalletFeatures;
    chain: string;
  },
): JudgedMessage {
  const { id, method } = envelope;
  const place = { ...head, session: session.id, id };
  const asked = { ...place, method };
  const newer = session.lastId === undefined ? 1n : BigInt(id) - BigInt(session.lastId);
  if (newer <= -BigInt(limits.walletQueue.most)) {
    return { kind: 'ignored' };
  }
  if (newer <= 0n) {
    const message = `The id ${id} is not greater than the last one.`;
    return { kind: 'refused', asked, session, error: { code: protocolCodes.badRequest, message } };
  }
  const seen = { ...session, lastId: id };
  if (session.state !== 'connected') {
    const error = { code: protocolCodes.unknownApp, message: 'The dApp is not connected.' };
    return { kind: 'refused', asked, session: seen, error };
  }
  if (method === 'disconnect') {
    return { kind: 'disconnect', asked, session: seen };
  }
  const bounds = { wallet, features, told: session.chain, chain, now: head.at / 1000 };
  try {
    return { kind: 'request', request: { ...place, ...readTask(envelope, bounds) }, session: seen };
  } catch (error) {
    return { kind: 'refused', asked, session: seen, error: protocolError(error) };
  }
}

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
 * What the request in a connect link asks for, or why it cannot be carried out.
 * @param text as in the link
 */
export function readEmbedded(
  text: string,
  bounds: RequestBounds,
): { task: EmbeddedTask } | { error: ProtocolError } {
  try {
    return { task: readTask(expandEmbedded(text), bounds) };
  } catch (error) {
    return { error: protocolError(error) };
  }
}

/**
 * The task of a request.
 * @throws RefusedRequest with the protocol's codes
 */
function readTask(
  { method, params }: Pick<RequestEnvelope, 'method' | 'params'>,
  bounds: RequestBounds,
): EmbeddedTask {
  const { features, wallet } = bounds;
  if (method === 'sendTransaction' || (method === 'signMessage' && features.signMessage)) {
    return { method, params: checkTransaction(firstOf(params), bounds) };
  }
  if (method === 'signData' && features.signData) {
    return { method, params: readSignData(firstOf(params), bounds) };
  }
  const known = method === 'signMessage' || method === 'signData';
  const by = known ? `this wallet (${wallet.kind})` : 'TON Connect wallets';
  throw new RefusedRequest(protocolCodes.notSupported, `${method.slice(0, 100)} is not supported by ${by}`);
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
