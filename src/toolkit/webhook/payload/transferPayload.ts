import { createHash } from 'node:crypto';
import { systemClock } from '../../base/time';
import type { Clock } from '../../base/time';
import { nativeAsset } from '../values/asset';
import { completedEvent } from './payload';
import type { TransferPayload } from './payload';

/** A transfer that happened, on any network. */
export interface HappenedTransfer {
  /** Human units: `10.5`. */
  amount: string;
  /** Base units. */
  rawAmount: bigint;
  /** `TON` or the jetton master's address. */
  asset: string;
  ticker?: string | undefined;
  sender: string;
  recipient: string;
  /** Hex. */
  txHash: string;
  /** Logical time of the transaction; undefined if the network does not say. */
  lt?: bigint | undefined;
  /** Hex. */
  traceId: string;
  comment?: string | undefined;
  success: boolean;
  /** Unix seconds. */
  time: number;
  /** Base64 hash of the message body; made up if missing. */
  bodyHash?: string | undefined;
  errorCode?: number | undefined;
  errorMessage?: string | undefined;
}

/** What the service would send for a transfer. The reference is the order's, which is not on the chain. */
export function transferPayload(
  transfer: HappenedTransfer,
  { reference, clock = systemClock }: { reference: string; clock?: Clock },
): TransferPayload {
  const ticker = transfer.ticker ?? (transfer.asset === nativeAsset ? nativeAsset : undefined);
  return {
    event: completedEvent,
    timestamp: new Date(clock.now()).toISOString(),
    data: {
      amount: transfer.amount,
      rawAmount: transfer.rawAmount.toString(),
      senderAddr: transfer.sender,
      recipientAddr: transfer.recipient,
      asset: transfer.asset,
      ...(ticker === undefined ? {} : { assetTicker: ticker }),
      status: transfer.success ? 'success' : 'failed',
      reference,
      bodyBase64Hash: transfer.bodyHash ?? createHash('sha256').update(transfer.txHash).digest('base64'),
      txHash: transfer.txHash,
      traceId: transfer.traceId,
      ...(transfer.comment === undefined ? {} : { commentToRecipient: transfer.comment }),
      date: new Date(transfer.time * 1_000).toISOString(),
      ...(transfer.success
        ? {}
        : { errorCode: transfer.errorCode ?? 0, errorMessage: transfer.errorMessage ?? 'Transfer failed' }),
    },
  };
}
