import { WorkbenchError } from '../../base/errors';
import { completedEvent, parsePayload } from './payload';
import type { TransferData } from './payload';

/** A transfer in a file. */
export interface ToldTransfer {
  /** Of the delivery; null for a bare payload. */
  id: string | null;
  data: TransferData;
}

type Json = Readonly<Record<string, unknown>>;

/**
 * The transfers in a text: a payload, lines of an export, or lines of `webhook listen --json`. Entries without a
 * payment are skipped.
 * @throws WorkbenchError `deliveries-unreadable`, `no-payment` (input)
 */
export function readTransfers(text: string): ToldTransfer[] {
  const found = valuesOf(text).flatMap((value) => {
    const delivery = asObject(value);
    const parsed = parsePayload(bodyOf(delivery));
    const id = typeof delivery['id'] === 'string' ? delivery['id'] : null;
    return parsed.kind === 'transfer' ? [{ id, data: parsed.payload.data }] : [];
  });
  if (found.length === 0) {
    throw noPaymentError('The file');
  }
  return found;
}

/**
 * @param what the subject of the sentence: `This delivery`
 * @param deed what cannot be done
 */
export function noPaymentError(what: string, deed: 'compare' | 'debug' | 'show' = 'compare'): WorkbenchError {
  return new WorkbenchError({
    code: 'no-payment',
    kind: 'input',
    message: `${what} contains no payment, so there is nothing to ${deed}.`,
    hint: 'Choose one that contains a transfer.',
  });
}

function valuesOf(text: string): unknown[] {
  const whole = parse(text);
  if (whole.ok) {
    return Array.isArray(whole.value) ? whole.value : [whole.value];
  }
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line, index) => {
    const one = parse(line);
    if (!one.ok) {
      throw new WorkbenchError({
        code: 'deliveries-unreadable',
        kind: 'input',
        message: `Line ${index + 1} is not JSON.`,
        hint: 'Give a payload, an export of deliveries, or the output of webhook listen --json.',
      });
    }
    return one.value;
  });
}

function parse(text: string): { ok: true; value: unknown } | { ok: false } {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return { ok: false };
  }
}

/** The payload in a value, or described by it, as bytes. */
function bodyOf(delivery: Json): Buffer {
  const { bodyBase64, payment } = delivery;
  if (typeof bodyBase64 === 'string') {
    return Buffer.from(bodyBase64, 'base64');
  }
  return Buffer.from(JSON.stringify(payment == null ? delivery : payloadOf(delivery, asObject(payment))));
}

/** The payload behind a summary. */
function payloadOf(delivery: Json, payment: Json): object {
  return {
    event: delivery['event'] ?? completedEvent,
    timestamp: delivery['receivedAt'],
    data: {
      amount: payment['amount'],
      rawAmount: payment['rawAmount'],
      senderAddr: payment['sender'],
      recipientAddr: payment['recipient'],
      asset: payment['asset'],
      assetTicker: payment['ticker'],
      status: delivery['transfer'],
      reference: delivery['reference'],
      bodyBase64Hash: payment['bodyBase64Hash'] ?? '',
      txHash: payment['txHash'],
      traceId: payment['traceId'],
      commentToRecipient: payment['comment'],
      date: payment['date'],
      errorCode: payment['errorCode'],
      errorMessage: payment['errorMessage'],
    },
  };
}

function asObject(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}
