import { loadShardAccount } from '@ton/core';
import type { Access, CallOptions } from '../access/createAccess';
import { wrongShapeError } from '../access/errors';
import { v2Endpoints } from '../access/v2/v2Endpoints';
import { loadFolded } from '../cell/loadFolded';
import { toCoreCell } from '../cell/toCoreCell';
import { readBoc } from '../cell/readBoc';
import { absentShardAccount } from './makeShardAccount';

/**
 * An account's ShardAccount as the service has it, BoC in base64.
 * @param at its raw address, and the masterchain block; by default the newest
 * @throws WorkbenchError `wrong-shape` (service) if the answer is about another account, and the access layer's errors
 */
export async function readShardAccount(
  access: Access,
  at: { address: string; seqno?: number },
  options: CallOptions,
): Promise<string> {
  const { bytes } = await access.v2.getShardAccountCell(at, options);
  // Services return an empty cell for an account that was never used.
  const boc = readBoc(Buffer.from(bytes, 'base64'));
  if (boc.referenceCount(boc.roots[0] ?? 0) === 0) {
    return absentShardAccount();
  }
  const { account } = loadFolded(toCoreCell(boc, boc.roots[0] ?? 0), loadShardAccount);
  if (account != null && account.addr.toRawString() !== at.address) {
    const expected = `the state of ${at.address}: it is that of ${account.addr.toRawString()}`;
    throw wrongShapeError(v2Endpoints.getShardAccountCell, { path: ['bytes'], expected });
  }
  return bytes;
}
