import { compareTraces, withSameLetters } from '../trace/compareTraces';
import type { ComparedNode } from '../trace/compareTraces';
import { feeText, traceFees } from '../trace/fees';
import { counted, formatInteger } from '../trace/figures';
import type { TraceContext } from '../trace/traceContext';
import type { TraceModel } from '../trace/traceModel';
import { headline } from '../trace/traceText';
import { comparedMoney } from './comparedMoney';
import type { ComparedSide } from './comparedMoney';
import { PageAccounts, PageBlocks, pageNode } from './pageNodes';
import type { NodeDifference, PageCommand, PageNode, TracePage } from './tracePage';

/** What {@link comparedPage} is told about the comparison. */
export interface ComparisonOrigin {
  key: string;
  commands: readonly PageCommand[];
}

/** The page of two traces. */
export interface ComparedPage {
  page: TracePage;
  /** The transactions that its nodes stand for, in the same order. */
  pairs: ComparedNode[];
  /** Both with the letters of the page. */
  contexts: { left: TraceContext; right: TraceContext };
}

/**
 * Two traces in one tree: each transaction with its partner in the other trace, as the right one has it, marked with
 * what differs. The money is that of both.
 */
export function comparedPage(
  { name, context }: ComparedSide,
  { name: otherName, context: otherContext }: ComparedSide,
  origin: ComparisonOrigin,
): ComparedPage {
  const [ofLeft, ofRight] = withSameLetters(context, otherContext);
  const left = { name, context: ofLeft };
  const right = { name: otherName, context: ofRight };
  const pairs = compareTraces(ofLeft, ofRight);
  // The right trace's money refers to the first accounts.
  const accounts = new PageAccounts([right.context, left.context]);
  const blocks = new PageBlocks();
  const path: number[] = [];
  const nodes = pairs.flatMap((pair, index): PageNode[] => {
    const { depth, right: after, left: before } = pair;
    const node = after ?? before;
    path.length = depth;
    path.push(index);
    if (node === undefined) {
      return [];
    }
    const { context } = after === undefined ? left : right;
    const shown = pageNode(node, context, accounts, blocks);
    return [{ ...shown, parent: path[depth - 1] ?? -1, difference: differenceOf(pair, left, right) }];
  });
  const page = pageOf(nodes, { left, right, accounts, blocks, origin });
  return { page, pairs, contexts: { left: ofLeft, right: ofRight } };
}

interface Whole {
  left: ComparedSide;
  right: ComparedSide;
  accounts: PageAccounts;
  blocks: PageBlocks;
  origin: ComparisonOrigin;
}

function pageOf(nodes: PageNode[], { left, right, accounts, blocks, origin }: Whole): TracePage {
  const first = nodes.findIndex(({ difference }) => difference?.kind !== 'same');
  const side = ({ name, context }: ComparedSide): string => `In ${name}: ${headline(context)}`;
  return {
    key: origin.key,
    headline: `${side(left)}; ${side(right)}`,
    facts: [side(left), side(right), ...sumsText(left, right)].join('. '),
    verdict: {
      symbol: first === -1 ? '=' : '≠',
      text: verdictText(nodes, left, right),
      isFailed: false,
      node: first,
    },
    kind: 'comparison',
    sides: [left.name, right.name],
    isPending: false,
    coin: right.context.coin,
    problems: [...left.context.model.problems, ...right.context.model.problems].map(({ text }) => text),
    accounts: accounts.list,
    blocks: blocks.list,
    nodes,
    money: comparedMoney(left, right, accounts),
    commands: [...origin.commands],
  };
}

/** `2 of 5 transactions changed, 1 was added`. */
function verdictText(nodes: readonly PageNode[], left: ComparedSide, right: ComparedSide): string {
  const count = (kind: NodeDifference['kind']): number =>
    nodes.filter(({ difference }) => difference?.kind === kind).length;
  const [changed, added, missing] = [count('changed'), count('added'), count('missing')];
  if (changed + added + missing === 0) {
    return `Both are alike: ${counted(nodes.length, 'transaction')}.`;
  }
  const parts = [
    ...(changed === 0
      ? []
      : [`${formatInteger(changed)} of ${counted(nodes.length, 'transaction')} changed`]),
    ...(added === 0 ? [] : [`${formatInteger(added)} only in ${right.name}`]),
    ...(missing === 0 ? [] : [`${formatInteger(missing)} only in ${left.name}`]),
  ];
  return `${parts.join(', ')}.`;
}

/** Gas and fees of both, where they differ. */
function sumsText({ context: left }: ComparedSide, { context: right }: ComparedSide): string[] {
  const gas = [left, right].map(({ model }) => formatInteger(gasIn(model)));
  const fees = [left, right].map(({ model }) => feeText(traceFees(model)));
  return [
    ...(gas[0] === gas[1] ? [] : [`gas ${gas[0]} → ${gas[1]}`]),
    ...(fees[0] === fees[1] ? [] : [`fees ${fees[0]} → ${fees[1]} ${right.coin}`]),
  ];
}

function gasIn({ nodes }: TraceModel): bigint {
  return nodes.reduce(
    (sum, { transaction }) => sum + (transaction?.description?.compute_ph?.gas_used ?? 0n),
    0n,
  );
}

function differenceOf(
  { left: before, right: after, differences: changes }: ComparedNode,
  left: ComparedSide,
  right: ComparedSide,
): NodeDifference {
  if (before === undefined || after === undefined) {
    return before === undefined
      ? { kind: 'added', words: `only in ${right.name}`, changes }
      : { kind: 'missing', words: `only in ${left.name}`, changes };
  }
  return changes.length === 0
    ? { kind: 'same', words: 'the same in both', changes }
    : { kind: 'changed', words: '', changes };
}
