import { parentPort, workerData } from 'node:worker_threads';
import type { FastifyInstance } from 'fastify';
import { createSandboxEmulator } from '../emulator/sandboxEmulator';
import { defaultNetworkConfig } from '../emulator/networkConfig';
import { createLog, Redactor } from '../log';
import { systemClock } from '../time';
import { LocalChain } from './chain/localChain';
import type { LocalnetStatus } from './localnet';
import { createServer } from './server/createServer';
import type { FromWorker, ToWorker, WorkerSettings } from './workerProtocol';

/** Milliseconds between two reports of the state. */
const statusPause = 100;

const port = parentPort;
if (port === null) {
  throw new Error('localnetWorker runs as a worker thread only');
}
const post = (message: FromWorker): void => port.postMessage(message);
const settings = workerData as WorkerSettings;
const log = createLog((level, line) => post({ type: 'log', level, line }), new Redactor(), 'localnet');

run().catch((error: unknown) => {
  const taken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
  const message = error instanceof Error ? error.message : String(error);
  post({ type: 'failed', code: taken ? 'port-taken' : 'other', message });
  port.close();
});

async function run(): Promise<void> {
  const chain = new LocalChain({
    emulator: await createSandboxEmulator(),
    config: defaultNetworkConfig(),
    clock: systemClock,
    log,
    blockDelayMs: settings.blockDelayMs,
  });
  const server = await createServer(chain);
  const listening = await listen(server);
  let timer: NodeJS.Timeout | undefined;
  chain.onBlock(() => {
    timer ??= setTimeout(() => {
      timer = undefined;
      post({ type: 'status', status: statusOf(chain) });
    }, statusPause);
  });
  port?.on('message', (message: ToWorker) => {
    if (message.type === 'close') {
      clearTimeout(timer);
      void close(chain, server);
    }
  });
  post({ type: 'status', status: statusOf(chain) });
  post({ type: 'ready', ...listening });
}

async function listen(server: FastifyInstance): Promise<{ port: number; portChanged: boolean }> {
  const { host } = settings;
  let portChanged = false;
  try {
    await server.listen({ host, port: settings.port });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || !settings.portFallback) {
      throw error;
    }
    portChanged = true;
    await server.listen({ host, port: 0 });
  }
  const address = server.server.address();
  return { port: typeof address === 'object' && address !== null ? address.port : 0, portChanged };
}

async function close(chain: LocalChain, server: FastifyInstance): Promise<void> {
  await server.close();
  await chain.close();
  post({ type: 'closed' });
  port?.close();
}

function statusOf(chain: LocalChain): LocalnetStatus {
  const { commit, date } = chain.emulator.version;
  return {
    state: 'running',
    seqno: chain.ledger.last.seqno,
    pending: chain.pending.size,
    transactions: chain.ledger.transactions.length,
    configOrigin: chain.config.origin,
    emulator: `@ton/sandbox, TON ${commit.slice(0, 8)} of ${date}`,
  };
}
