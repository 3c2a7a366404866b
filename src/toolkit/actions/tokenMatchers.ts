import { Cell } from '@ton/core';
import type { Slice } from '@ton/core';
import { opcodeOf } from '../contracts/opcodes/opcodes';
import type { ActionFacts, ActionMatcher, ActionNode, NamedAction } from './actionNode';
import { childOf, childrenOf, loadAccount, present, readFields, readLayout } from './actionNode';
import { loadSnake } from '../contracts/opcodes/decodeBody';
import { amountOf, isWrapped, jetton, opcodeIn, payloadOf, walletAt } from './transfers';

/** Messages of items and of minters: TEP-62, TEP-81, and the reference contracts. */
const op = {
  nftTransfer: opcodeOf('nft_transfer'),
  nftAssigned: opcodeOf('nft_ownership_assigned'),
  oldJettonMint: opcodeOf('jetton_mint'),
  dnsChange: opcodeOf('dns_change_record'),
} as const;

/** Collections whose items are sold by themselves: usernames, and anonymous numbers. */
const fragmentCollections: ReadonlySet<string> = new Set([
  '0:80d78a35f955a14b679faa887ff4cd5bfc0f43b4a4eea2a7e6927f3701b273c2',
  '0:0e41dc1dc3c9067ed24248580e12b3359818d83dee0304fabcf80845eafafdb2',
]);

export const textComment = opcodeOf('text_comment');
export const encryptedComment = opcodeOf('encrypted_comment');

/** The order to mint, by the reference minters, with the credit that it begins. */
export const mintOrderMatcher: ActionMatcher = {
  opcodes: [jetton.mint, op.oldJettonMint],
  match: orderedMint,
};

/** Single messages by the standards of tokens, with what follows from them: what is left after all protocols. */
export const tokenMatchers: readonly ActionMatcher[] = [
  { opcodes: [jetton.transfer], match: jettonTransfer },
  { opcodes: [jetton.internalTransfer], match: jettonMint },
  mintOrderMatcher,
  { opcodes: [jetton.burn], match: jettonBurn },
  { opcodes: [op.nftTransfer], match: nftTransfer },
  { opcodes: [op.nftAssigned], match: nftAssigned },
  { opcodes: [op.dnsChange], match: dnsChange },
];

/** What is known of the receiver as an item. */
function itemAt(node: ActionNode, facts: ActionFacts): Item {
  return node.account === undefined ? undefined : facts.nftItem(node.account);
}

/** Whose jettons a wallet is told to move: its commander's, unless a master does so by force. */
function holder(node: ActionNode, facts: ActionFacts): string | null {
  const wallet = walletAt(node, facts);
  const isForced = node.source !== undefined && node.source === wallet?.master;
  return isForced ? (wallet?.owner ?? node.source ?? null) : (node.source ?? null);
}

function jettonTransfer(node: ActionNode, facts: ActionFacts): NamedAction | undefined {
  const wallet = walletAt(node, facts);
  const order = readFields(node, (slice) => {
    const query_id = slice.loadUintBig(64);
    const amount = slice.loadCoins();
    const receiver = loadAccount(slice);
    const response_destination = loadAccount(slice);
    const custom_payload = bocOf(slice.loadMaybeRef());
    const forward_amount = slice.loadCoins();
    return {
      ...{ amount, query_id, response_destination, custom_payload, forward_amount },
      receiver,
      ...forwarded(payloadOf(slice)),
    };
  });
  if (order === undefined || wallet?.master === undefined) {
    return undefined;
  }
  const credit = childOf(node, jetton.internalTransfer);
  // Coins that are wrapped are credited as coins: no wallet holds them.
  const isUnwrapped = credit === undefined && isWrapped(wallet.master);
  return {
    type: 'jetton_transfer',
    details: {
      asset: wallet.master,
      sender: holder(node, facts),
      sender_jetton_wallet: isUnwrapped ? null : node.account,
      receiver_jetton_wallet: credit?.account ?? null,
      ...order,
    },
    nodes: present(node, ...credited(credit), ...childrenOf(node, jetton.excess)),
    success: node.isDone && (credit?.isDone ?? isUnwrapped),
  };
}

/** A credit, and what the wallet tells of it. */
function credited(credit: ActionNode | undefined): ActionNode[] {
  return present(credit, ...childrenOf(credit, jetton.notify, jetton.excess));
}

/** A credit that comes from the master itself. */
function jettonMint(node: ActionNode, facts: ActionFacts): NamedAction | undefined {
  const wallet = walletAt(node, facts);
  const amount = amountOf(node);
  return wallet?.master === undefined || wallet.master !== node.source || amount === undefined
    ? undefined
    : {
        type: 'jetton_mint',
        details: {
          asset: wallet.master,
          receiver: wallet.owner ?? null,
          receiver_jetton_wallet: node.account,
          amount,
          ton_amount: node.value,
        },
        nodes: credited(node),
        success: node.isDone,
      };
}

function orderedMint(node: ActionNode, facts: ActionFacts): NamedAction | undefined {
  const credit = childOf(node, jetton.internalTransfer);
  const order = readFields(node, (slice) => {
    slice.skip(64).loadAddressAny();
    return slice.loadCoins();
  });
  const mint = credit === undefined ? undefined : jettonMint(credit, facts);
  return mint === undefined
    ? undefined
    : {
        ...mint,
        details: { ...mint.details, ton_amount: order ?? credit?.value },
        nodes: present(node, ...mint.nodes),
        success: node.isDone && mint.success,
      };
}

