import type { Access } from '../access/createAccess';
import { canonicalAddress, sameAddress } from '../address/canonicalAddress';
import { WorkbenchError } from '../base/errors';
import type { LocalAccount } from '../accounts/localAccount';
import { orderUnits } from '../webhook/orders/orderPaymentLine';
import type { Order } from '../webhook/orders/parseOrders';
import { isNativeAsset } from '../webhook/values/asset';

/** What to pay, and with which wallets. */
export interface PayerSearch {
  /** Of the local network. */
  access: Access;
  wallets: readonly Pick<LocalAccount, 'name' | 'address'>[];
  order: Order;
  recipient: string;
  /** Another name of the native coin. */
  coin: string;
  signal: AbortSignal;
}

/** A wallet that can pay. */
export interface FoundPayer {
  /** Its name. */
  wallet: string;
  address: string;
  /** Its wallet of the order's jetton; undefined for the native coin. */
  jettonWallet?: string;
}

/**
 * A wallet of the local network that can pay an order; the recipient does not pay itself.
 * @throws WorkbenchError `order-unpayable` (input), and the access layer's errors
 */
export async function findPayer({
  access,
  wallets,
  order,
  recipient,
  coin,
  signal,
}: PayerSearch): Promise<FoundPayer> {
  const others = wallets.filter(({ address }) => !sameAddress(address, recipient));
  const [first] = others;
  if (isNativeAsset(order.asset, coin)) {
    if (first !== undefined) {
      return { wallet: first.name, address: first.address };
    }
    throw unpayableError(order, 'The local network has no other wallet than the recipient.');
  }
  const answer = await access.v3.jettonWallets(
    { jetton_address: [order.asset], exclude_zero_balance: true, sort: 'desc', limit: 100 },
    { signal },
  );
  const units = orderUnits(order, coin);
  for (const { address, owner, balance } of answer.jetton_wallets ?? []) {
    const payer = others.find((wallet) => canonicalAddress(wallet.address) === owner);
    if (payer !== undefined && address != null && (balance ?? 0n) >= units) {
      return { wallet: payer.name, address: payer.address, jettonWallet: address };
    }
  }
  throw unpayableError(order, 'No wallet of the local network has enough of its jetton.');
}

function unpayableError({ reference }: Order, why: string): WorkbenchError {
  return new WorkbenchError({
    code: 'order-unpayable',
    kind: 'input',
    message: `${JSON.stringify(reference)} cannot be paid. ${why}`,
    hint: 'Deploy or mint the jetton on the local network first, or send a test payment instead.',
  });
}
