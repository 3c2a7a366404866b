import { misfitName } from '../api/answerReader';
import type { V3AddressBookRow, V3Message, V3MetadataRow, V3Transaction } from '../api/v3Objects';
import type { V3Action, V3Trace, V3TraceNode } from '../api/v3Traces';
import { visibleText } from '../base/text';
import type { Outcome, TraceModel, TraceNode, TraceProblem } from './traceModel';
import { counted } from './figures';
import { outcomeOf } from './outcomeOf';
import type { Draft } from './traceKeys';
import { compareLt, linkNodes } from './traceKeys';

/** An answer's facts about the accounts of all its traces. */
export interface TraceSurroundings {
  addressBook?: ReadonlyMap<string, V3AddressBookRow> | undefined;
  metadata?: ReadonlyMap<string, V3MetadataRow> | undefined;
  /** It is a list of pending traces, whatever state each one claims. */
  isPending?: boolean | undefined;
}

/**
 * The model of one trace; tolerates any order, gaps, and faults in the data: transactions are matched to their
 * parents by message hash (the service's own rule) or, if messages are missing, by the service's tree. Cycles are
 * cut; messages without a transaction become separate nodes. Linear in the number of transactions, and not recursive.
 */
export function buildTrace(source: V3Trace, surroundings: TraceSurroundings = {}): TraceModel {
  const problems: TraceProblem[] = [];
  const drafts = draftsOf(source, problems);
  linkNodes(drafts, problems);
  markFailures(source, drafts, problems);
  const roots = drafts.filter((draft) => draft.parent === undefined).sort(inOrder);
  const nodes = placeNodes(roots);
  const state = surroundings.isPending === true ? 'pending' : stateOf(source);
  const isLacking = noteGaps({ source, nodes, roots, state }, problems) > 0;
  const byHash = new Map<string, TraceNode>();
  const accounts = new Set<string>();
  for (const node of nodes) {
    if (node.hash !== undefined) {
      byHash.set(node.hash, node);
    }
    if (node.parent === undefined && node.message?.source != null) {
      accounts.add(node.message.source);
    }
    if (node.account !== undefined) {
      accounts.add(node.account);
    }
  }
  const id = source.trace_id ?? nodes[0]?.transaction?.trace_id ?? nodes[0]?.hash;
  return {
    id: id ?? undefined,
    state,
    incomplete: isLacking || problems.some((p) => p.code === 'incomplete' || p.code === 'too-large'),
    nodes,
    roots: nodes.filter((node) => node.parent === undefined),
    byHash,
    accounts: [...accounts],
    actions: inOrderOfTime(source.actions ?? []),
    problems: condense(problems),
    addressBook: surroundings.addressBook ?? new Map<string, V3AddressBookRow>(),
    metadata: surroundings.metadata ?? new Map<string, V3MetadataRow>(),
    source,
  };
}

/** The service's state of the trace; otherwise derived from its end. */
function stateOf({ trace_info: info, end_lt: end }: V3Trace): string {
  return info?.trace_state ?? (end === null ? 'pending' : end === undefined ? 'unknown' : 'complete');
}

/** One draft per transaction hash found anywhere in the answer. */
function draftsOf(source: V3Trace, problems: TraceProblem[]): Draft[] {
  const drafts = new Map<string, Draft>();
  const draft = (hash: string): Draft => {
    let found = drafts.get(hash);
    if (found === undefined) {
      found = newDraft(hash);
      drafts.set(hash, found);
    }
    return found;
  };
  for (const [name, transaction] of Object.entries(source.transactions ?? {})) {
    if (transaction === null) {
      problems.push(unreadable(name));
    } else {
      const entry = draft(transaction.hash ?? name);
      entry.transaction ??= transaction;
    }
  }
  for (const misfit of misfitsOf(source, 'transactions')) {
    problems.push(...Object.keys(misfit).map(unreadable));
  }
  readTree(source.trace, draft, problems);
  for (const hash of source.transactions_order ?? []) {
    draft(hash);
  }
  return [...drafts.values()];
}

