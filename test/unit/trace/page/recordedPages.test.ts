import assert from 'node:assert/strict';
import type { Folding } from '../../../../src/webview/tracePage/foldNodes';
import { flowLayout } from '../../../../src/webview/tracePage/flowLayout';
import { foldNodes } from '../../../../src/webview/tracePage/foldNodes';
import { moneyLayout } from '../../../../src/webview/tracePage/moneyLayout';
import { pictureSvg } from '../../../../src/webview/tracePage/pictureSvg';
import { sequenceLayout } from '../../../../src/webview/tracePage/more';
import { tableRows, tableText } from '../../../../src/webview/tracePage/tableRows';
import { readXml } from '../../../support/readXml';
import { tracePageOf } from '../../../support/tracePageOf';
import { contextOf, recordedAnswer, recordedNames } from '../fixtures';

const nothing: Folding = { collapsed: new Set(), unfolded: new Set() };

describe('pages of recorded traces', () => {
  for (const name of recordedNames) {
    it(`show all of ${name} in each of the four pictures`, () => {
      const context = contextOf(recordedAnswer(name));
      const page = tracePageOf(context);
      const tree = foldNodes(page.nodes, nothing);
      const count = context.model.nodes.length;
      // Not the wallet that was told to send, but what it sent to.
      const root = context.model.roots[0]?.account ?? '';
      assert.equal(page.main, context.isWallet(root) && count > 1 ? 1 : 0);
      assert.equal(flowLayout(tree).placed.length, count);
      assert.equal(sequenceLayout(page.nodes, tree).events.length, count);
      assert.equal(
        tableText(page, tableRows(page, tree, undefined, undefined)).split('\n').length,
        count + 1,
      );
      assert.ok(page.money.length > 0);
      for (const asset of page.money) {
        assert.ok(moneyLayout(asset).bands.length > 0, asset.title);
      }
      for (const picture of ['flow', 'sequence', 'money'] as const) {
        const svg = pictureSvg({ page, tree, picture, measure: 'value' });
        assert.equal(readXml(svg.trim()).name, 'svg');
        assert.ok(!/NaN|undefined|Infinity/.test(svg), picture);
      }
    });
  }
});
