import { isUtf8 } from 'node:buffer';
import * as z from 'zod';
import { checkShape } from '../../base/checkShape';
import { decimalPattern, integerPattern } from '../values/amount';
import { isIsoTime } from '../values/isHttpSuccess';
import { readJsonObject } from './claimedReference';

/**
 * The documented body of `transfer.completed` (payment-webhooks, section 5). Addresses, hashes, and ids have no
 * documented format: only presence and type are checked.
 */
const text = (what: string): z.ZodString => z.string({ error: wrongType('must be a string', what) });

const isoTime = (what: string): z.ZodString =>
  text(what).refine(isIsoTime, { error: 'must be an ISO 8601 time such as 2026-01-15T14:30:00.000Z' });

function wrongType(rule: string, what: string): (issue: { input?: unknown }) => string {
  return ({ input }) => `${input === undefined ? 'is missing' : rule}: ${what}`;
}

const dataSchema = z.object(
  {
    amount: text('the amount in human units').regex(decimalPattern, {
      error: 'must be a decimal number in a string, such as "10.5"',
    }),
    rawAmount: text('the amount in base units').regex(integerPattern, {
      error: 'must be an integer in a string, such as "10500000000"',
    }),
    senderAddr: text("the sender's wallet"),
    recipientAddr: text("the recipient's wallet"),
    asset: text("the native coin's ticker or the address of a jetton master"),
    assetTicker: text('the name of the asset').optional(),
    status: text('success or failed'),
    reference: text('the id of the transfer').min(1, { error: 'must not be empty' }),
    bodyBase64Hash: text('the hash of the message body'),
    txHash: text('the hash of the transaction'),
    traceId: text('the id of the trace'),
    commentToSender: text('a comment').optional(),
    commentToRecipient: text('a comment').optional(),
    date: isoTime('the time of the transfer'),
    errorCode: z.number({ error: wrongType('must be a number', 'why the transfer failed') }).optional(),
    errorMessage: text('what went wrong').optional(),
  },
  { error: wrongType('must be an object', 'the transfer') },
);

const payloadSchema = z.object(
  { event: text('the name of the event'), timestamp: isoTime('the time of the event'), data: dataSchema },
  { error: wrongType('must be an object', 'event, timestamp and data') },
);

/** `{event, timestamp, data}` of transfer.completed. */
export type TransferPayload = z.infer<typeof payloadSchema>;

/** The transfer inside a payload. */
export type TransferData = TransferPayload['data'];

/** The one event that reports a payment. */
export const completedEvent = 'transfer.completed';

/** Announced by the service but not sent yet; the shape of its data is undefined. */
export const refundedEvent = 'transfer.refunded';

/** Fields of the payload itself. */
export const payloadFields: readonly string[] = Object.keys(payloadSchema.shape);

/** Fields of `data`. */
export const dataFields: readonly string[] = Object.keys(dataSchema.shape);

/** Optional fields of `data`. */
const optionalDataFields: readonly string[] = Object.entries(dataSchema.shape)
  .filter(([, field]) => field instanceof z.ZodOptional)
  .map(([name]) => name);

/** Enough to notice a change of the description; a body may contain a hundred thousand names. */
const maximumUnknownFields = 50;

/** The contents of a verified body. */
export type ParsedPayload =
  | { kind: 'transfer'; payload: TransferPayload; unknownFields: string[]; warnings: string[] }
  /** Tells of something without the fields of a transfer; `id` is what repeats are told by. */
  | { kind: 'notification'; event: string | null; id: string | null; warnings: string[] }
  | { kind: 'other-event'; event: string; reason: string }
  | { kind: 'malformed'; reason: string; path: string | null; event: string | null };

