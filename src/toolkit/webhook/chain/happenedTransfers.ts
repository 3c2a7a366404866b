import { Cell } from '@ton/core';
import { decodeBody } from '../../contracts/opcodes/decodeBody';
import type { DecodedBody } from '../../contracts/opcodes/decodedBody';
import { addressOf, integerOf, valueOf } from '../../contracts/opcodes/decodedBody';
import type { HappenedTransfer } from '../payload/transferPayload';
import { fromBaseUnits } from '../values/amount';
import { knownDecimals, nativeAsset } from '../values/asset';
import type { ChainMessage, ChainTrace, ChainTransaction } from './chainOf';

/**
 * The payments of a trace, ready for {@link transferPayload}. Omits payments whose amount, time, or jetton master the
 * network does not report.
 */
export function happenedTransfers(trace: ChainTrace): HappenedTransfer[] {
  return chainTransfers(trace).flatMap(
    ({ asset, amount, sender, recipient, comment, success, time, txHash, lt, bodies }) =>
      asset === undefined || amount === undefined || time === undefined
        ? []
        : [
            {
              amount: fromBaseUnits(amount, knownDecimals(asset) ?? 9),
              rawAmount: amount,
              asset,
              sender,
              recipient,
              txHash,
              lt,
              traceId: trace.id,
              comment: comment ?? undefined,
              success: success === true,
              time,
              bodyHash: bodies[0] && Buffer.from(bodies[0].hash, 'hex').toString('base64'),
            },
          ],
  );
}

/** A payment found in a trace. */
export interface ChainTransfer {
  /** `TON`, a jetton master (raw), or undefined if the jetton's master is unknown. */
  asset: string | undefined;
  /** Base units; undefined if the network does not say. */
  amount: bigint | undefined;
  /** Raw address. */
  sender: string;
  /** Raw address. */
  recipient: string;
  /** Undefined: none, if the network shows the body at all. Null: there is one that cannot be decoded. */
  comment: string | null | undefined;
  /** Undefined if the network does not say. */
  success: boolean | undefined;
  /** Unix seconds. */
  time: number | undefined;
  /** The transaction in which the payment was requested or arrived, 64 lowercase hex digits. */
  txHash: string;
  /** Its logical time, if the network tells it. */
  lt?: bigint | undefined;
  /** Bodies possibly hashed as `bodyBase64Hash`; most likely first. */
  bodies: readonly TransferBody[];
}

/** Messages whose coins serve jettons or NFTs and are not a payment. */
const serviceBodies = /^(jetton_|nft_|excess$)/;

/** Every payment of a trace: coins by message, jettons by the transfer requested by their owner (TEP-74). */
export function chainTransfers(trace: ChainTrace): ChainTransfer[] {
  const decoded = trace.transactions.map((transaction) => ({
    transaction,
    body: transaction.message?.body === undefined ? undefined : decodeBody(transaction.message.body),
  }));
  return decoded.flatMap(({ transaction, body }) => {
    const { message } = transaction;
    if (message === undefined || message.bounced === true) {
      return [];
    }
    if (body?.name === 'jetton_transfer' && !body.broken) {
      return jettonTransfer(trace, decoded, transaction, { message, body });
    }
    if (message.value === 0n || serviceBodies.test(body?.name ?? '')) {
      return [];
    }
    return [
      {
        asset: nativeAsset,
        amount: message.value,
        sender: message.source,
        recipient: transaction.account,
        comment: commentOf(body, message.body),
        // An account without code cannot compute but still gets the coins: only a bounce returns them.
        success: isKept(trace, transaction.account, message.source),
        time: transaction.time,
        txHash: transaction.hash,
        lt: transaction.lt,
        bodies: coinBodies(message),
      },
    ];
  });
}

interface Decoded {
  transaction: ChainTransaction;
  body: DecodedBody | undefined;
}

