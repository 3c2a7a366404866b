import { visibleText } from '../text';
import { isEmulated } from '../trace/emulated';
import { feesOf, feeText } from '../trace/fees';
import { counted, formatInteger } from '../trace/figures';
import { jettonsOfMessage } from '../trace/messageFacts';
import { stateChangeText } from '../trace/stateChangeLines';
import type { TraceContext } from '../trace/traceContext';
import type { TraceNode } from '../trace/traceModel';
import { nodeMessage, nodeResult, nodeSymbol } from '../trace/traceText';
import type { PageAccount, PageBlock, PageNode } from './tracePage';

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
