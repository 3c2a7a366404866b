import { getMethodId } from '@ton/core';
import type { ContractDescription, ContractMethod } from './contractDescription';
import type { GetMethodSignature } from './getMethodSignature';

/** What is known about a called method, given its name or decimal id. */
export function methodNamed(
  description: Pick<ContractDescription, 'methods'> | undefined,
  method: string,
): ContractMethod | undefined {
  const methods = description?.methods;
  return (
    methods?.find(({ name }) => name === method) ??
    methods?.find(({ name, signature }) => isCalled(signature ?? { name }, method))
  );
}

/** The signature of a called method among those of a file, given its name or decimal id. */
export function signatureNamed(
  signatures: readonly GetMethodSignature[],
  method: string,
): GetMethodSignature | undefined {
  return signatures.find(({ name }) => name === method) ?? signatures.find((one) => isCalled(one, method));
}

function isCalled(
  { name, methodId }: Pick<GetMethodSignature, 'name' | 'methodId'>,
  method: string,
): boolean {
  return /^-?\d+$/.test(method) && (methodId ?? getMethodId(name)) === Number(method);
}

/**
 * The id by which a call reaches the method, if its source gives it another than its name has (`method_id(65)`,
 * `@method_id(0x1F000)`, `get(0x1F000)`).
 */
export function ownMethodId(
  signature: Pick<GetMethodSignature, 'name' | 'methodId'> | undefined,
): number | undefined {
  const { name, methodId } = signature ?? {};
  return name === undefined || methodId === getMethodId(name) ? undefined : methodId;
}

/** The names of get-methods with known signatures, by id. */
export function methodNames({ methods }: Pick<ContractDescription, 'methods'>): ReadonlyMap<number, string> {
  return new Map(
    methods.flatMap(({ name, signature }): [number, string][] =>
      signature === undefined ? [] : [[signature.methodId ?? getMethodId(name), name]],
    ),
  );
}
