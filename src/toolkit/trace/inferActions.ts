import type { V3Message } from '../api/v3Objects';
import type { DecodedBody } from '../contracts/opcodes/decodedBody';
import { addressOf, integerOf, walletChangeText, walletChanges } from '../contracts/opcodes/decodedBody';
import { opcodeHex, opcodes } from '../contracts/opcodes/opcodes';
import { commentText, formatUnits, visibleText } from '../base/text';
import type { ToldAction } from './actionWords';
import { actionWords, tickTockWords } from './actionWords';
import type { TraceModel, TraceNode } from './traceModel';
import { nftMintOf } from './nftMint';
import type { NamedTraceAction } from './traceActionNodes';
import { namedTraceActions } from './traceActionNodes';
import type { TraceContext } from './traceContext';
import { unsentOrders } from './unsentOrders';

/** Messages that merely follow from others: not actions themselves. */
const consequences: ReadonlySet<string> = new Set([
  'jetton_internal_transfer',
  'jetton_notify',
  'jetton_burn_notification',
  'excess',
  'take_wallet_address',
  'nft_report_static_data',
  'nft_report_royalty_params',
  'sbt_ownership_proof',
  'sbt_owner_info',
  'vesting_add_whitelist_response',
  'vesting_send_response',
  'multisig_approve_accepted',
  'multisig_approve_rejected',
  'multisig_execute_internal',
]);

/** The table's name of a message; undefined if unknown. */
const kindOf = (code: number | undefined): string | undefined =>
  code === undefined ? undefined : opcodes.get(code)?.name;

/**
 * The actions of a trace not classified by the service: those of protocols that are known by their messages, else what
 * each message is by the built-in table.
 */
export function inferActions(context: TraceContext): ToldAction[] {
  const actions: ToldAction[] = [];
  const byFirst = new Map<TraceNode, NamedTraceAction>();
  const told = new Set<TraceNode>();
  for (const action of namedTraceActions(context)) {
    action.nodes.forEach((node) => told.add(node));
    byFirst.set(action.nodes[0] as TraceNode, action);
  }
  for (const node of context.model.nodes) {
    const named = byFirst.get(node);
    const action =
      named !== undefined
        ? protocolAction(named, context)
        : told.has(node)
          ? undefined
          : inferAction(node, context);
    if (action !== undefined) {
      actions.push(action);
    }
    actions.push(...changeActions(node, context));
    actions.push(...unsentOrders(node, context).flatMap((order) => unsentAction(node, order, context)));
  }
  return actions.length > 0 ? actions : fallback(context);
}

/** What a protocol's messages did, in the words for the service's own actions. */
function protocolAction(action: NamedTraceAction, context: TraceContext): ToldAction {
  const { type, details, success } = action;
  return {
    ...actionWords({ type, details, success }, context),
    nodes: action.nodes.map(({ index }) => index),
    inferred: true,
  };
}

/** Why a message's outcome is unknown. */
function untold(node: TraceNode, { state }: TraceModel): string {
  if (node.isCarried) {
    return 'outcome unknown';
  }
  return state === 'pending' ? 'not yet received' : 'not in the answer';
}

function inferAction(node: TraceNode, context: TraceContext): ToldAction | undefined {
  const message = node.message;
  if (message == null) {
    return node.transaction?.description?.type === 'tick_tock' ? tickTock(node, context) : undefined;
  }
  if (message.source == null || message.bounced === true || message.destination == null) {
    return undefined;
  }
  const code = context.opcode(message);
  const success = node.outcome === 'ok' || node.outcome === 'partial' || node.outcome === 'notRun';
  const words = wordsOf(node, message, code, context);
  if (words === undefined) {
    return undefined;
  }
  const whole = success && !hasFailedConsequence(node);
  return {
    type: words.type,
    words: node.outcome === 'unknown' ? `${words.text} (${untold(node, context.model)})` : words.text,
    success: whole,
    nodes: [node.index],
    inferred: true,
    received: words.received,
  };
}

/** What a request to a wallet changes in it: who may give it orders says more than anything that it sends. */
function changeActions(node: TraceNode, context: TraceContext): ToldAction[] {
  const { message, account, outcome } = node;
  const changes =
    message == null || message.bounced === true || account === undefined
      ? []
      : walletChanges(context.body(message));
  return changes.map((change) => ({
    type: 'wallet_change',
    words: `${party(account, context)} ${walletChangeText(change, (one) => context.name(one))}`,
    success: outcome === 'ok' || outcome === 'partial',
    nodes: [node.index],
    inferred: true,
  }));
}

