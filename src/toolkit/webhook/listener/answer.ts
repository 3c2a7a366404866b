import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Delivery } from '../delivery/delivery';
import type { Clock } from '../../time';
import { limits } from '../../limits';
import { isHttpSuccess } from '../values/isHttpSuccess';

/** Bytes of a rejected body that are still read, so that the sender sees the answer instead of a reset. */
const maximumDrainBytes = limits.webhookRefusedBody.most;

/** Milliseconds for which a rejected body is still read. */
const drainMs = 2_000;

/** The acknowledgement: small, and never quotes the payload. */
export function acknowledgement(
  { id, status, verdict, signature }: Pick<Delivery, 'id' | 'status' | 'verdict' | 'signature'>,
  path: string | null,
): string {
  if (isHttpSuccess(status)) {
    return JSON.stringify({ received: true, id, verdict });
  }
  return JSON.stringify({
    received: false,
    id,
    verdict,
    ...(signature?.ok === false ? { problem: signature.problem } : {}),
    ...(path === null ? {} : { path }),
    ...(status === 405 ? { reason: 'Webhooks are sent with POST.' } : {}),
  });
}

/**
 * Answers with a small JSON text. If the request's body was not read completely, it is drained first, then closed.
 */
export function answer(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  text: string,
  clock: Clock,
): void {
  if (response.destroyed || response.headersSent || status === 0) {
    response.destroy();
    return;
  }
  const headers: Record<string, string | number> = {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
  };
  if (status === 405) {
    headers.Allow = 'POST';
  }
  if (status === 503) {
    headers['Retry-After'] = 1;
  }
  if (request.complete) {
    response.writeHead(status, headers).end(text);
    return;
  }
  response.writeHead(status, { ...headers, Connection: 'close' }).write(text);
  drain(request, clock, () => response.end());
}

function drain(request: IncomingMessage, clock: Clock, done: () => void): void {
  let left = maximumDrainBytes;
  const finish = (): void => {
    cancel();
    request.off('data', onData).off('end', finish).off('close', finish);
    done();
  };
  const onData = (chunk: Buffer): void => {
    left -= chunk.length;
    if (left < 0) {
      finish();
    }
  };
  const cancel = clock.after(drainMs, finish);
  request.on('data', onData).once('end', finish).once('close', finish).resume();
}
