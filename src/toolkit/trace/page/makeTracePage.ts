import { visibleText } from '../../base/text';
import { isEmulated, isEmulation, statusSymbols } from '../isEmulated';
import type { TraceNode } from '../traceModel';
import { failureHeadline } from '../failureHeadline';
import { counted, feeText, feesOf, formatInteger } from '../figures';
import { mainNode } from '../nodeChange';
import { jettonsOfMessage } from '../messageFacts';
import { stateChangeText } from '../stateChangeLines';
import { successVerdict } from '../successVerdict';
import { traceActions } from '../traceActions';
import type { TraceContext } from '../traceContext';
import { actionsLine, factsLine, nodeMessage, nodeResult, nodeSymbol, traceSymbol } from '../traceText';
import { moneyFlows } from './moneyFlows';
import type { PageAccount, PageBlock, PageCommand, PageNode, TracePage } from './tracePage';

/** What {@link makeTracePage} is told about the trace's origin. */
export interface PageOrigin {
  /** By which the editor knows the trace. */
  key: string;
  /** `Local, complete`: where it is from, before the facts. */
  title: string;
  kind: TracePage['kind'];
  isPending: boolean;
  picture?: TracePage['picture'];
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
    picture: origin.picture,
    isPending: origin.isPending,
    coin: context.coin,
    problems: model.problems.filter(({ code }) => code !== 'broken-order').map(({ text }) => text),
    accounts: accounts.list,
    blocks: blocks.list,
    nodes,
    money: moneyFlows(context),
    commands: [...origin.commands],
  };
}

function verdictOfPage(context: TraceContext): TracePage['verdict'] {
  const broken = context.model.problems.find(({ code }) => code === 'broken-order');
  if (broken !== undefined) {
    return { symbol: statusSymbols.failed, text: broken.text, isFailed: true, node: -1 };
  }
  const symbol = traceSymbol(context.model);
  const failure = failureHeadline(context);
  return failure === undefined
    ? { symbol, text: successVerdict(context), isFailed: false, node: -1 }
    : {
        ...{ symbol, text: failure.title, isFailed: true, node: failure.node },
        ...(failure.source === undefined ? {} : { source: failure.source }),
      };
}

/** One transaction, or a message without one. */
export function pageNode(
  node: TraceNode,
  context: TraceContext,
  accounts: PageAccounts,
  blocks: PageBlocks,
): PageNode {
  const { message, transaction } = node;
  const value = message?.value ?? undefined;
  const opcode = message?.opcode;
  const fees = node.isCarried ? feesOf(transaction) : undefined;
  return {
    parent: node.parent?.index ?? -1,
    account: accounts.indexOf(node.account, context),
    hash: node.hash === undefined ? '' : visibleText(node.hash, 80),
    message: nodeMessage(node, context),
    opcode: opcode == null || message?.source == null ? '' : visibleText(String(opcode), 20),
    value: value === undefined ? '' : context.coins(value),
    jettons: message === undefined ? '' : (jettonsOfMessage(message, context) ?? ''),
    nanocoins: value === undefined ? '' : String(value),
    result: nodeResult(node, context),
    symbol: nodeSymbol(node, context.model),
    outcome: node.outcome,
    isBounced: message?.bounced === true,
    isEmulated: isEmulated(node),
    gas: Number(transaction?.description?.compute_ph?.gas_used ?? 0n),
    fee: fees === undefined ? '' : feeText(fees),
    feeNanocoins: fees === undefined ? '' : String(fees.total),
    lt: transaction?.lt == null ? '' : String(transaction.lt),
    block: blocks.indexOf(transaction?.mc_block_seqno ?? undefined),
    change: changeWords(node, context),
  };
}

/** `count 0 → 1`, `count 0 → 1 and 2 more changes`. */
function changeWords(node: TraceNode, context: TraceContext): string {
  const [first, ...more] = context.stateChanges(node) ?? [];
  if (first === undefined) {
    return '';
  }
  const text = stateChangeText(first, context, node.account);
  return more.length === 0 ? text : `${text} and ${counted(more.length, 'more change')}`;
}

/** Parties in order of appearance; the unknown one is listed if somebody needs it. */
export class PageAccounts {
  readonly list: PageAccount[] = [];
  readonly #indexes = new Map<string | undefined, number>();

  /** Those of the first trace have the same indexes as in its model. */
  constructor(contexts: readonly TraceContext[]) {
    for (const context of contexts) {
      context.model.accounts.forEach((account) => this.indexOf(account, context));
    }
  }

  indexOf(account: string | undefined, context: TraceContext): number {
    const known = this.#indexes.get(account);
    if (known !== undefined) {
      return known;
    }
    this.#indexes.set(account, this.list.length);
    return (
      this.list.push(
        account === undefined
          ? { letter: '?', name: 'unknown account', account: '' }
          : {
              letter: context.letter(account) || '?',
              name: context.name(account),
              account: visibleText(account, 80),
            },
      ) - 1
    );
  }
}

/** Blocks in the order of their numbers' first appearance; the page sorts its bands by logical time. */
export class PageBlocks {
  readonly list: PageBlock[] = [];
  readonly #indexes = new Map<number, number>();

  indexOf(seqno: number | undefined): number {
    if (seqno === undefined) {
      return -1;
    }
    let index = this.#indexes.get(seqno);
    if (index === undefined) {
      index = this.list.length;
      this.#indexes.set(seqno, index);
      this.list.push({ title: `block ${formatInteger(seqno)}` });
    }
    return index;
  }
}
