import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { silentLog } from '../log';
import type { Log } from '../log';
import type { LocalAccount } from '../localnet/accounts/localAccount';
import { systemClock } from '../time';
import type { Clock } from '../time';
import type { Approval, WalletVerdict } from './protocol';
import { TestWallet } from './testWallet';
import { includedWallet, walletAddresses } from './walletEntry';
import type { WalletAddresses } from './walletEntry';
import { WalletJournal } from './walletJournal';
import type { WalletNetwork } from './walletNetwork';
import { startWalletServer } from './walletServer';

export interface StartTestWalletOptions {
  network: WalletNetwork;
  /** The account that dApps are connected to; by default the first. */
  account?: string | undefined;
  /** Of dApps that connect from now on; those of an earlier run keep theirs. */
  approval: Approval;
  script?: readonly WalletVerdict[] | undefined;
  /** 0 picks a free one. */
  port: number;
  /** Folder for the connections and requests; by default they end with the wallet. */
  folder?: string | undefined;
  /** The folder's lock was left by a thread of this process that has crashed. */
  afterCrash?: boolean | undefined;
  /** Of this program. */
  version: string;
  clock?: Clock | undefined;
  log?: Log | undefined;
}

/** A wallet that answers on this machine. */
export interface RunningTestWallet extends WalletAddresses {
  readonly wallet: TestWallet;
  readonly port: number;
  /** The account that dApps are connected to: its name, and its raw address. */
  readonly account: string;
  readonly address: string;
  /** The wallet for `walletsListConfiguration.includeWallets` of @tonconnect/ui. */
  readonly entry: object;
  /** The accounts that it may be. */
  readonly accounts: readonly Pick<LocalAccount, 'name' | 'kind'>[];
  /** The name of an account of the network. */
  nameOf: (address: string) => string | undefined;
  close(): Promise<void>;
}

/**
 * Starts a test wallet. What an earlier run has left in its folder goes on once `wallet.resume` is called: after the
 * listeners are there.
 * @throws WorkbenchError `wallet-account-unknown`, `wallet-state-in-use`, `wallet-state-unusable`, `port-in-use`,
 *   `port-not-allowed`, `listen-failed` (input)
 */
export async function startTestWallet(options: StartTestWalletOptions): Promise<RunningTestWallet> {
  const { network, folder, afterCrash, port, version, clock = systemClock, log = silentLog } = options;
  const temporary =
    folder === undefined ? await mkdtemp(path.join(tmpdir(), 'ton-workbench-wallet-')) : undefined;
  const removeTemporary = async (): Promise<void> => {
    if (temporary !== undefined) {
      await rm(temporary, { recursive: true, force: true });
    }
  };
  let journal: WalletJournal | undefined;
  try {
    journal = await WalletJournal.open(path.resolve(folder ?? temporary ?? '.'), log, { clock, afterCrash });
    const account = options.account ?? network.accounts[0]?.name ?? '';
    const wallet = new TestWallet({ ...options, journal, account, clock, log });
    const current = (): LocalAccount | undefined =>
      network.accounts.find(({ name }) => name === wallet.account);
    const kind = (): LocalAccount['kind'] => current()?.kind ?? 'v4r2';
    const server = await startWalletServer({ wallet, kind, version, clock, port });
    journal.announce(server.port);
    return {
      wallet,
      port: server.port,
      accounts: network.accounts,
      get entry() {
        return includedWallet(server.port, kind());
      },
      get account() {
        return wallet.account;
      },
      get address() {
        return current()?.address ?? '';
      },
      nameOf: (address) => network.accounts.find((one) => one.address === address)?.name,
      ...walletAddresses(server.port),
      close: async () => {
        await server.close();
        await wallet.close();
        await removeTemporary();
      },
    };
  } catch (error) {
    await journal?.close();
    await removeTemporary();
    throw error;
  }
}
