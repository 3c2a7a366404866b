import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { fastify } from 'fastify';
import { timingSafeEqual } from 'node:crypto';
import { canonicalHash } from '../address/canonicalAddress';
import type { ErrorCode } from '../base/errorCodes';
import type { ErrorKind } from '../base/errors';
import { WorkbenchError, toWorkbenchError } from '../base/errors';
import { foreignPage } from '../base/loopback';
import { guardLoopback } from '../base/loopbackServer';
import { limits } from '../base/limits';
import type { Log } from '../base/log';
import { visibleText } from '../base/text';
import type { CreatedPayment } from './createPayment';
import { networkPath } from './isPaymentApiOf';
import type { MockPayment } from './mockPayment';
import type { PaymentSettings } from './paymentSettings';
import type { PaymentStore } from './paymentStore';
import { transferData } from './mockPayment';

export interface MockApiOptions {
  store: PaymentStore;
  log: Log;
  /** As they are now. */
  keys: () => Pick<PaymentSettings, 'apiKey' | 'keyIsOptional'>;
  create: (text: string, hasKey: boolean) => Promise<CreatedPayment>;
  /** v3 of the local network that settles the payments. */
  network: string | undefined;
  /** Makes something happen to a payment: the body of POST /control/pay. */
  pay: (text: string) => Promise<MockPayment>;
}

const merchant = '/api/merchant/v1';
const moonpayProblem =
  'MoonPay is not part of this mock: it sells coins for money, which a local network cannot. Pay with a wallet of the local network instead.';

/** The payment service's HTTP API, not listening yet. */
export function createMockApi(options: MockApiOptions): FastifyInstance {
  const { store, log } = options;
  const refuse = refuser(log);
  const server = fastify({
    logger: false,
    bodyLimit: limits.paymentRequest.most,
    forceCloseConnections: true,
    routerOptions: { ignoreTrailingSlash: true },
  });
  guardLoopback(server, {
    foreign: ({ headers }) => {
      const page = foreignPage(headers, []);
      return page === undefined
        ? undefined
        : `This mock only answers on this machine, not for ${page.slice(0, 100)}.`;
    },
    refuse,
    unknown: () => 'The payment service has no such call, or this mock does not know it.',
  });
  server.setErrorHandler((error: { statusCode?: number; message: string }, _request, reply) => {
    const { statusCode } = error;
    if (!WorkbenchError.is(error) && statusCode !== undefined && statusCode < 500) {
      const isLarge = statusCode === 413;
      return refuse(
        reply,
        statusCode,
        isLarge ? `The body is over ${limits.paymentRequest.most} bytes.` : error.message,
      );
    }
    const { code, kind, message } = toWorkbenchError(error);
    if (kind === 'internal') {
      log.error('A request of the payment API failed', error);
    }
    return refuse(reply, statusOfCode[code] ?? statusOfKind(kind), message, code);
  });
  server.post(`${merchant}/create-transfer`, async (request, reply) => {
    const key = checkKey(request, options.keys());
    if (key === 'wrong') {
      return refuse(reply, 401, 'The API key is missing or wrong: send it as x-api-key.');
    }
    const created = await options.create(textOf(request), key === 'right');
    if ('problem' in created) {
      return refuse(reply, 400, created.problem);
    }
    const { payment } = created;
    await store.create(payment);
    const { message, bodyBase64Hash, reference } = payment;
    return { message, bodyBase64Hash, reference };
  });
  const found = (payment: MockPayment | undefined, by: string, reply: FastifyReply): FastifyReply =>
    payment === undefined
      ? refuse(reply, 404, `There is no transfer with this ${by}.`)
      : reply.send(transferData(payment));
  server.get(`${merchant}/transfer`, (request, reply) => {
    const { reference, bodyHash } = request.query as Record<string, string | string[] | undefined>;
    if (typeof reference === 'string') {
      // By body hash, the service's client sends no key.
      return checkKey(request, options.keys()) === 'wrong'
        ? refuse(reply, 401, 'The API key is missing or wrong: send it as x-api-key.')
        : found(store.byReference(reference), 'reference', reply);
    }
    return typeof bodyHash === 'string'
      ? // The client does not encode the hash, so that its plus signs arrive as spaces.
        found(store.byBody(hashOf(bodyHash.replaceAll(' ', '+'))), 'bodyHash', reply)
      : refuse(reply, 400, 'Give reference or bodyHash.');
  });
  for (const path of [`${merchant}/create-moonpay-transfer`, '/api/external/moonpay/*']) {
    server.all(path, (_request, reply) => refuse(reply, 501, moonpayProblem));
  }
  // Another window of the same folder asks, to tell this mock from a stranger's program on its port.
  server.get(networkPath, () => ({ network: options.network ?? null }));
  server.post('/control/pay', async (request) => {
    const payment = await options.pay(textOf(request));
    return { ...transferData(payment), problems: payment.problems, webhook: payment.webhook?.state ?? null };
  });
  return server;
}

/** In the form of the service, base64, from any usual one: this tool's own lines have it in hex. */
function hashOf(text: string): string {
  const hex = canonicalHash(text);
  return hex === undefined ? text : Buffer.from(hex, 'hex').toString('base64');
}

function textOf(request: FastifyRequest): string {
  return typeof request.body === 'string' ? request.body : '';
}

function checkKey(
  { headers }: FastifyRequest,
  { apiKey, keyIsOptional }: Pick<PaymentSettings, 'apiKey' | 'keyIsOptional'>,
): 'none' | 'right' | 'wrong' {
  const sent = headers['x-api-key'];
  if (apiKey === undefined || (keyIsOptional === true && sent === undefined)) {
    return 'none';
  }
  const given = Buffer.from(String(sent ?? ''));
  const expected = Buffer.from(apiKey);
  return given.length === expected.length && timingSafeEqual(given, expected) ? 'right' : 'wrong';
}

/** Answers why nothing is done. */
type Refuse = (reply: FastifyReply, status: number, error: string, code?: ErrorCode) => FastifyReply;

/** The service's client keeps the reason to itself, so that a developer reads it in the log. */
function refuser(log: Log): Refuse {
  return (reply, status, error, code) => {
    const { method, url } = reply.request;
    const [place = ''] = url.split('?', 1);
    log.warn(`${method} ${visibleText(place, 100)} was refused with ${status}: ${error}`);
    return reply.code(status).send({ error, code });
  };
}

/** Where the kind of an error does not say the status. */
const statusOfCode: Readonly<Partial<Record<ErrorCode, number>>> = {
  'over-limit': 507,
  'payment-unknown': 404,
};

function statusOfKind(kind: ErrorKind): number {
  return kind === 'input' ? 400 : kind === 'internal' ? 500 : 503;
}
