import assert from 'node:assert/strict';
import { createAccess } from '../../../src/toolkit/access/createAccess';
import type { Access } from '../../../src/toolkit/access/createAccess';
import { accountJson } from '../../../src/toolkit/accountReport/accountJson';
import { accountSectionIds, readAccountSection } from '../../../src/toolkit/accountReport/accountSections';
import { accountText } from '../../../src/toolkit/accountReport/accountText';
import { readAccountReport } from '../../../src/toolkit/accountReport/readAccountReport';
import { WorkbenchError } from '../../../src/toolkit/base/errors';
import { knownMethodName } from '../../../src/toolkit/getMethods/knownMethodName';
import { brokenLines, isAllowed, oddFields } from '../../support/oddFields';

const raw = `0:${'A1'.repeat(32)}`;
const lower = raw.toLowerCase();
const other = `0:${'B2'.repeat(32)}`;
const hash = Buffer.alloc(32, 7).toString('base64');
const boc = 'te6cckEBAQEAAgAAAEysuc0=';
const call = { signal: undefined, priority: 'user' } as const;

const books = {
  address_book: {
    [raw]: { user_friendly: 'EQChoaGh', domain: 'me.ton', interfaces: ['wallet_v5r1'] },
    [other]: { user_friendly: 'EQCysrKy', domain: null, interfaces: [] },
  },
  metadata: {
    [other]: {
      is_indexed: true,
      token_info: [
        { type: 'jetton_masters', name: 'Dollar', symbol: 'USD', is_scam: true, extra: { decimals: '6' } },
      ],
    },
  },
};
const order = {
  address: other,
  multisig_address: raw,
  order_seqno: '3',
  threshold: 2,
  sent_for_execution: false,
  approvals_num: 1,
  expiration_date: 1_754_154_889,
  signers: [other],
  actions: [{ parsed: true, destination: other, value: '5' }],
};

/** A service's answers about an account that has something of everything, with every field that is read. */
const answers: Readonly<Record<string, unknown>> = {
  accountStates: {
    accounts: [
      {
        address: raw,
        account_state_hash: hash,
        balance: '1500000000',
        extra_currencies: { '100': '5' },
        status: 'active',
        last_transaction_hash: hash,
        last_transaction_lt: '47670702000001',
        data_hash: hash,
        code_hash: hash,
        data_boc: boc,
        code_boc: boc,
        contract_methods: [85_143, 12],
        interfaces: ['wallet_v5r1'],
      },
    ],
    ...books,
  },
  walletStates: {
    wallets: [
      {
        address: raw,
        is_wallet: true,
        wallet_type: 'wallet v5 r1',
        seqno: 3,
        wallet_id: -7,
        balance: '1500000000',
        is_signature_allowed: false,
        status: 'active',
        code_hash: hash,
      },
    ],
    ...books,
  },
  'jetton/wallets': {
    jetton_wallets: [{ address: other, balance: '5000000', owner: raw, jetton: other, code_hash: hash }],
    ...books,
  },
  transactions: { transactions: [{ account: raw, hash, lt: '1', end_status: 'nonexist' }], ...books },
  'nft/items': {
    nft_items: [
      {
        address: other,
        init: false,
        index: '12',
        collection_address: other,
        owner_address: raw,
        content: { domain: 'me.ton', name: 'Me' },
        collection: { address: other, owner_address: other, next_item_index: '13' },
        on_sale: true,
        sale_contract_address: other,
        real_owner: raw,
      },
    ],
    ...books,
  },
  'dns/records': {
    records: [{ nft_item_address: other, nft_item_owner: other, domain: 'me.ton', dns_wallet: raw }],
    ...books,
  },
  vesting: {
    vesting_contracts: [
      {
        address: other,
        owner_address: raw,
        sender_address: other,
        start_time: 1_754_154_889,
        total_duration: 864_000,
        unlock_period: 86_400,
        cliff_duration: 90,
        total_amount: '3000000000',
        whitelist: [other],
      },
    ],
    ...books,
  },
  'multisig/wallets': {
    multisigs: [
      {
        address: raw,
        next_order_seqno: '4',
        threshold: 2,
        signers: [other],
        proposers: [raw],
        orders: [order],
      },
      { address: other, next_order_seqno: '4', threshold: 1, signers: [raw], proposers: [raw], orders: [] },
    ],
    ...books,
  },
};

/** A service with these answers, except at some paths. */
function serving(changed: Readonly<Record<string, unknown>>): Access {
  return createAccess({
    network: { name: 'N', kind: 'custom', v2: undefined, v3: 'http://n/api/v3', globalId: -239 },
    transport: ({ url }) => {
      const path = new URL(url).pathname.replace('/api/v3/', '');
      const body = Buffer.from(JSON.stringify({ ...answers, ...changed }[path]));
      return Promise.resolve({ status: 200, header: () => undefined, body });
    },
  });
}

/** Everything shown about the account: its page in the editor, the command line's output, and the JSON. */
async function screens(access: Access): Promise<string[]> {
  const facts = await readAccountReport(access, raw, call);
  const sections = Object.fromEntries(
    await Promise.all(
      // Storage fees are read over v2.
      accountSectionIds
        .filter((id) => id !== 'storageFees')
        .map(async (id) => [id, await readAccountSection(access, lower, id, call)] as const),
    ),
  );
  const options = { name: () => undefined, methodName: knownMethodName, coin: 'TON', sections };
  return [
    accountText(facts, options).text,
    accountText(facts, { ...options, isBrief: true }).text,
    JSON.stringify(accountJson(facts, knownMethodName)),
  ];
}

describe('answers about an account with a missing or odd field', () => {
  it('show every part of a complete answer', async () => {
    const [text = ''] = await screens(serving({}));
    assert.doesNotMatch(text, /unknown|could not be read/);
    assert.match(text, /1\.5 TON.*\n(?:.*\n)*.*wallet v5 r1, seqno 3, id -7, signatures are not allowed/);
    assert.match(text, /USD \(scam\) +5 /);
    assert.match(text, /order 3 +1 of 2 approvals/);
  });

  for (const [path, answer] of Object.entries(answers)) {
    it(`${path}: each field in turn`, async () => {
      // The transactions are requested only if the account does not exist.
      const others = path === 'transactions' ? { accountStates: { accounts: [], ...books } } : {};
      let count = 0;
      for (const odd of oddFields(answer)) {
        const what = `${odd.kind} ${odd.change}`;
        const texts = await screens(serving({ ...others, [path]: odd.answer })).catch((error: unknown) => {
          assert.ok(WorkbenchError.is(error) && !isAllowed(odd), `${what}: ${String(error)}`);
          return [];
        });
        assert.deepEqual(brokenLines(texts), [], what);
        if (isAllowed(odd)) {
          assert.doesNotMatch(texts.join('\n'), /could not be read/, what);
        }
        count += 1;
      }
      assert.ok(count > 20, `${count} changes`);
    });
  }
});
