import assert from 'node:assert/strict';
import { Cell } from '@ton/core';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { DebugClient } from '../../support/debugClient';
import { abortedError } from '../../../src/toolkit/base/errors';
import type { DebugProgram, DebugRun } from '../../../src/toolkit/debug/debugProgram';
import { methodRun } from '../../../src/toolkit/debug/debugProgram';
import { recordExecution } from '../../../src/toolkit/recording/recordExecution';
import { mapSteps } from '../../../src/toolkit/sourceMap/mapSteps';
import type { SourceMap } from '../../../src/toolkit/sourceMap/sourceMap';
import { debuggedMethod, programOf } from './support/debuggedMethod';
import type { DebuggedMethod } from './support/debuggedMethod';
import { walks } from './support/walks';

const knowledge = { title: 'walk', exits: { standards: [], errors: new Map() }, storage: undefined };
const inputs = { data: Cell.EMPTY.toBoc().toString('base64'), seqno: 1 };

describe('a debug session at its bounds', () => {
  let debugged: DebuggedMethod;

  before(async () => {
    debugged = await debuggedMethod('walk.tolk', walks.tolk, ['walk', 20n]);
  });

  /** Executions of which the last one is never recorded: it waits until it is canceled. */
  const stuck = (): { program: DebugProgram; waiting: Promise<AbortSignal> } => {
    const [first] = debugged.program.threads;
    let begin: (signal: AbortSignal) => void;
    const waiting = new Promise<AbortSignal>((resolve) => (begin = resolve));
    const load = (signal: AbortSignal): Promise<DebugRun> => {
      begin(signal);
      return new Promise((_, reject) =>
        signal.addEventListener('abort', () => reject(abortedError()), { once: true }),
      );
    };
    const threads = [first!, first!, { name: 'stuck', load }];
    return { program: { ...debugged.program, threads }, waiting };
  };

  it('cancels what it loads when it is stopped', async () => {
    for (const command of ['disconnect', 'terminate']) {
      const { program, waiting } = stuck();
      const client = new DebugClient(() => Promise.resolve({ ...program, first: 2 }));
      await client.request('initialize');
      const launched = client.request('launch').catch(String);
      const signal = await waiting;
      await client.request(command);
      assert.equal(signal.aborted, true, command);
      assert.match(String(await launched), /canceled|aborted|stopped/i);
    }
  });

  it('stays where it is when it is paused while the next execution loads, in both directions', async () => {
    for (const command of ['continue', 'reverseContinue']) {
      const { program, waiting } = stuck();
      const isForward = command === 'continue';
      const threads = isForward ? program.threads : program.threads.toReversed();
      const threadId = isForward ? 1 : 3;
      const client = await DebugClient.begun({ ...program, threads, first: threadId - 1 });
      await client.moved('next', { threadId });
      const before = await client.frame(threadId);
      const stopped = client.event('stopped');
      await client.request(command, { threadId });
      await waiting;
      await client.request('pause', { threadId });
      const { body } = (await stopped) as DebugProtocol.StoppedEvent;
      assert.deepEqual([body.reason, body.description], ['pause', 'Paused']);
      const { name, line } = await client.frame(threadId);
      assert.deepEqual([name, line], [before.name, before.line]);
    }
  });

  it('stops at a failed action at the very end, also on the way back from there', async () => {
    const failure = 'The code succeeded, but its actions failed with result code 37.';
    const client = await DebugClient.begun(programOf({ ...debugged.view.run, failure }));
    const reasons = [];
    let threadId: number | undefined = 1;
    for (const command of ['continue', 'continue', 'continue', 'reverseContinue', 'reverseContinue']) {
      const { reason, text, description, ...stopped } = await client.moved(command, { threadId });
      threadId = stopped.threadId;
      reasons.push(`${reason}: ${text ?? description ?? ''}`);
    }
    assert.deepEqual(reasons, [
      `exception: ${failure}`,
      `exception: ${failure}`,
      'pause: End of the recording',
      `exception: ${failure}`,
      `exception: ${failure}`,
    ]);
  });

  it('is one of several at once', async () => {
    const clients = await Promise.all([1, 2, 3].map(() => DebugClient.begun(debugged.program)));
    const { file } = debugged;
    const lineOf = (text: string): number =>
      walks.tolk.split('\n').findIndex((line) => line.includes(text)) + 1;
    const texts = ['here.low += 1', 'left = half', 'total += value'];
    await Promise.all(
      clients.map((client, index) => client.setBreakpoints({ path: file }, { line: lineOf(texts[index]!) })),
    );
    await Promise.all(clients.map((client) => client.moved('continue')));
    const lines = await Promise.all(clients.map(async (client) => (await client.frame()).line));
    assert.deepEqual(lines, texts.map(lineOf));
  });

  it('says what is missing of a recording that has lost its beginning, and begins there', async () => {
    const { recording } = debugged.view;
    const from = recording.log.indexOf('execute', recording.instruction[2 * 100]! - 300);
    const facts = { gasAtStart: 1_000_000, gasUsed: 5_000, vmSteps: recording.steps };
    const kept = recordExecution(recording.log.slice(from), facts);
    assert.ok(kept.stepsMissing > 50 && kept.steps > 50, `${kept.stepsMissing} of ${recording.steps}`);
    const lines = mapSteps(kept, debugged.view.run.lines!.map);
    const client = await DebugClient.begun(
      programOf(methodRun({ recording: kept, lines, inputs }, knowledge)),
    );
    assert.match(client.output.join(''), new RegExp(`first ${kept.stepsMissing} steps .*are missing`));
    const gas = await client.scope('Gas');
    assert.match(gas.get('step') ?? '', new RegExp(`of ${recording.steps}$`));
    const registers = await client.scope('Registers');
    assert.equal(registers.get('c4'), 'unknown: the log does not tell');
    assert.equal((await client.scope('Globals')).get('total'), 'unknown: the log does not tell');
    const end = await client.moved('stepBack');
    assert.equal(end.description, 'Beginning of the recording');
  });

  it('shows only the method that has no lines as assembly', async () => {
    const { recording, run } = debugged.view;
    const { map } = run.lines!;
    const refused: SourceMap = {
      ...map,
      methods: map.methods.map((method) =>
        method.name.startsWith('half')
          ? {
              ...method,
              refused: 'it differs',
              cells: method.marks.map(({ cell }) => cell),
              marks: [],
              parents: [],
            }
          : method,
      ),
    };
    const lines = mapSteps(recording, refused);
    const client = await DebugClient.begun(programOf(methodRun({ recording, lines, inputs }, knowledge)));
    assert.match(client.output.join(''), /half has no lines: .*it differs/);
    const seen = new Set<string>();
    for (let index = 0; index < 60; index += 1) {
      const { reason } = await client.moved('stepIn');
      if (reason !== 'step') {
        break;
      }
      const { name, source, line } = await client.frame();
      seen.add(`${name} in ${source?.name ?? ''}`);
      if (source?.name?.endsWith('.tasm') === true) {
        assert.match((await client.content(await client.frame()))[line - 1] ?? '', /^[A-Z0-9]/);
      }
    }
    assert.deepEqual([...seen].sort(), [
      'half in first.tasm',
      'walk in walk.tolk',
      'widen (inlined) in walk.tolk',
    ]);
  });
});
