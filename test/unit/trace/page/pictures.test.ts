import assert from 'node:assert/strict';
import type { AssetFlows, PageNode } from '../../../../src/protocol/tracePage';
import { columnSums, totalsIn } from '../../../../src/webview/tracePage/totalsBar';
import type { ItemTree } from '../../../../src/webview/tracePage/foldNodes';
import { foldNodes, moveSelection } from '../../../../src/webview/tracePage/foldNodes';
import { moneyLayout } from '../../../../src/webview/tracePage/moneyLayout';
import { boxesIn, flowLayout } from '../../../../src/webview/tracePage/flowLayout';
import { sequenceLayout } from '../../../../src/webview/tracePage/more';
import { cellText, tableRows, tableText } from '../../../../src/webview/tracePage/tableRows';
import { quickly } from '../../../support/hostile';
import { pageNode, pageOf } from './pageNodes';

const all = (nodes: readonly PageNode[]): ItemTree =>
  foldNodes(nodes, { collapsed: new Set(), unfolded: new Set() });

/** A → B → (C → D, E), with C later than E. */
const small = [
  pageNode({ account: 0, lt: '10', block: 0 }),
  pageNode({ parent: 0, account: 1, lt: '11', block: 0 }),
  pageNode({ parent: 1, account: 2, lt: '30', block: 1, message: 'late' }),
  pageNode({ parent: 2, account: 3, lt: '', message: 'waiting', outcome: 'unknown' }),
  pageNode({ parent: 1, account: 0, lt: '20', block: 1, isBounced: true, nanocoins: '5', gas: 7 }),
];

describe('page of a trace: the flow', () => {
  it('stands in levels from top to bottom without boxes over each other', () => {
    const nodes = Array.from({ length: 2000 }, (_, index) =>
      pageNode({ parent: Math.floor((index - 1) / 3), message: `m${index}` }),
    );
    // The order of a trace is depth first; by breadth the tree is the same.
    const order: number[] = [];
    const visit = [0];
    for (let node = visit.pop(); node !== undefined; node = visit.pop()) {
      order.push(node);
      visit.push(...[3, 2, 1].map((child) => node * 3 + child).filter((child) => child < 2000));
    }
    const position = new Map(order.map((node, index) => [node, index]));
    const sorted = order.map((node) => ({
      ...nodes[node]!,
      parent: node === 0 ? -1 : position.get(nodes[node]!.parent)!,
    }));
    const layout = flowLayout(all(sorted));
    assert.equal(layout.placed.length, 2000);
    for (const level of layout.levels) {
      for (let index = 1; index < level.length; index++) {
        assert.ok(level[index]!.x - level[index - 1]!.x >= layout.boxWidth);
      }
    }
    for (const box of layout.placed) {
      const parent = box.item.parent && layout.byItem.get(box.item.parent);
      assert.ok(parent === undefined || (parent.y < box.y && parent.x <= box.x));
    }
    const region = { left: 900, top: 200, right: 1800, bottom: 600 };
    const seen = layout.placed.filter(
      ({ x, y }) =>
        x + layout.boxWidth > region.left &&
        x < region.right &&
        y + layout.boxHeight > region.top &&
        y < region.bottom,
    );
    const found = boxesIn(layout, region);
    assert.ok(seen.length > 0 && seen.every((box) => found.includes(box)));
  });

  it('is made in a moment for 5,000 levels and for 5,000 siblings', () => {
    const deep = Array.from({ length: 5000 }, (_, index) => pageNode({ parent: index - 1 }));
    const wide = Array.from({ length: 5000 }, (_, index) =>
      pageNode({ parent: index === 0 ? -1 : 0, message: `m${index}` }),
    );
    quickly(() => {
      for (const nodes of [deep, wide]) {
        assert.equal(flowLayout(all(nodes)).placed.length, 5000);
        assert.equal(sequenceLayout(nodes, all(nodes)).events.length, 5000);
      }
    });
  });

  it('has the totals of what is too small for texts, also of what is folded, and loses none', () => {
    const nodes = [
      pageNode({ account: 0, gas: 7 }),
      ...Array.from({ length: 40 }, (_, index) =>
        pageNode({ parent: 0, account: 1, nanocoins: '10000000', message: `m${index % 9}` }),
      ),
      pageNode({ parent: 0, account: 1, nanocoins: '1', message: 'late', outcome: 'failed', gas: 5 }),
    ];
    const page = pageOf(nodes);
    const tree = all(nodes);
    const layout = flowLayout(tree);
    assert.ok(tree.items.length < nodes.length, 'some are folded');
    const totals = (zoom: number, measure: 'value' | 'gas' = 'value'): ReturnType<typeof totalsIn> =>
      totalsIn(columnSums(page, tree, layout, measure), layout, { left: 0, right: 1e6 }, zoom, 'TON');
    const together = totals(0.02);
    assert.deepEqual(
      together.map(({ count, amount }) => [count, amount]),
      [['42 transactions, 1 failed', '0.400000001 TON']],
    );
    assert.equal(totals(0.02, 'gas')[0]?.amount, 'gas 12');
    for (const zoom of [0.3, 0.1]) {
      const parts = totals(zoom);
      assert.ok(parts.length > 1 && parts.every(({ left, right }) => (right - left) * zoom >= 170));
      const sum = parts.reduce((most, { count }) => most + Number(/^\d+/.exec(count)?.[0]), 0);
      assert.equal(sum, 42);
    }
  });

  it('is walked by arrow keys like a tree', () => {
    const tree = all(small);
    const walk = (key: string, from: number): number | undefined =>
      moveSelection(key, from, tree, () => undefined)?.node;
    assert.deepEqual(
      [walk('ArrowDown', 0), walk('ArrowRight', 1), walk('ArrowLeft', 4), walk('ArrowUp', 4), walk('x', 0)],
      [1, 2, 1, 3, undefined],
    );
  });
});

