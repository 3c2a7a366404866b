import { LightCell, readLightCell, writeLightCell } from '../../cell/light/lightCell';
import type { AccountFacts } from '../../cell/light/readMessage';
import { readAccount } from '../../cell/light/readMessage';

const placeholder = new LightCell(0, Buffer.alloc(0), 0, []);

/** A ShardAccount as BoC without its code: thousands of versions share one code. */
export function packAccount(shardAccount: LightCell, { account, code }: AccountFacts): Buffer {
  return writeLightCell(code === null ? shardAccount : replaceCode(shardAccount, account, code, placeholder));
}

/** The inverse of {@link packAccount}. */
export function unpackAccount(packed: Buffer, code: LightCell | null): LightCell {
  const shardAccount = readLightCell(packed);
  if (code === null) {
    return shardAccount;
  }
  const facts = readAccount(shardAccount);
  return replaceCode(shardAccount, facts.account, facts.code as LightCell, code);
}

function replaceCode(shardAccount: LightCell, account: LightCell, from: LightCell, to: LightCell): LightCell {
  const place = account.refs.indexOf(from);
  const refs = account.refs.with(place, to);
  const replaced = new LightCell(account.d1, account.data, account.bitLength, refs);
  return new LightCell(shardAccount.d1, shardAccount.data, shardAccount.bitLength, [replaced]);
}
