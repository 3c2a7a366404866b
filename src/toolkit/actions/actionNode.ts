import type { Cell, Slice } from '@ton/core';

/** A message and the transaction that received it, as the matchers of actions see them, whatever holds them. */
export interface ActionNode {
  /** The receiver, `workchain:hex` in lower case; undefined if unknown. */
  readonly account: string | undefined;
  /** The sender; undefined for external messages. */
  readonly source: string | undefined;
  /** Nanocoins. */
  readonly value: bigint;
  /** The first 32 bits of the body; undefined for an empty or shorter one. */
  readonly opcode: number | undefined;
  readonly body: Cell | undefined;
  readonly isBounced: boolean;
  /** Whether it was received, and its receiver sent no message. */
  readonly hasSentNothing: boolean;
  /** Whether it was received, and its receiver did what it was told. */
  readonly isDone: boolean;
  /** Of the receiver's code; undefined if it did not run, or is unknown. */
  readonly exitCode: number | undefined;
  /** Whether the message brought the receiver's code, and the receiver was not active before. */
  readonly isDeploy: boolean;
  readonly parent: ActionNode | undefined;
  /** In the order of sending. */
  readonly children: readonly ActionNode[];
  /** The receiver's data before it ran, where the answer has them. */
  readonly data: Cell | undefined;
  /** Messages to nobody, in the order of sending: what contracts log. */
  readonly events: readonly ActionEvent[];
}

export type ActionEvent = Pick<ActionNode, 'opcode' | 'body'>;

/** What is known of accounts beside the messages. */
export interface ActionFacts {
  jettonWallet(account: string): { owner?: string | undefined; master?: string | undefined } | undefined;
  /** Masters of the jetton wallets that are known to be an account's. */
  jettonsOf(owner: string): readonly string[];
  nftItem(
    account: string,
  ): { collection: string | undefined; index: bigint | undefined; owner: string | undefined } | undefined;
}

/** An action under the service's name, with the service's names in its details (API v3, `/actions`). */
export interface NamedAction {
  type: string;
  /** Accounts `workchain:hex` in lower case, amounts as bigint; null for what is not there, such as an asset that is TON. */
  details: Readonly<Record<string, unknown>>;
  /** Its messages, the first one first. */
  nodes: readonly ActionNode[];
  success: boolean;
}

/** Finds one kind of action from the message that gives it away; undefined if the messages around it do not fit. */
export interface ActionMatcher {
  /** Opcodes of the message that gives the action away. */
  opcodes: readonly number[];
  match(node: ActionNode, facts: ActionFacts): NamedAction | undefined;
}

/** `workchain:hex` in lower case, or null for none and for external addresses. */
export function loadAccount(slice: Slice): string | null {
  const address = slice.loadAddressAny();
  return address !== null && 'workChain' in address ? address.toRawString() : null;
}

/**
 * An asset of an exchange: coins with the tag 0, which are null, or with 1 a jetton by workchain and account.
 * @throws Error for another tag
 */
export function loadAsset(slice: Slice, tagBits: number): string | null {
  const tag = slice.loadUint(tagBits);
  if (tag > 1) {
    throw new Error('An asset of another kind');
  }
  return tag === 0 ? null : `${slice.loadInt(8)}:${slice.loadBuffer(32).toString('hex')}`;
}

/**
 * The fields of a body after its opcode.
 * @returns undefined if the body has another layout than `read` expects
 */
export function readFields<T>(node: ActionEvent | undefined, read: (slice: Slice) => T): T | undefined {
  return node?.body === undefined ? undefined : readLayout(node.body, (slice) => read(slice.skip(32)));
}

/** What `read` finds in a cell; undefined if the cell has another layout. */
export function readLayout<T>(cell: Cell | undefined, read: (slice: Slice) => T): T | undefined {
  try {
    return cell === undefined ? undefined : read(cell.beginParse());
  } catch {
    return undefined;
  }
}

/** The first message with one of these opcodes that the receiver sent. */
export function childOf(node: ActionNode | undefined, ...opcodes: readonly number[]): ActionNode | undefined {
  return node?.children.find((child) => isCall(child, opcodes));
}

/** What the receiver logged under an opcode, as a message to nobody or to somebody. */
export function eventOf(node: ActionNode | undefined, opcode: number): ActionEvent | undefined {
  return node?.events.find((event) => event.opcode === opcode) ?? childOf(node, opcode);
}

/** All messages with one of these opcodes that the receiver sent. */
export function childrenOf(node: ActionNode | undefined, ...opcodes: readonly number[]): ActionNode[] {
  return (node?.children ?? []).filter((child) => isCall(child, opcodes));
}

/** The message before, if it has one of these opcodes. */
export function parentOf(
  node: ActionNode | undefined,
  ...opcodes: readonly number[]
): ActionNode | undefined {
  const parent = node?.parent;
  return parent !== undefined && isCall(parent, opcodes) ? parent : undefined;
}

/** Follows a chain of opcodes downward; undefined where it breaks. */
export function follow(node: ActionNode | undefined, ...path: readonly number[]): ActionNode | undefined {
  return path.reduce<ActionNode | undefined>((at, opcode) => childOf(at, opcode), node);
}

/** A message and, step by step, those with one opcode that followed from it. */
export function hopsBy(node: ActionNode, opcode: number): ActionNode[] {
  const hops: ActionNode[] = [];
  for (let at: ActionNode | undefined = node; at !== undefined && hops.length < 20;) {
    hops.push(at);
    at = childOf(at, opcode);
  }
  return hops;
}

/** All messages below one, near ones first, with one of these opcodes. */
export function below(node: ActionNode | undefined, ...opcodes: readonly number[]): ActionNode[] {
  const found: ActionNode[] = [];
  const queue = [...(node?.children ?? [])];
  for (let at = 0; at < queue.length && at < mostLookedAt; at++) {
    const one = queue[at] as ActionNode;
    if (isCall(one, opcodes)) {
      found.push(one);
    }
    queue.push(...one.children);
  }
  return found;
}

/** A trace of thousands of messages is not searched again for each of them. */
const mostLookedAt = 500;

function isCall(node: ActionNode, opcodes: readonly number[]): boolean {
  return !node.isBounced && node.opcode !== undefined && opcodes.includes(node.opcode);
}

/** The given nodes that are there, each once. */
export function present(...nodes: readonly (ActionNode | undefined)[]): ActionNode[] {
  return [...new Set(nodes.filter((node) => node !== undefined))];
}
