import * as z from 'zod';
import { addressValue, bigNumber, hashValue } from '../../api/wire';
import { v3Get } from '../endpoint';
import { address, choice, integer, required, time } from '../parameter';
import { books } from '../../api/v3Objects';

/** Nominator pools. Only the hosted service has these; amounts are nanocoins, times Unix seconds. */
const category = 'Staking';

const limit = integer('How many rows at most.', { minimum: 1, maximum: 1000, default: 100 });
const period = {
  start_utime: time('From this time on, Unix seconds.'),
  end_utime: time('Up to this time, Unix seconds.'),
};
const pool = address('The nominator pool.');
const periodFields = { start_utime: z.nullish(z.number()), end_utime: z.nullish(z.number()), ...books };

const event = {
  type: z.nullish(z.string()),
  utime: z.nullish(z.number()),
  tx_hash: z.nullish(hashValue),
  tx_lt: z.nullish(bigNumber),
  pool_address: z.nullish(addressValue),
  amount: z.nullish(bigNumber),
  balance_before: z.nullish(bigNumber),
  balance_after: z.nullish(bigNumber),
  balance_delta: z.nullish(bigNumber),
};

const nominatorEvent = z.looseObject({
  ...event,
  nominator_address: z.nullish(addressValue),
  pending_balance_before: z.nullish(bigNumber),
  pending_balance_after: z.nullish(bigNumber),
  pending_balance_delta: z.nullish(bigNumber),
  withdraw_request_before: z.nullish(z.boolean()),
  withdraw_request_after: z.nullish(z.boolean()),
});

const validatorEvent = z.looseObject({
  ...event,
  validator_address: z.nullish(addressValue),
  /** Of 10,000. */
  validator_reward_share: z.nullish(z.number()),
  /** Unix seconds. */
  cycle_start: z.nullish(z.number()),
  query_id: z.nullish(bigNumber),
});

const reward = {
  utime: z.nullish(z.number()),
  tx_hash: z.nullish(hashValue),
  tx_lt: z.nullish(bigNumber),
  reward: z.nullish(bigNumber),
};

const poolInformation = z.looseObject({
  state: z.nullish(z.number()),
  nominators_count: z.nullish(z.number()),
  max_nominators_count: z.nullish(z.number()),
  stake_amount_sent: z.nullish(bigNumber),
  validator_amount: z.nullish(bigNumber),
  validator_address: z.nullish(addressValue),
  /** Of 10,000. */
  validator_reward_share: z.nullish(z.number()),
  min_validator_stake: z.nullish(bigNumber),
  min_nominator_stake: z.nullish(bigNumber),
  active_nominators: z.nullish(
    z.array(
      z.looseObject({
        address: addressValue,
        balance: z.nullish(bigNumber),
        pending_balance: z.nullish(bigNumber),
      }),
    ),
  ),
  ...books,
});

export const staking = {
  stakingNominatorPoolsPool: v3Get({
    path: '/staking/nominatorPools/pool',
    category,
    purpose: 'State and nominators of a nominator pool.',
    parameters: { pool: required(pool) },
    result: poolInformation,
  }),
  stakingNominatorPoolsNominator: v3Get({
    path: '/staking/nominatorPools/nominator',
    category,
    purpose: 'What a nominator has in each pool.',
    parameters: { nominator: required(address('The nominator.')) },
    result: z.looseObject({
      nominator_pools: z.nullable(
        z.array(
          z.looseObject({
            pool_address: addressValue,
            balance: z.nullish(bigNumber),
            pending_balance: z.nullish(bigNumber),
          }),
        ),
      ),
      ...books,
    }),
  }),
  stakingNominatorPoolsNominatorEvents: v3Get({
    path: '/staking/nominatorPools/nominatorEvents',
    category,
    purpose: 'Deposits, withdrawals and rewards of nominators of a pool.',
    parameters: { pool: required(pool), nominator: address('Only this nominator.'), ...period, limit },
    result: z.looseObject({ events: z.nullable(z.array(nominatorEvent)), ...periodFields }),
  }),
  stakingNominatorPoolsNominatorRewards: v3Get({
    path: '/staking/nominatorPools/nominatorRewards',
    category,
    purpose: 'Rewards of a nominator in a pool.',
    parameters: { nominator: required(address('The nominator.')), pool: required(pool), ...period, limit },
    result: z.looseObject({
      rewards: z.nullable(z.array(z.looseObject({ ...reward, stake_before: z.nullish(bigNumber) }))),
      total_on_page: z.nullish(bigNumber),
      ...periodFields,
    }),
  }),
  stakingNominatorPoolsValidatorEvents: v3Get({
    path: '/staking/nominatorPools/validatorEvents',
    category,
    purpose: 'Rewards, penalties, deposits and withdrawals of validators of pools.',
    parameters: {
      validator: address('Only this validator.'),
      pool: address('Only this pool.'),
      type: choice('Only this kind.', ['reward', 'penalty', 'deposit', 'withdrawal'], { open: true }),
      ...period,
      limit,
    },
    result: z.looseObject({ events: z.nullable(z.array(validatorEvent)), ...periodFields }),
  }),
  stakingNominatorPoolsValidatorRewards: v3Get({
    path: '/staking/nominatorPools/validatorRewards',
    category,
    purpose: 'Rewards of a validator in a pool.',
    parameters: { validator: required(address('The validator.')), pool: required(pool), ...period, limit },
    result: z.looseObject({
      rewards: z.nullable(
        z.array(
          z.looseObject({
            ...reward,
            balance_before: z.nullish(bigNumber),
            cycle_start: z.nullish(z.number()),
            query_id: z.nullish(bigNumber),
          }),
        ),
      ),
      total_on_page: z.nullish(bigNumber),
      ...periodFields,
    }),
  }),
};