function jettonTransfer(
  trace: ChainTrace,
  all: readonly Decoded[],
  { account, time, hash, lt }: ChainTransaction,
  { message, body }: { message: ChainMessage; body: DecodedBody },
): ChainTransfer[] {
  const amount = integerOf(body, 'amount');
  const recipient = addressOf(body, 'destination');
  if (amount === undefined || recipient === undefined) {
    return [];
  }
  const received = all.find(
    (other) =>
      other.body?.name === 'jetton_internal_transfer' &&
      other.transaction.message?.source === account &&
      other.transaction.message.bounced !== true &&
      integerOf(other.body, 'query_id') === integerOf(body, 'query_id') &&
      integerOf(other.body, 'amount') === amount,
  );
  const payload = valueOf(body, 'forward_payload');
  return [
    {
      asset: trace.jettonMasters.get(account) ?? trace.jettonMasters.get(received?.transaction.account ?? ''),
      amount,
      sender: message.source,
      recipient,
      comment:
        payload?.type === 'body' ? commentOf(payload.value, '') : payload?.type === 'cell' ? null : undefined,
      success: received === undefined ? false : received.transaction.success,
      time: received?.transaction.time ?? time,
      txHash: hash,
      lt,
      bodies: jettonBodies(message),
    },
  ];
}

/** Text if it is a text comment; null if there is another body. */
function commentOf(body: DecodedBody | undefined, raw: string | undefined): string | null | undefined {
  if (body === undefined) {
    return raw === undefined ? undefined : null;
  }
  if (body.name === 'empty') {
    return undefined;
  }
  const text = body.name === 'text_comment' ? valueOf(body, 'comment') : undefined;
  return text?.type === 'text' ? text.value : null;
}

/** Whether nothing sent by `sender` to `receiver` bounced; undefined if the network does not say (yet). */
function isKept(
  { transactions, complete }: ChainTrace,
  receiver: string,
  sender: string,
): boolean | undefined {
  const back = transactions
    .filter(({ account, message }) => account === sender && message?.source === receiver)
    .map(({ message }) => message?.bounced);
  return back.includes(true) ? false : back.includes(undefined) || complete !== true ? undefined : true;
}

/** A body whose hash may be a payment's `bodyBase64Hash`. */
interface TransferBody {
  /** Its description: `the jetton transfer`. */
  what: string;
  /** 64 lowercase hex digits. */
  hash: string;
}

/** The body of a message with coins. */
export function coinBodies(message: ChainMessage): TransferBody[] {
  const hash = bodyHash(message);
  return hash === undefined ? [] : [{ what: "the message's body", hash }];
}

/** The body of a jetton transfer (TEP-74), and the payload in it that is forwarded to the recipient. */
export function jettonBodies(message: ChainMessage): TransferBody[] {
  const whole = bodyHash(message);
  const forwarded = forwardPayloadHash(message.body ?? '');
  return [
    ...(whole === undefined ? [] : [{ what: 'the body of the jetton transfer', hash: whole }]),
    ...(forwarded === undefined ? [] : [{ what: 'the forwarded payload inside it', hash: forwarded }]),
  ];
}

function bodyHash({ body, bodyHash: known }: ChainMessage): string | undefined {
  return known ?? (body === undefined ? undefined : parse(body)?.hash().toString('hex'));
}

function forwardPayloadHash(body: string): string | undefined {
  try {
    const slice = parse(body)
      ?.beginParse()
      .skip(32 + 64);
    slice?.loadCoins();
    slice?.loadAddressAny();
    slice?.loadAddressAny();
    slice?.loadMaybeRef();
    slice?.loadCoins();
    if (slice === undefined || slice.remainingBits === 0) {
      return undefined;
    }
    const payload = slice.loadBit() ? slice.loadRef() : slice.asCell();
    return payload.hash().toString('hex');
  } catch {
    return undefined;
  }
}

function parse(body: string): Cell | undefined {
  try {
    return Cell.fromBase64(body);
  } catch {
    return undefined;
  }
}
