import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { canonicalAddress, readAddressForm, toFriendlyAddress } from '../address/canonicalAddress';
import { writeLightCell } from '../cell/light/lightCell';
import { checkShape } from '../base/checkShape';
import { limits } from '../base/limits';
import type { Clock } from '../base/time';
import { isNativeAsset, nativeAsset } from '../webhook/values/asset';
import type { JettonRoute, MockPayment, PaymentProblem } from './mockPayment';
import { coinBody, jettonBody } from './paymentBody';
import type { PaymentJettons } from './paymentJettons';
import { readAmount } from './readAmount';

export interface CreateSurroundings {
  clock: Clock;
  jettons: Pick<PaymentJettons, 'facts'>;
  /** The merchant's wallet, for requests with an API key and without a recipient. */
  recipientAddr: string | undefined;
}

/** A new payment, or why the request is refused: one sentence for the answer. */
export type CreatedPayment = { payment: MockPayment } | { problem: string };

/** Nanocoins sent along with a jetton transfer; what is left comes back. */
const jettonGas = '50000000';

const comment = z.string().max(limits.paymentComment.most).optional();
const requestSchema = z.object({
  amount: z.number(),
  asset: z.string().max(100),
  senderAddr: z.string().max(100),
  recipientAddr: z.string().max(100).optional(),
  queryId: z.int().min(0).optional(),
  commentToSender: comment,
  commentToRecipient: comment,
});

type CreateRequest = z.output<typeof requestSchema>;

/**
 * Makes a payment from the text of a create request, not kept yet.
 * @throws the access layer's errors while a jetton is read
 */
export async function createPayment(text: string, surroundings: CreateSurroundings): Promise<CreatedPayment> {
  const read = readRequest(text);
  if ('problem' in read) {
    return read;
  }
  const { request } = read;
  const sender = canonicalAddress(request.senderAddr);
  const recipientAddr = request.recipientAddr ?? surroundings.recipientAddr;
  const recipient = recipientAddr === undefined ? undefined : canonicalAddress(recipientAddr);
  if (sender === undefined) {
    return { problem: 'senderAddr is not an address' };
  }
  if (recipientAddr === undefined || recipient === undefined) {
    return {
      problem:
        recipientAddr === undefined
          ? 'recipientAddr is missing; only requests with an API key take it from the settings'
          : 'recipientAddr is not an address',
    };
  }
  const parties = { sender, recipient, recipientAddr };
  return isNativeAsset(request.asset)
    ? coinPayment(text, request, parties, surroundings)
    : jettonPayment(text, request, parties, surroundings);
}

interface Parties {
  /** Raw. */
  sender: string;
  recipient: string;
  /** As given. */
  recipientAddr: string;
}

function coinPayment(
  text: string,
  request: CreateRequest,
  parties: Parties,
  { clock }: CreateSurroundings,
): CreatedPayment {
  const read = readAmount(jsonNumberOf(text, 'amount') ?? '', 9);
  if ('problem' in read) {
    return read;
  }
  const reference = randomUUID();
  const { commentToSender, commentToRecipient } = request;
  const body = coinBody({ reference, commentToSender, commentToRecipient });
  return {
    payment: payment(clock, request, parties, {
      reference,
      amount: read.amount,
      units: read.units,
      asset: nativeAsset,
      assetTicker: nativeAsset,
      boc: writeLightCell(body),
      hash: body.hash,
      to: parties.recipientAddr,
      value: read.units.toString(),
    }),
  };
}

async function jettonPayment(
  text: string,
  request: CreateRequest,
  parties: Parties,
  { clock, jettons }: CreateSurroundings,
): Promise<CreatedPayment> {
  const master = canonicalAddress(request.asset);
  const facts = master === undefined ? undefined : await jettons.facts(master);
  if (facts === undefined) {
    return {
      problem:
        master === undefined
          ? 'asset is neither TON nor the address of a jetton master'
          : 'asset is not a jetton master on this network: deploy it first',
    };
  }
  const read = readAmount(jsonNumberOf(text, 'amount') ?? '', facts.decimals);
  if ('problem' in read) {
    return read;
  }
  const reference = randomUUID();
  const { sender, recipient } = parties;
  const { commentToSender, commentToRecipient } = request;
  const [senderWallet, recipientWallet] = await Promise.all([
    facts.walletOf(sender),
    facts.walletOf(recipient),
  ]);
  const { body, forward } = jettonBody({
    ...{ reference, commentToSender, commentToRecipient, sender, recipient, units: read.units },
    queryId: BigInt(request.queryId ?? 0),
  });
  return {
    payment: payment(clock, request, parties, {
      ...{ reference, ...read },
      ...{ boc: body.toBoc(), hash: body.hash() },
      asset: request.asset,
      assetTicker: facts.ticker,
      to: senderWallet,
      value: jettonGas,
      jetton: { senderWallet, recipientWallet, forwardHash: forward.hash().toString('hex') },
    }),
  };
}

