import type { LocalChain } from '../chain/localChain';

/** What an answer of a fork can cover: accounts read so far, or events since the fork. */
export type ForkScope = 'read-accounts' | 'own-history';

/** Lists of contracts by owner or creator: the other network has more of them than the fork has read. */
const lists: ReadonlySet<string> = new Set([
  '/jetton/masters',
  '/jetton/wallets',
  '/nft/collections',
  '/nft/items',
  '/nft/sales',
  '/dns/records',
  '/multisig/wallets',
  '/multisig/orders',
  '/vesting',
  '/topAccountsByBalance',
]);

const histories: ReadonlySet<string> = new Set([
  '/blocks',
  '/transactions',
  '/transactionsByMessage',
  '/adjacentTransactions',
  '/messages',
  '/traces',
  '/events',
  '/actions',
  '/jetton/transfers',
  '/jetton/burns',
  '/nft/transfers',
]);

/** The scope of an indexed API answer; undefined if it is complete. */
export function forkScope(
  { fork }: LocalChain,
  path: string,
  parameters: Readonly<Record<string, unknown>>,
): ForkScope | undefined {
  if (fork === undefined) {
    return undefined;
  }
  // Accounts requested by address were read for this answer.
  return lists.has(path) && parameters['address'] === undefined
    ? 'read-accounts'
    : histories.has(path)
      ? 'own-history'
      : undefined;
}
