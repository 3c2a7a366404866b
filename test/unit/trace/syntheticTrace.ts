import type { Cell } from '@ton/core';
import type {
  V3MessageWire as V3Message,
  V3TransactionWire as V3Transaction,
} from '../../../src/toolkit/api/v3Objects';
import type {
  V3TraceWire as V3Trace,
  V3TraceNodeWire as V3TraceNode,
} from '../../../src/toolkit/api/v3Traces';

/** A hash in hex whose bytes tell what it stands for. */
export function fakeHash(kind: string, index: number): string {
  return Buffer.from(`${kind}-${index}`.padEnd(32, '.')).toString('hex');
}

export function fakeAccount(index: number): string {
  return `0:${Buffer.from(`account-${index}`.padEnd(32, '.')).toString('hex').toUpperCase()}`;
}

/** How the parents are chosen: by index of the child. */
export type Shape = (index: number) => number;

export const chain: Shape = (index) => index - 1;
export const wide: Shape = (index) => Math.floor((index - 1) / 8);

/**
 * A complete trace of `count` transactions whose books are right to the nanocoin: every transaction pays 1000 nanocoins
 * of gas and 200 of sending (half carried by the message), and passes the rest on.
 */
export function syntheticTrace(count: number, shape: Shape): V3Trace {
  const children = new Map<number, number[]>();
  for (let index = 1; index < count; index++) {
    const parent = shape(index);
    children.set(parent, [...(children.get(parent) ?? []), index]);
  }
  const transactions: Record<string, V3Transaction> = {};
  const order: string[] = [];
  const nodes: V3TraceNode[] = [];
  for (let index = 0; index < count; index++) {
    const hash = fakeHash('tx', index);
    order.push(hash);
    transactions[hash] = transaction(index, shape, children.get(index) ?? []);
    nodes.push({ tx_hash: hash, in_msg_hash: fakeHash('msg', index), children: [] });
    if (index > 0) {
      nodes[shape(index)]?.children?.push(nodes[index] as V3TraceNode);
    }
  }
  return {
    trace_id: order[0],
    external_hash: fakeHash('msg', 0),
    start_lt: '1000000',
    end_lt: String(1000000 + count * 2),
    start_utime: 1_750_000_000,
    trace_info: { trace_state: 'complete', messages: count, transactions: count, pending_messages: 0 },
    is_incomplete: false,
    trace: nodes[0],
    transactions_order: order,
    transactions,
  };
}

function transaction(index: number, shape: Shape, children: readonly number[]): V3Transaction {
  const before = 10_000_000_000n;
  const received = index === 0 ? 0n : 5_000_000n;
  const sent = children.map((child) => message(child, index));
  const actionFees = BigInt(sent.length) * 100n;
  const change = received - 1000n - actionFees - BigInt(sent.length) * (5_000_000n + 100n);
  return {
    account: fakeAccount(index),
    hash: fakeHash('tx', index),
    lt: String(1000000 + index * 2),
    now: 1_750_000_000,
    trace_id: fakeHash('tx', 0),
    orig_status: 'active',
    end_status: 'active',
    total_fees: String(1000n + actionFees),
    description: {
      type: 'ord',
      aborted: false,
      compute_ph: {
        skipped: false,
        success: true,
        gas_fees: '1000',
        gas_used: '10',
        gas_limit: '100',
        exit_code: 0,
      },
      action: {
        success: true,
        result_code: 0,
        total_action_fees: String(actionFees),
        msgs_created: sent.length,
      },
    },
    in_msg: message(index, index === 0 ? undefined : shape(index)),
    out_msgs: sent,
    account_state_before: { balance: String(before), account_status: 'active' },
    account_state_after: { balance: String(before + change), account_status: 'active' },
  };
}

function message(index: number, from: number | undefined): V3Message {
  const head = { hash: fakeHash('msg', index), destination: fakeAccount(index) };
  return from === undefined
    ? { ...head, source: null, import_fee: '0' }
    : {
        ...head,
        source: fakeAccount(from),
        value: '5000000',
        fwd_fee: '100',
        ihr_fee: '0',
        created_lt: String(1000000 + index * 2 - 1),
        opcode: '0x12345678',
        bounce: true,
        bounced: false,
      };
}

/** Gives the in-message of a transaction a body, on both its sides. */
export function tellBody(trace: V3Trace, index: number, body: Cell): void {
  const slice = body.beginParse();
  const opcode = `0x${slice.loadUint(32).toString(16).padStart(8, '0')}`;
  for (const transaction of Object.values(trace.transactions ?? {})) {
    for (const message of [transaction?.in_msg, ...(transaction?.out_msgs ?? [])]) {
      if (message?.hash === fakeHash('msg', index)) {
        message.opcode = opcode;
        message.message_content = { body: body.toBoc().toString('base64') };
      }
    }
  }
}
