import type { Exact } from '../../api/v3Objects';
import type { V3Answer } from './blocks';
import type { V3MultisigOrder, V3MultisigOrderAction } from '../../api/v3Tokens';
import type { Cell } from '@ton/core';
import { Dictionary, loadMessageRelaxed } from '@ton/core';
import { loadFolded } from '../../cell/loadFolded';
import { ApiError } from '../api/apiError';
import type { AccountRecord } from '../records/records';
import { rawAddress } from '../../cell/light/readMessage';
import type { Token } from '../tokens/readToken';
import { addressBookOnly } from './blocks';
import type { V3Context } from './v3Context';
import { decodedBody } from '../../execution/encode/decodedBody';
import { related, stateFields, tokensOf } from './jettons';
import type { Query } from './query';
import { takePage } from './page';
import { walletTags } from '../../contracts/opcodes/walletCodes';

type Order = Extract<Token, { kind: 'multisig-order' }>;
type Found<T> = { account: AccountRecord; token: T }[];

/** GET /multisig/wallets: contracts with `get_multisig_data` (multisig v2). */
export async function multisigWallets(
  context: V3Context,
  query: Query,
): Promise<V3Answer<'multisigWallets'>> {
  const { addresses, people } = select(query, 'wallet_address');
  const page = query.page(500, 10, 1024);
  const withOrders = query.flag('include_orders', true);
  await context.tokens.refresh();
  const source = addresses.length > 0 ? addresses : related(context, people);
  const found = byLt(
    tokensOf(context, 'multisig', source).filter(
      ({ token }) =>
        people.length === 0 || [...token.signers, ...token.proposers].some((one) => people.includes(one)),
    ),
    page.ascending,
  );
  const rows = takePage(found, page).map(({ account, token }) => ({
    ...stateFields(account),
    next_order_seqno: token.nextOrderSeqno,
    threshold: token.threshold,
    signers: [...token.signers],
    proposers: [...token.proposers],
    ...(withOrders
      ? { orders: ordersOf(context, [account.address]).map((order) => encodeOrder(order, false)) }
      : {}),
  }));
  return { multisigs: rows, ...(await addressBookOnly(context, query, rows)) };
}

/** GET /multisig/orders: contracts with `get_order_data`. */
export async function multisigOrders(context: V3Context, query: Query): Promise<V3Answer<'multisigOrders'>> {
  const { addresses, people } = select(query, 'multisig_address');
  const page = query.page(500, 10, 1024);
  const withActions = query.flag('parse_actions', false);
  await context.tokens.refresh();
  const found =
    addresses.length > 0
      ? tokensOf(context, 'multisig-order', addresses).filter(
          ({ token }) => people.length === 0 || people.includes(token.multisig ?? ''),
        )
      : ordersOf(context, people);
  const rows = takePage(byLt(found, page.ascending), page).map((order) => encodeOrder(order, withActions));
  return { orders: rows, ...(await addressBookOnly(context, query, rows)) };
}

function select(query: Query, other: string): { addresses: string[]; people: string[] } {
  const addresses = query.addresses('address');
  const people = query.addresses(other);
  if (addresses.length === 0 && people.length === 0) {
    throw new ApiError(422, `At least one of address or ${other} should be specified`);
  }
  return { addresses, people };
}

function ordersOf(context: V3Context, multisigs: readonly string[]): Found<Order> {
  return tokensOf(context, 'multisig-order', related(context, multisigs) ?? []);
}

function byLt<T>(found: Found<T>, ascending: boolean): Found<T> {
  const direction = ascending ? 1 : -1;
  return found.sort(
    (a, b) => Number(a.account.facts.lastTransactionLt - b.account.facts.lastTransactionLt) * direction,
  );
}

function encodeOrder({ account, token }: Found<Order>[number], withActions: boolean): Exact<V3MultisigOrder> {
  return {
    ...stateFields(account),
    multisig_address: token.multisig,
    order_seqno: token.orderSeqno,
    threshold: token.threshold,
    sent_for_execution: token.isSent,
    signers: [...token.signers],
    approvals_mask: token.approvalsMask.toString(),
    approvals_num: token.approvals,
    expiration_date: token.expiresAt,
    order_boc: token.order.toBoc().toString('base64'),
    ...(withActions ? { actions: readActions(token.order) } : {}),
  };
}

/** What the order would do: messages, and changes of the multisig itself, which are not decoded. */
function readActions(order: Cell): Exact<V3MultisigOrderAction>[] {
  try {
    const actions = loadFolded(order, (slice) =>
      slice.loadDictDirect(Dictionary.Keys.Uint(8), Dictionary.Values.Cell()),
    );
    return [...actions].sort(([a], [b]) => a - b).map(([, action]) => readAction(action));
  } catch {
    return [];
  }
}

function readAction(action: Cell): Exact<V3MultisigOrderAction> {
  try {
    const slice = action.beginParse();
    if (slice.loadUint(32) !== walletTags.multisigSend) {
      return { parsed: false, error: 'no message to be sent' };
    }
    const mode = slice.loadUint(8);
    const { info, body } = loadFolded(slice.loadRef(), loadMessageRelaxed);
    const parsed = decodedBody(body);
    return {
      parsed: parsed !== null,
      send_mode: mode,
      ...(info.type === 'internal'
        ? {
            destination: rawAddress(info.dest.workChain, info.dest.hash),
            value: info.value.coins,
          }
        : {}),
      body_raw: [...body.toBoc()],
      ...(parsed === null ? {} : { parsed_body: parsed, parsed_body_type: parsed['@type'] }),
    };
  } catch {
    return { parsed: false, error: 'the action cannot be read' };
  }
}
