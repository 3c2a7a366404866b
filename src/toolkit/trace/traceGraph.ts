import { visibleText } from '../text';
import { isEmulated } from './emulated';
import { feesOf, feeText } from './fees';
import type { TraceContext } from './traceContext';
import type { Outcome } from './traceModel';
import { factsLine, headline, nodeMessage, nodeResult, nodeSymbol, stateText } from './traceText';
import { verdictOf, verdictTitle } from './verdict';

/** One transaction for the graph or table: only texts, all made visible. Plain JSON. */
export interface GraphNode {
  /** Index of the parent in {@link TraceGraph.nodes}; -1 for a root. Parents come before their children. */
  parent: number;
  letter: string;
  name: string;
  /** `workchain:hex`, or empty. */
  account: string;
  /** Lowercase hex, or empty for a message without a transaction. */
  hash: string;
  message: string;
  /** Opcode and the like, or empty. */
  opcode: string;
  /** Coins with label, or empty. */
  value: string;
  result: string;
  symbol: string;
  outcome: Outcome;
  isBounced: boolean;
  /** Predicted: in no block yet, or never. */
  isEmulated: boolean;
  fee: string;
}

/** A trace for the graph or table. */
export interface TraceGraph {
  /** The trace's id or a substitute: unchanged while the trace grows. */
  key: string;
  headline: string;
  facts: string;
  /** Why it failed, as a sentence with its title, or empty. */
  verdict: string;
  state: string;
  coin: string;
  problems: string[];
  nodes: GraphNode[];
}

/** The graph's data for a trace. */
export function traceGraph(context: TraceContext): TraceGraph {
  const { model } = context;
  const verdict = verdictOf(context);
  return {
    key: model.id === undefined ? '' : model.id,
    headline: headline(context),
    facts: factsLine(context),
    verdict: verdict === undefined ? '' : `${verdictTitle(model)}: ${verdict}`,
    state: stateText(model),
    coin: context.coin,
    problems: model.problems.map((problem) => problem.text),
    nodes: model.nodes.map((node) => {
      const value = node.message?.value ?? undefined;
      const opcode = node.message?.opcode;
      return {
        parent: node.parent?.index ?? -1,
        letter: node.account === undefined ? '?' : context.letter(node.account),
        name: node.account === undefined ? 'unknown account' : context.name(node.account),
        account: visibleText(node.account ?? '', 80),
        hash: node.hash === undefined ? '' : visibleText(node.hash, 80),
        message: nodeMessage(node, context),
        opcode: opcode == null || node.message?.source == null ? '' : visibleText(String(opcode), 20),
        value: value === undefined ? '' : context.coins(value),
        result: nodeResult(node, context),
        symbol: nodeSymbol(node, model),
        outcome: node.outcome,
        isBounced: node.message?.bounced === true,
        isEmulated: isEmulated(node),
        fee: node.isCarried ? feeText(feesOf(node.transaction)) : '',
      };
    }),
  };
}
