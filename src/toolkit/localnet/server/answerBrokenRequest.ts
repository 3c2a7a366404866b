import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { systemClock } from '../../time';

/** Bytes of a request's line and headers: what the service reads. A list of 1,024 addresses fits many times. */
export const headerLimit = 1024 * 1024;

/** Milliseconds in which a client may read the answer and end the connection by itself. */
const patience = 2_000;

const refusals: Readonly<Record<string, readonly [status: number, text: string]>> = {
  HPE_HEADER_OVERFLOW: [431, `the URL and the headers are larger than ${headerLimit} bytes`],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'the request did not arrive in time'],
};

const answered = new WeakSet<Socket>();

/**
 * Answers what the HTTP parser gave up on. Nothing more can be read from that connection, and the answer says so: the
 * client's next request takes a new one. It is read on to its end all the same, as closing it over unread bytes would
 * reset it and take the answer along.
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
