import {
  Address,
  Cell,
  SendMode,
  beginCell,
  contractAddress,
  external,
  internal,
  storeMessage,
  toNano,
} from '@ton/core';
import { runTolkCompiler } from '@ton/tolk-js';
import { keyPairFromSeed } from '@ton/crypto';
import { WalletContractV4, WalletContractV5R1 } from '@ton/ton';
import assert from 'node:assert/strict';
import { createAccountSource } from '../../src/toolkit/accounts/createAccountSource';
import type { Access } from '../../src/toolkit/access/createAccess';
import { fromCoreCell } from '../../src/toolkit/cell/readBoc';
import { defaultNetworkConfig } from '../../src/toolkit/execution/emulator/networkConfig';
import { createSandboxEmulator } from '../../src/toolkit/execution/emulator/createSandboxEmulator';
import type { Emulator } from '../../src/toolkit/execution/emulator/emulator';
import { namedAccounts } from '../../src/toolkit/localnet/accounts/namedAccounts';
import { readExternalMessage } from '../../src/toolkit/send/externalMessage';
import type { Rehearsal } from '../../src/toolkit/send/preparedSend';
import { rehearse } from '../../src/toolkit/send/rehearse';
import { sendOnce } from '../../src/toolkit/send/sendOnce';
import { answerReader } from '../../src/toolkit/api/answerReader';
import { v3TraceList } from '../../src/toolkit/api/v3Traces';
import type { V3Trace, V3TraceNode } from '../../src/toolkit/api/v3Traces';
import { until } from '../support/until';
import { randomNumbers } from '../unit/cell/support/randomNumbers';
import { servedChain } from '../unit/localnet/support/servedChain';
import type { ServedChain } from '../unit/localnet/support/servedChain';
import { ManualClock } from '../unit/localnet/support/testChain';

const source = `
import "@stdlib/gas-payments"

fun onInternalMessage(in: InMessage) {
    if (in.body.isEmpty()) { return; }
    var body = in.body;
    val op = body.loadUint(32);
    if (op == 1) { throw 73; }
    if (op == 2) { var i = 0; while (i < 100000000) { i += 1; } }
    if (op == 3) {
        createMessage({ bounce: false, value: ton("5000000"), dest: in.senderAddress }).send(0);
    }
    if (op == 4) {
        createMessage({ bounce: false, value: 0, dest: in.senderAddress }).send(64);
    }
}
fun onExternalMessage(inMsg: slice) {
    val op = inMsg.loadUint(32);
    if (op == 1) { return; }
    if (op == 2) { throw 99; }
    acceptExternalMessage();
    if (op == 3) { throw 98; }
}
`;

type Wallet = WalletContractV4 | WalletContractV5R1;
interface Owner {
  wallet: Wallet;
  secretKey: Buffer;
}
interface WalletSettings {
  seqno: number;
  secretKey: Buffer;
  timeout?: number;
  sendMode: SendMode;
  messages: ReturnType<typeof internal>[];
}
interface Order {
  to: Address;
  value: bigint;
  body?: Cell;
  bounce?: boolean;
  mode?: SendMode;
  seqno?: number;
  timeout?: number;
  secretKey?: Buffer;
}

/** Every way a message can end, made for one of the wallets. */
const kinds = {
  good: { value: toNano('1') },
  'good, to a stranger': { value: toNano('0.5'), stranger: true },
  'wrong seqno': { value: 1n, seqno: 1 },
  expired: { value: 1n, timeout: -40 },
  'wrong key': { value: 1n, wrongKey: true },
  'too little balance': { value: toNano('99000000') },
  'too little balance, errors ignored': {
    value: toNano('99000000'),
    mode: SendMode.PAY_GAS_SEPARATELY | SendMode.IGNORE_ERRORS,
  },
  bounced: { value: toNano('0.2'), op: 1 },
  'out of gas': { value: toNano('0.05'), op: 2 },
  'action failure': { value: toNano('0.2'), op: 3 },
  reply: { value: toNano('0.3'), op: 4 },
} as const;

