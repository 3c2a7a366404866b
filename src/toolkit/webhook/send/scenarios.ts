import { randomBytes } from 'node:crypto';
import { fromBaseUnits } from '../values/amount';
import { isNativeAsset, knownDecimals, nativeAsset, usdtMaster } from '../values/asset';
import type { HeaderList } from '../delivery/signature';
import type { HttpRequestParameters } from './sendHttpRequest';
import { refundedEvent } from '../payload/payload';
import type { TransferData, TransferPayload } from '../payload/payload';
import type { WebhookProvider } from '../provider/webhookProvider';
import { tonPay } from '../provider/tonPay';
import { limits } from '../../base/limits';

/** Requests that may come from the service, or from an impostor. */
export type ScenarioName =
  | 'success'
  | 'failed'
  | 'duplicate'
  | 'concurrent'
  | 'retry'
  | 'wrong-secret'
  | 'altered'
  | 'reserialized'
  | 'no-signature'
  | 'unknown-reference'
  | 'amount-off-by-one'
  | 'wrong-asset'
  | 'refunded'
  | 'not-json'
  | 'huge'
  | 'slow'
  | 'stale'
  | 'other-account';

/** The statuses a receiver should answer with. */
export type ExpectedStatus = '2xx' | '200' | '400' | '401' | '413' | '4xx';

/** Whether a status is the expected one. An oversized body may be rejected with any 4xx. */
export function meets(status: number | null, expected: ExpectedStatus): boolean {
  if (status === null) {
    return false;
  }
  const family = Math.floor(status / 100);
  return expected === '2xx'
    ? family === 2
    : expected === '413' || expected === '4xx'
      ? family === 4
      : String(status) === expected;
}

export interface Scenario {
  name: ScenarioName;
  /** What is sent. */
  title: string;
  /** What the receiver should do with it. */
  rule: string;
  expected: ExpectedStatus;
  /** What would otherwise go wrong in production. */
  consequence: string;
  /** What it means that a genuine delivery gets 401; default: that of a signature. */
  whenForbidden?: string;
  /** What it means that this and the plainly forged delivery are accepted; default: that of a signature. */
  whenForgedPasses?: string;
  plan(context: PlanContext): Plan;
}

export interface PlanContext {
  /** The payload to start from. */
  payload: TransferPayload;
  /** Logical time of its transaction, for services that tell it. */
  lt?: bigint | undefined;
  secret: string;
  provider: WebhookProvider;
  signatureHeaders: readonly string[];
  /** Additional name of the native coin. */
  coin?: string | undefined;
}

/** One or two deliveries of a scenario. */
export interface Plan {
  deliveries: PlannedDelivery[];
  /** Concurrently instead of one after the other. */
  together?: boolean;
}

export interface PlannedDelivery {
  headers: HeaderList;
  body: Buffer;
  pace?: HttpRequestParameters['pace'];
  cutFirstAnswer?: boolean;
}

const retried = tonPay.whenRefused;
const forged = 'Anyone who knows the URL could mark orders as paid.';

