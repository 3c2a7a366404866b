import { runGetMethod as runToolkitGetMethod } from '../toolkit/getMethods/runGetMethod';
import type { Access } from './access';
import { parseStack } from './stack';
import type { StackValue } from './stackValue';
import { toPublicValue, toToolkitValue } from './publicStackValue';
import { toolkitAccess } from './toolkitAccess';

/** What to run. */
export interface GetMethodCall {
  /** In any usual form. */
  address: string;
  /** A name, or a method id in decimal. */
  method: string;
  /** Values, or text in the syntax of `parseStack`. */
  arguments?: string | readonly StackValue[] | undefined;
  signal?: AbortSignal | undefined;
}

/** A get-method that ran, successfully or not. */
export interface GetMethodResult {
  /** 0 (or 1, which the TVM also treats as success), or an error; undefined if the service does not say. */
  exitCode: number | undefined;
  /** The exit code in a few words. */
  exitMeaning: string;
  /** Undefined if the service does not say. */
  gasUsed: number | undefined;
  stack: StackValue[];
}

/**
 * Runs a get-method, over v3 if it can carry the arguments, otherwise over v2. A failing method is a normal
 * result with its exit code, not an exception.
 *
 * @throws WorkbenchError `address-invalid`, `stack-text-invalid`, `stack-value-not-carried` (input), and the
 * network's errors
 * @example
 * ```ts
 * import { runGetMethod } from 'ton-workbench/getMethod';
 *
 * const { exitCode, stack } = await runGetMethod(access, { address: 'EQ…', method: 'seqno' });
 * ```
 */
export async function runGetMethod(access: Access, call: GetMethodCall): Promise<GetMethodResult> {
  const { address, method, arguments: given = [], signal } = call;
  const values = typeof given === 'string' ? parseStack(given) : given;
  const result = await runToolkitGetMethod(
    toolkitAccess(access),
    { address, method, stack: values.map(toToolkitValue) },
    { signal },
  );
  const { exitCode, exitMeaning, gasUsed } = result;
  return {
    exitCode: exitCode ?? undefined,
    exitMeaning,
    gasUsed: gasUsed ?? undefined,
    stack: result.stack.map(({ value }) => toPublicValue(value)),
  };
}
