import type { Slice } from '@ton/core';
import type { ActionMatcher, ActionNode, NamedAction } from './actionNode';
import { childOf, loadAccount, parentOf, present, readFields, readLayout } from './actionNode';

/** Messages of Cocoon (TelegramMessenger/cocoon-contracts). */
const op = {
  excesses: 0x2565934c,
  payout: 0xc59a7cd3,
  workerRequest: 0x4d725d2c,
  clientRequest: 0x65448ff4,
  workerPayout: 0xa040ad28,
  lastWorkerPayout: 0xf5f26a36,
  proxyPayout: 0x7610e6eb,
  charge: 0xbb63ff93,
  grantRefund: 0xefd711e1,
  topUp: 0xf172e6c2,
  registerProxy: 0x927c7cb5,
  unregisterProxy: 0x6d49eaf2,
  register: 0xc45f9f3b,
  changeSecretHash: 0xa9357034,
  increaseStake: 0x6a1f6a60,
  withdraw: 0xda068e78,
  requestRefund: 0xfafa6cc1,
  walletSend: 0x9c69f376,
  refundGranted: 0xc68ebc7b,
} as const;

export const cocoonMatchers: readonly ActionMatcher[] = [
  { opcodes: [op.workerPayout, op.lastWorkerPayout], match: workerPayout },
  { opcodes: [op.proxyPayout], match: proxyPayout },
  { opcodes: [op.charge], match: charge },
  { opcodes: [op.grantRefund], match: grantRefund },
  { opcodes: [op.topUp], match: topUp },
  { opcodes: [op.registerProxy, op.unregisterProxy], match: proxyAtRoot },
  { opcodes: [op.register, op.changeSecretHash, op.increaseStake], match: clientOrder },
  { opcodes: [op.requestRefund], match: requestRefund },
  { opcodes: [op.withdraw], match: withdraw },
];

/** query_id, who gets the rest, a signature, and what was signed: in a reference, its opcode and query_id again. */
function loadSigned(slice: Slice): { query_id: bigint; signed: Slice } {
  const query_id = slice.loadUintBig(64);
  slice.loadAddressAny();
  return {
    query_id,
    signed: slice
      .skip(512)
      .loadRef()
      .beginParse()
      .skip(32 + 64),
  };
}

function workerPayout(node: ActionNode): NamedAction | undefined {
  const request = childOf(node, op.workerRequest);
  const paid = childOf(request, op.payout);
  const told = readFields(node, (slice) => {
    const { query_id, signed } = loadSigned(slice);
    return { query_id, new_tokens: signed.loadUintBig(64) };
  });
  const worker = readFields(request, (slice) => {
    const owner = loadAccount(slice.skip(64));
    return { owner, worker_state: slice.loadUint(2), worker_tokens: slice.loadUintBig(64) };
  });
  if (told === undefined || worker === undefined || paid === undefined) {
    return undefined;
  }
  const { owner, ...more } = worker;
  return {
    type: 'cocoon_worker_payout',
    details: {
      payout_type: node.opcode === op.lastWorkerPayout ? 'last' : 'regular',
      source: node.source,
      destination: owner,
      amount: paid.value,
      ...told,
      ...more,
    },
    nodes: present(node, request, paid, childOf(request, op.excesses)),
    success: node.isDone && paid.isDone,
  };
}

function proxyPayout(node: ActionNode): NamedAction | undefined {
  const paid = childOf(node, op.payout);
  const query_id = readFields(node, (slice) => slice.loadUintBig(64));
  return paid === undefined || query_id === undefined
    ? undefined
    : {
        type: 'cocoon_proxy_payout',
        details: { query_id, source: node.account, destination: paid.account },
        nodes: present(node, paid, childOf(node, op.excesses)),
        success: paid.isDone,
      };
}

function loadTokensUsed(slice: Slice): {
  query_id: bigint;
  new_tokens_used: bigint;
  expected_address: string | null;
} {
  const { query_id, signed } = loadSigned(slice);
  return { query_id, new_tokens_used: signed.loadUintBig(64), expected_address: loadAccount(signed) };
}

function charge(node: ActionNode): NamedAction | undefined {
  const request = childOf(node, op.clientRequest);
  const told = readFields(node, loadTokensUsed);
  return request === undefined || told === undefined
    ? undefined
    : {
        type: 'cocoon_proxy_charge',
        details: { source: node.account, destination: request.account, amount: 0n, ...told },
        nodes: present(node, request, childOf(node, op.excesses)),
        success: node.isDone,
      };
}

