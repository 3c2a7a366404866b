import assert from 'node:assert/strict';
import { Address, beginCell } from '@ton/core';
import type { Cell } from '@ton/core';
import { instructionAt, stackTextAt } from '../../../src/toolkit/recording/recording';
import { recordExecution } from '../../../src/toolkit/recording/recordExecution';
import { stepsText } from '../../../src/toolkit/recording/stepsText';

const [one, other] = ['AB'.repeat(32), 'CD'.repeat(32)];
const step = (stack: string, execute: string, gas: number, position?: string): string =>
  [
    `stack: [ ${stack === '' ? '' : `${stack} `}] `,
    ...(position === undefined ? [] : [`code cell hash: ${position}`]),
    `execute ${execute}`,
    `gas remaining: ${gas}`,
  ].join('\n');

const log = [
  step('', 'SETCP 0', 9974, `${one} offset: 0`),
  step('1', 'PUSHINT 3', 9956, `${one} offset: 16`),
  step('1 3', 'ACCEPT', 999930, `${other} offset: 0`).replace(
    'gas remaining',
    'changing gas limit to 1000000\ngas remaining',
  ),
  step('1 3', 'implicit RET', 999925),
].join('\n');

describe('a recording', () => {
  it('has position, gas, instruction, and stack of every step', () => {
    const recording = recordExecution(`${log}\n`, { gasAtStart: 10_000, gasUsed: 75, vmSteps: 4 });
    assert.deepEqual([recording.steps, recording.stepsMissing], [4, 0]);
    assert.deepEqual(recording.cells, [one.toLowerCase(), other.toLowerCase()]);
    assert.deepEqual([...recording.cell.subarray(0, 4)], [0, 0, 1, -1]);
    assert.deepEqual([...recording.offset.subarray(0, 4)], [0, 16, 0, 0]);
    // ACCEPT raises the limit by 990,000: that is not gas.
    assert.deepEqual([...recording.gas.subarray(0, 4)], [26, 18, 26, 5]);
    assert.deepEqual([...recording.gasAfter.subarray(0, 4)], [9974, 9956, 999930, 999925]);
    const instructions = [0, 1, 2, 3].map((index) => instructionAt(recording, index));
    assert.deepEqual(instructions, ['SETCP 0', 'PUSHINT 3', 'ACCEPT', 'implicit RET']);
    assert.deepEqual(
      [0, 1, 2].map((index) => stackTextAt(recording, index)),
      ['', '1', '1 3'],
    );
  });

  it('counts what the beginning of the log has lost, wherever it was cut', () => {
    const third = log.indexOf('stack: [ 1 3');
    for (let cut = log.indexOf('execute PUSHINT') + 1; cut <= third; cut += 1) {
      const recording = recordExecution(log.slice(cut), { gasAtStart: 10_000, gasUsed: 75, vmSteps: 4 });
      assert.deepEqual([recording.steps, recording.stepsMissing], [2, 2], `cut at ${cut}`);
      assert.equal(recording.gas[1], 5);
      assert.equal(recording.gasMissing, 70);
      assert.match([...stepsText(recording)][0]!, /^The first 2 steps \(70 gas\) are missing: /);
    }
    const nothing = recordExecution('', { gasAtStart: 10_000, gasUsed: 75, vmSteps: 4 });
    assert.deepEqual([nothing.steps, nothing.stepsMissing, nothing.gasMissing], [0, 4, 75]);
  });

  it('makes a step of an exception that no instruction threw, as the VM counts', () => {
    const failed = `${log}\nstack: [ CS{} ] \ncode cell hash: ${one} offset: 32\nexecute LDU 64\nhandling exception code 9: cell underflow\ndefault exception handler, terminating vm with exit code 9\n`;
    const recording = recordExecution(failed, { gasAtStart: 10_000, gasUsed: 75 + 76, vmSteps: 6 });
    assert.deepEqual([recording.steps, recording.stepsMissing], [6, 0]);
    assert.deepEqual(recording.exceptions, [{ step: 5, code: 9, words: 'cell underflow', isFinal: true }]);
    assert.equal(recording.gas[5], 76);
    const thrown = `${log}\n${step('', 'THROW 73', 999841, `${one} offset: 32`).replace('gas', 'default exception handler, terminating vm with exit code 73\ngas')}\n`;
    const last = recordExecution(thrown, { gasAtStart: 10_000, gasUsed: 159, vmSteps: 5 });
    assert.deepEqual(last.exceptions, [{ step: 4, code: 73, words: '', isFinal: true }]);
    assert.equal(last.gas[4], 84);
    assert.match([...stepsText(last)].at(-1)!, /exit code 73/);
  });

  it('has the instruction that ran out of gas, although the VM does not name it', () => {
    const out = `${log}\nstack: [ 1 ] \ncode cell hash: ${one} offset: 48\nunhandled out-of-gas exception: gas consumed=1000006, limit=1000000\n`;
    const recording = recordExecution(out, { gasAtStart: 10_000, gasUsed: 1_000_000, vmSteps: 6 });
    assert.deepEqual([recording.steps, recording.stepsMissing], [6, 0]);
    assert.equal(instructionAt(recording, 4), '');
    assert.equal(recording.offset[4], 48);
    assert.deepEqual(recording.exceptions, [{ step: 5, code: -14, words: '', isFinal: true }]);
    assert.equal(
      recording.gas.reduce((sum, gas) => sum + gas, 0),
      1_000_000,
    );
    assert.match([...stepsText(recording)].at(-3)!, /ran out of gas before/);
  });

  it('is listed with addresses as such, and other cells by the beginning of their data', () => {
    const hex = (cell: Cell): string =>
      cell.toBoc({ idx: false, crc32: false }).toString('hex').toUpperCase();
    const address = Address.parse('EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N');
    const owner = hex(beginCell().storeAddress(address).endCell());
    const cell = hex(beginCell().storeUint(1, 256).storeRef(beginCell()).endCell());
    const listed = recordExecution(`${step(`CS{${owner}} C{${owner}} C{${cell}} 7`, 'DROP', 9974)}\n`, {
      gasAtStart: 10_000,
      gasUsed: 26,
      vmSteps: 1,
    });
    const [, line] = [...stepsText(listed)];
    assert.match(line!, /DROP +26 +9974 {2}EQCD39…qB2N C\{\w{16}…\} C\{0{16}… \+1\} 7$/);
  });
});
