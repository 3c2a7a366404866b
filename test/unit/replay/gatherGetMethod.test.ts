import assert from 'node:assert/strict';
import { Cell, getMethodId, serializeTuple } from '@ton/core';
import { createAccess } from '../../../src/toolkit/access/createAccess';
import type { Access } from '../../../src/toolkit/access/createAccess';
import { compileTolk } from '../../../src/toolkit/build/compileTolk';
import { defaultNetworkConfig } from '../../../src/toolkit/execution/emulator/networkConfig';
import type { GetMethodRun } from '../../../src/toolkit/execution/emulator/recordGetMethod';
import { createWorkerEmulator } from '../../../src/toolkit/execution/emulator/workerEmulator';
import type { WorkerEmulator } from '../../../src/toolkit/execution/emulator/workerEmulator';
import { runGetMethod } from '../../../src/toolkit/getMethods/runGetMethod';
import { limits } from '../../../src/toolkit/base/limits';
import type { Localnet } from '../../../src/toolkit/localnet/localnet';
import { startLocalnet } from '../../../src/toolkit/localnet/startLocalnet';
import { silentLog } from '../../../src/toolkit/base/log';
import type { Recording } from '../../../src/toolkit/recording/recording';
import { instructionAt, stackTextAt } from '../../../src/toolkit/recording/recording';
import { gatherGetMethod } from '../../../src/toolkit/replay/gatherGetMethod';
import { parseStackText } from '../../../src/toolkit/stack/parseStackText';
import { tupleItems } from '../../../src/toolkit/stack/encodeV3Stack';
import { addressOf } from '../localnet/support/testChain';

const source = `import "@stdlib/lisp-lists"
fun onInternalMessage(in: InMessage) {}
get fun sum(list: lisp_list<int>): int {
    var total = 0;
    while (!list.isEmpty()) { total += list.popHead(); }
    return total;
}
get fun refused(): int { throw 42; }
get fun endless(): int {
    var i = 0;
    while (i < 1000000000) { i += 1; }
    return i;
}`;

describe('the recording of a get-method', () => {
  let network: Localnet;
  let access: Access;
  let worker: WorkerEmulator;
  let code: string;

  before(async () => {
    [network, worker] = await Promise.all([
      startLocalnet({ port: 0, mode: { kind: 'manual' }, log: silentLog }),
      createWorkerEmulator(),
    ]);
    const { v2, v3 } = network;
    access = createAccess({ network: { name: 'Local', kind: 'local', v2, v3, globalId: -239 } });
    ({ code } = await compileTolk('lists.tolk', () => source));
  });
  after(async () => {
    await worker.close();
    await network.close();
  });

  const runOf = (method: string, stack: string): GetMethodRun => ({
    ...{
      code,
      libraries: null,
      data: Cell.EMPTY.toBoc().toString('base64'),
      now: 1_800_000_000,
      balance: 1n,
    },
    ...{ config: defaultNetworkConfig().base64, address: addressOf('alice'), methodId: getMethodId(method) },
    stack: serializeTuple(tupleItems(parseStackText(stack)))
      .toBoc()
      .toString('base64'),
  });
  const gasOf = ({ gas, gasMissing }: Recording): number => gas.reduce((sum, one) => sum + one, gasMissing);

  it('is of the code and state that answered, and agrees with the answer', async () => {
    for (const method of ['seqno', 'get_public_key', String(getMethodId('seqno'))]) {
      const call = { address: addressOf('alice'), method, stack: [] };
      const answer = await runGetMethod(access, call);
      const inputs = await gatherGetMethod(access, call);
      assert.match(inputs.codeHash, /^[0-9a-f]{64}$/);
      const { recording, exitCode, gasUsed } = await worker.recordGetMethod(inputs);
      assert.deepEqual([exitCode, gasUsed], [answer.exitCode, answer.gasUsed]);
      assert.equal(gasOf(recording), answer.gasUsed);
      const [result] = answer.stack;
      assert.ok(result?.value.type === 'int');
      assert.equal(stackTextAt(recording, recording.steps - 1), String(result.value.value));
    }
  });

  it('has the arguments, lists included, and the exit code', async () => {
    const { recording, exitCode } = await worker.recordGetMethod(runOf('sum', '(1, 2, 39)'));
    assert.equal(exitCode, 0);
    assert.equal(stackTextAt(recording, recording.steps - 1), '42');
    const refused = await worker.recordGetMethod(runOf('refused', ''));
    assert.equal(refused.exitCode, 42);
    assert.equal(gasOf(refused.recording), refused.gasUsed);
    assert.deepEqual(
      refused.recording.exceptions.map(({ code: thrown, isFinal }) => [thrown, isFinal]),
      [[42, true]],
    );
  });

  it('counts the steps that the log has lost', async () => {
    const long = `slice b(${Array(7).fill('u128 340282366920938463463374607431768211455').join(', ')})`;
    const { recording, exitCode, gasUsed } = await worker.recordGetMethod(
      runOf('endless', Array(8).fill(long).join(', ')),
    );
    assert.equal(exitCode, -14);
    assert.ok(gasUsed > 1_000_000);
    assert.equal(recording.log.length, limits.getMethodLog.most);
    assert.ok(recording.stepsMissing > 0, 'nothing is missing');
    assert.equal(gasOf(recording), gasUsed);
    assert.doesNotMatch(instructionAt(recording, 0), /SETCP/);
  });

  it('is refused for an account without code', async () => {
    const call = { address: `0:${'12'.repeat(32)}`, method: 'seqno', stack: [] };
    await assert.rejects(gatherGetMethod(access, call), { code: 'replay-impossible' });
  });
});
