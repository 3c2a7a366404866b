import type { PageNode } from '../../protocol/tracePage';

/**
 * Where the transactions of a page are after the trace has grown: a new one in between moves all that follow. A message
 * that waited for its transaction is found by its place among its siblings.
 *
 * @returns for each index of `before` the one of `after`; -1 if it is gone
 */
export function movedNodes(before: readonly PageNode[], after: readonly PageNode[]): Int32Array {
  const byHash = new Map<string, number>();
  const byPlace = new Map<string, number>();
  const place = placing();
  after.forEach((node, index) => {
    if (node.hash !== '') {
      byHash.set(node.hash, index);
    }
    byPlace.set(place(node, node.parent), index);
  });
  const moved = new Int32Array(before.length).fill(-1);
  const placeBefore = placing();
  // Parents come before their children, so a node's parent has its new index already.
  before.forEach((node, index) => {
    const here = placeBefore(node, moved[node.parent] ?? -1);
    moved[index] = byHash.get(node.hash) ?? byPlace.get(here) ?? -1;
  });
  return moved;
}

/** Names a node by its parent, its message, and its number among siblings with the same. */
function placing(): (node: PageNode, parent: number) => string {
  const counts = new Map<string, number>();
  return ({ account, message, nanocoins }, parent) => {
    const kind = `${parent} ${account} ${nanocoins} ${message}`;
    const count = counts.get(kind) ?? 0;
    counts.set(kind, count + 1);
    return `${kind} ${count}`;
  };
}
