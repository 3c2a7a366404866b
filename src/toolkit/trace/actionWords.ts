import type { V3Message } from '../api/v3Objects';
import type { V3Action } from '../api/v3Traces';
import { ownValue } from '../base/collections';
import { opcodeHex, opcodeNumber } from '../contracts/opcodes/opcodes';
import { commentText, visibleText } from '../base/text';
import { formatInteger } from './figures';
import { partsOfAction } from './partsOfAction';
import type { TraceContext } from './traceContext';
import { accountIn, amountIn } from './traceKeys';
import type { TraceNode } from './traceModel';

type Details = Readonly<Record<string, unknown>>;

/** An action classified by the service, as text. Kinds without a phrase are described by their parts. */
export function actionWords(action: V3Action, context: TraceContext): ToldAction {
  const type = typeof action.type === 'string' ? action.type : 'unknown';
  const details = isRecord(action.details) ? action.details : {};
  const nodes = nodesOf(action, context);
  const reader = new Reader(details, context, nodes);
  // The service reports only their transaction.
  const called = type === 'tick_tock' ? context.model.nodes[nodes[0] ?? -1] : undefined;
  const words =
    called === undefined
      ? (ownValue(describe, type)?.(reader) ?? partsOfAction(type, details, context))
      : tickTockWords(called, context);
  return {
    type,
    words,
    success: action.success !== false,
    nodes,
    inferred: false,
    received: receivedOf(type, reader),
  };
}

function receivedOf(type: string, a: Reader): ToldAction['received'] {
  const isJetton = type === 'jetton_transfer';
  const to = isJetton ? a.text('receiver') : type === 'ton_transfer' ? a.text('destination') : undefined;
  const amount = amountIn(a.text(isJetton ? 'amount' : 'value'));
  const master = isJetton ? a.text('asset') : undefined;
  return to === undefined || amount === undefined || (isJetton && master === undefined)
    ? undefined
    : { to: accountIn(to), amount, ...(master !== undefined && { master: accountIn(master) }) };
}

/** The transactions of an action, by position in the model. */
function nodesOf(action: V3Action, context: TraceContext): number[] {
  return (action.transactions ?? []).flatMap((hash) => {
    const node = context.model.byHash.get(hash);
    return node === undefined ? [] : [node.index];
  });
}

/** Reads the loosely typed details of an action. */
class Reader {
  constructor(
    readonly details: Details,
    readonly context: TraceContext,
    /** The transactions of the action, by position in the model. */
    readonly nodes: readonly number[],
  ) {}

  text(key: string): string | undefined {
    const value = this.details[key];
    return typeof value === 'string' && value !== '' ? value : undefined;
  }

  who(key: string): string {
    const account = this.text(key);
    return account === undefined ? 'an unknown account' : this.context.name(accountIn(account));
  }

  coins(key: string): string {
    const value = amountIn(this.text(key));
    return value === undefined ? `? ${this.context.coin}` : this.context.coins(value);
  }

  /** An amount of an asset; without an asset it is the coin. */
  asset(amountKey: string, assetKey: string): string {
    return this.assetOf(this.text(amountKey), this.text(assetKey));
  }

  assetOf(amountText: string | undefined, assetText: string | undefined): string {
    const amount = amountIn(amountText);
    if (amount === undefined) {
      return 'an unknown amount';
    }
    if (assetText === undefined) {
      return this.context.coins(amount);
    }
    return this.context.jettonAmount(amount, accountIn(assetText));
  }

  route(from: string, to: string): string {
    return `${this.who(from)} → ${this.who(to)}`;
  }

  comment(): string {
    if (this.details.encrypted === true || this.details.is_encrypted_comment === true) {
      return ', encrypted comment';
    }
    const comment = this.text('comment');
    return comment === undefined ? '' : commentText(comment, 80);
  }

  /** The name of the message with this opcode; the opcode itself if it is not known. */
  opcode(): string {
    const text = this.text('opcode');
    const code = opcodeNumber(text);
    if (code === undefined) {
      return visibleText(text ?? 'no opcode', 40);
    }
    const name = this.nodes
      .map((index) => this.context.model.nodes[index]?.message)
      .filter((message) => message != null && this.context.opcode(message) === code)
      .map((message) => this.context.messageName(message as V3Message))[0];
    const hex = opcodeHex(code);
    return name ?? hex;
  }

