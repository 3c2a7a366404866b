import type { Cell, Slice } from '@ton/core';
import type { ActionFacts, ActionMatcher, ActionNode, NamedAction } from './actionNode';
import { childOf, childrenOf, follow, parentOf, present, readFields, readLayout } from './actionNode';
import { transferOf } from './transfers';

/** Messages of LayerZero (LayerZero-Labs, contracts for TON). */
const op = {
  event: 0xe33b9873,
  endpointSend: 0xdd4ea3b4,
  channelSend: 0x536feb09,
  msglibSend: 0x4002b790,
  ulnSend: 0x5de68393,
  sendCallback: 0x421c1a25,
  oappSendCallback: 0xa2b5fbae,
  receivePrepare: 0x22f3ac09,
  oappPrepare: 0x97df404c,
  receiveLock: 0xb7680bc6,
  execute: 0x0c7b8418,
  executeCallback: 0xcaae25a1,
  ulnCommit: 0x28b97077,
  connectionCommit: 0xf9d37b80,
  endpointCommit: 0x5dab749a,
  channelCommit: 0x5388cd88,
  commitCallback: 0x5e178f33,
  dvnVerify: 0xa0d51a8d,
  proxyCall: 0x09f047d9,
  ulnVerify: 0x994aaf4e,
  connectionVerify: 0x4ec8f80a,
  verifyCallback: 0x3cb38090,
} as const;

/** What a connection says of a verification. */
const statuses: ReadonlyMap<number, string> = new Map([
  [0x3bbc306b, 'succeeded'],
  [0x7fcbb4ac, 'nonce_out_of_range'],
  [0x29c53fab, 'dvn_not_configured'],
]);

/** Their objects describe themselves in a header, which is as long as a name, field infos, and a filler of ones. */
const headerBits = 350;

export const layerzeroMatchers: readonly ActionMatcher[] = [
  { opcodes: [op.endpointSend], match: send },
  { opcodes: [op.receivePrepare], match: receive },
  { opcodes: [op.ulnCommit], match: commit },
  { opcodes: [op.dvnVerify], match: verify },
];

function hex(value: bigint): string {
  return `0x${value.toString(16)}`;
}

/** A packet: its path and message in references, then nonce and guid. */
function loadPacket(slice: Slice): Record<string, unknown> {
  slice.skip(headerBits);
  const path = slice.loadRef().beginParse().skip(headerBits);
  const message = slice.loadRef().beginParse();
  const [src_eid, src_oapp] = [path.loadUint(32), hex(path.loadUintBig(256))];
  const [dst_eid, dst_oapp] = [path.loadUint(32), hex(path.loadUintBig(256))];
  return {
    ...{ src_eid, src_oapp, dst_eid, dst_oapp },
    nonce: slice.loadUintBig(64),
    guid: hex(slice.loadUintBig(256)),
    message: `0x${message.loadBuffer(Math.floor(message.remainingBits / 8)).toString('hex')}`,
  };
}

interface Sent {
  request: Record<string, unknown>;
  packet: Record<string, unknown>;
}

function loadSent(slice: Slice): Sent {
  slice.skip(headerBits);
  const request = {
    send_request_id: slice.loadUintBig(64),
    msglib_manager: hex(slice.loadUintBig(256)),
    msglib: hex(slice.loadUintBig(256)),
  };
  const packet = loadPacket(slice.loadRef().beginParse());
  slice.loadRef();
  const fees = slice.loadRef().beginParse().skip(256);
  return {
    packet,
    request: { ...request, native_fee: fees.loadUintBig(128), zro_fee: fees.loadUintBig(128) },
  };
}

/** The cell reached by the first reference of each cell from here on. */
function within(cell: Cell | undefined, depth: number): Cell | undefined {
  let at = cell;
  for (let left = depth; left > 0; left--) {
    at = at?.refs[0];
  }
  return at;
}

