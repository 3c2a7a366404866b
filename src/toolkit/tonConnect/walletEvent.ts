import type { WorkbenchError } from '../base/errors';
import type { Log } from '../base/log';
import type { PreparedSend } from '../send/preparedSend';
import type { Clock } from '../base/time';
import type { Approval, WalletVerdict } from './protocol';
import type { FetchText } from './readManifest';
import type { RelayRecord, WalletAnswer, WalletRequest, WalletSession } from './walletBook';
import type { FeatureWord } from './walletFeatures';
import type { WalletJournal } from './walletJournal';
import type { WalletNetwork } from './walletNetwork';

export interface TestWalletOptions {
  network: WalletNetwork;
  journal: WalletJournal;
  /** The name of the account that dApps are connected to. */
  account: string;
  /** Of dApps that connect from now on; others keep theirs. */
  approval: Approval;
  /** Decisions about the first requests, in order; after them the dApp's approval applies. */
  script?: readonly WalletVerdict[] | undefined;
  /** What the wallet lacks, for dApps that connect from now on: a connected one keeps what it was told. */
  features?: readonly FeatureWord[] | undefined;
  /** Of this program. */
  version: string;
  clock: Clock;
  log: Log;
  fetchText?: FetchText | undefined;
}

/** What happens in a wallet. */
export type WalletEvent =
  /** Somebody, a script, or a rule decides it next. */
  | {
      type: 'request';
      request: WalletRequest;
      session: WalletSession;
      /** Of a transaction that somebody decides: what it would do now, or why that is unknown. */
      rehearsed: PreparedSend | WorkbenchError | undefined;
    }
  | { type: 'answer'; answer: WalletAnswer; session: WalletSession }
  /** A signed message was submitted, as its relayer would. */
  | { type: 'relay'; number: number; relay: RelayRecord }
  /** A dApp was connected, disconnected, or forgotten, or its requests are decided in another way. */
  | { type: 'sessions' };
