import type { FastifyInstance } from 'fastify';
import { workerData } from 'node:worker_threads';
import { createSandboxEmulator } from '../execution/emulator/createSandboxEmulator';
import { defaultNetworkConfig } from '../execution/emulator/networkConfig';
import { abortedError } from '../base/errors';
import { findPort } from '../base/isListening';
import { Redactor, createLog } from '../base/log';
import { RemoteCalls, toPlainError } from '../base/serviceThread';
import { systemClock } from '../base/time';
import { workerPort } from '../base/workerService';
import { deriveAccounts } from './accounts/deriveAccounts';
import type { LocalChain } from './chain/localChain';
import { chainStatus } from './control/localnetStatus';
import { parseDump, readDump } from './dump/readDump';
import { noFaults } from './faults/faults';
import type { ForkSource } from './fork/fork';
import type { WalletsWish } from './localnet';
import { portTakenError } from './localnetErrors';
import { localnetHost } from './localnetHost';
import { openChain } from './openChain';
import { createServer } from './server/createServer';
import type { StateStore } from './storage/stateStore';
import type { GenesisWish } from './system/systemAccounts';
import type { FromWorker, ToWorker, WorkerSettings } from './workerProtocol';

/** Milliseconds between state reports. */
const statusPause = 100;

const port = workerPort();
const post = (message: FromWorker): void => port.postMessage(message);
const settings = workerData as WorkerSettings;
const log = createLog((level, line) => post({ type: 'log', level, line }), new Redactor(), 'localnet');

run().catch(async (error: unknown) => {
  const taken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
  const failure = taken ? portTakenError(settings.port, await findPort()) : error;
  post({ type: 'failed', error: toPlainError(failure) });
  port.close();
});

async function run(): Promise<void> {
  const calls = new RemoteCalls<ForkSource>(post);
  const opened: Partial<Opened> = {};
  port.on('message', (message: ToWorker) => {
    if (message.type === 'close') {
      calls.end(abortedError());
      void close(opened);
    } else {
      calls.receive(message);
    }
  });
  const { fork, load } = settings;
  const emulator = await createSandboxEmulator();
  const { chain, store } = await openChain({
    emulator,
    config: defaultNetworkConfig(),
    clock: systemClock,
    log,
    mode: settings.mode,
    genesis: await readWallets(settings.wallets),
    load: load === undefined ? undefined : async () => readDump(parseDump(load), emulator),
    stateDirectory: settings.stateDirectory,
    afterCrash: settings.afterCrash,
    fork: fork === undefined ? undefined : { wish: fork, source: remoteSource(calls) },
  });
  opened.chain = chain;
  opened.store = store;
  const { maximumTraceTransactions, allowedOrigins, isClassicV2 } = settings;
  let faults = noFaults;
  let isPlanned = false;
  const tell = (): void => {
    if (isPlanned) {
      return;
    }
    isPlanned = true;
    systemClock.after(statusPause, () => {
      isPlanned = false;
      post({ type: 'status', status: chainStatus(chain, faults) });
    });
  };
  const server = await createServer(chain, {
    ...{ maximumTraceTransactions, allowedOrigins, isClassicV2, log },
    onFaults: (changed) => {
      faults = changed;
      tell();
    },
  });
  opened.server = server;
  const listening = await listen(server);
  store?.announce(listening.port);
  chain.onBlock(tell);
  chain.onReset(tell);
  chain.onConfigure(tell);
  chain.onAdopt(tell);
  store?.onProblems(tell);
  post({ type: 'status', status: chainStatus(chain, faults) });
  post({ type: 'ready', ...listening, accounts: chain.genesis.accounts });
}

/** The starting thread has access to the forked network. */
const remoteSource = (calls: RemoteCalls<ForkSource>): ForkSource => ({
  pin: () => calls.call('pin'),
  account: (point, address) => calls.call('account', point, address),
  library: (point, hash) => calls.call('library', point, hash),
  config: (point) => calls.call('config', point),
});

/** The wallets of a new network; undefined for the usual ones. */
async function readWallets(wish: WalletsWish | undefined): Promise<GenesisWish | undefined> {
  if (wish === undefined) {
    return undefined;
  }
  const { mnemonics = [], count, balance } = wish;
  const isUsual = mnemonics.length === 0 && count === undefined;
  return { accounts: isUsual ? undefined : await deriveAccounts(mnemonics, count), balance };
}

interface Opened {
  chain: LocalChain;
  server: FastifyInstance;
  store: StateStore | undefined;
}

async function listen(server: FastifyInstance): Promise<{ port: number; portChanged: boolean }> {
  let portChanged = false;
  try {
    await server.listen({ host: localnetHost, port: settings.port });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || !settings.portFallback) {
      throw error;
    }
    portChanged = true;
    await server.listen({ host: localnetHost, port: 0 });
  }
  const address = server.server.address();
  return { port: typeof address === 'object' && address !== null ? address.port : 0, portChanged };
}

/** Closes what has been opened so far. */
async function close({ chain, server, store }: Partial<Opened>): Promise<void> {
  await server?.close();
  await chain?.close();
  await store?.close();
  post({ type: 'closed' });
  port.close();
}
