// Questions to an execution of 100,000 steps: each kind, from its recording to the hits that are told. Then where a value
// comes from that was given before 60,000 steps.
import { Address, beginCell, serializeTuple } from '@ton/core';
import { compileSource } from '../src/toolkit/build/compileSource';
import { mapSource } from '../src/toolkit/build/mapSource';
import type { DebugProgram } from '../src/toolkit/debug/debugProgram';
import { methodRun } from '../src/toolkit/debug/debugProgram';
import { askedIn } from '../src/toolkit/debug/originTree';
import { queryPrograms } from '../src/toolkit/debug/query/queryPrograms';
import { readQuestion } from '../src/toolkit/debug/query/readQuestion';
import { RunView } from '../src/toolkit/debug/runView';
import { valueOrigin } from '../src/toolkit/debug/valueOrigin';
import { methodIdOf } from '../src/toolkit/contracts/abi/methodIdOf';
import { createSandboxEmulator } from '../src/toolkit/execution/emulator/createSandboxEmulator';
import { defaultNetworkConfig } from '../src/toolkit/execution/emulator/networkConfig';
import { recordGetMethod } from '../src/toolkit/execution/emulator/recordGetMethod';
import { mapSteps } from '../src/toolkit/sourceMap/mapSteps';
import { debuggedMethod } from '../test/unit/debug/support/debuggedMethod';
import { median } from './support/median';
import { report } from './support/report';

const rounds = 5;
/** Hits that are told, as by the command. */
const most = 100;
const source = `
struct Storage { count: uint32 }
global total: int
@noinline
fun half(value: int): int {
    total += value;
    return value / 2;
}
fun onInternalMessage(in: InMessage) {
    createMessage({ bounce: false, value: 1, dest: in.senderAddress }).send(0);
}
get fun loop(times: int): int {
    total = 0;
    var left = times;
    var kept = Storage.fromCell(contract.getData());
    while (left > 0) {
        left = left - 1;
        val by = half(left);
        kept.count = (kept.count + by) % 1000000;
        if (left % 16 == 0) { contract.setData(kept.toCell()); }
    }
    return total;
}
`;
/** How often the loop runs: 100,000 steps. */
const times = 3_800n;

const options = { read: () => source, isTrusted: false };
const [[map], [built]] = await Promise.all([
  mapSource('main.tolk', options),
  compileSource('main.tolk', options),
]);
const data = beginCell().storeUint(7, 32).endCell().toBoc().toString('base64');
const { recording } = await recordGetMethod(await createSandboxEmulator(), {
  config: defaultNetworkConfig().getMethodBase64,
  libraries: null,
  code: built!.code,
  data,
  address: new Address(0, Buffer.alloc(32, 7)).toRawString(),
  methodId: methodIdOf('loop'),
  stack: serializeTuple([{ type: 'int', value: times }])
    .toBoc()
    .toString('base64'),
  now: 1_800_000_000,
  balance: 1n,
  gasLimit: 100_000_000n,
});
const layout = map!.layouts?.structs.get('Storage');
const run = methodRun(
  { recording, lines: mapSteps(recording, map!), inputs: { data } },
  {
    ...{ title: 'loop', exits: { standards: [], errors: new Map() } },
    storage: layout && map!.layouts && { set: map!.layouts, layout },
  },
);
const program: DebugProgram = {
  threads: [{ name: 'loop', load: () => Promise.resolve(run) }],
  ...{ first: 0, pathOf: (file) => file, accountName: () => undefined },
};
const line = source.split('\n').findIndex((text) => text.includes('left = left - 1')) + 1;
const questions = [
  `line main.tolk:${line} left, total`,
  'calls half',
  'writes c4.count',
  'sends',
  'changes left',
  'changes left + total * 2',
  'changes c4.count',
  'changes kept',
];
const { signal } = new AbortController();
const rows: Parameters<typeof report>[0][number][] = [];
for (const question of questions) {
  const measured: number[] = [];
  let total = 0;
  for (let round = 0; round <= rounds; round += 1) {
    const began = process.cpuUsage();
    const answer = await queryPrograms(
      [program],
      readQuestion(question),
      { most, isOnlyFirst: false },
      signal,
    );
    // The first round compiles.
    if (round > 0) {
      const { user, system } = process.cpuUsage(began);
      measured.push((user + system) / 1_000);
    }
    total = answer.total;
  }
  rows.push({
    name: `query: ${question}, ${recording.steps} steps, ${total} hits`,
    ours: median(measured),
    unit: 'ms',
    goal: '<= 200 ms',
  });
}

const far = await debuggedMethod(
  'far.tolk',
  `get fun far(x: int): int { var n = 0; while (n < 10100) { n += 1; } return x + n; }
   fun onInternalMessage(in: InMessage) {}`,
  ['far', 5n],
);
const hops: number[] = [];
for (let round = 0; round <= rounds; round += 1) {
  // Each has its own indexes.
  const view = new RunView(far.view.run, far.view.recording, 0, (file) => file);
  const asked = askedIn(view, 0, view.steps - 2, 'x').values[0]!;
  const began = process.cpuUsage();
  const way = await valueOrigin(
    {
      ...{ threads: far.program.threads, load: () => Promise.resolve(view) },
      ...{ open: () => undefined, accountName: () => undefined },
    },
    asked,
    signal,
  );
  const { user, system } = process.cpuUsage(began);
  if (way.hops.length === 0) {
    throw new Error('no way');
  }
  if (round > 0) {
    hops.push((user + system) / 1_000);
  }
}
rows.push({
  name: `where a value comes from, ${far.view.steps} steps back`,
  ...{ ours: median(hops), unit: 'ms', goal: '<= 100 ms' },
});
report(rows);
