import type { IncomingMessage } from 'node:http';
import { limits } from '../../base/limits';
import type { Delivery, Verdict } from '../delivery/delivery';
import type { OnPurpose } from '../delivery/onPurpose';
import type { HeaderList, SignatureEncoding, WebhookSecret } from '../delivery/signature';
import type { OrderLookup, OrderState } from '../orders/orderBook';
import { claimedReference } from '../payload/claimedReference';
import type { WebhookProvider } from '../provider/webhookProvider';
import { isHttpSuccess } from '../values/isHttpSuccess';
import type { Interruption } from './readBody';

/** The parts of a verdict on a request. */
export type ReceiveOutcome = Pick<
  Delivery,
  | 'status'
  | 'verdict'
  | 'reason'
  | 'signature'
  | 'secret'
  | 'rules'
  | 'warnings'
  | 'unknownFields'
  | 'event'
  | 'reference'
  | 'orderReference'
  | 'claimedReference'
  | 'transfer'
  | 'payment'
> & {
  /** Path of the field that violates the schema. */
  path: string | null;
  /** The order's state once the journal has the delivery. */
  orderState: OrderState['state'] | null;
  onPurpose?: OnPurpose | undefined;
};

/** What a delivery is judged by. */
export interface ReceiveContext {
  provider: WebhookProvider;
  secrets: readonly WebhookSecret[];
  signatureHeaders: readonly string[];
  orders: OrderLookup;
  /** Additional name of the native coin. */
  coin?: string | undefined;
  /** Accepted encodings of the signature. */
  signatureEncoding?: SignatureEncoding | undefined;
  /** Unix milliseconds; default: the machine's clock. */
  now?: number | undefined;
}

/**
 * Judges the raw bytes of a request: signature, only then JSON and schema, only then the receiver rules. Which order a
 * refused body names is read last, and only told. Has no side effects; the caller stores the outcome before it answers.
 */
export function receive(headers: HeaderList, body: Buffer, context: ReceiveContext): ReceiveOutcome {
  const { provider } = context;
  const { secrets, signatureHeaders, signatureEncoding } = context;
  const signature = provider.verify(headers, body, secrets, signatureHeaders, signatureEncoding, context.now);
  const claim = (): Pick<Delivery, 'claimedReference'> => ({
    claimedReference: claimedReference(body, provider.referencePath),
  });
  if (!signature.ok) {
    return { ...refuse(401, 'bad-signature', signature.text), signature, ...claim() };
  }
  const verified = { signature, secret: signature.secret };
  const parsed = provider.parse(body, headers);
  switch (parsed.kind) {
    case 'malformed':
      return {
        ...refuse(400, 'malformed', parsed.reason),
        ...verified,
        path: parsed.path,
        event: parsed.event,
        ...claim(),
      };
    case 'other-event':
      return {
        ...refuse(400, 'wrong-event', parsed.reason),
        ...verified,
        event: parsed.event,
        ...claim(),
      };
    case 'notification': {
      const { id, event, warnings } = parsed;
      const isRepeat = id !== null && context.orders.state(id) !== undefined;
      return {
        ...refuse(200, isRepeat ? 'repeat' : 'accepted', isRepeat ? repeated : null),
        ...{ ...verified, event, warnings, reference: id },
        orderState: isRepeat || id === null ? null : 'paid',
      };
    }
    case 'transfer': {
      const { payload, unknownFields } = parsed;
      const { verdict, reason, rules, warnings, outcome } = provider.judge(
        payload,
        context.orders,
        context.coin,
      );
      const payment = provider.summarize(payload, context.orders, context.coin);
      const { reference, status } = payload.data;
      // Written out, here and in makeDelivery: spreading objects costs more than everything else here.
      return {
        status: 200,
        verdict,
        reason,
        signature,
        secret: signature.secret,
        rules,
        warnings: parsed.warnings.length === 0 ? warnings : [...parsed.warnings, ...warnings],
        unknownFields,
        event: payload.event,
        reference: provider.stateKey?.(payload) ?? reference,
        orderReference: provider.stateKey === undefined ? undefined : reference,
        transfer: status,
        payment,
        path: null,
        orderState: outcome,
      };
    }
  }
}

const repeated = 'This was already processed: nothing to do.';

/** An outcome without a payload. */
export function refuse(status: number, verdict: Verdict, reason: string | null): ReceiveOutcome {
  return {
    status,
    verdict,
    reason,
    signature: null,
    secret: null,
    rules: [],
    warnings: [],
    unknownFields: [],
    event: null,
    reference: null,
    transfer: null,
    payment: null,
    path: null,
    orderState: null,
  };
}

/** Maximum size of a body, in bytes. */
const maximumBodyBytes = limits.webhookBody.most;

/** Which requests are let in. */
interface GateOptions {
  /** Bound port: a loopback host name must have it, or none. */
  port: number;
  /** Host names of tunnels and port forwards: `name`, `name:port`, or `*.name` for every name below it. */
  allowedHosts: readonly string[];
}

/** A request rejected by its head. */
interface GateRefusal {
  status: 403 | 405 | 413 | 415 | 421;
  verdict: Extract<Verdict, 'malformed' | 'too-large'>;
  reason: string;
}

const browserHeaders = ['origin', 'sec-fetch-site'] as const;

