import type { Cell } from '@ton/core';
import { Address, beginCell } from '@ton/core';
import assert from 'node:assert/strict';
import { DebugControl } from '../../../src/toolkit/debug/debugControl';
import type { DebugProgram, DebugRun } from '../../../src/toolkit/debug/debugProgram';
import type { OriginTree } from '../../../src/toolkit/debug/originTree';
import { askOrigins } from '../../../src/toolkit/debug/askOrigins';
import { pageStep } from '../../../src/toolkit/debug/pageStep';
import { askSession } from '../../../src/toolkit/debug/query/askSession';
import { queryPrograms } from '../../../src/toolkit/debug/query/queryPrograms';
import { readQuestion } from '../../../src/toolkit/debug/query/readQuestion';
import type { RunView } from '../../../src/toolkit/debug/runView';
import type { Recording } from '../../../src/toolkit/recording/recording';
import { mapSteps } from '../../../src/toolkit/sourceMap/mapSteps';
import { BankChain, usualMessages } from '../debug/support/bankChain';
import { debuggedMethod, programOf } from '../debug/support/debuggedMethod';

const { signal } = new AbortController();
const bounds = { most: 100, isOnlyFirst: true };
const receiver = 'fun onInternalMessage(in: InMessage) {}';

async function begun(program: DebugProgram): Promise<{ control: DebugControl; long: RunView }> {
  const control = new DebugControl(program, { loaded: () => undefined, output: () => undefined });
  return { control, long: (await control.load(program.first, signal))! };
}

/** Where a value of the first execution comes from, by default that before its last step. */
async function treeOf(program: DebugProgram, expression: string, at?: number): Promise<OriginTree> {
  const { control, long } = await begun(program);
  const frame = { thread: program.first, view: long, step: at ?? long.steps - 1 };
  return (await askOrigins(control.runs, frame, expression, signal)).trees[0]!;
}

function hopsIn({ hops, sources }: OriginTree): number {
  return sources.reduce((sum, one) => sum + hopsIn(one), hops.length);
}

describe('hostile recordings', () => {
  it('of a million steps are asked, stepped through, and followed back within bounds', async () => {
    const { view } = await debuggedMethod(
      'round.tolk',
      `get fun round(a: int, b: int): int {
  repeat (50) {
    val kept = a;
    a = b;
    b = kept;
  }
  return a;
}
${receiver}`,
      ['round', 7n, 9n],
    );
    const run = endless(view, 1_000_000);
    const { control, long } = await begun(programOf(run));
    const session = { ...bounds, isRecordedOnly: true };
    for (const [text, least, most] of [
      ['changes s0', 300_000, 1_000_000],
      ['line round.tolk:2 s0 + s1', 300_000, 1_000_000],
      ['calls round', 1, 1],
    ] as const) {
      const { hits, total } = await askSession(control, readQuestion(text), session, signal);
      assert.ok(total >= least && total <= most && hits.length === Math.min(100, total), `${text}: ${total}`);
    }
    const shown = pageStep(long, 0, 999_990, () => undefined);
    assert.deepEqual([shown.step, shown.last, shown.lines.length], [999_990, 1_000_000, 7]);
    // The two values go round all the way.
    const frame = { thread: 0, view: long, step: long.steps - 2 };
    const { trees: tree } = await askOrigins(control.runs, frame, 's0', signal);
    assert.match(JSON.stringify(tree), /an argument of the get-method/);
  });

  it('that have sent themselves their message, and follow upon themselves, end after some hops', async () => {
    const { program, ran } = await (await BankChain.start()).run(usualMessages());
    const index = ran.findIndex(({ run: { transaction } }) => {
      const body = transaction?.inMessage?.body.beginParse();
      return body !== undefined && body.remainingBits >= 32 && body.loadUint(32) === 0x11;
    });
    const { run, account, hash } = ran[index]!;
    const transaction = run.transaction!;
    const [sent] = transaction.outMessages.values();
    const inMessage = transaction.inMessage!;
    assert.ok(sent?.info.type === 'internal' && inMessage.info.type === 'internal');
    const info = {
      ...inMessage.info,
      src: Address.parseRaw(account),
      createdLt: sent.info.createdLt,
    };
    const itself = {
      ...{ ...transaction, inMessage: { ...inMessage, info } },
      prevTransactionHash: BigInt(`0x${hash}`),
    };
    const thread = {
      ...{ name: 'again', hash, account },
      load: () => Promise.resolve({ ...run, transaction: itself }),
    };
    const twice = { ...program, threads: [thread, { ...thread, hash: undefined }], first: 0 };
    const sender = await treeOf(twice, 'order.amount');
    assert.ok(hopsIn(sender) > 100 && hopsIn(sender) < 10_000, String(hopsIn(sender)));
    const before = JSON.stringify(await treeOf(twice, 'kept.bank'));
    assert.match(before, /not written in the 60 transactions before/);
  });

  it('with cells of 1,000 levels are asked, stepped through, and followed back', async () => {
    let cell: Cell = beginCell().endCell();
    for (let level = 0; level < 1_000; level += 1) {
      cell = beginCell().storeUint(level, 16).storeRef(cell).endCell();
    }
    const { program, view } = await debuggedMethod(
      'deep.tolk',
      `get fun deep(c: cell): int {
  var rest = c;
  repeat (20) {
    var s = rest.beginParse();
    rest = s.loadRef();
  }
  return rest.beginParse().loadUint(16);
}
${receiver}`,
      ['deep', { type: 'cell', cell }],
    );
    const { total } = await queryPrograms([program], readQuestion('changes rest'), bounds, signal);
    assert.equal(total, 21);
    for (const step of [1, view.steps >> 1, view.steps]) {
      const { values } = pageStep(view, 0, step, () => undefined);
      assert.ok(values.length > 0 && values.every(({ text }) => text.length <= 301), JSON.stringify(values));
    }
    const tree = await treeOf(program, 's0', view.steps - 1);
    assert.match(JSON.stringify(tree), /an argument of the get-method/);
  });
});

/** The same execution with its middle again and again, up to a number of steps. */
function endless({ run, recording }: RunView, steps: number): DebugRun {
  // A swap and a return, twice: all is as it was before.
  const [from, period] = [10, 4];
  const again = <Numbers extends Long>(numbers: Numbers): Numbers => {
    const each = numbers.length / recording.steps;
    const all = new (numbers.constructor as new (length: number) => Numbers)(each * steps);
    all.set(numbers.subarray(0, each * from));
    const middle = numbers.subarray(each * from, each * (from + period));
    for (let at = each * from; at < all.length; at += middle.length) {
      all.set(middle.subarray(0, all.length - at), at);
    }
    return all;
  };
  const { cell, offset, gasAfter, gas, instruction, stack } = recording;
  const long: Recording = {
    ...{ ...recording, steps, exceptions: [], cell: again(cell), offset: again(offset), gas: again(gas) },
    ...{ gasAfter: again(gasAfter), instruction: again(instruction), stack: again(stack) },
  };
  return { ...run, recording: long, lines: run.lines && mapSteps(long, run.lines.map) };
}

type Long = Int32Array | Uint16Array | Uint32Array | Float64Array;
