import { upperHex } from '../address/hash';
import { opcodeHex } from '../contracts/opcodes/opcodes';
import type { ActionFacts, ActionMatcher, ActionNode, NamedAction } from './actionNode';
import { readLayout } from './actionNode';
import { cocoonMatchers } from './cocoonMatchers';
import { coffeeMatchers } from './coffeeMatchers';
import { coffeeStakingMatchers } from './coffeeStakingMatchers';
import { contractMatchers } from './contractMatchers';
import { dedustMatchers } from './dedustMatchers';
import { evaaMatchers } from './evaaMatchers';
import { jvaultMatchers } from './jvaultMatchers';
import { layerzeroMatchers } from './layerzeroMatchers';
import { stakingMatchers } from './stakingMatchers';
import { stonfiMatchers } from './stonfiMatchers';
import { stonfiLiquidityMatchers } from './stonfiLiquidityMatchers';
import { tgbtcMatchers } from './tgbtcMatchers';
import {
  encryptedComment,
  loadComment,
  loadEncrypted,
  mintOrderMatcher,
  nftMint,
  textComment,
  tokenMatchers,
} from './tokenMatchers';
import { toncoMatchers } from './toncoMatchers';

/** All protocols. Where two matchers fit the same messages, the first one counts. */
const matchers: readonly ActionMatcher[] = [
  ...stonfiMatchers,
  ...stonfiLiquidityMatchers,
  ...dedustMatchers,
  ...toncoMatchers,
  ...coffeeMatchers,
  ...coffeeStakingMatchers,
  ...stakingMatchers,
  ...jvaultMatchers,
  ...evaaMatchers,
  ...tgbtcMatchers,
  ...layerzeroMatchers,
  ...cocoonMatchers,
  ...contractMatchers,
];

const byOpcode = indexOf(matchers);
const tokensByOpcode = indexOf(tokenMatchers);
const tokensWithoutOrders = indexOf(tokenMatchers.filter((matcher) => matcher !== mintOrderMatcher));

function indexOf(list: readonly ActionMatcher[]): Matchers {
  const index = new Map<number, ActionMatcher[]>();
  for (const matcher of list) {
    for (const opcode of matcher.opcodes) {
      index.set(opcode, [...(index.get(opcode) ?? []), matcher]);
    }
  }
  return index;
}

/**
 * The actions of protocols that are known by their messages: swaps, liquidity, stakes, loans, …. Each message belongs to
 * one action at most; what fits no protocol is left. One pass over the messages.
 *
 * @param nodes each after the one that sent it
 */
export function namedActions(nodes: Iterable<ActionNode>, facts: ActionFacts): NamedAction[] {
  return matchAll(nodes, facts, byOpcode, new Set());
}

/**
 * All actions: those of protocols, then transfers of jettons and items, mints, burns, changes of names, deployments,
 * transfers of coins; anything else is `call_contract`. In the order of their first messages.
 *
 * @param nodes each after the one that sent it
 * @param options `mintOrdersApart`: the order to a minter is a call of its own, beside the mint that it begins
 */
export function allActions(
  nodes: readonly ActionNode[],
  facts: ActionFacts,
  { mintOrdersApart = false }: { mintOrdersApart?: boolean } = {},
): NamedAction[] {
  const taken = new Set<ActionNode>();
  const found = [
    ...matchAll(nodes, facts, byOpcode, taken),
    ...matchAll(nodes, facts, mintOrdersApart ? tokensWithoutOrders : tokensByOpcode, taken),
  ];
  for (const node of nodes) {
    const action = taken.has(node) || node.isBounced ? undefined : plainAction(node, facts);
    if (action !== undefined) {
      action.nodes.forEach((one) => taken.add(one));
      found.push(action);
    }
  }
  const places = new Map(nodes.map((node, index) => [node, index]));
  const placeOf = ({ nodes: [first] }: NamedAction): number =>
    first === undefined ? -1 : (places.get(first) ?? -1);
  return found.sort((one, other) => placeOf(one) - placeOf(other));
}

type Matchers = ReadonlyMap<number, readonly ActionMatcher[]>;

function matchAll(
  nodes: Iterable<ActionNode>,
  facts: ActionFacts,
  of: Matchers,
  taken: Set<ActionNode>,
): NamedAction[] {
  const found: NamedAction[] = [];
  for (const node of nodes) {
    // What comes from outside tells a wallet what to send: its first bits are no opcode.
    const isCall = !node.isBounced && node.source !== undefined && node.opcode !== undefined;
    const candidates = isCall ? of.get(node.opcode) : undefined;
    for (const matcher of candidates ?? []) {
      const action = taken.has(node) ? undefined : matcher.match(node, facts);
      if (action !== undefined && !action.nodes.some((one) => taken.has(one))) {
        action.nodes.forEach((one) => taken.add(one));
        found.push(action);
      }
    }
  }
  return found;
}

/**
 * A wallet told from outside to send something does nothing else: the messages it sends are the actions. Until one of
 * them is received, all that is known is that the wallet was called.
 */
function plainAction(node: ActionNode, facts: ActionFacts): NamedAction | undefined {
  const { source, account, value, opcode } = node;
  if (source === undefined && node.children.length > 0) {
    return undefined;
  }
  const place = { source: source ?? null, destination: account ?? null, value };
  const called = {
    opcode: opcode === undefined ? null : opcodeHex(opcode),
    ...place,
    extra_currencies: {},
  };
  const mint = nftMint(node, facts);
  if (mint !== undefined) {
    return mint;
  }
  if (node.isDeploy) {
    return { type: 'contract_deploy', details: called, nodes: [node], success: node.isDone };
  }
  const isComment = opcode === textComment || opcode === encryptedComment;
  if (source !== undefined && (isComment || isEmpty(node))) {
    const load = opcode === textComment ? loadComment : loadEncrypted;
    return {
      type: 'ton_transfer',
      details: {
        ...place,
        value_extra_currencies: {},
        comment: (isComment ? readLayout(node.body, load) : undefined) ?? null,
        encrypted: opcode === encryptedComment,
      },
      nodes: [node],
      // Without a contract nothing runs, and the value stays there.
      success: node.isDone || node.hasSentNothing,
    };
  }
  return {
    type: 'call_contract',
    details: called,
    nodes: [node],
    success: node.isDone,
  };
}

function isEmpty({ opcode, body }: ActionNode): boolean {
  return opcode === undefined && (body === undefined || body.bits.length + body.refs.length === 0);
}

/**
 * Details as API v3 writes them: accounts in upper case, numbers beyond JSON's as text.
 */
export function detailsOnWire(details: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(details).map(([name, value]) => [name, onWire(name, value)]));
}

/** Whether a detail is an account: a comment only looks like one. */
export function isAccountDetail(name: string, value: unknown): value is string {
  return name !== 'comment' && typeof value === 'string' && /^-?\d{1,3}:[0-9a-f]{64}$/.test(value);
}

function onWire(name: string, value: unknown): unknown {
  if (typeof value === 'bigint') {
    return value.toString();
  }
  if (isAccountDetail(name, value)) {
    return upperHex(value);
  }
  if (Array.isArray(value)) {
    return value.map((one) => onWire(name, one));
  }
  return typeof value === 'object' && value !== null
    ? detailsOnWire(value as Record<string, unknown>)
    : (value ?? null);
}
