import * as z from 'zod';
import { parseBocInput } from '../cell/parseBocInput';
import { signOrders } from '../send/signOrders';
import { WorkbenchError, toWorkbenchError } from '../base/errors';
import { limits } from '../base/limits';
import type { LocalAccount } from '../accounts/localAccount';
import { numberWidths } from '../base/numberWidths';
import type { DestinationState } from '../send/preparedSend';
import { readDestination } from '../send/preparedSend';
import type { ExternalMessage } from '../send/externalMessage';
import { readExternalMessage } from '../send/externalMessage';
import { readWalletState } from '../send/walletState';
import type { Clock } from '../base/time';
import type { RequestBounds } from './checkTransaction';
import { checkTime, checkTransaction, transactionOrders } from './checkTransaction';
import { connectItems, deviceInfo } from './injectedScript';
import type { ProtocolError, WalletVerdict } from './protocol';
import { RefusedRequest, protocolCodes, refuseRequest } from './protocol';
import { readSignData, signData } from './signData';
import type { WalletRequest, WalletSession, WalletTask } from './walletBook';
import type { WalletNetwork } from './walletNetwork';

/** What a request is answered. */
export interface RequestOutcome {
  result?: unknown;
  error?: ProtocolError;
  /** Normalized hash of the message that was sent. */
  hash?: string;
}

/** What carrying a decision out needs. */
export interface CarryOutContext {
  network: WalletNetwork;
  clock: Clock;
  version: string;
  session: WalletSession;
  wallet: LocalAccount;
  /** The last seqno that each account has signed for, by its name: the next needs the state after it. */
  usedSeqnos: Map<string, number>;
  signal: AbortSignal;
  /** Keeps the signed message, before it is sent. */
  onSigned: (boc: string) => void;
}

/** Milliseconds between looks whether the account's last message was executed: the first pause, and the longest one. */
const seqnoPause = { first: 20, most: 500 };

/** Carries out a decision, up to the answer. Never throws but for the signal. */
export async function carryOut(
  request: WalletRequest,
  { decision }: WalletVerdict,
  context: CarryOutContext,
): Promise<RequestOutcome> {
  if (decision === 'reject') {
    return { error: { code: protocolCodes.declined, message: 'The user declined the request.' } };
  }
  if (decision === 'wrong-network' && request.method !== 'connect') {
    return { error: { code: protocolCodes.badRequest, message: 'The wallet is on another network.' } };
  }
  const { network, clock, session, wallet, version, signal } = context;
  const timestamp = Math.floor(clock.now() / 1000);
  try {
    switch (request.method) {
      case 'connect': {
        const chain = decision === 'wrong-network' ? otherChain(network.chain) : network.chain;
        const { domain } = session.dApp;
        const items = connectItems(request.params, wallet, { chain, domain, timestamp });
        return { result: { items, device: deviceInfo(wallet.kind, version) } };
      }
      case 'signData':
        return { result: signData(request.params, wallet, session.dApp.domain, timestamp) };
      case 'sendTransaction':
        return await sendTransaction(request, context);
    }
  } catch (error) {
    if (signal.aborted) {
      throw error;
    }
    return { error: protocolError(error) };
  }
}

/** The network that a wallet is said to be on when it is to be the wrong one. */
export function otherChain(chain: string): string {
  return chain === '-3' ? '-239' : '-3';
}

/** An error in the protocol's terms. */
export function protocolError(error: unknown): ProtocolError {
  return error instanceof RefusedRequest
    ? { code: error.code, message: error.message }
    : { code: protocolCodes.unknown, message: toWorkbenchError(error).message };
}

/** The message for a transaction as it would be signed now. */
export async function signTransaction(
  request: WalletRequest & { method: 'sendTransaction' },
  { network, clock, wallet, signal }: Pick<CarryOutContext, 'network' | 'clock' | 'wallet' | 'signal'>,
  readState = (): Promise<SigningState> => signingState(network, wallet, signal),
): Promise<ExternalMessage> {
  const { validUntil } = request.params;
  const { state, ahead } = await readState();
  checkTime(validUntil, clock.now() / 1000);
  // As long on the network's clock, which may have been moved, as on this machine's.
  const until = validUntil === undefined ? undefined : Math.min(validUntil + ahead, numberWidths.seconds);
  return signOrders(transactionOrders(request.params), wallet, state, until);
}

/** What signing takes, read. */
interface SigningState {
  state: DestinationState;
  /** Seconds that the network's clock is ahead of the machine's. */
  ahead: number;
  /** Whether no message waits for a block. */
  idle: boolean;
}

async function signingState(
  network: WalletNetwork,
  { address }: LocalAccount,
  signal: AbortSignal,
): Promise<SigningState> {
  const { account, ...clock } = await network.signingState(address, signal);
  return { state: readDestination(account), ...clock };
}

async function sendTransaction(
  request: WalletRequest & { method: 'sendTransaction' },
  context: CarryOutContext,
): Promise<RequestOutcome> {
  const { network, signal, onSigned, wallet, usedSeqnos } = context;
  let { boc } = request;
  let message: ExternalMessage | undefined;
  if (boc === undefined) {
    message = await signTransaction(request, context, () => settledState(request, context));
    boc = message.cell.toBoc().toString('base64');
    onSigned(boc);
  }
  message ??= readExternalMessage(parseBocInput(boc));
  const outcome = await network.send(message, signal);
  if (outcome.state !== 'failed') {
    usedSeqnos.set(wallet.name, message.signed?.seqno ?? 0);
  }
  return outcome.state === 'sent'
    ? { result: boc, hash: outcome.hash }
    : { error: { code: protocolCodes.unknown, message: outcome.error.message } };
}

/**
 * The state after the account's last message: a seqno signs one message only. If nothing waits for a block any more, that
 * message is gone, because the network went back or dropped it.
 * @throws WorkbenchError `timeout` if it was not executed in time
 */
async function settledState(
  { params: { validUntil = Infinity }, at }: WalletRequest & { method: 'sendTransaction' },
  { network, clock, wallet, usedSeqnos, signal }: CarryOutContext,
): Promise<SigningState> {
  const used = usedSeqnos.get(wallet.name) ?? -1;
  const end = Math.min(validUntil * 1000, at + limits.walletLifetime.most * 1000);
  let pause = seqnoPause.first;
  for (;;) {
    const read = await signingState(network, wallet, signal);
    if (seqnoOf(read.state) !== used || read.idle) {
      return read;
    }
    if (clock.now() + pause >= end) {
      throw lastMessageWaitsError(wallet.name);
    }
    await clock.sleep(pause, signal);
    pause = Math.min(2 * pause, seqnoPause.most);
  }
}

function seqnoOf({ code, data }: DestinationState): number {
  const state = code === undefined || data === undefined ? undefined : readWalletState(code, data);
  return state?.seqno ?? Infinity;
}

function lastMessageWaitsError(name: string): WorkbenchError {
  return new WorkbenchError({
    code: 'timeout',
    kind: 'failed',
    message: `The last message of ${name} still waits for a block, so this one was not signed. Nothing was sent for it.`,
    hint: 'If the network makes blocks only by hand, make one.',
  });
}

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
    chain,
    ...head
  }: Pick<WalletRequest, 'number' | 'digest' | 'at'> & { wallet: LocalAccount; chain: string },
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
  const bounds = { wallet, told: session.chain, chain, now: head.at / 1000 };
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
 * The task of a request.
 * @throws RefusedRequest with the protocol's codes
 */
function readTask({ method, params }: RequestEnvelope, bounds: RequestBounds): WalletTask {
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
