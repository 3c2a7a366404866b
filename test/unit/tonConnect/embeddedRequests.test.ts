import { Address, beginCell, Cell, loadMessageRelaxed } from '@ton/core';
import assert from 'node:assert/strict';
import { namedAccounts } from '../../../src/toolkit/localnet/accounts/namedAccounts';
import { transactionOrders } from '../../../src/toolkit/tonConnect/checkMessage';
import { parseConnectLink } from '../../../src/toolkit/tonConnect/connectLink';
import type { EmbeddedTask } from '../../../src/toolkit/tonConnect/connectLink';
import { expandEmbedded } from '../../../src/toolkit/tonConnect/expandEmbedded';
import { deviceInfo } from '../../../src/toolkit/tonConnect/injectedScript';
import { judgeMessage, readEmbedded, readEnvelope } from '../../../src/toolkit/tonConnect/readTask';
import { withMessages } from '../../../src/toolkit/tonConnect/transactionItems';
import type { WalletSession } from '../../../src/toolkit/tonConnect/walletBook';
import { featuresOf, parseFeatureWords } from '../../../src/toolkit/tonConnect/walletFeatures';
import type { ItemFacts, ItemQuestion } from '../../../src/toolkit/tonConnect/walletNetwork';
import { embedded, wire } from '../../support/plainDApp';

const [alice, bob, carol] = namedAccounts;
const now = 1_790_000_000;
const friendly = (raw: string, bounceable = false): string => Address.parse(raw).toString({ bounceable });
const to = friendly(bob!.address);
const from = friendly(alice!.address);
const master = friendly(`0:${'5a'.repeat(32)}`, true);
const nft = friendly(`0:${'6b'.repeat(32)}`, true);
const boc = beginCell().storeUint(0, 32).storeStringTail('order 7').endCell().toBoc().toString('base64');
const bounds = (kind: 'v5r1' | 'v4r2' = 'v5r1'): Parameters<typeof readEmbedded>[1] => ({
  ...{ wallet: { kind, address: alice!.address }, features: featuresOf(kind) },
  ...{ told: '-239', chain: '-239', now },
});
const jetton = { type: 'jetton', master, destination: to, amount: '2500' };

/** Every method, every type of item, and all of their fields. */
const good: Record<string, [string, object]> = {
  'a payment': [
    'sendTransaction',
    { network: '-239', valid_until: now + 600, messages: [{ address: to, amount: '300', payload: boc }] },
  ],
  'a payment with nothing that may be left out': [
    'sendTransaction',
    { messages: [{ address: friendly(bob!.address, true), amount: '1' }] },
  ],
  'an item of coins with an extra currency': [
    'sendTransaction',
    { network: '-239', items: [{ type: 'ton', address: to, amount: '5', extra_currency: { 100: '7' } }] },
  ],
  'a jetton item with all fields': [
    'sendTransaction',
    {
      from,
      network: '-239',
      items: [
        {
          ...{ ...jetton, attachAmount: '70000000', responseDestination: to, customPayload: boc },
          ...{ forwardAmount: '9', forwardPayload: boc, queryId: '77' },
        },
      ],
    },
  ],
  'a jetton item with the least fields': ['sendTransaction', { items: [jetton] }],
  'an NFT item': [
    'sendTransaction',
    { items: [{ type: 'nft', nftAddress: nft, newOwner: to, queryId: '9' }] },
  ],
  'a signed message': [
    'signMessage',
    {
      network: '-239',
      valid_until: now + 600,
      messages: [{ address: friendly(bob!.address, true), amount: '0' }],
    },
  ],
  'a signed message of several types of items': [
    'signMessage',
    { items: [{ type: 'ton', address: to, amount: '1' }, jetton] },
  ],
  'a text': ['signData', { network: '-239', type: 'text', text: 'Sign in — grüezi' }],
  bytes: ['signData', { type: 'binary', bytes: 'AAEC/w==' }],
  'a cell': ['signData', { from, type: 'cell', schema: 'note#_ text:uint8 = Note;', cell: boc }],
};

