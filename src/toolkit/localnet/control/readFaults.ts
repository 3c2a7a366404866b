import { ownValue } from '../../ownValue';
import { ApiError } from '../api/apiError';
import type { Faults } from '../faults/faults';
import { noFaults } from '../faults/faults';

const failures: readonly Faults['failures'][number][] = ['429', '500', '503', 'html', 'timeout', 'cut'];

/** Omitted fields keep their values. */
export function readFaults(values: Readonly<Record<string, unknown>>): Faults {
  const number = (name: 'requestsPerSecond' | 'latency' | 'failureShare', maximum: number): number => {
    const value = Number(ownValue(values, name) ?? noFaults[name]);
    return value >= 0 && value <= maximum ? value : refuse(`${name} is not a number from 0 to ${maximum}`);
  };
  const list = (name: string): readonly unknown[] | undefined => {
    const value = ownValue(values, name);
    return value === undefined || Array.isArray(value) ? value : refuse(`${name} is not a list`);
  };
  const body = ownValue(values, 'rateLimitBody') ?? noFaults.rateLimitBody;
  return {
    keys: (list('keys') ?? []).map(String),
    requestsPerSecond: number('requestsPerSecond', 100_000),
    rateLimitBody:
      body === 'result' || body === 'error' ? body : refuse('rateLimitBody is neither result nor error'),
    latency: number('latency', 60_000),
    failureShare: number('failureShare', 1),
    failures: (list('failures') ?? noFaults.failures).map(
      (value) =>
        failures.find((one) => one === String(value)) ?? refuse(`failures are ${failures.join(', ')}`),
    ),
  };
}

function refuse(text: string): never {
  throw new ApiError(422, text);
}