  part(key: string): Reader {
    const part = this.details[key];
    return new Reader(isRecord(part) ? part : {}, this.context, this.nodes);
  }
}

const nftTransfer = (a: Reader): string =>
  `NFT transfer ${a.who('nft_item')}, ${a.route('old_owner', 'new_owner')}${a.comment()}`;

/**
 * A pool's stakes and payouts are in coins (`amount`, or in `source_asset` if it takes a jetton); `asset` is its own
 * token, minted for a stake and burned for a withdrawal.
 */
const stake =
  (verb: string) =>
  (a: Reader): string => {
    const tokens = a.text('tokens_minted') ?? a.text('tokens_burnt');
    const own = a.text('asset');
    const inTokens = own === undefined ? `${amountText(tokens)} tokens of the pool` : a.assetOf(tokens, own);
    const inCoins = a.text('amount') === undefined ? undefined : a.asset('amount', 'source_asset');
    const sum = inCoins ?? (tokens === undefined ? 'an unknown amount' : inTokens);
    const rate = inCoins === undefined || tokens === undefined ? '' : ` for ${inTokens}`;
    return `${verb} ${sum}${rate} by ${a.who('stake_holder')}, pool ${a.who('pool')}`;
  };

function amountText(text: string | undefined): string {
  const amount = amountIn(text);
  return amount === undefined ? '?' : formatInteger(amount);
}

/** What somebody did at a pool with an amount of an asset. */
const atPool =
  (verb: string, who: string, pool: string) =>
  (a: Reader): string =>
    `${verb} ${a.asset('amount', 'asset')} by ${a.who(who)}, pool ${a.who(pool)}`;

const at = (a: Reader): string => {
  const dex = a.text('dex');
  const pool = a.text('pool');
  return `${pool === undefined ? '' : `, pool ${a.who('pool')}`}${dex === undefined ? '' : ` on ${visibleText(dex, 40)}`}`;
};

