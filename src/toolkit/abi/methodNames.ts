import { getMethodId } from '@ton/core';
import type { ContractDescription } from './describeContract';

/** The names of get-methods with known signatures, by id. */
export function methodNames({ methods }: Pick<ContractDescription, 'methods'>): ReadonlyMap<number, string> {
  return new Map(
    methods.flatMap(({ name, signature }): [number, string][] =>
      signature === undefined ? [] : [[signature.methodId ?? getMethodId(name), name]],
    ),
  );
}
