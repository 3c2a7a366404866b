import { Address, beginCell, storeStateInit } from '@ton/core';
import assert from 'node:assert/strict';
import { namedAccounts } from '../../../src/toolkit/localnet/accounts/namedAccounts';
import { transactionOrders } from '../../../src/toolkit/tonConnect/checkMessage';
import { checkTransaction } from '../../../src/toolkit/tonConnect/checkTransaction';
import { featuresOf } from '../../../src/toolkit/tonConnect/walletFeatures';
import { signTransaction } from '../../../src/toolkit/tonConnect/carryOut';
import { genesisAccounts } from '../../../src/toolkit/localnet/system/systemAccounts';
import { readDestination } from '../../../src/toolkit/send/preparedSend';
import { systemClock } from '../../../src/toolkit/base/time';
import { parseConnectLink } from '../../../src/toolkit/tonConnect/connectLink';
import { connectItems } from '../../../src/toolkit/tonConnect/injectedScript';
import { readManifest } from '../../../src/toolkit/tonConnect/readManifest';
import { readSignData, signData } from '../../../src/toolkit/tonConnect/signData';
import { parseTypedDecision, parseWalletScript } from '../../../src/toolkit/tonConnect/walletScript';
import { dictionaryBomb } from '../../support/hostile';
import { ownsAddress, verifiesProof, verifiesSignedData } from '../../support/tonConnectProofs';
import type { Proof, ProvenAccount } from '../../support/tonConnectProofs';

const [alice, bob] = namedAccounts;
const now = 1_800_000_000;
const to = Address.parse(bob!.address);
const message = { address: to.toString({ bounceable: false }), amount: '7' };
const bounds = (account = alice!): Parameters<typeof checkTransaction>[1] => ({
  ...{ wallet: account, features: featuresOf(account.kind), told: '-239', chain: '-239', now },
});
const boc = beginCell().storeUint(1, 8).endCell().toBoc().toString('base64');
const init = beginCell()
  .store(storeStateInit({ code: beginCell().endCell(), data: beginCell().endCell() }))
  .endCell()
  .toBoc()
  .toString('base64');

/** Libraries with 2^200 entries in 201 cells. */
const unfoldable = beginCell()
  .storeUint(0b00001, 5)
  .storeRef(dictionaryBomb(256, 200, beginCell().endCell()))
  .endCell()
  .toBoc()
  .toString('base64');