/** The scenarios of the payment service, in the order of a check; scenariosOf.ts has those of others. */
export const scenarios: readonly Scenario[] = [
  {
    name: 'success',
    title: 'a transfer that succeeded',
    rule: 'accept a signed delivery within 10 s',
    expected: '2xx',
    consequence: 'No payment would be noticed.',
    plan: (context: PlanContext): Plan => single(context, context.payload),
  },
  {
    name: 'failed',
    title: 'a transfer that failed',
    rule: 'record a failed transfer and answer 2xx',
    expected: '2xx',
    consequence: retried,
    plan: (context: PlanContext): Plan => {
      const data = { status: 'failed', errorCode: 36, errorMessage: 'Not enough TON' };
      // A manually set status, code, or message is kept.
      const own = context.payload.data;
      return single(context, change(context, own.status === 'success' ? { ...data, ...errorOf(own) } : {}));
    },
  },
  {
    name: 'duplicate',
    title: 'the same delivery twice, one after the other',
    rule: 'answer a repeat with 2xx and do nothing',
    expected: '2xx',
    consequence: retried,
    plan: (context: PlanContext): Plan => twice(context),
  },
  {
    name: 'concurrent',
    title: 'the same delivery twice at the same time',
    rule: 'answer both with 2xx and process one',
    expected: '2xx',
    consequence: `${retried} If both are processed, the customer gets the goods twice.`,
    plan: (context: PlanContext): Plan => ({ ...twice(context), together: true }),
  },
  {
    name: 'retry',
    title: 'a delivery whose answer is lost, and its retry',
    rule: 'answer the retry with 2xx',
    expected: '2xx',
    consequence: 'One lost answer would make every later attempt fail.',
    plan: (context: PlanContext): Plan => {
      const body = encode(context);
      return { deliveries: [{ ...signed(context, body), cutFirstAnswer: true }] };
    },
  },
  {
    name: 'wrong-secret',
    title: 'a delivery signed with another secret',
    rule: "refuse another secret's signature with 401",
    expected: '401',
    consequence: forged,
    plan: (context: PlanContext): Plan => {
      const body = encode(context);
      return { deliveries: [signed({ ...context, secret: `wrong-${context.secret}` }, body)] };
    },
  },
  {
    name: 'altered',
    title: 'a delivery changed after it was signed',
    rule: 'refuse a changed body with 401',
    expected: '401',
    consequence: 'Anyone who sees a delivery could change its amount or reference and send it again.',
    plan: (context: PlanContext): Plan => {
      const { headers } = signed(context, encode(context));
      return { deliveries: [{ headers, body: encode(context, offByOne(context)) }] };
    },
  },
  {
    name: 'reserialized',
    title: 'a delivery whose JSON was re-serialized with different whitespace after it was signed',
    rule: 'verify the raw bytes: refuse re-serialized JSON with 401',
    expected: '401',
    consequence:
      'The signature is checked over parsed JSON instead of the raw bytes: altered bytes pass, and genuine deliveries fail as soon as the service formats its JSON differently.',
    plan: (context: PlanContext): Plan => {
      const { headers } = signed(context, encode(context));
      return { deliveries: [{ headers, body: encodePretty(context.payload, context.provider) }] };
    },
  },
  {
    name: 'no-signature',
    title: 'a delivery without a signature',
    rule: 'refuse a missing signature with 401',
    expected: '401',
    consequence: forged,
    plan: (context: PlanContext): Plan => ({
      deliveries: [{ headers: plainHeaders, body: encode(context) }],
    }),
  },
  {
    name: 'unknown-reference',
    title: 'a transfer with an unknown reference',
    rule: 'log an unknown reference and answer 2xx',
    expected: '2xx',
    consequence: retried,
    plan: (context) =>
      single(context, change(context, { reference: `unknown-${randomBytes(8).toString('hex')}` })),
  },
  {
    name: 'amount-off-by-one',
    title: 'a transfer of one base unit more than expected',
    rule: 'log a wrong amount and answer 2xx',
    expected: '2xx',
    consequence: retried,
    plan: (context: PlanContext): Plan => single(context, offByOne(context)),
  },
  {
    name: 'wrong-asset',
    title: 'a transfer of another asset',
    rule: 'log a wrong asset and answer 2xx',
    expected: '2xx',
    consequence: retried,
    plan: (context: PlanContext): Plan => {
      const isNative = isNativeAsset(context.payload.data.asset, context.coin);
      const asset = isNative ? usdtMaster : nativeAsset;
      return single(context, change(context, { asset, assetTicker: isNative ? 'USDT' : 'TON' }));
    },
  },
  {
    name: 'refunded',
    title: 'the announced event transfer.refunded',
    rule: 'answer an unexpected event with 400',
    expected: '400',
    consequence: 'A refund would be mistaken for a payment.',
    plan: (context: PlanContext): Plan => single(context, { ...context.payload, event: refundedEvent }),
  },
  {
    name: 'not-json',
    title: 'a signed body that is not JSON',
    rule: 'refuse a body that is not JSON with 400',
    expected: '400',
    consequence: 'A broken delivery would be lost silently, or crash the receiver.',
    plan: (context: PlanContext): Plan => ({
      deliveries: [signed(context, Buffer.from('this is not JSON', 'utf8'))],
    }),
  },
  {
    name: 'huge',
    title: 'a signed body of 2 MiB',
    rule: 'refuse a body over the limit with 413',
    expected: '413',
    consequence: "Anyone could fill the receiver's memory, because bodies are read before they are verified.",
    plan: (context: PlanContext): Plan => {
      // Spaces after JSON are JSON.
      const spaces = Buffer.alloc(2 * limits.webhookBody.most, ' ');
      return {
        deliveries: [signed(context, Buffer.concat([encode(context), spaces]))],
      };
    },
  },
  {
    name: 'slow',
    title: 'a delivery whose body takes three seconds to arrive',
    rule: 'wait for a slow body, and answer within 10 s',
    expected: '2xx',
    consequence: 'Deliveries over a slow connection would fail.',
    plan: (context: PlanContext): Plan => {
      const one = signed(context, encode(context));
      return { deliveries: [{ ...one, pace: { pieces: 6, ms: 3_000 } }] };
    },
  },
];

const plainHeaders: HeaderList = [
  ['Content-Type', 'application/json'],
  ['User-Agent', 'ton-workbench-webhook-test'],
];

/**
 * A body with its headers and signature.
 * @param now when it is signed, in Unix milliseconds; default: now
 */
export function signed(
  { provider, secret, signatureHeaders }: Pick<PlanContext, 'provider' | 'secret' | 'signatureHeaders'>,
  body: Buffer,
  now?: number,
): PlannedDelivery {
  return { headers: [...plainHeaders, ...provider.sign(body, secret, signatureHeaders, now)], body };
}

/** The bytes of JSON with spaces and line breaks. */
export function encodePretty(payload: TransferPayload, provider: WebhookProvider): Buffer {
  const value: unknown = JSON.parse(provider.encode(payload).toString('utf8'));
  return Buffer.from(JSON.stringify(value, null, 2), 'utf8');
}

/** The bytes of a delivery that tells of a payload; default: the one to start from. */
export function encode({ provider, payload: start, lt }: PlanContext, payload = start): Buffer {
  return provider.encode(payload, lt);
}

function single(context: PlanContext, payload: TransferPayload): Plan {
  return { deliveries: [signed(context, encode(context, payload))] };
}

function twice(context: PlanContext): Plan {
  const one = signed(context, encode(context));
  return { deliveries: [one, one] };
}

export function change({ payload }: PlanContext, data: Partial<TransferData>): TransferPayload {
  return { ...payload, data: { ...payload.data, ...data } };
}

function errorOf({ errorCode, errorMessage }: TransferData): Partial<TransferData> {
  return {
    ...(errorCode === undefined ? {} : { errorCode }),
    ...(errorMessage === undefined ? {} : { errorMessage }),
  };
}

/** One base unit more; amount is adjusted if the decimals are known. */
function offByOne(context: PlanContext): TransferPayload {
  const { rawAmount, asset, amount } = context.payload.data;
  const units = /^\d{1,77}$/.test(rawAmount) ? BigInt(rawAmount) + 1n : 1n;
  const decimals = knownDecimals(asset, context.coin);
  return change(context, {
    rawAmount: units.toString(),
    amount: decimals === undefined ? amount : fromBaseUnits(units, decimals),
  });
}