/** Node's flat list of raw headers as pairs. */
export function headerList(rawHeaders: readonly string[]): HeaderList {
  const headers: [string, string][] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    headers.push([rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '']);
  }
  return headers;
}

/** The path of a request target in origin form; undefined for other forms, which are not sent to servers. */
export function pathOf(target: string | undefined): string | undefined {
  return target?.startsWith('/') ? target.split('?', 1)[0] : undefined;
}

/**
 * Checks the head of a request on the path, in order: method, host, browser headers, encoding, declared length. Null
 * when the body may be read.
 */
export function checkHead(
  request: Pick<IncomingMessage, 'method' | 'headers'>,
  headers: HeaderList,
  options: GateOptions,
): GateRefusal | null {
  if (request.method !== 'POST') {
    return refusal(405, `method: webhooks use POST, not ${request.method ?? 'nothing'}`);
  }
  let host: string | undefined;
  for (const [name, value] of headers) {
    if (name.length === 4 && name.toLowerCase() === 'host') {
      if (host !== undefined) {
        return refusal(421, 'host: more than one Host header');
      }
      host = value;
    }
  }
  if (host === undefined) {
    return refusal(421, 'host: no Host header');
  }
  if (host !== `127.0.0.1:${options.port}` && !isAllowedHost(host, options)) {
    return refusal(
      421,
      `host: ${host.slice(0, 100)} is not this listener's name; allow the host name of your tunnel first`,
    );
  }
  const browser = browserHeaders.find((name) => request.headers[name] !== undefined);
  if (browser !== undefined) {
    return refusal(
      403,
      `browser: the header ${browser} indicates a web page, but webhooks come from servers`,
    );
  }
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity') {
    return refusal(
      415,
      'encoding: compressed bodies are not accepted, because the signature covers the raw bytes',
    );
  }
  if (Number(request.headers['content-length'] ?? 0) > maximumBodyBytes) {
    return tooLarge();
  }
  return null;
}

/** A body beyond the limit, declared or found while reading. */
function tooLarge(): GateRefusal {
  return {
    status: 413,
    verdict: 'too-large',
    reason: `too large: the body is over ${maximumBodyBytes / 1024 / 1024} MiB`,
  };
}

function isAllowedHost(value: string, { port, allowedHosts }: GateOptions): boolean {
  const match = /^(\[[0-9a-f:]+\]|[^:]*)(?::(\d{1,5}))?$/i.exec(value.trim().toLowerCase());
  const [, name = '', hostPort] = match ?? [];
  if (name === '') {
    return false;
  }
  if (['localhost', '127.0.0.1', '[::1]'].includes(name)) {
    if (hostPort === undefined || hostPort === String(port)) {
      return true;
    }
  }
  return allowedHosts.some((entry) => {
    const allowed = entry.toLowerCase();
    if (allowed.startsWith('*.')) {
      return name.endsWith(allowed.slice(1)) && name.length > allowed.length - 1;
    }
    return allowed === name || (hostPort !== undefined && allowed === `${name}:${hostPort}`);
  });
}

function refusal(status: GateRefusal['status'], reason: string): GateRefusal {
  return { status, verdict: 'malformed', reason };
}

/** The effect of a connection or parser error on the request being read. */
export function interruptionOf(error: NodeJS.ErrnoException): Interruption {
  switch (error.code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return 'slow';
    case 'HPE_INVALID_EOF_STATE':
      return 'cut';
    case 'ECONNRESET':
      return 'gone';
    default:
      return 'broken';
  }
}

/** The answer to an incomplete body. */
export function interrupted(interruption: Interruption, bodyTimeoutMs: number): ReceiveOutcome {
  switch (interruption) {
    case 'too-large': {
      const { status, verdict, reason } = tooLarge();
      return refuse(status, verdict, reason);
    }
    case 'too-many-pieces': {
      const { most } = limits.webhookBodyPieces;
      return refuse(413, 'too-large', `too many pieces: the body has more than ${most} pieces`);
    }
    case 'too-much-framing': {
      const { most } = limits.webhookBodyFraming;
      return refuse(413, 'too-large', `too much framing: more than ${most} bytes in addition to the body`);
    }
    case 'no-room':
      return refuse(
        503,
        'malformed',
        'not accepted: the memory for bodies is full, so this is answered with 503 and may be retried',
      );
    case 'slow':
      return refuse(408, 'malformed', `slow: the body was incomplete after ${bodyTimeoutMs / 1_000} s`);
    case 'broken':
      return refuse(400, 'malformed', "broken: the body's framing is not valid HTTP");
    case 'cut':
      return refuse(
        400,
        'malformed',
        'interrupted: the sender closed the connection in the middle of the body',
      );
    case 'gone':
      return refuse(0, 'malformed', 'interrupted: the sender disconnected before the body was complete');
  }
}

type Judged = Pick<Delivery, 'status' | 'verdict' | 'reason'>;

/** An unwritten delivery is not acknowledged: the service is asked to retry. Rejections stay as they are. */
export function notStored({ status, verdict, reason }: Judged): Judged {
  return isHttpSuccess(status)
    ? {
        status: 503,
        verdict: 'malformed',
        reason: `not stored: the journal cannot be written, so this is answered with 503 and not processed (would be ${verdict})`,
      }
    : { status, verdict, reason };
}
