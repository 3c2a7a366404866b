import { randomUUID } from 'node:crypto';
import { limits } from '../../limits';
import type { HeaderList } from './headerList';

/** Names the listeners that have forwarded a delivery, the first one first (as CDN-Loop does, RFC 8586). */
const forwardMarkHeader = 'X-Ton-Workbench-Forwarded';

const lowerName = forwardMarkHeader.toLowerCase();

/**
 * The mark that a listener leaves on what it forwards, so that a target which leads back to it (through a proxy, a tunnel
 * or another listener) makes no delivery of its own deliveries.
 */
export class ForwardMark {
  readonly #id = randomUUID();

  /** Whether this listener has forwarded these headers before. */
  isOn(headers: HeaderList): boolean {
    return marksOf(headers).includes(this.#id);
  }

  /** The headers with this listener's mark; undefined when they have come through too many listeners already. */
  put(headers: HeaderList): HeaderList | undefined {
    const marks = marksOf(headers);
    return marks.length >= limits.forwardHops.most
      ? undefined
      : [...withoutForwardMark(headers), [forwardMarkHeader, [...marks, this.#id].join(', ')]];
  }
}

/** The headers as the first sender wrote them. */
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