const refused: Record<string, [string, number, RegExp]> = {
  'messages and items': [
    wire({ m: 'st', ms: [{ a: to, am: '1' }], i: [{ t: 'ton', a: to, am: '1' }] }),
    ...([1, /both messages and items/] as const),
  ],
  'neither of them': [wire({ m: 'st' }), 1, /messages are missing, and so are items/],
  'an unknown method': [wire({ m: 'pay' }), 400, /the method \(m\) "pay": it is st \(sendTransaction\), sm/],
  'no method': [wire({ ms: [] }), 400, /has no method \(m\): it is st/],
  'an unknown type of item': [wire({ m: 'st', i: [{ t: 'dns', a: to }] }), 1, /not ton, jetton, or nft/],
  'what is not JSON': [wire('{'), 1, /not JSON/],
  'what is not base64url': ['e$', 1, /not base64url/],
  'what is not text': [Buffer.from([0xc3, 0x28]).toString('base64url'), 1, /not base64url of text/],
  'a list': [wire([]), 1, /not an object/],
  'messages that are no list': [wire({ m: 'st', ms: {} }), 1, /e\.ms is not a list/],
  'a payment that has expired': [wire({ m: 'st', vu: 1, ms: [{ a: to, am: '1' }] }), 1, /expired/],
  'a raw address': [wire({ m: 'st', ms: [{ a: bob!.address, am: '1' }] }), 1, /raw form/],
  'a short name that nobody knows': [wire({ m: 'st', ms: [{ a: to, am: '1', md: 64 }] }), 1, /"md", which/],
  'a name of another type of item': [
    wire({ m: 'st', i: [{ t: 'ton', a: to, am: '1', qi: '1' }] }),
    1,
    /"qi"/,
  ],
  'a name that objects have by themselves': [wire({ m: 'constructor' }), 400, /"constructor"/],
  '256 items': [
    wire({ m: 'st', i: Array.from({ length: 256 }, () => ({ t: 'ton', a: to, am: '1' })) }),
    ...([1, /256 items; this wallet sends 1 to 255/] as const),
  ],
  'a query id of 65 bits': [
    embedded('sendTransaction', { items: [{ ...jetton, queryId: `${2n ** 64n}` }] }),
    ...([1, /items\.0\.queryId is not a decimal number of 64 bits/] as const),
  ],
  'a forward payload that is no cell': [
    embedded('sendTransaction', { items: [{ ...jetton, forwardPayload: 'AAAA' }] }),
    ...([1, /items\.0\.forwardPayload: Not a readable BoC/] as const),
  ],
};

/** What reads the wire must say the same of the bridge's request. */
function overTheBridge(method: string, parameter: object): EmbeddedTask {
  const session = { id: 's', state: 'connected', chain: '-239' } as WalletSession;
  const envelope = readEnvelope(JSON.stringify({ method, params: [JSON.stringify(parameter)], id: '1' }));
  const { wallet, features, chain } = bounds();
  const judged = judgeMessage(session, envelope!, {
    ...{ number: 1, digest: '', at: now * 1000, features, chain },
    wallet: { ...alice!, ...wallet },
  });
  assert.equal(judged.kind, 'request', JSON.stringify(judged));
  return judged.kind === 'request' && judged.request.method !== 'connect'
    ? ({ method: judged.request.method, params: judged.request.params } as EmbeddedTask)
    : assert.fail();
}