describe('the rehearsal of a message and its execution', () => {
  /** It stands still: a second that passes between rehearsal and block changes the time, and with it the hashes. */
  const clock = new ManualClock();
  let network: ServedChain;
  let access: Access;
  let emulator: Emulator;
  let contract: Address;
  const owners: Owner[] = [];
  const config = defaultNetworkConfig();

  before(async () => {
    network = await servedChain({ clock, mode: { kind: 'automatic', delay: 0 } });
    access = network.access;
    emulator = await createSandboxEmulator();
    for (const account of namedAccounts.slice(0, 4)) {
      const publicKey = Buffer.from(account.publicKey, 'hex');
      const wallet =
        account.kind === 'v5r1'
          ? WalletContractV5R1.create({ publicKey })
          : WalletContractV4.create({ workchain: 0, publicKey });
      owners.push({ wallet, secretKey: Buffer.from(account.secretKey, 'hex') });
    }
    contract = await deploy();
  });
  after(() => network.close());

  async function deploy(): Promise<Address> {
    const compiled = await runTolkCompiler({
      entrypointFileName: 'main.tolk',
      fsReadCallback: () => source,
    });
    assert.equal(compiled.status, 'ok', JSON.stringify(compiled));
    const init = { code: Cell.fromBase64(compiled.codeBoc64), data: beginCell().endCell() };
    const address = contractAddress(0, init);
    const owner = owners[0]!;
    const body = signed(owner, {
      seqno: 0,
      secretKey: owner.secretKey,
      timeout: Math.floor(clock.now() / 1000) + 60,
      sendMode: SendMode.PAY_GAS_SEPARATELY,
      messages: [internal({ to: address, value: toNano('10'), init, bounce: false })],
    });
    const message = read(external({ to: owner.wallet.address, body }));
    assert.equal((await sendOnce(access, message)).state, 'sent');
    await traceOf(message.hashNorm);
    return address;
  }

  /** Both wallet classes take the same settings; their types do not say so. */
  function signed({ wallet, secretKey }: Owner, settings: Partial<WalletSettings>): Cell {
    const made = { secretKey, ...settings } as WalletSettings;
    return wallet instanceof WalletContractV4
      ? wallet.createTransfer<typeof made & { action?: never }>(made)
      : wallet.createTransfer(made);
  }

  function read(message: ReturnType<typeof external>): ReturnType<typeof readExternalMessage> {
    return readExternalMessage(fromCoreCell(beginCell().store(storeMessage(message)).endCell()));
  }

  async function seqnoOf(wallet: Wallet): Promise<number> {
    const answer = await fetch(`${access.network.v2}/runGetMethod`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ address: wallet.address.toString(), method: 'seqno', stack: [] }),
    });
    const { result } = (await answer.json()) as { result: { stack: [string, string][] } };
    return Number(result.stack[0]![1]);
  }

  async function order(owner: Owner, one: Order): Promise<ReturnType<typeof readExternalMessage>> {
    const body = signed(owner, {
      seqno: (await seqnoOf(owner.wallet)) + (one.seqno ?? 0),
      secretKey: one.secretKey ?? owner.secretKey,
      timeout: Math.floor(clock.now() / 1000) + (one.timeout ?? 60),
      sendMode: one.mode ?? SendMode.PAY_GAS_SEPARATELY,
      messages: [
        internal({ to: one.to, value: one.value, bounce: one.bounce ?? true, body: one.body ?? null }),
      ],
    });
    return read(external({ to: owner.wallet.address, body }));
  }

  async function traceOf(hashNorm: string): Promise<V3Trace> {
    return until(async () => {
      const answer = await fetch(`${access.network.v3}/traces?msg_hash=${hashNorm}`);
      const { traces } = answerReader(v3TraceList).salvage(await answer.json()) ?? {};
      const trace = traces?.[0];
      return trace?.trace_info?.trace_state === 'complete' ? trace : undefined;
    }, `the trace of ${hashNorm}`);
  }

  async function rehearseNow(message: ReturnType<typeof readExternalMessage>): Promise<Rehearsal> {
    const accounts = await createAccountSource({ access });
    return rehearse({ message, source: accounts, emulator, fallbackConfig: config, clock });
  }

  /** What must be equal: the tree, and of each transaction account, codes, fates and messages. */
  function essence(trace: V3Trace): unknown {
    const visit = (node: V3TraceNode): unknown => {
      const transaction = trace.transactions![node.tx_hash!]!;
      const { compute_ph: compute, action, bounce, aborted } = transaction.description!;
      return {
        account: transaction.account,
        exit: compute?.skipped === true ? compute.reason : compute?.exit_code,
        gas: compute?.gas_used,
        action: action?.result_code,
        skipped: action?.skipped_actions,
        aborted,
        bounce: bounce?.type,
        values: transaction.out_msgs!.map((message) => [message.destination, message.value]),
        children: (node.children ?? []).map((child) => visit(child)),
      };
    };
    return visit(trace.trace!);
  }

  async function compare(message: ReturnType<typeof readExternalMessage>): Promise<Rehearsal> {
    const rehearsal = await rehearseNow(message);
    const outcome = await sendOnce(access, message);
    if (!rehearsal.accepted) {
      assert.equal(outcome.state, 'refused', rehearsal.reason?.text);
      assert.equal(outcome.error.details['exitCode'] ?? null, rehearsal.exitCode);
      return rehearsal;
    }
    assert.equal(outcome.state, 'sent', 'error' in outcome ? outcome.error.message : '');
    const trace = await traceOf(message.hashNorm);
    assert.deepEqual(essence(rehearsal.trace!.source), essence(trace));
    assert.equal(rehearsal.now, trace.start_utime);
    assert.deepEqual(rehearsal.trace!.source.transactions_order, trace.transactions_order);
    return rehearsal;
  }

  it('match for 50 generated messages of every kind', async () => {
    const random = randomNumbers(50);
    const names = Object.keys(kinds) as (keyof typeof kinds)[];
    const seen = new Map<string, Set<string>>();
    for (let i = 0; i < 50; i++) {
      const name = names[i % names.length]!;
      const kind: { value: bigint } & Record<string, unknown> = kinds[name];
      const owner = owners[random(owners.length)]!;
      const other = owners[random(owners.length)]!;
      const to =
        kind['stranger'] === true
          ? new Address(0, Buffer.alloc(32, 1 + random(200)))
          : kind['op'] === undefined
            ? other.wallet.address
            : contract;
      const message = await order(owner, {
        to,
        value: kind.value + BigInt(random(1000)),
        ...(kind['op'] === undefined
          ? {}
          : {
              body: beginCell()
                .storeUint(kind['op'] as number, 32)
                .endCell(),
            }),
        ...(kind['mode'] === undefined ? {} : { mode: kind['mode'] as SendMode }),
        ...(kind['seqno'] === undefined ? {} : { seqno: kind['seqno'] as number }),
        ...(kind['timeout'] === undefined ? {} : { timeout: kind['timeout'] as number }),
        ...(kind['wrongKey'] === true ? { secretKey: keyPairFromSeed(Buffer.alloc(32, 9)).secretKey } : {}),
        bounce: kind['stranger'] !== true,
      });
      const result = await compare(message);
      const outcomes = seen.get(name) ?? new Set();
      outcomes.add(`${result.accepted} ${result.exitCode} ${result.reason?.code}`);
      seen.set(name, outcomes);
    }
    const expected: Record<keyof typeof kinds, string[]> = {
      good: ['true 0 undefined'],
      'good, to a stranger': ['true 0 undefined'],
      'wrong seqno': ['false 133 wrong-seqno', 'false 33 wrong-seqno'],
      expired: ['false 136 expired', 'false 36 expired', 'false 35 expired'],
      'wrong key': ['false 135 wrong-key', 'false 35 wrong-key'],
      'too little balance': ['true 0 balance-too-small'],
      'too little balance, errors ignored': ['true 0 balance-too-small'],
      bounced: ['true 0 later-failed'],
      'out of gas': ['true 0 later-failed'],
      'action failure': ['true 0 later-failed'],
      reply: ['true 0 undefined'],
    };
    for (const [name, outcomes] of seen) {
      for (const outcome of outcomes) {
        assert.ok(expected[name as keyof typeof kinds].includes(outcome), `${name}: ${outcome}`);
      }
    }
  });

  for (const [op, accepted, exitCode, reason] of [
    [1, false, 0, 'not-accepted'],
    [2, false, 99, 'not-accepted'],
    [3, true, 98, 'compute-failed'],
    [4, true, 0, undefined],
  ] as const) {
    it(`match for a contract that is not a wallet, op ${op}`, async () => {
      const body = beginCell().storeUint(op, 32).endCell();
      const result = await compare(read(external({ to: contract, body })));
      assert.deepEqual([result.accepted, result.exitCode, result.reason?.code], [accepted, exitCode, reason]);
    });
  }

  it('match for an account that does not exist', async () => {
    const wallet = WalletContractV4.create({ workchain: 0, publicKey: Buffer.alloc(32, 77) });
    const message = read(external({ to: wallet.address, init: wallet.init, body: beginCell().endCell() }));
    const rehearsal = await rehearseNow(message);
    assert.equal(rehearsal.reason?.code, 'no-account');
    assert.equal((await sendOnce(access, message)).state, 'refused');
  });

  it('state the confidence, and name the shortage', async () => {
    const owner = owners[1]!;
    const rehearsal = await rehearseNow(await order(owner, { to: contract, value: toNano('99000000') }));
    assert.match(
      rehearsal.reason!.text,
      /^balance too small by 98\d{6}\.\d+ TON: the account has 99\d{4}\.\d+ TON, the message needs 99000000\.\d+ TON$/,
    );
    assert.equal(rehearsal.confidence, 'exact');
    assert.deepEqual(rehearsal.doubts, []);
  });
});
