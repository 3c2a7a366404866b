import { importsOf } from './importsOf';
import type { ReceiverCode } from './receiverCode';
import type { ReceiverFramework } from './receiverFrameworks';
import { checkCommand } from './checkCommand';
import { receiverHandlers } from './receiverHandlers';
import { receiverPort } from './receiverUrl';

/** The packages that each framework's receiver is started with. */
export const receiverPackages: Readonly<Record<ReceiverFramework, readonly string[]>> = {
  express: ['express'],
  fastify: ['fastify'],
  next: [],
  hono: ['hono', '@hono/node-server'],
};

const tell = 'console.log(`Listening on http://127.0.0.1:${port}/webhook`)';

const starts: Readonly<Record<Exclude<ReceiverFramework, 'next'>, string>> = {
  express: `  const server = createReceiver(readOptions()).listen(port, '127.0.0.1');
  await once(server, 'listening');
  ${tell};`,
  fastify: `  await createReceiver(readOptions()).listen({ port, host: '127.0.0.1' });
  ${tell};`,
  hono: `  const { Hono } = await import('hono');
  const { serve } = await import('@hono/node-server');
  const app = new Hono().post('/webhook', createReceiver(readOptions()));
  await once(serve({ fetch: app.fetch, port, hostname: '127.0.0.1' }), 'listening');
  ${tell};`,
};

/**
 * A small receiver of a service's webhooks that follows all rules, as a JavaScript module: raw body, credential in
 * constant time, integers, each payment once, on disk before it is answered. It exports `createReceiver(options)`; its
 * `readOptions` says what they are. Run by itself it listens, except that of Next.js, which {@link routeSource} is for.
 * @param file its name
 * @param check the options of `webhook check` that choose the service; empty for the usual one
 */
export function receiverSource(
  receiver: ReceiverCode,
  framework: ReceiverFramework,
  file: string,
  check = '',
): string {
  const { service, parts, receive, options, variables } = receiver;
  const code = [...Object.values(parts).map((part) => part.code), receive, receiverHandlers[framework]];
  if (framework !== 'next') {
    code.push(`${options}
// Run by itself, not imported.
if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const port = Number(process.env.PORT ?? ${receiverPort});
  try {
${starts[framework].replace(/^/gm, '  ')}
  } catch (error) {
    // Such as a variable that is not set, or a port in use.
    console.error(error.message);
    process.exitCode = 1;
  }
}
`);
  }
  const packages = receiverPackages[framework];
  const environment = variables.map((name) => `${name}=…`).join(' ');
  const steps = [
    ...(packages.length === 0 ? [] : [`npm install ${packages.join(' ')}`]),
    `${environment} ${framework === 'next' ? 'npm run dev' : `node ${file}`}`,
    checkCommand(receiver, check),
  ];
  const heading = `// Receives webhooks of ${service}. To try it:\n${steps.map((step) => `//   ${step}\n`).join('')}`;
  const body = code.join('\n');
  return `${heading}${importsOf(body)}${body}`;
}

/** The route of Next.js that answers with the receiver in `file`, which stands beside it. */
export function routeSource({ options }: ReceiverCode, file: string): string {
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
