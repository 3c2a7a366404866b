import assert from 'node:assert/strict';
import { parsePort } from '../../../src/cli/parsePort';
import { fitsCoins, secondsProblem } from '../../../src/toolkit/base/numberWidths';
import { namedAccounts } from '../../../src/toolkit/localnet/accounts/namedAccounts';
import { genesisAccounts } from '../../../src/toolkit/localnet/system/systemAccounts';
import { readAmount } from '../../../src/toolkit/payments/readAmount';
import { systemClock } from '../../../src/toolkit/base/time';
import { parseTypedDecision } from '../../../src/toolkit/tonConnect/walletScript';
import { scenario } from '../localnet/support/scenario';
import type { Scenario } from '../localnet/support/scenario';
import { addressOf } from '../localnet/support/testChain';

describe('numbers that have the right form and do not fit', () => {
  it('are told by the width of their field', () => {
    assert.equal(secondsProblem(2 ** 32 - 1), undefined);
    assert.match(secondsProblem(2 ** 32) ?? '', /32 bits/);
    assert.match(secondsProblem(1_795_699_025_170) ?? '', /milliseconds/);
    assert.match(secondsProblem(1.5) ?? '', /Unix seconds/);
    assert.deepEqual(
      [fitsCoins(2n ** 120n - 1n), fitsCoins(2n ** 120n), fitsCoins(-1n)],
      [true, false, false],
    );
    assert.throws(() => parsePort('65536'), { code: 'port-invalid' });
  });

  it('of coins that the wallets of a new network are to have are refused in words', () => {
    const wish = { accounts: namedAccounts, balance: 2n ** 120n };
    assert.throws(() => genesisAccounts(1_800_000_000, wish), { code: 'localnet-accounts-invalid' });
  });

  it('of payments with many decimals are refused in words', () => {
    assert.deepEqual(readAmount('2', 40), {
      problem: "amount does not fit in 120 bits with the asset's 40 decimals",
    });
    assert.ok('units' in readAmount('2', 35));
  });

  it('of seconds until a late answer are no decision: a wait of months would end at once', () => {
    assert.equal(parseTypedDecision('answer-late 2 3601'), undefined);
    assert.equal(parseTypedDecision('answer-late 2 3600')?.verdict.seconds, 3600);
  });

  it('of milliseconds end no wait at once, as Node would', async () => {
    const warnings: string[] = [];
    const onWarning = ({ name }: Error): unknown => warnings.push(name);
    process.on('warning', onWarning);
    const cancel = systemClock.after(2 ** 31, () => assert.fail('at once'));
    await new Promise((resolve) => setImmediate(resolve));
    cancel();
    process.off('warning', onWarning);
    assert.deepEqual(warnings, []);
  });
});

describe('numbers for the local network that do not fit', () => {
  let s: Scenario;
  before(async () => (s = await scenario()));
  after(() => s.server.close());
  const bob = addressOf('bob');
  const refused: [string, object, RegExp][] = [
    ['faucet', { address: bob, amount: `${2n ** 120n}` }, /amount does not fit in 120 bits/],
    ['faucet', { address: bob, amount: `${2n ** 120n - 1n}` }, /would have .* do not fit in 120 bits/],
    ['sendAs', { from: 'alice', to: bob, value: `${2n ** 120n - 1n}` }, /do not fit in 120 bits/],
    ['setAccount', { address: bob, balance: `${2n ** 120n}` }, /balance does not fit/],
    [
      'setAccount',
      { address: bob, extraCurrencies: { 4294967296: '1' } },
      /extraCurrencies.4294967296 does not fit/,
    ],
    [
      'setAccount',
      { address: bob, extraCurrencies: { 7: `${2n ** 248n}` } },
      /extraCurrencies.7 does not fit/,
    ],
    ['mine', { blocks: 1.5 }, /blocks is not a whole number from 1/],
    ['restore', { seqno: 1.5 }, /seqno is not a whole number/],
    ['config', { param: 2 ** 31 }, /param is not a whole number/],
    ['name', { address: bob, name: 'new' }, /name cannot be new/],
  ];
  for (const [command, parameters, words] of refused) {
    it(`${command} ${JSON.stringify(parameters)} is refused in words`, async () => {
      const { status, body } = await s.post<{ error: string }>(`/control/${command}`, parameters);
      assert.equal(status, 422, JSON.stringify(body));
      assert.match(body.error, words);
    });
  }
});