const describe: Readonly<Partial<Record<string, (action: Reader) => string>>> = {
  ton_transfer: (a) => `transfer ${a.coins('value')}, ${a.route('source', 'destination')}${a.comment()}`,
  jetton_transfer: (a) =>
    `jetton transfer ${a.asset('amount', 'asset')}, ${a.route('sender', 'receiver')}${a.comment()}`,
  jetton_mint: (a) => `jetton mint ${a.asset('amount', 'asset')} to ${a.who('receiver')}`,
  jetton_burn: (a) => `jetton burn ${a.asset('amount', 'asset')} by ${a.who('owner')}`,
  jetton_swap: swapWords,
  nft_transfer: nftTransfer,
  nft_purchase: (a) =>
    `NFT purchase ${a.who('nft_item')} for ${a.coins('price')}, ${a.route('old_owner', 'new_owner')}`,
  nft_mint: (a) =>
    `NFT mint ${a.who('nft_item')}${a.text('owner') === undefined ? '' : ` by ${a.who('owner')}`}`,
  contract_deploy: (a) =>
    `deploy ${a.who('destination')}${a.text('value') === undefined ? '' : ` with ${a.coins('value')}`}${a.text('source') === undefined ? '' : ` from ${a.who('source')}`}`,
  call_contract: (a) =>
    `call ${a.who('destination')}: ${a.opcode()}${a.text('value') === undefined ? '' : ` with ${a.coins('value')}`}, from ${a.who('source')}`,
  tick_tock: () => 'tick-tock',
  auction_bid: (a) => `auction bid ${a.coins('amount')} on ${a.who('nft_item')} by ${a.who('bidder')}`,
  stake_deposit: stake('stake'),
  stake_withdrawal: stake('withdraw stake'),
  stake_withdrawal_request: stake('ask to withdraw stake'),
  election_deposit: (a) => `election deposit ${a.coins('amount')} by ${a.who('stake_holder')}`,
  election_recover: (a) =>
    `election stake recovered${a.text('amount') === undefined ? '' : `: ${a.coins('amount')}`} by ${a.who('stake_holder')}`,
  subscribe: (a) => `subscribe ${a.who('subscriber')} to ${a.who('subscription')} for ${a.coins('amount')}`,
  unsubscribe: (a) => `unsubscribe ${a.who('subscriber')} from ${a.who('subscription')}`,
  change_dns: (a) => `change DNS record of ${a.who('asset')} by ${a.who('source')}`,
  delete_dns: (a) => `delete DNS record of ${a.who('asset')} by ${a.who('source')}`,
  renew_dns: (a) => `renew ${a.who('asset')} by ${a.who('source')}`,
  dex_deposit_liquidity: (a) => `deposit liquidity ${sides(a)} by ${a.who('source')}${at(a)}`,
  dex_withdraw_liquidity: (a) => `withdraw liquidity ${sides(a)} by ${a.who('source')}${at(a)}`,
  evaa_supply: (a) => `supply ${a.asset('amount', 'asset')} to EVAA by ${a.who('source')}`,
  evaa_withdraw: (a) => `withdraw ${a.asset('amount', 'asset')} from EVAA by ${a.who('source')}`,
  jvault_stake: atPool('stake', 'source', 'pool'),
  jvault_unstake: atPool('unstake', 'source', 'pool'),
  jvault_unstake_request: atPool('ask to unstake', 'source', 'pool'),
  jvault_claim: (a) => `claim rewards of pool ${a.who('pool')} by ${a.who('source')}`,
  coffee_staking_deposit: atPool('stake', 'source', 'pool'),
  coffee_staking_withdraw: atPool('unstake', 'source', 'pool'),
  coffee_staking_claim_rewards: atPool('claim rewards', 'recipient', 'pool'),
  coffee_create_pool: (a) => `create pool ${a.who('pool')} with ${sides(a)} by ${a.who('source')} on coffee`,
  coffee_create_vault: (a) => `create vault ${a.who('vault')} by ${a.who('source')} on coffee`,
  tonco_deploy_pool: (a) => `create pool ${a.who('pool')} by ${a.who('source')} on tonco`,
  tgbtc_mint: (a) => `tgBTC mint ${a.asset('amount', 'asset')} to ${a.who('destination')}`,
  tgbtc_burn: (a) => `tgBTC burn ${a.asset('amount', 'asset')} by ${a.who('source')}`,
  layerzero_send: (a) => `LayerZero ${packet(a)}, sent by ${a.who('initiator')}`,
  layerzero_send_tokens: (a) =>
    `LayerZero transfer ${a.asset('amount', 'asset')} by ${a.who('sender')}, ${packet(a)}`,
  layerzero_receive: (a) => `LayerZero ${packet(a)}, received by ${a.who('oapp')}`,
  layerzero_commit_packet: (a) => `LayerZero ${packet(a)}, committed by ${a.who('sender')}`,
  layerzero_dvn_verify: (a) => `LayerZero verification by ${a.who('dvn')}`,
  vesting_add_whitelist: (a) => `vesting ${a.who('vesting')} allows more accounts, by ${a.who('source')}`,
  multisig_create_order: (a) =>
    `multisig order ${visibleText(a.text('order_seqno') ?? '?', 40)} created by ${a.who('source')}`,
  multisig_approve: (a) => `multisig order ${a.who('destination')} approved by ${a.who('source')}`,
  multisig_execute: (a) => `multisig order ${visibleText(a.text('order_seqno') ?? '?', 40)} executed`,
  vesting_send_message: (a) =>
    `vesting ${a.who('vesting')} sends ${a.coins('amount')} to ${a.who('destination')}`,
};

function swapWords(a: Reader): string {
  const given = a.part('dex_incoming_transfer');
  const got = a.part('dex_outgoing_transfer');
  const receiver = got.text('destination');
  const amounts = { given: given.asset('amount', 'asset'), got: got.asset('amount', 'asset') };
  if (given.text('asset') === got.text('asset')) {
    const dex = a.text('dex');
    const where = dex === undefined ? '' : ` on ${visibleText(dex, 40)}`;
    return `swap of ${amounts.given} by ${a.who('sender')}${where}: ${amounts.got} given back`;
  }
  return swapText({
    ...amounts,
    by: a.who('sender'),
    to: receiver === undefined || receiver === a.text('sender') ? undefined : got.who('destination'),
    dex: a.text('dex'),
  });
}

