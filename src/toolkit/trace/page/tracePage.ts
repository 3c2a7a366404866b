import type { NodeChange } from '../nodeChange';
import type { Outcome } from '../traceModel';

/** A party of a trace. */
export interface PageAccount {
  /** A, B, … in order of appearance; `?` if the account is unknown. */
  letter: string;
  /** The best name known. */
  name: string;
  /** `workchain:hex`, or empty. */
  account: string;
}

/** A masterchain block that has transactions of the trace, or, on networks without, a block. */
export interface PageBlock {
  /** `block 1 204`. */
  title: string;
}

/** What differs from the transaction's partner in the other trace of a comparison. */
export interface NodeDifference {
  /** `added`: only in the right trace. `missing`: only in the left one. */
  kind: 'same' | 'changed' | 'added' | 'missing';
  /** `only in the rehearsal`, `the same in both`; empty if changed. */
  words: string;
  /** The most important first; empty unless changed. */
  changes: NodeChange[];
}

/** One transaction, or a message without one (yet). Texts are visible ones; amounts are exact. */
export interface PageNode {
  /** Index of the parent in {@link TracePage.nodes}; -1 for a root. Parents come before their children. */
  parent: number;
  /** Index in {@link TracePage.accounts}. */
  account: number;
  /** Lowercase hex, or empty for a message without a transaction. */
  hash: string;
  /** Name of the message: `Withdraw`, `jetton_transfer`. */
  message: string;
  /** Opcode and the like, or empty. */
  opcode: string;
  /** The message's coins with label, or empty. */
  value: string;
  /** The jettons that the message is about, with their unit; empty if none. */
  jettons: string;
  /** The message's nanocoins as a decimal number, or empty if it has none or they are unknown. */
  nanocoins: string;
  /** `exit 0`, `exit 402`, `no transaction yet`. */
  result: string;
  symbol: string;
  outcome: Outcome;
  isBounced: boolean;
  /** Predicted: in no block yet, or never. */
  isEmulated: boolean;
  /** Gas units; 0 if no code ran or the answer omits it. */
  gas: number;
  /** Coins without label, or empty. */
  fee: string;
  /** Nanocoins of {@link fee} as a decimal number, or empty. */
  feeNanocoins: string;
  /** Logical time as a decimal number; empty without a transaction. */
  lt: string;
  /** Index in {@link TracePage.blocks}; -1 if unknown or in none. */
  block: number;
  /** The first change of the contract's data in words, and how many more; empty if unknown or none. */
  change: string;
  /** Only in comparisons. */
  difference?: NodeDifference;
}

/** An amount that passed from one party to another, round trips canceled. */
export interface MoneyFlow {
  /** Index in {@link AssetFlows.parties}. */
  from: number;
  /** Index in {@link AssetFlows.parties}. */
  to: number;
  /** Base units as a decimal number, above zero. */
  amount: string;
  /** With unit: `0.25 TON`. */
  text: string;
}

/** How an asset's base units are written: `1.5 TON`. */
export interface AmountUnit {
  name: string;
  decimals: number;
}

/** The money of one asset. For each party, what came less what went is {@link MoneyParty.change}. */
export interface AssetFlows {
  /** `TON`, a jetton's symbol, or `extra currency 100`. */
  title: string;
  unit: AmountUnit;
  parties: MoneyParty[];
  flows: MoneyFlow[];
  /** Unaccounted items, each as one sentence. */
  unknown: string[];
  /** Only in comparisons, if the traces differ in it. */
  compared?: ComparedParty[];
}

/** What a party gained or lost in each of two traces. */
export interface ComparedParty {
  name: string;
  /** Index in {@link TracePage.accounts}, or -1. */
  account: number;
  /** In the left trace, in the right one, and the difference, without unit: `+0.25`. */
  texts: [left: string, right: string, difference: string];
}

/** A payer, a receiver, the validators (fees), a mint, or a burn. */
export interface MoneyParty {
  kind: 'account' | 'fees' | 'minted' | 'burned' | 'outside' | 'unknown';
  name: string;
  /** Index in {@link TracePage.accounts}, or -1. */
  account: number;
  /** Base units as a decimal number, signed. All of an asset's add up to zero. */
  change: string;
  /** With unit and sign: `+0.25 TON`. */
  text: string;
}

