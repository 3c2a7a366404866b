import { Cell, fromNano, loadShardAccount } from '@ton/core';
import { codeMethods } from '../contracts/abi/codeMethods';
import { interfacesByMethods } from '../contracts/abi/knownInterfaces';
import type { Access } from '../access/createAccess';
import { loadFolded } from '../cell/loadFolded';
import type { DebugOutput } from '../execution/emulator/emulator';
import { readSignedBody } from '../contracts/opcodes/readSignedBody';
import { walletCodes } from '../contracts/opcodes/walletCodes';
import type { ReplayInputs } from '../replay/replayInputs';
import type { TraceModel } from '../trace/traceModel';
import type { ExternalMessage } from './externalMessage';
import type { SendableMessage } from './sendableMessage';
import type { WalletState } from './walletState';
import { readWalletState } from './walletState';

/** A message's destination account, as needed for sending. */
export interface DestinationState {
  status: 'nonexist' | 'uninit' | 'active' | 'frozen';
  /** Nanocoins. */
  balance: bigint;
  code: Cell | undefined;
  data: Cell | undefined;
}

/** The state in a ShardAccount (BoC, base64). */
export function readDestination(shardAccount: string): DestinationState {
  const { account } = loadFolded(Cell.fromBase64(shardAccount), loadShardAccount);
  if (account == null) {
    return { status: 'nonexist', balance: 0n, code: undefined, data: undefined };
  }
  const { state, balance } = account.storage;
  return {
    status: state.type,
    balance: balance.coins,
    code: state.type === 'active' ? (state.state.code ?? undefined) : undefined,
    data: state.type === 'active' ? (state.state.data ?? undefined) : undefined,
  };
}

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

/** Why a message is rejected or does not do what it says. Compare codes; `text` is for people. */
export interface RefusalReason {
  code:
    | 'no-account'
    | 'not-deployed'
    | 'frozen'
    | 'init-for-another-address'
    | 'expired'
    | 'wrong-wallet-id'
    | 'wrong-seqno'
    | 'wrong-key'
    | 'signature-disabled'
    | 'balance-too-small'
    | 'not-accepted'
    | 'not-executed'
    | 'compute-failed'
    | 'action-failed'
    | 'later-failed'
    | 'emulator-failed';
  /** Part of a sentence without a period: "seqno 5, the wallet expects 7". */
  text: string;
  /** Of `later-failed`: the account, and the text without it, for readers who know its name. */
  later?: { account: string; text: string } | undefined;
  /** The exit code in `text`, and how it is written there, so that the contract's own name can replace it. */
  exit?: RehearsedExit | undefined;
}

/** An exit code of a rehearsal's compute phase. */
export interface RehearsedExit {
  /** Raw address. */
  account: string;
  /** Hash of the account's code cell, lowercase hex. */
  codeHash?: string | undefined;
  /** The standards that the code follows. */
  standards: readonly string[];
  code: number;
  /** The text's words for the code. */
  words: string;
}

/** Checks a signature: `signVerify` of @ton/crypto. */
type VerifySignature = (hash: Buffer, signature: Buffer, publicKey: Buffer) => boolean;

/**
 * Why the destination will reject the message before accepting it, from the message and the account, in the order of
 * the wallets' own checks; undefined if every check passes. For a contract that is not a known wallet, only its
 * existence is checked: the emulator does the rest.
 *
 * @param now Unix time in seconds
 */
export function refusalReason(
  message: ExternalMessage,
  state: DestinationState,
  now: number,
  verify: VerifySignature,
): RefusalReason | undefined {
  return (
    accountReason(message, state) ?? walletReason(message, walletAfterDeploy(message, state), now, verify)
  );
}

/** Of an account deleted by its last transaction. */
export const deletedReason: RefusalReason = {
  code: 'no-account',
  text: 'no such account: it was deleted by its last transaction',
};

function accountReason(message: ExternalMessage, state: DestinationState): RefusalReason | undefined {
  switch (state.status) {
    case 'active':
      return undefined;
    case 'frozen':
      return { code: 'frozen', text: 'the account is frozen: its storage debt must be paid first' };
    case 'nonexist':
      return { code: 'no-account', text: 'no such account: it has never received coins, or it was deleted' };
    case 'uninit':
      if (message.init === undefined) {
        return {
          code: 'not-deployed',
          text: 'the account has no code yet, and the message brings none (no state init)',
        };
      }
      return message.initMatches === false
        ? { code: 'init-for-another-address', text: 'the state init in the message is for another address' }
        : undefined;
  }
}

/** The wallet that will check the message: the deployed one, or the one deployed by the message. */
function walletAfterDeploy(message: ExternalMessage, state: DestinationState): WalletState | undefined {
  const { code, data } = state.status === 'active' ? state : (message.init ?? {});
  return code == null || data == null ? undefined : readWalletState(code, data);
}

function walletReason(
  { body }: ExternalMessage,
  state: WalletState | undefined,
  now: number,
  verify: VerifySignature,
): RefusalReason | undefined {
  if (state === undefined) {
    return undefined;
  }
  const signed = readSignedBody(body, state.wallet.family);
  if (signed === undefined) {
    // A body in another wallet's layout fails on its signature or length; the emulator shows how.
    return body.bits.length < 512
      ? {
          code: 'wrong-key',
          text: `the message is not signed, and a ${state.wallet.name} requires a signature`,
        }
      : undefined;
  }
  if (signed.validUntil !== undefined && signed.validUntil <= now) {
    return { code: 'expired', text: `expired ${duration(now - signed.validUntil)} ago` };
  }
  if (!state.signatureAllowed) {
    return {
      code: 'signature-disabled',
      text: 'the wallet does not accept signed messages; only its extensions can act',
    };
  }
  if (signed.seqno !== undefined && state.seqno !== undefined && signed.seqno !== state.seqno) {
    return { code: 'wrong-seqno', text: `seqno ${signed.seqno}, the wallet expects ${state.seqno}` };
  }
  if (signed.walletId !== undefined && state.walletId !== undefined && signed.walletId !== state.walletId) {
    return {
      code: 'wrong-wallet-id',
      text: `made for wallet id ${signed.walletId}, this wallet has ${state.walletId}`,
    };
  }
  return verify(signed.signedHash, signed.signature, state.publicKey)
    ? undefined
    : { code: 'wrong-key', text: "signed with a key that is not the wallet's" };
}

