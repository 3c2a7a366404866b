import type { StateInit } from '@ton/core';
import { Address, Cell, beginCell, storeMessage } from '@ton/core';
import type { Access } from '../access/createAccess';
import type { V3Message, V3Transaction } from '../api/v3Objects';
import { WorkbenchError } from '../base/errors';
import type { SignedBody } from '../contracts/opcodes/readSignedBody';
import { neverExpires, readSignedBody } from '../contracts/opcodes/readSignedBody';
import type { Clock } from '../base/time';
import type { TraceModel } from '../trace/traceModel';
import type { ExternalMessage } from './externalMessage';
import { messageFate } from './messageFate';

/** An internal message forged in a contract's name. Only the local network accepts it. */
export interface InternalMessage {
  kind: 'internal';
  /** The message as a transaction would send it. */
  cell: Cell;
  source: Address;
  destination: Address;
  /** Nanocoins. */
  value: bigint;
  bounce: boolean;
  body: Cell;
  init: StateInit | undefined;
  /** Not signed. */
  signed: undefined;
  /** Hash of the cell, lowercase hex. The network sets its own time, so the sent message has a different hash. */
  hash: string;
}

/**
 * The message from one contract to another.
 * @param value nanocoins
 */
export function internalMessage(
  message: Pick<InternalMessage, 'source' | 'destination' | 'value' | 'bounce' | 'body' | 'init'>,
): InternalMessage {
  const { source, destination, value, bounce, body, init } = message;
  const cell = beginCell()
    .store(
      storeMessage({
        info: {
          type: 'internal',
          ihrDisabled: true,
          bounce,
          bounced: false,
          src: source,
          dest: destination,
          value: { coins: value },
          ihrFee: 0n,
          forwardFee: 0n,
          createdLt: 0n,
          createdAt: 0,
        },
        init: init ?? null,
        body,
      }),
    )
    .endCell();
  return { ...message, kind: 'internal', cell, signed: undefined, hash: cell.hash().toString('hex') };
}

/** What can be rehearsed and sent. */
export type SendableMessage = ExternalMessage | InternalMessage;

/** A message that was sent, and of which the network shows no trace (any more). */
export interface MissingMessage {
  /** Normalized hash, lowercase hex. */
  hash: string;
  /** Undefined if it is not a wallet's: then only time can tell. */
  order?: { destination: SendableMessage['destination']; body: Cell; signed: SignedBody } | undefined;
}

/** The wallet's transactions that are looked through for the one that took its place. */
const searched = 20;

/** Tolerance for clock differences when dating the hand-over, in seconds. */
const clockMargin = 300;

/** What is known about a message that its network does not show. */
export function missingMessage(hash: string, message: SendableMessage): MissingMessage {
  const { destination, body, signed } = message;
  const isOrder = message.kind === 'external' && signed !== undefined;
  return { hash, ...(isOrder ? { order: { destination, body, signed } } : {}) };
}

/** The message of a pending trace that has disappeared; undefined if it is not known. */
export function missingRoot({ roots: [root] }: TraceModel): MissingMessage | undefined {
  const { message, account } = root ?? {};
  const hash = message?.hash_norm ?? message?.hash;
  const body = bodyOf(message);
  const signed = body === undefined ? undefined : readSignedBody(body);
  return hash == null
    ? undefined
    : {
        hash,
        ...(account === undefined || body === undefined || signed === undefined
          ? {}
          : { order: { destination: Address.parseRaw(account), body, signed } }),
      };
}

/**
 * That a message can never be executed, and why: another one used its seqno, or it has expired. Undefined if it is
 * there, or if it may still come.
 *
 * @param since Unix seconds when it was sent
 * @returns `message-dropped` (failed)
 * @throws WorkbenchError if the network cannot tell now
 */
export async function whyDropped(
  access: Access,
  message: MissingMessage,
  { signal, clock, since }: { signal?: AbortSignal | undefined; clock: Clock; since: number },
): Promise<WorkbenchError | undefined> {
  const { hash, order } = message;
  if (order === undefined) {
    return undefined;
  }
  const { destination, signed } = order;
  const { transactions } = await access.v3.transactions(
    { account: [destination.toRawString()], limit: searched, sort: 'desc' },
    { signal, priority: 'user' },
  );
  const rival = displacedBy(order, transactions ?? []);
  if (rival !== undefined) {
    return droppedError(hash, `another message used this seqno (${signed.seqno})`, rival);
  }
  const { validUntil } = signed;
  const until = validUntil === neverExpires ? undefined : validUntil;
  const handedOver = { hashNorm: hash, destination, until, since: since - clockMargin };
  return (await messageFate(access, handedOver, { signal, clock })) === 'over'
    ? droppedError(hash, 'it expired before a block took it')
    : undefined;
}

/** That the network once had the message, and does not have it any more. */
export function droppedError(hash: string, why?: string, rival?: V3Transaction): WorkbenchError {
  const instead = rival?.hash == null ? undefined : rival.hash;
  return new WorkbenchError({
    code: 'message-dropped',
    kind: 'failed',
    message: `The message ${hash} was dropped: ${why ?? 'the network no longer has it'}. It moved nothing.`,
    hint:
      instead === undefined
        ? 'Send it again.'
        : `Look at what was executed instead, transaction ${instead}, and send it again if that was not intended.`,
    details: { hash, ...(instead === undefined ? {} : { instead }) },
  });
}

/** The transaction of another message that the wallet executed with the same seqno. */
function displacedBy(
  { body, signed }: NonNullable<MissingMessage['order']>,
  transactions: readonly V3Transaction[],
): V3Transaction | undefined {
  if (signed.seqno === undefined) {
    return undefined;
  }
  const own = body.hash().toString('hex');
  const received = transactions.map((transaction) => ({ transaction, other: bodyOf(transaction.in_msg) }));
  if (received.some(({ other }) => other?.hash().toString('hex') === own)) {
    return undefined;
  }
  return received.find(
    ({ transaction: { description }, other }) =>
      // A failed action phase takes the seqno back with the rest of the state.
      description?.aborted !== true &&
      other !== undefined &&
      readSignedBody(other, signed.family)?.seqno === signed.seqno,
  )?.transaction;
}

/** The body of an external message. */
function bodyOf(message: V3Message | null | undefined): Cell | undefined {
  const body = message?.message_content?.body;
  if (body == null || message?.source != null) {
    return undefined;
  }
  try {
    return Cell.fromBase64(body);
  } catch {
    return undefined;
  }
}
