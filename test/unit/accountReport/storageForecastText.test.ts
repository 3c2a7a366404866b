import assert from 'node:assert/strict';
import { beginCell, Cell } from '@ton/core';
import { createAccess } from '../../../src/toolkit/access/createAccess';
import type { Access } from '../../../src/toolkit/access/createAccess';
import { readAccountSection } from '../../../src/toolkit/accountReport/accountSections';
import { accountText } from '../../../src/toolkit/accountReport/accountText';
import { forecastStorage } from '../../../src/toolkit/accountReport/storageForecast';
import {
  storageForecastText,
  storageForecastTitle,
} from '../../../src/toolkit/accountReport/storageForecastText';
import { readStorageRules } from '../../../src/toolkit/accountReport/storageRules';
import type { StorageRules } from '../../../src/toolkit/accountReport/storageRules';
import type { StorageState } from '../../../src/toolkit/accountReport/storageState';
import { WorkbenchError } from '../../../src/toolkit/base/errors';
import { defaultNetworkConfig } from '../../../src/toolkit/execution/emulator/networkConfig';

const raw = `0:${'a1'.repeat(32)}`;
const now = 1_800_000_000;

/** A nanocoin for a cell and a second. */
const rules: StorageRules = {
  prices: [{ since: 0, bit: 0n, cell: 65_536n }],
  ...{ freezeDueLimit: 1_000n, deleteDueLimit: 5_000n, specialAccounts: new Set(), version: 12 },
};

const state: StorageState = {
  ...{ address: raw, status: 'active', balance: 100n, hasExtraCurrencies: false, due: 0n, lastPaid: now },
  used: { cells: 10n, bits: 2_000n },
  whenFrozen: { status: 'frozen', used: { cells: 1n, bits: 327n } },
};

function textOf(change: Partial<StorageState>, later = 0, changedRules: Partial<StorageRules> = {}): string {
  const forecast = forecastStorage({ ...rules, ...changedRules }, { ...state, ...change }, now + later, []);
  return storageForecastText(forecast, 'TON').join('\n');
}

describe('the text of a forecast of storage fees', () => {
  it('has the moments of an account that is still active', () => {
    assert.equal(
      textOf({}),
      [
        'charged until  2027-01-15 08:00:00 UTC',
        'owes           0 TON, its balance covers that',
        'a year costs   0.31536 TON  (10 cells, 2 000 bits)',
        'balance lasts  until 2027-01-15 08:00:11 UTC',
        'is frozen      from 2027-01-15 08:01:51 UTC, with a debt of more than 0.000001 TON',
        'is deleted     from 2027-01-15 09:08:22 UTC, with a debt of more than 0.000005 TON; from 2027-01-15 08:08:31 UTC at the earliest, if frozen later',
        'Only a transaction does that. The coins of a bounceable message come too late to prevent it.',
      ].join('\n'),
    );
  });

  it('says above a source how long it lives', () => {
    const title = (change: Partial<StorageState>, later = 0): string | undefined =>
      storageForecastTitle(forecastStorage(rules, { ...state, ...change }, now + later, []));
    assert.equal(title({ balance: 864_000n * 9n }), "lives until 2027-01-24 at today's prices");
    assert.equal(title({ balance: 10n ** 18n }), "lives until 2106 or longer at today's prices");
    assert.equal(title({}, 200), 'its next transaction freezes it');
    const frozen = { status: 'frozen', balance: 0n, whenFrozen: undefined } as const;
    assert.equal(title(frozen), "frozen; can be deleted from 2027-01-15 at today's prices");
    assert.equal(title(frozen, 900_000), 'frozen; its next transaction deletes it');
    assert.equal(title({ status: 'uninit' }), undefined);
  });

  it('says what its next transaction does', () => {
    const text = textOf({}, 200);
    assert.match(text, /^owes +0\.000002 TON, 0\.0000019 TON more than its balance$/m);
    assert.match(text, /^balance lasts +no longer, since 2027-01-15 08:00:11 UTC$/m);
    assert.match(text, /^is frozen +by its next transaction, /m);
    const own = textOf({ whenFrozen: { status: 'uninit', used: { cells: 1n, bits: 71n } } });
    assert.match(own, /^is deleted +by the transaction after that one$/m);
  });

  it('says what is true of accounts that are not active', () => {
    const frozen = textOf({ status: 'frozen', due: 4_990n, balance: 0n, whenFrozen: undefined });
    assert.doesNotMatch(frozen, /is frozen/);
    assert.match(
      frozen,
      /^is deleted +from 2027-01-15 08:00:02 UTC, with a debt of more than 0\.000005 TON$/m,
    );
    const uninit = textOf({ status: 'uninit', balance: 100n, whenFrozen: undefined });
    assert.match(uninit, /^is deleted +from 2027-01-15 08:00:10 UTC, without a balance$/m);
    const kept = textOf({ status: 'uninit', hasExtraCurrencies: true, whenFrozen: undefined });
    assert.match(kept, /^is deleted +not before 2106, when block times end$/m);
    assert.match(textOf({ lastPaid: 0 }), /^charged until +its next transaction begins to count$/m);
    const special = textOf({}, 0, { specialAccounts: new Set([raw]) });
    assert.equal(
      special,
      "It is one of the masterchain's special accounts: it pays nothing, and is never frozen.",
    );
    assert.deepEqual(storageForecastText(undefined, 'TON'), []);
  });

  it('adds its doubts', () => {
    const forecast = forecastStorage(rules, state, now, ['The debt is unknown.']);
    assert.equal(storageForecastText(forecast, 'TON').at(-1), 'The debt is unknown.');
  });
});

