import type { ListedLine } from './liveLines';
import type { TraceContext } from './traceContext';
import { traceLine } from './traceLine';

/** The line of a trace in a list, with the means to find the trace again. */
export function listedLine(
  context: TraceContext,
  place: Pick<ListedLine, 'key' | 'network' | 'chain' | 'isMine'>,
): ListedLine {
  const { model } = context;
  const message = model.roots[0]?.message;
  const hashes = [model.source.external_hash, message?.hash, message?.hash_norm];
  const lts = model.nodes.map(({ transaction }) => transaction?.lt ?? 0n);
  const endLt = model.source.end_lt ?? lts.reduce((latest, lt) => (lt > latest ? lt : latest), 0n);
  return {
    ...traceLine(context),
    ...place,
    id: model.id ?? model.nodes[0]?.hash ?? '',
    messages: [...new Set(hashes.filter((hash) => typeof hash === 'string'))],
    endLt: String(endLt),
  };
}
