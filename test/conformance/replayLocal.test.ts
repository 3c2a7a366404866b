import assert from 'node:assert/strict';
import type { StateInit } from '@ton/core';
import {
  Address,
  beginCell,
  Cell,
  contractAddress,
  external,
  loadShardAccount,
  parseTuple,
  storeMessage,
  toNano,
} from '@ton/core';
import { Executor } from '@ton/sandbox/dist/executor/Executor';
import type { Access } from '../../src/toolkit/access/createAccess';
import { createSandboxEmulator } from '../../src/toolkit/execution/emulator/createSandboxEmulator';
import { importNetworkConfig } from '../../src/toolkit/execution/emulator/networkConfig';
import type { Emulator } from '../../src/toolkit/execution/emulator/emulator';
import { methodIdOf } from '../../src/toolkit/contracts/abi/methodIdOf';
import { namedAccounts } from '../../src/toolkit/localnet/accounts/namedAccounts';
import type { Localnet } from '../../src/toolkit/localnet/localnet';
import { recordExecution } from '../../src/toolkit/recording/recordExecution';
import { stackTextAt } from '../../src/toolkit/recording/recording';
import { readVmValues } from '../../src/toolkit/recording/vmValue';
import { ReplaySource } from '../../src/toolkit/replay/replaySource';
import { runReplay } from '../../src/toolkit/replay/runReplay';
import type { Replay } from '../../src/toolkit/replay/runReplay';
import { compileContract, LocalTraces } from '../support/localTraces';
import { fillNetwork, startManualNetwork } from './support/busyNetwork';
import type { BusyNetwork } from './support/busyNetwork';
import { recordingFaults } from './support/recordingFaults';
import { SecondEngine } from './support/secondEngine';
import { shownValues, StepOracle } from './support/stepOracle';

/** Does on command what a replay could get wrong. */
const trouble = `
import "@stdlib/gas-payments"

fun nothingTo(number: int, value: int) {
    sendRawMessage(beginCell().storeUint(0x10, 6).storeUint(0b100, 3).storeInt(0, 8).storeUint(number, 256)
        .storeCoins(value).storeUint(0, 107).endCell(), 1);
}
fun onInternalMessage(in: InMessage) {
    if (!in.body.isEmpty()) { throw 77; }
}
fun onExternalMessage(body: slice) {
    acceptExternalMessage();
    val op = body.loadUint(32);
    if (op == 1) { throw 73; }
    if (op == 2) { var i = 0; while (i < 100000000) { i += 1; } }
    if (op == 3) { nothingTo(1, ton("5000000")); }
    if (op == 4) { var i = 0; while (i < 255) { nothingTo(1000 + i, 1000000); i += 1; } }
    if (op == 5) {
        random.initialize();
        val data = beginCell().storeUint(random.uint256(), 256).storeUint(blockchain.now(), 32)
            .storeUint(blockchain.logicalTime(), 64).storeCoins(contract.getOriginalBalance()).endCell();
        contract.setData(data);
    }
    if (op == 6) {
        // The receiver throws, so its value comes back.
        sendRawMessage(beginCell().storeUint(0x18, 6).storeAddress(contract.getAddress())
            .storeCoins(ton("0.05")).storeUint(0, 107).storeUint(6, 32).endCell(), 1);
    }
    if (op == 8) {
        // What the body has done is undone.
        try {
            contract.setData(beginCell().storeUint(1, 8).endCell());
            nothingTo(2, 1000000);
            if (op == 8) { throw 99; }
        } catch {
            nothingTo(3, 1000000);
        }
    }
    if (op == 7) { contract.setData(beginCell().storeRef(blockchain.configParam(0)!).endCell()); }
}
`;

