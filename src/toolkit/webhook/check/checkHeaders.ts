import { areAccepted } from './checkRow';
import type { CheckRow } from './checkRow';
import { isOneOf } from '../send/headersToSend';
import type { WebhookProvider } from '../provider/provider';

/** A rule about one of the signature header names. */
export interface HeaderRule {
  header: string;
  rule: string;
  /** The consequence if it is broken. */
  consequence: string;
  /** Optional for a receiver. */
  optional: boolean;
}

/**
 * Tests each signature header name separately: a delivery with several at once would not reveal a receiver that reads
 * the wrong one. A single name needs no separate rule.
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

/** Which headers a checked receiver reads, as one sentence; undefined if that was not tested. */
export function describeReadHeaders(rows: readonly CheckRow[]): string | undefined {
  const looked = rows.filter(({ header }) => header !== undefined);
  const read = looked.flatMap(({ header, statuses }) => (areAccepted(statuses) ? [header ?? ''] : []));
  // Who refuses every genuine delivery does not do so because of the header's name.
  if (looked.length === 0 || (read.length === 0 && rows.some(isRefusedSuccess))) {
    return undefined;
  }
  if (read.length === looked.length) {
    return `It reads the signature from ${read.join(' and from ')}.`;
  }
  return read.length === 0
    ? `It does not accept a signature in any one of ${looked.map(({ header }) => header).join(', ')} alone.`
    : `It reads the signature from ${read.join(' and from ')} only.`;
}

function isRefusedSuccess({ scenario, header, statuses }: CheckRow): boolean {
  return scenario === 'success' && header === undefined && !areAccepted(statuses);
}
