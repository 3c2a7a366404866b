import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { systemClock } from '../../time';

/**
 * Maximum bytes of a request's line and headers, like the service's. A list of 1,024 addresses fits many times over.
 */
export const headerLimit = 1024 * 1024;

/** Milliseconds for a client to read the answer and close the connection. */
const patience = 2_000;

const refusals: Readonly<Record<string, readonly [status: number, text: string]>> = {
  HPE_HEADER_OVERFLOW: [431, `the URL and the headers are larger than ${headerLimit} bytes`],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'the request did not arrive in time'],
};

const answered = new WeakSet<Socket>();

/**
 * Answers a request that the HTTP parser rejected. The connection cannot be reused, and the answer says so: the
 * client opens a new one for its next request. The rest is still read, because closing with unread bytes would reset
 * the connection and lose the answer.
 */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable || answered.has(socket)) {
    return;
  }
  answered.add(socket);
  const [status, text] = refusals[error.code ?? ''] ?? [400, 'this is not an HTTP request'];
  const body = JSON.stringify({ ok: false, error: text, code: status });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  const cancel = systemClock.after(patience, () => socket.destroy(), false);
  socket.once('end', () => socket.destroy()).once('close', cancel);
}
