import { createServer, request } from 'node:http';
import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a proxy answers by itself. */
interface OwnAnswer {
  status: number;
  body: unknown;
}

/** A proxy on loopback that passes requests on, except those it answers by itself. */
export interface PassingProxy {
  origin: string;
  /** Paths with queries that came in, in order. */
  readonly seen: string[];
  /** Decides about each request; may be changed at any time. `undefined` passes it on. */
  answer: (url: URL) => OwnAnswer | undefined;
  /** Ends the answers under way of requests whose path matches, in mid-answer. */
  cut: (path: RegExp) => void;
  close(): Promise<void>;
}

/** Starts a proxy in front of `target`, an origin. */
export async function startPassingProxy(target: string): Promise<PassingProxy> {
  const seen: string[] = [];
  const open = new Map<ServerResponse, string>();
  const server: Server = createServer((incoming, outgoing) => {
    const url = new URL(incoming.url ?? '/', target);
    seen.push(`${url.pathname}${url.search}`);
    const own = proxy.answer(url);
    if (own !== undefined) {
      incoming.resume();
      outgoing.writeHead(own.status, { 'content-type': 'application/json' }).end(JSON.stringify(own.body));
      return;
    }
    open.set(outgoing, url.pathname);
    outgoing.once('close', () => open.delete(outgoing));
    const { method, headers } = incoming;
    const forward = request(url, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    forward.on('error', () => outgoing.destroy());
    outgoing.once('close', () => forward.destroy());
    incoming.pipe(forward);
  });
  // Clients take over what the origin says about its connections: an idle one that closed here earlier would be
  // reset under a request.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy: PassingProxy = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    answer: () => undefined,
    cut: (path) =>
      [...open].forEach(([outgoing, at]) => {
        if (path.test(at)) {
          outgoing.destroy();
        }
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return proxy;
}
