import type { Rehearsal } from './rehearsal';

/** Whether the rehearsal says that the message is taken and that its account can pay for what it orders. */
export function isPayable({ accepted, reason }: Pick<Rehearsal, 'accepted' | 'reason'>): boolean {
  return accepted === true && reason?.code !== 'balance-too-small';
}
