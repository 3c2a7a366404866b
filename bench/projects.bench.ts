// Opening a project of 200 contracts and 5,000 files: the time until its contracts are listed, as a command does it, beside
// the time of a bare recursive listing of its folders together with reading the same files.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beginCell } from '@ton/core';
import { contractGroups } from '../src/toolkit/contracts/abi/projectContract';
import { readProject } from '../src/toolkit/contracts/abi/readProject';
import { readProjectFiles } from '../src/toolkit/build/readProjectFiles';
import { collectGarbage } from './support/collectGarbage';
import { median } from './support/median';
import { report } from './support/report';

const contracts = 200;
const all = 5_000;
const code = beginCell().storeUint(1, 8).endCell().toBoc().toString('base64');

function contractSource(index: number): string {
  return `import "../shared/types"
const ERR_OVER = ${400 + (index % 100)};
struct Storage { owner: address count: uint32 }
struct (0x${(0x10000000 + index * 7919).toString(16)}) Add { queryId: uint64 amount: uint32 }
fun onInternalMessage(in: InMessage) {
  val msg = lazy Add.fromSlice(in.body);
  assert (msg.amount < 10) throw ERR_OVER;
}
get fun info(): int { return ${index}; }
${Array.from({ length: 40 }, (_, part) => `fun step${part}(value: int, other: Storage): int {\n  // Part ${part} of what it does.\n  return value * ${part} + other.count;\n}\n`).join('')}`;
}

/** Every contract in a folder of its own with files of the same names, its build, its test, and much else. */
function writeProject(root: string): void {
  let written = 0;
  const write = (name: string, text: string): void => {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), text);
    written += 1;
  };
  let toml = '[package]\nname = "bench"\n';
  for (let index = 0; index < contracts; index++) {
    const folder = `contracts/part${index % 20}/unit${index}`;
    write(`${folder}/main.tolk`, contractSource(index));
    write(`${folder}/storage.tolk`, `struct Part${index} { balance: coins since: uint32 }\n`);
    write(`build/Unit${index}.json`, JSON.stringify({ code_boc64: code }));
    write(`tests/unit${index}.test.tolk`, `get fun \`test unit ${index}\`() { }\n`);
    toml += `[contracts.Unit${index}]\nsrc = "${folder}/main.tolk"\n`;
  }
  for (let part = 0; part < 20; part++) {
    write(`contracts/part${part}/shared/types.tolk`, `struct Shared${part} { a: uint8 }\n`);
  }
  write('Acton.toml', toml);
  while (written < all) {
    write(`app/src/part${written % 50}/module${written}.ts`, `export const module${written} = ${written};\n`);
  }
}

async function timed<T>(work: () => Promise<T> | T): Promise<[T, number]> {
  const began = performance.now();
  const value = await work();
  return [value, performance.now() - began];
}

async function listed(root: string): Promise<number> {
  const { files } = await readProjectFiles(root);
  return contractGroups(await readProject(files)).length;
}

function heapUsed(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed / 1_048_576;
}

async function measure(): Promise<void> {
  const root = mkdtempSync(path.join(tmpdir(), 'tonwb-bench-'));
  try {
    writeProject(root);
    const before = heapUsed();
    const { files } = await readProjectFiles(root);
    const project = await readProject(files);
    const heap = heapUsed() - before;
    // From here on, the disk is warm, and the code is compiled.
    const found = await listed(root);
    if (found !== contracts) {
      throw new Error(`${found} contracts found`);
    }
    const times: number[] = [];
    const bare: number[] = [];
    const reads: number[] = [];
    for (let round = 0; round < 5; round++) {
      times.push((await timed(() => listed(root)))[1]);
      bare.push((await timed(() => readdirSync(root, { recursive: true })))[1]);
      reads.push(
        (await timed(() => files.map((file) => readFileSync(path.join(root, file.path), 'utf8'))))[1],
      );
    }
    const of = `${contractGroups(project).length} contracts in ${all} files`;
    report([
      {
        name: `projects: list of ${of}`,
        ours: median(times),
        peer: median(bare) + median(reads),
        peerName: 'a bare recursive readdir, and reading those files',
        unit: 'ms',
        goal: '<= 300 ms',
      },
      { name: `projects: reading its ${files.length} files with contracts`, ours: median(reads), unit: 'ms' },
      { name: 'projects: memory of all that is listed', ours: heap, unit: 'MiB', goal: '<= 50 MiB' },
    ]);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

await measure();
