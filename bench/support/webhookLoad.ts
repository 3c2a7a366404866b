import { connect } from 'node:net';
import { percentile } from './percentile';

/** The results of a load. */
export interface LoadResult {
  perSecond: number;
  /** Milliseconds within which 99 of 100 answers arrived. */
  p99: number;
}

/**
 * Sends requests, given as raw bytes, over keep-alive connections for a while, one at a time per connection.
 * It uses raw sockets, because a client library would cost more than the measured servers.
 */
export async function load(
  port: number,
  requests: readonly Buffer[],
  { connections, ms }: { connections: number; ms: number },
): Promise<LoadResult> {
  const times: number[] = [];
  const start = performance.now();
  let next = 0;
  const run = (): Promise<void> =>
    new Promise((resolve, reject) => {
      let sentAt = 0;
      let buffered = '';
      const socket = connect(port, '127.0.0.1');
      const send = (): void => {
        if (performance.now() - start >= ms) {
          socket.destroy();
          resolve();
          return;
        }
        sentAt = performance.now();
        socket.write(requests[next++ % requests.length] as Buffer);
      };
      socket
        .setNoDelay(true)
        .on('connect', send)
        .on('error', reject)
        .on('data', (chunk: Buffer) => {
          buffered += chunk.toString('latin1');
          const head = buffered.indexOf('\r\n\r\n');
          const length = Number(/content-length: (\d+)/i.exec(buffered)?.[1] ?? 0);
          if (head === -1 || buffered.length < head + 4 + length) {
            return;
          }
          if (!buffered.startsWith('HTTP/1.1 200')) {
            reject(new Error(buffered));
            return;
          }
          buffered = '';
          times.push(performance.now() - sentAt);
          send();
        });
    });
  await Promise.all(Array.from({ length: connections }, run));
  return { perSecond: (times.length / (performance.now() - start)) * 1_000, p99: percentile(times, 0.99) };
}

/** The bytes of a POST. */
export function rawPost(path: string, headers: Record<string, string>, body: Buffer): Buffer {
  const lines = Object.entries({
    Host: '127.0.0.1',
    'Content-Type': 'application/json',
    'Content-Length': String(body.length),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n`), body]);
}
