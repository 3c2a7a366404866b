import type { TypedBlockId, V2Answer } from './encodeIds';
import { ApiError } from '../api/apiError';
import { mapInTurns } from '../../base/turns';
import type { LocalChain } from '../chain/localChain';
import type { TransactionRecord, BlockRecord } from '../records/records';
import { isMasterchain } from '../../cell/light/readMessage';
import { notReady } from './accounts';
import { encodeBlockId, masterchainShard, zeroHash, zeroStateId } from './encodeIds';
import { encodeTransactionStd } from './encodeV2Transaction';
import type { V2Parameters } from './transactions';

export function getMasterchainInfo({ ledger }: LocalChain): V2Answer<'getMasterchainInfo'> {
  return {
    '@type': 'blocks.masterchainInfo',
    last: encodeBlockId(ledger.last, -1),
    state_root_hash: zeroHash,
    init: zeroStateId,
  };
}

export function getConsensusBlock({ ledger }: LocalChain): V2Answer<'getConsensusBlock'> {
  return {
    '@type': 'ext.blocks.consensusBlock',
    consensus_block: ledger.last.seqno,
    timestamp: ledger.last.genUtime,
  };
}

/** There are no validators here, so nothing is signed or provable. */
function notSigned(): never {
  throw new ApiError(501, 'the local network has no validators: there are no block signatures and no proofs');
}

export function getMasterchainBlockSignatures({ ledger }: LocalChain, parameters: V2Parameters): never {
  const seqno = parameters.seqno() ?? parameters.fail('seqno required');
  return ledger.block(seqno) === undefined ? notReady() : notSigned();
}

export function getShardBlockProof({ ledger }: LocalChain, parameters: V2Parameters): never {
  requiredShard(parameters);
  const seqno = parameters.seqno() ?? parameters.fail('seqno required');
  const from = parameters.integer('from_seqno');
  if (from !== undefined && from < 0) {
    throw parameters.invalid('from_seqno should be non-negative');
  }
  const isThere = [seqno, ...(from === undefined || from === 0 ? [] : [from])].every(
    (one) => ledger.block(one) !== undefined,
  );
  return isThere ? notSigned() : notReady();
}

export function getShards({ ledger }: LocalChain, parameters: V2Parameters): V2Answer<'getShards'> {
  const seqno = parameters.seqno();
  if (seqno === undefined) {
    throw parameters.invalid('seqno required');
  }
  return { '@type': 'blocks.shards', shards: [encodeBlockId(ledger.block(seqno) ?? notReady(), 0)] };
}

export function lookupBlock({ ledger }: LocalChain, parameters: V2Parameters): V2Answer<'lookupBlock'> {
  const { workchain } = requiredShard(parameters);
  const seqno = parameters.integer('seqno');
  const lt = parameters.bigint('lt');
  const unixtime = parameters.integer('unixtime');
  if ([seqno, lt, unixtime].filter((value) => value !== undefined).length !== 1) {
    throw parameters.invalid('exactly one of seqno, lt, unixtime should be specified');
  }
  if (seqno !== undefined && seqno <= 0) {
    throw parameters.invalid('seqno should be positive');
  }
  if (lt !== undefined && lt < 0n) {
    throw parameters.invalid('lt should be non-negative');
  }
  if (unixtime !== undefined && unixtime < 0) {
    throw parameters.invalid('unixtime should be non-negative');
  }
  const block =
    seqno !== undefined
      ? ledger.block(seqno)
      : first(ledger.blocks, ({ endLt, genUtime }) =>
          lt === undefined ? genUtime >= (unixtime ?? 0) : endLt >= lt,
        );
  return encodeBlockId(block ?? notReady(), workchain);
}

