// A debug session of an execution of 40,000 steps: from its start to the first stop, compared with the engine's own
// verbose run; a step with the stack and the locals opened; how long the session holds its thread; its memory.
import type { DebugProtocol } from '@vscode/debugprotocol';
import { createSandboxEmulator } from '../src/toolkit/emulator/createSandboxEmulator';
import { everyStep } from '../src/toolkit/emulator/emulator';
import { mapSource } from '../src/toolkit/build/mapSource';
import { replayRun } from '../src/toolkit/debug/replayRun';
import { RunView } from '../src/toolkit/debug/runView';
import { TonDebugSession } from '../src/toolkit/debug/tonDebugSession';
import { replayRecording } from '../src/toolkit/replay/replayRecording';
import { ReplaySource } from '../src/toolkit/replay/replaySource';
import { runReplay } from '../src/toolkit/replay/runReplay';
import { mapSteps } from '../src/toolkit/sourceMap/mapSteps';
import { collectGarbage } from './support/collectGarbage';
import { median } from './support/median';
import { percentile } from './support/percentile';
import { recordingBytes } from './support/recordingBytes';
import { report } from './support/report';
import { runEngine } from './support/runEngine';
import { startLongExecution } from './support/startLongExecution';

const rounds = 5;
const nameOf = (): undefined => undefined;

/** Sends requests to a session in this process, as an editor does. */
class Client {
  readonly #waiting = new Map<number, (response: DebugProtocol.Response) => void>();
  readonly #events = new Map<string, () => void>();
  #sequence = 0;

  constructor(private readonly session: TonDebugSession) {
    session.onDidSendMessage((sent) => {
      const message = sent as DebugProtocol.ProtocolMessage;
      if (message.type === 'response') {
        const response = message as DebugProtocol.Response;
        this.#waiting.get(response.request_seq)?.(response);
      } else {
        this.#events.get((message as DebugProtocol.Event).event)?.();
      }
    });
  }

  request<T>(command: string, args: object = {}): Promise<T> {
    this.#sequence += 1;
    const seq = this.#sequence;
    return new Promise((resolve) => {
      this.#waiting.set(seq, ({ body }) => resolve(body as T));
      const request = { seq, type: 'request', command, arguments: args };
      this.session.handleMessage(request);
    });
  }

  event(name: string): Promise<void> {
    return new Promise((resolve) => this.#events.set(name, resolve));
  }
}

const { network, access, hash, source } = await startLongExecution();
const emulator = await createSandboxEmulator();
const [map] = await mapSource('main.tolk', { read: () => source, isTrusted: false });
const openings: number[] = [];
const engine: number[] = [];
const turns: number[] = [];
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
    const run = replayRun(
      { inputs, replay, recording, edits: [], requests: 0 },
      { lines, storage: undefined, messages: undefined, nameOf },
    );
    return { run, replay };
  };
  const load = async () => (await open()).run;
  const client = new Client(
    new TonDebugSession(() =>
      Promise.resolve({
        threads: [{ name: 'loop', load }],
        first: 0,
        pathOf: (file: string) => `/${file}`,
        accountName: nameOf,
      }),
    ),
  );
  const stopped = client.event('stopped');
  const initialized = client.event('initialized');
  await client.request('initialize');
  const launched = client.request('launch');
  await initialized;
  await client.request('configurationDone');
  await Promise.all([stopped, launched]);
  const opened = performance.now() - began;
  const times: number[] = [];
  for (let step = 0; step < 400; step += 1) {
    const from = performance.now();
    const moved = client.event('stopped');
    await client.request('stepIn', { threadId: 1 });
    await moved;
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
  const turnBegan = performance.now();
  const view = new RunView(run, recording, 0, (file) => `/${file}`);
  const turn = performance.now() - turnBegan;
  const engineTime = await runEngine(emulator, inputs, replay);
  steps = recording.steps;
  logBytes = recording.log.length;
  const columns = [view.line, view.starts, view.calls.at];
  bytes = columns.reduce((sum, { byteLength }) => sum + byteLength, recordingBytes(recording));
  // The first round loads and compiles.
  if (round > 0) {
    openings.push(opened);
    engine.push(engineTime);
    turns.push(turn);
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
  { name: 'debug: finding lines and functions, one turn', ours: median(turns), unit: 'ms', goal: '<= 50 ms' },
  {
    name: 'debug: memory',
    ours: bytes / 1_048_576,
    peer: logBytes / 1_048_576,
    peerName: 'its log',
    unit: 'MiB',
    goal: '<= 1.5',
  },
]);