describe('page of a trace: the sequence', () => {
  const layout = sequenceLayout(small, all(small));

  it('is ordered by logical time, and what has none yet comes last', () => {
    assert.deepEqual(
      layout.events.map(({ item }) => item.node),
      [0, 1, 4, 2, 3],
    );
    assert.ok(layout.events.every(({ y, from }) => from === undefined || from.y < y));
  });

  it('has a lifeline per account and the outside, and a band per block', () => {
    assert.deepEqual(
      layout.lanes.map(({ account }) => account),
      [-1, 0, 1, 2, 3],
    );
    assert.deepEqual(
      layout.bands.map(({ block }) => block),
      [0, 1, -1],
    );
    assert.equal(layout.bands[1]!.top, layout.bands[0]!.bottom);
  });
});

describe('page of a trace: the table', () => {
  const page = pageOf(small);

  it('is the tree, or sorted with unknown amounts last both ways', () => {
    const tree = all(small);
    const order = (isDescending: boolean): number[] =>
      tableRows(page, tree, { column: 'gas', isDescending }, undefined).map(({ node }) => node);
    assert.deepEqual(
      tableRows(page, tree, undefined, undefined).map(({ depth }) => depth),
      [0, 1, 2, 3, 2],
    );
    assert.equal(order(false)[0], 4);
    assert.equal(order(true)[0], 4);
    assert.deepEqual(
      tableRows(page, tree, undefined, new Set([2, 4])).map(({ node }) => node),
      [2, 4],
    );
  });

  it('has the sums of a fold', () => {
    const alike = pageOf([
      pageNode({ account: 0 }),
      ...[1, 2, 3, 4].map((gas) =>
        pageNode({ parent: 0, account: 1, gas, nanocoins: '1000000000', feeNanocoins: '1500000000' }),
      ),
    ]);
    const [, fold] = tableRows(alike, all(alike.nodes), undefined, undefined);
    const cells = (['value', 'gas', 'fee'] as const).map((name) => cellText(alike, fold!, name));
    assert.deepEqual(cells, ['4', '10', '6']);
  });

  it('sorts amounts as numbers, not as texts', () => {
    const fees = pageOf(['9', '1000', '20'].map((nanocoins) => ({ nanocoins, value: nanocoins })));
    const rows = tableRows(fees, all(fees.nodes), { column: 'value', isDescending: false }, undefined);
    assert.deepEqual(
      rows.map(({ node }) => fees.nodes[node]!.nanocoins),
      ['9', '20', '1000'],
    );
  });

  it('is copied as one line per row, whatever a name has in it', () => {
    const hostile = pageOf([{ message: 'two\tcolumns\nand lines' }]);
    const text = tableText(hostile, tableRows(hostile, all(hostile.nodes), undefined, undefined));
    const [head, row, ...more] = text.split('\n');
    assert.equal(more.length, 0);
    assert.equal(row!.split('\t').length, head!.split('\t').length);
  });
});

