import type { Cell } from '@ton/core';
import type { TokenContent } from '../cell/tokenContent';
import type { StackValue } from '../stack/stackValue';
import { isSuccessCode } from '../contracts/standardExitCode';
import { groupDigits } from '../base/text';
import { signatureText } from '../contracts/abi/getMethodSignature';
import { knownMethods } from '../contracts/abi/knownInterfaces';

/** The recognized meaning of a value. */
export type Decoded =
  | { kind: 'number'; value: bigint }
  | { kind: 'nan' | 'null' }
  /** Raw address, lowercase; null is the empty address (addr_none). */
  | { kind: 'address'; address: string | null }
  /** `form` is the text's prefix, if any. */
  | { kind: 'text'; text: string; form: 'plain' | 'comment' | 'off-chain content' }
  | { kind: 'cell'; cell: Cell }
  /** Token content (TEP-64) that is more than one text. */
  | { kind: 'content'; cell: Cell; content: TokenContent }
  | { kind: 'items'; items: ResultEntry[] }
  | { kind: 'unsupported'; description: string };

/** One entry of a result's stack. */
export interface ResultEntry {
  type: StackValue['type'];
  value: StackValue;
  decoded: Decoded;
  /** Set if the API did not distinguish the two: the interpretation used by `type` and `decoded`. */
  readAs?: 'cell' | 'slice';
}

/** A get-method run, successful or not. */
export interface GetMethodResult {
  /** Raw, lowercase. */
  address: string;
  /** Name or number, as requested. */
  method: string;
  /** The method's id, if it is not the one of its name. */
  methodId?: number;
  /** The network's name. */
  network: string;
  api: 'v2' | 'v3';
  /** Null if the service does not report it: the method ran, since there is a stack. */
  exitCode: number | null;
  /** A few words. */
  exitMeaning: string;
  /** The contract's method of the most similar name, if it does not have the requested one. */
  similar?: string;
  /** Null if the service does not report it. */
  gasUsed: number | null;
  /** What was sent. */
  arguments: readonly StackValue[];
  stack: ResultEntry[];
  /** The stack as returned by the API, one wire entry per entry of `stack`. */
  raw: readonly unknown[];
  elapsedMs: number;
  /** Seqno of the masterchain block it ran at, if the API reports it. */
  block?: number;
  /** The method's debug output; only from local networks. */
  printed?: readonly string[];
}

/** Without an exit code there still is an answer. */
export function isSuccess({ exitCode }: Pick<GetMethodResult, 'exitCode'>): boolean {
  return exitCode === null || isSuccessCode(exitCode);
}

/** The exit code for people: `exit 11`, or that it is unknown. */
export function exitFact({ exitCode }: Pick<GetMethodResult, 'exitCode'>): string {
  return exitCode === null ? 'exit code unknown' : `exit ${exitCode}`;
}

/** The gas for people: `gas 1 234`, or that it is unknown. */
export function gasFact({ gasUsed }: Pick<GetMethodResult, 'gasUsed'>): string {
  return gasUsed === null ? 'gas unknown' : `gas ${groupDigits(gasUsed)}`;
}

/**
 * A note for a well-known get-method called with too many arguments; it still runs, and the extra values stay at the
 * bottom of the stack.
 * @param given number of values
 */
export function extraArgumentsNote(method: string, given: number): string | undefined {
  const known = knownMethods(method);
  const [first] = known;
  return first !== undefined && known.every((one) => one.method.parameters.length < given)
    ? `${signatureText(first.method)} of a ${first.interfaceName} takes ` +
        `${countOf(first.method.parameters.length)}, not ${given}. The extra values stay on the stack, where most contracts ignore them.`
    : undefined;
}

function countOf(parameters: number): string {
  return parameters === 0 ? 'no arguments' : parameters === 1 ? 'one argument' : `${parameters} arguments`;
}
