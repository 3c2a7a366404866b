import { configParameters } from './configParameters';
import type { SchemaConstructor, SchemaType } from './schemaNotation';
import { parseConstructor, parseType } from './schemaNotation';

/** A named type: its constructors, or another type. */
export type SchemaDefinition = { constructors: readonly SchemaConstructor[] } | { alias: SchemaType };

const shardState =
  'shard_state#9023afe2 global_id:i32 shard_id:ShardIdent seq_no:u32 vert_seq_no:u32 gen_utime:time gen_lt:u64 min_ref_mc_seqno:u32 out_msg_queue_info:^OutMsgQueueInfo before_split:bool accounts:^ShardAccounts ^[overload_history:x64 underload_history:x64 total_balance:Currencies total_validator_fees:Currencies libraries:dict(256,LibDescr) master_ref:?BlkMasterInfo] custom:?^McStateExtra';

/**
 * Blocks, shard states, proofs, and the configuration as they lie in cells: facts of block.tlb, node release of July
 * 2026, with its names.
 *
 * A text is a constructor, `name#hextag` or `name$bintag`, then its fields; `= type` is another name of a type. Types:
 * `u32 i32 b256` numbers and bits, `max60` a number up to 60, `var16` a number after its length, `?T` may be missing,
 * `^T` in a reference, `^[…]` fields in a reference, `dict(bits,T)` (`dict1` never empty, without its bit), `aug(bits,T,E)`
 * with sums of E, `tree(T)`, `if(field.bit,T)`, `pick(field,T0,T1)`, `rest` the remainder, and numbers with a unit (`time`,
 * `secs`, `price`, …: schemaNotation.ts). `{1..total}` after a type are the least and the greatest value.
 */
