import { Address, Cell, Dictionary, internal, loadTransaction } from '@ton/core';
import { Executor } from '@ton/sandbox/dist/executor/Executor';
import { WalletContractV4 } from '@ton/ton';
import type { FastifyInstance } from 'fastify';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createSandboxEmulator } from '../src/toolkit/execution/emulator/createSandboxEmulator';
import { absentAccount, blockSeed } from '../src/toolkit/execution/emulator/emulator';
import { defaultNetworkConfig } from '../src/toolkit/execution/emulator/networkConfig';
import { namedAccounts } from '../src/toolkit/localnet/accounts/namedAccounts';
import { LocalChain } from '../src/toolkit/localnet/chain/localChain';
import type { OpenChain } from '../src/toolkit/localnet/openChain';
import { openChain } from '../src/toolkit/localnet/openChain';
import type { TransactionRecord } from '../src/toolkit/localnet/records/records';
import { createServer } from '../src/toolkit/localnet/server/createServer';
import { startLocalnet } from '../src/toolkit/localnet/startLocalnet';
import { silentLog } from '../src/toolkit/base/log';
import { systemClock } from '../src/toolkit/base/time';
import { collectGarbage } from './support/collectGarbage';
import { median } from './support/median';
import { report } from './support/report';
import { signedTransfer } from './support/signedTransfer';

/** Number of transfers in the throughput rounds; each is two transactions. */
const transfers = 400;
const rounds = 3;
const large = 100_000;
const small = 1_000;

const config = defaultNetworkConfig();

async function newChain(): Promise<LocalChain> {
  return LocalChain.begin({
    emulator: await createSandboxEmulator(),
    config,
    clock: systemClock,
    log: silentLog,
    mode: { kind: 'manual' },
  });
}

/**
 * Signed transfers around the ten wallets, each with its next seqno; every round has one message per wallet.
 */
function makeTransfers(count: number): Buffer[] {
  return Array.from({ length: count * 10 }, (_, number) => {
    const from = namedAccounts[number % 10]!;
    const to = namedAccounts[(number + 1) % 10]!;
    const message = internal({ to: Address.parseRaw(to.address), value: 1_000n, bounce: false });
    return signedTransfer(from, Math.floor(number / 10), [message]);
  });
}

/** Transactions per second of the chain: accepted, executed, indexed. */
async function throughput(messages: Buffer[]): Promise<number> {
  const chain = await newChain();
  const before = performance.now();
  for (let at = 0; at < messages.length; at += 10) {
    for (const message of messages.slice(at, at + 10)) {
      await chain.submit(message);
    }
    await chain.mine();
  }
  return chain.ledger.transactions.length / ((performance.now() - before) / 1000);
}

/**
 * The same messages through the Executor in a loop; with `parse`, each transaction is parsed for its outgoing
 * messages.
 */
async function executorLoop(messages: Buffer[], parse: boolean): Promise<number> {
  const executor = await Executor.create();
  const start = (await newChain()).ledger.accounts;
  const accounts = new Map(
    [...start.values()].map((account) => [account.address.toLowerCase(), account.current]),
  );
  const queue = messages.map((boc, number) => ({
    cell: Cell.fromBoc(boc)[0]!,
    address: namedAccounts[number % 10]!.address,
  }));
  const recorded: { cell: Cell; address: string }[] = [];
  if (!parse) {
    // The next messages are determined beforehand, so that only the Executor is timed.
    for (const next of queue) {
      recorded.push(next, ...(await run(next, true)));
    }
    accounts.clear();
    [...start.values()].forEach((account) => accounts.set(account.address.toLowerCase(), account.current));
  }
  let count = 0;
  const before = performance.now();
  if (parse) {
    for (const next of queue) {
      for (const sent of await run(next, true)) {
        await run(sent, true);
        count += 1;
      }
      count += 1;
    }
  } else {
    for (const next of recorded) {
      await run(next, false);
      count += 1;
    }
  }
  return count / ((performance.now() - before) / 1000);

  async function run(
    next: { cell: Cell; address: string },
    read: boolean,
  ): Promise<{ cell: Cell; address: string }[]> {
    const { result } = await executor.runTransaction({
      config: config.base64,
      libs: null,
      verbosity: 'short',
      shardAccount: accounts.get(next.address) ?? absentAccount,
      message: next.cell,
      now: Math.floor(Date.now() / 1000) + 10,
      lt: 1_000_000_000n,
      randomSeed: blockSeed(1),
      ignoreChksig: false,
      debugEnabled: false,
    });
    if (!result.success) {
      throw new Error(result.error);
    }
    accounts.set(next.address, result.shardAccount);
    if (!read) {
      return [];
    }
    const cell = Cell.fromBase64(result.transaction);
    const { outMessages } = loadTransaction(cell.beginParse());
    // The cells as they are in the transaction; nothing is serialized again.
    const sent = cell.refs[0]!.beginParse();
    sent.loadMaybeRef();
    const cells = sent.loadDict(Dictionary.Keys.Uint(15), Dictionary.Values.Cell());
    return [...outMessages].flatMap(([number, { info }]) =>
      info.type === 'internal' ? [{ cell: cells.get(number)!, address: info.dest.toRawString() }] : [],
    );
  }
}

