import * as z from 'zod';
import { addressValue, bigNumber, hashValue } from '../../api/wire';
import { v3Get } from '../endpoint';
import { address, choice, flag, hash, integer, time } from '../parameter';
import { limit } from './common';
import { books } from '../../api/v3Objects';

/** Elections and validation cycles. Only the hosted service has these; amounts are nanocoins, times Unix seconds. */
const category = 'Validators';

const who = {
  stake_holder_address: address('Account that staked.'),
  adnl_address: hash('ADNL address of the validator.'),
  validator_pubkey: hash('Public key of the validator.'),
};
const period = {
  start_utime: time('From this time on, Unix seconds.'),
  end_utime: time('Up to this time, Unix seconds.'),
};

const validatorFields = {
  adnl_addr: z.nullish(z.string()),
  validator_pubkey: z.nullish(z.string()),
  stake_holder_address: z.nullish(addressValue),
};

const event = z.looseObject({
  ...validatorFields,
  /** stake_accepted, stake_rejected or stake_recovered. */
  type: z.nullish(z.string()),
  utime: z.nullish(z.number()),
  tx_hash: z.nullish(hashValue),
  tx_lt: z.nullish(bigNumber),
  amount: z.nullish(bigNumber),
  election_id: z.nullish(z.number()),
  query_id: z.nullish(bigNumber),
  reason: z.nullish(z.number()),
});

const election = z.looseObject({
  election_id: z.number(),
  elect_close: z.nullish(z.number()),
  failed: z.nullish(z.boolean()),
  finished: z.nullish(z.boolean()),
  min_stake: z.nullish(bigNumber),
  total_stake: z.nullish(bigNumber),
  total_participants: z.nullish(z.number()),
  participants: z.nullish(
    z.array(
      z.looseObject({
        ...validatorFields,
        stake: z.nullish(bigNumber),
        max_factor: z.nullish(z.number()),
        validator_index: z.nullish(z.number()),
      }),
    ),
  ),
});

const complaint = z.looseObject({
  ...validatorFields,
  complaint_hash: z.nullish(z.string()),
  election_id: z.nullish(z.number()),
  cycle_start: z.nullish(z.number()),
  created_at: z.nullish(z.number()),
  severity: z.nullish(z.number()),
  paid: z.nullish(bigNumber),
  suggested_fine: z.nullish(bigNumber),
  suggested_fine_part: z.nullish(z.number()),
  reward_address: z.nullish(addressValue),
  /** BoC in base64. */
  description_boc: z.nullish(z.string()),
  approved_percent: z.nullish(z.number()),
  is_passed: z.nullish(z.boolean()),
  vset_id: z.nullish(z.string()),
  weight_remaining: z.nullish(bigNumber),
  voted_validators: z.nullish(
    z.array(
      z.looseObject({
        adnl_addr: z.nullish(z.string()),
        validator_pubkey: z.nullish(z.string()),
        validator_index: z.nullish(z.number()),
        weight: z.nullish(bigNumber),
      }),
    ),
  ),
});

const cycle = z.looseObject({
  cycle_start: z.number(),
  cycle_end: z.nullish(z.number()),
  election_id: z.nullish(z.number()),
  elections_start_before: z.nullish(z.number()),
  elections_end_before: z.nullish(z.number()),
  validators_elected_for: z.nullish(z.number()),
  stake_held_for: z.nullish(z.number()),
  total: z.nullish(z.number()),
  main: z.nullish(z.number()),
  min_validators: z.nullish(z.number()),
  max_validators: z.nullish(z.number()),
  max_main_validators: z.nullish(z.number()),
  max_stake_factor: z.nullish(z.number()),
  min_stake: z.nullish(bigNumber),
  max_stake: z.nullish(bigNumber),
  min_total_stake: z.nullish(bigNumber),
  min_stake_limit: z.nullish(bigNumber),
  max_stake_limit: z.nullish(bigNumber),
  total_stake: z.nullish(bigNumber),
  total_weight: z.nullish(bigNumber),
  validators: z.nullish(
    z.array(
      z.looseObject({
        ...validatorFields,
        stake: z.nullish(bigNumber),
        weight: z.nullish(bigNumber),
        max_factor: z.nullish(z.number()),
        validator_index: z.nullish(z.number()),
        complaints: z.nullish(z.array(complaint)),
      }),
    ),
  ),
});

const electionId = integer('Id of the election: the start of its cycle, Unix seconds.', { minimum: 0 });
const cycleStart = integer('Start of the cycle, Unix seconds.', { minimum: 0 });

export const validators = {
  validatorsEvents: v3Get({
    path: '/validators/events',
    category,
    purpose: 'Stakes accepted, rejected and recovered by the elector.',
    parameters: {
      ...who,
      type: choice('Only this kind.', ['stake_accepted', 'stake_rejected', 'stake_recovered'], {
        open: true,
      }),
      ...period,
      limit,
    },
    result: z.looseObject({
      events: z.nullable(z.array(event)),
      start_utime: z.nullish(z.number()),
      end_utime: z.nullish(z.number()),
      ...books,
    }),
  }),
  validatorsElections: v3Get({
    path: '/validators/elections',
    category,
    purpose: 'Validator elections.',
    parameters: {
      election_id: electionId,
      ...who,
      return_participants: flag('With the participants.', { default: false }),
      finished: flag('Only finished ones, or only open ones.'),
      ...period,
      limit,
    },
    result: z.looseObject({ elections: z.nullable(z.array(election)), ...books }),
  }),
  validatorsCycles: v3Get({
    path: '/validators/cycles',
    category,
    purpose: 'Validation cycles.',
    parameters: {
      cycle_start: cycleStart,
      election_id: electionId,
      ...who,
      return_validators: flag('With the validators.', { default: false }),
      ...period,
      limit,
    },
    result: z.looseObject({ cycles: z.nullable(z.array(cycle)), ...books }),
  }),
  validatorsComplaints: v3Get({
    path: '/validators/complaints',
    category,
    purpose: 'Complaints about validators.',
    parameters: { cycle_start: cycleStart, election_id: electionId, ...who, ...period, limit },
    result: z.looseObject({ complaints: z.nullable(z.array(complaint)), ...books }),
  }),
};
