import type { BlockIdWire, ExtraCurrencyWire, TransactionIdWire } from './v2Answer';
import { friendlyAddress } from '../api/parseAddress';
import type { BlockRecord } from '../records/records';

export const masterchainShard = '-9223372036854775808';
export const zeroHash = Buffer.alloc(32).toString('base64');

/** `ton.blockIdExt` of the masterchain block or of its basechain block. */
export function encodeBlockId(block: BlockRecord, workchain: 0 | -1): BlockIdWire {
  const { rootHash, fileHash } = workchain === -1 ? block.master : block.shard;
  return {
    '@type': 'ton.blockIdExt',
    workchain,
    shard: masterchainShard,
    seqno: block.seqno,
    root_hash: rootHash,
    file_hash: fileHash,
  };
}

/** The state before the first block; its hashes are synthetic too. */
export const zeroStateId: BlockIdWire = {
  '@type': 'ton.blockIdExt',
  workchain: -1,
  shard: masterchainShard,
  seqno: 0,
  root_hash: zeroHash,
  file_hash: zeroHash,
};

export function encodeTransactionId(lt: bigint, hash: string): TransactionIdWire {
  return { '@type': 'internal.transactionId', lt: lt.toString(), hash };
}

export function encodeCurrencies(currencies: Readonly<Record<string, string>>): ExtraCurrencyWire[] {
  return Object.entries(currencies).map(([id, amount]) => ({
    '@type': 'extraCurrency',
    id: Number(id),
    amount,
  }));
}

/** Addresses inside answers are friendly and bounceable; none is an empty string. */
export function encodeAddress(raw: string | null): string {
  return raw === null ? '' : friendlyAddress(raw, true);
}