function grantRefund(node: ActionNode): NamedAction | undefined {
  const request = childOf(node, op.clientRequest);
  const paid = childOf(request, op.payout);
  const told = readFields(node, loadTokensUsed);
  return paid === undefined || told === undefined
    ? undefined
    : {
        type: 'cocoon_grant_refund',
        details: { source: node.account, destination: paid.account, amount: paid.value, ...told },
        nodes: present(node, request, paid, childOf(request, op.excesses)),
        success: paid.isDone,
      };
}

function topUp(node: ActionNode): NamedAction | undefined {
  const request = childOf(node, op.clientRequest);
  const told = readFields(node, (slice) => {
    const query_id = slice.loadUintBig(64);
    const amount = slice.loadCoins();
    return { query_id, amount, source: loadAccount(slice) };
  });
  return request === undefined || told === undefined
    ? undefined
    : {
        type: 'cocoon_client_top_up',
        details: { ...told, destination: node.account },
        nodes: present(node, request, childOf(request, op.excesses)),
        success: node.isDone,
      };
}

function proxyAtRoot(node: ActionNode): NamedAction | undefined {
  const isOut = node.opcode === op.unregisterProxy;
  const told = readFields(node, (slice) => {
    const query_id = slice.loadUintBig(64);
    return isOut ? { query_id, seqno: slice.loadUint(32) } : { query_id };
  });
  const excesses = childOf(node, op.excesses);
  return told === undefined || excesses === undefined
    ? undefined
    : {
        type: isOut ? 'cocoon_unregister_proxy' : 'cocoon_register_proxy',
        details: { ...told, destination: node.account },
        nodes: present(node, excesses),
        success: node.isDone,
      };
}

/** What an owner tells a client's contract, which tells its proxy. */
function clientOrder(node: ActionNode): NamedAction | undefined {
  const request = childOf(node, op.clientRequest);
  const told = readFields(node, (slice) => {
    const query_id = slice.loadUintBig(64);
    const order = orderOf(node, slice);
    return { type: order.type, more: { query_id, ...order.more }, owner: loadAccount(slice) };
  });
  return request === undefined || told === undefined
    ? undefined
    : {
        type: told.type,
        details: { ...told.more, source: told.owner, destination: node.account },
        nodes: present(node, request, childOf(node, op.excesses)),
        success: node.isDone,
      };
}

function orderOf({ opcode }: ActionNode, slice: Slice): { type: string; more: Record<string, unknown> } {
  switch (opcode) {
    case op.register:
      return { type: 'cocoon_client_register', more: { nonce: slice.loadUintBig(64) } };
    case op.changeSecretHash: {
      const hash = slice.loadBuffer(32).toString('hex');
      return { type: 'cocoon_client_change_secret_hash', more: { new_secret_hash: hash } };
    }
    default: {
      const stake = slice.loadCoins();
      return { type: 'cocoon_client_increase_stake', more: { new_stake: stake, amount: stake } };
    }
  }
}

function requestRefund(node: ActionNode): NamedAction | undefined {
  const request = childOf(node, op.clientRequest);
  const wallet = parentOf(node, op.walletSend);
  const told = readFields(node, (slice) => ({ query_id: slice.loadUintBig(64), source: loadAccount(slice) }));
  return request === undefined || told === undefined
    ? undefined
    : {
        type: 'cocoon_client_request_refund',
        details: { ...told, destination: node.account, via_wallet: wallet !== undefined },
        nodes: present(wallet, node, request, childOf(node, op.excesses)),
        success: node.isDone,
      };
}

function withdraw(node: ActionNode): NamedAction | undefined {
  const request = childOf(node, op.clientRequest);
  const told = readFields(node, (slice) => ({ query_id: slice.loadUintBig(64), source: loadAccount(slice) }));
  const granted = readFields(request, (slice) => {
    slice.skip(64).loadAddressAny();
    slice.loadRef();
    const payload = slice.loadMaybeRef() ?? undefined;
    return readLayout(payload, (one) =>
      one.loadUint(32) === op.refundGranted ? one.loadCoins() : undefined,
    );
  });
  const paid = childOf(request, op.payout);
  return told === undefined || paid === undefined
    ? undefined
    : {
        type: 'cocoon_client_withdraw',
        details: {
          ...told,
          destination: node.account,
          amount: granted ?? 0n,
          withdraw_amount: granted ?? 0n,
        },
        nodes: present(node, request, paid, childOf(request, op.excesses)),
        success: node.isDone,
      };
}
