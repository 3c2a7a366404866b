import assert from 'node:assert/strict';
import { beginCell, Cell, contractAddress } from '@ton/core';
import { loadAnyTransaction } from '../../../src/toolkit/cell/loadFolded';
import { createServer } from '../../../src/toolkit/localnet/server/createServer';
import { foldedTree } from '../../support/hostile';
import type { Scenario } from './support/scenario';
import { scenario } from './support/scenario';
import { addressOf, testChain } from './support/testChain';

const bob = addressOf('bob');
const base64 = (cell: Cell): string => cell.toBoc().toString('base64');

/** A tree of 2^20 equal leaves in 21 cells, as the data of an airdrop has. */
const airdrop = Array.from({ length: 20 }).reduce<Cell>(
  (below) => beginCell().storeRef(below).storeRef(below).endCell(),
  beginCell().storeUint(0, 256).endCell(),
);
/** Accepts everything: SETCP0. */
const code = beginCell().storeUint(0xff00, 16).endCell();

describe('cells of a local network that refer to the same cells again and again', () => {
  let s: Scenario;
  let contract: string;
  let trace: string;
  beforeEach(async () => {
    s = await scenario();
    s.chain.mode = { kind: 'automatic', delay: 1_000_000 };
    const control = async <Body>(name: string, body: unknown): Promise<Body> => {
      const { status, body: answer } = await s.post<Body>(`/control/${name}`, body);
      assert.equal(status, 200, JSON.stringify(answer));
      return answer;
    };
    const body = base64(foldedTree(20));
    assert.ok(Buffer.from(body, 'base64').length < 200);
    ({ trace } = await control<{ trace: string }>('sendAs', {
      from: 'alice',
      to: bob,
      value: '1000000000',
      body,
    }));
    contract = contractAddress(0, { code, data: airdrop }).toRawString();
    await control('deploy', { code: base64(code), data: base64(airdrop), value: '1000000000' });
  });
  afterEach(() => s.server.close());

  it('are in every list as they are', async () => {
    const found = s.chain.ledger.transaction(trace);
    const message = found?.inMessage?.hash ?? '';
    const seqno = s.chain.ledger.last.seqno;
    const lists = [
      `/api/v3/transactions?account=${bob}`,
      `/api/v3/transactions?account=${contract}`,
      `/api/v3/traces?account=${bob}`,
      `/api/v3/traces?account=${contract}&include_actions=true`,
      `/api/v3/events?account=${bob}`,
      `/api/v3/actions?account=${bob}`,
      `/api/v3/messages?msg_hash=${message}`,
      `/api/v3/transactionsByMessage?msg_hash=${message}`,
      `/api/v3/transactionsByMasterchainBlock?seqno=${seqno}`,
      `/api/v3/accountStates?address=${contract}&include_boc=true`,
      `/api/v2/getTransactions?address=${bob}`,
      `/api/v2/getTransactions?address=${contract}`,
      `/api/v2/getAddressInformation?address=${contract}`,
      `/api/v2/getShardAccountCell?address=${contract}`,
    ];
    for (const path of lists) {
      const { status, body } = await s.get<unknown>(path);
      assert.equal(status, 200, `${path}: ${JSON.stringify(body)}`);
    }
    const { body } = await s.get<{ transactions: { in_msg: { message_content: { body: string } } }[] }>(
      `/api/v3/transactions?account=${bob}&limit=1`,
    );
    assert.equal(body.transactions[0]?.in_msg.message_content.body, base64(foldedTree(20)));
  });

  it('can be edited, dumped, loaded and traced', async () => {
    const edited = await s.post('/control/setAccount', { address: contract, balance: '7' });
    assert.equal(edited.status, 200, JSON.stringify(edited.body));
    const dump = await s.server.inject({ method: 'POST', url: '/control/dump' });
    assert.equal(dump.statusCode, 200);
    const other = await createServer(await testChain());
    const loaded = await other.inject({ method: 'POST', url: '/control/load', payload: dump.body });
    assert.equal(loaded.statusCode, 200, loaded.body);
    const state = await other.inject(`/api/v3/accountStates?address=${contract}&include_boc=true`);
    assert.ok(state.body.includes(`"data_hash":"${airdrop.hash().toString('base64')}"`), state.body);
    await other.close();
    const { boc } = s.chain.ledger.transaction(trace) ?? assert.fail();
    assert.equal(
      loadAnyTransaction(Cell.fromBoc(boc)[0] ?? assert.fail()).inMessage?.body.equals(foldedTree(20)),
      true,
    );
  });

  it('cost a wallet that got them as its data its own fields, and no list', async () => {
    const data = base64(foldedTree(20));
    for (const address of [bob, addressOf('carol')]) {
      assert.equal((await s.post('/control/setAccount', { address, data })).status, 200);
    }
    const { status, body } = await s.get<{ wallets: { is_wallet: boolean; seqno?: number }[] }>(
      `/api/v3/walletStates?address=${bob}&address=${addressOf('carol')}&address=${addressOf('alice')}`,
    );
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(
      body.wallets.map((wallet) => wallet.is_wallet),
      [false, false, true],
    );
    for (const path of [
      `/api/v3/walletInformation?address=${bob}`,
      `/api/v2/getWalletInformation?address=${bob}`,
      `/api/v2/getExtendedAddressInformation?address=${bob}`,
      `/api/v3/addressBook?address=${bob}`,
      `/api/v3/accountStates?address=${bob}`,
    ]) {
      assert.ok([200, 409].includes((await s.get(path)).status), path);
    }
  });
});
