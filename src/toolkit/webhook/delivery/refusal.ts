import { visibleText } from '../../text';
import { ownValue } from '../../ownValue';
import { clauseOf } from './clauseOf';
import type { Delivery, Verdict } from './delivery';
import type { SignatureProblem } from './signature';

const refusing: ReadonlySet<Verdict> = new Set(['bad-signature', 'malformed', 'wrong-event', 'too-large']);

/** Whether a delivery was refused before any rule about orders: what it says of an order counts for nothing. */
export function isRefused({ verdict }: Pick<Delivery, 'verdict'>): boolean {
  return refusing.has(verdict);
}

/** Why a delivery was refused, in a few words: `no secret matches`. */
export function refusalWords({ signature, reason, verdict }: Delivery): string {
  const words = signature?.ok === false ? ownValue(briefly, signature.problem) : undefined;
  return words ?? clauseOf(visibleText(reason ?? verdict, 200));
}

/** `claims order-3, not verified`, or `names order-3` if its signature is valid; empty if it names none. */
export function claimWords({ claimedReference, signature }: Delivery): string {
  if (claimedReference === undefined) {
    return '';
  }
  const name = visibleText(claimedReference, 60);
  return signature?.ok === true ? `names ${name}` : `claims ${name}, not verified`;
}

/** Rejected signatures in a few words, without the reason. */
const briefly: Readonly<Record<SignatureProblem, string>> = {
  'no-secret': 'no secret is set',
  missing: 'header missing',
  several: 'several signatures',
  'no-prefix': 'no prefix',
  base64: 'base64',
  'upper-case': 'uppercase',
  'wrong-length': 'wrong length',
  'not-hex': 'not hex',
  're-serialized': 'body was re-serialized',
  'trailing-newline': 'trailing newline',
  'other-secret': 'matches another secret',
  'too-old': 'not signed within the allowed time',
  'no-match': 'no secret matches',
};