const texts: Readonly<Record<string, readonly string[]>> = {
  // Messages and accounts
  Currencies: ['currencies grams:coins other:dict(32,var32)'],
  CommonMsgInfo: [
    'int_msg_info$0 ihr_disabled:bool bounce:bool bounced:bool src:addr dest:addr value:Currencies extra_flags:var16 fwd_fee:coins created_lt:u64 created_at:time',
    'ext_in_msg_info$10 src:addrExt dest:addr import_fee:coins',
    'ext_out_msg_info$11 src:addr dest:addrExt created_lt:u64 created_at:time',
  ],
  TickTock: ['tick_tock tick:bool tock:bool'],
  StateInit: ['state_init fixed_prefix_length:?u5 special:?TickTock code:?^cell data:?^cell library:?^cell'],
  Message: ['message info:CommonMsgInfo init:?either(StateInit,^StateInit) body:either(rest,^cell)'],
  IntermediateAddress: [
    'interm_addr_regular$0 use_dest_bits:max96{..96}',
    'interm_addr_simple$10 workchain_id:i8 addr_pfx:x64',
    'interm_addr_ext$11 workchain_id:i32 addr_pfx:x64',
  ],
  MsgMetadata: ['msg_metadata#0 depth:u32 initiator_addr:addr initiator_lt:u64'],
  MsgEnvelope: [
    'msg_envelope#4 cur_addr:IntermediateAddress next_addr:IntermediateAddress fwd_fee_remaining:coins msg:^Message',
    'msg_envelope_v2#5 cur_addr:IntermediateAddress next_addr:IntermediateAddress fwd_fee_remaining:coins msg:^Message emitted_lt:?u64 metadata:?MsgMetadata',
  ],
  InMsg: [
    'msg_import_ext$000 msg:^Message transaction:^Transaction',
    'msg_import_ihr$010 msg:^Message transaction:^Transaction ihr_fee:coins proof_created:^cell',
    'msg_import_imm$011 in_msg:^MsgEnvelope transaction:^Transaction fwd_fee:coins',
    'msg_import_fin$100 in_msg:^MsgEnvelope transaction:^Transaction fwd_fee:coins',
    'msg_import_tr$101 in_msg:^MsgEnvelope out_msg:^MsgEnvelope transit_fee:coins',
    'msg_discard_fin$110 in_msg:^MsgEnvelope transaction_id:u64 fwd_fee:coins',
    'msg_discard_tr$111 in_msg:^MsgEnvelope transaction_id:u64 fwd_fee:coins proof_delivered:^cell',
    'msg_import_deferred_fin$00100 in_msg:^MsgEnvelope transaction:^Transaction fwd_fee:coins',
    'msg_import_deferred_tr$00101 in_msg:^MsgEnvelope out_msg:^MsgEnvelope',
  ],
  ImportFees: ['import_fees fees_collected:coins value_imported:Currencies'],
  InMsgDescr: ['= aug(256,InMsg,ImportFees)'],
  OutMsg: [
    'msg_export_ext$000 msg:^Message transaction:^Transaction',
    'msg_export_imm$010 out_msg:^MsgEnvelope transaction:^Transaction reimport:^InMsg',
    'msg_export_new$001 out_msg:^MsgEnvelope transaction:^Transaction',
    'msg_export_tr$011 out_msg:^MsgEnvelope imported:^InMsg',
    'msg_export_deq$1100 out_msg:^MsgEnvelope import_block_lt:u63',
    'msg_export_deq_short$1101 msg_env_hash:b256 next_workchain:i32 next_addr_pfx:x64 import_block_lt:u64',
    'msg_export_tr_req$111 out_msg:^MsgEnvelope imported:^InMsg',
    'msg_export_deq_imm$100 out_msg:^MsgEnvelope reimport:^InMsg',
    'msg_export_new_defer$10100 out_msg:^MsgEnvelope transaction:^Transaction',
    'msg_export_deferred_tr$10101 out_msg:^MsgEnvelope imported:^InMsg',
  ],
  OutMsgDescr: ['= aug(256,OutMsg,Currencies)'],
  EnqueuedMsg: ['enqueued_msg enqueued_lt:u64 out_msg:^MsgEnvelope'],
  OutMsgQueue: ['= aug(352,EnqueuedMsg,u64)'],
  ProcessedUpto: ['processed_upto last_msg_lt:u64 last_msg_hash:b256'],
  AccountDispatchQueue: ['account_dispatch_queue messages:dict(64,EnqueuedMsg) count:u48'],
  OutMsgQueueExtra: [
    'out_msg_queue_extra#0 dispatch_queue:aug(256,AccountDispatchQueue,u64) out_queue_size:?u48',
  ],
  OutMsgQueueInfo: [
    'out_msg_queue_info out_queue:OutMsgQueue proc_info:dict(96,ProcessedUpto) extra:?OutMsgQueueExtra',
  ],
  StorageUsed: ['storage_used cells:var7 bits:var7'],
  StorageExtraInfo: ['storage_extra_none$000', 'storage_extra_info$001 dict_hash:b256'],
  StorageInfo: [
    'storage_info used:StorageUsed storage_extra:StorageExtraInfo last_paid:time due_payment:?coins',
  ],
  Account: ['account_none$0', 'account$1 addr:addr storage_stat:StorageInfo storage:AccountStorage'],
  AccountStorage: ['account_storage last_trans_lt:u64 balance:Currencies state:AccountState'],
  AccountState: [
    'account_uninit$00',
    'account_active$1 state_init:StateInit',
    'account_frozen$01 state_hash:b256',
  ],
  AccountStatus: [
    'acc_state_uninit$00',
    'acc_state_frozen$01',
    'acc_state_active$10',
    'acc_state_nonexist$11',
  ],
  ShardAccount: ['account_descr account:^Account last_trans_hash:b256 last_trans_lt:u64'],
  DepthBalanceInfo: ['depth_balance split_depth:max30{..30} balance:Currencies'],
  ShardAccounts: ['= aug(256,ShardAccount,DepthBalanceInfo)'],
  // Transactions
  Transaction: [
    'transaction$0111 account_addr:b256 lt:u64 prev_trans_hash:b256 prev_trans_lt:u64 now:time outmsg_cnt:u15 orig_status:AccountStatus end_status:AccountStatus ^[in_msg:?^Message out_msgs:dict(15,^Message)] total_fees:Currencies state_update:^HashUpdate description:^TransactionDescr',
  ],
  HashUpdate: ['update_hashes#72 old_hash:b256 new_hash:b256'],
  AccountBlock: [
    'acc_trans#5 account_addr:b256 transactions:aug1(64,^Transaction,Currencies) state_update:^HashUpdate',
  ],
  ShardAccountBlocks: ['= aug(256,AccountBlock,Currencies)'],
  AccStatusChange: ['acst_unchanged$0', 'acst_frozen$10', 'acst_deleted$11'],
  TrStoragePhase: [
    'tr_phase_storage storage_fees_collected:coins storage_fees_due:?coins status_change:AccStatusChange',
  ],
  TrCreditPhase: ['tr_phase_credit due_fees_collected:?coins credit:Currencies'],
  ComputeSkipReason: ['cskip_no_state$00', 'cskip_bad_state$01', 'cskip_no_gas$10', 'cskip_suspended$110'],
  TrComputePhase: [
    'tr_phase_compute_skipped$0 reason:ComputeSkipReason',
    'tr_phase_compute_vm$1 success:bool msg_state_used:bool account_activated:bool gas_fees:coins ^[gas_used:var7 gas_limit:var7 gas_credit:?var3 mode:i8 exit_code:i32 exit_arg:?i32 vm_steps:u32 vm_init_state_hash:b256 vm_final_state_hash:b256]',
  ],
  TrActionPhase: [
    'tr_phase_action success:bool valid:bool no_funds:bool status_change:AccStatusChange total_fwd_fees:?coins total_action_fees:?coins result_code:i32 result_arg:?i32 tot_actions:u16 spec_actions:u16 skipped_actions:u16 msgs_created:u16 action_list_hash:b256 tot_msg_size:StorageUsed',
  ],
  TrBouncePhase: [
    'tr_phase_bounce_negfunds$00',
    'tr_phase_bounce_nofunds$01 msg_size:StorageUsed req_fwd_fees:coins',
    'tr_phase_bounce_ok$1 msg_size:StorageUsed msg_fees:coins fwd_fees:coins',
  ],
  SplitMergeInfo: [
    'split_merge_info cur_shard_pfx_len:u6 acc_split_depth:u6 this_addr:b256 sibling_addr:b256',
  ],
  TransactionDescr: [
    'trans_ord$0000 credit_first:bool storage_ph:?TrStoragePhase credit_ph:?TrCreditPhase compute_ph:TrComputePhase action:?^TrActionPhase aborted:bool bounce:?TrBouncePhase destroyed:bool',
    'trans_storage$0001 storage_ph:TrStoragePhase',
    'trans_tick_tock$001 is_tock:bool storage_ph:TrStoragePhase compute_ph:TrComputePhase action:?^TrActionPhase aborted:bool destroyed:bool',
    'trans_split_prepare$0100 split_info:SplitMergeInfo storage_ph:?TrStoragePhase compute_ph:TrComputePhase action:?^TrActionPhase aborted:bool destroyed:bool',
    'trans_split_install$0101 split_info:SplitMergeInfo prepare_transaction:^Transaction installed:bool',
    'trans_merge_prepare$0110 split_info:SplitMergeInfo storage_ph:TrStoragePhase aborted:bool',
    'trans_merge_install$0111 split_info:SplitMergeInfo prepare_transaction:^Transaction storage_ph:?TrStoragePhase credit_ph:?TrCreditPhase compute_ph:TrComputePhase action:?^TrActionPhase aborted:bool destroyed:bool',
  ],
  // Blocks and states
  ShardIdent: ['shard_ident$00 shard_pfx_bits:max60{..60} workchain_id:i32 shard_prefix:x64'],
  ExtBlkRef: ['ext_blk_ref end_lt:u64 seq_no:u32 root_hash:b256 file_hash:b256'],
  BlockIdExt: ['block_id_ext shard_id:ShardIdent seq_no:u32 root_hash:b256 file_hash:b256'],
  BlkMasterInfo: ['master_info master:ExtBlkRef'],
  LibDescr: ['shared_lib_descr$00 lib:^cell publishers:dict1(256,unit)'],
  ShardStateUnsplit: [shardState],
  ShardState: ['split_state#5f327da5 left:^ShardStateUnsplit right:^ShardStateUnsplit', shardState],
  BlockInfo: [
    'block_info#9bc7a987 version:u32 not_master:u1 after_merge:u1 before_split:u1 after_split:u1 want_split:bool want_merge:bool key_block:bool vert_seqno_incr:u1 flags:u8{..1} seq_no:u32{1..} vert_seq_no:u32{vert_seqno_incr..} shard:ShardIdent gen_utime:time start_lt:u64 end_lt:u64 gen_validator_list_hash_short:x32 gen_catchain_seqno:u32 min_ref_mc_seqno:u32 prev_key_block_seqno:u32 gen_software:if(flags.0,GlobalVersion) master_ref:if(not_master,^BlkMasterInfo) prev_ref:^pick(after_merge,BlkPrevInfo,BlkPrevsInfo) prev_vert_ref:if(vert_seqno_incr,^BlkPrevInfo)',
  ],
  BlkPrevInfo: ['prev_blk_info prev:ExtBlkRef'],
  BlkPrevsInfo: ['prev_blks_info prev1:^ExtBlkRef prev2:^ExtBlkRef'],
  Block: [
    'block#11ef55aa global_id:i32 info:^BlockInfo value_flow:^ValueFlow state_update:^update(ShardState) extra:^BlockExtra',
  ],
  BlockExtra: [
    'block_extra#4a33f6fd in_msg_descr:^InMsgDescr out_msg_descr:^OutMsgDescr account_blocks:^ShardAccountBlocks rand_seed:b256 created_by:b256 custom:?^McBlockExtra',
  ],
  ValueFlow: [
    'value_flow#b8e48dfb ^[from_prev_blk:Currencies to_next_blk:Currencies imported:Currencies exported:Currencies] fees_collected:Currencies ^[fees_imported:Currencies recovered:Currencies created:Currencies minted:Currencies]',
    'value_flow_v2#3ebf98b7 ^[from_prev_blk:Currencies to_next_blk:Currencies imported:Currencies exported:Currencies] fees_collected:Currencies burned:Currencies ^[fees_imported:Currencies recovered:Currencies created:Currencies minted:Currencies]',
  ],
  FutureSplitMerge: [
    'fsm_none$0',
    'fsm_split$10 split_utime:time interval:secs',
    'fsm_merge$11 merge_utime:time interval:secs',
  ],
  ShardDescr: [
    'shard_descr#b seq_no:u32 reg_mc_seqno:u32 start_lt:u64 end_lt:u64 root_hash:b256 file_hash:b256 before_split:bool before_merge:bool want_split:bool want_merge:bool nx_cc_updated:bool flags:u3{0} next_catchain_seqno:u32 next_validator_shard:x64 min_ref_mc_seqno:u32 gen_utime:time split_merge_at:FutureSplitMerge fees_collected:Currencies funds_created:Currencies',
    'shard_descr_new#a seq_no:u32 reg_mc_seqno:u32 start_lt:u64 end_lt:u64 root_hash:b256 file_hash:b256 before_split:bool before_merge:bool want_split:bool want_merge:bool nx_cc_updated:bool flags:u3{0} next_catchain_seqno:u32 next_validator_shard:x64 min_ref_mc_seqno:u32 gen_utime:time split_merge_at:FutureSplitMerge ^[fees_collected:Currencies funds_created:Currencies]',
  ],
  ShardHashes: ['= dict(i32,^tree(ShardDescr))'],
  ShardFeeCreated: ['shard_fee_created fees:Currencies create:Currencies'],
  ConfigParams: ['config_params config_addr:mc config:^parameters'],
  ConfigDictionary: ['= parameters'],
  ValidatorInfo: ['validator_info validator_list_hash_short:x32 catchain_seqno:u32 nx_cc_updated:bool'],
  KeyMaxLt: ['key_max_lt key:bool max_end_lt:u64'],
  KeyExtBlkRef: ['key_ext_blk_ref key:bool blk_ref:ExtBlkRef'],
  Counters: ['counters last_updated:time total:u64 cnt2048:u64 cnt65536:u64'],
  CreatorStats: ['creator_info#4 mc_blocks:Counters shard_blocks:Counters'],
  BlockCreateStats: [
    'block_create_stats#17 counters:dict(256,CreatorStats)',
    'block_create_stats_ext#34 counters:aug(256,CreatorStats,u32)',
  ],
  McStateExtra: [
    'masterchain_state_extra#cc26 shard_hashes:ShardHashes config:ConfigParams ^[flags:u16{..1} validator_info:ValidatorInfo prev_blocks:aug(32,KeyExtBlkRef,KeyMaxLt) after_key_block:bool last_key_block:?ExtBlkRef block_create_stats:if(flags.0,BlockCreateStats)] global_balance:Currencies',
  ],
  McBlockExtra: [
    'masterchain_block_extra#cca5 key_block:u1 shard_hashes:ShardHashes shard_fees:aug(96,ShardFeeCreated,ShardFeeCreated) ^[prev_blk_signatures:dict(16,CryptoSignaturePair) recover_create_msg:?^InMsg mint_msg:?^InMsg] config:if(key_block,ConfigParams)',
  ],
  // Signatures and proofs
  SigPubKey: ['ed25519_pubkey#8e81278a pubkey:b256'],
  CryptoSignatureSimple: ['ed25519_signature#5 R:b256 s:b256'],
  CryptoSignature: [
    'ed25519_signature#5 R:b256 s:b256',
    'chained_signature#f signed_cert:^SignedCertificate temp_key_signature:CryptoSignatureSimple',
  ],
  CryptoSignaturePair: ['sig_pair node_id_short:b256 sign:CryptoSignature'],
  Certificate: ['certificate#4 temp_key:SigPubKey valid_since:time valid_until:time'],
  SignedCertificate: ['signed_certificate certificate:Certificate certificate_signature:CryptoSignature'],
  BlockSignatures: [
    'block_signatures_ordinary#11 validator_list_hash_short:x32 catchain_seqno:u32 sig_count:u32 sig_weight:u64 signatures:dict(16,CryptoSignaturePair)',
    'block_signatures_simplex#12 validator_list_hash_short:x32 catchain_seqno:u32 sig_count:u32 sig_weight:u64 signatures:dict(16,CryptoSignaturePair) session_id:b256 slot:u32 candidate_data:^cell',
  ],
  BlockProof: ['block_proof#c3 proof_for:BlockIdExt root:^cell signatures:?^BlockSignatures'],
  TopBlockDescr: [
    'top_block_descr#d5 proof_for:BlockIdExt signatures:?^BlockSignatures len:u8{1..8} chain:links(len)',
  ],
  TopBlockDescrSet: ['top_block_descr_set#4ac789f3 collection:dict(96,^TopBlockDescr)'],
  AccountStorageDictProof: ['account_storage_dict_proof#37c1e3fc proof:^cell'],
  ConsensusExtraData: ['consensus_extra_data#638eb292 flags:u32 gen_utime_ms:u64'],
  ProducerInfo: [
    'prod_info#34 utime:time mc_blk_ref:ExtBlkRef state_proof:^proof(Block) prod_proof:^proof(ShardState)',
  ],
  ComplaintDescr: [
    'no_blk_gen#450e8bd9 from_utime:time prod_info:^ProducerInfo',
    'no_blk_gen_diff#c737b0ca prod_info_old:^ProducerInfo prod_info_new:^ProducerInfo',
  ],
  ValidatorComplaint: [
    'validator_complaint#bc validator_pubkey:b256 description:^ComplaintDescr created_at:time severity:u8 reward_addr:mc paid:coins suggested_fine:coins suggested_fine_part:frac32',
  ],
  // The configuration
  ValidatorDescr: [
    'validator#53 public_key:SigPubKey weight:u64',
    'validator_addr#73 public_key:SigPubKey weight:u64 adnl_addr:b256',
  ],
  ValidatorSet: [
    'validators#11 utime_since:time utime_until:time total:u16 main:u16{1..total} list:dict1(16,ValidatorDescr)',
    'validators_ext#12 utime_since:time utime_until:time total:u16 main:u16{1..total} total_weight:u64 list:dict(16,ValidatorDescr)',
  ],
  BurningConfig: [
    'burning_config#01 blackhole_addr:?mc fee_burn_num:u32{..fee_burn_denom} fee_burn_denom:u32{1..}',
  ],
  GlobalVersion: ['capabilities#c4 version:u32 capabilities:x64'],
  ConfigProposalSetup: [
    'cfg_vote_cfg#36 min_tot_rounds:u8 max_tot_rounds:u8{min_tot_rounds..} min_wins:u8 max_losses:u8 min_store_sec:secs max_store_sec:secs{min_store_sec..} bit_price:u32 cell_price:u32',
  ],
  ConfigVotingSetup: [
    'cfg_vote_setup#91 normal_params:^ConfigProposalSetup critical_params:^ConfigProposalSetup',
  ],
  ConfigProposal: ['cfg_proposal#f3 param_id:i32 param_value:?^cell if_hash_equal:?b256'],
  ConfigProposalStatus: [
    'cfg_proposal_status#ce expires:time proposal:^ConfigProposal is_critical:bool voters:dict(16,unit) remaining_weight:i64 validator_set_id:b256 rounds_remaining:u8 wins:u8 losses:u8',
  ],
  WorkchainFormatBasic: ['wfmt_basic#1 vm_version:i32 vm_mode:u64'],
  WorkchainFormatExt: [
    'wfmt_ext#0 min_addr_len:u12{64..} max_addr_len:u12{min_addr_len..1023} addr_len_step:u12{..1023} workchain_type_id:u32{1..}',
  ],
  WcSplitMergeTimings: [
    'wc_split_merge_timings#0 split_merge_delay:secs split_merge_interval:secs min_split_merge_interval:secs max_split_merge_delay:secs',
  ],
  WorkchainDescr: [
    'workchain#a6 enabled_since:time monitor_min_split:u8 min_split:u8{monitor_min_split..} max_split:u8{min_split..60} basic:u1 active:bool accept_msgs:bool flags:u13{0} zerostate_root_hash:b256 zerostate_file_hash:b256 version:u32 format:pick(basic,WorkchainFormatExt,WorkchainFormatBasic)',
    'workchain_v2#a7 enabled_since:time monitor_min_split:u8 min_split:u8{monitor_min_split..} max_split:u8{min_split..60} basic:u1 active:bool accept_msgs:bool flags:u13{0} zerostate_root_hash:b256 zerostate_file_hash:b256 version:u32 format:pick(basic,WorkchainFormatExt,WorkchainFormatBasic) split_merge_timings:WcSplitMergeTimings persistent_state_split_depth:u8{..63}',
  ],
  ComplaintPricing: ['complaint_prices#1a deposit:coins bit_price:coins cell_price:coins'],
  BlockCreateFees: ['block_grams_created#6b masterchain_block_fee:coins basechain_block_fee:coins'],
  StoragePrices: [
    'storage_prices#cc utime_since:time bit_price_ps:price cell_price_ps:price mc_bit_price_ps:price mc_cell_price_ps:price',
  ],
  GasLimitsPrices: [
    'gas_prices#dd gas_price:price gas_limit:u64 gas_credit:u64 block_gas_limit:u64 freeze_due_limit:nano delete_due_limit:nano',
    'gas_prices_ext#de gas_price:price gas_limit:u64 special_gas_limit:u64 gas_credit:u64 block_gas_limit:u64 freeze_due_limit:nano delete_due_limit:nano',
    'gas_flat_pfx#d1 flat_gas_limit:u64 flat_gas_price:nano other:GasLimitsPrices',
  ],
  ParamLimits: ['param_limits#c3 underload:u32 soft_limit:u32{underload..} hard_limit:u32{soft_limit..}'],
  ImportedMsgQueueLimits: ['imported_msg_queue_limits#d3 max_bytes:u32 max_msgs:u32'],
  BlockLimits: [
    'block_limits#5d bytes:ParamLimits gas:ParamLimits lt_delta:ParamLimits',
    'block_limits_v2#5e bytes:ParamLimits gas:ParamLimits lt_delta:ParamLimits collated_data:ParamLimits imported_msg_queue:ImportedMsgQueueLimits',
  ],
  MsgForwardPrices: [
    'msg_forward_prices#ea lump_price:nano bit_price:price cell_price:price ihr_price_factor:factor first_frac:frac16 next_frac:frac16',
  ],
  CatchainConfig: [
    'catchain_config#c1 mc_catchain_lifetime:secs{1..} shard_catchain_lifetime:secs{1..} shard_validators_lifetime:secs{1..} shard_validators_num:u32{1..}',
    'catchain_config_new#c2 flags:u7{0} shuffle_mc_validators:bool mc_catchain_lifetime:secs{1..} shard_catchain_lifetime:secs{1..} shard_validators_lifetime:secs{1..} shard_validators_num:u32{1..}',
  ],
  ConsensusConfig: [
    'consensus_config#d6 round_candidates:u32{1..} next_candidate_delay_ms:ms consensus_timeout_ms:ms fast_attempts:u32 attempt_duration:secs catchain_max_deps:u32 max_block_bytes:u32 max_collated_bytes:u32',
    'consensus_config_new#d7 flags:u7{0} new_catchain_ids:bool round_candidates:u8{1..} next_candidate_delay_ms:ms consensus_timeout_ms:ms fast_attempts:u32 attempt_duration:secs catchain_max_deps:u32 max_block_bytes:u32 max_collated_bytes:u32',
    'consensus_config_v3#d8 flags:u7{0} new_catchain_ids:bool round_candidates:u8{1..} next_candidate_delay_ms:ms consensus_timeout_ms:ms fast_attempts:u32 attempt_duration:secs catchain_max_deps:u32 max_block_bytes:u32 max_collated_bytes:u32 proto_version:u16',
    'consensus_config_v4#d9 flags:u6{0} use_quic:bool new_catchain_ids:bool round_candidates:u8{1..} next_candidate_delay_ms:ms consensus_timeout_ms:ms fast_attempts:u32 attempt_duration:secs catchain_max_deps:u32 max_block_bytes:u32 max_collated_bytes:u32 proto_version:u16 catchain_max_blocks_coeff:u32',
  ],
  NewConsensusConfig: [
    'simplex_config#21 flags:u7 use_quic:bool target_rate_ms:ms slots_per_leader_window:u32{1..} first_block_timeout_ms:ms max_leader_window_desync:u32',
    'simplex_config_v2#22 flags:u5 protocol_version:u2 use_quic:bool slots_per_leader_window:u32{1..} noncritical_params:dict(8,u32)',
  ],
  NewConsensusConfigAll: ['new_consensus_config_all#10 mc:?^NewConsensusConfig shard:?^NewConsensusConfig'],
  ValidatorTempKey: [
    'validator_temp_key#3 adnl_addr:b256 temp_public_key:SigPubKey seqno:u32 valid_until:time',
  ],
  ValidatorSignedTempKey: ['signed_temp_key#4 key:^ValidatorTempKey signature:CryptoSignature'],
  MisbehaviourPunishmentConfig: [
    'misbehaviour_punishment_config_v1#01 default_flat_fine:coins default_proportional_fine:frac32 severity_flat_mult:u16 severity_proportional_mult:u16 unpunishable_interval:u16 long_interval:u16 long_flat_mult:u16 long_proportional_mult:u16 medium_interval:u16 medium_flat_mult:u16 medium_proportional_mult:u16',
  ],
  SizeLimitsConfig: [
    'size_limits_config#01 max_msg_bits:u32 max_msg_cells:u32 max_library_cells:u32 max_vm_data_depth:u16 max_ext_msg_size:u32 max_ext_msg_depth:u16',
    'size_limits_config_v2#02 max_msg_bits:u32 max_msg_cells:u32 max_library_cells:u32 max_vm_data_depth:u16 max_ext_msg_size:u32 max_ext_msg_depth:u16 max_acc_state_cells:u32 max_mc_acc_state_cells:u32 max_acc_public_libraries:u32 defer_out_queue_size_limit:u32 max_msg_extra_currencies:u32 max_acc_fixed_prefix_length:u8 acc_state_cells_for_storage_dict:u32 max_transaction_library_loads:?u32',
    'size_limits_config_v3#03 max_msg_bits:u32 max_msg_cells:u32 max_library_cells:u32 max_vm_data_depth:u16 max_ext_msg_size:u32 max_ext_msg_depth:u16 max_acc_state_cells:u32 max_mc_acc_state_cells:u32 max_acc_public_libraries:u32 defer_out_queue_size_limit:u32 max_msg_extra_currencies:u32 max_acc_fixed_prefix_length:u8 acc_state_cells_for_storage_dict:u32 max_transaction_library_loads:?u32 max_total_msg_bits:u32 max_total_msg_cells:u32',
  ],
  SuspendedAddressList: ['suspended_address_list#00 addresses:dict(288,unit) suspended_until:time'],
  PrecompiledSmc: ['precompiled_smc#b0 gas_usage:u64'],
  PrecompiledContractsConfig: ['precompiled_contracts_config#c0 list:dict(256,PrecompiledSmc)'],
  OracleBridgeParams: [
    'oracle_bridge_params bridge_address:mc oracle_multisig_address:mc oracles:dict(256,b256) external_chain_address:b256',
  ],
  JettonBridgePrices: [
    'jetton_bridge_prices bridge_burn_fee:coins bridge_mint_fee:coins wallet_min_tons_for_storage:coins wallet_gas_consumption:coins minter_min_tons_for_storage:coins discover_gas_consumption:coins',
  ],
  JettonBridgeParams: [
    'jetton_bridge_params_v0#00 bridge_address:mc oracles_address:mc oracles:dict(256,b256) state_flags:u8 burn_bridge_fee:coins',
    'jetton_bridge_params_v1#01 bridge_address:mc oracles_address:mc oracles:dict(256,b256) state_flags:u8 prices:^JettonBridgePrices external_chain_address:b256',
  ],
};

let compiled: ReadonlyMap<string, SchemaDefinition> | undefined;

/** Every named type; a parameter of the configuration is `ConfigParam20`. Compiled on first use. */
export function chainSchema(): ReadonlyMap<string, SchemaDefinition> {
  return (compiled ??= new Map(
    [
      ...Object.entries(texts),
      ...[...configParameters].map(([id, { layout }]): [string, string[]] => [`ConfigParam${id}`, [layout]]),
    ].map(([name, forms]) => [name, definition(forms)]),
  ));
}

function definition(forms: readonly string[]): SchemaDefinition {
  const alias = forms[0]?.startsWith('= ') ? forms[0].slice(2) : undefined;
  return alias === undefined ? { constructors: forms.map(parseConstructor) } : { alias: parseType(alias) };
}
