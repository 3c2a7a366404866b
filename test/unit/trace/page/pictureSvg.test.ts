import assert from 'node:assert/strict';
import { foldNodes } from '../../../../src/webview/tracePage/foldNodes';
import { fitName, fitText } from '../../../../src/webview/tracePage/pageText';
import type { Measure } from '../../../../src/webview/tracePage/pageText';
import { pictureSvg } from '../../../../src/webview/tracePage/pictureSvg';
import { readXml } from '../../../support/readXml';
import type { XmlElement } from '../../../support/readXml';
import { pageOf } from './pageNodes';

const hostile = `<script>alert("1")</script> & 'q' ]]>`;

function textsOf(element: XmlElement): string {
  return `${element.text}\n${element.children.map(textsOf).join('\n')}`;
}

function namesOf(element: XmlElement): string[] {
  return [element.name, ...element.children.flatMap(namesOf)];
}

describe('page of a trace: the exported SVG', () => {
  const page = pageOf(
    [
      { message: hostile, result: hostile, value: '1 TON', nanocoins: '1000000000', lt: '1' },
      { parent: 0, account: 1, message: hostile, outcome: 'failed', lt: '2' },
    ],
    {
      headline: hostile,
      facts: hostile,
      money: [
        {
          title: hostile,
          unit: { name: hostile, decimals: 0 },
          parties: [
            { kind: 'account', name: hostile, account: 0, change: '-1', text: '-1' },
            { kind: 'fees', name: 'fees', account: -1, change: '1', text: '+1' },
          ],
          flows: [{ from: 0, to: 1, amount: '1', text: '1' }],
          unknown: [],
        },
      ],
    },
  );
  page.accounts[0]!.name = hostile;
  const tree = foldNodes(page.nodes, { collapsed: new Set(), unfolded: new Set() });

  for (const picture of ['flow', 'sequence', 'money'] as const) {
    it(`of the ${picture} is well-formed, has every name as text, and no script`, () => {
      const svg = pictureSvg({ page, tree, picture, measure: 'value' });
      const top = readXml(svg.trim());
      const names = namesOf(top);
      assert.ok(!names.includes('script') && !names.includes('foreignObject'));
      assert.ok(!svg.includes(']]>'), 'no XML reader takes it');
      const text = textsOf(top);
      assert.ok(text.includes(hostile), 'the heading');
      assert.ok(text.includes('alert("1")'), 'a name');
    });
  }

  for (const picture of ['flow', 'sequence'] as const) {
    it(`of a comparison's ${picture} marks what differs, and says what the marks mean`, () => {
      const nodes = [
        { message: 'Ping', lt: '1', difference: { kind: 'same', words: 'alike', changes: [] } },
        {
          parent: 0,
          message: 'Pong',
          lt: '2',
          difference: { kind: 'missing', words: 'only before', changes: [] },
        },
      ] satisfies Parameters<typeof pageOf>[0];
      const compared = pageOf(nodes, { sides: ['before', 'after'] });
      const folded = foldNodes(compared.nodes, { collapsed: new Set(), unfolded: new Set() });
      const text = textsOf(
        readXml(pictureSvg({ page: compared, tree: folded, picture, measure: 'value' }).trim()),
      );
      const marks = picture === 'flow' ? ['= ', '− only before'] : ['= Ping', '− Pong'];
      assert.ok(
        [...marks, '≠ changed'].every((mark) => text.includes(mark)),
        text,
      );
    });
  }

  it('says what widths and colors mean, and the most that they stand for', () => {
    const measured = pageOf([
      { nanocoins: '1000000000', gas: 1512, feeNanocoins: '3000000', fee: '0.003' },
      { parent: 0, account: 1, nanocoins: '2500000000', gas: 13_122, feeNanocoins: '1000000', fee: '0.001' },
    ]);
    const legend = (measure: Measure): string =>
      textsOf(
        readXml(
          pictureSvg({
            page: measured,
            tree: foldNodes(measured.nodes, { collapsed: new Set(), unfolded: new Set() }),
            ...{ picture: 'flow', measure },
          }).trim(),
        ),
      );
    assert.ok(legend('value').includes('Wider arrows carry more coins: at most 2.5 TON.'));
    assert.ok(legend('gas').includes('The more orange a box, the more gas it took: at most 13 122.'));
    assert.ok(legend('fee').includes('The more orange a box, the more fees it took: at most 0.003 TON.'));
  });
});

describe('page of a trace: texts in boxes', () => {
  it('are cut to the width of the box, wide letters earlier than narrow ones', () => {
    assert.equal(fitText('exit 402', 150), 'exit 402');
    const [wide, narrow] = [fitText('W'.repeat(60), 150), fitText('i'.repeat(60), 150)];
    assert.ok(wide.endsWith('…') && narrow.endsWith('…') && wide.length < narrow.length);
  });

  it('keep the number of what is folded', () => {
    const page = pageOf([{}, ...[1, 2, 3, 4].map(() => ({ parent: 0, account: 1 }))]);
    page.accounts[1]!.name = 'a name that is longer than any box';
    const tree = foldNodes(page.nodes, { collapsed: new Set(), unfolded: new Set() });
    assert.match(fitName(page, tree.items[1] ?? assert.fail(), 150), /^a name .*… ×4$/);
  });
});
