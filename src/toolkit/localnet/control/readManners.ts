import { ownValue } from '../../ownValue';
import { ApiError } from '../api/apiError';
import type { Manners } from '../faults/manners';
import { goodManners } from '../faults/manners';

const failures: readonly Manners['failures'][number][] = ['429', '500', '503', 'html', 'timeout', 'cut'];

/** What is not given stays good. */
export function readManners(values: Readonly<Record<string, unknown>>): Manners {
  const number = (name: 'requestsPerSecond' | 'latency' | 'failureShare', maximum: number): number => {
    const value = Number(ownValue(values, name) ?? goodManners[name]);
    return value >= 0 && value <= maximum ? value : refuse(`${name} is no number from 0 to ${maximum}`);
  };
  const list = (name: string): readonly unknown[] | undefined => {
    const value = ownValue(values, name);
    return value === undefined || Array.isArray(value) ? value : refuse(`${name} is no list`);
  };
  const body = ownValue(values, 'rateLimitBody') ?? goodManners.rateLimitBody;
  return {
    keys: (list('keys') ?? []).map(String),
    requestsPerSecond: number('requestsPerSecond', 100_000),
    rateLimitBody:
      body === 'result' || body === 'error' ? body : refuse('rateLimitBody is neither result nor error'),
    latency: number('latency', 60_000),
    failureShare: number('failureShare', 1),
    failures: (list('failures') ?? goodManners.failures).map(
      (value) =>
        failures.find((one) => one === String(value)) ?? refuse(`failures are ${failures.join(', ')}`),
    ),
  };
}

function refuse(text: string): never {
  throw new ApiError(422, text);
}