/** List or map entries set aside by the reader as misfits. */
function misfitsOf(source: V3Trace, field: string): object[] {
  const aside = source[misfitName(field)];
  return (Array.isArray(aside) ? (aside as unknown[]) : []).filter(
    (misfit): misfit is object => typeof misfit === 'object' && misfit !== null,
  );
}

function unreadable(name: string): TraceProblem {
  return {
    code: 'unreadable-transaction',
    text: `The entry ${visibleText(name, 80)} in the answer is not a transaction.`,
  };
}

function newDraft(hash: string | undefined): Draft {
  return {
    hash,
    transaction: undefined,
    message: undefined,
    messageHash: undefined,
    treeParent: undefined,
    parent: undefined,
    children: [],
    inTree: false,
    mark: -1,
  };
}

/**
 * Walks the service's tree with an explicit stack: it may be deep, repeat itself, or (in a damaged file) hold
 * anything.
 */
function readTree(
  root: V3TraceNode | null | undefined,
  draft: (hash: string) => Draft,
  problems: TraceProblem[],
): void {
  const nameless = new Set<V3TraceNode>();
  const stack: (V3TraceNode | null | undefined)[] = [root];
  const parents: (Draft | undefined)[] = [undefined];
  while (stack.length > 0) {
    const node = stack.pop();
    const parent = parents.pop();
    if (node == null) {
      continue;
    }
    const hash = node.tx_hash ?? node.transaction?.hash;
    let own = parent;
    if (hash != null) {
      own = draft(hash);
      const isRepeated = own.inTree;
      readTreeNode(node, own, parent, problems);
      if (isRepeated) {
        continue;
      }
    } else if (nameless.has(node)) {
      continue;
    } else {
      nameless.add(node);
    }
    for (const child of node.children ?? []) {
      stack.push(child);
      parents.push(own);
    }
  }
}

function readTreeNode(
  node: V3TraceNode,
  own: Draft,
  parent: Draft | undefined,
  problems: TraceProblem[],
): void {
  if (own.inTree) {
    problems.push({
      code: 'duplicate',
      text: `The service's tree names transaction ${visibleText(String(own.hash), 80)} more than once.`,
    });
  }
  own.inTree = true;
  own.transaction ??= node.transaction ?? undefined;
  own.message ??= node.in_msg ?? undefined;
  own.messageHash ??= node.in_msg_hash ?? undefined;
  if (parent !== own) {
    own.treeParent ??= parent;
  }
}

/** Messages that the local network's emulator could not execute: they wait, with the reason. */
function markFailures(source: V3Trace, drafts: readonly Draft[], problems: TraceProblem[]): void {
  const rows = source.failed_messages ?? [];
  const reasons = new Map(rows.map((row) => [row.msg_hash ?? '', visibleText(row.error ?? '', 400)]));
  const failed = reasons.size === 0 ? [] : drafts.filter(({ transaction }) => transaction === undefined);
  for (const draft of failed) {
    const hash = draft.message?.hash;
    const reason = hash == null ? undefined : reasons.get(hash);
    if (reason !== undefined) {
      draft.failure = reason;
    }
  }
  if (rows.length > 0) {
    const [reason = ''] = reasons.values();
    problems.push({
      code: 'emulator-failed',
      text: `The emulator failed on ${counted(rows.length, 'message')}: ${reason}. Nothing is lost: what failed can be retried or dropped.`,
    });
  }
}

function inOrder(a: Draft, b: Draft): number {
  return compareLt(ltOf(a), ltOf(b));
}

/** A message without a transaction is ordered by its creation. */
function ltOf(draft: Draft): bigint | null | undefined {
  return draft.transaction?.lt ?? draft.message?.created_lt;
}

/** Depth first, children by logical time, without recursion. */
function placeNodes(roots: readonly Draft[]): TraceNode[] {
  const nodes: TraceNode[] = [];
  const stack: { draft: Draft; parent: TraceNode | undefined }[] = [];
  for (let i = roots.length - 1; i >= 0; i--) {
    stack.push({ draft: roots[i] as Draft, parent: undefined });
  }
  for (let entry = stack.pop(); entry !== undefined; entry = stack.pop()) {
    const { draft, parent } = entry;
    const node = new LazyNode(draft, nodes.length, parent);
    nodes.push(node);
    parent?.children.push(node);
    const children = draft.children.length > 1 ? draft.children.sort(inOrder) : draft.children;
    for (let i = children.length - 1; i >= 0; i--) {
      stack.push({ draft: children[i] as Draft, parent: node });
    }
  }
  return nodes;
}

