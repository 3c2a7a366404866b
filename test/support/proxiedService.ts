import { readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { createProxy } from 'proxy';

/**
 * The file with the certificate of {@link startProxiedService}, made for tests only; give it as NODE_EXTRA_CA_CERTS.
 * @param root the project's folder, which a bundle in an extension host does not know by itself
 */
export function serviceCertificate(root: string): string {
  return path.join(root, 'test/support/tls/service.cert.pem');
}

/** An HTTP proxy in front of a service that is known to the proxy alone. */
export interface ProxiedService {
  /** `https://service.test:1` and `http://service.test:1`: no name server knows the host. */
  https: string;
  http: string;
  /** `http://user:pass@127.0.0.1:port`. */
  proxy: string;
  /** What the proxy was asked for: `CONNECT service.test:1`, `GET http://service.test/…`. */
  asked: string[];
  /** What reached the service: path, and headers by name. */
  served: { path: string; headers: NodeJS.Dict<string | string[]>; body: string }[];
  close(): Promise<void>;
}

/** Starts both; the proxy is the package `proxy`, which wants the user `me` with the password `p w`, or `token` with none. */
export async function startProxiedService(
  root: string,
  answer: (path: string) => { status?: number; body: unknown },
): Promise<ProxiedService> {
  const served: ProxiedService['served'] = [];
  const asked: string[] = [];
  const listener: RequestListener = (request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      served.push({ path: request.url ?? '', headers: request.headers, body });
      const { status = 200, body: given } = answer(request.url ?? '');
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(given));
    });
  };
  const key = readFileSync(path.join(root, 'test/support/tls/service.key.pem'));
  const secure = createHttpsServer({ key, cert: readFileSync(serviceCertificate(root)) }, listener);
  const plain = createHttpServer(listener);
  const proxy = createProxy(createHttpServer());
  const expected = ['me:p w', 'token:'].map((user) => `Basic ${Buffer.from(user).toString('base64')}`);
  proxy.authenticate = (request) => expected.includes(request.headers['proxy-authorization'] ?? '');
  const [securePort, plainPort, proxyPort] = await Promise.all([secure, plain, proxy].map(listen));
  // The proxy knows where the name leads; everybody else would have to ask a name server.
  proxy.prependListener('connect', (request) => {
    asked.push(`CONNECT ${request.url}`);
    request.url = `127.0.0.1:${request.url?.endsWith(':443') ? securePort : request.url?.split(':')[1]}`;
  });
  proxy.prependListener('request', (request) => {
    asked.push(`${request.method} ${request.url}`);
    request.url = request.url?.replace('//service.test', '//127.0.0.1');
  });
  return {
    https: `https://service.test:${securePort}`,
    http: `http://service.test:${plainPort}`,
    proxy: `http://me:p%20w@127.0.0.1:${proxyPort}`,
    asked,
    served,
    close: async () => {
      await Promise.all(
        [secure, plain, proxy].map(
          (server) =>
            new Promise<void>((resolve) => {
              server.close(() => resolve());
              server.closeAllConnections();
            }),
        ),
      );
    },
  };
}

function listen(server: Pick<Server, 'listen' | 'address'>): Promise<number> {
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
  );
}
