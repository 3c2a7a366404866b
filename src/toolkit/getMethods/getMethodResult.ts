import type { Cell } from '@ton/core';
import type { StackValue } from '../stack/stackValue';

/** What a value was recognised as. */
export type Decoded =
  | { kind: 'number'; value: bigint }
  | { kind: 'nan' | 'null' }
  /** Raw address in lower case; null is the empty address (addr_none). */
  | { kind: 'address'; address: string | null }
  /** `form` says what stood before the text, if anything. */
  | { kind: 'text'; text: string; form: 'plain' | 'comment' | 'off-chain content' }
  | { kind: 'cell'; cell: Cell }
  | { kind: 'items'; items: ResultEntry[] }
  | { kind: 'unsupported'; description: string };

/** One entry of a result's stack. */
export interface ResultEntry {
  type: StackValue['type'];
  value: StackValue;
  decoded: Decoded;
  /** Set where the API said only that it is one of the two: which reading `type` and `decoded` follow. */
  readAs?: 'cell' | 'slice';
}

/** A get-method that ran, successfully or not. */
export interface GetMethodResult {
  /** Raw, lower case. */
  address: string;
  /** Name or number, as it was asked for. */
  method: string;
  /** The network's name. */
  network: string;
  api: 'v2' | 'v3';
  /** Null where the service does not say: the method ran, since there is a stack. */
  exitCode: number | null;
  /** A few words. */
  exitMeaning: string;
  /** Null where the service does not say. */
  gasUsed: number | null;
  /** What was sent. */
  arguments: readonly StackValue[];
  stack: ResultEntry[];
  /** The stack as the API answered it, one wire entry per entry of `stack`. */
  raw: readonly unknown[];
  elapsedMs: number;
  /** Seqno of the masterchain block it ran at, where the API says so. */
  block?: number;
  /** What the method printed with the debug instructions; only local networks tell. */
  printed?: readonly string[];
}

/** 0, and 1 which the TVM also counts as success; without an exit code there is an answer all the same. */
export function isSuccess({ exitCode }: Pick<GetMethodResult, 'exitCode'>): boolean {
  return exitCode === null || exitCode === 0 || exitCode === 1;
}