const agent = new Agent({ keepAlive: true, maxSockets: 4 });

function call(url: string, body?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = {
      agent,
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json' },
    };
    const sent = request(url, options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve(Buffer.concat(chunks).toString()));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/**
 * Rounds of get-methods that do not count: the engine compiles code in the background during the first 4,000
 * calls.
 */
const coldRounds = 4;

/** Get-methods per second over HTTP compared with bare Executor calls, in alternation, both warm. */
async function getMethods(): Promise<{ ours: number; peer: number; start: number }> {
  const began = performance.now();
  const localnet = await startLocalnet({ port: 0, log: silentLog });
  const start = performance.now() - began;
  const { address, publicKey } = namedAccounts[1]!;
  const body = JSON.stringify({ address, method: 'seqno', stack: [] });
  const ask = (): Promise<string> => call(`${localnet.v2}/runGetMethod`, body);
  const wallet = WalletContractV4.create({ workchain: 0, publicKey: Buffer.from(publicKey, 'hex') });
  const executor = await Executor.create();
  const bare = (): Promise<unknown> =>
    executor.runGetMethod({
      code: wallet.init.code,
      data: wallet.init.data,
      methodId: 85143,
      stack: [],
      config: config.getMethodBase64,
      verbosity: 'short',
      address: wallet.address,
      unixTime: Math.floor(Date.now() / 1000),
      balance: 1n,
      randomSeed: Buffer.alloc(32),
      gasLimit: 1_000_000n,
      debugEnabled: false,
    });
  const ours: number[] = [];
  const peer: number[] = [];
  for (let round = -coldRounds; round < 2 * rounds; round += 1) {
    const [overHttp, alone] = [await perSecond(ask, 4), await perSecond(bare, 1)];
    if (round >= 0) {
      ours.push(overHttp);
      peer.push(alone);
    }
  }
  await localnet.close();
  return { ours: median(ours), peer: median(peer), start };
}

/** Calls per second with a number of concurrent callers, each waiting for its answer. */
async function perSecond(run: () => Promise<unknown>, callers: number): Promise<number> {
  const count = 1_000;
  const before = performance.now();
  const lanes = Array.from({ length: callers }, async () => {
    for (let done = 0; done < count / callers; done += 1) {
      await run();
    }
  });
  await Promise.all(lanes);
  return count / ((performance.now() - before) / 1000);
}

/** The requests measured at both sizes, for transactions from all over the chain. */
const questions: Readonly<Record<string, (sample: TransactionRecord) => string>> = {
  '/traces by hash': ({ hash }) => `traces?tx_hash=${encodeURIComponent(hash)}`,
  'a page of an account': ({ trace }) =>
    `transactions?account=${trace.transactions[0]!.account.address}&limit=10`,
  'a block': ({ block }) => `transactionsByMasterchainBlock?seqno=${block.seqno}&limit=10`,
};
const samples = 300;
const warmUp = 150;
/**
 * The same number of positions in the chain at both sizes, so that neither has more data that was never read.
 */
const places = 10;

interface Size {
  transactions: number;
  /** Median milliseconds by request. */
  times: Map<string, number>;
  /** Bytes. */
  memory: number;
}

/** Answer times and memory at two sizes of the chain, and its start from disk. */
async function growth(): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'tonwb-growth-'));
  const open = async (): Promise<OpenChain> =>
    openChain({
      emulator: await createSandboxEmulator(),
      config,
      clock: systemClock,
      log: silentLog,
      mode: { kind: 'manual' },
      stateDirectory: folder,
    });
  const { chain, store } = await open();
  const server = await createServer(chain);
  const sizes: Size[] = [];
  for (const wanted of [small, large]) {
    while (chain.ledger.transactions.length < wanted) {
      for (const message of makeSpreadingMessages(chain.ledger.blocks.length - 1)) {
        await chain.submit(message);
      }
      await chain.mine();
    }
    sizes.push(await measure(chain, server));
  }
  await server.close();
  await chain.close();
  await store?.close();
  const before = performance.now();
  const again = await open();
  const start = performance.now() - before;
  await again.store?.close();
  rmSync(folder, { recursive: true });
  reportGrowth(sizes as [Size, Size], start);
}

