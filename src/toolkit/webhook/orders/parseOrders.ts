import * as z from 'zod';
import { checkShape } from '../../base/checkShape';
import { WorkbenchError } from '../../base/errors';
import { decimalPattern, integerPattern, toBaseUnits } from '../values/amount';
import { canonicalAddress } from '../../address/canonicalAddress';
import { closestWord } from '../../base/text';
import { isNativeAsset, knownDecimals, nativeAsset } from '../values/asset';

/** An expected payment. */
export interface Order {
  /** The id returned by create-transfer: the key of the order. */
  reference: string;
  /** In human units, like the payload's `amount`: `10.5`. One of amount and rawAmount is set. */
  amount?: string | undefined;
  /** In base units, like the payload's `rawAmount`: `10500000000`. */
  rawAmount?: string | undefined;
  /** `TON` (or another name of the native coin), or a jetton master's address. */
  asset: string;
  /** Of the asset. TON and USDT are known; for others the payload's value is the default. */
  decimals?: number | undefined;
  /** The wallet that should receive the payment; not compared if missing. */
  recipient?: string | undefined;
  /** Created by the payment API on this machine, and in no file. */
  isCreated?: true | undefined;
  /** When it was created, ISO 8601, if it is known. */
  createdAt?: string | undefined;
  /** What the payment API has seen of its payment that no delivery tells. */
  trouble?: OrderTrouble | undefined;
}

/** What is not as it should be with a payment, in words: `1.4 TON arrived, too little`. */
export interface OrderTrouble {
  /** The payment counts all the same: it was made twice. */
  isPaid: boolean;
  text: string;
}

/** The contents of an orders file. */
export interface OrdersFile {
  orders: Order[];
  /** Suspicious but usable entries. */
  warnings: string[];
}

const orderSchema = z
  .object({
    reference: z.string().min(1),
    amount: z
      .string()
      .regex(decimalPattern, 'must be a decimal number in a string, such as "10.5"')
      .optional(),
    rawAmount: z
      .string()
      .regex(integerPattern, 'must be an integer in a string, such as "10500000000"')
      .optional(),
    asset: z.string().min(1),
    decimals: z.int().min(0).max(77).optional(),
    recipient: z.string().min(1).optional(),
  })
  .refine((order) => order.amount !== undefined || order.rawAmount !== undefined, {
    path: ['amount'],
    error: 'is missing: give amount (human units) or rawAmount (base units)',
  });

const orderFields: readonly string[] = ['reference', 'amount', 'rawAmount', 'asset', 'decimals', 'recipient'];

const fileSchema = z.union([
  z.array(orderSchema),
  z.object({ $schema: z.string().optional(), orders: z.array(orderSchema) }),
]);

type OrdersJson = z.output<typeof fileSchema>;

/**
 * Reads an orders file: a JSON array of orders, or an object with such an array under `orders`
 * (media/schemas/webhook-orders.schema.json).
 *
 * @param coin additional name of the native coin
 * @throws WorkbenchError `orders-invalid` (input) with details {path}
 */
export function parseOrders(text: string, coin?: string): OrdersFile {
  let json: unknown;
  try {
    json = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (cause) {
    throw ordersInvalidError('', `is not JSON: ${cause instanceof Error ? cause.message : ''}`, cause);
  }
  const { data, problem } = checkShape<OrdersJson>(fileSchema.options[Array.isArray(json) ? 0 : 1], json);
  if (problem !== undefined) {
    throw ordersInvalidError(problem.path, problem.words);
  }
  const orders = Array.isArray(data) ? data : data.orders;
  if (orders.length === 0) {
    return { orders, warnings: ['The orders file has no orders: no reference of a delivery is known.'] };
  }
  const given = (Array.isArray(json) ? json : (json as { orders: unknown }).orders) as object[];
  const warnings = orders.flatMap((order, index) => [
    ...unknownFields(order, index, given[index] ?? {}),
    ...check(order, index, orders, coin),
  ]);
  return { orders, warnings };
}

function check(order: Order, index: number, orders: readonly Order[], coin?: string): string[] {
  const at = nameOf(order, index);
  if (orders.findIndex((other) => other.reference === order.reference) !== index) {
    throw ordersInvalidError(`${index}.reference`, `${JSON.stringify(order.reference)} occurs twice`);
  }
  const decimals = order.decimals ?? knownDecimals(order.asset, coin);
  if (decimals !== undefined && order.amount !== undefined) {
    const units = toBaseUnits(order.amount, decimals);
    if (units === undefined) {
      throw ordersInvalidError(`${index}.amount`, `has more decimals than the ${decimals} of its asset`);
    }
    if (order.rawAmount !== undefined && BigInt(order.rawAmount) !== units) {
      throw ordersInvalidError(
        `${index}.rawAmount`,
        `is not the amount in base units: ${order.amount} is ${units}`,
      );
    }
  }
  if (order.recipient !== undefined && canonicalAddress(order.recipient) === undefined) {
    throw ordersInvalidError(`${index}.recipient`, 'is not an address of a wallet');
  }
  const warnings: string[] = [];
  if (!isNativeAsset(order.asset, coin) && canonicalAddress(order.asset) === undefined) {
    warnings.push(`${at}: the asset is neither ${nativeAsset} nor an address; it is compared as text.`);
  }
  return warnings;
}

function nameOf({ reference }: Order, index: number): string {
  return `Order ${index + 1} (${reference})`;
}

/** A warning per unknown field: a typo would switch a comparison off. */
function unknownFields(order: Order, index: number, given: object): string[] {
  return Object.keys(given)
    .filter((name) => !orderFields.includes(name))
    .map((name) => {
      const meant = closestWord(name, orderFields);
      const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
      return `${nameOf(order, index)}: the field ${JSON.stringify(name.slice(0, 100))} is not known and has no effect.${hint}`;
    });
}

/** `orders.1.reference` as words: `Order 2 of the orders file: reference`. */
function placeOf(path: string): string {
  const [, index, field] = /^(?:orders\.)?(\d+)(?:\.(.+))?$/.exec(path) ?? [];
  if (index === undefined) {
    return path === '' ? 'The orders file' : `The orders file: ${path}`;
  }
  const order = `Order ${Number(index) + 1} of the orders file`;
  return field === undefined ? order : `${order}: ${field}`;
}

function ordersInvalidError(path: string, problem: string, cause?: unknown): WorkbenchError {
  return new WorkbenchError({
    code: 'orders-invalid',
    kind: 'input',
    message: `${placeOf(path)} ${problem}.`,
    hint: 'An order is {"reference": "…", "amount": "10.5", "asset": "TON", "recipient": "UQ…"}.',
    details: { path },
    cause,
  });
}
