import { canonicalAddress, canonicalHash } from '../address/canonicalAddress';
import type { V3Message, V3Transaction } from '../api/v3Objects';
import { readBigint } from '../api/wire';
import type { TraceProblem } from './traceModel';
import { Cell } from '@ton/core';

/** The account in a text of untyped data, raw and lowercase; other text unchanged. */
export function accountIn(text: string): string {
  return canonicalAddress(text) ?? text;
}

/** The hash in a text of untyped data, lowercase hex; other text unchanged. */
export function hashIn(text: string): string {
  return canonicalHash(text) ?? text;
}

/** An integer in untyped data, possibly text in JSON; undefined for anything else. */
export function amountIn(value: unknown): bigint | undefined {
  return readBigint(value);
}

/** Compares two logical times; missing ones come first. */
export function compareLt(a: bigint | null | undefined, b: bigint | null | undefined): number {
  const left = a ?? -1n;
  const right = b ?? -1n;
  return left < right ? -1 : left > right ? 1 : 0;
}

/** A transaction, or a message still without one, before it is placed in the tree. */
export interface Draft {
  hash: string | undefined;
  transaction: V3Transaction | undefined;
  message: V3Message | undefined;
  /** Key of the in-message if the tree has it. */
  messageHash: string | undefined;
  /** The parent according to the service's tree. */
  treeParent: Draft | undefined;
  parent: Draft | undefined;
  children: Draft[];
  /** Why nothing received the message; see {@link TraceNode.failure}. */
  failure?: string;
  /** Found in the service's tree. */
  inTree: boolean;
  /** Visited mark of the cycle search. */
  mark: number;
}

/**
 * Assigns every draft its parent: the sender of its in-message, else the parent in the service's tree. Adds a draft
 * for each internal message not received, and cuts cycles at their earliest transaction.
 */
export function linkNodes(drafts: Draft[], problems: TraceProblem[]): void {
  const senders = sendersOf(drafts);
  for (const draft of drafts) {
    const key = inMessageKey(draft);
    const sent = key === undefined ? undefined : senders.get(key);
    if (sent !== undefined) {
      sent.received = true;
      draft.message ??= sent.message;
    }
    const parent = sent?.sender ?? draft.treeParent;
    draft.parent = parent === draft ? undefined : parent;
  }
  cutCycles(drafts, problems);
  for (const sent of senders.values()) {
    if (!sent.received) {
      drafts.push(unreceived(sent.message, sent.sender));
    }
  }
  for (const draft of drafts) {
    draft.parent?.children.push(draft);
  }
}

interface Sent {
  sender: Draft;
  message: V3Message;
  received: boolean;
}

/** Internal out-messages by hash; external ones never have a receiving transaction. */
function sendersOf(drafts: readonly Draft[]): Map<string, Sent> {
  const senders = new Map<string, Sent>();
  for (const sender of drafts) {
    for (const message of sender.transaction?.out_msgs ?? []) {
      if (message.hash != null && message.destination != null) {
        const key = message.hash;
        if (!senders.has(key)) {
          senders.set(key, { sender, message, received: false });
        }
      }
    }
  }
  return senders;
}

function inMessageKey(draft: Draft): string | undefined {
  return draft.transaction?.in_msg?.hash ?? draft.messageHash;
}

function unreceived(message: V3Message, parent: Draft): Draft {
  return {
    hash: undefined,
    transaction: undefined,
    message,
    messageHash: undefined,
    treeParent: undefined,
    parent,
    children: [],
    inTree: false,
    mark: -1,
  };
}

/**
 * Follows parents upward and marks the path; a path that meets itself is a cycle. Linear: each draft is marked once.
 */
function cutCycles(drafts: readonly Draft[], problems: TraceProblem[]): void {
  drafts.forEach((start, mark) => {
    let draft: Draft | undefined = start;
    while (draft !== undefined && draft.mark < 0) {
      draft.mark = mark;
      draft = draft.parent;
    }
    if (draft === undefined || draft.mark !== mark) {
      return;
    }
    let earliest = draft;
    for (let step = draft.parent; step !== undefined && step !== draft; step = step.parent) {
      if (compareLt(step.transaction?.lt, earliest.transaction?.lt) < 0) {
        earliest = step;
      }
    }
    earliest.parent = undefined;
    problems.push({
      code: 'cycle',
      text: 'The answer makes transactions their own ancestors; the cycle was cut at the earliest one.',
    });
  });
}

/** The data that a message carries for a new contract: the second reference of its state init. */
export function initData(message: V3Message): Cell | undefined {
  const boc = message.init_state?.body;
  try {
    return typeof boc === 'string' ? Cell.fromBase64(boc).refs[1] : undefined;
  } catch {
    return undefined;
  }
}