function reportGrowth([first, last]: [Size, Size], start: number): void {
  const count = last.transactions - first.transactions;
  report([
    ...Object.keys(questions).map((name) => ({
      name: `${name} at ${last.transactions} transactions, p50`,
      ours: last.times.get(name)!,
      peer: first.times.get(name)!,
      peerName: `at ${first.transactions}`,
      unit: 'ms',
      goal: '<= 1.2',
    })),
    {
      name: 'memory per 10,000 transactions',
      ours: (((last.memory - first.memory) / count) * 10_000) / 1_048_576,
      unit: 'MiB',
    },
    { name: `start-up with ${last.transactions} transactions`, ours: start, unit: 'ms' },
  ]);
}

async function measure({ ledger }: LocalChain, server: FastifyInstance): Promise<Size> {
  const { transactions } = ledger;
  const times = new Map<string, number>();
  // A chain that has just grown leaves garbage behind, and an unused server is cold; neither depends on the
  // size.
  collectGarbage();
  for (const [name, question] of Object.entries(questions)) {
    const taken: number[] = [];
    for (let sample = -warmUp; sample < samples; sample += 1) {
      const place = Math.abs(sample) % places;
      const record = transactions[Math.floor((place / places) * transactions.length)]!;
      const before = performance.now();
      await server.inject(`/api/v3/${question(record)}`);
      if (sample >= 0) {
        taken.push(performance.now() - before);
      }
    }
    times.set(name, median(taken));
  }
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return { transactions: transactions.length, times, memory: heapUsed + arrayBuffers };
}

/** One message from each v5 wallet with its next seqno, each to twenty addresses out of a thousand. */
function makeSpreadingMessages(seqno: number): Buffer[] {
  return namedAccounts
    .filter(({ kind }) => kind === 'v5r1')
    .map((from, number) => {
      const messages = Array.from({ length: 20 }, (_, place) => {
        const target = ((seqno * 5 + number) * 20 + place) % 1_000;
        const to = new Address(0, Buffer.alloc(32, `recipient ${target}`));
        return internal({ to, value: 1_000n, bounce: false });
      });
      return signedTransfer(from, seqno, messages);
    });
}

async function main(): Promise<void> {
  const messages = makeTransfers(transfers / 10);
  const ours: number[] = [];
  const parsed: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    ours.push(await throughput(messages));
    parsed.push(await executorLoop(messages, true));
    bare.push(await executorLoop(messages, false));
  }
  report([
    {
      name: 'transactions per second',
      ours: median(ours),
      peer: median(parsed),
      peerName: 'Executor loop that parses',
      unit: '1/s',
      goal: '>= 0.8',
    },
    {
      name: 'transactions per second',
      ours: median(ours),
      peer: median(bare),
      peerName: 'Executor calls alone',
      unit: '1/s',
      goal: '>= 0.6',
    },
  ]);
  const { ours: overHttp, peer, start } = await getMethods();
  report([
    {
      name: 'get-methods per second over HTTP',
      ours: overHttp,
      peer,
      peerName: 'bare Executor call',
      unit: '1/s',
      goal: '>= 0.7',
    },
    { name: 'start-up of the local network', ours: start, unit: 'ms' },
  ]);
  await growth();
}

await main();
