import type { PageNode, TracePage } from '../../../../src/protocol/tracePage';

/** A transaction that succeeded, with what a test says about it. */
export function pageNode(node: Partial<PageNode>): PageNode {
  return {
    ...{ parent: -1, account: 0, hash: '', message: 'Spray', opcode: '', value: '', jettons: '' },
    ...{ nanocoins: '' },
    ...{ result: 'exit 0', symbol: '✓', outcome: 'ok', isBounced: false, isEmulated: false },
    ...{ gas: 0, fee: '', feeNanocoins: '', lt: '', block: -1, change: '' },
    ...node,
  };
}

/** A page of these transactions; accounts are named a0, a1, …. */
export function pageOf(nodes: readonly Partial<PageNode>[], page: Partial<TracePage> = {}): TracePage {
  const count = nodes.reduce((most, { account = 0 }) => Math.max(most, account + 1), 1);
  return {
    ...{ key: 'k', headline: 'a trace', facts: 'complete', kind: 'happened', isPending: false, coin: 'TON' },
    verdict: { symbol: '✓', text: 'a trace', isFailed: false, node: -1 },
    ...{ problems: [], blocks: [], money: [], commands: [] },
    accounts: Array.from({ length: count }, (_, index) => ({
      letter: String.fromCharCode(65 + (index % 26)),
      name: `a${index}`,
      account: `0:${index}`,
    })),
    nodes: nodes.map(pageNode),
    ...page,
  };
}
