import { connect, createServer } from 'node:net';
import { WorkbenchError } from './errors';
import { isLoopbackHost } from './loopback';

/**
 * Whether something listens at a URL of this machine. Nothing is sent, and no other machine is asked.
 * @param timeoutMs after which nothing counts as listening
 * @returns undefined for another machine's URL
 */
export function isListening(
  { protocol, hostname, port }: URL,
  timeoutMs = 250,
): Promise<boolean> | undefined {
  if (!isLoopbackHost(hostname)) {
    return undefined;
  }
  const usual = protocol === 'https:' ? 443 : 80;
  return new Promise((resolve) => {
    const socket = connect({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? usual : Number(port),
      timeout: timeoutMs,
    });
    const end = (listens: boolean) => (): void => {
      socket.destroy();
      resolve(listens);
    };
    socket.once('connect', end(true)).once('timeout', end(false)).once('error', end(false));
  });
}

/** A port of 127.0.0.1 that nobody listens on: the wanted one if possible, else any. */
export async function findPort(wanted = 0): Promise<number> {
  return (await probe(wanted)) ?? (await probe(0)) ?? wanted;
}

function probe(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
      .once('error', () => resolve(undefined))
      .listen(port, '127.0.0.1', () => {
        const address = server.address();
        server.close(() =>
          resolve(typeof address === 'object' && address !== null ? address.port : undefined),
        );
      });
  });
}

/** A port on this machine is not available. */
export function listenError(port: number, cause: Error): WorkbenchError {
  const code = (cause as NodeJS.ErrnoException).code;
  if (code === 'EADDRINUSE') {
    return new WorkbenchError({
      code: 'port-in-use',
      kind: 'input',
      message: `Port ${port} is in use, by another program or another window.`,
      hint: 'Choose another port, or stop what listens there.',
      details: { port },
      cause,
    });
  }
  if (code === 'EACCES') {
    return new WorkbenchError({
      code: 'port-not-allowed',
      kind: 'input',
      message: `You do not have permission to open port ${port}.`,
      hint: 'Choose a port of 1024 or higher.',
      details: { port },
      cause,
    });
  }
  return new WorkbenchError({
    code: 'listen-failed',
    kind: 'input',
    message: `Cannot listen on port ${port}: ${cause.message}.`,
    hint: 'Choose another port.',
    details: { port },
    cause,
  });
}
