import type { NodeChange, NodeDifference, PageNode, TracePage } from '../../protocol/tracePage';
import type { Item } from './foldNodes';
import { shorten } from './pageText';
import type { Measure } from './pageText';

const signs: Record<NodeDifference['kind'], string> = { same: '=', changed: '≠', added: '+', missing: '−' };

/** How a transaction ended; in a comparison, how it differs: what changed never looks as if it had merely succeeded. */
export function signOf({ difference, symbol }: PageNode): string {
  return difference === undefined ? symbol : signs[difference.kind];
}

/** The two lines of a compared box, no longer than `length`: the most important first, and how many more there are. */
export function comparedLines(
  { nodes }: TracePage,
  { members }: Item,
  node: PageNode,
  measure: Measure,
  length: number,
): [first: string, second: string] {
  const { kind, words, changes } = node.difference ?? { kind: 'same', words: '', changes: [] };
  const head = signOf(node);
  const room = length - 2;
  if (kind !== 'changed') {
    const own = `${node.symbol} ${node.result}`;
    return kind === 'same'
      ? [`${head} ${shorten(node.result, room)}`, words]
      : [`${head} ${shorten(words, room)}`, shorten(own, length)];
  }
  if (members.length > 1) {
    const all = new Set(
      members.flatMap((member) => (nodes[member]?.difference?.changes ?? []).map(({ what }) => what)),
    );
    return [`${head} all changed:`, shorten([...all].join(', '), length)];
  }
  // Whoever looks at gas or fees sees their change first.
  const order = [
    ...changes.filter(({ what }) => what === measure && measure !== 'value'),
    ...changes.filter(({ what }) => what !== measure || measure === 'value'),
  ];
  const [first, second, ...more] = order;
  const rest = more.length === 0 ? '' : ` +${more.length}`;
  return [
    `${head} ${first === undefined ? '' : fitted(first, room)}`,
    second === undefined ? '' : `${fitted(second, length - rest.length)}${rest}`,
  ];
}

/** Both values stay in sight, whatever has to be cut; `result` goes without saying. */
function fitted({ what, from, to }: NodeChange, length: number): string {
  const name = what === 'result' ? '' : `${shorten(what, Math.floor(length / 2))} `;
  const room = length - name.length - 3;
  const half = Math.floor(room / 2);
  const isShort = [from.length <= half, to.length <= half];
  return isShort[1] === true
    ? `${name}${shorten(from, room - to.length)} → ${to}`
    : `${name}${shorten(from, half)} → ${shorten(to, room - Math.min(half, from.length))}`;
}
