import assert from 'node:assert/strict';
import type { PageNode } from '../../../../src/protocol/tracePage';
import { foldNodes } from '../../../../src/webview/tracePage/foldNodes';
import type { ItemTree } from '../../../../src/webview/tracePage/foldNodes';
import { pictureSvg } from '../../../../src/webview/tracePage/pictureSvg';
import type { Region } from '../../../../src/webview/tracePage/flowLayout';
import { loopHeight, sequenceLayout } from '../../../../src/webview/tracePage/more';
import type { SequenceEvent } from '../../../../src/webview/tracePage/more';
import { readXml } from '../../../support/readXml';
import type { XmlElement } from '../../../support/readXml';
import { pageNode, pageOf } from './pageNodes';

/** Pixels of a label's letter, at most on average. */
const letter = 6.4;

const all = (nodes: readonly PageNode[]): ItemTree =>
  foldNodes(nodes, { collapsed: new Set(), unfolded: new Set() });

/** All elements of a class below an element. */
function elementsOf(element: XmlElement, name: string): XmlElement[] {
  const own = (element.attributes['class'] ?? '').split(' ').includes(name) ? [element] : [];
  return [...own, ...element.children.flatMap((child) => elementsOf(child, name))];
}

/** Where a path goes, by its points. */
function extentOf(path: string): Region {
  const points = [...path.matchAll(/(\d+),(\d+)/g)].map(([, x, y]) => [Number(x), Number(y)] as const);
  const xs = [...points.map(([x]) => x), ...[...path.matchAll(/H(\d+)/g)].map(([, x]) => Number(x))];
  const ys = points.map(([, y]) => y);
  return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
}

describe('page of a trace: the arrows of the sequence', () => {
  /** A pays B and C, and C itself; what C sends to A arrives while A is still sending to D. */
  const nodes = [
    pageNode({ account: 0, lt: '1' }),
    pageNode({ parent: 0, account: 1, lt: '2', nanocoins: '1' }),
    pageNode({ parent: 0, account: 2, lt: '3', nanocoins: '2', message: 'a_rather_long_name_of_a_message' }),
    pageNode({ parent: 2, account: 2, lt: '4', message: 'another_rather_long_name_of_one' }),
    pageNode({ parent: 3, account: 0, lt: '5' }),
    pageNode({ parent: 4, account: 1, lt: '7' }),
    pageNode({ parent: 0, account: 3, lt: '6' }),
  ];
  const layout = sequenceLayout(nodes, all(nodes));
  const eventOf = (node: number): SequenceEvent =>
    layout.events.find(({ item }) => item.node === node) ?? assert.fail();

  it('have a row each, and begin where their sender still sends', () => {
    const rows = layout.events.map(({ y }) => y);
    assert.equal(new Set(rows).size, nodes.length);
    for (const { from, y } of layout.events) {
      assert.ok(from === undefined || (from.y < y && from.until >= y - loopHeight));
    }
    assert.equal(eventOf(0).until, eventOf(6).y);
    assert.equal(eventOf(1).until, eventOf(1).y);
  });

  it('begin beside the lifeline where an earlier transaction of the account is still sending', () => {
    assert.equal(eventOf(0).x, eventOf(0).lane.x);
    assert.ok(eventOf(4).x > eventOf(0).x);
    assert.equal(eventOf(3).x, eventOf(2).x);
  });

  it('have labels that cross neither an arrow nor a lifeline', () => {
    const top = readXml(
      pictureSvg({ page: pageOf(nodes), tree: all(nodes), picture: 'sequence', measure: 'value' }).trim(),
    );
    const labels = elementsOf(top, 'label');
    const arrows = elementsOf(top, 'arrow').map(({ attributes: { d = '' } }) => extentOf(d));
    assert.equal(new Set(arrows.map(({ bottom }) => bottom)).size, nodes.length);
    assert.equal(labels.length, 2 * nodes.length);
    for (const { attributes, text } of labels) {
      const { x, y } = { x: Number(attributes['x']), y: Number(attributes['y']) };
      const width = text.length * letter;
      const left = (attributes['class'] ?? '').includes('before') ? x - width : x;
      const right = left + width;
      assert.ok(
        layout.lanes.every((lane) => lane.x < left || lane.x > right),
        `${text} crosses a lifeline`,
      );
      assert.ok(
        arrows.every((one) => one.left > right || one.right < left || one.top > y + 2 || one.bottom < y - 9),
        `${text} crosses an arrow`,
      );
    }
  });

  it('say what is folded', () => {
    const alike = [
      pageNode({ lt: '1' }),
      ...[2, 3, 4, 5].map((lt) => pageNode({ parent: 0, account: 1, lt: String(lt) })),
    ];
    const tree = all(alike);
    const svg = pictureSvg({ page: pageOf(alike), tree, picture: 'sequence', measure: 'value' });
    assert.match(svg, />×4 folded</);
  });
});
