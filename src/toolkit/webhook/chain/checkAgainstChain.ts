import { canonicalHash, sameAddress } from '../../address/canonicalAddress';
import { isoTime } from '../../base/text';
import { paymentComment } from '../payload/claimedReference';
import type { TransferData } from '../payload/payload';
import { isNativeAsset, nativeAsset, sameAsset } from '../values/asset';
import type { ChainLookup, ChainTrace } from './chainOf';
import type { ChainTransfer } from './happenedTransfers';
import { chainTransfers } from './happenedTransfers';

export type ChainFieldName =
  | 'txHash'
  | 'traceId'
  | 'amount'
  | 'asset'
  | 'sender'
  | 'recipient'
  | 'bodyHash'
  | 'comment'
  | 'success'
  | 'time';

/** One field of the payload next to the chain's value. */
export interface ChainField {
  field: ChainFieldName;
  verdict: 'equal' | 'differs' | 'unknown';
  /** From the payload. */
  payload: string;
  /** From the chain; null if it has none. */
  chain: string | null;
  /** Additional remark, or empty. */
  note: string;
}

export interface ChainReport {
  /** The trace used for comparison; undefined if the network knows neither txHash nor traceId. */
  traceId: string | undefined;
  /** No field differs and a payment was found. */
  ok: boolean;
  fields: ChainField[];
}

/** The fields that identify a payment. */
const identifying: readonly ChainFieldName[] = ['amount', 'asset', 'sender', 'recipient'];

const notSaid = 'the network does not say';
const noBody = 'the network does not show the body';

/** Tolerance: the service may date a transfer a little after its block. */
const timeTolerance = 120;

/**
 * Looks up a payment and compares it field by field with the chain. `unknown` is neither good nor bad: the chain, or
 * this network, has no data.
 *
 * @param coin additional name of the native coin
 * @throws the errors of the lookup
 */
export async function checkAgainstChain(
  data: TransferData,
  lookup: ChainLookup,
  coin?: string,
): Promise<ChainReport> {
  const txHash = canonicalHash(data.txHash);
  const traceId = canonicalHash(data.traceId);
  const transaction = txHash === undefined ? undefined : await lookup.transaction(txHash);
  const named = traceId === undefined ? undefined : await lookup.trace(traceId);
  const trace =
    named ?? (transaction?.traceId === undefined ? undefined : await lookup.trace(transaction.traceId));
  const best = trace === undefined ? undefined : bestTransfer(chainTransfers(trace), data, coin);
  const fieldsOfBest = best === undefined ? [] : transferFields(data, best, coin);
  // It is a different payment than the reported one, which may be in a message whose body the network does
  // not show.
  const isOther = fieldsOfBest.some(
    ({ field, verdict }) => verdict === 'differs' && identifying.includes(field),
  );
  const transfer = isOther && hidesBodies(trace) ? undefined : best;
  const fields = [
    txHashField(data, txHash, transaction, trace?.transactions, trace?.id ?? traceId),
    traceIdField(data, traceId, named, transaction),
    ...(transfer === undefined ? missingFields(data, trace) : fieldsOfBest),
  ];
  const differs = fields.some(({ verdict }) => verdict === 'differs');
  return { traceId: trace?.id, ok: !differs && transfer !== undefined, fields };
}

function hidesBodies(trace: ChainTrace | undefined): boolean {
  return (
    trace?.transactions.some(({ message }) => message !== undefined && message.body === undefined) === true
  );
}

/** @param traceId the trace that the payload refers to */
function txHashField(
  data: TransferData,
  hash: string | undefined,
  found: { traceId: string | undefined } | undefined,
  transactions: ChainTrace['transactions'] = [],
  traceId?: string,
): ChainField {
  const base = { field: 'txHash', payload: data.txHash } as const;
  if (hash === undefined) {
    return { ...base, verdict: 'unknown', chain: null, note: 'not a hash in a known format' };
  }
  if (transactions.some((one) => one.hash === hash)) {
    return { ...base, verdict: 'equal', chain: hash, note: '' };
  }
  if (found === undefined) {
    return { ...base, verdict: 'unknown', chain: null, note: 'this network has no such transaction' };
  }
  if (found.traceId === undefined) {
    const note = 'the network does not say which trace it belongs to';
    return { ...base, verdict: 'unknown', chain: hash, note };
  }
  return found.traceId === traceId
    ? { ...base, verdict: 'equal', chain: hash, note: '' }
    : { ...base, verdict: 'differs', chain: hash, note: 'this transaction belongs to another trace' };
}

function traceIdField(
  data: TransferData,
  id: string | undefined,
  found: ChainTrace | undefined,
  transaction: { traceId: string | undefined } | undefined,
): ChainField {
  const base = { field: 'traceId', payload: data.traceId } as const;
  if (found !== undefined) {
    const note =
      found.complete === undefined
        ? 'the network does not say whether the trace is complete'
        : found.complete
          ? ''
          : 'the trace is not complete yet';
    return { ...base, verdict: 'equal', chain: found.id, note };
  }
  const chain = transaction?.traceId ?? null;
  if (id === undefined) {
    return { ...base, verdict: 'unknown', chain, note: 'not a hash in a known format' };
  }
  if (chain === null) {
    return { ...base, verdict: 'unknown', chain, note: 'this network has no such trace' };
  }
  return chain === id
    ? { ...base, verdict: 'equal', chain, note: 'the network does not show the trace' }
    : { ...base, verdict: 'differs', chain, note: 'the transaction belongs to another trace' };
}

