import type { NetworkConfig } from '../../emulator/networkConfig';
import type { Fork } from '../fork/fork';
import type { AccountChange, ExecutedBlock } from '../records/blockInput';
import type { ChainSettings } from '../records/chainSettings';
import { genesisAccounts } from '../system/genesis';
import { systemChanges } from '../system/systemAccounts';
import { genesisOf } from './chainState';
import type { Ledger } from './ledger';

/** The contents of a chain's first block. */
export interface FirstState {
  ledger: Ledger;
  settings: ChainSettings;
  config: NetworkConfig;
  /** Set when the chain continues from a block of another network. */
  fork: Fork | undefined;
}

/**
 * The first block of a chain: it creates the wallets, unless the forked network has them, and the system contracts.
 * @param genUtime Unix seconds
 */
export function firstBlock(state: FirstState, genUtime: number): ExecutedBlock {
  const { ledger, settings, fork } = state;
  const wallets = fork?.point.hasNamedAccounts === true ? [] : genesisAccounts(genUtime, genesisOf(settings));
  const changes = [...wallets, ...systemChangesOf(state, genUtime)];
  return { genUtime, startLt: ledger.nextStartLt, changes, transactions: [] };
}

/** Changes that the system contracts still need. A fork uses its network's own contracts. */
export function systemChangesOf(
  { fork, ledger, config }: Pick<FirstState, 'fork' | 'ledger' | 'config'>,
  now: number,
): AccountChange[] {
  return fork === undefined ? systemChanges(ledger.accounts, config, now) : [];
}
