import assert from 'node:assert/strict';
import type { Cell, StateInit } from '@ton/core';
import { beginCell, contractAddress, external, storeMessage, toNano } from '@ton/core';
import type { Access } from '../../src/toolkit/access/createAccess';
import { createSandboxEmulator } from '../../src/toolkit/emulator/createSandboxEmulator';
import type { Emulator } from '../../src/toolkit/emulator/emulator';
import type { Localnet } from '../../src/toolkit/localnet/localnet';
import { replayRecording } from '../../src/toolkit/replay/replayRecording';
import { ReplaySource } from '../../src/toolkit/replay/replaySource';
import { runReplay } from '../../src/toolkit/replay/runReplay';
import type { Replay } from '../../src/toolkit/replay/runReplay';
import { compileContract, LocalTraces } from '../support/localTraces';
import { fillNetwork, startManualNetwork } from './support/busyNetwork';

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
    if (op == 7) { contract.setData(beginCell().storeRef(blockchain.configParam(0)!).endCell()); }
}
`;

describe('replays of a busy local network', function () {
  this.timeout(300_000);
  let network: Localnet;
  let local: LocalTraces;
  let emulator: Emulator;

  before(async () => {
    [network, emulator] = await Promise.all([startManualNetwork(), createSandboxEmulator()]);
    local = new LocalTraces(network);
    await fillNetwork(network);
    await fillWithTrouble(local);
  });
  after(() => network.close());

  it('are exact for 500 transactions of every kind, with public calls only', async () => {
    const hashes = await allTransactions(local.access);
    assert.ok(hashes.length >= 500, `only ${hashes.length} transactions`);
    const source = new ReplaySource(local.access);
    const failures: string[] = [];
    const kinds = new Map<string, number>();
    let earlier = 0;
    for (const hash of hashes) {
      const inputs = await source.gather(hash);
      const replay = await runReplay(inputs, emulator, { verbosity: 'full_location_stack_verbose' });
      const { verdict, differences, replayed } = replay;
      if (verdict !== 'exact') {
        failures.push(`${hash} in block ${inputs.seqno}: ${verdict} ${JSON.stringify(differences)}`);
      }
      failures.push(...recordingFaults(hash, replay));
      earlier = Math.max(earlier, inputs.earlier.length);
      const kind = kindOf(replayed.description);
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    }
    assert.deepEqual(failures, []);
    assert.ok(earlier >= 10, `at most ${earlier} transactions of an account in one block`);
    for (const kind of ['exit 0', 'exit -14', 'exit 73', 'exit 77', 'action 37', 'tick-tock', 'not run']) {
      assert.ok((kinds.get(kind) ?? 0) > 0, `no transaction with ${kind}: ${[...kinds.keys()].join(', ')}`);
    }
    assert.ok(
      source.requests <= 6.5 * hashes.length,
      `${source.requests} requests for ${hashes.length} transactions`,
    );
  });
});

/** What the engine's own figures of the execution and its recording disagree about. */
function recordingFaults(hash: string, replay: Replay): string[] {
  const { description } = replay.replayed;
  const recording = replayRecording(replay);
  if (recording === undefined || !('computePhase' in description) || description.computePhase.type !== 'vm') {
    return [];
  }
  const { vmSteps, gasUsed, exitCode } = description.computePhase;
  const { steps, stepsMissing, gas } = recording;
  const sum = gas.reduce((total, step) => total + step, 0);
  const last = recording.exceptions.find(({ isFinal }) => isFinal)?.code;
  return [
    ...(steps === vmSteps && stepsMissing === 0 ? [] : [`${hash}: ${steps} of ${vmSteps} steps`]),
    // The VM does not say what its last step used if that was an exception of its own.
    ...(sum === Number(gasUsed) && gas[steps - 1]! <= 200 ? [] : [`${hash}: ${sum} of ${gasUsed} gas`]),
    ...(last === undefined || last === exitCode ? [] : [`${hash}: exit ${last}, not ${exitCode}`]),
  ];
}

function kindOf(description: Replay['replayed']['description']): string {
  if (description.type !== 'generic') {
    return description.type;
  }
  const { computePhase, actionPhase } = description;
  if (computePhase.type === 'skipped') {
    return 'not run';
  }
  return actionPhase != null && actionPhase.resultCode !== 0
    ? `action ${actionPhase.resultCode}`
    : `exit ${computePhase.exitCode}`;
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
  for (const ops of [[1, 3, 5, 6, 7, 5, 1, 6, 5, 3, 5, 5, 7], [2], [4, 5], [5, 5, 6]]) {
    for (const [index, op] of ops.entries()) {
      const body = beginCell().storeUint(op, 32).storeUint(index, 32).endCell();
      const message = beginCell().store(storeMessage(external({ to: address, body })));
      await local.access.v3.message({ boc: message.endCell().toBoc().toString('base64') });
    }
    await local.control('mine', {});
    await local.control('mine', {});
  }
}
