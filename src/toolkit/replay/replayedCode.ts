import { Cell, loadShardAccount } from '@ton/core';
import type { DeployedCode } from '../abi/describeContract';
import { foldedCell } from '../cell/foldedCell';
import type { Replay } from './runReplay';

/** The code that a replay ran, if the account had any before. */
export function replayedCode({ stateBefore }: Pick<Replay, 'stateBefore'>): DeployedCode {
  const { account } = loadShardAccount(foldedCell(Cell.fromBase64(stateBefore)).beginParse());
  const state = account?.storage.state;
  const code = state?.type === 'active' ? state.state.code : undefined;
  return code == null ? {} : { code, codeHash: code.hash().toString('hex') };
}
