import type { Access } from '../access/createAccess';
import type { V3Transaction } from '../api/v3Objects';
import { WorkbenchError } from '../base/errors';
import type { Log } from '../base/log';
import type { Clock } from '../base/time';

export interface WatchBlocksOptions {
  access: Access;
  clock: Clock;
  log: Log;
  signal: AbortSignal;
  /** The last block already looked at; undefined begins with the next. */
  seqno: number | undefined;
  /** Waits until the next look; rejects when the signal fires. */
  pause: () => Promise<void>;
  /** The network may have gone back since the last look: what was seen may be undone. Before its blocks are looked at. */
  onBack: () => Promise<void>;
  /** Looks at the transactions of one block, oldest first. */
  onTransactions: (transactions: readonly V3Transaction[]) => Promise<void>;
  /** Every block up to this one was looked at. */
  onSeen: (seqno: number) => Promise<void>;
}

interface Block {
  seqno: number;
  hash: string;
}

const masterchain = { workchain: -1, shard: '8000000000000000' };
const transactionsPerPage = 1_000;
/** After the network has gone back: far more blocks than it can have made since the last look. */
const blocksToLookAgain = 64;
/** Milliseconds before the next try while the network does not answer. */
const troubledPauseMs = 500;

/**
 * Follows a network's blocks over its API, from the given one until the signal fires: no block is left out, also
 * while the network restarts or goes back to an earlier state.
 */
export async function watchBlocks(options: WatchBlocksOptions): Promise<void> {
  const { clock, log, signal } = options;
  let last: Block | undefined;
  let next = options.seqno === undefined ? undefined : options.seqno + 1;
  let isTroubled = false;
  while (!signal.aborted) {
    try {
      const newest = await newestBlock(options);
      if (newest !== undefined && newest.hash !== last?.hash) {
        const first = await firstToLook(options, newest, last, next);
        next = first.seqno;
        if (first.isBack) {
          await options.onBack();
        }
        for (; next <= newest.seqno; next += 1) {
          await lookAt(options, next);
        }
        last = newest;
        await options.onSeen(newest.seqno);
      }
      if (isTroubled) {
        log.info('Payments go on.');
      }
      isTroubled = false;
    } catch (error) {
      if (!isTroubled && !signal.aborted) {
        const why = error instanceof Error ? error.message : String(error);
        log.warn(
          WorkbenchError.is(error, 'journal-write-failed') ? why : `Payments wait for the network: ${why}`,
        );
      }
      isTroubled = true;
    }
    await (isTroubled ? clock.sleep(troubledPauseMs, signal) : options.pause()).catch(() => undefined);
  }
}

async function newestBlock({ access, signal }: WatchBlocksOptions): Promise<Block | undefined> {
  const { last } = await access.v3.masterchainInfo({}, { signal });
  return last?.seqno == null || last.root_hash == null
    ? undefined
    : { seqno: last.seqno, hash: last.root_hash };
}

/** The first block that was not looked at: after a jump back, or on another network, some are looked at again. */
async function firstToLook(
  { access, signal }: WatchBlocksOptions,
  newest: Block,
  last: Block | undefined,
  next: number | undefined,
): Promise<{ seqno: number; isBack: boolean }> {
  if (next === undefined) {
    return { seqno: newest.seqno + 1, isBack: false };
  }
  const again = Math.max(1, newest.seqno - blocksToLookAgain);
  if (newest.seqno < next) {
    return { seqno: again, isBack: true };
  }
  if (last === undefined) {
    // Nobody has looked since the last start.
    return { seqno: next, isBack: true };
  }
  const { blocks } = await access.v3.blocks({ ...masterchain, seqno: last.seqno }, { signal });
  const isSame = blocks?.[0]?.root_hash === last.hash;
  return { seqno: isSame ? next : again, isBack: !isSame };
}

async function lookAt({ access, signal, onTransactions }: WatchBlocksOptions, seqno: number): Promise<void> {
  for (let offset = 0; ; offset += transactionsPerPage) {
    const answer = await access.v3
      .transactionsByMasterchainBlock({ seqno, limit: transactionsPerPage, offset, sort: 'asc' }, { signal })
      .catch((error: unknown) => {
        // A block that is gone again, or older than a fork.
        if (WorkbenchError.is(error, 'not-found')) {
          return { transactions: [] };
        }
        throw error;
      });
    const transactions = answer.transactions ?? [];
    await onTransactions(transactions);
    if (transactions.length < transactionsPerPage) {
      return;
    }
  }
}
