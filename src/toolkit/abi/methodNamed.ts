import type { ContractDescription, ContractMethod } from './describeContract';

/** What is known of the method that a call means, by its name or its id in decimals. */
export function methodNamed(
  description: ContractDescription | undefined,
  method: string,
): ContractMethod | undefined {
  return description?.methods.find(
    ({ name, signature }) => name === method || String(signature?.methodId) === method,
  );
}
