import type { GetMethodSignature } from '../abi/getMethodSignature';
import type { ContractRef } from '../abi/contractGroups';
import type { LayoutSet } from '../layouts/cellLayout';
import type { StorageLayout } from '../layouts/findStorage';
import type { CallSheet, CallSheetProblem } from './callSheet';
import type { SheetNames } from './sheetValues';

/** What is known while a sheet is being written. */
export interface SheetKnowledge {
  /**
   * Accounts of a network (undefined: the default one); if undefined, they are unknown and any name may be
   * valid.
   */
  accounts: (network: string | undefined) => ReadonlyMap<string, string> | undefined;
  /** Whether there is a network with that name. */
  hasNetwork: (name: string) => boolean;
  /** The method, if known; `absent` if the contract's methods are known and do not include it. */
  method: (address: string, method: string, network: string | undefined) => KnownMethod | undefined;
  /** What is known about the contract that a `deploy` step builds from a file; undefined if nothing is. */
  source?: (file: string) => KnownSource | undefined;
  /** Which contract of the project is at an address; undefined if it is not known. */
  contract?: (address: string, network: string | undefined) => ContractRef | undefined;
  /** The messages that a `send` step may use; undefined if not known yet. */
  layouts?: () => readonly LayoutSet[] | undefined;
  /** The wallets that can sign on a network; undefined if not known yet. */
  wallets?: (network: string | undefined) => readonly string[] | undefined;
  /** Stand for the codes of the project's contracts that a text uses by name. */
  codes?: (text: string) => SheetNames['codes'];
  readFile?: SheetNames['readFile'];
}

/** What is known about a contract from its source. */
export interface KnownSource {
  /** Undefined if its methods are not known. */
  method: (name: string) => KnownMethod | undefined;
  /** Which contract of the project it is. */
  contract?: ContractRef;
  storage: StorageLayout | undefined;
}

/** What is known about a contract's method. */
export type KnownMethod =
  { kind: 'known'; signature?: GetMethodSignature | undefined } | { kind: 'absent'; others: string[] };

/** A problem that need not keep `runCallSheet` from running: a missing method answers with exit 11. */
export interface CheckedProblem extends CallSheetProblem {
  isWarning?: true;
  /** The unknown target. */
  name?: string;
}

/** The inputs for checking a sheet's steps. */
export interface StepChecking {
  sheet: CallSheet;
  knowledge: SheetKnowledge;
  add: (problem: CheckedProblem) => void;
}
