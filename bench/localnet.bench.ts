import { Agent, request } from 'node:http';
import {
  Address,
  beginCell,
  Cell,
  external,
  internal,
  loadTransaction,
  storeMessage,
  SendMode,
} from '@ton/core';
import { Executor } from '@ton/sandbox/dist/executor/Executor';
import { WalletContractV4, WalletContractV5R1 } from '@ton/ton';
import { defaultNetworkConfig } from '../src/toolkit/emulator/networkConfig';
import { createSandboxEmulator } from '../src/toolkit/emulator/sandboxEmulator';
import { blockSeed } from '../src/toolkit/emulator/seed';
import { namedAccounts } from '../src/toolkit/localnet/accounts/namedAccounts';
import { absentAccount } from '../src/toolkit/localnet/chain/blockBuilder';
import { LocalChain } from '../src/toolkit/localnet/chain/localChain';
import { createServer } from '../src/toolkit/localnet/server/createServer';
import { startLocalnet } from '../src/toolkit/localnet/startLocalnet';
import { silentLog } from '../src/toolkit/log';
import { systemClock } from '../src/toolkit/time';
import { median } from './support/median';
import { report } from './support/report';

/** Transfers of the throughput rounds; each is two transactions. */
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

/** Signed transfers round the ten wallets, each with its next seqno; every round is one message per wallet. */
function makeTransfers(count: number, firstSeqno = 0, messagesEach = 1): Buffer[] {
  return Array.from({ length: count * 10 }, (_, number) => {
    const from = namedAccounts[number % 10]!;
    const to = namedAccounts[(number + 1) % 10]!;
    const publicKey = Buffer.from(from.publicKey, 'hex');
    const message = internal({ to: Address.parseRaw(to.address), value: 1_000n, bounce: false });
    const common = {
      seqno: firstSeqno + Math.floor(number / 10),
      secretKey: Buffer.from(from.secretKey, 'hex'),
      sendMode: SendMode.PAY_GAS_SEPARATELY,
      messages: Array.from({ length: messagesEach }, () => message),
      timeout: 2_000_000_000,
    };
    const body =
      from.kind === 'v5r1'
        ? WalletContractV5R1.create({ publicKey }).createTransfer(common)
        : WalletContractV4.create({ workchain: 0, publicKey }).createTransfer(common);
    const signed = external({ to: Address.parseRaw(from.address), body });
    return beginCell().store(storeMessage(signed)).endCell().toBoc();
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

/** The same messages through the Executor in a loop; with `parse`, each transaction read for its out-messages. */
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
    // Which messages come next is found out beforehand, so that only the Executor is timed.
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
    const transaction = loadTransaction(Cell.fromBase64(result.transaction).beginParse());
    return transaction.outMessages
      .values()
      .filter(({ info }) => info.type === 'internal')
      .map((message) => ({
        cell: beginCell().store(storeMessage(message)).endCell(),
        address: (message.info.dest as Address).toRawString(),
      }));
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

/** Get-methods per second over HTTP against bare Executor calls. */
async function getMethods(): Promise<{ ours: number; peer: number; start: number }> {
  const began = performance.now();
  const localnet = await startLocalnet({ port: 0, log: silentLog });
  const start = performance.now() - began;
  const { address, publicKey } = namedAccounts[1]!;
  const count = 1_000;
  const body = JSON.stringify({ address, method: 'seqno', stack: [] });
  const ask = (): Promise<string> => call(`${localnet.v2}/runGetMethod`, body);
  await Promise.all(Array.from({ length: 50 }, ask));
  const before = performance.now();
  const lanes = Array.from({ length: 4 }, async () => {
    for (let done = 0; done < count / 4; done += 1) {
      await ask();
    }
  });
  await Promise.all(lanes);
  const ours = count / ((performance.now() - before) / 1000);
  await localnet.close();
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
  for (let done = 0; done < 50; done += 1) {
    await bare();
  }
  const bareBefore = performance.now();
  for (let done = 0; done < count; done += 1) {
    await bare();
  }
  return { ours, peer: count / ((performance.now() - bareBefore) / 1000), start };
}

/** Time of answering /traces by hash, median, and memory, at two sizes of the chain. */
async function growth(): Promise<void> {
  const chain = await newChain();
  const server = await createServer(chain);
  const sizes: { transactions: number; p50: number; heap: number }[] = [];
  for (let seqno = 0; sizes.length < 2; seqno += 1) {
    for (const message of makeTransfers(1, seqno, 4)) {
      await chain.submit(message);
    }
    await chain.mine();
    if (chain.ledger.transactions.length < (sizes.length === 0 ? small : large)) {
      continue;
    }
    const times: number[] = [];
    for (let sample = 0; sample < 300; sample += 1) {
      const { length } = chain.ledger.transactions;
      const { hash } = chain.ledger.transactions[Math.floor((sample / 300) * length)]!;
      const before = performance.now();
      await server.inject(`/api/v3/traces?tx_hash=${encodeURIComponent(hash)}`);
      times.push(performance.now() - before);
    }
    globalThis.gc?.();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    sizes.push({
      transactions: chain.ledger.transactions.length,
      p50: median(times),
      heap: heapUsed + arrayBuffers,
    });
  }
  const [first, last] = sizes as [(typeof sizes)[0], (typeof sizes)[0]];
  report([
    {
      name: `/traces by hash at ${last.transactions} transactions, p50`,
      ours: last.p50,
      peer: first.p50,
      peerName: `at ${first.transactions}`,
      unit: 'ms',
      goal: '<= 1.2',
    },
    {
      name: 'memory per 10,000 transactions',
      ours: (((last.heap - first.heap) / (last.transactions - first.transactions)) * 10_000) / 1_048_576,
      unit: 'MiB',
    },
  ]);
  await server.close();
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
