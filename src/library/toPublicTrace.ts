import { parseAddressInput } from '../toolkit/address/parseAddressInput';
import { mermaidText } from '../toolkit/trace/mermaidText';
import { moneyOf } from '../toolkit/trace/money';
import { TraceContext } from '../toolkit/trace/traceContext';
import type { TraceModel, TraceNode } from '../toolkit/trace/traceModel';
import { traceText } from '../toolkit/trace/traceText';
import { verdictOf } from '../toolkit/trace/verdict';
import type { Trace, TraceMessage, TraceStep, TraceWords } from './traceTypes';

/** Converts a trace of the toolkit to this package's form. */
export function toPublicTrace(model: TraceModel, { names = {} }: TraceWords): Trace {
  const context = new TraceContext(model, {
    names: new Map(
      Object.entries(names).map(([name, address]) => [parseAddressInput(address).toRawString(), name]),
    ),
  });
  const { rows, fees } = moneyOf(context);
  const verdict = verdictOf(context);
  return {
    id: model.id,
    state: model.state,
    succeeded: verdict === undefined && model.state !== 'broken',
    verdict,
    steps: model.nodes.map((node) => stepOf(node, context)),
    money: rows.map(({ account, coins, jettons }) => ({ account, coins, jettons })),
    fees: fees.total,
    toText: () => traceText(context),
    toMermaid: () => mermaidText(context),
    toHtml: async () => {
      const { tracePageFile } = await import('../toolkit/trace/page/standalonePage');
      return tracePageFile(context, '');
    },
  };
}

function stepOf(node: TraceNode, context: TraceContext): TraceStep {
  return {
    hash: node.hash,
    account: node.account,
    outcome: node.outcome,
    exitCode: node.transaction?.description?.compute_ph?.exit_code ?? undefined,
    message: node.message === undefined ? undefined : messageOf(node.message, context),
    parent: node.parent?.index,
  };
}

function messageOf(message: NonNullable<TraceNode['message']>, context: TraceContext): TraceMessage {
  const { source, destination, value, bounced } = message;
  return {
    name: context.messageName(message),
    source: source ?? undefined,
    destination: destination ?? undefined,
    value: value ?? 0n,
    comment: context.comment(message),
    bounced: bounced === true,
  };
}