/** A trace can contain several payments: picks the one most likely meant by the payload. */
function bestTransfer(
  transfers: readonly ChainTransfer[],
  data: TransferData,
  coin?: string,
): ChainTransfer | undefined {
  const hash = canonicalHash(data.bodyBase64Hash);
  const score = (transfer: ChainTransfer): number =>
    2 * Number(transfer.asset !== undefined && sameAsset(transfer.asset, data.asset, coin)) +
    2 * Number(transfer.bodies.some((body) => body.hash === hash)) +
    2 * Number(sameAddress(transfer.recipient, data.recipientAddr)) +
    2 * Number(transfer.amount === BigInt(data.rawAmount)) +
    Number(sameAddress(transfer.sender, data.senderAddr)) +
    Number((transfer.asset === nativeAsset) === isNativeAsset(data.asset, coin));
  return transfers.reduce<ChainTransfer | undefined>(
    (best, one) => (best === undefined || score(one) > score(best) ? one : best),
    undefined,
  );
}

function transferFields(data: TransferData, transfer: ChainTransfer, coin?: string): ChainField[] {
  const { amount, asset, sender, recipient, success } = transfer;
  return [
    amount === undefined
      ? unknown('amount', data.rawAmount, notSaid)
      : compared('amount', data.rawAmount, String(amount), BigInt(data.rawAmount) === amount),
    asset === undefined
      ? unknown('asset', data.asset, "the jetton wallet's master is not known")
      : compared('asset', data.asset, asset, sameAsset(data.asset, asset, coin)),
    compared('sender', data.senderAddr, sender, sameAddress(data.senderAddr, sender)),
    compared('recipient', data.recipientAddr, recipient, sameAddress(data.recipientAddr, recipient)),
    bodyHashField(data, transfer),
    commentField(data, transfer),
    success === undefined
      ? unknown('success', data.status, notSaid)
      : compared(
          'success',
          data.status,
          success ? 'success' : 'failed',
          (data.status === 'success') === success,
        ),
    timeField(data, transfer),
  ];
}

/**
 * The documentation does not define which body is hashed: for a jetton transfer it may be the whole body or the
 * forward payload.
 */
function bodyHashField({ bodyBase64Hash: said }: TransferData, { bodies }: ChainTransfer): ChainField {
  const hash = canonicalHash(said);
  const [first] = bodies;
  if (hash === undefined) {
    return unknown('bodyHash', said, 'not a hash in a known format');
  }
  if (first === undefined) {
    return unknown('bodyHash', said, noBody);
  }
  const found = bodies.find((body) => body.hash === hash);
  const field = compared('bodyHash', said, (found ?? first).hash, found !== undefined);
  return { ...field, note: `${found === undefined ? 'the chain has ' : ''}that of ${(found ?? first).what}` };
}

function commentField(data: TransferData, { comment, bodies }: ChainTransfer): ChainField {
  const said = data.commentToRecipient ?? '';
  if (comment === undefined && bodies.length === 0) {
    return unknown('comment', said, noBody);
  }
  return comment === null
    ? unknown('comment', said, 'the message has something other than a text comment')
    : compared('comment', said, comment ?? '', said === (comment ?? '') || comment === paymentComment(data));
}

function timeField(data: TransferData, { time }: ChainTransfer): ChainField {
  if (time === undefined) {
    return unknown('time', data.date, notSaid);
  }
  const seconds = Math.round(Date.parse(data.date) / 1_000) - time;
  const chain = isoTime(time);
  const field = compared('time', data.date, chain, Math.abs(seconds) <= timeTolerance);
  return seconds === 0
    ? field
    : { ...field, note: `${Math.abs(seconds)} s ${seconds > 0 ? 'later' : 'earlier'} than the block` };
}

function missingFields(data: TransferData, trace: ChainTrace | undefined): ChainField[] {
  const note =
    trace === undefined
      ? 'not found on this network'
      : hidesBodies(trace)
        ? 'the network does not show what the messages of the trace contain'
        : 'the trace holds no payment';
  const said: [ChainFieldName, string][] = [
    ['amount', data.rawAmount],
    ['asset', data.asset],
    ['sender', data.senderAddr],
    ['recipient', data.recipientAddr],
    ['bodyHash', data.bodyBase64Hash],
    ['comment', data.commentToRecipient ?? ''],
    ['success', data.status],
    ['time', data.date],
  ];
  return said.map(([field, value]) => unknown(field, value, note));
}

function compared(field: ChainFieldName, payload: string, chain: string, equal: boolean): ChainField {
  return { field, verdict: equal ? 'equal' : 'differs', payload, chain, note: '' };
}

function unknown(field: ChainFieldName, payload: string, note: string): ChainField {
  return { field, verdict: 'unknown', payload, chain: null, note };
}
