import type { LocalAccount } from '../../accounts/localAccount';
import type { Faults } from '../faults/faults';
import type { BlockMode } from '../records/blockInput';
import type { LocalnetStatus } from './localnetStatus';
import type { RecordedRequest } from './requestLog';

/** A message sent without a signature. Hashes are lowercase hex. */
export interface SentMessage {
  message: string;
  /** Hash of the trace's first transaction; null until there is one. */
  trace: string | null;
  /** Why the emulator could not execute the message. */
  failed?: string;
}

/** Jettons given to an account, in their smallest unit. Addresses are raw. */
export interface JettonGift extends SentMessage {
  /** The jetton's master. */
  jetton: string;
  /** Null if the master does not keep it on the chain. */
  symbol: string | null;
  decimals: number | null;
  owner: string;
  /** The owner's jetton wallet. */
  wallet: string;
  /** The mint message that the minter takes. */
  form: string;
  asked: string;
  /** What the wallet's `get_wallet_data` rose by, and tells now; null in manual mode, until a block is made. */
  rose: string | null;
  balance: string | null;
}

/** The network's time after a change. */
export interface NetworkTime {
  /** Unix seconds. */
  now: number;
  /** Seconds that the network's clock is ahead of the machine's. */
  ahead: number;
  /** The consequence for messages dated by the machine's clock. */
  note?: string;
}

/** An account in the control API. */
export interface ControlAccount {
  /** Raw, lowercase hex. */
  address: string;
  status: string;
  /** Nanocoins. */
  balance: string;
  lastTransactionLt: string;
  /** Base64. */
  codeHash: string | null;
  transactions: number;
  /**
   * `local` for a state created on this network; on a fork also `exact` or `partial`: how completely it could be
   * read.
   */
  state: string;
}

/** What signing a message for an account takes. */
export interface SigningState {
  /** The ShardAccount (block.tlb): BoC, base64. */
  account: string;
  /** Seconds that the network's clock is ahead of the machine's. */
  ahead: number;
  /** Whether no message waits for a block. */
  idle: boolean;
}

/** A contract's debug output in one transaction. */
export interface PrintedOutput {
  id: number;
  /** Lowercase hex. */
  transaction: string;
  /** Raw, lowercase hex. */
  account: string;
  output: readonly string[];
}

/** Where to go back to: a snapshot, a block, or just before a trace (hash of any of its transactions). */
interface RestorePoint {
  name?: string;
  seqno?: number;
  trace?: string;
}

/** What going back would undo. */
export interface RestorePreview {
  /** The block that would be the last. */
  seqno: number;
  blocks: number;
  /** How many traces would be undone, or cut off where they have transactions before. */
  traces: number;
  /** The newest of them, newest first: hashes (lowercase hex) of their first transactions. */
  newest: readonly string[];
  /** Raw addresses of the accounts whose state was set from outside, which would be undone too; newest first. */
  edited: readonly string[];
}

interface Command<Parameters, Result> {
  parameters: Parameters;
  result: Result;
}

type Nothing = Record<never, never>;

/**
 * Every command of the control API with its parameters and its result, both as JSON. Amounts are nanocoins in decimal
 * text, cells are BoCs in base64 or hex, addresses have any usual form or are account names.
 */
