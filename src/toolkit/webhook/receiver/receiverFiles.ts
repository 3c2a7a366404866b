import type { ReceiverCode, ReceiverFramework } from './receiverSource';
import { importsOf, receiverSource, routeSource } from './receiverSource';

/** The file that a receiver is proposed to be in, relative to the project. */
export const receiverPaths: Readonly<Record<ReceiverFramework, string>> = {
  express: 'webhook-receiver.mjs',
  fastify: 'webhook-receiver.mjs',
  next: 'app/webhook/receiver.mjs',
  hono: 'webhook-receiver.mjs',
};

/** A file to write. */
export interface ReceiverFile {
  /** Relative to the project, with slashes. */
  path: string;
  text: string;
}

/**
 * A receiver of a service's webhooks and its test, the receiver first; for Next.js its route, too.
 * @param path of the receiver, relative to the project, as {@link receiverPathProblem} allows it
 * @param check see {@link receiverSource}
 */
export function receiverFiles(
  code: ReceiverCode,
  framework: ReceiverFramework,
  path: string,
  check?: string,
): readonly ReceiverFile[] {
  const slash = path.lastIndexOf('/') + 1;
  const folder = path.slice(0, slash);
  const file = path.slice(slash);
  return [
    { path, text: receiverSource(code, framework, framework === 'next' ? file : path, check) },
    {
      path: `${folder}${file.replace(/\.mjs$/, '.test.mjs')}`,
      text: receiverTestSource(code, framework, file),
    },
    ...(framework === 'next' ? [{ path: `${folder}route.js`, text: routeSource(code, file) }] : []),
  ];
}

/** Why a path cannot be that of a receiver; undefined if it can. */
export function receiverPathProblem(path: string): string | undefined {
  const parts = path.split('/');
  const file = parts.at(-1) ?? '';
  if (path.includes('\\')) {
    return 'Write / between folders.';
  }
  if (!/^\w[\w.-]*\.mjs$/.test(file)) {
    return 'Enter a file name that ends with .mjs, such as webhook-receiver.mjs.';
  }
  if (file.endsWith('.test.mjs')) {
    return 'The test is made beside it: enter the name without .test.';
  }
  if (parts.some((part) => part === '' || part === '.' || part === '..')) {
    return 'Enter a path inside the folder, such as src/webhook-receiver.mjs.';
  }
  return /[\p{Cc}<>:"|?*]/u.test(path)
    ? 'Folders cannot have this name everywhere: leave out < > : " | ? *.'
    : undefined;
}

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
function receiverTestSource(code: ReceiverCode, framework: ReceiverFramework, file: string): string {
  const post = `/** The status that a delivery is answered with. */
async function post(body, given = sign(body)) {
  const headers = { 'Content-Type': 'application/json', ...given };
${posts[framework]}
}
`;
  const text = [code.test, post].join('\n');
  return `${importsOf(text).trimEnd()}\nimport { createReceiver } from './${file}';\n\n${text}`;
}
