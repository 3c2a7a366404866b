import * as z from 'zod';
import { openObject, v3Books } from '../../api/v3Objects';
import { addressValue, bigNumber, hashValue } from '../../api/wire';
import { v3Get } from '../endpoint/endpoint';
import { address, choice, flag, hash, integer, time } from '../endpoint/parameter';
import { limit } from './v3Traces';

/** Elections and validation cycles. Only the hosted service has these; amounts are nanocoins, times Unix seconds. */
const category = 'Validators';

const who = {
  stake_holder_address: address('The account that staked.'),
  adnl_address: hash('ADNL address of the validator.'),
  validator_pubkey: hash('Public key of the validator.'),
};
const period = {
  start_utime: time('From this time, in Unix seconds.'),
  end_utime: time('Up to this time, in Unix seconds.'),
};

const validatorFields = {
  adnl_addr: z.string(),
  validator_pubkey: z.string(),
  stake_holder_address: addressValue,
};

const event = openObject({
  ...validatorFields,
  /** stake_accepted, stake_rejected or stake_recovered. */
  type: z.string(),
  utime: z.number(),
  tx_hash: hashValue,
  tx_lt: bigNumber,
  amount: bigNumber,
  election_id: z.number(),
  query_id: bigNumber,
  reason: z.number(),
});

const election = openObject({
  election_id: z.number(),
  elect_close: z.number(),
  failed: z.boolean(),
  finished: z.boolean(),
  min_stake: bigNumber,
  total_stake: bigNumber,
  total_participants: z.number(),
  participants: z.array(
    openObject({
      ...validatorFields,
      stake: bigNumber,
      max_factor: z.number(),
      validator_index: z.number(),
    }),
  ),
});

const complaint = openObject({
  ...validatorFields,
  complaint_hash: z.string(),
  election_id: z.number(),
  cycle_start: z.number(),
  created_at: z.number(),
  severity: z.number(),
  paid: bigNumber,
  suggested_fine: bigNumber,
  suggested_fine_part: z.number(),
  reward_address: addressValue,
  /** BoC in base64. */
  description_boc: z.string(),
  approved_percent: z.number(),
  is_passed: z.boolean(),
  vset_id: z.string(),
  weight_remaining: bigNumber,
  voted_validators: z.array(
    openObject({
      adnl_addr: z.string(),
      validator_pubkey: z.string(),
      validator_index: z.number(),
      weight: bigNumber,
    }),
  ),
});

const cycle = openObject({
  cycle_start: z.number(),
  cycle_end: z.number(),
  election_id: z.number(),
  elections_start_before: z.number(),
  elections_end_before: z.number(),
  validators_elected_for: z.number(),
  stake_held_for: z.number(),
  total: z.number(),
  main: z.number(),
  min_validators: z.number(),
  max_validators: z.number(),
  max_main_validators: z.number(),
  max_stake_factor: z.number(),
  min_stake: bigNumber,
  max_stake: bigNumber,
  min_total_stake: bigNumber,
  min_stake_limit: bigNumber,
  max_stake_limit: bigNumber,
  total_stake: bigNumber,
  total_weight: bigNumber,
  validators: z.array(
    openObject({
      ...validatorFields,
      stake: bigNumber,
      weight: bigNumber,
      max_factor: z.number(),
      validator_index: z.number(),
      complaints: z.array(complaint),
    }),
  ),
});

const electionId = integer('Id of the election: the start of its cycle, Unix seconds.', { minimum: 0 });
const cycleStart = integer('Start of the cycle, Unix seconds.', { minimum: 0 });

export const v3Validators = {
  validatorsEvents: v3Get({
    path: '/validators/events',
    category,
    purpose: 'Stakes accepted, rejected, and recovered by the elector.',
    parameters: {
      ...who,
      type: choice('Only this kind.', ['stake_accepted', 'stake_rejected', 'stake_recovered'], {
        open: true,
      }),
      ...period,
      limit,
    },
    result: openObject({
      events: z.array(event),
      start_utime: z.number(),
      end_utime: z.number(),
      ...v3Books,
    }),
  }),
  validatorsElections: v3Get({
    path: '/validators/elections',
    category,
    purpose: 'Validator elections.',
    parameters: {
      election_id: electionId,
      ...who,
      return_participants: flag('Include the participants.', { default: false }),
      finished: flag('Only finished elections, or only open ones.'),
      ...period,
      limit,
    },
    result: openObject({ elections: z.array(election), ...v3Books }),
  }),
  validatorsCycles: v3Get({
    path: '/validators/cycles',
    category,
    purpose: 'Validation cycles.',
    parameters: {
      cycle_start: cycleStart,
      election_id: electionId,
      ...who,
      return_validators: flag('Include the validators.', { default: false }),
      ...period,
      limit,
    },
    result: openObject({ cycles: z.array(cycle), ...v3Books }),
  }),
  validatorsComplaints: v3Get({
    path: '/validators/complaints',
    category,
    purpose: 'Complaints about validators.',
    parameters: { cycle_start: cycleStart, election_id: electionId, ...who, ...period, limit },
    result: openObject({ complaints: z.array(complaint), ...v3Books }),
  }),
};
