import assert from 'node:assert/strict';
import { JettonWallet } from '@ton-community/assets-sdk/dist/jetton/JettonWallet';
import { beginCell } from '@ton/core';
import type { Localnet } from '../../src/toolkit/localnet/localnet';
import type { BusyNetwork } from './support/busyNetwork';
import { fillNetwork, startManualNetwork } from './support/busyNetwork';

type Row = Record<string, unknown>;

describe('contracts that the local network recognizes by their own get-methods', () => {
  let network: Localnet | undefined;
  let busy: BusyNetwork;
  before(async () => {
    network = await startManualNetwork();
    busy = await fillNetwork(network);
  });
  after(() => network?.close());

  const v3 = async (path: string): Promise<Record<string, Row[]>> => {
    const { status, body } = await busy.call('GET', `/api/v3${path}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body as Record<string, Row[]>;
  };
  const only = (rows: Row[] | undefined): Row => {
    assert.equal(rows?.length, 1);
    return rows?.[0] as Row;
  };
  const interfacesOf = async (address: string): Promise<unknown> => {
    const { body } = await busy.call('GET', `/api/v3/addressBook?address=${address}`);
    return (body as Record<string, Row>)[address]?.['interfaces'];
  };

  it('an NFT on sale, by its seller', async () => {
    const owned = await v3(
      `/nft/items?owner_address=${busy.alice}&collection_address=${busy.collection}&index=1`,
    );
    assert.deepEqual(owned['nft_items'], []);
    const item = only(
      (
        await v3(
          `/nft/items?owner_address=${busy.alice}&collection_address=${busy.collection}&index=1&include_on_sale=true`,
        )
      )['nft_items'],
    );
    assert.deepEqual(
      [
        item['on_sale'],
        item['sale_contract_address'],
        item['real_owner'],
        item['owner_address'],
        item['index'],
      ],
      [true, busy.sale, busy.alice, busy.sale, '1'],
    );
    const sale = only((await v3(`/nft/sales?address=${busy.sale}&address=${busy.alice}`))['nft_sales']);
    assert.deepEqual(
      [sale['nft_address'], sale['nft_owner_address'], (sale['details'] as Row)['full_price']],
      [item['address'], busy.alice, '5000000000'],
    );
    const free = only((await v3(`/nft/items?address=${busy.item}`))['nft_items']);
    assert.equal(free['on_sale'], false);
  });

  it('a multisig, its orders, and their effects', async () => {
    for (const key of [
      `address=${busy.multisig}`,
      `wallet_address=${busy.alice}`,
      `wallet_address=${busy.bob}`,
    ]) {
      const wallet = only((await v3(`/multisig/wallets?${key}`))['multisigs']);
      assert.deepEqual(
        [wallet['address'], wallet['signers'], wallet['proposers'], wallet['threshold']],
        [busy.multisig, [busy.alice], [busy.bob], 1],
        key,
      );
      assert.equal(only(wallet['orders'] as Row[])['address'], busy.order);
    }
    assert.deepEqual((await v3(`/multisig/wallets?wallet_address=${busy.carol}`))['multisigs'], []);
    const order = only(
      (await v3(`/multisig/orders?multisig_address=${busy.multisig}&parse_actions=true`))['orders'],
    );
    assert.deepEqual([order['approvals_mask'], order['signers']], ['1', [busy.alice, busy.bob]]);
    const [message, change] = order['actions'] as Row[];
    assert.deepEqual(
      [message?.['destination'], message?.['value'], message?.['parsed_body_type'], message?.['send_mode']],
      [busy.bob, '1000000000', 'text_comment', 3],
    );
    assert.equal(change?.['parsed'], false);
  });

  it('a vesting wallet, by its participants', async () => {
    for (const key of [`contract_address=${busy.vesting}`, `wallet_address=${busy.bob}`]) {
      const row = only((await v3(`/vesting?${key}`))['vesting_contracts']);
      assert.deepEqual(
        [row['address'], row['owner_address'], row['total_amount'], row['whitelist']],
        [busy.vesting, busy.bob, '100000000000', [busy.carol]],
      );
    }
    assert.deepEqual((await v3(`/vesting?wallet_address=${busy.carol}`))['vesting_contracts'], []);
    only((await v3(`/vesting?wallet_address=${busy.carol}&check_whitelist=true`))['vesting_contracts']);
  });

  it('a domain: its records in both APIs, and the name of the wallet it points to', async () => {
    const record = only((await v3('/dns/records?domain=example.ton'))['records']);
    assert.deepEqual([record['dns_wallet'], record['nft_item_address']], [busy.bob, busy.domain]);
    const { body } = await busy.call('GET', `/api/v3/addressBook?address=${busy.bob}&address=${busy.alice}`);
    const book = body as Record<string, Row>;
    assert.deepEqual([book[busy.bob]?.['domain'], book[busy.alice]?.['domain']], ['example.ton', null]);
    const answer = await busy.call('GET', `/api/v2/dnsResolve?name=.&address=${busy.domain}`);
    const { entries } = (answer.body as { result: { entries: { entry: Row }[] } }).result;
    assert.deepEqual(entries.map(({ entry }) => entry['@type']).sort(), [
      'dns.entryDataAdnlAddress',
      'dns.entryDataNextResolver',
      'dns.entryDataSmcAddress',
      'dns.entryDataStorageAddress',
    ]);
  });

  it('a jetton wallet whose code is in a library, once the network has that library', async () => {
    const reference = beginCell()
      .storeUint(2, 8)
      .storeBuffer(JettonWallet.code.hash())
      .endCell({ exotic: true });
    const code = reference.toBoc().toString('base64');
    await busy.control('setAccount', { address: busy.bobJettons, code });
    assert.deepEqual(await interfacesOf(busy.bobJettons), []);
    await busy.control('library', { boc: JettonWallet.code.toBoc().toString('base64') });
    assert.deepEqual(await interfacesOf(busy.bobJettons), ['jetton_wallet']);
    const { jetton_wallets: wallets } = await v3(`/jetton/wallets?owner_address=${busy.bob}`);
    assert.equal(only(wallets)['balance'], '410');
    const { accounts } = await v3(`/accountStates?address=${busy.bobJettons}`);
    assert.ok((only(accounts)['contract_methods'] as number[]).includes(97026));
  });
});
