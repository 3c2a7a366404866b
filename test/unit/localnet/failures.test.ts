import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Address, beginCell, Cell, storeShardAccount, toNano } from '@ton/core';
import { runTolkCompiler } from '@ton/tolk-js';
import type { Emulator } from '../../../src/toolkit/execution/emulator/emulator';
import { defaultNetworkConfig } from '../../../src/toolkit/execution/emulator/networkConfig';
import { createSandboxEmulator } from '../../../src/toolkit/execution/emulator/createSandboxEmulator';
import type { LocalChain } from '../../../src/toolkit/localnet/chain/localChain';
import type { OpenChain } from '../../../src/toolkit/localnet/openChain';
import { openChain } from '../../../src/toolkit/localnet/openChain';
import { faucetAddress } from '../../../src/toolkit/accounts/localAccount';
import { sendAs } from '../../../src/toolkit/localnet/control/sendAs';
import type { LocalnetStatus } from '../../../src/toolkit/localnet/control/localnetStatus';
import { createServer } from '../../../src/toolkit/localnet/server/createServer';
import { createLog, Redactor } from '../../../src/toolkit/base/log';
import { modelFrom } from '../../support/modelFrom';
import { TraceContext } from '../../../src/toolkit/trace/traceContext';
import { traceText } from '../../../src/toolkit/trace/traceText';
import type { V3TraceWire as V3Trace } from '../../../src/toolkit/api/v3Traces';
import { loadAnyTransaction } from '../../../src/toolkit/cell/loadFolded';
import { addressOf, ManualClock, mineWith, transfer } from './support/testChain';

const source = `
fun onInternalMessage(in: InMessage) {
  val back = createMessage({ bounce: false, value: 0, dest: in.senderAddress });
  back.send(SEND_MODE_CARRY_ALL_BALANCE);
}
fun onBouncedMessage(in: InMessageBounced) {}
`;
const [alice, bob] = ['alice', 'bob'].map(addressOf) as [string, string];
const router = `0:${'77'.repeat(32)}`;

/** Balances, the coins of messages on their way and of failed ones, and the fees so far: what must stay the same. */
function allCoins(chain: LocalChain): bigint {
  const { ledger } = chain;
  let sum = [...ledger.accounts.values()].reduce((total, { facts }) => total + facts.balance, 0n);
  for (const { boc, outMessages, inMessage } of ledger.transactions) {
    const transaction = loadAnyTransaction(Cell.fromBoc(boc)[0] as Cell);
    sum += transaction.totalFees.coins;
    for (const [place, message] of transaction.outMessages.values().entries()) {
      if (message.info.type === 'internal') {
        // What is left of the forwarding fee belongs to the validators of the message's way.
        sum += message.info.forwardFee;
        sum += outMessages[place]?.consumer === null ? message.info.value.coins : 0n;
      }
    }
    const received = transaction.inMessage?.info;
    if (received?.type === 'internal' && inMessage?.producer == null) {
      // The faucet's coins come out of nothing.
      sum -= received.value.coins;
    }
  }
  return sum;
}

