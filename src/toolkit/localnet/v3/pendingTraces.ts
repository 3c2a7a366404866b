import { ApiError } from '../api/apiError';
import type { LocalChain, PendingMessage } from '../chain/localChain';
import type { TraceRecord } from '../chain/records';
import { addressBook } from './addressBook';
import type { Json } from './encodeDescription';
import { encodePending } from './encodePending';
import { encodeTrace } from './encodeTrace';
import type { Query } from './query';

/** GET /pendingTraces: accepted messages before their block, and traces with messages still on their way. */
export function pendingTraces(chain: LocalChain, query: Query): Json {
  const account = query.address('account');
  const hashes = new Set(query.hashes('ext_msg_hash'));
  if (account === undefined && hashes.size === 0) {
    throw new ApiError(422, 'account or ext_msg_hash should be specified');
  }
  const waiting = [...chain.pending.values()].filter((pending) => concerns(pending, account, hashes));
  const open = [...chain.ledger.openTraces].filter((trace) => touches(trace, account, hashes));
  const rows = [...waiting.map((pending) => encodePending(chain, pending)), ...open.map(encodeOpen)];
  // Without a match the service answers null here, not an empty list.
  const traces = rows.length === 0 ? null : rows;
  return { traces, address_book: addressBook(chain.ledger, rows), metadata: {} };
}

function concerns({ external }: PendingMessage, account: string | undefined, hashes: Set<string>): boolean {
  return account === undefined
    ? hashes.has(external.hash) || hashes.has(external.normalised)
    : external.facts.destination === account;
}

function touches(trace: TraceRecord, account: string | undefined, hashes: Set<string>): boolean {
  return trace.transactions.some(({ account: { address }, inMessage }) =>
    account === undefined
      ? inMessage !== null && (hashes.has(inMessage.hash) || hashes.has(inMessage.normalised ?? ''))
      : address === account,
  );
}

function encodeOpen(trace: TraceRecord): Json {
  const encoded = encodeTrace(trace);
  const info = { ...(encoded.trace_info as Json), trace_state: 'pending' };
  return { ...encoded, trace_info: info, actions: [] };
}