const none: readonly PaymentProblem[] = [];

interface PaymentParts {
  reference: string;
  amount: string;
  units: bigint;
  asset: string;
  assetTicker: string | undefined;
  /** The body's BoC, and its hash. */
  boc: Buffer;
  hash: Buffer;
  to: string;
  value: string;
  jetton?: JettonRoute;
}

/** Without spreading: this runs for every payment, and a spread costs as much as hashing the body. */
function payment(clock: Clock, request: CreateRequest, parties: Parties, parts: PaymentParts): MockPayment {
  const createdAt = new Date(clock.now()).toISOString();
  const made: MockPayment = {
    reference: parts.reference,
    createdAt,
    status: 'pending',
    amount: parts.amount,
    rawAmount: parts.units.toString(),
    asset: parts.asset,
    senderAddr: request.senderAddr,
    recipientAddr: parties.recipientAddr,
    message: {
      address: friendlyAddress(parts.to, parts.jetton !== undefined),
      amount: parts.value,
      payload: parts.boc.toString('base64'),
    },
    bodyBase64Hash: parts.hash.toString('base64'),
    recipient: parties.recipient,
    txHash: '',
    traceId: '',
    date: createdAt,
    problems: none,
  };
  if (parts.assetTicker !== undefined) {
    made.assetTicker = parts.assetTicker;
  }
  if (request.commentToSender !== undefined) {
    made.commentToSender = request.commentToSender;
  }
  if (request.commentToRecipient !== undefined) {
    made.commentToRecipient = request.commentToRecipient;
  }
  if (parts.jetton !== undefined) {
    made.jetton = parts.jetton;
  }
  return made;
}

/** TON Connect takes user-friendly addresses only. A wallet that is not deployed yet must not send the coins back. */
function friendlyAddress(address: string, isBounceable: boolean): string {
  const form = readAddressForm(address);
  return form.form === 'friendly'
    ? address
    : toFriendlyAddress(form, { bounceable: isBounceable, testOnly: false });
}

function readRequest(text: string): { request: CreateRequest } | { problem: string } {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { problem: 'the body is not JSON' };
  }
  const { data, problem } = checkShape(requestSchema, json);
  return problem === undefined
    ? { request: data }
    : { problem: `${problem.path || 'the body'} ${problem.words}` };
}

/**
 * The characters of a number at the top of a JSON object, as written; undefined if the value is not a number. Of
 * repeated names the last one counts, as for JSON.parse.
 *
 * @param text a valid JSON object
 */
export function jsonNumberOf(text: string, name: string): string | undefined {
  let depth = 0;
  let found: string | undefined;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === '{' || character === '[') {
      depth += 1;
    } else if (character === '}' || character === ']') {
      depth -= 1;
    } else if (character === '"') {
      const end = endOfString(text, index);
      const colon = depth === 1 ? skipSpace(text, end) : end;
      if (depth === 1 && text[colon] === ':' && keyOf(text.slice(index, end)) === name) {
        found = numberAt(text, skipSpace(text, colon + 1));
      }
      index = end - 1;
    }
  }
  return found;
}

/** @param literal with its quotes */
function keyOf(literal: string): unknown {
  return literal.includes('\\') ? JSON.parse(literal) : literal.slice(1, -1);
}

function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (isEscaped(text, end)) {
    end = text.indexOf('"', end + 1);
  }
  return end < 0 ? text.length : end + 1;
}

function isEscaped(text: string, at: number): boolean {
  let start = at;
  while (text[start - 1] === '\\') {
    start -= 1;
  }
  return (at - start) % 2 === 1;
}

function skipSpace(text: string, start: number): number {
  let index = start;
  while (' \t\r\n'.includes(text[index] ?? '.')) {
    index += 1;
  }
  return index;
}

function numberAt(text: string, start: number): string | undefined {
  let end = start;
  while ('-+.eE0123456789'.includes(text[end] ?? ' ')) {
    end += 1;
  }
  return end === start ? undefined : text.slice(start, end);
}
