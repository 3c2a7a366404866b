// Reading a workspace of 2,000 source files: the time until the candidates are listed, and until a deployed
// contract's source is found by compiling them.
import path from 'node:path';
import { Cell } from '@ton/core';
import { describeContract } from '../src/toolkit/contracts/abi/contractDescription';
import { builtContract } from '../src/toolkit/contracts/abi/projectContract';
import type { ProjectContract } from '../src/toolkit/contracts/abi/projectContract';
import { readProject } from '../src/toolkit/contracts/abi/readProject';
import type { ProjectFile } from '../src/toolkit/contracts/abi/projectFile';
import { compileTolk } from '../src/toolkit/build/compileTolk';
import type { BuiltContract } from '../src/toolkit/build/readBuiltContract';
import { findSource } from '../src/toolkit/build/findSource';
import { projectLayouts } from '../src/toolkit/contracts/layouts/projectLayouts';
import { collectGarbage } from './support/collectGarbage';
import { median } from './support/median';
import { report } from './support/report';

const files = 2_000;
/** Every fourth file is a contract. */
const contracts = files / 4;
const wanted = `contract${contracts - 3}`;

function contractSource(index: number): string {
  return `import "part${index}-a"
import "part${index}-b"
const ERR_OVER_LIMIT = ${400 + (index % 100)};
struct Storage { owner: address count: uint32 part: Part${index}a }
struct (0x${(0x10000000 + index * 7919).toString(16)}) Add { queryId: uint64 amount: uint32 }
fun onInternalMessage(in: InMessage) {
  val msg = lazy Add.fromSlice(in.body);
  assert (msg.amount < 10) throw ERR_OVER_LIMIT;
}
get fun info(): int { return ${index}; }
get fun owner${index % 50}(): int { return helper${index}a(1); }
`;
}

function partSource(name: string): string {
  return `/// A part of a contract.
struct Part${name} { balance: coins since: uint32 }
fun helper${name}(value: int): int { return value * 2 + 1; }
`;
}

const workspace: ProjectFile[] = Array.from({ length: contracts }, (_, index) => [
  { path: `contracts/contract${index}.tolk`, text: contractSource(index) },
  { path: `contracts/part${index}-a.tolk`, text: partSource(`${index}a`) },
  { path: `contracts/part${index}-b.tolk`, text: partSource(`${index}b`) },
  { path: `wrappers/helper${index}.tolk`, text: partSource(`${index}c`) },
]).flat();
const texts = new Map(workspace.map((file) => [path.posix.basename(file.path), file.text]));

/** The longest time, in milliseconds, for which the work keeps everything else from running. */
function turns(): { pause: () => Promise<void>; longest: () => number } {
  let longest = 0;
  let began = performance.now();
  const pause = (): Promise<void> =>
    new Promise((resolve) => {
      longest = Math.max(longest, performance.now() - began);
      setImmediate(() => {
        began = performance.now();
        resolve();
      });
    });
  return { pause, longest: () => longest };
}

async function timed<T>(work: () => Promise<T>): Promise<[T, number]> {
  const began = performance.now();
  const value = await work();
  return [value, performance.now() - began];
}

function heapUsed(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed / 1_048_576;
}

const compile = (file: string): Promise<BuiltContract> =>
  compileTolk(file, (name) => texts.get(path.posix.basename(name)) ?? '');

async function measure(): Promise<void> {
  const before = heapUsed();
  const reading = turns();
  const [project, listed] = await timed(() => readProject(workspace, undefined, reading.pause));
  const layoutTurns = turns();
  const [, laidOut] = await timed(() => projectLayouts(project, layoutTurns.pause));
  const heap = heapUsed() - before;

  // Loading the compiler is part of the first compilation.
  const [, first] = await timed(() => compile('contract0.tolk'));
  const [target, alone] = await timed(() => compile(`${wanted}.tolk`));
  const deployed = { code: Cell.fromBase64(target.code), codeHash: target.codeHash };
  let compiled = 0;
  const compileOne = async ({ file }: ProjectContract): Promise<BuiltContract[]> => {
    compiled++;
    return [await compile(path.posix.basename(file))];
  };
  const [found, matched] = await timed(() => findSource(deployed, project, compileOne));
  if (found?.name !== wanted) {
    throw new Error(`found ${found?.name ?? 'nothing'} in place of ${wanted}`);
  }
  const known = [...project, builtContract(found.name, found.file, deployed.codeHash)];
  const lookups = Array.from({ length: 50 }, () => {
    const began = performance.now();
    describeContract(deployed, known);
    return performance.now() - began;
  });
  const of = `${project.length} contracts in ${files} files`;
  report([
    { name: `registry: list of candidates, ${of}`, ours: listed, unit: 'ms', goal: '<= 2000 ms' },
    { name: 'registry: longest turn of that', ours: reading.longest(), unit: 'ms', goal: '<= 50 ms' },
    { name: 'registry: layouts of all structs', ours: laidOut, unit: 'ms', goal: '<= 2000 ms' },
    { name: 'registry: longest turn of that', ours: layoutTurns.longest(), unit: 'ms', goal: '<= 50 ms' },
    { name: 'registry: lookup by the hash of a code', ours: median(lookups), unit: 'ms', goal: '<= 5 ms' },
    {
      name: `registry: first match of a deployed contract, ${compiled} compiled`,
      ours: matched,
      peer: alone,
      peerName: 'compiling it alone',
      unit: 'ms',
      goal: '<= 2000 ms',
    },
    { name: 'registry: the compiler, once', ours: first, unit: 'ms' },
    { name: 'registry: memory of all that is listed', ours: heap, unit: 'MiB', goal: '<= 64 MiB' },
  ]);
}

await measure();
