import { noFaults } from './faults';
import type { Faults } from './faults';

/** A way in which networks misbehave, by name. */
export interface FaultPreset {
  title: string;
  /** What clients see. */
  detail: string;
  faults: Faults;
}

/** The usual ways in which the public service misbehaves. */
export const faultPresets: readonly FaultPreset[] = [
  {
    title: 'One request a second',
    detail: 'As the public service without an API key: everything beyond is answered with 429.',
    faults: { ...noFaults, requestsPerSecond: 1 },
  },
  {
    title: 'Always 429',
    detail: 'Every request is over the limit.',
    faults: { ...noFaults, failureShare: 1, failures: ['429'] },
  },
  {
    title: 'Slow',
    detail: 'Each answer takes 3 s.',
    faults: { ...noFaults, latency: 3_000 },
  },
  {
    title: 'Unreliable',
    detail: 'A third of the requests fail: 500, 503, a page of HTML, or an answer that is cut off.',
    faults: { ...noFaults, failureShare: 1 / 3, failures: ['500', '503', 'html', 'cut'] },
  },
  {
    title: 'Down',
    detail: 'Every request is answered with 503.',
    faults: { ...noFaults, failureShare: 1, failures: ['503'] },
  },
];

/** Faults in words, each clause once: `1 request a second, 3 s slower`. */
export function describeFaults({ keys, requestsPerSecond, latency, failureShare, failures }: Faults): string {
  const parts = [
    ...(keys.length === 0 ? [] : ['an API key is needed']),
    ...(requestsPerSecond === 0
      ? []
      : [`${requestsPerSecond} ${requestsPerSecond === 1 ? 'request' : 'requests'} a second`]),
    ...(latency === 0 ? [] : [`${latency / 1_000} s slower`]),
    ...(failureShare === 0 || failures.length === 0
      ? []
      : [`${Math.round(failureShare * 100)} % fail (${failures.join(', ')})`]),
  ];
  return parts.length === 0 ? 'as usual' : parts.join(', ');
}
