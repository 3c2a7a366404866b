import type { V3Message } from '../api/v3Objects';
import type { ExitSource } from '../exitCodes';
import type { StorageLayout } from '../layouts/findStorage';
import type { DecodedBody } from '../opcodes/decodedBody';
import type { ThrownLine } from '../sourceMap/thrownAt';

/** The owner and jetton of a jetton wallet. Accounts `workchain:hex`. */
export interface JettonWallet {
  owner?: string | undefined;
  master?: string | undefined;
}

/** Knowledge beyond the answer itself. All optional. Accounts are `workchain:hex`, lowercase. */
export interface TraceKnowledge {
  /** The user's own names, with the highest priority. */
  names?: ReadonlyMap<string, string> | undefined;
  /** Owner and master of jetton wallets, if read from the contracts. */
  jettonWallets?: ReadonlyMap<string, JettonWallet> | undefined;
  /** Symbol and decimals by jetton master. */
  jettons?: ReadonlyMap<string, JettonFacts> | undefined;
  /** The contracts that were queried, with the results as text. */
  asked?: readonly { account: string; text: string }[] | undefined;
  /** What is known about the exit codes of an account's code. */
  exitSource?: ((account: string) => ExitSource | undefined) | undefined;
  /** Decodes bodies unknown to the built-in table with the contracts' ABIs. */
  decodeBody?: ((message: V3Message) => DecodedBody | undefined) | undefined;
  /** A message's name in the source of its receiver, else of its sender; with the first 32 bits of its body. */
  messageName?: ((opcode: number | undefined, message: V3Message) => string | undefined) | undefined;
  /** The layout of an account's data, if its source or ABI describes it. */
  storageOf?: ((account: string) => StorageLayout | undefined) | undefined;
  /** The source of an account's code, if it has changed since the code was compiled. */
  changedSource?: ((account: string) => string | undefined) | undefined;
  /** The line at which the code of a transaction (hash, lowercase hex) threw, if it was found. */
  thrownLine?: ((hash: string) => ThrownLine | undefined) | undefined;
  /** Accounts without a name are shown by raw address, not shortened: for programs. */
  wholeAddresses?: boolean | undefined;
  /** The coin's label; TON unless the network's differs. */
  coin?: string | undefined;
}

export interface JettonFacts {
  symbol: string;
  decimals: number;
  /** The symbol is a placeholder because the data has none. */
  unnamed?: boolean | undefined;
  scam?: boolean | undefined;
}