/** Reads a body whose signature has been verified: JSON first, then the event, then the schema of that event. */
export function parsePayload(body: Buffer): ParsedPayload {
  const json = parseJson(body);
  if (!json.ok) {
    return { kind: 'malformed', reason: json.reason, path: null, event: null };
  }
  const event = eventOf(json.value);
  if (event !== null && event !== completedEvent) {
    return { kind: 'other-event', event, reason: otherEventReason(event) };
  }
  const { value, absent } = withoutNulls(json.value);
  const { problem } = checkShape(payloadSchema, value);
  if (problem !== undefined) {
    const { path, words } = problem;
    return { kind: 'malformed', reason: `${path || 'the body'} ${words}`, path, event };
  }
  // As received, with unknown fields.
  const payload = value as TransferPayload;
  return {
    kind: 'transfer',
    payload,
    unknownFields: unknownFieldsOf(payload),
    warnings: absent.map((name) => `data.${name} is null: treated as missing.`),
  };
}

/** A null in an optional field counts as absent: the payment must not be missed. */
function withoutNulls(value: unknown): { value: unknown; absent: string[] } {
  const data = isObject(value) ? value['data'] : undefined;
  if (!isObject(value) || !isObject(data)) {
    return { value, absent: [] };
  }
  const absent = optionalDataFields.filter((name) => data[name] === null);
  const rest = Object.entries(data).filter(([name]) => !absent.includes(name));
  return absent.length === 0
    ? { value, absent }
    : { value: { ...value, data: Object.fromEntries(rest) }, absent };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

type Json = { ok: true; value: unknown } | { ok: false; reason: string };

/** Never quotes the body: the reason is also sent in the answer. */
function parseJson(body: Buffer): Json {
  if (body.length === 0) {
    return { ok: false, reason: 'not JSON: the body is empty' };
  }
  if (!isUtf8(body)) {
    return { ok: false, reason: 'not JSON: the body is not valid UTF-8' };
  }
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) {
    return { ok: false, reason: 'not JSON: the body begins with a byte-order mark' };
  }
  try {
    return { ok: true, value: JSON.parse(body.toString('utf8')) };
  } catch (error) {
    const position = /position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
    return {
      ok: false,
      reason: `not JSON${position === undefined ? '' : `: fault at character ${position}`}`,
    };
  }
}

function eventOf(value: unknown): string | null {
  const event = typeof value === 'object' && value !== null && 'event' in value ? value.event : null;
  return typeof event === 'string' ? event : null;
}

function otherEventReason(event: string): string {
  return event === refundedEvent
    ? `${refundedEvent} is announced by the service but not documented yet: only ${completedEvent} is processed`
    : `the event is not ${completedEvent}`;
}

const knownPayloadFields: ReadonlySet<string> = new Set(payloadFields);
const knownDataFields: ReadonlySet<string> = new Set(dataFields);

function unknownFieldsOf(payload: object & { data: object }): string[] {
  const names: string[] = [];
  for (const name of Object.keys(payload)) {
    if (!knownPayloadFields.has(name)) {
      names.push(name);
    }
  }
  for (const name of Object.keys(payload.data)) {
    if (!knownDataFields.has(name)) {
      names.push(`data.${name}`);
    }
  }
  return names.slice(0, maximumUnknownFields).map((name) => name.slice(0, 100));
}

/** Reads a body whose fields are up to its sender: those of the payment service are recognized. */
export function parseOpenBody(body: Buffer): ParsedPayload {
  const parsed = parsePayload(body);
  if (parsed.kind === 'transfer' || parsed.event === completedEvent) {
    return parsed;
  }
  const read = readJsonObject(body);
  if ('reason' in read) {
    return { kind: 'malformed', reason: read.reason, path: null, event: null };
  }
  const { type, event, id } = read.object;
  const name = [type, event].find((one) => typeof one === 'string');
  return {
    kind: 'notification',
    event: name === undefined ? null : name.slice(0, 100),
    id: typeof id === 'string' && id !== '' ? id.slice(0, 200) : null,
    warnings: [],
  };
}
