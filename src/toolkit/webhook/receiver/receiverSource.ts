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
const receiverHandlers: Readonly<Record<ReceiverFramework, string>> = {
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

/**
 * The framework that projects use; undefined if they use none of those known, or several.
 * @param manifests texts of package.json files; broken ones say nothing
 */
export function guessFramework(manifests: readonly string[]): ReceiverFramework | undefined {
  const used = new Set(manifests.flatMap(dependencyNames));
  const [framework, ...others] = receiverFrameworks.filter((name) => used.has(name));
  return others.length === 0 ? framework : undefined;
}

function dependencyNames(manifest: string): string[] {
  try {
    const read = JSON.parse(manifest) as Record<string, object> | null;
    return [read?.['dependencies'], read?.['devDependencies']].flatMap((group) => Object.keys(group ?? {}));
  } catch {
    return [];
  }
}

/** The frameworks that a receiver can be made for. */
export const receiverFrameworks = ['express', 'fastify', 'next', 'hono'] as const;

export type ReceiverFramework = (typeof receiverFrameworks)[number];

/** What the frameworks are called. */
export const frameworkTitles: Readonly<Record<ReceiverFramework, string>> = {
  express: 'Express',
  fastify: 'Fastify',
  next: 'Next.js',
  hono: 'Hono',
};

const aboutReceive =
  '// receive() is your code: it verifies these bytes, does what they say, and returns the status.\n';

/** A part of a receiver that may need a fix. */
export type FixPart = ReceiverPart | 'rawBody' | 'status';

/** How exactly 200 is answered. */
const exactStatus: Readonly<Record<ReceiverFramework, string>> = {
  express: 'response.status(200).end();\n',
  fastify: 'return reply.code(200).send();\n',
  next: 'return new Response(null, { status: 200 });\n',
  hono: 'return context.body(null, 200);\n',
};

/**
 * One part of a service's receiver as code, with what it imports.
 * @param part `rawBody` is how the framework hands over the bytes; `status` is how it answers exactly 200;
 *   one that the service has no part for is in `receive`
 */
export function receiverPart(
  part: FixPart,
  framework: ReceiverFramework,
  { parts, receive }: ReceiverCode,
): string {
  if (part === 'rawBody') {
    const code = receiverHandlers[framework];
    return `${importsOf(code)}${aboutReceive}${code}`;
  }
  if (part === 'status') {
    return exactStatus[framework];
  }
  const rule = parts[part];
  if (rule === undefined) {
    return `${importsOf(receive)}${receive}`;
  }
  const { code, call } = rule;
  return `${importsOf(code + call)}${code}\n// In receive(), which is given the body as bytes and the headers:\n${call.replace(/^ {2}/gm, '')}`;
}

const sources: readonly (readonly [module: string, names: readonly string[]])[] = [
  ['node:assert/strict', ['assert']],
  ['node:crypto', ['createHash', 'createHmac', 'randomUUID', 'timingSafeEqual']],
  ['node:events', ['once']],
  ['node:fs', ['realpathSync']],
  ['node:fs/promises', ['link', 'mkdir', 'mkdtemp', 'open', 'readdir', 'rm', 'unlink']],
  ['node:http', ['createServer']],
  ['node:os', ['tmpdir']],
  ['node:path', ['join']],
  ['node:test', ['afterEach', 'beforeEach', 'test']],
  ['node:timers/promises', ['setTimeout']],
  ['node:url', ['fileURLToPath']],
  ['express', ['express']],
  ['fastify', ['fastify']],
];

const defaults: readonly string[] = ['assert', 'express', 'fastify'];

/** The import lines for the functions that code calls, with an empty line after them; empty if it needs none. */
export function importsOf(code: string): string {
  const called = new Set([...code.matchAll(/(?<![.\w])(\w+)[.(]/g)].map(([, name]) => name));
  const lines = sources.flatMap(([module, names]) => {
    const used = names.filter((name) => called.has(name));
    if (used.length === 0) {
      return [];
    }
    const isDefault = used.every((name) => defaults.includes(name));
    return [`import ${isDefault ? used.join() : `{ ${used.join(', ')} }`} from '${module}';\n`];
  });
  return lines.length === 0 ? '' : `${lines.join('')}\n`;
}

/** The parts of a receiver that rules are about, besides how it gets the bytes, which is the framework's. */
type ReceiverPart = 'signature' | 'event' | 'order' | 'chain' | 'once';

/** A function that keeps a rule. */
interface ReceiverRule {
  /** The function, and what it needs. */
  code: string;
  /** What `receive` does with it, indented as there. */
  call: string;
}

/** What a service's receiver consists of, as JavaScript; the frameworks frame it. */
export interface ReceiverCode {
  /** Whose webhooks it receives, as it is said in a sentence. */
  readonly service: string;
  /** What keeps the rules, in the order of the file. A rule without a part of its own is kept by `receive`. */
  readonly parts: Readonly<Partial<Record<ReceiverPart, ReceiverRule>>>;
  /** Fields of a delivery that is about the order or user in `options`, as `--set` takes them. */
  readonly example?: string;
  /** `receive(body, headers, options)`, which puts the parts together and returns the status; header names are in lowercase. */
  readonly receive: string;
  /** `readOptions()` and what it needs: what the receiver is run with. */
  readonly options: string;
  /** The environment variables that it does not start without, besides `PORT`. */
  readonly variables: readonly string[];
  /**
   * Its test for `node --test`, with `options()`, and with `sign(body)`, which returns headers. It delivers with
   * `post(body, headers?)`.
   */
  readonly test: string;
}

/** The file that the secret of a made receiver is assumed to be in. */
export const secretFile = 'secret.txt';

/**
 * The command that checks a made receiver, with the order of its example.
 * @param choice the options that choose the service; empty for the usual one
 */
export function checkCommand({ example }: Pick<ReceiverCode, 'example'>, choice = ''): string {
  return [
    'ton-workbench webhook check',
    ...(choice === '' ? [] : [choice]),
    `--url ${receiverUrl()} --secret-file ${secretFile}`,
    ...(example === undefined ? [] : [`--set ${example}`]),
  ].join(' ');
}

/** Where a made receiver listens unless `PORT` says otherwise. */
export const receiverPort = 3000;

/** The URL of a made receiver. */
export function receiverUrl(port = receiverPort): string {
  return `http://127.0.0.1:${port}/webhook`;
}
