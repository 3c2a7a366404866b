/** The frameworks that a receiver can be made for. */
export const receiverFrameworks = ['express', 'fastify', 'next', 'hono'] as const;

export type ReceiverFramework = (typeof receiverFrameworks)[number];

/** The parts of a receiver that rules are about. */
export type ReceiverPart = 'rawBody' | 'signature' | 'event' | 'order' | 'once' | 'chain';

/** The signature, in constant time, over the bytes as they came. */
const signature = `/** Whether the bytes were signed with the secret. An unset secret would accept forgeries, so it must not be empty. */
function isGenuine(body, header, secret) {
  const expected = Buffer.from('sha256=' + createHmac('sha256', secret).update(body).digest('hex'));
  const given = Buffer.from(header ?? '');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
`;

const event = `/** The transfer in a delivery; undefined for anything else, which is answered with 400. */
function transferIn(body) {
  try {
    const { event, data } = JSON.parse(body.toString('utf8'));
    return event === 'transfer.completed' && typeof data?.reference === 'string' ? data : undefined;
  } catch {
    return undefined;
  }
}
`;

const order = `/** Why a transfer does not pay an order; undefined if it does. All of these are logged and answered with 200. */
function objection(data, order) {
  if (order === undefined) {
    return 'no such order';
  }
  // Integers in base units: amounts as floating-point numbers are not exact.
  if (!/^\\d+$/.test(data.rawAmount) || BigInt(data.rawAmount) !== BigInt(order.rawAmount)) {
    return 'wrong amount';
  }
  if (data.asset !== order.asset) {
    return 'wrong asset';
  }
  return data.status === 'success' ? undefined : 'not successful';
}
`;

/** Not in the made receiver, which knows no network. */
const chain = `/** Whether the payment is on the chain, from its v3 API. Answer 503 if not: the service delivers again. */
async function isOnChain(v3, { txHash }, order) {
  const answer = await fetch(v3 + '/transactions?hash=' + encodeURIComponent(txHash));
  const [transaction] = (await answer.json()).transactions ?? [];
  // The message must be the one that was asked for: bodyBase64Hash from creating the payment.
  return (
    transaction?.description.aborted === false &&
    BigInt(transaction.in_msg.value ?? 0) === BigInt(order.rawAmount) &&
    transaction.in_msg.message_content.hash === order.bodyBase64Hash
  );
}
`;

const once = `/** Marks an order as paid; false if it was already. It is on disk before the delivery is answered. */
async function markPaid(folder, { reference, txHash, traceId }) {
  const name = createHash('sha256').update(reference).digest('hex');
  await mkdir(folder, { recursive: true });
  // Written aside, then linked: a name can be made only once, also by two deliveries at the same time.
  const draft = join(folder, name + '.' + randomUUID());
  const file = await open(draft, 'wx');
  try {
    await file.writeFile(JSON.stringify({ reference, txHash, traceId }));
    await file.sync();
  } finally {
    await file.close();
  }
  try {
    await link(draft, join(folder, name + '.json'));
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') {
      return false;
    }
    throw error;
  } finally {
    await unlink(draft);
  }
}
`;

const receive = `/** The status to answer a delivery with. */
async function receive(body, header, { secret, orders, folder }) {
  if (!isGenuine(body, header, secret)) {
    return 401;
  }
  const data = transferIn(body);
  if (data === undefined) {
    return 400;
  }
  const why = objection(data, orders.get(data.reference));
  if (why !== undefined) {
    console.log('not paid:', JSON.stringify(data.reference), why);
    return 200;
  }
  if (await markPaid(folder, data)) {
    console.log('paid:', JSON.stringify(data.reference));
  }
  return 200;
}
`;

/** For handlers that get a web Request. */
const readBody = `const mostBytes = 1024 * 1024;

/** The bytes as they came; undefined if there are too many. */
async function readBody(request) {
  const parts = [];
  let length = 0;
  for await (const part of request.body ?? []) {
    length += part.length;
    if (length > mostBytes) {
      return undefined;
    }
    parts.push(part);
  }
  return Buffer.concat(parts);
}
`;

const webHandler = `${readBody}
/** Answers a web Request. */
async function handle(request, options) {
  const body = await readBody(request);
  const header = request.headers.get('x-pay-signature') ?? request.headers.get('x-tonpay-signature');
  return new Response(null, { status: body === undefined ? 413 : await receive(body, header, options) });
}
`;

const rawBody: Readonly<Record<ReceiverFramework, { imports: string; code: string }>> = {
  express: {
    imports: `import express from 'express';\n`,
    code: `export function createReceiver(options) {
  const app = express();
  // express.raw keeps the bytes; express.json() must not run before it on this route.
  app.post('/webhook', express.raw({ type: () => true, limit: '1mb' }), async (request, response) => {
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const header = request.get('x-pay-signature') ?? request.get('x-tonpay-signature');
    response.status(await receive(body, header, options)).end();
  });
  app.use((error, _request, response, _next) => response.status(error.status ?? 500).end());
  return app;
}
`,
  },
  fastify: {
    imports: `import fastify from 'fastify';\n`,
    code: `export function createReceiver(options) {
  const app = fastify({ bodyLimit: 1024 * 1024 });
  // The bytes, not parsed JSON.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.post('/webhook', async (request, reply) => {
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const header = request.headers['x-pay-signature'] ?? request.headers['x-tonpay-signature'];
    return reply.code(await receive(body, header, options)).send();
  });
  return app;
}
`,
  },
  next: {
    imports: '',
    code: `${webHandler}
/** In app/webhook/route.js: export const POST = createReceiver(options); */
export function createReceiver(options) {
  return (request) => handle(request, options);
}
`,
  },
  hono: {
    imports: '',
    code: `${webHandler}
/** app.post('/webhook', createReceiver(options)); */
export function createReceiver(options) {
  return (context) => handle(context.req.raw, options);
}
`,
  },
};

/** One part of a receiver as code. */
export function receiverPart(part: ReceiverPart, framework: ReceiverFramework): string {
  return part === 'rawBody' ? rawBody[framework].code : { signature, event, order, once, chain }[part];
}

/**
 * A small receiver that follows all rules, as a JavaScript module: raw body, signature in constant time, integers,
 * status, each order once, on disk before it is answered. It exports `createReceiver({ secret, orders, folder })`;
 * `orders` is a Map from the reference to `{ rawAmount, asset }`.
 */
export function receiverSource(framework: ReceiverFramework): string {
  const { imports, code } = rawBody[framework];
  return `import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { link, mkdir, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
${imports}
${[signature, event, order, once, receive, code].join('\n')}`;
}
