/* oxlint-disable typescript/no-unsafe-assignment, typescript/no-unsafe-member-access, typescript/no-unsafe-call, typescript/no-unsafe-return, typescript/no-unsafe-argument -- answers are JSON, judged field by field */
import assert from 'node:assert/strict';
import { Address, beginCell, Cell, loadMessage, toNano } from '@ton/core';
import type { Answer, Scenario } from './support/scenario';
import { scenario } from './support/scenario';
import { addressOnWire, hashOnWire } from './support/onWire';
import { addressOf, externalBoc, mineWith, transfer } from './support/testChain';

const [alice, bob, carol] = ['alice', 'bob', 'carol'].map(addressOf) as [string, string, string];

describe('the emulation API of the local network', () => {
  let s: Scenario;
  before(async () => {
    s = await scenario();
  });
  after(() => s.server.close());

  const trace = (body: object): Promise<{ status: number; body: Answer }> =>
    s.post('/api/emulate/v1/emulateTrace', body);
  const tonConnect = (body: object): Promise<{ status: number; body: Answer }> =>
    s.post('/api/emulate/v1/emulateTonConnect', body);
  const seqnoOf = async (address: string): Promise<number> => {
    const { body } = await s.get(`/api/v3/walletStates?address=${address}`);
    return body.wallets[0].seqno;
  };
  /** A jetton transfer to somebody who has none yet: it deploys a wallet. */
  const jettonsToCarol = async (value = toNano('1')): Promise<Buffer> => {
    const body = beginCell()
      .storeUint(0x0f8a7ea5, 32)
      .storeUint(1, 64)
      .storeCoins(7n)
      .storeAddress(Address.parseRaw(carol))
      .storeAddress(Address.parseRaw(alice))
      .storeMaybeRef(null)
      .storeCoins(1n)
      .storeBit(false)
      .endCell();
    return transfer('alice', { seqno: await seqnoOf(alice), to: s.aliceJettons, value, bounce: true, body });
  };
  const state = (): unknown => [
    s.chain.ledger.blocks.length,
    s.chain.ledger.transactions.length,
    s.chain.ledger.accounts.size,
    s.chain.pending.size,
    s.chain.ledger.accounts.get(alice)?.current,
  ];

  it('predicts exactly what then happens, marked as emulated, and keeps nothing of it', async () => {
    const boc = await jettonsToCarol();
    const before = state();
    const { status, body } = await trace({ boc: boc.toString('base64') });
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(state(), before);
    const emulated: Answer[] = Object.values(body.transactions);
    assert.ok(emulated.length >= 5);
    for (const transaction of emulated) {
      assert.equal(transaction.emulated, true);
      assert.notEqual(transaction.finality, 'finalized');
    }
    assert.deepEqual(Object.keys(body).sort(), [
      'actions',
      'is_incomplete',
      'mc_block_seqno',
      'rand_seed',
      'trace',
      'transactions',
    ]);
    assert.equal(body.mc_block_seqno, s.chain.ledger.last.seqno);
    assert.equal(body.is_incomplete, false);
    assert.equal(Buffer.from(body.rand_seed, 'base64').length, 32);
    const block = await mineWith(s.chain, boc);
    assert.deepEqual(
      emulated.map(({ hash }) => hash).sort(),
      block.transactions.map(({ hash }) => hashOnWire(hash)).sort(),
    );
    const { body: real } = await s.get(`/api/v3/traces?tx_hash=${encodeURIComponent(body.trace.tx_hash)}`);
    assert.deepEqual(body.trace, real.traces[0].trace);
    await s.chain.restore(block.seqno - 1);
  });

  it('names actions and tokens, including those that the trace itself deploys', async () => {
    const boc = (await jettonsToCarol()).toString('base64');
    const { body } = await trace({
      boc,
      with_actions: true,
      include_metadata: true,
      include_address_book: true,
      include_code_data: true,
    });
    const action = body.actions.find(({ type }: Answer) => type === 'jetton_transfer');
    assert.ok(action, JSON.stringify(body.actions));
    assert.equal(action.details.receiver, addressOnWire(carol));
    assert.equal(action.finality, 'pending');
    assert.equal(action.success, true);
    const types = Object.values<Answer>(body.metadata).map(({ token_info: [info] }) => info.type as string);
    assert.deepEqual(types.sort(), ['jetton_masters', 'jetton_wallets', 'jetton_wallets']);
    const bare = await trace({ boc, include_metadata: true });
    assert.deepEqual(bare.body.metadata, body.metadata, 'the master, too, which only an action names');
    assert.ok(body.address_book[addressOnWire(carol)]);
    for (const transaction of Object.values<Answer>(body.transactions)) {
      const { code_hash: code, data_hash: data } = transaction.account_state_after;
      assert.equal(Cell.fromBase64(body.code_cells[code]).hash().toString('base64'), code);
      assert.equal(Cell.fromBase64(body.data_cells[data]).hash().toString('base64'), data);
    }
  });

  it('checks signatures unless told otherwise', async () => {
    const { body } = loadMessage(Cell.fromBoc(await jettonsToCarol())[0]!.beginParse());
    const { bits, refs } = body;
    // A v5 body ends with its signature.
    const unsigned = beginCell()
      .storeBits(bits.substring(0, bits.length - 512))
      .storeBuffer(Buffer.alloc(64));
    refs.forEach((cell) => unsigned.storeRef(cell));
    const boc = externalBoc(alice, unsigned.endCell()).toString('base64');
    const { status, body: answer } = await trace({ boc });
    assert.equal(status, 500);
    assert.match(answer.error, /exitcode=135/);
    assert.equal((await trace({ boc, ignore_chksig: true })).status, 200);
  });

  for (const [name, kind] of [
    ['alice', 'v5r1'],
    ['bob', 'v4r2'],
  ] as const) {
    it(`builds the message of a ${kind} wallet for a TON Connect request`, async () => {
      const comment = beginCell().storeUint(0, 32).storeStringTail('hi').endCell();
      const before = state();
      const { status, body } = await tonConnect({
        from: addressOf(name),
        valid_until: s.chain.now() + 60,
        messages: [
          { address: carol, amount: '1500000000', payload: comment.toBoc().toString('base64') },
          { address: carol, amount: '2' },
        ],
        with_actions: true,
        include_metadata: true,
      });
      assert.equal(status, 200, JSON.stringify(body));
      assert.deepEqual(state(), before);
      const root = body.transactions[body.trace.tx_hash];
      assert.equal(root.account, addressOnWire(addressOf(name)));
      assert.deepEqual(
        root.out_msgs.map((message: Answer) => message.value),
        ['1500000000', '2'],
      );
      assert.equal(root.in_msg.hash_norm === undefined, false);
      assert.equal(body.actions.filter(({ type }: Answer) => type === 'ton_transfer').length, 2);
      assert.equal(root.emulated, true);
    });
  }

  it('refuses as the service does', async () => {
    const nobody = `0:${'ab'.repeat(32)}`;
    const missing = await tonConnect({ from: nobody, messages: [{ address: bob, amount: '1' }] });
    assert.equal(missing.status, 500);
    assert.equal(missing.body.error, 'Failed to fetch account state: Account not found in accounts_dict');
    for (const [body, error] of [
      [{}, /boc is required/],
      [{ boc: '!' }, /invalid boc/],
      [{ boc: 5 }, /boc is not a string/],
      ['nothing', /no JSON|not a JSON/],
    ] as const) {
      const answer = await trace(body as object);
      assert.equal(answer.status, 400, JSON.stringify(answer.body));
      assert.match(answer.body.error, error);
      assert.match(answer.body.error, /^invalid request: /);
    }
    for (const [body, error] of [
      [{}, /from address is required/],
      [{ from: alice }, /messages array cannot be empty/],
      [{ from: alice, messages: [{}] }, /message at index 0 cannot be empty/],
      [{ from: alice, messages: [null] }, /message at index 0 cannot be empty/],
      [{ from: alice, messages: [{ address: bob }] }, /amount in message at index 0 cannot be empty/],
      [{ from: alice, messages: [{ address: bob, amount: '-1' }] }, /must be a valid number/],
      [{ from: alice, messages: [{ address: bob, amount: '9'.repeat(40) }] }, /must be a valid number/],
      [{ from: alice, messages: [{ address: 'bob', amount: '1' }] }, /invalid message address/],
      [{ from: alice, messages: [{ address: bob, amount: '1', payload: 'AAAA' }] }, /payload at index 0/],
      [{ from: alice, messages: [{ address: bob, amount: '1' }], valid_until: 2 ** 32 }, /valid_until/],
    ] as const) {
      const answer = await tonConnect(body);
      assert.equal(answer.status, 400, JSON.stringify([body, answer.body]));
      assert.match(answer.body.error, error);
    }
    const replayed = transfer('alice', { seqno: 0, to: bob, value: 1n });
    const stale = await trace({ boc: replayed.toString('base64') });
    assert.equal(stale.status, 500);
    assert.match(stale.body.error, /exitcode=\d+/);
    const jettonWallet = await tonConnect({
      from: s.aliceJettons,
      messages: [{ address: bob, amount: '1' }],
    });
    assert.match(jettonWallet.body.error, /not a wallet of a known version/);
    assert.match(
      (await trace({ boc: replayed.toString('base64'), mc_block_seqno: 1 })).body.error,
      /newest block/,
    );
  });
});
