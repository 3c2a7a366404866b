import type { Rehearsal } from './rehearsal';

/** Whether, by the rehearsal, the message is accepted and its account can pay for its orders. */
export function isPayable({ accepted, reason }: Pick<Rehearsal, 'accepted' | 'reason'>): boolean {
  return accepted === true && reason?.code !== 'balance-too-small';
}