/** @returns the number of transactions missing from a completed trace */
function noteGaps(
  {
    source,
    nodes,
    roots,
    state,
  }: { source: V3Trace; nodes: readonly TraceNode[]; roots: readonly Draft[]; state: string },
  problems: TraceProblem[],
): number {
  const carried = nodes.filter((node) => node.isCarried).length;
  const expected = source.trace_info?.transactions ?? 0;
  if (/too large/i.test(source.warning ?? '')) {
    const all = expected > 0 && carried >= expected;
    problems.push({
      code: all ? 'missing-transactions' : 'too-large',
      text: all
        ? 'The service refused this trace as too large, so it was assembled from single transactions.'
        : `The trace is too large for the service: ${carried} of ${expected || 'an unknown number of'} transactions are shown.`,
    });
  } else if (source.is_incomplete === true) {
    problems.push({
      code: 'incomplete',
      text: `The service calls this trace incomplete${source.warning ? `: ${visibleText(source.warning, 200)}` : '.'}`,
    });
  }
  const missing = Math.max(
    nodes.filter((node) => !node.isCarried).length,
    problems.some((problem) => problem.code === 'too-large') ? 0 : expected - carried,
  );
  const lacking = state === 'pending' ? 0 : missing;
  if (lacking > 0) {
    problems.push({
      code: 'missing-transactions',
      text: `${missing} ${missing === 1 ? 'transaction is' : 'transactions are'} missing from the answer.`,
    });
  }
  if (roots.length > 1) {
    problems.push({
      code: 'several-roots',
      text: `${roots.length} transactions have no parent in the answer; each starts its own tree.`,
    });
  }
  return lacking;
}

/** The initiating call comes first; emulations list them in reverse. */
function inOrderOfTime(actions: V3Action[]): V3Action[] {
  return actions.every(({ start_lt: lt }) => lt != null)
    ? [...actions].sort((a, b) => compareLt(a.start_lt, b.start_lt))
    : actions;
}

/** A damaged file may repeat a fault thousands of times: the first is reported, the others are counted. */
function condense(problems: readonly TraceProblem[]): TraceProblem[] {
  const counts = new Map<TraceProblem['code'], number>();
  const first: TraceProblem[] = [];
  for (const problem of problems) {
    const count = counts.get(problem.code) ?? 0;
    counts.set(problem.code, count + 1);
    if (count === 0) {
      first.push(problem);
    }
  }
  return first.map(({ code, text }) => {
    const more = (counts.get(code) ?? 1) - 1;
    return { code, text: more === 0 ? text : `${text} (${more} more like this)` };
  });
}

/** A node that evaluates its transaction on first use: of a tree of ten thousand, forty are shown. */
class LazyNode implements TraceNode {
  readonly hash: string | undefined;
  readonly transaction: V3Transaction | undefined;
  readonly message: V3Message | undefined;
  readonly account: string | undefined;
  readonly children: TraceNode[] = [];
  readonly depth: number;
  readonly failure: string | undefined;
  #outcome: Outcome | undefined;

  constructor(
    draft: Draft,
    readonly index: number,
    readonly parent: TraceNode | undefined,
  ) {
    const { transaction } = draft;
    this.hash = draft.hash;
    this.transaction = transaction;
    this.message = transaction?.in_msg ?? draft.message;
    this.depth = parent === undefined ? 0 : parent.depth + 1;
    this.failure = draft.failure;
    this.account = transaction?.account ?? this.message?.destination ?? undefined;
  }

  get isCarried(): boolean {
    return this.transaction !== undefined;
  }

  get outcome(): Outcome {
    this.#outcome ??= outcomeOf(this.transaction);
    return this.#outcome;
  }
}
