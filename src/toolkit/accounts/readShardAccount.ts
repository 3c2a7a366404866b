import type { Access, CallOptions } from '../access/createAccess';
import { readBoc } from '../cell/readBoc';
import { absentShardAccount } from './makeShardAccount';

/**
 * An account's ShardAccount as the service has it, BoC in base64.
 * @param at its address, and the masterchain block; by default the newest
 */
export async function readShardAccount(
  access: Access,
  at: { address: string; seqno?: number },
  options: CallOptions,
): Promise<string> {
  const { bytes } = await access.v2.getShardAccountCell(at, options);
  // Services return an empty cell for an account that was never used.
  const boc = readBoc(Buffer.from(bytes, 'base64'));
  return boc.referenceCount(boc.roots[0] ?? 0) === 0 ? absentShardAccount() : bytes;
}
