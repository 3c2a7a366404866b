import { randomUUID } from 'node:crypto';
import { limits } from '../../base/limits';
import type { HeaderList } from './signature';

/** Lists the listeners that have forwarded a delivery, in order (like CDN-Loop, RFC 8586). */
const forwardMarkHeader = 'X-Ton-Workbench-Forwarded';

const lowerName = forwardMarkHeader.toLowerCase();

/**
 * A listener's mark on forwarded requests, which prevents loops if the target leads back to it (through a proxy, a
 * tunnel, or another listener).
 */
export class ForwardMark {
  readonly #id = randomUUID();

  /** Whether this listener has already forwarded these headers. */
  isOn(headers: HeaderList): boolean {
    return marksOf(headers).includes(this.#id);
  }

  /** The headers with this listener's mark; undefined if they have passed too many listeners already. */
  put(headers: HeaderList): HeaderList | undefined {
    const marks = marksOf(headers);
    return marks.length >= limits.forwardHops.most
      ? undefined
      : [...withoutForwardMark(headers), [forwardMarkHeader, [...marks, this.#id].join(', ')]];
  }
}

/** The headers as written by the first sender. */
export function withoutForwardMark(headers: HeaderList): HeaderList {
  return headers.filter(([name]) => name.toLowerCase() !== lowerName);
}

function marksOf(headers: HeaderList): string[] {
  const marks: string[] = [];
  for (const [name, value] of headers) {
    if (name.length === lowerName.length && name.toLowerCase() === lowerName) {
      marks.push(...value.split(',').map((mark) => mark.trim()));
    }
  }
  return marks;
}
