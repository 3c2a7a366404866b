import { codeMethods } from '../abi/codeMethods';
import { interfacesByMethods } from '../abi/knownInterfaces';
import { walletCodes } from '../opcodes/walletCodes';
import { readDestination } from './destinationState';

/** What a rehearsal knows about the code of an account. */
export interface RehearsedContract {
  /** Hash of the code cell, lowercase hex; undefined without code. */
  codeHash?: string;
  /**
   * The standards that the code follows, by v3's names: `jetton_wallet`; for a known wallet, its version:
   * `wallet v4 r2`.
   */
  interfaces: readonly string[];
}

/** The services call a minter the jetton's master. */
const serviceName = (name: string): string =>
  name === 'jetton minter' ? 'jetton_master' : name.toLowerCase().replaceAll(' ', '_');

/**
 * Recognizes the code of an account in a rehearsal.
 *
 * @param states ShardAccounts (BoC, base64); the first one with code counts
 */
export function rehearsedContract(...states: readonly string[]): RehearsedContract {
  const code = states.map((state) => readDestination(state).code).find((one) => one !== undefined);
  if (code === undefined) {
    return { interfaces: [] };
  }
  const codeHash = code.hash().toString('hex');
  const wallet = walletCodes.get(codeHash)?.name;
  if (wallet !== undefined) {
    return { codeHash, interfaces: [wallet] };
  }
  const names = (codeMethods(code) ?? []).flatMap(({ name }) => name ?? []);
  return { codeHash, interfaces: interfacesByMethods(new Set(names)).map(serviceName) };
}
