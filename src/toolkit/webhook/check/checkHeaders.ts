import { areAccepted } from './checkRow';
import type { CheckRow } from './checkRow';
import { isOneOf } from '../send/headersToSend';
import type { WebhookProvider } from '../provider/provider';

/** A rule about one name of the signature's header. */
export interface HeaderRule {
  header: string;
  rule: string;
  /** What goes wrong otherwise. */
  consequence: string;
  /** A receiver may do without it. */
  optional: boolean;
}

/**
 * Each name of the signature's header by itself: a delivery under several at once shows no receiver that reads the wrong
 * one. A single name needs no rule of its own.
 */
export function headerRules(provider: WebhookProvider, names = provider.signatureHeaders): HeaderRule[] {
  if (names.length === 1) {
    return [];
  }
  const isDocumented = (name: string): boolean => isOneOf(name, provider.documentedHeaders);
  return names.map((header) => {
    const isOwn = !isDocumented(header) && isOneOf(header, provider.signatureHeaders);
    return {
      header,
      rule: `accept the signature in ${header}${isOwn ? ' (SDK)' : ''} alone`,
      consequence: isDocumented(header)
        ? `${header} is the documented header: every delivery that uses it would be refused, and no payment would be noticed.`
        : `Every delivery signed in ${header} would be refused.`,
      optional: isOwn && names.some(isDocumented),
    };
  });
}

/** Which headers a checked receiver reads, in one sentence; undefined when that was not looked at. */
export function describeReadHeaders(rows: readonly CheckRow[]): string | undefined {
  const looked = rows.filter(({ header }) => header !== undefined);
  const read = looked.flatMap(({ header, statuses }) => (areAccepted(statuses) ? [header ?? ''] : []));
  if (looked.length === 0) {
    return undefined;
  }
  if (read.length === looked.length) {
    return `It reads the signature from ${read.join(' and from ')}.`;
  }
  return read.length === 0
    ? `It does not accept a signature in any one of ${looked.map(({ header }) => header).join(', ')} alone.`
    : `It reads the signature from ${read.join(' and from ')} only.`;
}
