import { canonicalAddress } from '../address/canonicalAddress';
import type {
  V3AddressBookRow,
  V3Message,
  V3MetadataRow,
  V3TokenInfo,
  V3Transaction,
} from '../api/v3Objects';
import type { V3Action, V3Trace } from '../api/v3Traces';
import type { ExitSource } from '../contracts/exitCodes';
import type { StorageLayout } from '../contracts/layouts/layoutSet';
import type { DecodedBody } from '../contracts/opcodes/decodedBody';
import { opcodeNumber, opcodes } from '../contracts/opcodes/opcodes';
import type { ThrownLine } from '../sourceMap/thrownAt';

/** Whether something that a transaction was asked to do was undone or left out. */
export function failedOutcome(outcome: Outcome): boolean {
  return outcome === 'failed' || outcome === 'partial';
}

/** How a transaction ended. See {@link outcomeOf}. */
export type Outcome =
  /** Everything it was asked to do is done. */
  | 'ok'
  /** The contract's code did not run, but nothing was undone: the coins were simply credited. */
  | 'notRun'
  /** It was undone, entirely or in part. */
  | 'failed'
  /** It succeeded but skipped actions sent with "ignore errors". */
  | 'partial'
  /** The answer lacks the transaction or its outcome. */
  | 'unknown';

/** One transaction of a trace and its position in the tree. */
export interface TraceNode {
  /** Position in {@link TraceModel.nodes}: depth first, children by logical time. */
  readonly index: number;
  /** Transaction hash; undefined for a message without a transaction (yet). */
  readonly hash: string | undefined;
  /** The service's object; undefined if the answer lacks it. */
  readonly transaction: V3Transaction | undefined;
  /** Whether the answer has the transaction; cheaper than getting the transaction itself. */
  readonly isCarried: boolean;
  /** The message that caused it, from either side's copy; undefined for tick-tock and the like. */
  readonly message: V3Message | undefined;
  /** `workchain:hex`, lowercase; undefined if unknown. */
  readonly account: string | undefined;
  readonly parent: TraceNode | undefined;
  readonly children: TraceNode[];
  /** Roots have 0. */
  readonly depth: number;
  /**
   * Why there is no transaction, and none will come automatically: the local network's emulator failed on the
   * message.
   */
  readonly failure?: string | undefined;
  readonly outcome: Outcome;
}

/** An inconsistency in the data; shown to the user, never fatal. */
export interface TraceProblem {
  code:
    | 'emulator-failed'
    /** What an order of deliveries breaks: this is what its trace is about. */
    | 'broken-order'
    | 'missing-transactions'
    | 'too-large'
    | 'incomplete'
    | 'cycle'
    | 'several-roots'
    | 'duplicate'
    | 'unreadable-transaction';
  text: string;
}

/** complete, pending, broken, unknown if the answer does not say, or a word the service may add later. */
type TraceState = 'complete' | 'pending' | 'broken' | 'unknown' | (string & {});

/** One trace from any source. Built by {@link buildTrace}; the only input of every view. */
export interface TraceModel {
  /** Hash of the root transaction; undefined if unknown. */
  id: string | undefined;
  state: TraceState;
  /** The answer lacks transactions of the trace. */
  incomplete: boolean;
  nodes: TraceNode[];
  /** Usually one; more if the answer has gaps. */
  roots: TraceNode[];
  /** By transaction hash. */
  byHash: ReadonlyMap<string, TraceNode>;
  /** Accounts in order of appearance; the position determines the letter. */
  accounts: readonly string[];
  actions: readonly V3Action[];
  problems: readonly TraceProblem[];
  /** By account, lowercase. */
  addressBook: ReadonlyMap<string, V3AddressBookRow>;
  metadata: ReadonlyMap<string, V3MetadataRow>;
  /** The service's object, for fields that the structure does not need. */
  source: V3Trace;
}

/** Whether a message has an opcode unknown to both the service and the built-in table. */
export function hasUnnamedMessages(model: TraceModel): boolean {
  return model.nodes.some(({ message }) => {
    if (message == null || message.source == null) {
      return false;
    }
    const code = opcodeNumber(message.opcode);
    const isNamed = code === undefined || opcodes.get(code)?.fields !== undefined;
    return !isNamed || message.bounced === true;
  });
}

/**
 * Every hash by which a trace can be requested: first its external message (normalized, then raw), which does not
 * change between pending and complete, then its id, messages, and transactions.
 */
export function traceNames(model: TraceModel): string[] {
  const names = new Set<string>();
  const add = (hash: string | null | undefined): void => {
    if (hash != null) {
      names.add(hash);
    }
  };
  const root = model.roots[0];
  add(root?.message?.hash_norm ?? root?.message?.hash ?? model.source.external_hash);
  add(root?.message?.hash);
  add(model.source.external_hash);
  add(model.id);
  for (const node of model.nodes) {
    add(node.message?.hash);
    add(node.message?.hash_norm);
    add(node.hash);
  }
  return [...names];
}

/** A cheap check first, because most texts in a trace are hashes and cells. */
const mayBeAddress = /^(-?\d+:[0-9a-f]{64}|[\w+/-]{48})$/i;

/**
 * The accounts named by a trace's own data: those in its tree, then others with a row in the address book or
 * metadata, such as the jetton of a wallet or an action. An answer with several traces has one address book
 * for all of them.
 */
export function mentionedAccounts({ accounts, addressBook, metadata, source }: TraceModel): Set<string> {
  const named = new Set(accounts);
  // Not recursive, because a trace may be thousands of levels deep. Rows refer to further accounts: that of a
  // jetton wallet to its jetton.
  const stack: unknown[] = [...accounts.map((account) => metadata.get(account)), source];
  while (stack.length > 0) {
    const value = stack.pop();
    if (typeof value === 'object' && value !== null) {
      stack.push(...(Object.values(value) as unknown[]).reverse());
    } else if (typeof value === 'string') {
      // Details of actions and metadata still have the API's format.
      const account = mayBeAddress.test(value) ? (canonicalAddress(value) ?? value) : value;
      const row = metadata.get(account);
      if (!named.has(account) && (row !== undefined || addressBook.has(account))) {
        named.add(account);
        stack.push(row);
      }
    }
  }
  return named;
}

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

/** The parts of a {@link TraceContext} needed by its own helpers for names and jettons. */
export interface TraceView {
  readonly model: TraceModel;
  readonly knowledge: TraceKnowledge;
  /** The best name known. */
  name: (account: string) => string;
  isWallet: (account: string) => boolean;
  /** The body decoded by the built-in table or else the contract's ABI. */
  body: (message: V3Message) => DecodedBody | undefined;
  /** First 32 bits of the body; of the original body for a bounced message. */
  opcode: (message: V3Message) => number | undefined;
  jettonWallet: (account: string) => JettonWallet | undefined;
  jetton: (master: string) => JettonFacts;
  /** The metadata row of a kind. */
  token: (account: string, type: string) => V3TokenInfo | undefined;
}
