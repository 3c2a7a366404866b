import { WalletContractV4, WalletContractV5R1 } from '@ton/ton';
import { makeShardAccount } from '../../accounts/makeShardAccount';
import { namedAccounts } from '../accounts/namedAccounts';
import type { LocalAccount } from '../accounts/localAccount';
import type { AccountChange } from '../records/blockInput';
import { genesisBalance } from './genesisBalance';
import { rawAddress } from '../../cell/light/readMessage';
import { WorkbenchError } from '../../errors';
import { fitsCoins } from '../../numberWidths';

/** The wallets a chain starts with. */
export interface Genesis {
  accounts: readonly LocalAccount[];
  /** Nanocoins each. */
  balance: bigint;
}

/** What a new chain should start with. */
export interface GenesisWish {
  /** Default: the usual ten. */
  accounts?: readonly LocalAccount[] | undefined;
  /** Nanocoins each; default a million TON. */
  balance?: bigint | undefined;
}

export const defaultGenesis: Genesis = { accounts: namedAccounts, balance: genesisBalance };

/** The v5r1 wallet ids that clients use for a key: the main network's and the test network's. */
const networkIds = [-239, -3] as const;

/**
 * The wallets, deployed and funded (seqno 0, default wallet ids), with storage paid up to `now`; v5r1 wallets also
 * with the test network's wallet id.
 */
export function genesisAccounts(
  now: number,
  { accounts, balance }: Genesis = defaultGenesis,
): AccountChange[] {
  if (!fitsCoins(balance)) {
    throw new WorkbenchError({
      code: 'localnet-accounts-invalid',
      kind: 'input',
      message: `No account can have ${balance} nanocoins: amounts have at most 120 bits.`,
    });
  }
  const wallets = accounts.map(walletsOf);
  return [...wallets.flatMap((own) => own.slice(0, 1)), ...wallets.flatMap((own) => own.slice(1))].map(
    (wallet) => activeAccount(wallet, balance, now),
  );
}

type Wallet = WalletContractV4 | WalletContractV5R1;

function walletsOf({ kind, publicKey }: LocalAccount): Wallet[] {
  const key = Buffer.from(publicKey, 'hex');
  return kind === 'v5r1'
    ? networkIds.map((networkGlobalId) =>
        WalletContractV5R1.create({ publicKey: key, walletId: { networkGlobalId } }),
      )
    : [WalletContractV4.create({ workchain: 0, publicKey: key })];
}

/** The ShardAccount of a contract that has never had a transaction. */
export function activeAccount(
  { address, init }: Pick<Wallet, 'address' | 'init'>,
  balance: bigint,
  now: number,
): AccountChange {
  const shardAccount = makeShardAccount({
    address,
    status: 'active',
    balance,
    code: init.code,
    data: init.data,
    frozenHash: undefined,
    lastLt: 0n,
    lastMessages: 0,
    lastHash: undefined,
    lastPaid: now,
  });
  const raw = rawAddress(address.workChain, address.hash);
  return { address: raw, shardAccount: Buffer.from(shardAccount, 'base64') };
}
