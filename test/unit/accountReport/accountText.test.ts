import assert from 'node:assert/strict';
import type { ContractDescription } from '../../../src/toolkit/contracts/abi/contractDescription';
import { createAccess } from '../../../src/toolkit/access/createAccess';
import type { Access } from '../../../src/toolkit/access/createAccess';
import { readAccountSection } from '../../../src/toolkit/accountReport/accountSections';
import { accountText } from '../../../src/toolkit/accountReport/accountText';
import { contractText } from '../../../src/toolkit/accountReport/contractFacts';
import { readAccountReport } from '../../../src/toolkit/accountReport/readAccountReport';

const raw = `0:${'a1'.repeat(32)}`;
const other = `0:${'b2'.repeat(32)}`;
const call = { signal: undefined, priority: 'user' } as const;
const options = { name: () => undefined, methodName: () => undefined, coin: 'TON' };

/** A service that answers these paths; anything else is an error of its own. */
function serving(answers: Record<string, unknown>, network: { v3?: undefined } = {}): Access {
  return createAccess({
    network: {
      name: 'N',
      kind: 'custom',
      v2: 'http://n/api/v2',
      v3: 'http://n/api/v3',
      globalId: -239,
      ...network,
    },
    transport: ({ url }) => {
      const path = new URL(url).pathname.replace('/api/', '');
      const query = new URL(url).searchParams;
      const answer = [`${path}?${[...query.keys()].join('&')}`, path]
        .map((key) => answers[key])
        .find((one) => one !== undefined);
      return Promise.resolve({
        status: answer === undefined ? 422 : 200,
        header: () => undefined,
        body: Buffer.from(JSON.stringify(answer ?? { error: 'no such thing here' })),
      });
    },
  });
}

const textOf = async (answers: Record<string, unknown>): Promise<string> =>
  accountText(await readAccountReport(serving(answers), raw, call), options).text;

const state = { address: raw, balance: '1500000000', status: 'active' };
const plain = { 'v3/accountStates': { accounts: [state] }, 'v3/jetton/wallets': { jetton_wallets: [] } };