function jettonBurn(node: ActionNode, facts: ActionFacts): NamedAction | undefined {
  const wallet = walletAt(node, facts);
  const amount = amountOf(node);
  const notice = childOf(node, jetton.burnNotification);
  return wallet?.master === undefined || amount === undefined
    ? undefined
    : {
        type: 'jetton_burn',
        details: {
          owner: holder(node, facts),
          owner_jetton_wallet: node.account,
          asset: wallet.master,
          amount,
        },
        nodes: present(node, notice, ...childrenOf(notice, jetton.notify, jetton.excess)),
        success: node.isDone && notice?.isDone === true,
      };
}

function nftTransfer(node: ActionNode, facts: ActionFacts): NamedAction | undefined {
  const item = itemAt(node, facts);
  const order = readFields(node, (slice) => {
    const query_id = slice.loadUintBig(64);
    const new_owner = loadAccount(slice);
    const response_destination = loadAccount(slice);
    const custom_payload = bocOf(slice.loadMaybeRef());
    const forward_amount = slice.loadCoins();
    return {
      query_id,
      new_owner,
      response_destination,
      custom_payload,
      forward_amount,
      ...forwarded(payloadOf(slice)),
    };
  });
  return order === undefined || item === undefined
    ? undefined
    : {
        type: 'nft_transfer',
        details: {
          ...itemOf(node, item),
          old_owner: node.source,
          is_purchase: false,
          ...order,
          marketplace: null,
        },
        nodes: present(node, ...childrenOf(node, op.nftAssigned, jetton.excess)),
        success: node.isDone,
      };
}

type Item = ReturnType<ActionFacts['nftItem']>;

function itemOf(node: ActionNode, item: Item): Record<string, unknown> {
  return {
    nft_collection: item?.collection ?? null,
    nft_item: node.account,
    nft_item_index: item?.index ?? null,
  };
}

/** An item that changes hands on its own only tells its new owner. */
function nftAssigned(node: ActionNode, facts: ActionFacts): NamedAction | undefined {
  const item = node.source === undefined ? undefined : facts.nftItem(node.source);
  const told = readFields(node, (slice) => ({
    query_id: slice.loadUintBig(64),
    old_owner: loadAccount(slice),
    payload: bocOf(payloadOf(slice) ?? Cell.EMPTY),
  }));
  return item === undefined || told === undefined || told.old_owner === node.account
    ? undefined
    : {
        type: 'nft_transfer',
        details: {
          nft_collection: item.collection ?? null,
          nft_item: node.source,
          nft_item_index: item.index ?? null,
          old_owner: told.old_owner,
          new_owner: node.account,
          ...priceOf(node, item.collection),
          query_id: told.query_id,
          forward_payload: told.payload,
        },
        nodes: [node],
        success: node.isDone,
      };
}

/** An item of Fragment changes hands when it is paid: by its new owner, in a plain transfer. */
function priceOf(node: ActionNode, collection: string | undefined): Record<string, unknown> {
  const paid = node.parent;
  const isSold = collection !== undefined && fragmentCollections.has(collection);
  return isSold && paid !== undefined && paid.source === node.account && paid.opcode === undefined
    ? { is_purchase: true, price: paid.value, marketplace: 'fragment' }
    : { is_purchase: false };
}

/** What a collection makes: an item that is new, and says whose it is. */
export function nftMint(node: ActionNode, facts: ActionFacts): NamedAction | undefined {
  const item = itemAt(node, facts);
  return !node.isDeploy || item?.collection === undefined || item.collection !== node.source
    ? undefined
    : {
        type: 'nft_mint',
        details: { owner: item.owner ?? null, ...itemOf(node, item) },
        nodes: present(node, ...childrenOf(node, jetton.excess)),
        success: node.isDone,
      };
}

function dnsChange(node: ActionNode, facts: ActionFacts): NamedAction | undefined {
  const item = itemAt(node, facts);
  const change = readFields(node, (slice) => {
    const key = slice.skip(64).loadUintBig(256).toString(16).padStart(64, '0');
    return { key, isGone: slice.remainingRefs === 0 };
  });
  if (change === undefined) {
    return undefined;
  }
  const place = { source: node.source, asset: node.account, nft_collection: item?.collection ?? null };
  return {
    type: change.isGone ? 'delete_dns' : 'change_dns',
    details: change.isGone
      ? { hash: change.key, ...place }
      : { key: change.key, value: { sum_type: null }, ...place },
    nodes: [node],
    success: node.isDone,
  };
}

/** A payload's comment, if it is one. */
function forwarded(payload: Cell | undefined): {
  comment: string | null;
  is_encrypted_comment: boolean;
  forward_payload: string | null;
} {
  const opcode = opcodeIn(payload);
  return {
    comment: opcode === textComment ? (readLayout(payload, loadComment) ?? null) : null,
    is_encrypted_comment: opcode === encryptedComment,
    forward_payload: bocOf(payload),
  };
}

/** The text of a comment. */
export function loadComment(slice: Slice): string {
  return loadSnake(slice.skip(32)).toString('utf8');
}

/** The bytes of an encrypted comment, as hex. */
export function loadEncrypted(slice: Slice): string {
  return loadSnake(slice.skip(32)).toString('hex');
}

function bocOf(cell: Cell | null | undefined): string | null {
  return cell == null ? null : cell.toBoc().toString('base64');
}