/** The balance does not cover the message's spending. Both in nanocoins. */
export function balanceReason(balance: bigint, needed: bigint): RefusalReason {
  const [has, needs, short] = [balance, needed, needed - balance].map((value) => `${fromNano(value)} TON`);
  return {
    code: 'balance-too-small',
    text: `balance too small by ${short}: the account has ${has}, the message needs ${needs}`,
  };
}

/** Seconds in the largest fitting unit: 40 s, 5 min, 3 h, 2 days. */
function duration(seconds: number): string {
  if (seconds < 120) {
    return `${seconds} s`;
  }
  if (seconds < 7200) {
    return `${Math.floor(seconds / 60)} min`;
  }
  return seconds < 172_800 ? `${Math.floor(seconds / 3600)} h` : `${Math.floor(seconds / 86_400)} days`;
}

/**
 * The confidence of a rehearsal. `exact`: run on the network's exact states and configuration, by rules the emulator
 * knows. `same-compute`: some states were rebuilt from parts; exit codes and gas are right, storage fees may differ.
 * `emulated`: something relevant is missing or newer than the emulator; see `doubts`. `unknown`: the emulator could
 * not execute the message, which says nothing about the network.
 */
export type Confidence = 'exact' | 'same-compute' | 'emulated' | 'unknown';

/** What a message will do, as far as can be known before it is sent. */
export interface Rehearsal {
  /** The contract accepts the message; undefined if the emulator could not tell, see `reason`. */
  accepted: boolean | undefined;
  /**
   * Everything that follows was executed too. Otherwise fees and amounts are lower bounds, and `doubts` says what is
   * missing.
   */
  complete: boolean;
  /** Of the compute phase of the first transaction; null if the TVM did not run. */
  exitCode: number | null;
  /** Result code of the first transaction's action phase; null if there was none. */
  actionCode: number | null;
  /** Why it is rejected, or does not do all it says; undefined if everything succeeds. */
  reason: RefusalReason | undefined;
  /** Nanocoins: the fees of all transactions and of the messages between them. */
  fees: bigint;
  /** Nanocoins: the fees of the first transaction and of its messages, to compare with a service's estimate. */
  firstFees: bigint;
  confidence: Confidence;
  /** Why the confidence is not `exact`, one sentence each. */
  doubts: readonly string[];
  /** The predicted trace; undefined if the message is rejected. */
  trace: TraceModel | undefined;
  /**
   * What a transaction of the predicted trace depended on, to run it again step by step; undefined if the trace has
   * none with this hash (lowercase hex).
   */
  inputsOf: (hash: string) => ReplayInputs | undefined;
  /** An account after the run: ShardAccount (BoC, base64); undefined if no message reaches it. @param address raw */
  accountAfter: (address: string) => string | undefined;
  /** The destination account beforehand. */
  destination: {
    status: DestinationState['status'];
    /** Nanocoins. */
    balance: bigint;
    /** `wallet v5 r1` and the like, for known wallets. */
    wallet: string | undefined;
  };
  /** Masterchain block of the states. */
  seqno: number;
  /** Unix seconds used for the run. */
  now: number;
  /** The end of the TVM's log if the contract rejected it. */
  vmLog: string | undefined;
  /** The contract's debug output before a rejection; that of accepted messages is in the trace. */
  printed: DebugOutput;
}

/** The service's own estimate for the first transaction, nanocoins. */
interface ServiceFees {
  inForward: bigint;
  storage: bigint;
  gas: bigint;
  forward: bigint;
  total: bigint;
}

/** The service's fee estimate; undefined if it has none or refuses. Over v2, or over v3 if the network has no v2. */
export async function estimateFees(
  access: Access,
  { destination, body, init }: ExternalMessage,
  signal?: AbortSignal,
): Promise<ServiceFees | undefined> {
  const boc = (cell: typeof body): string => cell.toBoc().toString('base64');
  const question = {
    address: destination.toRawString(),
    body: boc(body),
    ...(init?.code == null ? {} : { init_code: boc(init.code) }),
    ...(init?.data == null ? {} : { init_data: boc(init.data) }),
    ignore_chksig: true,
  };
  const api = access.network.v2 === undefined ? access.v3 : access.v2;
  try {
    const { source_fees: fees } = await api.estimateFee(question, { signal, priority: 'user' });
    const { in_fwd_fee: inForward, storage_fee: storage, gas_fee: gas, fwd_fee: forward } = fees ?? {};
    if (inForward == null || storage == null || gas == null || forward == null) {
      return undefined;
    }
    return { inForward, storage, gas, forward, total: inForward + storage + gas + forward };
  } catch {
    // Only a second opinion: without it, nothing changes.
    return undefined;
  }
}

/** What is known before a message is sent. */
export interface PreparedSend<Message extends SendableMessage = SendableMessage> {
  message: Message;
  rehearsal: Rehearsal;
  /** The service's own estimate, if available: only for external messages. */
  serviceFees: ServiceFees | undefined;
}
