import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as a receiver saw it. */
export interface SeenRequest {
  method: string;
  url: string;
  rawHeaders: string[];
  body: Buffer;
}

export interface TestReceiver {
  url: URL;
  seen: SeenRequest[];
  close(): Promise<void>;
}

/** A plain HTTP server whose answers a test decides. */
export async function startReceiver(
  handle: (request: SeenRequest, response: ServerResponse, number: number) => void,
): Promise<TestReceiver> {
  const seen: SeenRequest[] = [];
  const server = createServer((request: IncomingMessage, response) => {
    const chunks: Buffer[] = [];
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        const { method = '', url = '', rawHeaders } = request;
        const one = { method, url, rawHeaders, body: Buffer.concat(chunks) };
        seen.push(one);
        handle(one, response, seen.length);
      });
  });
  return { url: new URL(`${await listen(server)}/webhook`), seen, close: () => closeServer(server) };
}

export async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  return closed;
}