describe('messages on which the emulator fails', () => {
  let code: Cell;
  let emulator: Emulator;
  let broken: ((destination: string) => void) | undefined;
  let breaksTicks = false;
  let folder: string;
  let lines: string[];
  before(async () => {
    const compiled = await runTolkCompiler({ entrypointFileName: 'a.tolk', fsReadCallback: () => source });
    assert.ok(compiled.status === 'ok', compiled.status === 'error' ? compiled.message : '');
    code = Cell.fromBase64(compiled.codeBoc64);
    emulator = await createSandboxEmulator();
  });
  beforeEach(() => {
    broken = undefined;
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tonwb-failures-'));
    lines = [];
  });
  afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

  const open = async (): Promise<OpenChain> =>
    openChain({
      emulator: {
        ...emulator,
        runTransaction: async (input) => {
          broken?.(input.shardAccount);
          return emulator.runTransaction(input);
        },
        runTickTock: async (input) =>
          breaksTicks ? { success: false, error: 'broken', engineFailed: true } : emulator.runTickTock(input),
      },
      config: defaultNetworkConfig(),
      clock: new ManualClock(),
      log: createLog((level, line) => lines.push(`${level} ${line}`), new Redactor()),
      mode: { kind: 'manual' },
      stateDirectory: folder,
    });
  const kill = (): void => fs.rmSync(path.join(folder, 'lock.json'));

  /** An account that says it uses no storage: the engine aborts on it when its balance shrinks. */
  const placeTrap = async (chain: LocalChain): Promise<void> => {
    const account = {
      addr: Address.parseRaw(router),
      storageStats: {
        used: { cells: 0n, bits: 0n },
        storageExtra: null,
        lastPaid: chain.now(),
        duePayment: null,
      },
      storage: {
        lastTransLt: 0n,
        balance: { coins: toNano('5') },
        state: { type: 'active' as const, state: { code, data: Cell.EMPTY } },
      },
    };
    const shard = { account, lastTransactionHash: 0n, lastTransactionLt: 0n };
    const shardAccount = beginCell().store(storeShardAccount(shard)).endCell().toBoc();
    await chain.changeNow({ address: router, shardAccount });
  };
  const ask = async <Body>(chain: LocalChain, url: string, payload?: unknown): Promise<Body> => {
    const server = await createServer(chain);
    const answer = await server.inject(
      payload === undefined ? { url } : { method: 'POST', url, payload: JSON.stringify(payload) },
    );
    await server.close();
    assert.equal(answer.statusCode, 200, answer.body);
    return JSON.parse(answer.body) as Body;
  };
  const status = (chain: LocalChain): Promise<LocalnetStatus> => ask(chain, '/control/status');
  const send = (seqno: number): Buffer =>
    transfer('bob', { seqno, to: router, value: toNano('10'), bounce: true });
  const newestTrace = async (chain: LocalChain): Promise<V3Trace> => {
    const { traces } = await ask<{ traces: V3Trace[] }>(
      chain,
      `/api/v3/traces?account=${bob}&limit=1&sort=desc`,
    );
    return traces[0] as V3Trace;
  };

  it('keep the message and its coins, and are reported everywhere', async () => {
    const { chain } = await open();
    await placeTrap(chain);
    const before = allCoins(chain);
    const printed: unknown[] = [];
    const print = console.error;
    console.error = (...words: unknown[]): number => printed.push(words);
    try {
      await mineWith(chain, send(0));
    } finally {
      console.error = print;
    }
    assert.deepEqual(printed, [], 'the engine prints nothing by itself');
    assert.equal(allCoins(chain), before);
    const { pending, idle, failed } = await status(chain);
    assert.deepEqual([pending, idle, failed.length], [0, true, 1]);
    assert.equal(failed[0]?.value, toNano('10').toString());
    assert.equal(failed[0].destination, router);
    assert.match(failed[0].error, /^The emulator could not execute this: [a-z ]+$/);
    const told = lines.filter((line) => line.startsWith('error'));
    assert.equal(told.length, 1);
    assert.match(told[0] ?? '', new RegExp(`${failed[0].hash}.*${router}.*control/retry`));

    const trace = await newestTrace(chain);
    assert.equal(trace.trace_info?.trace_state, 'pending');
    assert.equal(trace.trace_info.pending_messages, 1);
    assert.deepEqual(
      trace.failed_messages?.map(({ msg_hash }) => Buffer.from(msg_hash ?? '', 'base64').toString('hex')),
      [failed[0].hash],
    );
    const text = traceText(new TraceContext(modelFrom(trace), {}));
    assert.match(text, /the emulator failed/);
    assert.match(text, /! The emulator failed on 1 message.*The emulator could not execute this/);
    assert.doesNotMatch(text, /waiting for a block/);
    // Nothing is tried again by itself.
    await chain.mine();
    assert.equal(lines.filter((line) => line.startsWith('error')).length, 1);
  });

  it('survive a killed process, and continue once their account is fixed', async () => {
    const first = await open();
    await placeTrap(first.chain);
    await mineWith(first.chain, send(0));
    await sendAs(first.chain, { from: faucetAddress, to: router, value: toNano('1') });
    await first.chain.mine();
    const before = allCoins(first.chain);
    const { failed } = await status(first.chain);
    assert.equal(failed.length, 2);
    kill();

    const { chain, store } = await open();
    assert.deepEqual((await status(chain)).failed, failed);
    assert.equal(allCoins(chain), before);
    await chain.mine();
    assert.equal(chain.carried, 0, 'nothing is tried again by itself');
    // Setting the account writes the storage it uses.
    await ask(chain, '/control/setAccount', { address: router, balance: toNano('5').toString() });
    assert.deepEqual((await status(chain)).failed, []);
    await chain.mine();
    assert.equal(allCoins(chain), before);
    assert.equal((await newestTrace(chain)).trace_info?.trace_state, 'complete');
    kill();

    const third = await open();
    assert.deepEqual((await status(third.chain)).failed, []);
    assert.equal(third.chain.ledger.transactions.length, chain.ledger.transactions.length);
    await third.store?.close();
    void store;
  });

  it('can be retried, and stay failed if they fail again', async () => {
    let fails = true;
    const { chain, store } = await open();
    broken = (shardAccount) => {
      if (fails && shardAccount === chain.ledger.accounts.get(alice)?.current) {
        throw new TypeError('x is not a function');
      }
    };
    await mineWith(chain, transfer('bob', { seqno: 0, to: alice, value: 1n }));
    assert.equal((await status(chain)).failed[0]?.error, 'x is not a function');
    assert.deepEqual(await ask(chain, '/control/retry', {}), { tried: 1, failed: 1 });
    assert.equal((await status(chain)).pending, 1);
    assert.deepEqual(await ask(chain, '/control/retry', {}), { tried: 0, failed: 1 }, 'it waits already');
    await chain.mine();
    assert.equal((await status(chain)).failed.length, 1);
    fails = false;
    const [{ hash } = { hash: '' }] = (await status(chain)).failed;
    await ask(chain, '/control/retry', { hash });
    await chain.mine();
    assert.deepEqual((await status(chain)).failed, []);
    assert.equal(chain.ledger.openTraces.size, 0);
    await store?.close();
  });

  it('can be dropped, which ends their trace', async () => {
    const first = await open();
    await placeTrap(first.chain);
    const { seqno } = await mineWith(first.chain, send(0));
    const [{ hash } = { hash: '' }] = (await status(first.chain)).failed;
    await ask(first.chain, '/control/drop', { hash });
    await first.chain.mine();
    const check = async (chain: LocalChain): Promise<void> => {
      assert.deepEqual((await status(chain)).failed, []);
      assert.equal(chain.carried, 0);
      const { trace_info, failed_messages } = await newestTrace(chain);
      assert.equal(trace_info?.trace_state, 'complete');
      assert.equal(failed_messages, undefined);
      assert.equal(new Set(chain.ledger.traces.map(({ trace }) => trace)).size, chain.ledger.traces.length);
      assert.equal(chain.ledger.openTraces.size, 0);
    };
    await check(first.chain);
    kill();
    const { chain, store } = await open();
    await check(chain);
    // Back to the block in which it failed: it is there again. Back to before: it never was.
    await ask(chain, '/control/restore', { seqno });
    assert.equal((await status(chain)).failed[0]?.hash, hash);
    await ask(chain, '/control/restore', { seqno: seqno - 1 });
    assert.deepEqual((await status(chain)).failed, []);
    assert.equal(chain.carried, 0);
    await store?.close();
  });

  it('have a counterpart in calls of special accounts, which are reported once and repeated', async () => {
    const { chain, store } = await open();
    const special = `-1:${'55'.repeat(32)}`;
    await ask(chain, '/control/setAccount', {
      address: special,
      balance: '1000000000',
      code: code.toBoc().toString('base64'),
      data: Cell.EMPTY.toBoc().toString('base64'),
      tick: true,
    });
    breaksTicks = true;
    await chain.mine();
    await chain.mine();
    assert.deepEqual((await status(chain)).failedCalls, [
      { address: special, which: 'tick', error: 'broken' },
    ]);
    assert.equal(lines.filter((line) => line.includes('the tick of')).length, 1);
    breaksTicks = false;
    await chain.mine();
    assert.equal((await status(chain)).failedCalls, undefined);
    await store?.close();
  });

  it('are reported in the answer to the command that sent them', async () => {
    const { chain, store } = await open();
    await placeTrap(chain);
    chain.mode = { kind: 'automatic', delay: 1_000_000 };
    const answer = await ask<{ trace: string | null; failed?: string }>(chain, '/control/faucet', {
      address: router,
      amount: '1000000000',
    });
    assert.equal(answer.trace, null);
    assert.match(answer.failed ?? '', /The emulator could not/);
    await store?.close();
  });

  it('count as done for a script that waits, unlike those in transit', async () => {
    const { chain, store } = await open();
    await chain.submit(transfer('bob', { seqno: 0, to: alice, value: 1n }));
    const waiting = await ask<LocalnetStatus>(chain, '/control/status?wait=0.05');
    assert.deepEqual([waiting.pending, waiting.idle], [1, false]);
    chain.mode = { kind: 'automatic', delay: 30 };
    const idle = await ask<LocalnetStatus>(chain, '/control/status?wait=20');
    assert.deepEqual([idle.pending, idle.idle], [0, true]);
    assert.equal(chain.ledger.openTraces.size, 0);
    await chain.close();
    await store?.close();
  });
});
