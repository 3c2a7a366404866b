import assert from 'node:assert/strict';
import { Address } from '@ton/core';
import { accountText } from '../../../src/toolkit/accountReport/accountText';
import { mermaidText } from '../../../src/toolkit/trace/mermaidText';
import { TraceContext } from '../../../src/toolkit/trace/traceContext';
import { traceLine } from '../../../src/toolkit/trace/traceLine';
import { traceText } from '../../../src/toolkit/trace/traceText';
import { shortenMiddle } from '../../../src/toolkit/base/text';
import { modelFrom } from '../../support/modelFrom';
import { tracePageOf } from '../../support/tracePageOf';
import { chain, fakeAccount, syntheticTrace } from './syntheticTrace';

const [mine, , token] = [0, 1, 2].map((index) => fakeAccount(index).toLowerCase()) as [
  string,
  string,
  string,
];
const short = shortenMiddle(Address.parseRaw(token).toString());

/** A trace to an account that is a token with this row of metadata; one account is the user's `alice`. */
function contextWith(type: string, row: object, names = new Map([[mine, 'alice']])): TraceContext {
  const metadata = new Map([[token, { is_indexed: true, token_info: [{ type, valid: true, ...row }] }]]);
  return new TraceContext(modelFrom(syntheticTrace(3, chain), { metadata }), { names });
}

describe('names that the chain tells', () => {
  for (const [type, row] of [
    ['jetton_masters', { name: 'alice' }],
    ['jetton_masters', { symbol: 'alice' }],
    ['nft_items', { name: 'alice' }],
    ['nft_collections', { name: 'alice' }],
  ] as const) {
    it(`are none of yours: ${type} with ${JSON.stringify(row)}`, () => {
      const context = contextWith(type, row);
      assert.equal(context.name(mine), 'alice');
      assert.equal(context.name(token), `“alice” ${short}`);
      for (const text of [traceText(context), JSON.stringify(tracePageOf(context).accounts)]) {
        assert.ok(text.includes(`“alice” ${short}`), text);
      }
      assert.ok(mermaidText(context).includes(`#8220;alice#8221; ${short.replace('…', '…')}`));
      const line = traceLine(context);
      const parties = [line.from, line.to].filter((party) => party?.address === token);
      assert.ok(parties.every((party) => party?.name !== 'alice'));
    });
  }

  it('stand with the whole address for programs', () => {
    const { model, knowledge } = contextWith('jetton_masters', { name: 'alice' });
    assert.equal(
      new TraceContext(model, { ...knowledge, wholeAddresses: true }).name(token),
      `“alice” ${token}`,
    );
  });

  it('do not count as a domain without a dot', () => {
    const addressBook = new Map([[token, { domain: 'alice', user_friendly: null }]]);
    const model = modelFrom(syntheticTrace(3, chain), { addressBook });
    assert.equal(new TraceContext(model, { names: new Map([[mine, 'alice']]) }).name(token), short);
    addressBook.set(token, { domain: 'alice.ton', user_friendly: null });
    assert.equal(new TraceContext(model).name(token), 'alice.ton');
  });

  it('are not the name of the coin: a jetton called TON is marked, in any letters', () => {
    for (const symbol of ['TON', 'ton', 'ＴＯＮ']) {
      const context = contextWith('jetton_masters', { symbol, extra: { decimals: '9' } });
      assert.equal(context.jettonAmount(5_000_000_000n, token), `5 ${symbol} (jetton)`);
    }
    const row = { symbol: 'TON', decimals: 9, balance: 5_000_000_000n, master: token, isScam: false };
    const text = accountText(
      {
        ...{ network: 'Local', raw: mine, friendly: Address.parseRaw(mine).toString(), balance: 1n },
        ...{ state: 'active', isDeleted: false, interfaces: [], methodIds: [], wallet: undefined },
        jettons: { rows: [row], isCut: false },
      },
      { name: () => undefined, methodName: () => undefined, coin: 'TON' },
    ).text;
    assert.match(text, /TON \(jetton\) {2}5 /);
  });

  it('of two jettons with one symbol stand with what tells them apart', () => {
    const other = fakeAccount(1).toLowerCase();
    const jettons = new Map([token, other].map((master) => [master, { symbol: 'USDt', decimals: 6 }]));
    const context = new TraceContext(modelFrom(syntheticTrace(3, chain)), { jettons });
    assert.equal(context.jettonAmount(2_500_000n, token), `2.5 USDt ${short}`);
    assert.notEqual(context.jettonAmount(1n, token), context.jettonAmount(1n, other));
    const alone = new TraceContext(context.model, { jettons: new Map([...jettons].slice(0, 1)) });
    assert.equal(alone.jettonAmount(2_500_000n, token), '2.5 USDt');
  });
});
