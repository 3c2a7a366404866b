import { canonicalAddress } from '../address/canonicalAddress';
import type { TraceModel } from './traceModel';

/** A cheap check first, because most texts in a trace are hashes and cells. */
const mayBeAddress = /^(-?\d+:[0-9a-f]{64}|[\w+/-]{48})$/i;

/**
 * The accounts named by a trace's own data: those in its tree, then others with a row in the address book or
 * metadata, such as the jetton of a wallet or an action. An answer with several traces has one address book
 * for all of them.
 */
export function mentionedAccounts({ accounts, addressBook, metadata, source }: TraceModel): Set<string> {
  const named = new Set(accounts);
  // Not recursive, because a trace may be thousands of levels deep. Rows refer to further accounts: that of a
  // jetton wallet to its jetton.
  const stack: unknown[] = [...accounts.map((account) => metadata.get(account)), source];
  while (stack.length > 0) {
    const value = stack.pop();
    if (typeof value === 'object' && value !== null) {
      stack.push(...(Object.values(value) as unknown[]).reverse());
    } else if (typeof value === 'string') {
      // Details of actions and metadata still have the API's format.
      const account = mayBeAddress.test(value) ? (canonicalAddress(value) ?? value) : value;
      const row = metadata.get(account);
      if (!named.has(account) && (row !== undefined || addressBook.has(account))) {
        named.add(account);
        stack.push(row);
      }
    }
  }
  return named;
}
