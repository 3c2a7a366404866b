import type { ActionFacts, ActionMatcher, ActionNode, NamedAction } from './actionNode';
import { childOf, eventOf, loadAccount, present, readFields } from './actionNode';
import { amountOf, jetton, walletAt } from './transfers';

/** Messages of TON Teleport BTC; events are logged. */
const op = {
  mintBegin: 0x3f781d24,
  mintEnd: 0xe42a879b,
  mintEvent: 0x77a80ef3,
  burnEvent: 0xca444ce6,
  burnToTeleport: 0x587643a2,
  pegout: 0xbe44e7a6,
  pegoutTold: 0x1a84c0e0,
  newKey: 0x690f357a,
  newKeyEvent: 0x27756729,
  dkgEvent: 0x453443a6,
} as const;

export const tgbtcMatchers: readonly ActionMatcher[] = [
  { opcodes: [op.mintEnd], match: mint },
  { opcodes: [jetton.burn], match: burn },
  { opcodes: [op.newKey], match: newKey },
  { opcodes: [op.burnToTeleport, jetton.burnNotification], match: burnToldOnly },
];

/** Bitcoin writes transaction ids in the other byte order. */
function mint(node: ActionNode, facts: ActionFacts): NamedAction | undefined {
  const event = readFields(eventOf(node, op.mintEvent), (slice) => {
    const [amount, recipient] = [slice.loadCoins(), loadAccount(slice)];
    return { amount, recipient, transaction: slice.loadBuffer(32).reverse().toString('hex') };
  });
  const order = childOf(node, jetton.mint);
  const credit = childOf(order, jetton.internalTransfer);
  const chain: ActionNode[] = [];
  let begin: ActionNode | undefined = node;
  for (let steps = 0; begin !== undefined && begin.opcode !== op.mintBegin && steps < 20; steps++) {
    chain.unshift(begin);
    begin = begin.parent;
  }
  return event === undefined || credit?.account === undefined || begin?.opcode !== op.mintBegin
    ? undefined
    : {
        type: 'tgbtc_mint',
        details: {
          source: begin.source,
          destination: event.recipient,
          destination_wallet: credit.account,
          amount: event.amount,
          asset: facts.jettonWallet(credit.account)?.master ?? order?.account ?? null,
          bitcoin_tx_id: event.transaction,
        },
        nodes: present(begin, ...chain, order, credit, childOf(credit, jetton.excess)),
        success: true,
      };
}

function burn(node: ActionNode, facts: ActionFacts): NamedAction | undefined {
  const amount = amountOf(node);
  const notice = childOf(node, jetton.burnNotification);
  const told = childOf(notice, jetton.burnNotification, op.burnToTeleport);
  const event = readFields(eventOf(told, op.burnEvent), loadBurn);
  const wallet = walletAt(node, facts);
  if (event === undefined || amount === undefined) {
    return undefined;
  }
  const pegout = childOf(told, op.pegout);
  return {
    type: 'tgbtc_burn',
    details: {
      source: wallet?.owner ?? node.source,
      source_wallet: node.account,
      destination: event.pegout,
      amount: amount > 0n && amount < event.amount ? amount : event.amount,
      asset: wallet?.master ?? null,
    },
    nodes: present(node, notice, told, pegout, childOf(pegout, op.pegoutTold)),
    success: true,
  };
}

function loadBurn(slice: Parameters<typeof loadAccount>[0]): {
  amount: bigint;
  sender: string | null;
  pegout: string | null;
} {
  const amount = slice.loadCoins();
  try {
    return { amount, sender: loadAccount(slice), pegout: loadAccount(slice) };
  } catch {
    // The oldest ones name nobody.
    return { amount, sender: null, pegout: null };
  }
}

/** A burn of which only the log says something. */
function burnToldOnly(node: ActionNode): NamedAction | undefined {
  const event = readFields(eventOf(node, op.burnEvent), loadBurn);
  const pegout = childOf(node, op.pegout);
  return event === undefined
    ? undefined
    : {
        type: 'tgbtc_burn_fallback',
        details: {
          source: event.sender,
          source_wallet: null,
          destination: event.pegout,
          amount: event.amount,
          asset: null,
        },
        nodes: present(node, pegout, childOf(pegout, op.pegoutTold)),
        success: node.isDone,
      };
}

function newKey(node: ActionNode): NamedAction | undefined {
  const dkg = readFields(eventOf(node.parent, op.dkgEvent), (slice) => ({
    timestamp: slice.loadUint(64),
    pubkey: slice.loadUintBig(256).toString(16),
  }));
  const key = readFields(eventOf(node, op.newKeyEvent), (slice) => {
    const [amount, pubkey] = [slice.loadCoins(), slice.loadUintBig(256).toString(16)];
    return { amount, pubkey, pegout: loadAccount(slice) };
  });
  const pegout = childOf(node, op.pegout);
  if (key !== undefined) {
    return {
      type: dkg === undefined ? 'tgbtc_new_key_fallback' : 'tgbtc_new_key',
      details: {
        source: dkg === undefined ? null : node.source,
        coordinator: node.account,
        asset: null,
        ...key,
      },
      nodes: present(node, pegout, childOf(pegout, op.pegoutTold)),
      success: true,
    };
  }
  return dkg === undefined
    ? undefined
    : {
        type: 'tgbtc_dkg_log_fallback',
        details: { coordinator: node.source, ...dkg },
        nodes: [node],
        success: true,
      };
}
