import type { StackValue } from '../stack/stackValue';

/** Where answers of get-methods come from; a network is one (getMethods/getMethodSourceOf). */
export interface GetMethodSource {
  /** The stack that the method leaves; undefined where it fails. Throws what the network throws. */
  run(
    address: string,
    method: string,
    stack: readonly StackValue[],
    signal: AbortSignal | undefined,
  ): Promise<readonly StackValue[] | undefined>;
}
