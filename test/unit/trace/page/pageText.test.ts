import assert from 'node:assert/strict';
import { foldNodes } from '../../../../src/webview/tracePage/foldNodes';
import { arrowValue, itemValue } from '../../../../src/webview/tracePage/pageText';
import { pageOf } from './pageNodes';

describe('what an arrow carries', () => {
  it('is jettons first, with the coins cut to what fits; all digits are in the tooltip', () => {
    const page = pageOf([
      { nanocoins: '1000000000' },
      { parent: 0, account: 1, jettons: '25 USDt', nanocoins: '199327731' },
      { parent: 1, account: 2, jettons: '25 USDt', nanocoins: '1' },
    ]);
    const { items } = foldNodes(page.nodes, { collapsed: new Set(), unfolded: new Set() });
    assert.deepEqual(
      items.map((item) => arrowValue(page, item)),
      ['1 TON', '25 USDt, 0.1993 TON', '25 USDt, <0.0001 TON'],
    );
    assert.equal(itemValue(page, items[1]!), '25 USDt, 0.199327731 TON');
  });
});
