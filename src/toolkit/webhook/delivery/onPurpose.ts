import { WorkbenchError } from '../../base/errors';
import { limits } from '../../base/limits';

/** How a listener misbehaves: another status than it should answer, a late answer, or none. */
export type Misbehavior = { how: 'status'; status: number } | { how: 'delay'; ms: number } | { how: 'cut' };

/** A misbehavior for the next deliveries. */
export interface RefuseNext {
  behavior: Misbehavior;
  /** How many deliveries. */
  count: number;
}

/** The mark of a delivery that the listener did not answer as it should, because it was told so. */
export type OnPurpose = Misbehavior & {
  /** From 1. */
  number: number;
  of: number;
};

/**
 * Reads a misbehavior: a status other than 2xx (`503`), seconds until the answer (`12s`), or `cut`.
 * @throws WorkbenchError `misbehavior-invalid` (input)
 */
export function parseMisbehavior(text: string): Misbehavior {
  const wanted = text.trim();
  if (/^cut$/i.test(wanted)) {
    return { how: 'cut' };
  }
  const seconds = Number(/^(\d{1,3}(?:\.\d{1,3})?) ?s$/i.exec(wanted)?.[1] ?? Number.NaN);
  if (seconds > 0 && seconds <= limits.webhookLateAnswer.most) {
    return { how: 'delay', ms: Math.round(seconds * 1_000) };
  }
  const status = Number(/^[3-5]\d\d$/.exec(wanted)?.[0] ?? Number.NaN);
  if (!Number.isNaN(status)) {
    return { how: 'status', status };
  }
  throw new WorkbenchError({
    code: 'misbehavior-invalid',
    kind: 'input',
    message: `${JSON.stringify(text.slice(0, 60))} is not a way to refuse a delivery.`,
    hint: `Give a status from 300 to 599, a delay of up to ${limits.webhookLateAnswer.most} s such as 12s, or cut.`,
  });
}

/**
 * Reads how many deliveries to refuse.
 * @throws WorkbenchError `misbehavior-invalid` (input)
 */
export function parseRefusedCount(text: string): number {
  const count = Number(/^\d{1,6}$/.exec(text.trim())?.[0] ?? Number.NaN);
  if (count >= 1 && count <= limits.webhookRefusedOnPurpose.most) {
    return count;
  }
  throw new WorkbenchError({
    code: 'misbehavior-invalid',
    kind: 'input',
    message: `${JSON.stringify(text.slice(0, 60))} is not a number of deliveries.`,
    hint: `Give a whole number from 1 to ${limits.webhookRefusedOnPurpose.most}.`,
  });
}

/** What happens to a delivery: `answered 503`, `answered after 12 s`, `cut off without an answer`. */
export function describeMisbehavior(behavior: Misbehavior): string {
  switch (behavior.how) {
    case 'status':
      return `answered ${behavior.status}`;
    case 'delay':
      return `answered after ${behavior.ms / 1_000} s`;
    case 'cut':
      return 'cut off without an answer';
  }
}

/** The mark as text: `refused on purpose 1 of 3`. */
export function describeOnPurpose({ how, number, of }: OnPurpose): string {
  return `${how === 'delay' ? 'delayed' : 'refused'} on purpose ${number} of ${of}`;
}
