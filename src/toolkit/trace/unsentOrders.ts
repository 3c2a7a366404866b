import { Address, Cell } from '@ton/core';
import type { Message, MessageRelaxed } from '@ton/core';
import { loadAnyMessage } from '../cell/loadFolded';
import { opcodeHex } from '../contracts/opcodes/opcodes';
import type { TraceContext } from './traceContext';
import type { TraceNode } from './traceModel';
import type { V3Message } from '../api/v3Objects';

/**
 * Messages in a wallet's signed request that were not sent: its action phase failed, or skipped some sent with
 * "ignore errors". Each becomes a node without a transaction, below the wallet's.
 */
export function unsentOrders(node: TraceNode, context: TraceContext): TraceNode[] {
  const sent = (node.transaction?.out_msgs ?? []).filter((message) => message != null);
  // Not every answer says how the action phase ended; a request of which nothing left was not carried out.
  const isSuspect = node.outcome === 'partial' || node.outcome === 'failed' || sent.length === 0;
  if (!isSuspect || !node.isCarried || node.outcome === 'unknown' || node.message == null) {
    return [];
  }
  const fields = context.body(node.message)?.fields ?? [];
  const orders = fields.flatMap(({ value }) =>
    value.type === 'cell' && value.isMessage === true ? [readOrder(value.value)] : [],
  );
  let next = 0;
  return orders.flatMap((order) => {
    // Messages leave in the order of the request.
    const match = order === undefined ? -1 : sent.findIndex((one, i) => i >= next && isOf(one, order));
    if (order === undefined || match >= 0) {
      next = match >= 0 ? match + 1 : next;
      return [];
    }
    return [nodeOf(order, node)];
  });
}

type Order = (Message | MessageRelaxed) & { info: { type: 'internal' } };

function readOrder(boc: string): Order | undefined {
  try {
    const message = loadAnyMessage(Cell.fromBase64(boc));
    return message?.info.type === 'internal' ? (message as Order) : undefined;
  } catch {
    return undefined;
  }
}

/** Same receiver and body; the value may differ because of fees and modes. */
function isOf(sent: V3Message, { info, body }: Order): boolean {
  if (sent.destination == null || sent.destination !== destinationOf(info.dest)) {
    return false;
  }
  try {
    return Cell.fromBase64(sent.message_content?.body ?? '')
      .hash()
      .equals(body.hash());
  } catch {
    return true;
  }
}

function nodeOf({ info, body }: Order, wallet: TraceNode): TraceNode {
  const destination = destinationOf(info.dest);
  const slice = body.beginParse();
  return {
    index: wallet.index,
    hash: undefined,
    transaction: undefined,
    isCarried: false,
    message: {
      source: wallet.account ?? null,
      destination: destination ?? null,
      value: info.value.coins,
      bounce: info.bounce,
      bounced: false,
      ...(slice.remainingBits >= 32 ? { opcode: opcodeHex(slice.preloadUint(32)) } : {}),
      message_content: { body: body.toBoc().toString('base64') },
    },
    account: destination,
    parent: wallet,
    children: [],
    depth: wallet.depth + 1,
    outcome: 'failed',
  };
}

function destinationOf(address: Order['info']['dest']): string | undefined {
  return Address.isAddress(address) ? address.toRawString() : undefined;
}
