import { isEmulation } from '../trace/emulated';
import type { TraceContext } from '../trace/traceContext';
import { traceActions } from '../trace/traceActions';
import { actionsLine, factsLine, traceSymbol } from '../trace/traceText';
import { mainNode } from '../trace/mainNode';
import { successVerdict } from '../trace/successVerdict';
import { causeOf, verdictOf } from '../trace/verdict';
import { moneyFlows } from './moneyFlows';
import { PageAccounts, PageBlocks, pageNode } from './pageNodes';
import type { PageCommand, TracePage } from './tracePage';

/** What {@link makeTracePage} is told about the trace's origin. */
export interface PageOrigin {
  /** By which the editor knows the trace. */
  key: string;
  /** `Local, complete`: where it is from, before the facts. */
  title: string;
  kind: TracePage['kind'];
  isPending: boolean;
  commands: readonly PageCommand[];
}

/** What the page shows of a trace. */
export function makeTracePage(context: TraceContext, origin: PageOrigin): TracePage {
  const { model } = context;
  const accounts = new PageAccounts([context]);
  const blocks = new PageBlocks();
  const nodes = model.nodes.map((node) => pageNode(node, context, accounts, blocks));
  return {
    key: origin.key,
    headline: actionsLine(traceActions(context), context),
    facts: [origin.title, factsLine(context, { isMarked: true })].filter((part) => part !== '').join(', '),
    verdict: verdictOfPage(context),
    main: mainNode(context)?.index ?? 0,
    kind: origin.kind === 'happened' && isEmulation(model) ? 'rehearsal' : origin.kind,
    isPending: origin.isPending,
    coin: context.coin,
    problems: model.problems.map(({ text }) => text),
    accounts: accounts.list,
    blocks: blocks.list,
    nodes,
    money: moneyFlows(context),
    commands: [...origin.commands],
  };
}

function verdictOfPage(context: TraceContext): TracePage['verdict'] {
  const { model } = context;
  const cause = causeOf(model);
  const verdict = verdictOf(context);
  return {
    symbol: traceSymbol(model),
    text: verdict ?? successVerdict(context),
    isFailed: verdict !== undefined,
    node: cause?.index ?? -1,
    place: context.thrownLine(cause)?.place ?? '',
  };
}
