import { Cell } from '@ton/core';
import { initData } from './traceKeys';
import type { TraceContext } from './traceContext';
import type { TraceNode } from './traceModel';

/** A new collection item. Accounts `workchain:hex`. */
export interface NftMint {
  collection: string;
  index: bigint | undefined;
  owner: string | undefined;
}

/**
 * The mint performed by a transaction, if any: a contract is deployed by a message from its collection. The service
 * may identify it as an item; else its initial data do, which in TEP-62's reference contract are its index (64 bits)
 * and the collection's address. The deploying message begins with the owner.
 */
export function nftMintOf(node: TraceNode, context: TraceContext): NftMint | undefined {
  const { message, account, transaction } = node;
  const isNew = transaction?.orig_status !== 'active' && transaction?.end_status === 'active';
  if (message?.init_state == null || message.source == null || account === undefined || !isNew) {
    return undefined;
  }
  const collection = message.source;
  const data = itemData(initData(message));
  const isSaidItem =
    context.token(account, 'nft_items') !== undefined ||
    context.interfaces(account).some((name) => /^nft_item/.test(name));
  if (data?.collection !== collection && !isSaidItem) {
    return undefined;
  }
  return {
    collection,
    index: data?.collection === collection ? data.index : undefined,
    owner: ownerIn(message.message_content?.body),
  };
}

function itemData(data: Cell | undefined): { index: bigint; collection: string | undefined } | undefined {
  try {
    const slice = data?.beginParse();
    return slice === undefined
      ? undefined
      : { index: slice.loadUintBig(64), collection: slice.loadMaybeAddress()?.toRawString() };
  } catch {
    return undefined;
  }
}

function ownerIn(body: string | null | undefined): string | undefined {
  try {
    return body == null ? undefined : Cell.fromBase64(body).beginParse().loadMaybeAddress()?.toRawString();
  } catch {
    return undefined;
  }
}
