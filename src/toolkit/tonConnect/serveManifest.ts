import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hasOneHost, foreignPage } from '../base/loopback';

/** A small picture: wallets require one, and none that is served here leaves this machine. */
const icon = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** A manifest that wallets on this machine can read. */
export interface ServedManifest {
  url: string;
  close(): void;
}

/**
 * Serves the manifest of this program on 127.0.0.1, for as long as a wallet of this machine needs it: it is read when a
 * wallet connects. A wallet elsewhere cannot reach it.
 */
export async function serveManifest(): Promise<ServedManifest> {
  const server = createServer((request, response) => {
    const { port } = server.address() as AddressInfo;
    const origin = `http://127.0.0.1:${port}`;
    if (!hasOneHost(request.rawHeaders) || foreignPage(request.headers, []) !== undefined) {
      response.writeHead(403).end();
    } else if (request.method === 'GET' && request.url === '/tonconnect-manifest.json') {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ url: origin, name: 'TON Workbench', iconUrl: `${origin}/icon.png` }));
    } else if (request.method === 'GET' && request.url === '/icon.png') {
      response.setHeader('content-type', 'image/png');
      response.end(icon);
    } else {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  server.unref();
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/tonconnect-manifest.json`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
