import { beginCell, contractAddress, external, storeMessage, toNano } from '@ton/core';
import fc from 'fast-check';
import assert from 'node:assert/strict';
import { createAccess } from '../../../src/toolkit/access/createAccess';
import { mapSource } from '../../../src/toolkit/build/mapSource';
import { BreakpointBook, verifyLine } from '../../../src/toolkit/debug/breakpointRequests';
import { DebugControl } from '../../../src/toolkit/debug/debugControl';
import { evaluate } from '../../../src/toolkit/debug/evaluate';
import type { StopRules } from '../../../src/toolkit/debug/findStops';
import { findStops } from '../../../src/toolkit/debug/findStops';
import type { DebugProgram } from '../../../src/toolkit/debug/debugProgram';
import { replayRun } from '../../../src/toolkit/debug/replayRun';
import type { RunView } from '../../../src/toolkit/debug/runView';
import { listingReference } from '../../../src/toolkit/debug/runView';
import { StopView } from '../../../src/toolkit/debug/stopView';
import { createSandboxEmulator } from '../../../src/toolkit/execution/emulator/createSandboxEmulator';
import { callControl } from '../../../src/toolkit/localnet/callControl';
import { startLocalnet } from '../../../src/toolkit/localnet/startLocalnet';
import { silentLog } from '../../../src/toolkit/base/log';
import { ReplaySource } from '../../../src/toolkit/replay/replaySource';
import { replayRecording, runReplay } from '../../../src/toolkit/replay/runReplay';
import { mapSteps } from '../../../src/toolkit/sourceMap/mapSteps';
import { namedWords } from '../../../src/toolkit/sourceMap/namedValues';
import { comesBackExactly } from '../../support/debugProperties';
import { compileContract } from '../../support/localTraces';

const source = `
import "@stdlib/gas-payments"
@noinline
fun half(value: int): int {
    if (value < 2) { return 0; }
    return value / 2;
}
fun onInternalMessage(in: InMessage) {}
fun onExternalMessage(body: slice) {
    acceptExternalMessage();
    var left = body.loadUint(32);
    var rounds = 0;
    while (left > 0) {
        left = half(left);
        rounds += 1;
    }
    repeat (3) {
        rounds += 1;
    }
    try {
        contract.setData(beginCell().storeUint(rounds, 64).endCell());
        assert (rounds < 5) throw 77;
    } catch {
        rounds = 0;
    }
    contract.setData(beginCell().storeUint(rounds, 64).endCell());
}
`;
const main = { file: 'main.tolk' };
const { signal } = new AbortController();
const nameOf = (): undefined => undefined;
const noRules: StopRules = { lines: [], functions: [], instructions: [], data: [], exceptions: new Set() };

