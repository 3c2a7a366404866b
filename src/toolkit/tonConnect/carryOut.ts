import { parseBocInput } from '../cell/parseBocInput';
import { signForRelayer, signOrders } from '../send/signOrders';
import { WorkbenchError } from '../base/errors';
import { limits } from '../base/limits';
import type { LocalAccount } from '../accounts/localAccount';
import { numberWidths } from '../base/numberWidths';
import type { DestinationState } from '../send/preparedSend';
import { readDestination } from '../send/preparedSend';
import type { ExternalMessage } from '../send/externalMessage';
import { readExternalMessage } from '../send/externalMessage';
import { readWalletState } from '../send/walletState';
import type { Clock } from '../base/time';
import { transactionOrders } from './checkMessage';
import type { TransactionRequest } from './checkTransaction';
import { checkTime } from './checkTransaction';
import type { EmbeddedTask } from './connectLink';
import { connectItems, deviceInfo } from './injectedScript';
import type { ProtocolError, WalletDecision, WalletVerdict } from './protocol';
import { protocolCodes, protocolError } from './protocol';
import { signData } from './signData';
import { withMessages } from './transactionItems';
import type { WalletRequest, WalletSession } from './walletBook';
import type { WalletFeatures } from './walletFeatures';
import type { WalletNetwork, WalletSendOutcome } from './walletNetwork';

/** What a method is answered. */
interface MethodOutcome {
  result?: unknown;
  error?: ProtocolError;
  /** Normalized hash of the message that was sent. */
  hash?: string;
}

/** What a request is answered. */
export interface RequestOutcome extends MethodOutcome {
  /** Of an approved connection: the answer to the request in its link. */
  response?: Pick<MethodOutcome, 'result' | 'error'>;
}

/** What signing in an account's turn needs. */
export interface SeqnoContext {
  network: WalletNetwork;
  clock: Clock;
  wallet: LocalAccount;
  /** The last seqno that each account has signed for, by its name: the next needs the state after it. */
  usedSeqnos: Map<string, number>;
  signal: AbortSignal;
}

/** What carrying a decision out needs. */
export interface CarryOutContext extends SeqnoContext {
  version: string;
  session: WalletSession;
  features: WalletFeatures;
  /** Keeps the signed message, before it is sent or given to the dApp. */
  onSigned: (boc: string) => void;
}

/** What is known of a request whose method is carried out. */
type Carried = Pick<WalletRequest, 'at' | 'boc'>;

/** Milliseconds between looks whether the account's last message was executed: the first pause, and the longest one. */
const seqnoPause = { first: 20, most: 500 };

/** Carries out a decision, up to the answer. Never throws but for the signal. */
export async function carryOut(
  request: WalletRequest,
  { decision }: WalletVerdict,
  context: CarryOutContext,
): Promise<RequestOutcome> {
  if (request.method !== 'connect') {
    return carryOutTask(request, request, decision, context);
  }
  if (decision === 'reject') {
    return { error: declined };
  }
  const { network, clock, session, wallet, features, version } = context;
  const chain = decision === 'wrong-network' ? otherChain(network.chain) : network.chain;
  const { domain } = session.dApp;
  const timestamp = Math.floor(clock.now() / 1000);
  const items = connectItems(request.params, wallet, { chain, domain, timestamp });
  const result = { items, device: deviceInfo(features, version) };
  const { embedded } = request.params;
  if (embedded === undefined) {
    return { result };
  }
  if ('error' in embedded) {
    return { result, response: { error: embedded.error } };
  }
  const { hash, ...response } = await carryOutTask(embedded.task, request, decision, context);
  return { result, response, ...(hash === undefined ? {} : { hash }) };
}

const declined: ProtocolError = { code: protocolCodes.declined, message: 'The user declined the request.' };

const onlyConnected: ProtocolError = {
  code: protocolCodes.declined,
  message: 'The user connected the wallet, and declined the request in the link.',
};