/** An amount of one of two assets of a pool, where it is known. */
function sides(a: Reader): string {
  const known = [1, 2].filter((side) => a.text(`amount_${side}`) !== undefined);
  return known.map((side) => a.asset(`amount_${side}`, `asset_${side}`)).join(' and ') || 'liquidity';
}

function packet(a: Reader): string {
  const own = a.part('layerzero_packet_data');
  const [from, to] = [own.details.src_eid, own.details.dst_eid].map((one) =>
    typeof one === 'number' ? String(one) : '?',
  );
  return `packet from endpoint ${from} to ${to}`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** One thing that a trace did, as text. */
export interface TraceAction {
  /** The service's name of the kind: jetton_transfer, call_contract, …. */
  type: string;
  /** `jetton transfer 25 USD₮, alice → bob, comment "rent"`. Made visible. */
  words: string;
  success: boolean;
  /** ✓ done, ✗ failed, ◌ in no block (yet), ? unknown. */
  symbol: string;
  /** Its transactions, as indexes of {@link TraceModel.nodes}. */
  nodes: number[];
  /** Inferred from the messages, because the answer has no actions. */
  inferred: boolean;
  /** What a transfer brought to whom (raw): nanocoins, or base units of the jetton of `master`. */
  received?: { to: string; amount: bigint; master?: string } | undefined;
}

/** An action before its symbol is determined. */
export type ToldAction = Omit<TraceAction, 'symbol'>;

/** Many plain transfers of one account, as one fact. */
export interface TransferSum {
  count: number;
  /** Nanocoins. */
  total: bigint;
  /** Raw, lowercase hex. */
  from: string;
  /** Raw, lowercase hex. */
  to: ReadonlySet<string>;
}

/** Fewer are told one by one. */
const fewest = 3;

/**
 * A trace that begins with many payments of one account, to one or to several: all plain transfers by the sender of the first one that ended
 * as it did. Undefined if it begins with something else, or if an amount is unknown.
 */
export function sumTransfers(
  actions: readonly TraceAction[],
  { model }: TraceContext,
): TransferSum | undefined {
  const messageOf = ({ type, nodes }: TraceAction) =>
    type === 'ton_transfer' && nodes.length === 1 ? model.nodes[nodes[0] ?? -1]?.message : undefined;
  const [first] = actions;
  const from = first === undefined ? undefined : messageOf(first)?.source;
  if (first === undefined || from == null) {
    return undefined;
  }
  let [count, total] = [0, 0n];
  const to = new Set<string>();
  for (const action of actions) {
    const message = messageOf(action);
    if (message?.source === from && action.symbol === first.symbol) {
      if (message.value == null || message.destination == null) {
        return undefined;
      }
      count += 1;
      total += message.value;
      to.add(message.destination);
    }
  }
  return count < fewest ? undefined : { count, total, from, to };
}

/** `tock of elector`: the call that a special masterchain account gets in every block. */
export function tickTockWords(node: TraceNode, context: TraceContext): string {
  const kind = node.transaction?.description?.is_tock === true ? 'tock' : 'tick';
  return `${kind} of ${node.account === undefined ? 'nobody' : context.name(node.account)}`;
}

/** Amounts with their units, accounts by name. */
interface ToldSwap {
  given: string;
  got: string;
  by: string;
  /** Who was paid, if not the one who gave. */
  to: string | undefined;
  dex: string | undefined;
}

/** `swap 100 TKA for 246.787559 TKB by alice on stonfi`, whoever says that it was one. */
function swapText({ given, got, by, to, dex }: ToldSwap): string {
  const where = dex === undefined ? '' : ` on ${visibleText(dex, 24)}`;
  return `swap ${given} for ${got} by ${by}${to === undefined ? '' : `, paid to ${to}`}${where}`;
}
