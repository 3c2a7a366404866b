import type * as z from 'zod';
import type { v2Endpoints } from '../../access/v2/v2Endpoints';
import type { Exact } from '../../api/v3Objects';
import type { v2AccountAddress, v2BlockIdExt, v2ExtraCurrency, v2TransactionId } from '../../api/v2Objects';
import type { BlockRecord } from '../records/records';

export const masterchainShard = '-9223372036854775808';
export const zeroHash = '00'.repeat(32);

/** `ton.blockIdExt` of the masterchain block or of its basechain block. */
export function encodeBlockId(block: BlockRecord, workchain: 0 | -1): TypedBlockId {
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
export const zeroStateId: TypedBlockId = {
  '@type': 'ton.blockIdExt',
  workchain: -1,
  shard: masterchainShard,
  seqno: 0,
  root_hash: zeroHash,
  file_hash: zeroHash,
};

export function encodeTransactionId(lt: bigint, hash: string): TypedTransactionId {
  return { '@type': 'internal.transactionId', lt, hash };
}

export function encodeCurrencies(currencies: Readonly<Record<string, bigint>>): TypedExtraCurrency[] {
  return Object.entries(currencies).map(([id, amount]) => ({
    '@type': 'extraCurrency',
    id: Number(id),
    amount,
  }));
}

/** Empty string if there is none. */
export function encodeAddress(raw: string | null): string {
  return raw ?? '';
}

export type V2Name = keyof typeof v2Endpoints;

/** The `result` of a non-indexed API method before it is written as JSON: a wrong field name does not compile. */
export type V2Answer<Name extends V2Name> = Exact<z.output<(typeof v2Endpoints)[Name]['result']>>;

export type TypedBlockId = Typed<typeof v2BlockIdExt>;
export type TypedTransactionId = Typed<typeof v2TransactionId>;
type TypedExtraCurrency = Typed<typeof v2ExtraCurrency>;
export type TypedAccountAddress = Typed<typeof v2AccountAddress>;

/** With its `@type`, which only some services omit. */
type Typed<Schema extends z.ZodType> = Exact<z.output<Schema>> & { '@type': string };