/** An order to a wallet that was not sent: its text, as not done. */
function unsentAction(node: TraceNode, order: TraceNode, context: TraceContext): ToldAction[] {
  const { message } = order;
  const words = message == null ? undefined : wordsOf(order, message, context.opcode(message), context);
  return words === undefined
    ? []
    : [
        {
          type: words.type,
          words: `${words.text} (not sent)`,
          success: false,
          nodes: [node.index],
          inferred: true,
        },
      ];
}

/** A jetton transfer whose second half failed did not happen, even if its first half succeeded. */
function hasFailedConsequence(node: TraceNode): boolean {
  return node.children.some((child) => child.outcome === 'failed' && child.message?.bounce === true);
}

interface Words extends Pick<ToldAction, 'received'> {
  type: string;
  text: string;
}

function wordsOf(
  node: TraceNode,
  message: V3Message,
  code: number | undefined,
  context: TraceContext,
): Words | undefined {
  switch (kindOf(code)) {
    case 'jetton_transfer':
      return jettonTransfer(node, message, context);
    case 'jetton_burn':
      return {
        type: 'jetton_burn',
        text: `jetton burn ${jettonAmount(node.account, message, 'amount', context)} by ${party(holder(node, message, context), context)}`,
      };
    case 'jetton_mint':
      return jettonMint(node, message, context);
    case 'nft_transfer':
      return {
        type: 'nft_transfer',
        text: `NFT transfer ${party(node.account, context)}, ${route(message.source, addressOf(context.body(message), 'new_owner'), context)}${comment(message, context)}`,
      };
    case 'nft_ownership_assigned':
      return nftAssigned(node, message, context);
    default:
      return isConsequence(node, code) || orderedMint(node, context)
        ? undefined
        : (nftMint(node, context) ?? plain(node, message, code, context));
  }
}

/** A consequence without its cause in the trace does count as an action: a minter may send transfers unprompted. */
function isConsequence(node: TraceNode, code: number | undefined): boolean {
  return consequences.has(kindOf(code) ?? '') && node.parent !== undefined;
}

function jettonTransfer(node: TraceNode, message: V3Message, context: TraceContext): Words {
  const receiver = addressOf(context.body(message), 'destination');
  const amount = jettonAmount(node.account, message, 'amount', context);
  const units = integerOf(context.body(message), 'amount');
  const master = node.account === undefined ? undefined : context.jettonWallet(node.account)?.master;
  const isKnown = receiver !== undefined && units !== undefined && master !== undefined;
  return {
    type: 'jetton_transfer',
    ...(isKnown && { received: { to: receiver, amount: units, master } }),
    text: `jetton transfer ${amount}, ${route(holder(node, message, context), receiver, context)}${comment(message, context)}`,
  };
}

/** Whose jettons a wallet is told to move: its commander's, unless a master does so by force. */
function holder(node: TraceNode, { source }: V3Message, context: TraceContext): string | null | undefined {
  const wallet = node.account === undefined ? undefined : context.jettonWallet(node.account);
  const isForced = source != null && source === wallet?.master;
  return isForced ? (wallet.owner ?? source) : source;
}

function jettonMint(node: TraceNode, message: V3Message, context: TraceContext): Words {
  const body = context.body(message);
  const sent = node.children.find(
    (child) => child.message != null && kindOf(context.opcode(child.message)) === 'jetton_internal_transfer',
  );
  const wallet = sent?.account === undefined ? undefined : context.jettonWallet(sent.account);
  // Minters name the fields of their own messages as they like; the wallet that got the jettons has an owner.
  const receiver = addressOf(body, 'to_address') ?? wallet?.owner ?? onlyAddress(body);
  const amount =
    sent?.message == null ? '' : ` ${jettonAmount(sent.account, sent.message, 'amount', context)}`;
  return { type: 'jetton_mint', text: `jetton mint${amount} to ${party(receiver, context)}` };
}

/** The only account that a body names. */
function onlyAddress(body: DecodedBody | undefined): string | undefined {
  const named = (body?.fields ?? []).flatMap(({ value }) =>
    value.type === 'address' && value.value !== undefined ? [value.value] : [],
  );
  return named.length === 1 ? named[0] : undefined;
}

/** Whether the collection was told to mint: then that is the action. */
function orderedMint(node: TraceNode, context: TraceContext): boolean {
  return node.children.some((child) => nftMintOf(child, context) !== undefined);
}