/** Carries out what a dApp asks for over the bridge, or in its link. */
async function carryOutTask(
  task: EmbeddedTask,
  carried: Carried,
  decision: WalletDecision,
  context: CarryOutContext,
): Promise<MethodOutcome> {
  switch (decision) {
    case 'reject':
      return { error: declined };
    case 'connect-only':
      return { error: onlyConnected };
    case 'wrong-network':
      return { error: { code: protocolCodes.badRequest, message: 'The wallet is on another network.' } };
    case 'approve':
    case 'approve-lose-answer':
    case 'answer-late':
    case 'answer-twice':
  }
  const { clock, session, wallet, signal } = context;
  try {
    switch (task.method) {
      case 'signData': {
        const timestamp = Math.floor(clock.now() / 1000);
        return { result: signData(task.params, wallet, session.dApp.domain, timestamp) };
      }
      case 'sendTransaction':
        return await sendTransaction(task.params, carried, context);
      case 'signMessage':
        return await signMessage(task.params, carried, context);
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

type Signer = Pick<CarryOutContext, 'network' | 'clock' | 'wallet' | 'signal'>;

/** The message for a transaction as it would be signed now. */
export async function signTransaction(
  request: TransactionRequest,
  signer: Signer,
  readState?: () => Promise<SigningState>,
): Promise<ExternalMessage> {
  const { validUntil, messages } = await withMessages(request, signer.wallet.address, signer.network);
  const { state, ahead } = await currentState(validUntil, signer, readState);
  return signOrders(
    transactionOrders(messages),
    signer.wallet,
    state,
    validUntil === undefined ? undefined : onNetworkClock(validUntil, ahead),
  );
}

/**
 * The internal message for a relayer as it would be signed now: BoC, base64. It always ends: without a time of the dApp's, after
 * as long as a request lives.
 */
export async function signRelayed(
  request: TransactionRequest,
  signer: Signer,
  readState?: () => Promise<SigningState>,
): Promise<string> {
  const { validUntil, messages } = await withMessages(request, signer.wallet.address, signer.network);
  const { state, ahead } = await currentState(validUntil, signer, readState);
  const until = validUntil ?? Math.floor(signer.clock.now() / 1000) + limits.walletLifetime.most;
  const orders = transactionOrders(messages);
  const message = signForRelayer(orders, signer.wallet, state, onNetworkClock(until, ahead));
  return message.toBoc().toString('base64');
}

/** As long on the network's clock, which may have been moved, as on this machine's: Unix seconds. */
export function onNetworkClock(seconds: number, ahead: number): number {
  return Math.min(seconds + ahead, numberWidths.seconds);
}

/** @throws RefusedRequest if the request has expired meanwhile */
async function currentState(
  validUntil: number | undefined,
  { network, clock, wallet, signal }: Signer,
  readState = (): Promise<SigningState> => signingState(network, wallet, signal),
): Promise<SigningState> {
  const read = await readState();
  checkTime(validUntil, clock.now() / 1000);
  return read;
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
  request: TransactionRequest,
  carried: Carried,
  context: CarryOutContext,
): Promise<MethodOutcome> {
  let { boc } = carried;
  let message: ExternalMessage | undefined;
  if (boc === undefined) {
    message = await signTransaction(request, context, () =>
      settledState(request.validUntil, carried.at, context),
    );
    boc = message.cell.toBoc().toString('base64');
    context.onSigned(boc);
  }
  message ??= readExternalMessage(parseBocInput(boc));
  const outcome = await sendSigned(message, context);
  return outcome.state === 'sent'
    ? { result: boc, hash: outcome.hash }
    : { error: { code: protocolCodes.unknown, message: outcome.error.message } };
}

/** Sends a signed message, and keeps its seqno unless the network has refused it. */
export async function sendSigned(
  message: ExternalMessage,
  { network, wallet, usedSeqnos, signal }: SeqnoContext,
): Promise<WalletSendOutcome> {
  const outcome = await network.send(message, signal);
  if (outcome.state !== 'failed') {
    usedSeqnos.set(wallet.name, message.signed?.seqno ?? 0);
  }
  return outcome;
}

/** Signs once: what was signed is on the disk before the dApp has it, and is what it gets after a restart. */
async function signMessage(
  request: TransactionRequest,
  carried: Carried,
  context: CarryOutContext,
): Promise<MethodOutcome> {
  let { boc } = carried;
  if (boc === undefined) {
    boc = await signRelayed(request, context, () => settledState(request.validUntil, carried.at, context));
    context.onSigned(boc);
  }
  return { result: { internalBoc: boc } };
}

/**
 * The state after the account's last message: a seqno signs one message only. If nothing waits for a block any more, that
 * message is gone, because the network went back or dropped it.
 *
 * @param validUntil Unix seconds; undefined for no end
 * @param at when the message was asked for, Unix milliseconds
 * @throws WorkbenchError `timeout` if it was not executed in time
 */
export async function settledState(
  validUntil = Infinity,
  at: number,
  { network, clock, wallet, usedSeqnos, signal }: SeqnoContext,
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
    message: `The last message of ${name} still waits for a block, and this one needs its seqno. Nothing was sent for it.`,
    hint: 'If the network makes blocks only by hand, make one.',
  });
}