describe('moving through an execution', () => {
  let program: DebugProgram;
  let view: RunView;

  before(async () => {
    const network = await startLocalnet({ port: 0, mode: { kind: 'manual' }, log: silentLog });
    try {
      const { v2, v3, control } = network;
      const access = createAccess({ network: { name: 'Local', kind: 'local', v2, v3, globalId: -239 } });
      const init = await compileContract(source);
      const [code, data] = [init.code!, init.data!].map((cell) => cell.toBoc().toString('base64'));
      await callControl(control, 'deploy', { code: code!, data: data!, value: toNano('1').toString() });
      await callControl(control, 'mine', {});
      const to = contractAddress(0, init);
      const body = beginCell().storeUint(20, 32).endCell();
      const message = beginCell()
        .store(storeMessage(external({ to, body })))
        .endCell();
      await access.v3.message({ boc: message.toBoc().toString('base64') });
      await callControl(control, 'mine', {});
      const { transactions } = await access.v3.transactions({ account: [to.toRawString()], limit: 1 });
      const inputs = await new ReplaySource(access).gather(transactions![0]!.hash!);
      const verbosity = 'full_location_stack_verbose';
      const replay = await runReplay(inputs, await createSandboxEmulator(), { verbosity });
      const recording = replayRecording(replay)!;
      const [map] = await mapSource('main.tolk', { read: () => source, isTrusted: false });
      assert.equal(map?.codeHash, init.code!.hash().toString('hex'));
      const exits = { standards: [], errors: new Map([[77, 'ERR_ROUNDS']]) };
      const report = { inputs, replay, recording, edits: [], requests: 0, exits };
      const lines = mapSteps(recording, map);
      const run = replayRun(report, { lines, storage: undefined, messages: undefined, nameOf });
      const load = () => Promise.resolve(run);
      program = {
        threads: [
          { name: 'first', load },
          { name: 'second', load },
        ],
        first: 0,
        pathOf: (file) => file,
        accountName: nameOf,
      };
      view = (await begun()).view!;
    } finally {
      await network.close();
    }
  });

  const begun = async (rules = noRules): Promise<DebugControl> => {
    const control = new DebugControl(program, { loaded: () => undefined, output: () => undefined });
    control.rules = rules;
    await control.begin(false, signal);
    return control;
  };

  it('comes back exactly: any steps forward, then as many back', async () => {
    const kinds = fc.array(fc.constantFrom('over' as const, 'in' as const, 'out' as const), {
      maxLength: 60,
    });
    const back = async (
      control: DebugControl,
      kind: 'over' | 'instruction',
      count: number,
    ): Promise<void> => {
      for (let index = 0; index < count; index += 1) {
        await control.stepBack(kind, signal);
      }
    };
    await fc.assert(
      fc.asyncProperty(kinds, fc.nat(200), async (moves, instructions) => {
        const control = await begun();
        const start = control.position;
        let made = 0;
        for (const kind of moves) {
          made += (await control.step(kind, signal)) === undefined ? 0 : 1;
        }
        await back(control, 'over', made);
        assert.deepEqual(control.position, start);
        made = 0;
        for (let index = 0; index < instructions; index += 1) {
          made += (await control.step('instruction', signal)) === undefined ? 0 : 1;
        }
        await back(control, 'instruction', made);
        assert.deepEqual(control.position, start);
      }),
      { numRuns: 40 },
    );
  });

  it('stops at the same places forward and backward, in both executions', async () => {
    const texts = source.split('\n').map((_, index) => index + 1);
    await fc.assert(
      fc.asyncProperty(
        fc.subarray(texts),
        fc.uniqueArray(fc.constantFrom('>= 2', '% 2', '3'), { maxLength: 1 }),
        async (lines, [hits]) => {
          const rules: StopRules = {
            ...noRules,
            lines: lines.map((line, id) => ({ id, source: main, line, hitCondition: hits })),
            data: [{ id: 1_000, data: { kind: 'c4' } }],
            exceptions: new Set(['all']),
          };
          const control = await begun(rules);
          const forward: string[] = [];
          for (;;) {
            const moved = await control.continue(signal);
            if (moved === undefined || moved.reason === 'pause') {
              break;
            }
            forward.push(JSON.stringify([control.position, moved.reason, moved.ids]));
          }
          const backward: string[] = [];
          for (;;) {
            const moved = await control.reverseContinue(signal);
            if (moved.reason === 'entry') {
              break;
            }
            backward.push(JSON.stringify([control.position, moved.reason, moved.ids]));
          }
          // Going on does not stop where it begins.
          const start = JSON.stringify({ thread: 0, step: view.entry });
          const behind = backward.reverse().filter((text) => !text.startsWith(`[${start}`));
          assert.deepEqual(behind, forward);
        },
      ),
      { numRuns: 25 },
    );
  });

  it('knows constants of the source in expressions: the names of its exit codes', () => {
    const { scope } = new StopView(view, view.entry, nameOf);
    assert.equal(evaluate('ERR_ROUNDS == 77', scope).text, 'true');
  });

  it('stops exactly where a value differs', async () => {
    const { recording, run, calls } = view;
    const hash = (step: number): string | undefined => run.registers?.before(step).c4?.hash().toString('hex');
    const changed = async (rules: Partial<StopRules>): Promise<number[]> =>
      (await findStops(view, { ...noRules, ...rules }, nameOf, assert.fail)).map(({ step }) => step);
    const expected = [];
    for (let step = 1; step < recording.steps; step += 1) {
      if (hash(step) !== hash(step - 1)) {
        expected.push(step);
      }
    }
    // Set, and undone by the exception; nothing sees what the last instruction sets.
    assert.equal(expected.length, 2);
    assert.deepEqual(await changed({ data: [{ id: 1, data: { kind: 'c4' } }] }), expected);
    const data = { kind: 'name', function: 'onExternalMessage', name: 'rounds' } as const;
    const steps = await changed({ data: [{ id: 1, data }] });
    const value = (step: number): string | undefined => namedWords(run.lines!, step).get('rounds');
    for (const step of steps) {
      let before = step - 1;
      while (value(before) === undefined || calls.at[before] !== calls.at[step]) {
        before -= 1;
      }
      assert.notEqual(value(step), value(before));
    }
    assert.ok(steps.length >= 7, `${steps.length} changes`);
  });

  it('steps from source lines past a transaction without them, but not by instructions', async () => {
    const [thread] = program.threads;
    const load = async () => ({ ...(await thread!.load(signal)), lines: undefined });
    const mixed = { ...program, threads: [thread!, { name: 'assembly', load }, thread!] };
    for (const [kind, expected] of [
      ['over', 2],
      ['instruction', 1],
    ] as const) {
      const control = new DebugControl(mixed, { loaded: () => undefined, output: () => undefined });
      await control.begin(false, signal);
      while (control.position.thread === 0) {
        await control.step(kind, signal);
      }
      assert.equal(control.position.thread, expected, kind);
      await control.stepBack(kind, signal);
      assert.equal(control.position.thread, 0, kind);
      // Also where no step forward is taken back.
      control.go({ thread: 2, step: 0 });
      await control.stepBack(kind, signal);
      assert.equal(control.position.thread, 2 - expected, kind);
    }
    await comesBackExactly(mixed, 40);
  });

  it('stays in the source lines where no other transaction has any, unless by instructions', async () => {
    const [thread] = program.threads;
    const assembly = {
      name: 'assembly',
      load: async () => ({ ...(await thread!.load(signal)), lines: undefined }),
    };
    const alone = { ...program, threads: [assembly, thread!, assembly], first: 1 };
    const control = new DebugControl(alone, { loaded: () => undefined, output: () => undefined });
    await control.begin(false, signal);
    const { position } = control;
    const before = await control.stepBack('over', signal);
    assert.deepEqual([before.description, control.position], ['No source lines before', position]);
    let moved = await control.step('over', signal);
    while (moved?.reason === 'step') {
      moved = await control.step('over', signal);
    }
    assert.deepEqual(
      [moved?.description, control.position],
      ['No source lines follow', { thread: 1, step: view.steps - 1 }],
    );
    assert.equal(await control.step('over', signal), undefined, 'it ends there');
    await control.stepBack('over', signal);
    assert.equal(control.position.thread, 1);
    control.go(position);
    await control.stepBack('instruction', signal);
    while (control.position.thread === 1) {
      await control.stepBack('instruction', signal);
    }
    assert.equal(control.position.thread, 0);
    await comesBackExactly(alone, 40);
  });

  it('stops at lines of the instructions that ran, in the execution whose listing they were set in', async () => {
    const [thread] = program.threads;
    const load = async () => ({ ...(await thread!.load(signal)), lines: undefined });
    const assembly = {
      ...program,
      threads: [
        { name: 'first', load },
        { name: 'second', load },
      ],
    };
    const control = new DebugControl(assembly, { loaded: () => undefined, output: () => undefined });
    await Promise.all([control.load(0, signal), control.load(1, signal)]);
    const book = new BreakpointBook();
    const { line, step } = control.known(0)!.listing.instructions[3]!;
    const other = control.known(1)!.listing.instructions[5]!;
    const [set] = book.setLines({ sourceReference: listingReference(0) }, [{ line }]);
    book.setLines({ sourceReference: listingReference(1) }, [{ line: other.line }]);
    control.rules = { ...book.rules, exceptions: new Set() };
    assert.equal(verifyLine(set!, control).verified, true);
    const firstSteps = await Promise.all([0, 1].map(async (index) => (await control.stops(index))[0]?.step));
    assert.deepEqual(firstSteps, [step, other.step]);
    const comment = book.setLines({ sourceReference: listingReference(0) }, [{ line: 1 }])[0]!;
    assert.equal(verifyLine(comment, control).message, 'No instruction comes from this line.');
  });

  it('says which other execution a note is about', async () => {
    const [thread] = program.threads;
    const load = async () => ({ ...(await thread!.load(signal)), notes: ['No source.'] });
    const written: string[] = [];
    const control = new DebugControl(
      {
        ...program,
        first: 1,
        threads: [
          { name: '1 bob', load },
          { name: '2 Till', load },
        ],
      },
      { loaded: () => undefined, output: (text) => written.push(text) },
    );
    await control.load(1, signal);
    await control.load(0, signal);
    assert.deepEqual(written, ['No source.', '1 bob: No source.']);
  });

  it('stops at each turn of a loop of one line, and at the beginning of each call', async () => {
    const lineOf = (text: string): number => source.split('\n').findIndex((line) => line.includes(text)) + 1;
    const stops = async (rules: Partial<StopRules>): Promise<number> =>
      (await findStops(view, { ...noRules, ...rules }, nameOf, assert.fail)).length;
    const repeated = lineOf('repeat (3)') + 1;
    assert.equal(await stops({ lines: [{ id: 1, source: main, line: repeated }] }), 3);
    // 20, 10, 5, 2, 1
    assert.equal(await stops({ functions: [{ id: 1, name: 'half' }] }), 5);
    assert.equal(await stops({ lines: [{ id: 1, source: main, line: lineOf('left = half(left)') }] }), 5);
  });
});
