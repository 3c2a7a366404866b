import type { ContractDescription, ContractMethod } from './describeContract';

/** What is known about a called method, given its name or decimal id. */
export function methodNamed(
  description: ContractDescription | undefined,
  method: string,
): ContractMethod | undefined {
  return description?.methods.find(
    ({ name, signature }) => name === method || String(signature?.methodId) === method,
  );
}
