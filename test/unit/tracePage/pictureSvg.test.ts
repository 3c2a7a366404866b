import assert from 'node:assert/strict';
import { foldNodes } from '../../../src/webview/tracePage/foldNodes';
import { pictureSvg } from '../../../src/webview/tracePage/pictureSvg';
import { readXml } from '../../support/readXml';
import type { XmlElement } from '../../support/readXml';
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
});