describe('replays of a busy local network', () => {
  let network: Localnet;
  let local: LocalTraces;
  let busy: BusyNetwork;
  let emulator: Emulator;

  before(async () => {
    [network, emulator] = await Promise.all([startManualNetwork(), createSandboxEmulator()]);
    local = new LocalTraces(network);
    busy = await fillNetwork(network);
    await fillWithTrouble(local);
  });
  after(() => network.close());

  it('are exact for 500 transactions of every kind, with public calls only', async () => {
    const hashes = await allTransactions(local.access);
    assert.ok(hashes.length >= 500, `only ${hashes.length} transactions`);
    const source = new ReplaySource(local.access);
    const failures: string[] = [];
    const kinds = new Map<string, number>();
    const oracle = await StepOracle.create();
    const second = await SecondEngine.create();
    const choose = random(11);
    let judged = 0;
    let earlier = 0;
    let compared = 0;
    for (const hash of hashes) {
      const inputs = await source.gather(hash);
      const replay = await runReplay(inputs, emulator, { verbosity: 'full_location_stack_verbose' });
      const { verdict, differences } = replay;
      if (verdict !== 'exact') {
        failures.push(`${hash} in block ${inputs.seqno}: ${verdict} ${JSON.stringify(differences)}`);
      }
      const ofSteps = [1, 2, 3].map(() => oracle.faultsAt(inputs, replay, choose));
      compared += ofSteps.filter((faults) => faults !== undefined).length;
      const ofEngine = await second.faultsOf(inputs, replay);
      judged += ofEngine === undefined ? 0 : 1;
      const faults = [
        ...recordingFaults(inputs, replay),
        ...(ofEngine ?? []),
        ...ofSteps.flatMap((one) => one ?? []),
      ];
      failures.push(...faults.map((one) => `${hash}: ${one}`));
      earlier = Math.max(earlier, inputs.earlier.length);
      for (const kind of kindsOf(replay)) {
        kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
      }
    }
    assert.deepEqual(failures, []);
    assert.ok(earlier >= 10, `at most ${earlier} transactions of an account in one block`);
    assert.ok(compared >= 200, `only ${compared} steps compared with the step API`);
    assert.ok(judged >= 140, `only ${judged} transactions were run by the second engine`);
    for (const kind of expectedKinds) {
      assert.ok((kinds.get(kind) ?? 0) > 0, `no transaction with ${kind}: ${[...kinds.keys()].join(', ')}`);
    }
    assert.ok(
      source.requests <= 6.5 * hashes.length,
      `${source.requests} requests for ${hashes.length} transactions`,
    );
  });

  it('have recordings of get-methods whose last stack is the result', async () => {
    const executor = await Executor.create();
    const { config } = await local.access.v2.getConfigAll({});
    const results: string[] = [];
    for (const [account, method] of getMethods) {
      const { bytes } = await local.access.v2.getShardAccountCell({ address: account(busy) });
      const state = loadShardAccount(Cell.fromBase64(bytes).beginParse()).account!.storage.state;
      assert.ok(state.type === 'active');
      const { output } = await executor.runGetMethod({
        code: state.state.code!,
        data: state.state.data!,
        methodId: methodIdOf(method),
        stack: [],
        config: importNetworkConfig(config.bytes, 'local').base64,
        verbosity: 'full_location_stack_verbose',
        address: Address.parse(account(busy)),
        unixTime: 1_800_000_000,
        balance: 1_000_000_000n,
        randomSeed: Buffer.alloc(32, 7),
        gasLimit: 1_000_000n,
        debugEnabled: true,
      });
      assert.ok(output.success);
      const gasUsed = Number(output.gas_used);
      const vmSteps = output.vm_log.split('\n').filter((line) => line.startsWith('execute ')).length;
      const recording = recordExecution(output.vm_log, { gasAtStart: 1_000_000, gasUsed, vmSteps });
      const sum = recording.gas.reduce((total, step) => total + step, 0);
      assert.deepEqual([sum, recording.stepsMissing], [gasUsed, 0], method);
      const last = readVmValues(stackTextAt(recording, recording.steps - 1));
      const result = parseTuple(Cell.fromBase64(output.stack));
      assert.equal(shownValues(last), shownValues(result), method);
      results.push(shownValues(result));
    }
    assert.equal(new Set(results).size, getMethods.length);
  });
});

