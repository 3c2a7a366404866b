import type { V3Message } from '../api/v3Objects';
import type { DecodedBody } from '../opcodes/decodedBody';

/** Whose jetton wallet an account is, and of which jetton. Accounts `workchain:hex`. */
export interface JettonWallet {
  owner?: string | undefined;
  master?: string | undefined;
}

/** What is known beside the answer itself. All of it optional. Accounts are `workchain:hex`, lower case. */
export interface TraceKnowledge {
  /** The user's own names: they win over all others. */
  names?: ReadonlyMap<string, string> | undefined;
  /** Owner and master of jetton wallets, where somebody asked the contracts. */
  jettonWallets?: ReadonlyMap<string, JettonWallet> | undefined;
  /** Symbol and decimals by jetton master. */
  jettons?: ReadonlyMap<string, JettonFacts> | undefined;
  /** Which contracts were asked of themselves and what came of it, in words. */
  asked?: readonly { account: string; text: string }[] | undefined;
  /** The contract's own name of an exit code, from its ABI. */
  errorName?: ((account: string, exitCode: number) => string | undefined) | undefined;
  /** Reads by the contracts' ABIs what the built-in table does not know. `account` is the receiver. */
  decodeBody?: ((message: V3Message, account: string | undefined) => DecodedBody | undefined) | undefined;
  /** The name that the source of one of a message's parties gives to its opcode. */
  messageName?: ((opcode: number, parties: readonly string[]) => string | undefined) | undefined;
  /** An account without a name is called by its raw address, not a shortened one: for programs. */
  wholeAddresses?: boolean | undefined;
  /** Label of the coin; TON unless the network calls it otherwise. */
  coin?: string | undefined;
}

export interface JettonFacts {
  symbol: string;
  decimals: number;
  /** The symbol is invented here because the data has none. */
  unnamed?: boolean | undefined;
  scam?: boolean | undefined;
}
