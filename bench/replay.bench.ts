// Opening an execution of 40,000 steps: the replay with its log, read into a recording with the source line of every step,
// compared with the engine's own verbose run and with the trace reader of ton-assembly. Aligning a listing with its code
// is compared with compiling the contract.
import { runTolkCompiler } from '@ton/tolk-js';
import { readFileSync } from 'node:fs';
import { compileCellWithMapping, decompileCell } from 'ton-assembly/dist/runtime/instr';
import { createMappingInfo, createTraceInfoPerTransaction } from 'ton-assembly/dist/trace';
import { mapSource } from '../src/toolkit/build/mapSource';
import { createSandboxEmulator } from '../src/toolkit/execution/emulator/createSandboxEmulator';
import { everyStep } from '../src/toolkit/execution/emulator/emulator';
import { createWorkerEmulator } from '../src/toolkit/execution/emulator/workerEmulator';
import { ReplaySource } from '../src/toolkit/replay/replaySource';
import { replayRecording, runReplay } from '../src/toolkit/replay/runReplay';
import { mapSteps, placeAt } from '../src/toolkit/sourceMap/mapSteps';
import { tolkSourceMap } from '../src/toolkit/sourceMap/tolkSourceMap';
import { StallMonitor } from '../test/support/stallMonitor';
import { collectGarbage } from './support/collectGarbage';
import { median } from './support/median';
import { recordingBytes } from './support/recordingBytes';
import { report } from './support/report';
import { runEngine } from './support/runEngine';
import { startLongExecution } from './support/startLongExecution';

const rounds = 5;

async function timed<T>(work: () => T | Promise<T>): Promise<[T, number]> {
  const began = performance.now();
  const value = await work();
  return [value, performance.now() - began];
}

/** Median times of compiling a contract and of aligning its listing with its code. */
async function timeAligning(file: string): Promise<[compiling: number, aligning: number]> {
  const texts = new Map([[file, readFileSync(file, 'utf8')]]);
  const compilings: number[] = [];
  const alignings: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const [compiled, compiling] = await timed(() =>
      runTolkCompiler({
        entrypointFileName: file,
        fsReadCallback: (name) => texts.get(name) ?? '',
        withSrcLineComments: true,
        withStackComments: true,
      }),
    );
    if (compiled.status !== 'ok') {
      throw new Error(compiled.message);
    }
    const [, aligning] = await timed(() => tolkSourceMap({ name: 'bench', ...compiled, texts }));
    if (round > 0) {
      compilings.push(compiling);
      alignings.push(aligning);
    }
  }
  return [median(compilings), median(alignings)];
}

/**
 * The longest time for which this thread did nothing else while an emulator in another thread ran the transaction.
 * @param record whether the steps are read there, too
 */
async function longestTurn(record: boolean): Promise<number> {
  const worker = await createWorkerEmulator();
  const inputs = await new ReplaySource(access).gather(hash);
  const turns: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    collectGarbage();
    const monitor = new StallMonitor();
    const replay = await runReplay(inputs, worker, { verbosity: everyStep, record });
    replayRecording(replay);
    await new Promise((resolve) => setTimeout(resolve, 20));
    turns.push(monitor.take());
    monitor.stop();
  }
  await worker.close();
  return median(turns.slice(1));
}

const { network, access, hash, code, source } = await startLongExecution();
const emulator = await createSandboxEmulator();
const instructions = decompileCell(code);
const [, mapping] = compileCellWithMapping(instructions);
const assembly = createMappingInfo(mapping);

const [map] = await mapSource('main.tolk', { read: () => source, isTrusted: false });

const opening: number[] = [];
const engine: number[] = [];
const indexing: number[] = [];
const peers: number[] = [];
let steps = 0;
let bytes = 0;
let logBytes = 0;
for (let round = 0; round <= rounds; round += 1) {
  const [[inputs, replay, recording, lines], open] = await timed(async () => {
    const gathered = await new ReplaySource(access).gather(hash);
    const run = await runReplay(gathered, emulator, { verbosity: everyStep });
    const steps = replayRecording(run);
    return [gathered, run, steps, steps && mapSteps(steps, map!)] as const;
  });
  if (lines === undefined || placeAt(lines, lines.recording.steps - 1) === undefined) {
    throw new Error('The steps have no source lines.');
  }
  if (replay.verdict !== 'exact' || recording === undefined || recording.stepsMissing > 0) {
    throw new Error(`The replay is ${replay.verdict}, ${recording?.stepsMissing} steps are missing.`);
  }
  const alone = await runEngine(emulator, inputs, replay);
  const [, index] = await timed(() => replayRecording(replay));
  const [, peer] = await timed(() =>
    createTraceInfoPerTransaction(replay.outcome.vmLog, assembly, undefined),
  );
  steps = recording.steps;
  logBytes = recording.log.length;
  bytes = recordingBytes(recording);
  // The first round loads and compiles.
  if (round > 0) {
    opening.push(open);
    engine.push(alone);
    indexing.push(index);
    peers.push(peer);
  }
  collectGarbage();
}
const [stall, stallHere] = [await longestTurn(true), await longestTurn(false)];
await network.close();

const [compiling, aligning] = await timeAligning('test/unit/sourceMap/everyForm.tolk');

report([
  {
    name: `replay: opening ${steps} steps`,
    ours: median(opening),
    peer: median(engine),
    peerName: "the engine's verbose run",
    unit: 'ms',
    goal: '<= 1.3',
  },
  {
    name: 'source map: aligning',
    ours: aligning,
    peer: compiling,
    peerName: 'compiling',
    unit: 'ms',
    goal: '<= 0.2',
  },
  {
    name: 'replay: reading the log',
    ours: median(indexing),
    peer: median(peers),
    peerName: "ton-assembly's trace",
    unit: 'ms',
    goal: '<= 0.05',
  },
  {
    name: 'replay: a recording in memory',
    ours: bytes / 1_048_576,
    peer: logBytes / 1_048_576,
    peerName: 'its log',
    unit: 'MiB',
    goal: '<= 1.5',
  },
  {
    name: "replay: longest turn of the caller's thread",
    ours: stall,
    peer: stallHere,
    peerName: 'reading the log there',
    unit: 'ms',
    goal: '<= 50 ms',
  },
]);
