import assert from 'node:assert/strict';
import { actionWords } from '../../../src/toolkit/trace/actionWords';
import { modelFrom } from '../../support/modelFrom';
import { TraceContext } from '../../../src/toolkit/trace/traceContext';
import { chain, fakeAccount, syntheticTrace } from './syntheticTrace';

const [alice, pool, token, nameless] = [0, 1, 2, 3].map(fakeAccount);
const key = (account: string | undefined): string => String(account).toLowerCase();
const context = new TraceContext(
  modelFrom(syntheticTrace(3, chain), {
    metadata: new Map([
      [key(token), { token_info: [{ type: 'jetton_masters', symbol: 'tsTON', extra: { decimals: '9' } }] }],
      [key(nameless), { token_info: [{ type: 'jetton_masters', extra: { decimals: '5' } }] }],
    ]),
  }),
  {
    names: new Map([
      [key(alice), 'alice'],
      [key(pool), 'Pool'],
    ]),
  },
);
const words = (type: string, details: Record<string, unknown>): string =>
  actionWords({ type, details }, context).words;

describe('a stake in words', () => {
  const common = { provider: 'tonstakers', stake_holder: alice, pool, asset: token };

  it('is in coins, for tokens of the pool', () => {
    assert.equal(
      words('stake_deposit', { ...common, amount: '1000000000', tokens_minted: '926715333' }),
      'stake 1 TON for 0.926715333 tsTON by alice, pool Pool',
    );
    assert.equal(
      words('stake_withdrawal', { ...common, amount: '990815018', tokens_burnt: '926715333' }),
      'withdraw stake 0.990815018 TON for 0.926715333 tsTON by alice, pool Pool',
    );
  });

  it('that is withdrawn is described by the tokens given for it', () => {
    assert.equal(
      words('stake_withdrawal_request', { ...common, amount: null, tokens_burnt: '926715334' }),
      'ask to withdraw stake 0.926715334 tsTON by alice, pool Pool',
    );
  });

  it('in a pool without a token is in coins alone, with nothing invented', () => {
    const plain = { stake_holder: alice, pool };
    assert.equal(
      words('stake_deposit', { ...plain, amount: '5000000000' }),
      'stake 5 TON by alice, pool Pool',
    );
    assert.equal(
      words('stake_withdrawal_request', plain),
      'ask to withdraw stake an unknown amount by alice, pool Pool',
    );
    assert.equal(
      words('stake_withdrawal', { ...plain, tokens_burnt: '1234' }),
      'withdraw stake 1 234 tokens of the pool by alice, pool Pool',
    );
  });
});

describe('an action without words of its own', () => {
  it('has its amounts in the units of the assets beside them', () => {
    assert.equal(
      words('hold_funds', { sender: alice, amount: '2500000000', asset: token }),
      `hold funds: sender alice, amount 2.5 tsTON, asset ${context.name(key(token))}`,
    );
    assert.equal(
      words('hold_funds', { sender: alice, amount: '2500000000', asset: null }),
      'hold funds: sender alice, amount 2.5 TON',
    );
    assert.match(
      words('supply', { amount_1: '1500000000', asset_1: null, amount_2: '7', asset_2: token }),
      /amount 1 1\.5 TON, amount 2 0\.000000007 tsTON/,
    );
    assert.match(words('auction_outbid', { amount: '3000000000' }), /amount 3 TON/);
  });

  it('has no unit if nothing says it', () => {
    assert.match(words('stake', { amount: '1500', staking_jetton: token }), /amount 1 500 units/);
    assert.match(words('stake', { lp_amount: '1500' }), /lp amount 1 500 units/);
  });

  it('loses nothing: nested parts, many parts, and numbers that are not amounts', () => {
    assert.equal(
      words('order', { id: 7, transfer: { amount: '1000000000', asset: null, to: alice }, done: true }),
      'order: id 7, transfer amount 1 TON, transfer to alice, done',
    );
    const many = Object.fromEntries(Array.from({ length: 15 }, (_, index) => [`part_${index}`, index]));
    assert.match(words('many', many), /part 11 11, and 3 more$/);
  });
});

describe('a jetton without a symbol', () => {
  it('is named after its master, with its decimals', () => {
    assert.equal(
      words('jetton_mint', { asset: nameless, amount: '1', receiver: alice }),
      `jetton mint 0.00001 jettons of ${context.name(key(nameless))} to alice`,
    );
    assert.equal(context.jetton(key(nameless)).unnamed, true);
  });
});