/** An item that changes hands on its own (it was bought directly, its auction ended) only notifies its new owner. */
function nftAssigned(node: TraceNode, message: V3Message, context: TraceContext): Words | undefined {
  const item = node.parent;
  const order = item?.message;
  const isTold =
    (order != null && kindOf(context.opcode(order)) === 'nft_transfer') ||
    (item !== undefined && nftMintOf(item, context) !== undefined);
  const before = addressOf(context.body(message), 'prev_owner');
  if (isTold || before === node.account) {
    return undefined;
  }
  return {
    type: 'nft_transfer',
    text: `NFT transfer ${party(message.source, context)}, ${route(before, node.account, context)}${comment(message, context)}`,
  };
}

function nftMint(node: TraceNode, context: TraceContext): Words | undefined {
  const mint = nftMintOf(node, context);
  if (mint === undefined) {
    return undefined;
  }
  const item = mint.index === undefined ? '' : `item #${mint.index} `;
  const owner = mint.owner === undefined ? '' : ` to ${party(mint.owner, context)}`;
  return {
    type: 'nft_mint',
    text: `NFT mint ${party(node.account, context)}, ${item}of ${party(mint.collection, context)}${owner}`,
  };
}

function plain(
  node: TraceNode,
  message: V3Message,
  code: number | undefined,
  context: TraceContext,
): Words | undefined {
  const value = message.value == null ? 'an unknown amount' : context.coins(message.value);
  const path = route(message.source, message.destination, context);
  const before = node.transaction?.orig_status;
  if (message.init_state != null && before !== 'active' && node.transaction?.end_status === 'active') {
    const call = code === undefined || code === 0 ? '' : `, calling ${context.messageName(message)}`;
    return {
      type: 'contract_deploy',
      text: `deploy ${party(node.account, context)} with ${value} from ${party(message.source, context)}${call}`,
    };
  }
  const isEncrypted = kindOf(code) === 'encrypted_comment';
  if (code === undefined || code === 0 || isEncrypted) {
    const note = isEncrypted ? ', encrypted comment' : comment(message, context);
    const { value: amount, destination: to } = message;
    return {
      type: 'ton_transfer',
      text: `transfer ${value}, ${path}${note}`,
      ...(amount != null && to != null && { received: { to, amount } }),
    };
  }
  // Messages further down belong to the initial call.
  const begins = node.depth <= 1 || (message.source != null && context.isWallet(message.source));
  if (!begins) {
    return undefined;
  }
  const name = context.messageName(message);
  const shown =
    name === opcodeHex(code) ? name : `${name} (${context.declaredCode(message) ?? opcodeHex(code)})`;
  return {
    type: 'call_contract',
    text: `call ${party(node.account, context)}: ${shown} with ${value}, from ${party(message.source, context)}`,
  };
}

function tickTock(node: TraceNode, context: TraceContext): ToldAction {
  return {
    type: 'tick_tock',
    words: tickTockWords(node, context),
    success: node.outcome === 'ok',
    nodes: [node.index],
    inferred: true,
  };
}

/** A trace with only a root: an external message that sent nothing, or a transaction without messages. */
function fallback(context: TraceContext): ToldAction[] {
  const root = context.model.roots[0];
  if (root === undefined) {
    return [];
  }
  const type = root.transaction?.description?.type ?? 'transaction';
  const external = root.message != null && root.message.source == null;
  return [
    {
      type: external ? 'call_contract' : type,
      words: external
        ? `external message to ${party(root.account, context)}, which sent nothing`
        : `${visibleText(type.replaceAll('_', ' '), 40)} at ${party(root.account, context)}`,
      success: root.outcome === 'ok',
      nodes: [root.index],
      inferred: true,
    },
  ];
}

function jettonAmount(
  wallet: string | undefined,
  message: V3Message,
  field: string,
  context: TraceContext,
): string {
  const amount = integerOf(context.body(message), field);
  if (amount === undefined) {
    return 'of an unknown amount';
  }
  const master = wallet === undefined ? undefined : context.jettonWallet(wallet)?.master;
  if (master === undefined) {
    return `${formatUnits(amount, 0)} units`;
  }
  return context.jettonAmount(amount, master);
}

function route(
  from: string | null | undefined,
  to: string | null | undefined,
  context: TraceContext,
): string {
  return `${party(from, context)} → ${party(to, context)}`;
}

function party(account: string | null | undefined, context: TraceContext): string {
  return account == null ? 'an unknown account' : context.name(account);
}

function comment(message: V3Message, context: TraceContext): string {
  const text = context.comment(message);
  return text === undefined || text === '' ? '' : commentText(text, 80);
}
