import { Cell } from '@ton/core';
import { WalletContractV5R1 } from '@ton/ton';
import { bocTree } from '../src/toolkit/cell/bocTree';
import { describeBoc } from '../src/toolkit/cell/describeBoc';
import { disassembleCode } from '../src/toolkit/cell/disassembleCode';
import { readBoc } from '../src/toolkit/cell/readBoc';
import { median } from './support/median';
import type { BenchRow } from './support/report';
import { report } from './support/report';

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

/** Milliseconds, the median of several runs. */
function time(runs: number, work: () => unknown): number {
  const times = Array.from({ length: runs }, () => {
    const began = performance.now();
    work();
    return performance.now() - began;
  });
  return median(times);
}

const rows: BenchRow[] = [];

function line(what: string, ours: number, theirs?: number): void {
  const peer = theirs === undefined ? {} : { peer: theirs, peerName: '@ton/core' };
  rows.push({ name: `cells: ${what}`, ours, ...peer, unit: 'ms' });
}

for (const count of [15_000, 145_000]) {
  const bytes = treeBoc(count);
  const size = `${(bytes.length / 1e6).toFixed(1)} MB, ${count} cells`;
  const runs = count > 100_000 ? 3 : 5;
  const core = time(runs, () => Cell.fromBoc(bytes));
  line(
    `${size}: read and check`,
    time(runs, () => readBoc(bytes)),
    core,
  );
  line(
    `${size}: with the root's hash`,
    time(runs, () => {
      const boc = readBoc(bytes);
      return boc.hash(0);
    }),
    core,
  );
  line(
    `${size}: first screen (200 lines)`,
    time(runs, () => bocTree(readBoc(bytes), { limit: 200 })),
    core,
  );
  line(
    `${size}: whole document`,
    time(runs, () => describeBoc(readBoc(bytes))),
    core,
  );
}

const code = WalletContractV5R1.create({ publicKey: Buffer.alloc(32) }).init.code;
const began = performance.now();
await disassembleCode(code);
line('disassemble wallet v5, first time', performance.now() - began);
const again = performance.now();
await disassembleCode(code);
line('disassemble wallet v5, again', performance.now() - again);
report(rows);
