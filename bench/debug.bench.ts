// A debug session of an execution of 40,000 steps: from its start to the first stop, compared with the engine's own
// verbose run; a step with the stack and the locals opened; how long the session holds its thread; its memory.
import type { DebugProtocol } from '@vscode/debugprotocol';
import { mapSource } from '../src/toolkit/build/mapSource';
import type { DebugProgram, DebugRun } from '../src/toolkit/debug/debugProgram';
import { replayRun } from '../src/toolkit/debug/replayRun';
import { RunView } from '../src/toolkit/debug/runView';
import { createSandboxEmulator } from '../src/toolkit/execution/emulator/createSandboxEmulator';
import { everyStep } from '../src/toolkit/execution/emulator/emulator';
import { followValue } from '../src/toolkit/recording/followValue';
import { ReplaySource } from '../src/toolkit/replay/replaySource';
import { replayRecording, runReplay } from '../src/toolkit/replay/runReplay';
import { mapSteps } from '../src/toolkit/sourceMap/mapSteps';
import { DebugClient } from '../test/support/debugClient';
import { collectGarbage } from './support/collectGarbage';
import type { LongestTurn } from './support/longestTurn';
import { watchTurns } from './support/longestTurn';
import { median } from './support/median';
import { percentile } from './support/percentile';
import { recordingBytes } from './support/recordingBytes';
import { report } from './support/report';
import { runEngine } from './support/runEngine';
import { startLongExecution } from './support/startLongExecution';

const rounds = 5;
const nameOf = (): undefined => undefined;
const pathOf = (file: string): string => `/${file}`;
const nothingKnown = { storage: undefined, messages: undefined, nameOf };

function programOf(load: () => Promise<DebugRun>): DebugProgram {
  return { threads: [{ name: 'loop', load }], first: 0, pathOf, accountName: nameOf };
}

/**
 * Of a session that begins, goes to its end past breakpoints whose conditions are never true and to changes of values,
 * and back, with the stack and the locals opened.
 */
async function longestTurnOf(load: () => Promise<DebugRun>, source: string): Promise<LongestTurn> {
  const end = watchTurns();
  const client = await DebugClient.begun(programOf(load), {});
  const line = source.split('\n').findIndex((text) => text.includes('while')) + 1;
  await client.setBreakpoints({ path: pathOf('main.tolk') }, { line, condition: 'sum < 0 || times == 1' });
  const data = JSON.stringify({ kind: 'name', function: 'onExternalMessage', name: 'nothing' });
  await client.request('setDataBreakpoints', {
    breakpoints: [{ dataId: data }, { dataId: '{"kind":"c4"}' }],
  });
  for (const command of [
    'continue',
    'continue',
    'reverseContinue',
    'reverseContinue',
    'stepBack',
    'stepOut',
  ]) {
    await client.moved(command);
    await client.scope('Locals');
  }
  return end();
}

const { network, access, hash, source } = await startLongExecution();
const emulator = await createSandboxEmulator();
const [map] = await mapSource('main.tolk', { read: () => source, isTrusted: false });
const openings: number[] = [];
const engine: number[] = [];
const turns: number[] = [];
const hops: number[] = [];
const stepTimes: number[] = [];
let steps = 0;
let bytes = 0;
let logBytes = 0;
for (let round = 0; round <= rounds; round += 1) {
  collectGarbage();
  const inputs = await new ReplaySource(access).gather(hash);
  const began = performance.now();
  const open = async () => {
    const replay = await runReplay(inputs, emulator, { verbosity: everyStep });
    const recording = replayRecording(replay);
    const lines = recording && mapSteps(recording, map!);
    const report = { inputs, replay, recording, edits: [], requests: 0 };
    const run = replayRun(report, { ...nothingKnown, lines });
    return { run, replay };
  };
  const load = async () => (await open()).run;
  const client = await DebugClient.begun(programOf(load), {});
  const opened = performance.now() - began;
  const times: number[] = [];
  for (let step = 0; step < 400; step += 1) {
    const from = performance.now();
    await client.moved('stepIn');
    const { stackFrames } = await client.request<DebugProtocol.StackTraceResponse['body']>('stackTrace', {
      threadId: 1,
    });
    const { scopes } = await client.request<DebugProtocol.ScopesResponse['body']>('scopes', {
      frameId: stackFrames[0]!.id,
    });
    for (const { variablesReference } of scopes) {
      await client.request('variables', { variablesReference });
    }
    times.push(performance.now() - from);
  }
  const { run, replay } = await open();
  const recording = run.recording!;
  const view = new RunView(run, recording, 0, pathOf);
  const turn = await longestTurnOf(() => {
    // In the editor, another thread runs the engine and reads its log.
    const lines = mapSteps(recording, map!);
    const report = { inputs, replay, recording, edits: [], requests: 0 };
    return Promise.resolve(replayRun(report, { ...nothingKnown, lines }));
  }, source);
  // The body lies at the bottom of the stack through the whole loop: its way is as long as the execution.
  const asked = performance.now();
  followValue({ ...recording }, { step: recording.steps - 1, slot: 0, part: { path: [] } });
  const hopTime = performance.now() - asked;
  const engineTime = await runEngine(emulator, inputs, replay);
  steps = recording.steps;
  logBytes = recording.log.length;
  const columns = [view.line, view.starts, view.calls.at];
  bytes = columns.reduce((sum, { byteLength }) => sum + byteLength, recordingBytes(recording));
  // The first round loads and compiles.
  if (round > 0) {
    openings.push(opened);
    engine.push(engineTime);
    turns.push(turn.cpu);
    hops.push(hopTime);
    stepTimes.push(...times);
  }
}
await network.close();

report([
  {
    name: `debug: start to first stop, ${steps} steps`,
    ours: median(openings),
    peer: median(engine),
    peerName: "the engine's verbose run",
    unit: 'ms',
    goal: '<= 1.3',
  },
  {
    name: 'debug: a step, stack and locals opened, p99',
    ours: percentile(stepTimes, 0.99),
    unit: 'ms',
    goal: '<= 5 ms',
  },
  { name: 'debug: way of a value through all steps', ours: median(hops), unit: 'ms', goal: '<= 100 ms' },
  { name: 'debug: longest turn of a session', ours: Math.max(...turns), unit: 'ms', goal: '<= 50 ms' },
  {
    name: 'debug: memory',
    ours: bytes / 1_048_576,
    peer: logBytes / 1_048_576,
    peerName: 'its log',
    unit: 'MiB',
    goal: '<= 1.5',
  },
]);
