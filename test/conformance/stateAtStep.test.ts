import type { Cell } from '@ton/core';
import { beginCell, contractAddress, external, storeMessage, toNano } from '@ton/core';
import assert from 'node:assert/strict';
import { createSandboxEmulator } from '../../src/toolkit/execution/emulator/createSandboxEmulator';
import { WorkbenchError } from '../../src/toolkit/base/errors';
import { stackTextAt } from '../../src/toolkit/recording/recording';
import { readVmValues } from '../../src/toolkit/recording/vmValue';
import { ReplaySource } from '../../src/toolkit/replay/replaySource';
import { replayRecording, runReplay } from '../../src/toolkit/replay/runReplay';
import { stateAtStep } from '../../src/toolkit/replay/stateAtStep';
import { LocalTraces, compileContract } from '../support/localTraces';
import { startManualNetwork } from './support/busyNetwork';
import { shownValues } from './support/stepOracle';

/** Keeps a large cell on the stack while it counts, so that each step's log is long. */
const counting = `
import "@stdlib/gas-payments"
fun onInternalMessage(in: InMessage) {}
fun onExternalMessage(body: slice) {
    acceptExternalMessage();
    val large = body.preloadRef();
    var i = 0;
    while (i < 900) { i += 1; }
    if (large.hash() == 0) { throw 5; }
}
`;

/** A chain of full cells. */
function chain(length: number): Cell {
  let cell = beginCell().endCell();
  for (let index = 0; index < length; index += 1) {
    cell = beginCell().storeUint(index, 1000).storeRef(cell).endCell();
  }
  return cell;
}

describe('the state of the VM at a step', () => {
  it('is known for steps that the log has lost', async () => {
    const network = await startManualNetwork();
    try {
      const local = new LocalTraces(network);
      const init = await compileContract(counting);
      const [code, data] = [init.code!, init.data!].map((cell) => cell.toBoc().toString('base64'));
      await local.control('deploy', { code: code!, data: data!, value: toNano('100').toString() });
      await local.control('mine', {});
      const to = contractAddress(0, init);
      const body = beginCell().storeRef(chain(60)).endCell();
      const message = beginCell()
        .store(storeMessage(external({ to, body })))
        .endCell();
      await local.access.v3.message({ boc: message.toBoc().toString('base64') });
      await local.control('mine', {});
      const { transactions } = await local.access.v3.transactions({ account: [to.toRawString()], limit: 1 });
      const inputs = await new ReplaySource(local.access).gather(transactions![0]!.hash!);
      const verbosity = 'full_location_stack_verbose';
      const replay = await runReplay(inputs, await createSandboxEmulator(), { verbosity });
      const recording = replayRecording(replay)!;
      assert.ok(recording.stepsMissing > 100, `${recording.stepsMissing} steps are missing`);
      // A recorded step is the same in both.
      for (const step of [0, 10, recording.steps - 3]) {
        const state = await stateAtStep(inputs, replay, recording.stepsMissing + step);
        assert.equal(shownValues(state.stack!), shownValues(readVmValues(stackTextAt(recording, step))));
        if (recording.cell[step]! >= 0) {
          assert.equal(
            `${state.cell}:${state.offset}`,
            `${recording.cells[recording.cell[step]!]}:${recording.offset[step]}`,
          );
        }
      }
      const lost = await stateAtStep(inputs, replay, 60);
      assert.ok(lost.stack!.some((value) => value.type === 'cell' && value.cell.equals(chain(60))));
      assert.ok(recording.cells.includes(lost.cell));
      const beyond = await stateAtStep(inputs, replay, 10_000_000).catch((error: unknown) => error);
      assert.ok(WorkbenchError.is(beyond, 'replay-impossible'), String(beyond));
    } finally {
      await network.close();
    }
  });
});
