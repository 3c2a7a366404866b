import type { PreviousBlocks } from './previousBlocks';
import type { SourcedAccount } from '../accounts/accountSource';

/** A transaction of the chain, and what its block gave it. */
export interface PastTransaction {
  /** The transaction cell as BoC, base64. */
  boc: string;
  /** Random seed of its block: 32 bytes, lowercase hex. */
  seed: string;
}

/** Everything that a transaction depended on: enough to run it again without a network. */
export interface ReplayInputs {
  /** Name of the network, for people. */
  network: string;
  /** Raw address of the account. */
  account: string;
  /** The masterchain block that holds the transaction or refers to its block; undefined for a transaction of a test. */
  seqno?: number | undefined;
  /** The transaction to replay. */
  target: PastTransaction;
  /** The account's state at the end of the masterchain block before. */
  state: SourcedAccount;
  /** The account's transactions between that state and the target, oldest first. */
  earlier: readonly PastTransaction[];
  /** The configuration in force, as getConfigAll gives it: BoC, base64. */
  config: string;
  /** Library cells that the state and the messages refer to: BoCs, base64. */
  libraries: readonly string[];
  /** The previous blocks, if the code reads them and the network has them. */
  previousBlocks?: PreviousBlocks | undefined;
  /** The code reads previous blocks, but the service did not give them. */
  lacksPreviousBlocks?: true | undefined;
  /** Hashes (lowercase hex) of libraries that the network did not give. */
  missingLibraries: readonly string[];
  /** All signature checks passed. */
  ignoreSignatures?: true | undefined;
  /** Commit of the TON sources of the engine that ran it, if that is known. */
  engine?: string | undefined;
}
