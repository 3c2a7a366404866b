import * as z from 'zod';
import { openObject, v3Books } from '../../api/v3Objects';
import { addressValue, bigNumber, hashValue } from '../../api/wire';
import { v3Get } from '../endpoint/endpoint';
import { address, choice, integer, required, time } from '../endpoint/parameter';

/** Nominator pools. Only the hosted service has these; amounts are nanocoins, times Unix seconds. */
const category = 'Staking';

const limit = integer('Maximum number of rows.', { minimum: 1, usualMaximum: 1000, default: 100 });
const period = {
  start_utime: time('From this time, in Unix seconds.'),
  end_utime: time('Up to this time, in Unix seconds.'),
};
const pool = address('The nominator pool.');
const periodFields = { start_utime: z.number(), end_utime: z.number(), ...v3Books };

const event = {
  type: z.string(),
  utime: z.number(),
  tx_hash: hashValue,
  tx_lt: bigNumber,
  pool_address: addressValue,
  amount: bigNumber,
  balance_before: bigNumber,
  balance_after: bigNumber,
  balance_delta: bigNumber,
};

const nominatorEvent = openObject({
  ...event,
  nominator_address: addressValue,
  pending_balance_before: bigNumber,
  pending_balance_after: bigNumber,
  pending_balance_delta: bigNumber,
  withdraw_request_before: z.boolean(),
  withdraw_request_after: z.boolean(),
});

const validatorEvent = openObject({
  ...event,
  validator_address: addressValue,
  /** Of 10,000. */
  validator_reward_share: z.number(),
  /** Unix seconds. */
  cycle_start: z.number(),
  query_id: bigNumber,
});

const reward = {
  utime: z.number(),
  tx_hash: hashValue,
  tx_lt: bigNumber,
  reward: bigNumber,
};

const poolInformation = openObject({
  state: z.number(),
  nominators_count: z.number(),
  max_nominators_count: z.number(),
  stake_amount_sent: bigNumber,
  validator_amount: bigNumber,
  validator_address: addressValue,
  /** Of 10,000. */
  validator_reward_share: z.number(),
  min_validator_stake: bigNumber,
  min_nominator_stake: bigNumber,
  active_nominators: z.array(
    openObject({
      address: addressValue,
      balance: bigNumber,
      pending_balance: bigNumber,
    }),
  ),
  ...v3Books,
});

export const v3Staking = {
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
    result: openObject({
      nominator_pools: z.array(
        openObject({
          pool_address: addressValue,
          balance: bigNumber,
          pending_balance: bigNumber,
        }),
      ),
      ...v3Books,
    }),
  }),
  stakingNominatorPoolsNominatorEvents: v3Get({
    path: '/staking/nominatorPools/nominatorEvents',
    category,
    purpose: 'Deposits, withdrawals, and rewards of nominators of a pool.',
    parameters: { pool: required(pool), nominator: address('Only this nominator.'), ...period, limit },
    result: openObject({ events: z.array(nominatorEvent), ...periodFields }),
  }),
  stakingNominatorPoolsNominatorRewards: v3Get({
    path: '/staking/nominatorPools/nominatorRewards',
    category,
    purpose: 'Rewards of a nominator in a pool.',
    parameters: { nominator: required(address('The nominator.')), pool: required(pool), ...period, limit },
    result: openObject({
      rewards: z.array(openObject({ ...reward, stake_before: bigNumber })),
      total_on_page: bigNumber,
      ...periodFields,
    }),
  }),
  stakingNominatorPoolsValidatorEvents: v3Get({
    path: '/staking/nominatorPools/validatorEvents',
    category,
    purpose: 'Rewards, penalties, deposits, and withdrawals of pool validators.',
    parameters: {
      validator: address('Only this validator.'),
      pool: address('Only this pool.'),
      type: choice('Only this kind.', ['reward', 'penalty', 'deposit', 'withdrawal'], { open: true }),
      ...period,
      limit,
    },
    result: openObject({ events: z.array(validatorEvent), ...periodFields }),
  }),
  stakingNominatorPoolsValidatorRewards: v3Get({
    path: '/staking/nominatorPools/validatorRewards',
    category,
    purpose: 'Rewards of a validator in a pool.',
    parameters: { validator: required(address('The validator.')), pool: required(pool), ...period, limit },
    result: openObject({
      rewards: z.array(
        openObject({
          ...reward,
          balance_before: bigNumber,
          cycle_start: z.number(),
          query_id: bigNumber,
        }),
      ),
      total_on_page: bigNumber,
      ...periodFields,
    }),
  }),
};
