import { Cell } from '@ton/core';
import type { ActionEvent, ActionFacts, ActionNode, NamedAction } from '../actions/actionNode';
import { detailsOnWire, namedActions } from '../actions/namedActions';
import { opcodeIn } from '../actions/transfers';
import { accountIn, amountIn } from './traceKeys';
import type { TraceContext } from './traceContext';
import type { TraceNode } from './traceModel';
import { unsentOrders } from './unsentOrders';

/** The messages of a trace as the matchers of actions see them, in the order of the model. */
export function traceActionNodes(context: TraceContext): TraceActionNode[] {
  const nodes = context.model.nodes.map((node) => new TraceActionNode(node, context));
  for (const { node, children } of nodes) {
    for (const child of node.children) {
      const one = nodes[child.index] as TraceActionNode;
      one.parent = nodes[node.index];
      children.push(one);
    }
  }
  return nodes;
}

/** An action of a protocol, with the trace's own nodes. */
export interface NamedTraceAction extends Pick<NamedAction, 'type' | 'success'> {
  /** As API v3 writes them. */
  details: Record<string, unknown>;
  nodes: TraceNode[];
}

/** The actions of known protocols in a trace; none whose messages are still on their way. */
export function namedTraceActions(context: TraceContext): NamedTraceAction[] {
  return namedActions(traceActionNodes(context), traceFacts(context)).flatMap((action) => {
    const nodes = action.nodes.flatMap((one) => (one instanceof TraceActionNode ? [one.node] : []));
    const { type, success } = action;
    return nodes.length === 0 || nodes.some(({ outcome }) => outcome === 'unknown')
      ? []
      : [{ type, success, details: detailsOnWire(action.details), nodes }];
  });
}

/** What wallets were told to send, and did not. */
export function unsentNodes(context: TraceContext): TraceActionNode[] {
  return context.model.nodes.flatMap((node) =>
    unsentOrders(node, context).map((order) => new TraceActionNode(order, context)),
  );
}

class TraceActionNode implements ActionNode {
  parent: TraceActionNode | undefined;
  readonly children: TraceActionNode[] = [];
  #events: ActionEvent[] | undefined;
  #body: { cell: Cell | undefined } | undefined;

  constructor(
    readonly node: TraceNode,
    private readonly context: TraceContext,
  ) {}

  get account(): string | undefined {
    return this.node.account;
  }

  get source(): string | undefined {
    return this.node.message?.source ?? undefined;
  }

  get value(): bigint {
    return this.node.message?.value ?? 0n;
  }

  get opcode(): number | undefined {
    const { message } = this.node;
    return message == null ? undefined : this.context.opcode(message);
  }

  /** Read only when a matcher looks into it. */
  get body(): Cell | undefined {
    this.#body ??= { cell: cellIn(this.node.message?.message_content?.body) };
    return this.#body.cell;
  }

  get events(): readonly ActionEvent[] {
    this.#events ??= (this.node.transaction?.out_msgs ?? [])
      .filter(({ destination }) => destination == null)
      .map((message) => {
        const body = cellIn(message.message_content?.body);
        return { body, opcode: opcodeIn(body) };
      });
    return this.#events;
  }

  get data(): Cell | undefined {
    return cellIn(this.node.transaction?.account_state_before?.data_boc);
  }

  get isBounced(): boolean {
    return this.node.message?.bounced === true;
  }

  get hasSentNothing(): boolean {
    return this.node.isCarried && this.children.length === 0 && this.events.length === 0;
  }

  get isDone(): boolean {
    return this.node.outcome === 'ok' || this.node.outcome === 'partial' || this.node.outcome === 'notRun';
  }

  get exitCode(): number | undefined {
    return this.node.transaction?.description?.compute_ph?.exit_code ?? undefined;
  }

  get isDeploy(): boolean {
    const { message, transaction } = this.node;
    const isNew = transaction?.orig_status !== 'active' && transaction?.end_status === 'active';
    return message?.init_state != null && isNew;
  }
}

function cellIn(body: string | null | undefined): Cell | undefined {
  try {
    return body == null ? undefined : Cell.fromBase64(body);
  } catch {
    return undefined;
  }
}

/** What a trace's data say of accounts. */
export function traceFacts(context: TraceContext): ActionFacts {
  return {
    jettonWallet: (account) => context.jettonWallet(account),
    jettonsOf: (owner) =>
      context
        .jettonWallets()
        .flatMap((wallet) => (wallet.owner === owner && wallet.master !== undefined ? [wallet.master] : [])),
    nftItem: (account) => {
      const token = context.token(account, 'nft_items');
      if (token === undefined) {
        return undefined;
      }
      const { collection, owner } = token.extra ?? {};
      return {
        collection: typeof collection === 'string' ? accountIn(collection) : undefined,
        owner: typeof owner === 'string' ? accountIn(owner) : undefined,
        index: amountIn(token.nft_index),
      };
    },
  };
}
