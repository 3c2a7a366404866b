import { upperHex } from '../address/hash';
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
import { encryptedComment, loadComment, nftMint, textComment, tokenMatchers } from './tokenMatchers';
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
 * @param nodes depth first
 */
export function namedActions(nodes: Iterable<ActionNode>, facts: ActionFacts): NamedAction[] {
  return matchAll(nodes, facts, byOpcode, new Set());
}

/**
 * All actions: those of protocols, then transfers of jettons and items, mints, burns, changes of names, deployments,
 * transfers of coins; anything else is `call_contract`. In the order of their first messages.
 *
 * @param nodes depth first
 */
export function allActions(nodes: readonly ActionNode[], facts: ActionFacts): NamedAction[] {
  const taken = new Set<ActionNode>();
  const found = [
    ...matchAll(nodes, facts, byOpcode, taken),
    ...matchAll(nodes, facts, tokensByOpcode, taken),
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

/** Whether a message may belong to a protocol: others need not be looked at as {@link ActionNode}. */
export function isKnownToProtocols(opcode: number | null | undefined): boolean {
  return opcode != null && byOpcode.has(opcode);
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
    const candidates = node.isBounced || node.opcode === undefined ? undefined : of.get(node.opcode);
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
    opcode: opcode === undefined ? null : `0x${opcode.toString(16).padStart(8, '0')}`,
    ...place,
  };
  const mint = nftMint(node, facts);
  if (mint !== undefined) {
    return mint;
  }
  if (node.isDeploy) {
    return { type: 'contract_deploy', details: called, nodes: [node], success: node.isDone };
  }
  const isComment = opcode === textComment || opcode === encryptedComment;
  if (source !== undefined && (isComment || node.body === undefined || node.body.bits.length === 0)) {
    const comment = opcode === textComment ? readLayout(node.body, loadComment) : undefined;
    return {
      type: 'ton_transfer',
      details: {
        ...place,
        value_extra_currencies: {},
        comment: comment ?? null,
        encrypted: opcode === encryptedComment,
      },
      nodes: [node],
      // Without a contract nothing runs, and the value stays there.
      success: node.isDone || (node.isReceived && node.children.length === 0 && node.events.length === 0),
    };
  }
  return {
    type: 'call_contract',
    details: { ...called, extra_currencies: {} },
    nodes: [node],
    success: node.isDone,
  };
}

/**
 * Details as API v3 writes them: accounts in upper case, numbers beyond JSON's as text.
 */
export function detailsOnWire(details: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(details).map(([name, value]) => [name, onWire(value)]));
}

function onWire(value: unknown): unknown {
  if (typeof value === 'bigint') {
    return value.toString();
  }
  if (typeof value === 'string') {
    return /^-?\d{1,3}:[0-9a-f]{64}$/.test(value) ? upperHex(value) : value;
  }
  if (Array.isArray(value)) {
    return value.map(onWire);
  }
  return typeof value === 'object' && value !== null
    ? detailsOnWire(value as Record<string, unknown>)
    : (value ?? null);
}
