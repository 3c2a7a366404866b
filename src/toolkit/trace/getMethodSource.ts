import type { StackValue } from '../stack/stackValue';

/** Where answers of get-methods come from, for example a network (getMethods/getMethodSourceOf). */
export interface GetMethodSource {
  /** The method's result stack; undefined if it fails. Throws the network's errors. */
  run(
    address: string,
    method: string,
    stack: readonly StackValue[],
    signal: AbortSignal | undefined,
  ): Promise<readonly StackValue[] | undefined>;
}