export interface ControlApi {
  status: Command<{ wait?: number }, LocalnetStatus>;
  accounts: Command<Nothing, (LocalAccount & { balance: string })[]>;
  contracts: Command<Nothing, { address: string; codeHash: string }[]>;
  account: Command<{ address: string }, ControlAccount>;
  signingState: Command<{ address: string }, SigningState>;
  faucet: Command<{ address: string; amount: string }, SentMessage>;
  faucetJetton: Command<{ address: string; jetton: string; amount: string; units?: boolean }, JettonGift>;
  sendAs: Command<
    {
      from: string;
      to: string;
      value?: string;
      body?: string;
      code?: string;
      data?: string;
      bounce?: boolean;
    },
    SentMessage
  >;
  deploy: Command<
    { code: string; data: string; value?: string; workchain?: number; body?: string; name?: string },
    SentMessage & { address: string; name?: string }
  >;
  name: Command<{ address: string; name: string }, { name: string }>;
  domain: Command<{ domain: string; wallet: string; owner?: string }, { domain: string; address: string }>;
  setAccount: Command<
    {
      address: string;
      balance?: string;
      extraCurrencies?: Readonly<Record<string, string>>;
      code?: string;
      data?: string;
      tick?: boolean;
      tock?: boolean;
    },
    { seqno: number }
  >;
  retry: Command<{ hash?: string; address?: string }, { tried: number; failed: number }>;
  drop: Command<{ hash: string }, { failed: number }>;
  debug: Command<{ after?: number }, PrintedOutput[]>;
  dropPending: Command<Nothing, { dropped: number }>;
  time: Command<{ seconds?: number; at?: number }, NetworkTime>;
  mine: Command<{ blocks?: number }, { seqno: number }>;
  mode: Command<{ mode: BlockMode['kind']; milliseconds?: number }, BlockMode>;
  snapshot: Command<{ name: string }, { seqno: number }>;
  snapshots: Command<Nothing, Record<string, number>>;
  finality: Command<{ hold?: boolean }, { hold: boolean; blocks: number }>;
  invalidate: Command<{ trace: string }, { trace: string }>;
  restore: Command<RestorePoint & { keep?: boolean }, { seqno: number; undo?: number }>;
  restorePreview: Command<RestorePoint, RestorePreview>;
  undoRestore: Command<{ undo: number }, { seqno: number }>;
  reset: Command<Nothing, { seqno: number }>;
  dump: Command<Nothing, Record<string, unknown>>;
  load: Command<Record<string, unknown>, NetworkTime & { seqno: number; accounts: number }>;
  faults: Command<Partial<Faults>, Faults>;
  requests: Command<{ after?: number }, RecordedRequest[]>;
  replay: Command<{ id: number }, { status: number; body: string }>;
  config: Command<
    { boc?: string; origin?: string; param?: number; value?: string },
    { origin: string; version: number; globalId: number }
  >;
  library: Command<{ boc: string }, { hash: string }>;
}

export type ControlName = keyof ControlApi;

/** Each parameter, and whether it is optional; undefined if the body is a document itself. */
type ParameterList<Parameters> = string extends keyof Parameters
  ? undefined
  : {
      readonly [Name in keyof Parameters]-?: Nothing extends Pick<Parameters, Name> ? 'optional' : 'required';
    };

interface CommandRow<Name extends ControlName> {
  method: 'GET' | 'POST';
  /** For people: what it does. */
  purpose: string;
  parameters: ParameterList<ControlApi[Name]['parameters']>;
}

