import { importsOf } from './importsOf';
import type { ReceiverCode } from './receiverCode';
import type { ReceiverFramework } from './receiverFrameworks';

const web = (
  given: string,
): string => `  const request = new Request('http://localhost/webhook', { method: 'POST', headers, body });
  return (await createReceiver(options())(${given})).status;`;

/** How each framework's receiver is handed `body` with `headers`. */
const posts: Readonly<Record<ReceiverFramework, string>> = {
  express: `  const server = createServer(createReceiver(options())).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const url = \`http://127.0.0.1:\${server.address().port}/webhook\`;
    return (await fetch(url, { method: 'POST', headers, body })).status;
  } finally {
    server.close();
  }`,
  fastify: `  const app = createReceiver(options());
  return (await app.inject({ method: 'POST', url: '/webhook', headers, payload: body })).statusCode;`,
  next: web('request'),
  hono: web('{ req: { raw: request } }'),
};

/** The test of a made receiver, for `node --test`. @param file the receiver's name, beside it */
export function receiverTestSource(code: ReceiverCode, framework: ReceiverFramework, file: string): string {
  const post = `/** The status that a delivery is answered with. */
async function post(body, given = sign(body)) {
  const headers = { 'Content-Type': 'application/json', ...given };
${posts[framework]}
}
`;
  const text = [code.test, post].join('\n');
  return `${importsOf(text).trimEnd()}\nimport { createReceiver } from './${file}';\n\n${text}`;
}
