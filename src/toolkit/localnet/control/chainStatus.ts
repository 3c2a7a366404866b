import type { LocalChain } from '../chain/localChain';
import type { LocalnetStatus } from '../localnet';

/** What a network says of itself. */
export function chainStatus(chain: LocalChain): LocalnetStatus {
  const { commit, date } = chain.emulator.version;
  return {
    state: 'running',
    seqno: chain.ledger.last.seqno,
    pending: chain.pending.size,
    transactions: chain.ledger.transactions.length,
    configOrigin: chain.config.origin,
    names: Object.fromEntries(
      Object.entries(chain.settings.names ?? {}).map(([address, name]) => [address.toLowerCase(), name]),
    ),
    emulator: `@ton/sandbox, TON ${commit.slice(0, 8)} of ${date}`,
    ...(chain.fork === undefined ? {} : { fork: chain.fork.status() }),
  };
}