describe('page of a trace: the money', () => {
  const unit = { name: 'TON', decimals: 9 };
  const party = (name: string, change: string): AssetFlows['parties'][number] => ({
    ...{ kind: 'account', name, account: -1, change, text: change },
  });

  it('has bars as wide apart as their amounts, and bands that fill them', () => {
    const asset: AssetFlows = {
      title: 'TON',
      unit,
      parties: [party('payer', '-100'), party('a', '75'), party('b', '25')],
      flows: [
        { from: 0, to: 1, amount: '75', text: '' },
        { from: 0, to: 2, amount: '25', text: '' },
      ],
      unknown: [],
    };
    const { bars, bands } = moneyLayout(asset);
    const [payer, a, b] = ['payer', 'a', 'b'].map((name) =>
      bars.find(({ parties }) => parties[0]?.name === name)!,
    );
    assert.ok(payer!.label === 'left' && a!.label === 'right' && payer!.x < a!.x && a!.x === b!.x);
    assert.ok(Math.abs(a!.height / b!.height - 3) < 0.01);
    const width = bands.reduce((sum, band) => sum + band.width, 0);
    assert.ok(Math.abs(width - payer!.height) < 1);
  });

  it('joins the smallest of thousands of receivers, and loses none', () => {
    const receivers = Array.from({ length: 3000 }, (_, index) => party(`r${index}`, String(index + 1)));
    const sum = receivers.reduce((total, { change }) => total + Number(change), 0);
    const asset: AssetFlows = {
      title: 'TON',
      unit,
      parties: [party('payer', String(-sum)), ...receivers],
      flows: receivers.map(({ change }, index) => ({ from: 0, to: index + 1, amount: change, text: '' })),
      unknown: [],
    };
    const { bars } = quickly(() => moneyLayout(asset));
    assert.ok(bars.length <= 11, `${bars.length} bars`);
    assert.equal(
      bars.reduce((total, { parties }) => total + parties.length, 0),
      3001,
    );
  });

  it('has what was lost and gained where thousands pass it on, quickly and without loss', () => {
    const count = 5000;
    const chain = Array.from({ length: count }, (_, index) =>
      party(`p${index}`, index === 0 ? '-6000' : index === count - 1 ? '1001' : '1'),
    );
    chain.push({ ...party('fees', '1'), kind: 'fees' });
    const flows = chain.slice(1).map((_, index) => ({ from: index, to: index + 1, amount: '9', text: '' }));
    const { bars, bands, isNet } = quickly(() =>
      moneyLayout({ title: 'TON', unit, parties: chain, flows, unknown: [] }),
    );
    assert.ok(isNet);
    assert.ok(bars.length <= 12, `${bars.length} bars`);
    assert.equal(new Set(bars.map(({ x }) => x)).size, 2);
    const shown = bars.flatMap(({ parties }) => parties);
    assert.equal(shown.length, count + 1);
    assert.ok(bars.some(({ parties }) => parties.length === 1 && parties[0]?.kind === 'fees'));
    const paid = bands.filter(({ from }) => from.parties[0]?.name === 'p0');
    assert.equal(paid.length, bars.length - 1);
  });

  it('leaves room for the names of those who pass it on', () => {
    const chain = Array.from({ length: 8 }, (_, index) => party(`p${index}`, '0'));
    const flows = chain.slice(1).map((_, index) => ({ from: index, to: index + 1, amount: '9', text: '' }));
    const { bars } = moneyLayout({ title: 'TON', unit, parties: chain, flows, unknown: [] });
    const places = bars.map(({ x }) => x).sort((a, b) => a - b);
    assert.equal(new Set(places).size, 8);
    assert.ok(places.every((x, index) => index === 0 || x - places[index - 1]! >= 160));
  });

  it('is nothing where nothing passed', () => {
    const asset: AssetFlows = { title: 'TON', unit, parties: [], flows: [], unknown: [] };
    assert.deepEqual(moneyLayout(asset).bands, []);
  });
});
