import assert from 'node:assert/strict';
import type { PageNode } from '../../../../src/protocol/tracePage';
import { foldKey, foldNodes } from '../../../../src/webview/tracePage/foldNodes';
import type { Folding, ItemTree } from '../../../../src/webview/tracePage/foldNodes';
import { itemName, itemValue } from '../../../../src/webview/tracePage/pageText';
import { randomNumbers } from '../../cell/support/randomNumbers';
import { pageNode, pageOf } from './pageNodes';

const nothing: Folding = { collapsed: new Set(), unfolded: new Set() };

function spray(children: Partial<PageNode>[]): PageNode[] {
  return [pageNode({}), ...children.map((child) => pageNode({ parent: 0, account: 1, ...child }))];
}

/** Each transaction is in exactly one item, counted or shown. */
function checkWhole(nodes: readonly PageNode[], { items, itemOf }: ItemTree): void {
  const shown = items.reduce((sum, { members, hidden }) => sum + members.length + hidden, 0);
  assert.equal(shown, nodes.length);
  nodes.forEach((_, node) => assert.ok(itemOf[node] !== undefined, `node ${node} has no item`));
}

describe('page of a trace: siblings that are alike', () => {
  it('are one item with their number and exact sum', () => {
    const nodes = spray(Array.from({ length: 50 }, () => ({ nanocoins: '100000001', value: '0.1 TON' })));
    const tree = foldNodes(nodes, nothing);
    const [, fold] = tree.items;
    assert.equal(tree.items.length, 2);
    const page = pageOf(nodes);
    assert.equal(itemName(page, fold!), 'a1 ×50');
    assert.equal(itemValue(page, fold!), '5.00000005 TON');
  });

  it('stay apart if one failed, has another message, or something else below', () => {
    const alike = Array.from({ length: 5 }, () => ({}));
    const nodes = [
      ...spray([...alike, { outcome: 'failed', result: 'exit 9' }, { message: 'Other' }, {}]),
      pageNode({ parent: 8, message: 'below' }),
    ];
    const tree = foldNodes(nodes, nothing);
    assert.deepEqual(
      tree.items.map(({ members }) => members.length),
      [1, 5, 1, 1, 1, 1],
    );
    checkWhole(nodes, tree);
  });

  it('are joined over accounts only if they are many', () => {
    const accounts = (count: number): PageNode[] =>
      spray(Array.from({ length: count }, (_, index) => ({ account: index + 1 })));
    assert.equal(foldNodes(accounts(12), nothing).items.length, 13);
    const many = accounts(253);
    const tree = foldNodes(many, nothing);
    assert.equal(tree.items.length, 2);
    assert.equal(itemName(pageOf(many), tree.items[1]!), '253 accounts');
  });

  it('open one step at a time: accounts first, then transactions', () => {
    const nodes = spray(Array.from({ length: 60 }, (_, index) => ({ account: 1 + (index % 15) })));
    const [, mixed] = foldNodes(nodes, nothing).items;
    assert.equal(mixed!.isMixed, true);
    const opened = foldNodes(nodes, { ...nothing, unfolded: new Set([foldKey(mixed!.members, true)]) });
    assert.equal(opened.items.length, 16);
    const account = opened.items[1]!;
    assert.deepEqual([account.members.length, account.isMixed], [4, false]);
    // Each knows what closes it again.
    assert.ok(opened.items.slice(1).every((item) => item.opened?.key === foldKey(mixed!.members, true)));
    const unfolded = new Set([foldKey(mixed!.members, true), foldKey(account.members, false)]);
    assert.equal(foldNodes(nodes, { ...nothing, unfolded }).items.length, 19);
  });

  it('of one account open at once, however many they are', () => {
    const nodes = spray(Array.from({ length: 50 }, () => ({ account: 1 })));
    const [, fold] = foldNodes(nodes, nothing).items;
    const unfolded = new Set([foldKey(fold!.members, false)]);
    assert.equal(foldNodes(nodes, { ...nothing, unfolded }).items.length, 51);
  });

  it('keep everything below them, and a chain of 20,000 does not overflow', () => {
    const fan = spray(Array.from({ length: 10 }, () => ({})));
    const below = Array.from({ length: 10 }, (_, index) => index + 1);
    const sorted = [fan[0]!, ...below.flatMap(() => [pageNode({ parent: 0, account: 1 }), pageNode({})])];
    below.forEach((_, index) => (sorted[2 + 2 * index] = pageNode({ parent: 1 + 2 * index, account: 2 })));
    const tree = foldNodes(sorted, nothing);
    assert.equal(tree.items.length, 2);
    assert.equal(tree.items[1]!.hidden, 10);
    assert.equal(tree.itemOf[2], tree.items[1]);
    const chain = Array.from({ length: 20_000 }, (_, index) => pageNode({ parent: index - 1 }));
    assert.equal(foldNodes(chain, nothing).items.length, 20_000);
  });

  it('lose and double nothing in any trace, however it is opened', () => {
    const below = randomNumbers(17);
    for (let round = 0; round < 200; round++) {
      const nodes: PageNode[] = [pageNode({})];
      /** Depth first: a child may follow only the last node or its ancestors. */
      let path = [0];
      while (nodes.length < 80) {
        path = path.slice(0, 1 + below(path.length));
        nodes.push(
          pageNode({
            parent: path.at(-1)!,
            account: below(3),
            message: `m${below(2)}`,
            result: `r${below(2)}`,
          }),
        );
        path.push(nodes.length - 1);
      }
      const some = (): Set<number> => new Set(Array.from({ length: 10 }, () => below(100) - 20));
      const tree = foldNodes(nodes, { collapsed: some(), unfolded: some() });
      checkWhole(nodes, tree);
      for (const item of tree.items) {
        assert.ok(item.parent === undefined || item.depth === item.parent.depth + 1);
        const kinds = new Set(item.members.map((node) => `${nodes[node]!.message} ${nodes[node]!.result}`));
        assert.equal(kinds.size, 1);
      }
    }
  });
});
