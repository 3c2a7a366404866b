import { Cell, loadShardAccount } from '@ton/core';
import type { DeployedCode } from '../contracts/abi/contractDescription';
import { loadFolded } from '../cell/loadFolded';
import type { Replay } from './runReplay';

/** The code that a replay ran: the account's, else that of the message's state init. */
export function replayedCode({
  stateBefore,
  original,
}: Pick<Replay, 'stateBefore' | 'original'>): DeployedCode {
  const { account } = loadFolded(Cell.fromBase64(stateBefore), loadShardAccount);
  const state = account?.storage.state;
  const code = state?.type === 'active' ? state.state.code : original.inMessage?.init?.code;
  return code == null ? {} : { code, codeHash: code.hash().toString('hex') };
}
