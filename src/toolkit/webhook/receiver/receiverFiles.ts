import type { ReceiverCode } from './receiverCode';
import type { ReceiverFramework } from './receiverFrameworks';
import { receiverSource, routeSource } from './receiverSource';
import { receiverTestSource } from './receiverTestSource';

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