const getMethods: readonly [account: (network: BusyNetwork) => string, method: string][] = [
  [({ alice }) => alice, 'seqno'],
  [({ alice }) => alice, 'get_public_key'],
  [({ minter }) => minter, 'get_jetton_data'],
  [({ aliceJettons }) => aliceJettons, 'get_wallet_data'],
  [({ collection }) => collection, 'get_collection_data'],
  [({ item }) => item, 'get_nft_data'],
];

const expectedKinds = [
  'wallet transfer',
  'jetton transfer',
  'bounced message',
  'tick-tock',
  'code in a library',
  '255 messages',
  'not run',
  'exit 0',
  'exit -14',
  'exit 73',
  'exit 77',
  'action result 37',
];
const jettonTransfer = 0x0f8a7ea5;

function kindsOf({ replayed, stateBefore }: Replay): string[] {
  const { description, inMessage, outMessagesCount } = replayed;
  if (description.type !== 'generic') {
    return [description.type];
  }
  const { computePhase, actionPhase } = description;
  const { account } = loadShardAccount(Cell.fromBase64(stateBefore).beginParse());
  const code = account?.storage.state.type === 'active' ? account.storage.state.state.code : undefined;
  const body = inMessage?.body.beginParse();
  const op = body !== undefined && body.remainingBits >= 32 ? body.loadUint(32) : undefined;
  const isWallet = wallets.has(account?.addr.toRawString() ?? '');
  return [
    ...(isWallet && inMessage?.info.type === 'external-in' && outMessagesCount > 0
      ? ['wallet transfer']
      : []),
    ...(op === jettonTransfer && computePhase.type === 'vm' && computePhase.success
      ? ['jetton transfer']
      : []),
    ...(inMessage?.info.type === 'internal' && inMessage.info.bounced ? ['bounced message'] : []),
    ...(code?.isExotic === true ? ['code in a library'] : []),
    ...(outMessagesCount === 255 ? ['255 messages'] : []),
    computePhase.type === 'skipped'
      ? 'not run'
      : actionPhase != null && actionPhase.resultCode !== 0
        ? `action result ${actionPhase.resultCode}`
        : `exit ${computePhase.exitCode}`,
  ];
}

/** Raw addresses of the local network's own wallets. */
const wallets: ReadonlySet<string> = new Set(namedAccounts.map(({ address }) => address));

/** The same numbers below a bound in every run (a linear congruential generator). */
function random(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

async function allTransactions({ v3 }: Access): Promise<string[]> {
  const hashes: string[] = [];
  for (let offset = 0; ; offset += 1000) {
    const { transactions } = await v3.transactions({ limit: 1000, offset, sort: 'asc' });
    hashes.push(...(transactions ?? []).map(({ hash }) => hash!));
    if ((transactions?.length ?? 0) < 1000) {
      return hashes;
    }
  }
}

/** One contract as itself and once more with its code in a library, called many times in a block. */
async function fillWithTrouble(local: LocalTraces): Promise<void> {
  const init = await compileContract(trouble, 1);
  const library = beginCell().storeUint(2, 8).storeBuffer(init.code!.hash()).endCell({ exotic: true });
  await local.control('library', { boc: init.code!.toBoc().toString('base64') });
  for (const state of [init, { ...init, code: library }]) {
    await call(local, state);
  }
}

async function call(local: LocalTraces, init: StateInit): Promise<void> {
  const address = contractAddress(0, init);
  const [code, data] = [init.code!, init.data!].map((cell: Cell) => cell.toBoc().toString('base64'));
  await local.control('deploy', { code: code!, data: data!, value: toNano('100').toString() });
  await local.control('mine', {});
  for (const ops of [[1, 3, 5, 6, 7, 5, 1, 6, 5, 3, 5, 5, 7], [2], [4, 5], [5, 8, 5, 6]]) {
    for (const [index, op] of ops.entries()) {
      const body = beginCell().storeUint(op, 32).storeUint(index, 32).endCell();
      const message = beginCell().store(storeMessage(external({ to: address, body })));
      await local.access.v3.message({ boc: message.endCell().toBoc().toString('base64') });
    }
    await local.control('mine', {});
    await local.control('mine', {});
  }
}
