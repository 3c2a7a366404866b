import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below those that systems give to outgoing connections, of which there are many: one of them could take it. */
const lowest = 20_000;
const highest = 32_000;

/**
 * A port of the loopback interface that nobody listens on now. Chosen at random, so that tests that run at the same time
 * are not given the same before they listen.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(lowest, highest);
    if (await isFree(port)) {
      return port;
    }
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') {
        resolve(false);
      } else {
        reject(error);
      }
    });
    server.listen(port, '127.0.0.1', () => void server.close(() => resolve(true)));
  });
}