describe('the rules of storage fees', () => {
  it('are those of the workchain', () => {
    const [base, master] = [0, -1].map((workchain) => readStorageRules(defaultNetworkConfig(), workchain));
    assert.deepEqual(base?.prices.at(-1), { since: 1_777_500_000, bit: 0n, cell: 135n });
    assert.deepEqual(base?.prices[0], { since: 0, bit: 1n, cell: 500n });
    assert.deepEqual(master?.prices[0], { since: 0, bit: 1000n, cell: 500_000n });
    assert.equal(base?.freezeDueLimit, 100_000_000n);
    assert.equal(base?.deleteDueLimit, 1_000_000_000n);
  });

  it('are unknown if the configuration lacks them, or has them in another form', () => {
    const config = defaultNetworkConfig();
    for (const [id, cell] of [
      [18, undefined],
      [18, Cell.EMPTY],
      [21, beginCell().storeUint(0xff, 8).endCell()],
      [31, Cell.EMPTY],
    ] as const) {
      const parameters = new Map(config.parameters);
      parameters.delete(id);
      if (cell !== undefined) {
        parameters.set(id, cell);
      }
      assert.throws(
        () => readStorageRules({ ...config, parameters }, 0),
        (error) => WorkbenchError.is(error, 'config-unreadable') && error.message.includes(`${id}`),
      );
    }
  });
});

describe('the section of storage fees', () => {
  const call = { signal: undefined, priority: 'user' } as const;
  const hash = Buffer.alloc(32, 9).toString('base64');
  const id = { workchain: -1, shard: '-9223372036854775808', seqno: 70, root_hash: hash, file_hash: hash };
  const block = {
    'v3/masterchainInfo': { last: { seqno: 70, gen_utime: now, end_lt: '9', root_hash: hash } },
    'v2/getMasterchainInfo': { last: id, state_root_hash: hash, init: { ...id, seqno: 0 } },
  };
  /** A service that has no cells of accounts, only their parts. */
  const parts = {
    'v2/getAddressInformation': {
      ...{ balance: '7', code: '', data: '', frozen_hash: '', state: 'uninitialized' },
      last_transaction_id: { lt: '0', hash },
      sync_utime: now,
    },
    'v3/addressInformation': { balance: '7', status: 'uninitialized', last_transaction_lt: '0' },
  };
  const serving = (answers: Record<string, unknown>, apis: { v2?: undefined } = {}): Access =>
    createAccess({
      network: {
        ...{ name: 'N', kind: 'custom', v2: 'http://n/api/v2', v3: 'http://n/api/v3', globalId: -239 },
        ...apis,
      },
      transport: ({ url }) => {
        const answer = answers[new URL(url).pathname.replace('/api/', '')];
        const body = url.includes('/v2/') ? { ok: answer !== undefined, result: answer, code: 404 } : answer;
        return Promise.resolve({
          status: answer === undefined ? 404 : 200,
          header: () => undefined,
          body: Buffer.from(JSON.stringify(body ?? { error: 'Not Found' })),
        });
      },
    });

  it('says that a debt is unknown if the service has no cells of accounts', async () => {
    const config = { '@type': 'configInfo', config: { bytes: defaultNetworkConfig().base64 } };
    const access = serving({ ...block, ...parts, 'v2/getConfigAll': config });
    const text = (await readAccountSection(access, raw, 'storageFees', call, 'GRAM')).join('\n');
    assert.match(text, /^owes +0(\.\d+)? GRAM/m);
    assert.match(text, /a debt is unknown, and taken to be none\.$/);
  });

  it('says that prices are unknown if the service has no configuration', async () => {
    for (const access of [
      serving({ ...block, ...parts }),
      serving({ ...block, ...parts }, { v2: undefined }),
    ]) {
      const [line = ''] = await readAccountSection(access, raw, 'storageFees', call);
      assert.match(line, /^could not be read: N does not return its configuration/);
    }
  });

  it('is there without API v3, too', () => {
    const facts = {
      ...{ network: 'N', raw, friendly: 'x', balance: 7n, state: 'active', isDeleted: false },
      ...{ interfaces: [], methodIds: [], wallet: undefined, jettons: undefined },
    };
    const { unread } = accountText(facts, {
      name: () => undefined,
      methodName: () => undefined,
      coin: 'TON',
    });
    assert.deepEqual(
      unread.map(({ section }) => section),
      ['storageFees'],
    );
  });
});
