import { createServer } from 'node:net';

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
