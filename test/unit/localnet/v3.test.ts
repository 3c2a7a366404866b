/* oxlint-disable typescript/no-unsafe-assignment, typescript/no-unsafe-member-access, typescript/no-unsafe-call, typescript/no-unsafe-return, typescript/no-unsafe-argument -- answers are JSON, judged field by field */
import assert from 'node:assert/strict';
import type { Builder } from '@ton/core';
import { Address, beginCell, Cell, loadMessage } from '@ton/core';
import type { Answer, Scenario } from './support/scenario';
import { scenario } from './support/scenario';
import { addressOnWire, hashOnWire } from './support/onWire';
import { addressOf, mineWith, transfer } from './support/testChain';

const [alice, bob] = ['alice', 'bob'].map(addressOf).map(addressOnWire) as [string, string];
const encode = encodeURIComponent;

describe('the indexed API of the local network', () => {
  let s: Scenario;
  before(async () => {
    s = await scenario();
  });
  after(() => s.server.close());

  const v3 = async (path: string): Promise<Answer> => {
    const { status, body } = await s.get(`/api/v3${path}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  const refusal = async (path: string): Promise<[number, string]> => {
    const { status, body } = await s.get(`/api/v3${path}`);
    return [status, (body as { error: string }).error];
  };

  it('finds a trace by each of its keys', async () => {
    const root = s.jettonTransfer;
    const last = root.trace.transactions.at(-1);
    const keys = [
      `trace_id=${encode(hashOnWire(root.hash))}`,
      `tx_hash=${encode(last?.hash ?? '')}`,
      `msg_hash=${root.inMessage?.hash}`,
      `msg_hash=${encode(root.inMessage?.normalized ?? root.inMessage?.hash ?? '')}`,
      `account=${addressOnWire(s.bobJettons)}`,
    ];
    for (const key of keys) {
      const { traces } = await v3(`/traces?${key}&limit=1`);
      assert.equal(traces[0].trace_id, hashOnWire(root.hash), key);
    }
    const { traces } = await v3(`/traces?${keys[0]}&include_actions=true`);
    const [trace] = traces;
    assert.equal(trace.trace_info.transactions, 5);
    assert.equal(trace.transactions_order.length, 5);
    assert.equal(trace.trace.children[0].children.length, 1);
    assert.deepEqual(
      trace.actions.map((action: Answer) => [action.type, action.success]),
      [['jetton_transfer', true]],
    );
    const { details } = trace.actions[0];
    assert.equal(details.amount, '400');
    assert.equal(details.sender, alice);
    assert.equal(details.receiver, bob);
    assert.equal(details.receiver_jetton_wallet, addressOnWire(s.bobJettons));
    assert.equal(details.comment, 'for you');
    const wallet = trace.transactions[trace.transactions_order[1]];
    assert.equal(wallet.in_msg.decoded_opcode, 'jetton_transfer');
    assert.equal(wallet.in_msg.message_content.decoded.amount.value, '400');
  });

  it("brings a jetton's metadata with that of its wallets, even if the answer does not name it", async () => {
    const answer = await v3(`/traces?trace_id=${encode(hashOnWire(s.jettonTransfer.hash))}`);
    const minter = addressOnWire(s.minter.address.toRawString());
    assert.ok(!(minter in answer.address_book));
    const [info] = answer.metadata[minter].token_info;
    assert.deepEqual([info.type, info.extra.uri], ['jetton_masters', 'https://example.org/jetton.json']);
  });

  it('lists the newest traces without a key, and refuses two keys', async () => {
    const { traces } = await v3('/traces?limit=2');
    assert.deepEqual(
      traces.map((trace: Answer) => trace.trace_id),
      [s.bounce, s.jettonTransfer].map(({ hash }) => hashOnWire(hash)),
    );
    const ascending = await v3('/traces?limit=1&sort=asc');
    assert.equal(ascending.traces[0].trace_id, hashOnWire(s.comment.hash));
    assert.deepEqual(await refusal(`/traces?account=${alice}&tx_hash=${encode(s.comment.hash)}`), [
      422,
      'only one of account, trace_id, tx_hash, msg_hash should be specified',
    ]);
    assert.deepEqual((await v3(`/traces?tx_hash=${'ab'.repeat(32)}`)).traces, []);
  });

  it('classifies the actions of traces', async () => {
    const { actions } = await v3('/actions?limit=100&sort=asc');
    assert.deepEqual(
      actions.map((action: Answer) => action.type),
      [
        'ton_transfer',
        'contract_deploy',
        'call_contract',
        'jetton_mint',
        'jetton_transfer',
        // The bounce that follows is no action of its own.
        'call_contract',
      ],
    );
    assert.equal(actions[0].details.comment, 'hello');
    assert.equal(actions[5].success, false);
    const mints = await v3('/actions?action_type=jetton_mint');
    assert.equal(mints.actions.length, 1);
    assert.equal(mints.actions[0].details.asset, addressOnWire(s.minter.address.toRawString()));
    const [status, error] = await refusal('/actions?action_type=a%20b');
    assert.deepEqual([status, error], [422, 'action_type contains invalid characters']);
  });

  it("returns jettons from their contracts' own get-methods", async () => {
    const { jetton_masters: masters } = await v3(`/jetton/masters?admin_address=${alice}`);
    assert.equal(masters[0].total_supply, '1000');
    assert.equal(masters[0].jetton_content.uri, 'https://example.org/jetton.json');
    const { jetton_wallets: wallets, metadata } = await v3(`/jetton/wallets?owner_address=${bob}`);
    assert.equal(wallets[0].balance, '400');
    assert.equal(wallets[0].address, addressOnWire(s.bobJettons));
    assert.equal(metadata[addressOnWire(s.bobJettons)].token_info[0].type, 'jetton_wallets');
    const friendly = Address.parseRaw(s.bobJettons).toString();
    assert.deepEqual(await v3(`/metadata?address=${friendly}&address=nothing`), metadata);
    const { jetton_transfers: transfers } = await v3(`/jetton/transfers?owner_address=${bob}&direction=in`);
    assert.equal(transfers.length, 1);
    assert.equal(transfers[0].amount, '400');
    assert.equal(transfers[0].decoded_forward_payload.comment, 'for you');
    assert.equal(
      (await v3(`/jetton/transfers?owner_address=${bob}&direction=out`)).jetton_transfers.length,
      0,
    );
    const sent = await v3(`/jetton/transfers?owner_address=${alice}&owner_address=${bob}`);
    const every = await v3('/jetton/transfers');
    assert.equal(every.jetton_transfers.length, 1);
    assert.deepEqual(sent.jetton_transfers, every.jetton_transfers);
    const ofWallet = await v3(`/jetton/transfers?jetton_wallet=${addressOnWire(s.aliceJettons)}`);
    assert.deepEqual(ofWallet.jetton_transfers, every.jetton_transfers);
    assert.equal(
      (await v3(`/jetton/transfers?jetton_wallet=${addressOnWire(s.bobJettons)}`)).jetton_transfers.length,
      0,
    );
    assert.equal((await v3(`/jetton/burns?address=${alice}`)).jetton_burns.length, 0);
    assert.equal(
      (await v3(`/addressBook?address=${addressOnWire(s.aliceJettons)}`))[addressOnWire(s.aliceJettons)]
        .interfaces[0],
      'jetton_wallet',
    );
  });

  it('pages and sorts transactions, and filters them by every key', async () => {
    const all = (await v3(`/transactions?account=${alice}&limit=100`)).transactions as Answer[];
    const lts = all.map((transaction) => BigInt(transaction.lt as string));
    assert.deepEqual(
      lts,
      [...lts].sort((a, b) => Number(b - a)),
    );
    const page = (await v3(`/transactions?account=${alice}&limit=2&offset=1&sort=asc`))
      .transactions as Answer[];
    assert.deepEqual(
      page.map(({ hash }) => hash as string),
      all
        .slice(-3, -1)
        .reverse()
        .map(({ hash }) => hash as string),
    );
    const [one] = all;
    for (const key of [
      `hash=${encode(one.hash)}`,
      `lt=${one.lt}&account=${alice}`,
      `start_lt=${one.lt}&account=${alice}`,
    ]) {
      assert.equal((await v3(`/transactions?${key}`)).transactions[0].hash, one.hash, key);
    }
    const inBlock = (await v3(`/transactionsByMasterchainBlock?seqno=${s.jettonTransfer.block.seqno}`))
      .transactions;
    assert.equal(inBlock.length, 5);
    assert.deepEqual(await refusal('/transactions?mc_seqno=999'), [404, 'masterchain block 999 not found']);
    assert.deepEqual(await refusal('/transactions?limit=5000'), [500, 'limit is not allowed: 5000 > 1000']);
    // Below one it is one, as the service has it (docs/local-network.md).
    for (const limit of ['0', '-3']) {
      const { transactions } = await v3(`/transactions?limit=${limit}&offset=-1`);
      assert.equal((transactions as Answer[]).length, 1, limit);
    }
    assert.deepEqual(await refusal('/transactions?sort=up'), [500, 'wrong value for sort parameter']);
    assert.deepEqual(await refusal('/transactions?hash=zz'), [
      422,
      'failed to decode: schema: error converting value for index 0 of "hash"',
    ]);
  });

  it('finds transactions by message, and their neighbors', async () => {
    const [sent] = s.comment.outMessages;
    const hash = encode(sent?.hash ?? '');
    const both = await v3(`/transactionsByMessage?msg_hash=${hash}`);
    assert.equal(both.transactions.length, 2);
    const received = await v3(`/transactionsByMessage?msg_hash=${hash}&direction=in`);
    assert.equal(received.transactions[0].account, bob);
    const [status] = await refusal('/transactionsByMessage');
    assert.equal(status, 422);
    const children = await v3(`/adjacentTransactions?hash=${encode(s.comment.hash)}&direction=out`);
    assert.equal(children.transactions[0].account, bob);
    assert.deepEqual(await refusal(`/adjacentTransactions?hash=${encode(s.comment.hash)}&direction=in`), [
      404,
      'adjacent transactions not found',
    ]);
  });

  it('lists messages, externals first', async () => {
    const { messages } = await v3('/messages?limit=100');
    assert.equal(messages[0].source, null);
    const internal = await v3('/messages?limit=100&start_lt=1');
    const lts = internal.messages.map((message: Answer) => BigInt(message.created_lt as string)) as bigint[];
    assert.deepEqual(
      lts,
      [...lts].sort((a, b) => Number(b - a)),
    );
    const transfers = await v3('/messages?opcode=0x0f8a7ea5');
    assert.equal(transfers.messages.length, 1);
    assert.equal(transfers.messages[0].destination, addressOnWire(s.aliceJettons));
  });

  it('shows a message as pending until its block, then among the traces', async () => {
    const { hash, normalized } = await s.chain.submit(transfer('carol', { seqno: 0, to: bob, value: 1n }));
    const carol = addressOnWire(addressOf('carol'));
    for (const key of [
      `ext_msg_hash=${encode(hash)}`,
      `ext_msg_hash=${encode(normalized)}`,
      `account=${carol}`,
    ]) {
      const { traces } = await v3(`/pendingTraces?${key}`);
      assert.equal(traces[0].external_hash, hashOnWire(hash), key);
      assert.equal(traces[0].trace_info.trace_state, 'pending');
    }
    const { transactions } = await v3(`/pendingTransactions?account=${carol}`);
    assert.equal(transactions[0].emulated, true);
    assert.equal(transactions[0].in_msg.hash_norm, hashOnWire(normalized));
    const plain = await v3(`/pendingActions?account=${carol}`);
    assert.deepEqual([plain.actions[0].type, plain.actions[0].finality], ['call_contract', 'pending']);
    assert.equal('transactions_full' in plain.actions[0], false);
    const whole = await v3(
      `/pendingActions?account=${carol}&include_transactions=true&include_accounts=true`,
    );
    const [full] = whole.actions[0].transactions_full;
    assert.deepEqual([full.hash, full.emulated, full.finality], [transactions[0].hash, true, 'pending']);
    assert.ok(whole.actions[0].accounts.includes(carol));
    assert.deepEqual((await v3(`/traces?msg_hash=${encode(hash)}`)).traces, []);
    await s.chain.mine();
    assert.equal((await v3(`/pendingTraces?account=${carol}`)).traces, null);
    assert.deepEqual(await refusal(`/pendingTransactions?account=${carol}`), [
      404,
      'emulated traces not found',
    ]);
    assert.equal(
      (await v3(`/traces?msg_hash=${encode(normalized)}`)).traces[0].external_hash,
      hashOnWire(hash),
    );
  });

  it('returns states, wallets, and the address book', async () => {
    const friendly = Address.parseRaw(alice).toString();
    const { accounts, address_book: book } = await v3(
      `/accountStates?address=${friendly}&address=${'0:' + '11'.repeat(32)}`,
    );
    assert.equal(accounts.length, 1);
    assert.equal(accounts[0].interfaces[0], 'wallet_v5r1');
    assert.ok(accounts[0].contract_methods.includes(85143));
    assert.equal(book[alice].user_friendly, Address.parseRaw(alice).toString({ bounceable: false }));
    const { wallets } = await v3(`/walletStates?address=${alice}&address=${addressOnWire(s.aliceJettons)}`);
    assert.deepEqual(
      [wallets[0].wallet_type, wallets[0].seqno, wallets[1].is_wallet],
      ['wallet v5 r1', 5, false],
    );
    assert.deepEqual(await refusal(`/walletInformation?address=${addressOnWire(s.aliceJettons)}`), [
      409,
      'not a wallet',
    ]);
    const rows = await v3('/addressBook?address=nonsense');
    assert.deepEqual(rows.nonsense, { user_friendly: null, domain: null, interfaces: [] });
    assert.deepEqual(await refusal('/accountStates'), [422, 'address of account is required']);
  });

  it('returns blocks linked to one another', async () => {
    const { blocks } = await v3('/blocks?workchain=-1&limit=3');
    assert.equal(blocks[0].prev_blocks[0].seqno, blocks[1].seqno);
    const byHash = await v3(`/blocks?root_hash=${encode(blocks[1].root_hash as string)}`);
    assert.equal(byHash.blocks[0].seqno, blocks[1].seqno);
    assert.deepEqual(await refusal('/masterchainBlockShards?seqno=999'), [404, 'blocks not found']);
  });

  it('estimates the fees that a message then costs', async () => {
    const dave = addressOf('dave');
    const message = transfer('dave', { seqno: 0, to: bob, value: 1n });
    const [cell] = Cell.fromBoc(message);
    const { body } = loadMessage((cell as Cell).beginParse());
    const request = { address: dave, body: body.toBoc().toString('base64'), ignore_chksig: false };
    const estimated = await s.post('/api/v3/estimateFee', request);
    assert.equal(estimated.status, 200);
    const { in_fwd_fee, storage_fee, gas_fee, fwd_fee } = estimated.body.source_fees;
    const [sent] = (await mineWith(s.chain, message)).transactions;
    const { transactions } = await v3(`/transactions?hash=${encode(sent?.hash ?? '')}`);
    const { description, total_fees } = transactions[0];
    assert.equal(String(gas_fee), description.compute_ph.gas_fees);
    assert.equal(String(fwd_fee), description.action.total_fwd_fees);
    const total = Number(in_fwd_fee) + Number(storage_fee) + Number(gas_fee);
    assert.equal(total + Number(description.action.total_action_fees), Number(total_fees));
    // The seqno is used up now: what a wallet refuses cannot be estimated.
    const again = await s.post('/api/v3/estimateFee', request);
    assert.equal(again.status, 500);
    assert.match(again.body.error as string, /exitcode=33/);
  });

  it('decodes opcodes and bodies offline', async () => {
    const { body } = await s.post('/api/v3/decode', {
      opcodes: ['0x0f8a7ea5', '0xdeadbeef'],
      bodies: ['te6cckEBAQEAAgAAAEysuc0='],
    });
    assert.deepEqual(body.opcodes, ['jetton_transfer', '0xdeadbeef']);
    assert.equal(body.bodies[0]['@type'], 'empty_cell');
  });

  it('decodes a payload in the cell itself and one in a reference as the service does', async () => {
    const note = beginCell().storeUint(0, 32).storeStringTail('Hello!');
    const notified = (): Builder =>
      beginCell().storeUint(0x7362d09c, 32).storeUint(1, 64).storeCoins(5).storeAddress(null);
    const bodies = [
      notified().storeBit(false).storeBuilder(note),
      notified().storeBit(true).storeRef(note),
    ].map((builder) => builder.endCell().toBoc().toString('base64'));
    const { body } = await s.post('/api/v3/decode', { bodies });
    const text = { '@type': 'text_comment', text: 'Hello!' };
    assert.deepEqual(
      body.bodies.map((one: Answer) => one.forward_payload),
      [
        { '@type': 'first_from_either', value: text },
        { '@type': 'second_from_either', value: { cell_reference: text } },
      ],
    );
  });

  it('parses every parameter of its endpoints, including unused ones', async () => {
    for (const [path, place] of [
      ['/validators/events?stake_holder_address=zz', '"stake_holder_address"'],
      ['/transactions?exclude_account=zz', 'index 0 of "exclude_account"'],
      ['/traces?mc_seqno=zz', '"mc_seqno"'],
    ] as const) {
      assert.deepEqual(await refusal(path), [
        422,
        `failed to decode: schema: error converting value for ${place}`,
      ]);
    }
  });

  it('answers unknown routes like the service', async () => {
    assert.deepEqual(await refusal('/nothing'), [500, 'internal server error: Cannot GET /api/v3/nothing']);
  });
});
