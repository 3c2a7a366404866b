import type { ReceiverFramework } from './receiverFrameworks';

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
  const headers = Object.fromEntries(request.headers);
  return new Response(null, { status: body === undefined ? 413 : await receive(body, headers, options) });
}
`;

/** `createReceiver(options)` for each framework: it hands the bytes as they came, and the headers, to `receive`. */
export const receiverHandlers: Readonly<Record<ReceiverFramework, string>> = {
  express: `export function createReceiver(options) {
  const app = express();
  // express.raw keeps the bytes; express.json() must not run before it on this route.
  app.post('/webhook', express.raw({ type: () => true, limit: '1mb' }), async (request, response) => {
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    response.status(await receive(body, request.headers, options)).end();
  });
  app.use((error, _request, response, _next) => {
    const { status = 500 } = error;
    if (status >= 500) {
      // For you, not for the sender.
      console.error(error);
    }
    response.status(status).end();
  });
  return app;
}
`,
  fastify: `export function createReceiver(options) {
  const app = fastify({ bodyLimit: 1024 * 1024 });
  // The bytes, not parsed JSON.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.setErrorHandler((error, _request, reply) => {
    const { statusCode = 500 } = error;
    if (statusCode >= 500) {
      // For you, not for the sender.
      console.error(error);
    }
    return reply.code(statusCode).send();
  });
  app.post('/webhook', async (request, reply) => {
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    return reply.code(await receive(body, request.headers, options)).send();
  });
  return app;
}
`,
  next: `${webHandler}
/** In app/webhook/route.js: export const POST = createReceiver(options); */
export function createReceiver(options) {
  return (request) => handle(request, options);
}
`,
  hono: `${webHandler}
/** app.post('/webhook', createReceiver(options)); */
export function createReceiver(options) {
  return (context) => handle(context.req.raw, options);
}
`,
};