/** A packet on its way; together with the tokens that were sent for it, if any. */
function send(node: ActionNode, facts: ActionFacts): NamedAction | undefined {
  const channel = childOf(node, op.channelSend);
  const uln = follow(channel, op.msglibSend, op.ulnSend);
  const callback = childOf(uln, op.sendCallback);
  const told = childOf(callback, op.oappSendCallback);
  const sent = readLayout(within(told?.body, 3), loadSent);
  if (sent === undefined) {
    return undefined;
  }
  const common = {
    layerzero_send_data: {
      ...sent.request,
      uln: uln?.account,
      endpoint: node.account,
      channel: channel?.account,
    },
    layerzero_packet_data: sent.packet,
  };
  const own = present(
    node,
    channel,
    uln?.parent,
    uln,
    callback,
    told,
    ...eventsOf(callback),
    ...eventsOf(told),
  );
  const transfer = transferOf(node.parent, facts);
  const events = eventsOf(transfer?.notice);
  return transfer === undefined || events.length === 0
    ? {
        type: 'layerzero_send',
        details: { initiator: node.source, ...common },
        nodes: own,
        success: true,
      }
    : {
        type: 'layerzero_send_tokens',
        details: {
          sender: transfer.sender,
          sender_wallet: transfer.senderWallet,
          oapp: transfer.receiver,
          oapp_wallet: transfer.receiverWallet,
          asset: transfer.master ?? null,
          amount: transfer.amount,
          ...common,
        },
        nodes: present(...transfer.nodes, ...events, ...own),
        success: true,
      };
}

function eventsOf(node: ActionNode | undefined): ActionNode[] {
  return childrenOf(node, op.event);
}

function receive(node: ActionNode): NamedAction | undefined {
  const prepare = childOf(node, op.oappPrepare);
  const lock = childOf(prepare, op.receiveLock);
  const execute = childOf(lock, op.execute);
  const callback = childOf(execute, op.executeCallback);
  const packet = callback === undefined ? undefined : readLayout(within(execute?.body, 2), loadPacket);
  return packet === undefined
    ? undefined
    : {
        type: 'layerzero_receive',
        details: {
          sender: node.source,
          oapp: execute?.account,
          channel: execute?.source,
          layerzero_packet_data: packet,
        },
        nodes: present(node, prepare, lock, execute, callback, ...eventsOf(execute), ...eventsOf(callback)),
        success: true,
      };
}

function commit(node: ActionNode): NamedAction | undefined {
  const connection = childOf(node, op.connectionCommit);
  const endpoint = childOf(connection, op.endpointCommit);
  const channel = childOf(endpoint, op.channelCommit);
  const callback = childOf(channel, op.commitCallback);
  const packet = readLayout(within(channel?.body, 2), loadPacket);
  return callback === undefined || packet === undefined
    ? undefined
    : {
        type: 'layerzero_commit_packet',
        details: {
          sender: node.source,
          endpoint: endpoint?.account,
          uln: node.account,
          uln_connection: connection?.account,
          channel: channel?.account,
          msglib_connection: callback.account,
          layerzero_packet_data: packet,
        },
        nodes: present(node, connection, endpoint, channel, callback, ...eventsOf(channel)),
        success: true,
      };
}

function verify(node: ActionNode): NamedAction | undefined {
  const proxy = childOf(node, op.proxyCall);
  const uln = childOf(proxy, op.ulnVerify);
  const connection = childOf(uln, op.connectionVerify);
  const callback = childOf(connection, op.verifyCallback);
  const told = readFields(callback, (slice) => {
    const status = slice.loadRef().beginParse().loadRef().beginParse().skip(headerBits);
    return { nonce: status.loadUintBig(64), code: status.loadUint(32) };
  });
  return told === undefined || parentOf(node, op.proxyCall) !== undefined
    ? undefined
    : {
        type: 'layerzero_dvn_verify',
        details: {
          initiator: node.source,
          nonce: told.nonce,
          status: statuses.get(told.code) ?? `unknown_${told.code}`,
          dvn: node.account,
          proxy: proxy?.account,
          uln: uln?.account,
          uln_connection: connection?.account,
        },
        nodes: present(node, proxy, uln, connection, callback, ...eventsOf(connection)),
        success: true,
      };
}