/** The first block at or after a value, for properties that only grow. */
function first(
  blocks: readonly BlockRecord[],
  reached: (block: BlockRecord) => boolean,
): BlockRecord | undefined {
  let low = 0;
  let high = blocks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (reached(blocks[middle] as BlockRecord)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return blocks[low];
}

export function getBlockHeader(
  { ledger, config }: LocalChain,
  parameters: V2Parameters,
): V2Answer<'getBlockHeader'> {
  const { block, workchain } = requiredBlock({ ledger }, parameters);
  const previous = ledger.block(block.seqno - 1);
  return {
    '@type': 'blocks.header',
    id: encodeBlockId(block, workchain),
    global_id: config.globalId,
    version: 0,
    after_merge: false,
    after_split: false,
    before_split: false,
    want_merge: false,
    want_split: false,
    validator_list_hash_short: 0,
    catchain_seqno: 0,
    min_ref_mc_seqno: block.seqno,
    is_key_block: workchain === -1 && block.seqno === ledger.firstSeqno,
    prev_key_block_seqno: block.seqno === ledger.firstSeqno ? 0 : ledger.firstSeqno,
    start_lt: block.startLt,
    end_lt: block.endLt,
    gen_utime: block.genUtime,
    prev_blocks: [
      previous === undefined
        ? { ...zeroStateId, workchain, seqno: ledger.base.seqno }
        : encodeBlockId(previous, workchain),
    ],
  };
}

export function getOutMsgQueueSize(chain: LocalChain): V2Answer<'getOutMsgQueueSize'> {
  const id = encodeBlockId(chain.ledger.last, 0);
  return {
    '@type': 'blocks.outMsgQueueSizes',
    shards: [{ '@type': 'blocks.outMsgQueueSize', id, size: chain.carried }],
    ext_msg_queue_size_limit: 8192,
  };
}

export function getBlockTransactions(
  chain: LocalChain,
  parameters: V2Parameters,
): V2Answer<'getBlockTransactions'> {
  const { id, count, incomplete, rows } = selectTransactions(chain, parameters);
  const transactions = rows.map((record) => ({
    '@type': 'blocks.shortTxId',
    mode: 135,
    account: record.account.address,
    lt: record.lt,
    hash: record.hash,
  }));
  return { '@type': 'blocks.transactions', id, req_count: count, incomplete, transactions };
}

export async function getBlockTransactionsExt(
  chain: LocalChain,
  parameters: V2Parameters,
): Promise<V2Answer<'getBlockTransactionsExt'>> {
  const { id, count, incomplete, rows } = selectTransactions(chain, parameters);
  const transactions = await mapInTurns(rows, (record) => encodeTransactionStd(record, true));
  return { '@type': 'blocks.transactionsExt', id, req_count: count, incomplete, transactions };
}

function selectTransactions(
  chain: LocalChain,
  parameters: V2Parameters,
): { id: TypedBlockId; count: number; incomplete: boolean; rows: TransactionRecord[] } {
  const { block, workchain } = requiredBlock(chain, parameters);
  const count = parameters.integer('count') ?? 40;
  const afterLt = parameters.bigint('after_lt');
  const afterHash = parameters.hash('after_hash');
  if (count <= 0) {
    throw parameters.invalid('count should be positive');
  }
  if (count > 10_000) {
    throw parameters.invalid('count should be less or equal 10000');
  }
  if ((afterLt ?? 0n) < 0n) {
    throw parameters.invalid('after_lt should be non-negative');
  }
  if ((afterLt === undefined) !== (afterHash === undefined)) {
    throw parameters.invalid('after_lt and after_hash should be used together');
  }
  // A block lists its accounts by id, and each account's transactions by lt.
  const all = block.transactions
    .filter(({ account }) => isMasterchain(account.address) === (workchain === -1))
    .sort((a, b) =>
      a.account === b.account ? Number(a.lt - b.lt) : a.account.address < b.account.address ? -1 : 1,
    );
  const after = all.findIndex(
    ({ lt, account }) => lt === afterLt && account.address.split(':')[1] === afterHash,
  );
  const rows = all.slice(after + 1, after + 1 + count);
  return { id: encodeBlockId(block, workchain), count, incomplete: after + 1 + count < all.length, rows };
}

function requiredBlock(
  { ledger }: Pick<LocalChain, 'ledger'>,
  parameters: V2Parameters,
): { block: BlockRecord; workchain: 0 | -1 } {
  const { workchain } = requiredShard(parameters);
  const seqno = parameters.seqno();
  if (seqno === undefined) {
    throw parameters.invalid('seqno required');
  }
  const block = ledger.block(seqno) ?? notReady();
  const { rootHash, fileHash } = workchain === -1 ? block.master : block.shard;
  const wrong = (name: string, own: string): boolean => (parameters.hash(name) ?? own) !== own;
  return wrong('root_hash', rootHash) || wrong('file_hash', fileHash) ? notReady() : { block, workchain };
}

function requiredShard(parameters: V2Parameters): { workchain: 0 | -1 } {
  const workchain = parameters.integer('workchain');
  const shard = parameters.text('shard');
  if (workchain === undefined) {
    throw parameters.invalid('workchain required');
  }
  if (shard === undefined) {
    throw parameters.invalid('shard required');
  }
  const whole = [masterchainShard, '9223372036854775808', '8000000000000000'].includes(shard);
  if (!/^-?\d{1,20}$/.test(shard) && !whole) {
    return parameters.fail('failed to parse shard');
  }
  return whole && (workchain === 0 || workchain === -1) ? { workchain } : notReady();
}