describe('requests of dApps', () => {
  const refused: Record<string, [object, RegExp]> = {
    'another network': [{ network: '-3', messages: [message] }, /network -3/],
    'another account': [{ from: bob!.address, messages: [message] }, /from/],
    'from that is no address': [{ from: 'me', messages: [message] }, /from is not an address/],
    'an expired request': [{ valid_until: now, messages: [message] }, /expired/],
    'no messages': [{ messages: [] }, /0 messages/],
    'no items': [{ items: [] }, /0 items/],
    'neither messages nor items': [{}, /messages are missing, and so are items/],
    'both messages and items': [{ messages: [message], items: [{ type: 'ton', ...message }] }, /both/],
    'a raw address': [{ messages: [{ ...message, address: bob!.address }] }, /raw form/],
    'an address for test networks': [
      { messages: [{ ...message, address: to.toString({ testOnly: true }) }] },
      /messages\.0\.address is for test networks only/,
    ],
    'no address': [{ messages: [{ ...message, address: 'EQ' }] }, /messages\.0\.address/],
    'an amount with a point': [{ messages: [{ ...message, amount: '1.5' }] }, /amount/],
    'a negative amount': [{ messages: [{ ...message, amount: '-1' }] }, /amount/],
    'an amount as a number': [{ messages: [{ ...message, amount: 1 }] }, /amount/],
    'an amount that no message holds': [{ messages: [{ ...message, amount: `${2n ** 120n}` }] }, /amount/],
    'a payload that is no BoC': [
      { messages: [{ ...message, payload: 'AAAA' }] },
      /payload: Not a readable BoC/,
    ],
    'a state init that is no BoC': [
      { messages: [{ ...message, stateInit: '!' }] },
      /stateInit: "!" is not allowed in base64/,
    ],
    'a state init that is none': [{ messages: [{ ...message, stateInit: boc }] }, /not a StateInit/],
    'a state init with a library for every hash': [
      { messages: [{ ...message, stateInit: unfoldable }] },
      /not a StateInit/,
    ],
    'an extra currency without an id': [
      { messages: [{ ...message, extra_currency: { x: '2' } }] },
      /currency/,
    ],
    'a field of a message that nobody knows': [
      { messages: [{ ...message, mode: 64 }] },
      /messages\.0 has the unknown field "mode"/,
    ],
    'a field that nobody knows': [
      { messages: [message], sponsor: 'x' },
      /the payload has the unknown field "sponsor"/,
    ],
    'a time in milliseconds': [
      { valid_until: 1_795_699_025_170, messages: [message] },
      /^valid_until is in milliseconds: Unix seconds would be 1795699025$/,
    ],
    'a time that no message holds': [
      { valid_until: 2 ** 32, messages: [message] },
      /^valid_until does not fit in 32 bits: give Unix seconds/,
    ],
    'a time as text': [{ valid_until: '2030', messages: [message] }, /valid_until/],
  };
  for (const [what, [request, reason]] of Object.entries(refused)) {
    it(`are refused for ${what}`, () => {
      assert.throws(
        () => checkTransaction(request, bounds()),
        (error: Error & { code?: number }) => {
          assert.equal(error.code, 1);
          assert.match(error.message, reason);
          return true;
        },
      );
    });
  }

  it('may pay addresses for test networks on a test network', () => {
    const onTestnet = { ...bounds(), told: '-3', chain: '-3' };
    const request = { messages: [{ ...message, address: to.toString({ testOnly: true }) }] };
    assert.equal(checkTransaction(request, onTestnet).messages[0]?.address, bob!.address);
  });

  it('may have as many messages as the wallet sends at once', () => {
    const many = (count: number): object => ({ messages: Array.from({ length: count }, () => message) });
    assert.equal(checkTransaction(many(255), bounds(alice)).messages.length, 255);
    assert.throws(() => checkTransaction(many(256), bounds(alice)), /1 to 255/);
    assert.equal(checkTransaction(many(4), bounds(bob)).messages.length, 4);
    assert.throws(() => checkTransaction(many(5), bounds(bob)), /1 to 4/);
  });

  it('keep the flag of the address, the body, and the state init', () => {
    const request = checkTransaction(
      {
        valid_until: now + 1,
        from: Address.parse(alice!.address).toString(),
        messages: [
          { ...message, address: to.toString({ bounceable: true }), payload: boc, stateInit: init },
          message,
        ],
      },
      bounds(),
    );
    assert.deepEqual(
      request.messages.map(({ bounce }) => bounce),
      [true, false],
    );
    const [first] = transactionOrders(request.messages);
    assert.equal(first?.beginParse().loadUint(4) === 0b0110, true, 'int_msg_info, bounce');
    assert.equal(request.messages[0]?.stateInit, init);
  });

  it('without an end are signed also on a network whose clock is ahead', async () => {
    const { shardAccount } = genesisAccounts(now).find(({ address }) => address === alice!.address)!;
    const params = checkTransaction({ valid_until: 2 ** 32 - 1, messages: [message] }, bounds());
    const signed = await signTransaction(
      params,
      {
        clock: systemClock,
        wallet: alice!,
        signal: new AbortController().signal,
        network: { signingState: () => assert.fail('it is given') } as never,
      },
      () =>
        Promise.resolve({
          state: readDestination(shardAccount.toString('base64')),
          ahead: 3_600,
          idle: true,
        }),
    );
    assert.equal(signed.signed?.validUntil, 2 ** 32 - 1);
  });

  it('for signatures are of the three kinds, and verify', () => {
    for (const data of [
      { type: 'text', text: 'Rent, ünïcode' },
      { type: 'binary', bytes: Buffer.from([0, 255]).toString('base64') },
      { type: 'cell', schema: 'a#_ = A;', cell: boc },
    ]) {
      const read = readSignData(data, bounds());
      for (const account of [alice!, bob!]) {
        const signed = signData(read, account, 'shop.example', now);
        assert.ok(verifiesSignedData(account.publicKey, signed), data.type);
        assert.ok(!verifiesSignedData(account.publicKey, { ...signed, domain: 'evil.example' }));
      }
    }
    for (const data of [
      { type: 'number' },
      { type: 'binary', bytes: '!' },
      { type: 'cell', schema: '', cell: 'x' },
    ]) {
      assert.throws(() => readSignData(data, bounds()));
    }
    assert.throws(() => readSignData({ type: 'text', text: 'x', network: '-3' }, bounds()), /network/);
  });

  it('for a proof are answered with one that verifies, for both kinds of wallets', () => {
    const request = {
      manifestUrl: 'https://shop.example/m.json',
      items: [{ name: 'ton_addr' }, { name: 'ton_proof', payload: 'nonce' }, { name: 'ton_more' }],
    };
    for (const account of [alice!, bob!]) {
      const items = connectItems(request, account, { chain: '-239', domain: 'shop.example', timestamp: now });
      const [shown, proof, unknown] = items as [ProvenAccount, { proof: Proof }, { error: { code: number } }];
      assert.ok(ownsAddress(shown));
      assert.ok(verifiesProof(shown, proof.proof));
      assert.equal(unknown.error.code, 400);
    }
  });

  const app = 'ab'.repeat(32);
  const connect = encodeURIComponent(
    '{"manifestUrl":"https://a.example/m.json","items":[{"name":"ton_addr"}]}',
  );

  it('to connect are read from every form of the link', () => {
    for (const base of ['tc://', 'https://app.wallet.example/ton-connect', 'http://127.0.0.1:1/connect']) {
      assert.equal(parseConnectLink(` ${base}?v=2&id=${app.toUpperCase()}&r=${connect}&ret=back\n`).app, app);
    }
    const wrong: [string, RegExp][] = [
      ['hello', /^This is not a link\.$/],
      ['javascript:1', /^This is not a link\.$/],
      [`tc://?id=${app}&r=${connect}`, /no version/],
      [`tc://?v=3&id=${app}&r=${connect}`, /not 2/],
      [`tc://?v=2&id=1&r=${connect}`, /64 hex/],
      [`tc://?v=2&id=${app}`, /no request/],
      [`tc://?v=2&id=${app}&r={`, /not JSON/],
      [
        `tc://?v=2&id=${app}&r=${encodeURIComponent('{"manifestUrl":"file:///x","items":[{"name":"ton_addr"}]}')}`,
        /http URL/,
      ],
      [
        `tc://?v=2&id=${app}&r=${encodeURIComponent('{"manifestUrl":"http://x/","items":[{"name":"ton_proof"}]}')}`,
        /ton_addr/,
      ],
    ];
    for (const [link, reason] of wrong) {
      assert.throws(() => parseConnectLink(link), { code: 'connect-link-invalid', message: reason });
    }
  });

  it('never make the wallet fetch anything that is not on this machine', async () => {
    const fetched: string[] = [];
    const fetchText = (url: string): Promise<string> => {
      fetched.push(url);
      return Promise.resolve('{"url":"https://shop.example","name":"Shop"}');
    };
    const far = await readManifest('https://shop.example/m.json', fetchText);
    assert.deepEqual([far.isFetched, far.domain], [false, 'shop.example']);
    for (const host of ['127.0.0.1.evil.example', 'localhost.evil.example', '10.0.0.1', '[::2]']) {
      assert.equal((await readManifest(`http://${host}/m.json`, fetchText)).isFetched, false);
    }
    assert.deepEqual(fetched, []);
    for (const host of ['127.0.0.1', 'localhost:5173', 'shop.localhost', '[::1]:1']) {
      const near = await readManifest(`http://${host}/m.json`, fetchText);
      assert.deepEqual([near.isFetched, near.name, near.domain], [true, 'Shop', 'shop.example']);
    }
    await assert.rejects(
      readManifest('http://localhost/m.json', () => Promise.resolve('{}')),
      { code: 3 },
    );
    await assert.rejects(
      readManifest('http://localhost/m.json', () => Promise.resolve('<')),
      { code: 3 },
    );
  });

  it('are decided by scripts and typed lines', () => {
    assert.deepEqual(parseWalletScript('["reject", {"decision":"answer-late","seconds":5}]'), [
      { decision: 'reject' },
      { decision: 'answer-late', seconds: 5 },
    ]);
    for (const text of ['{', '{}', '["accept"]', '[{"decision":"reject","when":1}]']) {
      assert.throws(() => parseWalletScript(text), { code: 'wallet-script-invalid' });
    }
    assert.deepEqual(parseTypedDecision(' answer-late 3  5 '), {
      number: 3,
      verdict: { decision: 'answer-late', seconds: 5 },
    });
    assert.equal(parseTypedDecision('yes'), undefined);
    assert.equal(parseTypedDecision('approve it'), undefined);
  });
});