/** How each command is called. A GET takes its parameters in the query, a POST as a JSON object. */
export const controlApi: { readonly [Name in ControlName]: CommandRow<Name> } = {
  status: {
    method: 'GET',
    purpose:
      'State of the network. With `wait`, answers once the network is idle, or after that many seconds.',
    parameters: { wait: 'optional' },
  },
  accounts: {
    method: 'GET',
    purpose: 'The named accounts with their keys (worthless by design) and balances.',
    parameters: {},
  },
  contracts: {
    method: 'GET',
    purpose:
      'The newest 200 contracts besides the wallets, whoever deployed them, with their code hashes in hex.',
    parameters: {},
  },
  account: {
    method: 'GET',
    purpose: 'One account: status, balance, and on a fork, how well its state is known.',
    parameters: { address: 'required' },
  },
  signingState: {
    method: 'GET',
    purpose:
      "What signing takes: the account's state (a ShardAccount's BoC in base64), the seconds that the clock is `ahead`, and whether nothing waits for a block (`idle`).",
    parameters: { address: 'required' },
  },
  faucet: {
    method: 'POST',
    purpose: 'Gives new coins to an account.',
    parameters: { address: 'required', amount: 'required' },
  },
  faucetJetton: {
    method: 'POST',
    purpose:
      'Mints a jetton to an account, as its admin: `jetton` is a symbol or a master, `amount` such as `100.5` (with `units`: in the smallest unit). Returns what the balance rose by.',
    parameters: { address: 'required', jetton: 'required', amount: 'required', units: 'optional' },
  },
  sendAs: {
    method: 'POST',
    purpose: 'Sends an internal message as any contract.',
    parameters: {
      from: 'required',
      to: 'required',
      value: 'optional',
      body: 'optional',
      code: 'optional',
      data: 'optional',
      bounce: 'optional',
    },
  },
  deploy: {
    method: 'POST',
    purpose: 'Deploys a contract; returns its address.',
    parameters: {
      code: 'required',
      data: 'required',
      value: 'optional',
      workchain: 'optional',
      body: 'optional',
      name: 'optional',
    },
  },
  name: {
    method: 'POST',
    purpose: 'Names a contract; returns the name it was given.',
    parameters: { address: 'required', name: 'required' },
  },
  domain: {
    method: 'POST',
    purpose: 'Points a .ton name to a wallet; returns the domain item.',
    parameters: { domain: 'required', wallet: 'required', owner: 'optional' },
  },
  setAccount: {
    method: 'POST',
    purpose: 'Sets the balance, code, or data of an account.',
    parameters: {
      address: 'required',
      balance: 'optional',
      extraCurrencies: 'optional',
      code: 'optional',
      data: 'optional',
      tick: 'optional',
      tock: 'optional',
    },
  },
  retry: {
    method: 'POST',
    purpose: 'Retries messages that the emulator failed on: one, those to an address, or all.',
    parameters: { hash: 'optional', address: 'optional' },
  },
  drop: {
    method: 'POST',
    purpose: 'Drops a message that the emulator failed on, together with its coins.',
    parameters: { hash: 'required' },
  },
  debug: {
    method: 'GET',
    purpose: "What contracts recently printed with the TVM's debug instructions, after an id.",
    parameters: { after: 'optional' },
  },
  dropPending: {
    method: 'POST',
    purpose: 'Drops external messages that are waiting for a block; returns how many.',
    parameters: {},
  },
  time: {
    method: 'POST',
    purpose:
      "Moves the clock forward by `seconds`, or to `at` (Unix seconds, not before the last block); without parameters, back to the machine's time.",
    parameters: { seconds: 'optional', at: 'optional' },
  },
  mine: {
    method: 'POST',
    purpose: 'Makes blocks now, one by default.',
    parameters: { blocks: 'optional' },
  },
  mode: {
    method: 'POST',
    purpose: 'Sets the block mode: `automatic`, `interval`, or `manual`.',
    parameters: { mode: 'required', milliseconds: 'optional' },
  },
  finality: {
    method: 'POST',
    purpose:
      'With `hold`, streams report new blocks as confirmed only; `false` finalizes them. Returns that and the number of held blocks.',
    parameters: { hold: 'optional' },
  },
  invalidate: {
    method: 'POST',
    purpose:
      'Takes back a trace that is not finalized: drops its pending message, or goes back to before its held block. Returns its normalized hash.',
    parameters: { trace: 'required' },
  },
  snapshot: {
    method: 'POST',
    purpose: 'Saves the current state under a name.',
    parameters: { name: 'required' },
  },
  snapshots: { method: 'GET', purpose: 'Names and seqnos of the snapshots.', parameters: {} },
  restore: {
    method: 'POST',
    purpose:
      'Goes back to a snapshot (`name`), to a block (`seqno`), or to just before a trace (`trace`). With `keep`, returns an `undo` for undoRestore.',
    parameters: { name: 'optional', seqno: 'optional', trace: 'optional', keep: 'optional' },
  },
  restorePreview: {
    method: 'GET',
    purpose:
      'What restore would undo: the number of blocks and traces, the newest traces, and the accounts that were set by hand.',
    parameters: { name: 'optional', seqno: 'optional', trace: 'optional' },
  },
  undoRestore: {
    method: 'POST',
    purpose:
      'Brings back what a restore with `keep` has undone, in place of the blocks made since, until the network stops or is reset.',
    parameters: { undo: 'required' },
  },
  reset: { method: 'POST', purpose: 'Starts over from the first block.', parameters: {} },
  dump: {
    method: 'POST',
    purpose: 'The whole state as JSON, without history, for another network to load.',
    parameters: {},
  },
  load: {
    method: 'POST',
    purpose: 'Replaces the state with the one in the body, as returned by `dump`.',
    parameters: undefined,
  },
  faults: {
    method: 'POST',
    purpose: 'Injects faults into the answers of both APIs. Without parameters, removes them.',
    parameters: {
      keys: 'optional',
      requestsPerSecond: 'optional',
      rateLimitBody: 'optional',
      latency: 'optional',
      failureShare: 'optional',
      failures: 'optional',
    },
  },
  requests: {
    method: 'GET',
    purpose: 'The most recent requests to the APIs, after an id.',
    parameters: { after: 'optional' },
  },
  replay: { method: 'POST', purpose: 'Repeats a recorded request.', parameters: { id: 'required' } },
  config: {
    method: 'POST',
    purpose:
      'Adopts the configuration of a real network (`boc`, from getConfigAll), or sets one parameter (`param`, `value`: a BoC). It is tested on the engine first.',
    parameters: { boc: 'optional', origin: 'optional', param: 'optional', value: 'optional' },
  },
  library: {
    method: 'POST',
    purpose: 'Adds a library for contracts and get-methods; returns its hash.',
    parameters: { boc: 'required' },
  },
};