describe('the report of an account', () => {
  it('shows the kind of wallet, its seqno, and its id', async () => {
    const wallet = { address: raw, is_wallet: true, wallet_type: 'wallet v5 r1', seqno: 0, wallet_id: -7 };
    const text = await textOf({ ...plain, 'v3/walletStates': { wallets: [wallet] } });
    assert.match(text, /^ {2}wallet +wallet v5 r1, seqno 0, id -7$/m);
    const locked = { ...wallet, is_signature_allowed: false };
    assert.match(
      await textOf({ ...plain, 'v3/walletStates': { wallets: [locked] } }),
      /id -7, signatures are not allowed$/m,
    );
  });

  it('says below its title what a contract is, and where its source was chosen by the user', async () => {
    const known: ContractDescription = {
      ...{ name: 'Vault', nameOrigin: 'your choice', isChosen: true, file: 'contracts/vault.tolk' },
      ...{
        nameOfCode: 'Counter, contracts/counter.tolk',
        interfaces: [],
        standards: [],
        methods: [],
        hasOnlyMethods: false,
      },
      ...{ errors: new Map(), messages: new Map() },
    };
    const contract = contractText({ description: known, storage: undefined, getters: [] }, options);
    const facts = await readAccountReport(serving(plain), raw, call);
    const { text, choiceLine } = accountText(facts, { ...options, contract, traces: [] });
    const lines = text.split('\n');
    assert.equal(lines[1], 'contract · Vault (contracts/vault.tolk)');
    assert.equal(lines[choiceLine ?? 0], '  Vault, by your choice');
    assert.equal(lines[(choiceLine ?? 0) + 1], '  Its code is that of Counter, contracts/counter.tolk.');
    assert.match(text, /^newest traces\n {2}It has none yet\.$/m);
    const { file: _, isChosen: __, ...others } = known;
    const wallet = { ...others, name: 'wallet v5 r1' };
    const { kind, choice } = contractText({ description: wallet, storage: undefined, getters: [] }, options);
    assert.deepEqual([kind, choice], ['wallet v5 r1', undefined]);
  });

  it('shows missing facts as unknown; a part that fails does not affect the others', async () => {
    const text = await textOf({
      'v3/accountStates': { accounts: [{ address: raw }] },
      'v3/walletStates': { wallets: [{ address: raw, is_wallet: true }] },
      'v3/jetton/wallets': { jetton_wallets: [{ address: other }] },
    });
    assert.match(text, /unknown on N$/m);
    assert.match(text, /^ {2}balance +unknown$/m);
    assert.match(text, /^ {2}wallet +type unknown, seqno unknown, id unknown$/m);
    assert.match(text, /^jettons\n {2}jetton +unknown +unknown$/m);

    const alone = await textOf({ 'v3/accountStates': { accounts: [state] } });
    assert.match(alone, /^ {2}balance +1\.5 TON/m);
    assert.match(alone, /^ {2}wallet +could not be read: /m);
    assert.match(alone, /^jettons\n {2}could not be read: /m);
  });

  it('says when there are more jettons than shown, and when there are none', async () => {
    const rows = (count: number): unknown => ({
      jetton_wallets: Array.from({ length: count }, () => ({
        address: other,
        jetton: other,
        owner: raw,
        balance: '5',
      })),
    });
    const cut = await textOf({ ...plain, 'v3/jetton/wallets': rows(51) });
    assert.equal(cut.match(/^ {2}jetton /gm)?.length, 50);
    assert.match(cut, /and more; only the first 50 are shown$/m);
    assert.doesNotMatch(await textOf({ ...plain, 'v3/jetton/wallets': rows(50) }), /and more/);
    assert.match(await textOf(plain), /^jettons\n {2}It holds no jettons\.$/m);
  });

  it('distinguishes a deleted account from an unknown one', async () => {
    const gone = { ...plain, 'v3/accountStates': { accounts: [] } };
    const hash = Buffer.alloc(32).toString('base64');
    const last = (end: string): unknown => ({
      transactions: [
        {
          account: raw,
          hash,
          lt: '1',
          now: 1,
          end_status: end,
          description: { type: 'ord' },
          out_msgs: [],
          total_fees: '0',
          block_ref: { workchain: 0, shard: '8000000000000000', seqno: 1 },
          account_state_before: { hash },
          account_state_after: { hash },
        },
      ],
    });
    const deleted = await textOf({ ...gone, 'v3/transactions': last('nonexist') });
    assert.match(deleted, /, deleted on N$/m);
    assert.match(deleted, /^ {2}state +does not exist \(deleted: /m);
    assert.match(
      await textOf({ ...gone, 'v3/transactions': { transactions: [] } }),
      /, does not exist on N$/m,
    );
    assert.match(await textOf(gone), /nothing was ever sent to it, or it was deleted/);
  });

  it('reads NFTs, names, vesting, and multisig on demand', async () => {
    const access = serving({
      'v3/nft/items': {
        nft_items: [
          { address: other, content: { domain: 'me.ton' }, on_sale: true },
          { address: raw, init: false },
        ],
        metadata: {},
      },
      'v3/dns/records': {
        records: [{ domain: 'me.ton', nft_item_owner: raw, nft_item_address: other }, {}],
      },
      'v3/vesting?wallet_address&limit': {
        vesting_contracts: [
          {
            address: other,
            owner_address: raw,
            total_amount: '3000000000',
            total_duration: 864_000,
            start_time: 0,
            cliff_duration: 90,
          },
        ],
      },
      'v3/vesting': { vesting_contracts: null },
      'v3/multisig/wallets?address&include_orders': {
        multisigs: [
          {
            address: raw,
            threshold: 2,
            signers: [other],
            next_order_seqno: '4',
            orders: [{ address: other, order_seqno: '3', approvals_num: 1, expiration_date: 0 }],
          },
        ],
      },
      'v3/multisig/wallets': { multisigs: [{ address: other, proposers: [raw] }] },
    });
    const nfts = await readAccountSection(access, raw, 'nfts', call);
    assert.match(nfts[0] ?? '', new RegExp(`^me\\.ton +no collection +${other} +on sale$`));
    assert.match(nfts[1] ?? '', /^no name .* not initialized$/);
    const names = await readAccountSection(access, raw, 'names', call);
    assert.match(names[0] ?? '', new RegExp(`^me\\.ton +its own +${other}$`));
    assert.match(names[1] ?? '', /^unknown +owner unknown +unknown$/);
    const vesting = (await readAccountSection(access, raw, 'vesting', call)).join('\n');
    assert.match(vesting, new RegExp(`^owner of ${other}$`, 'm'));
    assert.match(vesting, /amount +3$/m);
    assert.match(vesting, /lasts +10 days$/m);
    assert.match(vesting, /cliff +90 seconds$/m);
    assert.match(vesting, /unlocked every +unknown$/m);
    const multisig = (await readAccountSection(access, raw, 'multisig', call)).join('\n');
    assert.match(multisig, /^It is a multisig: 2 of 1 signer\.$/m);
    assert.match(multisig, /order 3 +1 of 2 approvals, state unknown/);
    assert.match(
      multisig,
      new RegExp(`^proposes in ${other} {2}\\(unknown of an unknown number of signers\\)$`, 'm'),
    );
  });

  it('says if a section is empty, has more rows than shown, or cannot be read', async () => {
    const many = Array.from({ length: 101 }, () => ({ domain: 'a.ton' }));
    const access = serving({
      'v3/dns/records': { records: many },
      'v3/nft/items': { nft_items: null },
    });
    const names = await readAccountSection(access, raw, 'names', call);
    assert.equal(names.length, 101);
    assert.equal(names.at(-1), 'and more; only the first 100 are shown');
    assert.deepEqual(await readAccountSection(access, raw, 'nfts', call), ['It owns no NFTs.']);
    assert.match((await readAccountSection(access, raw, 'vesting', call))[0] ?? '', /^could not be read: /);
  });

  it('returns the line of each section that was not loaded', async () => {
    const facts = await readAccountReport(serving(plain), raw, call);
    const { text, unread } = accountText(facts, { ...options, sections: { nfts: ['It owns no NFTs.'] } });
    const lines = text.split('\n');
    assert.deepEqual(
      unread.map(({ section, line }) => [section, lines[line], lines[line + 1]]),
      [
        ['storageFees', 'storage fees', '  not loaded yet'],
        ['names', 'DNS names that resolve to it', '  not loaded yet'],
        ['vesting', 'vesting', '  not loaded yet'],
        ['multisig', 'multisig', '  not loaded yet'],
      ],
    );
    assert.match(text, /^NFTs\n {2}It owns no NFTs\.$/m);
  });

  it("escapes a token's own name", async () => {
    const access = serving({
      'v3/nft/items': { nft_items: [{ address: other, content: { name: 'a\u202eb\nc' } }] },
    });
    const [line = ''] = await readAccountSection(access, raw, 'nfts', call);
    assert.doesNotMatch(line, /[\u202e\n]/);
  });
});
