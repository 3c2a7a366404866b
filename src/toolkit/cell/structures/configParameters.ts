/** A parameter of a network's configuration. */
export interface ConfigParameter {
  title: string;
  /** What it decides, in a sentence. */
  meaning: string;
  /** Its layout, in the notation of chainSchema.ts: a constructor, or `= type`. */
  layout: string;
}

const bridge = (chain: string): ConfigParameter => ({
  title: `${chain} bridge`,
  meaning: `The contracts and oracles of the Toncoin bridge to ${chain}.`,
  layout: '= OracleBridgeParams',
});

const tokenBridge = (chain: string): ConfigParameter => ({
  title: `${chain} token bridge`,
  meaning: `The contracts, oracles, and fees of the token bridge from ${chain}.`,
  layout: '= JettonBridgeParams',
});

const validators = (when: string, meaning: string): ConfigParameter => ({
  title: `${when} validators`,
  meaning,
  layout: '= ValidatorSet',
});

/**
 * The parameters of the configuration that block.tlb describes, by number: layouts as of the node release of July
 * 2026.
 */
export const configParameters: ReadonlyMap<number, ConfigParameter> = new Map<number, ConfigParameter>([
  [
    0,
    {
      title: 'Configuration contract',
      meaning: 'The contract that keeps this configuration and counts votes on it.',
      layout: '_ config_addr:mc',
    },
  ],
  [
    1,
    {
      title: 'Elector contract',
      meaning: 'The contract that elects validators and keeps their stakes.',
      layout: '_ elector_addr:mc',
    },
  ],
  [
    2,
    {
      title: 'Minter contract',
      meaning: 'The contract that mints extra currencies; the configuration contract if absent.',
      layout: '_ minter_addr:mc',
    },
  ],
  [
    3,
    {
      title: 'Fee collector',
      meaning: 'The contract that collects fees; the elector if absent.',
      layout: '_ fee_collector_addr:mc',
    },
  ],
  [
    4,
    {
      title: 'DNS root',
      meaning: 'The contract that resolves top-level domains.',
      layout: '_ dns_root_addr:mc',
    },
  ],
  [
    5,
    {
      title: 'Burning',
      meaning: 'The part of fees that is burned, and an address whose coins are burned.',
      layout: '= BurningConfig',
    },
  ],
  [
    6,
    {
      title: 'Minting prices',
      meaning: 'What it costs to create an extra currency and to add to one.',
      layout: '_ mint_new_price:coins mint_add_price:coins',
    },
  ],
  [
    7,
    {
      title: 'Extra currencies',
      meaning: 'The amount of each extra currency that exists.',
      layout: '_ to_mint:dict(32,var32)',
    },
  ],
  [
    8,
    {
      title: 'Version',
      meaning: 'The version of the rules that validators apply (also of the TVM), and what they can do.',
      layout: '= GlobalVersion',
    },
  ],
  [
    9,
    {
      title: 'Mandatory parameters',
      meaning: 'The parameters that cannot be removed.',
      layout: '_ mandatory_params:dict1(i32,unit)',
    },
  ],
  [
    10,
    {
      title: 'Critical parameters',
      meaning: 'The parameters that only a stricter vote changes.',
      layout: '_ critical_params:dict1(i32,unit)',
    },
  ],
  [
    11,
    {
      title: 'Voting on the configuration',
      meaning: 'How many rounds and wins a proposal needs, and what it costs.',
      layout: '= ConfigVotingSetup',
    },
  ],
  [
    12,
    {
      title: 'Workchains',
      meaning: 'The workchains besides the masterchain, with their zero states and limits of splitting.',
      layout: '_ workchains:dict(i32,WorkchainDescr)',
    },
  ],
  [
    13,
    {
      title: 'Complaint prices',
      meaning: 'What a complaint about a validator costs.',
      layout: '= ComplaintPricing',
    },
  ],
  [14, { title: 'Block rewards', meaning: 'What validators get for a block.', layout: '= BlockCreateFees' }],
  [
    15,
    {
      title: 'Election timing',
      meaning: 'How long a validator set is in charge, when elections are, and how long stakes stay frozen.',
      layout:
        '_ validators_elected_for:secs elections_start_before:secs elections_end_before:secs stake_held_for:secs',
    },
  ],
  [
    16,
    {
      title: 'Number of validators',
      meaning: 'How many validators there may be, in all and in the masterchain.',
      layout:
        '_ max_validators:u16 max_main_validators:u16{..max_validators} min_validators:u16{1..max_main_validators}',
    },
  ],
  [
    17,
    {
      title: 'Stakes',
      meaning: 'The least and greatest stake of a validator, and how much they may differ.',
      layout: '_ min_stake:coins max_stake:coins min_total_stake:coins max_stake_factor:factor',
    },
  ],
  [
    18,
    {
      title: 'Storage prices',
      meaning:
        'What an account pays to be stored, from each time on; prices in nanocoins / 65,536 per second.',
      layout: '= dict1(32,StoragePrices)',
    },
  ],
  [
    19,
    {
      title: 'Network id',
      meaning: 'Tells networks apart: -239 is the main network, -3 the test network.',
      layout: '_ global_id:i32',
    },
  ],
  [
    20,
    {
      title: 'Masterchain gas',
      meaning: 'Prices and limits of gas in the masterchain.',
      layout: '= GasLimitsPrices',
    },
  ],
  [
    21,
    {
      title: 'Basechain gas',
      meaning: 'Prices and limits of gas in the basechain.',
      layout: '= GasLimitsPrices',
    },
  ],
  [
    22,
    {
      title: 'Masterchain block limits',
      meaning: 'How large a masterchain block may be.',
      layout: '= BlockLimits',
    },
  ],
  [
    23,
    {
      title: 'Basechain block limits',
      meaning: 'How large a basechain block may be.',
      layout: '= BlockLimits',
    },
  ],
  [
    24,
    {
      title: 'Masterchain forwarding',
      meaning: 'What a message to or from the masterchain costs.',
      layout: '= MsgForwardPrices',
    },
  ],
  [
    25,
    { title: 'Basechain forwarding', meaning: 'What any other message costs.', layout: '= MsgForwardPrices' },
  ],
  [
    28,
    {
      title: 'Validator groups',
      meaning: 'How long groups of validators last, and how many validators a shard has.',
      layout: '= CatchainConfig',
    },
  ],
  [
    29,
    {
      title: 'Consensus',
      meaning: 'Timing and limits of the consensus on a block.',
      layout: '= ConsensusConfig',
    },
  ],
  [
    30,
    {
      title: 'Simplex consensus',
      meaning: 'The newer consensus, of the masterchain and of shards, where it is in use.',
      layout: '= NewConsensusConfigAll',
    },
  ],
  [
    31,
    {
      title: 'Fundamental contracts',
      meaning: 'Masterchain contracts that pay neither for gas nor for storage.',
      layout: '_ fundamental_smc_addr:dict(256,unit)',
    },
  ],
  [32, validators('Previous', 'The validators of the round before this one.')],
  [33, validators('Previous temporary', 'Temporary validators of the round before this one.')],
  [34, validators('Current', 'The validators of this round.')],
  [35, validators('Current temporary', 'Temporary validators of this round.')],
  [36, validators('Next', 'The elected validators of the next round.')],
  [37, validators('Next temporary', 'Temporary validators of the next round.')],
  [
    39,
    {
      title: 'Temporary validator keys',
      meaning: 'Keys that validators signed for a limited time.',
      layout: '= dict(256,ValidatorSignedTempKey)',
    },
  ],
  [
    40,
    {
      title: 'Fines',
      meaning: 'What a validator pays for being absent.',
      layout: '= MisbehaviourPunishmentConfig',
    },
  ],
  [
    43,
    {
      title: 'Size limits',
      meaning: 'How large messages, libraries, and accounts may be.',
      layout: '= SizeLimitsConfig',
    },
  ],
  [
    44,
    {
      title: 'Suspended accounts',
      meaning: 'Accounts that cannot be used until a given time.',
      layout: '= SuspendedAddressList',
    },
  ],
  [
    45,
    {
      title: 'Precompiled contracts',
      meaning: 'Codes that validators run natively, each with the gas it counts as.',
      layout: '= PrecompiledContractsConfig',
    },
  ],
  [71, bridge('Ethereum')],
  [72, bridge('BNB Smart Chain')],
  [73, bridge('Polygon')],
  [79, tokenBridge('Ethereum')],
  [81, tokenBridge('BNB Smart Chain')],
  [82, tokenBridge('Polygon')],
]);