/** What the page of a trace shows. */
export interface TracePage {
  /** The trace's id or a substitute: unchanged while the trace grows. */
  key: string;
  headline: string;
  /** Where it is from, when, and how much of it there is. */
  facts: string;
  /**
   * What happened or why it failed, in one sentence, with the symbol of its outcome. `node` is the transaction that it is
   * about: the failed one, or the first that differs; or -1.
   */
  verdict: {
    symbol: string;
    text: string;
    isFailed: boolean;
    node: number;
    /** The line that threw and the values under it, if it is known. */
    source?: { place: string; code: string; values: string } | undefined;
  };
  /** The transaction that the trace is about: the receiver of a wallet's message, not the wallet. */
  main?: number;
  /** An emulation or rehearsal never looks like what happened, nor does what a test ran; what a restore undid is struck out. */
  kind: 'happened' | 'rehearsal' | 'replay' | 'undone' | 'comparison' | 'test';
  /** What {@link NodeDifference} is between: `the rehearsal` and `what happened`. */
  sides?: [left: string, right: string];
  /** What it begins with; default: what was shown last. */
  picture?: 'sequence' | undefined;
  /** It may still grow. */
  isPending: boolean;
  coin: string;
  problems: string[];
  accounts: PageAccount[];
  blocks: PageBlock[];
  nodes: PageNode[];
  money: AssetFlows[];
  /** What the header offers. */
  commands: PageCommand[];
}

/** What the page can ask the editor to do: with the trace, or with one of its transactions. */
export const pageCommands = [
  'send',
  'text',
  'line',
  'debug',
  'replay',
  'replayWithChanges',
  'keepAsTest',
  'sendAgain',
  'undo',
  'compare',
  'steps',
  'account',
  'source',
  'keepOrder',
  'save',
] as const;

export type PageCommand = (typeof pageCommands)[number];

/** One fact about a transaction. */
export interface DetailRow {
  label: string;
  text: string;
  tone?: 'failed' | 'changed' | 'quiet';
  /** A click on the text does this, with the transaction. */
  command?: PageCommand;
  /** The account (`workchain:hex`) whose page a click opens. */
  account?: string;
  /** A click asks where it comes from: its name in questions, such as `tx.value`. */
  question?: string;
}

/** What is known about one transaction of the page. */
export interface PageDetails {
  node: number;
  /** `Vault, transaction 2 of 3`. */
  title: string;
  /** Why it failed or what it did, in one sentence. */
  sentence: string;
  sections: { title: string; rows: DetailRow[] }[];
  commands: PageCommand[];
}

/** Where a value comes from that the page shows of a transaction. */
export interface PageAnswer {
  node: number;
  question: string;
  /** The step before which it was asked; undefined for what the transaction itself says. */
  step?: number | undefined;
  /** The newest first. */
  hops: PageHop[];
}

/** A place that a value came through. */
export interface PageHop {
  /** `Withdraw.amount = 6 TON`, `unknown: …` with the reason. */
  words: string;
  /** `bank.tolk:31, 3 bank, step 120`. */
  place: string;
  /** 0, or how often it was asked what a value was worked out of. */
  depth: number;
  /** A way begins: what was asked about, or what it was worked out of. */
  isFirst: boolean;
  isUnknown: boolean;
  /** A click puts the debugger there: the execution of the trace, and its step from 1; absent if there is no step. */
  at?: { thread: number; step: number };
}

/** A step of a transaction's execution, as it was run again. Steps are numbered from 1, with those that the log has lost. */
export interface PageStep {
  node: number;
  first: number;
  last: number;
  step: number;
  /** `till.tolk:8`; empty if no source line is known. */
  place: string;
  /** The function around it, or empty. */
  function: string;
  /** The instruction that runs at it; empty for a step of the VM's own. */
  instruction: string;
  /** The lines that ran around it, in this order, each with the step at which it begins; without a source, instructions. */
  lines: { step: number; place: string; text: string; isHere: boolean }[];
  /** What is known before the step; `expression` names the value in questions. */
  values: { name: string; text: string; expression: string }[];
  /** How many values are not shown: `3 more variables`; or empty. */
  more: string;
  /** The values are entries of the stack, because the source names none. */
  isStack: boolean;
  /** What failed at this step, or empty. */
  failure: string;
}
