import { Cell } from '@ton/core';
import { WalletContractV5R1 } from '@ton/ton';
import { bocTree } from '../src/toolkit/cell/boc';
import { describeBoc } from '../src/toolkit/contracts/opcodes/describeBoc';
import { disassembleCode } from '../src/toolkit/cell/disassembleCode';
import { readBoc } from '../src/toolkit/cell/readBoc';
import { cpuTime } from './support/cpuTime';
import { report } from './support/report';
import type { BenchRow } from './support/report';

/** A tree of `count` cells with four references and 64 bytes of data each, as a BoC of about 67 bytes per cell. */
function treeBoc(count: number): Buffer {
  const header = Buffer.from('b5ee9c720403' + hex(count, 4) + hex(1, 4) + hex(0, 4), 'hex');
  const parts: Buffer[] = [];
  for (let cell = 0; cell < count; cell++) {
    const children = [1, 2, 3, 4].map((n) => cell * 4 + n).filter((child) => child < count);
    const data = Buffer.alloc(64);
    data.writeUInt32BE(cell);
    parts.push(Buffer.from([children.length, 128]), data);
    parts.push(Buffer.from(children.map((child) => hex(child, 4)).join(''), 'hex'));
  }
  const cells = Buffer.concat(parts);
  return Buffer.concat([header, Buffer.from(hex(cells.length, 3) + hex(0, 4), 'hex'), cells]);
}

const hex = (value: number, bytes: number): string => value.toString(16).padStart(bytes * 2, '0');

for (const count of [15_000, 145_000]) {
  const bytes = treeBoc(count);
  const size = `${(bytes.length / 1e6).toFixed(1)} MB BoC, ${count.toLocaleString('en')} cells`;
  const runs = count > 100_000 ? 3 : 7;
  const peer = cpuTime(runs, () => Cell.fromBoc(bytes));
  const row = (what: string, work: () => unknown, goal?: string): BenchRow => ({
    name: `${size}: ${what}`,
    ours: cpuTime(runs, work),
    peer,
    peerName: '@ton/core Cell.fromBoc',
    unit: 'ms',
    ...(goal === undefined ? {} : { goal }),
  });
  report([
    row('read and check', () => readBoc(bytes)),
    row("read, with the root's hash", () => readBoc(bytes).hash(0)),
    row('first screen of the tree (200 lines)', () => bocTree(readBoc(bytes), { limit: 200 }), '<= 0.1'),
    row('the whole document', () => describeBoc(readBoc(bytes))),
  ]);
}

const code = WalletContractV5R1.create({ publicKey: Buffer.alloc(32) }).init.code;
const disassemble = async (): Promise<number> => {
  const began = performance.now();
  await disassembleCode(code);
  return performance.now() - began;
};
report([
  { name: 'disassemble wallet v5, with loading', ours: await disassemble(), unit: 'ms' },
  { name: 'disassemble wallet v5, again', ours: await disassemble(), unit: 'ms' },
]);
