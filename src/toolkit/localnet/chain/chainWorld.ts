import type { Emulator } from '../../emulator/emulator';
import { absentAccount } from '../../emulator/absentAccount';
import type { CascadeWorld } from '../../execution/cascade';
import type { ExecutionRules } from '../../execution/transactionSurroundings';
import type { Fork } from '../fork/fork';
import type { Ledger } from './ledger';

/** What a block is built on. */
export interface BlockNetwork extends ExecutionRules {
  readonly ledger: Ledger;
  readonly emulator: Emulator;
  /** Set on a fork: reads what a message needs before it can run. */
  readonly fork: Pick<Fork, 'knows' | 'load' | 'loadLibraries'> | undefined;
}

/** The chain's current state for transactions to run on; on a fork, `prepare` must read what they need. */
export function chainWorld(network: BlockNetwork, prepare?: CascadeWorld['prepare']): CascadeWorld {
  return {
    emulator: network.emulator,
    rules: () => network,
    account: (address) => network.ledger.accounts.get(address)?.current ?? absentAccount,
    ...(prepare === undefined ? {} : { prepare }),
  };
}
