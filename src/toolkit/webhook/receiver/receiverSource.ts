import { importsOf } from './importsOf';
import type { ReceiverFramework } from './receiverFrameworks';
import { receiverHandlers } from './receiverHandlers';
import { receiverParts } from './receiverParts';

/** Where a made receiver listens unless `PORT` says otherwise. */
export const receiverPort = 3000;

/** The URL of a made receiver. */
export function receiverUrl(port = receiverPort): string {
  return `http://127.0.0.1:${port}/webhook`;
}

/** The packages that each framework's receiver is started with. */
export const receiverPackages: Readonly<Record<ReceiverFramework, readonly string[]>> = {
  express: ['express'],
  fastify: ['fastify'],
  next: [],
  hono: ['hono', '@hono/node-server'],
};

const options = `/**
 * Your orders, by reference: take them from your database. Amounts are in base units; add your wallet as recipient, and
 * bodyBase64Hash from creating the payment.
 */
const orders = new Map([['order-1', { rawAmount: '10500000000', asset: 'TON' }]]);

/** What the receiver needs; without a secret it does not start. */
function readOptions() {
  const secret = process.env.WEBHOOK_SECRET;
  if (!secret) {
    throw new Error("Set WEBHOOK_SECRET to the payment service's webhook secret.");
  }
  // Where payments are looked for, such as http://127.0.0.1:8081/api/v3 of a local network.
  const v3 = process.env.TON_V3;
  if (!v3) {
    console.log('Payments are not looked for on the chain: set TON_V3 before you rely on them.');
  }
  // The references of paid orders are kept in this folder.
  return { secret, orders, folder: 'paid-orders', v3 };
}
`;

const tell = '() => console.log(`Listening on http://127.0.0.1:${port}/webhook`)';

const starts: Readonly<Record<Exclude<ReceiverFramework, 'next'>, string>> = {
  express: `  createReceiver(readOptions()).listen(port, '127.0.0.1', ${tell});`,
  fastify: `  createReceiver(readOptions()).listen({ port, host: '127.0.0.1' }).then(${tell});`,
  hono: `  const { Hono } = await import('hono');
  const { serve } = await import('@hono/node-server');
  const app = new Hono().post('/webhook', createReceiver(readOptions()));
  serve({ fetch: app.fetch, port, hostname: '127.0.0.1' }, ${tell});`,
};

/**
 * A small receiver that follows all rules, as a JavaScript module: raw body, signature in constant time, integers,
 * status, the chain if its v3 API is given, each order once, on disk before it is answered. It exports
 * `createReceiver({ secret, orders, folder, v3? })`; `orders` is a Map from the reference to
 * `{ rawAmount, asset, recipient?, bodyBase64Hash? }`. Run by itself it listens, except that of Next.js,
 * which {@link routeSource} is for.
 * @param file its name
 */
export function receiverSource(framework: ReceiverFramework, file: string): string {
  const code = [...Object.values(receiverParts), receiverHandlers[framework]];
  if (framework !== 'next') {
    code.push(`${options}
// Run by itself, not imported.
if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const port = Number(process.env.PORT ?? ${receiverPort});
${starts[framework]}
}
`);
  }
  const packages = receiverPackages[framework];
  const steps = [
    ...(packages.length === 0 ? [] : [`npm install ${packages.join(' ')}`]),
    ...(framework === 'next' ? ['WEBHOOK_SECRET=… npm run dev'] : [`WEBHOOK_SECRET=… node ${file}`]),
    `ton-workbench webhook check --url ${receiverUrl()} --secret-file FILE`,
  ];
  const heading = `// Receives the payment service's webhooks. To try it:\n${steps.map((step) => `//   ${step}\n`).join('')}`;
  const body = code.join('\n');
  return `${heading}${importsOf(body)}${body}`;
}

/** The route of Next.js that answers with the receiver in `file`, which stands beside it. */
export function routeSource(file: string): string {
  return `import { createReceiver } from './${file}';

${options}
let receiver;

/** Reads the options with the first delivery: a build has no secret. */
export const POST = (request) => {
  receiver ??= createReceiver(readOptions());
  return receiver(request);
};
`;
}
