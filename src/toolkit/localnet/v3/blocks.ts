import type { V3Answer } from './v3Answer';
import { ApiError } from '../api/apiError';
import type { BlockRecord } from '../records/records';
import type { V3Context } from './context';
import { encodeBlock } from './encodeBlock';
import type { Query } from './query';
import { inRanges, takePage } from './page';
import { walk } from './selectTransactions';

type Side = readonly [block: BlockRecord, workchain: 0 | -1];

/** GET /masterchainInfo. */
export function v3MasterchainInfo({ chain }: V3Context): V3Answer<'masterchainInfo'> {
  const first = chain.ledger.blocks[0] ?? chain.ledger.last;
  return { last: encodeBlock(chain, chain.ledger.last, -1), first: encodeBlock(chain, first, -1) };
}

/** GET /blocks, by generation time. */
export function blocks({ chain }: V3Context, query: Query): V3Answer<'blocks'> {
  const page = query.page();
  const workchain = query.integer('workchain');
  const shard = query.shard('shard');
  const seqno = query.integer('seqno') ?? query.integer('mc_seqno');
  const hashes = [query.hash('root_hash'), query.hash('file_hash')];
  const ranges = query.ranges();
  const { ledger } = chain;
  const byHash = hashes.find((hash) => hash !== undefined);
  const exact = byHash === undefined ? seqno : (ledger.blockByHash(byHash)?.seqno ?? 0);
  const records = exact === undefined ? walk(ledger.blocks, page.ascending) : only(ledger.block(exact));
  const matches = function* (): Iterable<Side> {
    for (const block of records) {
      for (const side of [[block, -1] as const, [block, 0] as const]) {
        const { rootHash, fileHash } = side[1] === -1 ? block.master : block.shard;
        if (
          (workchain === undefined || side[1] === workchain) &&
          (shard === undefined || shard === '8000000000000000') &&
          (hashes[0] === undefined || hashes[0] === rootHash) &&
          (hashes[1] === undefined || hashes[1] === fileHash) &&
          inRanges(ranges, block.genUtime, block.startLt)
        ) {
          yield side;
        }
      }
    }
  };
  return { blocks: takePage(matches(), page).map((side) => encodeBlock(chain, ...side)) };
}

/** GET /masterchainBlockShardState and /masterchainBlockShards: each block here has one shard block. */
export function shardBlocks({ chain }: V3Context, query: Query): V3Answer<'masterchainBlockShards'> {
  const block = chain.ledger.block(query.integer('seqno') ?? 0);
  if (block === undefined) {
    throw new ApiError(404, 'blocks not found');
  }
  return { blocks: [encodeBlock(chain, block, 0)] };
}

function only<T>(value: T | undefined): T[] {
  return value === undefined ? [] : [value];
}
