import { Address, beginCell, Cell, getMethodId } from '@ton/core';
import assert from 'node:assert/strict';
import { compileTolk } from '../../../src/toolkit/build/compileTolk';
import { defaultNetworkConfig } from '../../../src/toolkit/execution/emulator/networkConfig';
import { createEmulatorPool } from '../../../src/toolkit/execution/emulator/createEmulatorPool';
import { createSandboxEmulator } from '../../../src/toolkit/execution/emulator/createSandboxEmulator';
import { recordTransaction } from '../../../src/toolkit/execution/emulator/recordTransaction';
import { createWorkerEmulator } from '../../../src/toolkit/execution/emulator/workerEmulator';
import type { WorkerEmulator } from '../../../src/toolkit/execution/emulator/workerEmulator';
import { genesisAccounts } from '../../../src/toolkit/localnet/system/systemAccounts';
import { addressOf, transfer } from '../localnet/support/testChain';

describe('the emulator in a worker thread', () => {
  let worker: WorkerEmulator;
  beforeEach(async () => {
    worker = await createWorkerEmulator();
  });
  afterEach(() => worker.close());

  const input = {
    config: defaultNetworkConfig().base64,
    libraries: null,
    shardAccount: genesisAccounts(1_700_000_000)[0]!.shardAccount.toString('base64'),
    message: transfer('alice', { seqno: 0, to: addressOf('bob'), value: 1n }).toString('base64'),
    now: 1_800_000_000,
    lt: 5_000_000n,
    seed: Buffer.alloc(32, 1),
  };

  it('computes the same as the emulator in this thread', async () => {
    const here = await createSandboxEmulator();
    assert.deepEqual(worker.version, here.version);
    assert.deepEqual(await worker.runTransaction(input), await here.runTransaction(input));
    const expired = { ...input, now: 2_100_000_000 };
    const refused = await worker.runTransaction(expired);
    assert.equal(refused.success, false);
    assert.deepEqual(refused, await here.runTransaction(expired));
  });

  it('reads the steps in its thread, the same as in this one', async () => {
    const here = await createSandboxEmulator();
    const verbose = { ...input, verbosity: 'full_location_stack_verbose' as const };
    const [ran, recorded] = [
      await here.runTransaction(verbose),
      await worker.runTransaction({ ...verbose, record: true }),
    ];
    assert.ok(ran.success && recorded.success);
    const steps = recordTransaction(ran.transaction, ran.vmLog);
    assert.ok(steps && steps.steps > 50);
    assert.deepEqual(recorded.recording, steps);
    assert.deepEqual({ ...recorded, recording: undefined }, { ...ran, vmLog: '', recording: undefined });
    // What is refused has no steps, but says why.
    const refused = await worker.runTransaction({ ...verbose, record: true, now: 2_100_000_000 });
    assert.deepEqual(refused, await here.runTransaction({ ...verbose, now: 2_100_000_000 }));
  });

  it('computes the same in several threads at once', async () => {
    const pool = await createEmulatorPool(2);
    try {
      const runs = await Promise.all(Array.from({ length: 6 }, () => pool.runTransaction(input)));
      const here = await worker.runTransaction(input);
      runs.forEach((run) => assert.deepEqual(run, here));
    } finally {
      await pool.close();
    }
    await assert.rejects(pool.runTransaction(input), { code: 'emulator-failed' });
  });

  it('does not block the caller', async () => {
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    try {
      await Promise.all(Array.from({ length: 40 }, () => worker.runTransaction(input)));
    } finally {
      clearInterval(timer);
    }
    assert.ok(turns > 5, `${turns} turns`);
  });

  it('returns the exit codes of get-methods on code and data that are not deployed', async () => {
    const source = `
      struct Storage { owner: address }
      fun onInternalMessage(in: InMessage) {}
      get fun fine(): int { return 1; }
      get fun refused(): int { throw 42; }
      get fun owner(): address { return Storage.fromCell(contract.getData()).owner; }`;
    const { code } = await compileTolk('getters.tolk', () => source);
    const trial = {
      ...{ code, data: Cell.EMPTY.toBoc().toString('base64'), now: 1_800_000_000 },
      config: defaultNetworkConfig().base64,
      address: addressOf('alice'),
      methodIds: ['fine', 'refused', 'owner'].map((name) => getMethodId(name)),
    };
    assert.deepEqual(await worker.tryGetters(trial), [0, 42, 9]);
    const data = beginCell()
      .storeAddress(Address.parse(addressOf('bob')))
      .endCell()
      .toBoc()
      .toString('base64');
    assert.deepEqual(await worker.tryGetters({ ...trial, data }), [0, 42, 0]);
  });

  it('says so if its thread has ended', async () => {
    const running = assert.rejects(worker.runTransaction(input), { code: 'emulator-failed' });
    await worker.close();
    await running;
    await assert.rejects(worker.runTransaction(input), { code: 'emulator-failed' });
  });
});