describe('requests in connect links, and items', () => {
  for (const [what, [method, parameter]] of Object.entries(good)) {
    it(`read ${what} as over the bridge`, () => {
      const text = embedded(method, parameter);
      assert.deepEqual(expandEmbedded(text), { method, params: [JSON.stringify(parameter)] });
      for (const given of [text, `${text}${'='.repeat((4 - (text.length % 4)) % 4)}`]) {
        const query = `v=2&id=${'ab'.repeat(32)}&e=${encodeURIComponent(given)}&r=`;
        const connect = encodeURIComponent(
          '{"manifestUrl":"https://a.example/","items":[{"name":"ton_addr"}]}',
        );
        const link = parseConnectLink(`tc://?${query}${connect}`);
        assert.equal(link.embedded, given);
        assert.deepEqual(readEmbedded(given, bounds()), { task: overTheBridge(method, parameter) });
      }
    });
  }

  for (const [what, [text, code, words]] of Object.entries(refused)) {
    it(`refuse ${what}, in words`, () => {
      const read = readEmbedded(text, bounds());
      assert.ok('error' in read, JSON.stringify(read));
      assert.equal(read.error.code, code);
      assert.match(read.error.message, words);
    });
  }

  it('open the wallet alone with a link that asks for nothing', () => {
    assert.throws(() => parseConnectLink(`tc://?id=${'ab'.repeat(32)}&ret=back`), /only opens a wallet/);
  });

  const jettonWallet = `0:${'7c'.repeat(32)}`;
  const facts =
    (change: (question: ItemQuestion) => ItemFacts | undefined = () => undefined) =>
    (questions: readonly ItemQuestion[]): Promise<ItemFacts[]> =>
      Promise.resolve(
        questions.map(
          (question) =>
            change(question) ??
            (question.type === 'jetton'
              ? { type: 'jetton', wallet: jettonWallet, balance: '5000' }
              : { type: 'nft', owner: alice!.address }),
        ),
      );
  const made = async (items: object[], lookUp = facts()): Promise<Cell[]> => {
    const task = overTheBridge('sendTransaction', { items });
    assert.ok(task.method !== 'signData');
    const { messages } = await withMessages(task.params, alice!.address, { lookUp });
    return transactionOrders(messages);
  };

  it('become messages with every field, in order, and ask about each jetton once', async () => {
    let asked = 0;
    const count = (questions: readonly ItemQuestion[]): Promise<ItemFacts[]> => {
      asked += questions.length;
      return facts()(questions);
    };
    const items = [
      { type: 'ton', address: to, amount: '5', payload: boc, extra_currency: { 100: '7' } },
      (good['a jetton item with all fields']![1] as { items: object[] }).items[0]!,
      jetton,
      { type: 'nft', nftAddress: nft, newOwner: to, forwardPayload: boc },
    ];
    const orders = (await made(items, count)).map((cell) => loadMessageRelaxed(cell.beginParse()));
    assert.equal(asked, 2);
    const [coins, full, least, item] = orders;
    assert.ok(coins?.info.type === 'internal' && full?.info.type === 'internal');
    assert.ok(least?.info.type === 'internal' && item?.info.type === 'internal');
    assert.deepEqual([coins.info.value.coins, coins.info.value.other?.get(100)], [5n, 7n]);
    assert.deepEqual([full.info.bounce, full.info.value.coins], [true, 70_000_000n]);
    assert.equal(full.info.dest.toRawString(), jettonWallet);
    const body = full.body.beginParse();
    assert.deepEqual(
      [body.loadUint(32), body.loadUintBig(64), body.loadCoins(), body.loadAddress().toRawString()],
      [0x0f8a7ea5, 77n, 2500n, bob!.address],
    );
    assert.equal(body.loadAddress().toRawString(), bob!.address, 'the excesses');
    const payload = Cell.fromBase64(boc);
    assert.ok(body.loadMaybeRef()?.equals(payload));
    assert.equal(body.loadCoins(), 9n);
    assert.ok(body.loadMaybeRef()?.equals(payload));
    body.endParse();
    const rest = least.body.beginParse().skip(32);
    assert.deepEqual([rest.loadUintBig(64), rest.loadCoins()], [0n, 2500n]);
    rest.loadAddress();
    assert.equal(rest.loadAddress().toRawString(), alice!.address, 'to the sender, unless it is said');
    assert.deepEqual([rest.loadMaybeRef(), rest.loadCoins(), rest.loadMaybeRef()], [null, 1n, null]);
    assert.equal(item.info.dest.toRawString(), Address.parse(nft).toRawString());
    const transfer = item.body.beginParse();
    assert.deepEqual(
      [transfer.loadUint(32), transfer.loadUintBig(64), transfer.loadAddress().toRawString()],
      [0x5fcc3d14, 0n, bob!.address],
    );
  });

  it('are refused if the account does not own what they send', async () => {
    const problem: ItemFacts = { type: 'problem', words: 'the jetton did not answer' };
    const nftItem = { type: 'nft', nftAddress: nft, newOwner: to };
    const wrong: [object[], ReturnType<typeof facts>, RegExp][] = [
      [[jetton], facts(() => problem), /^items\.0: the jetton did not answer$/],
      [[jetton, { ...jetton, amount: '2501' }], facts(), /has 5000 units .* and the items send 5001/],
      [
        [nftItem],
        facts(() => ({ type: 'nft', owner: carol!.address })),
        /items\.0: the account does not own/,
      ],
      [[nftItem, nftItem], facts(), /in two items/],
    ];
    for (const [items, lookUp, words] of wrong) {
      await assert.rejects(made(items, lookUp), { code: 1, message: words });
    }
  });

  it('are told to dApps as the wallet has them, and as an older wallet would', () => {
    const told = (kind: 'v5r1' | 'v4r2', words?: string): unknown =>
      deviceInfo(featuresOf(kind, words === undefined ? [] : parseFeatureWords(words)), '1.0.0').features;
    const messages = { maxMessages: 255, extraCurrencySupported: true, itemTypes: ['ton', 'jetton', 'nft'] };
    const data = { name: 'SignData', types: ['text', 'binary', 'cell'] };
    assert.deepEqual(told('v5r1'), [
      'SendTransaction',
      { name: 'SendTransaction', ...messages },
      { name: 'SignMessage', ...messages },
      data,
      { name: 'EmbeddedRequest' },
    ]);
    assert.deepEqual(told('v4r2'), [
      'SendTransaction',
      { name: 'SendTransaction', ...messages, maxMessages: 4 },
      data,
      { name: 'EmbeddedRequest' },
    ]);
    assert.deepEqual(told('v5r1', 'v2, 4-messages,no-sign-data'), [
      'SendTransaction',
      { name: 'SendTransaction', maxMessages: 4 },
    ]);
    assert.throws(() => parseFeatureWords('v9'), { code: 'wallet-features-unknown' });
    const old = { ...bounds(), features: featuresOf('v5r1', ['v2']) };
    const read = readEmbedded(embedded('signMessage', { messages: [{ address: to, amount: '1' }] }), old);
    assert.deepEqual('error' in read && read.error.code, 400);
    const v4 = readEmbedded(
      embedded('signMessage', { messages: [{ address: to, amount: '1' }] }),
      bounds('v4r2'),
    );
    assert.match(
      'error' in v4 ? v4.error.message : '',
      /signMessage is not supported by this wallet \(v4r2\)/,
    );
  });
});
