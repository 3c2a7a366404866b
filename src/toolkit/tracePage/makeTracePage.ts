import { isEmulation } from '../trace/emulated';
import type { TraceContext } from '../trace/traceContext';
import { traceActions } from '../trace/traceActions';
import { actionsLine, factsLine, traceSymbol } from '../trace/traceText';
import { mainNode } from '../trace/mainNode';
import { successVerdict } from '../trace/successVerdict';
import { failureHeadline } from '../trace/failureHeadline';
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
    headline: failureHeadline(context)?.facts ?? actionsLine(traceActions(context), context),
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
  const symbol = traceSymbol(context.model);
  const failure = failureHeadline(context);
  return failure === undefined
    ? { symbol, text: successVerdict(context), isFailed: false, node: -1 }
    : {
        ...{ symbol, text: failure.title, isFailed: true, node: failure.node },
        ...(failure.source === undefined ? {} : { source: failure.source }),
      };
}
