import assert from 'node:assert/strict';
import { beginCell, Cell } from '@ton/core';
import { followRegisters } from '../../../src/toolkit/recording/followRegisters';
import { followRegister } from '../../../src/toolkit/recording/followValue';
import { recordExecution } from '../../../src/toolkit/recording/recordExecution';
import type { Recording } from '../../../src/toolkit/recording/recording';

const code = beginCell().storeUint(5, 64).endCell();
const hash = code.hash().toString('hex').toUpperCase();
const cellOf = (value: number): Cell => beginCell().storeUint(value, 32).endCell();
const printed = (cell: Cell): string => `C{${cell.toBoc().toString('hex').toUpperCase()}}`;

/** A log of instructions, each at an offset of its own or 32 bits after the one before, with the stacks before them. */
function record(
  ...steps: readonly (readonly [instruction: string, stack?: string, offset?: number])[]
): Recording {
  const thrown = steps.findIndex(([name]) => name === 'THROW 99');
  const log = steps.map(([instruction, stack = '', offset], index) =>
    instruction.startsWith('handling') || instruction.startsWith('default')
      ? instruction
      : `stack: [ ${stack} ] \ncode cell hash: ${hash} offset: ${offset ?? 32 * index}\nexecute ${instruction}\ngas remaining: ${1000 - index - (thrown >= 0 && index >= thrown ? 84 : 0)}`,
  );
  const vmSteps = steps.filter(([instruction]) => !instruction.startsWith('default')).length;
  return recordExecution(`${log.join('\n')}\n`, { gasAtStart: 1000, gasUsed: 100, vmSteps });
}

/** The continuation of code at an offset that brings along c4: VmCont of the VM's stack schema. */
function handler(offset: number, c4?: Cell): string {
  const value = c4 && beginCell().storeUint(3, 8).storeRef(c4);
  // A dictionary with one entry, key 4 of 4 bits: an hml_long label, then the value.
  const dictionary =
    value && beginCell().storeUint(0b10, 2).storeUint(4, 3).storeUint(4, 4).storeBuilder(value).endCell();
  return `Cont{${beginCell()
    .storeUint(0, 4)
    .storeMaybeRef(dictionary)
    .storeBit(false)
    .storeRef(code)
    .storeUint(offset, 10)
    .storeUint(64, 10)
    .storeUint(0, 6)
    .endCell()
    .toBoc()
    .toString('hex')
    .toUpperCase()}}`;
}

const start = {
  c4: cellOf(1),
  c5: Cell.EMPTY,
  c7: [{ type: 'tuple', items: [] } as const, { type: 'int', value: 7n } as const],
};

describe('registers of a recording', () => {
  it('change after the instruction that writes them', () => {
    const history = followRegisters(
      record(['POP c4', printed(cellOf(2))], ['SETGLOB 3', '-5'], ['POP c5', printed(cellOf(9))], ['NOP']),
      start,
    );
    assert.ok(history.before(0).c4?.equals(cellOf(1)));
    assert.ok(history.before(1).c4?.equals(cellOf(2)));
    assert.equal(history.before(1).c7, start.c7);
    assert.deepEqual(history.before(2).c7?.slice(1), [
      { type: 'int', value: 7n },
      { type: 'null' },
      { type: 'int', value: -5n },
    ]);
    assert.ok(history.before(2).c5?.equals(Cell.EMPTY));
    assert.ok(history.committed().c5?.equals(cellOf(9)));
  });

  it('are those of the handler when TRY catches an exception', () => {
    const body = [
      ['POP c4', printed(cellOf(3))],
      ['POP c5', printed(cellOf(4))],
      ['LDU 8', 'CS{}'],
      ['handling exception code 9: cell underflow'],
      ['NOP', '', 500],
    ] as const;
    const saving = handler(500, cellOf(2));
    const history = followRegisters(record(['TRY', saving], ...body), start);
    assert.ok(history.before(3).c4?.equals(cellOf(3)));
    assert.ok(history.before(5).c4?.equals(cellOf(2)));
    // What the handler does not bring along stays.
    assert.ok(history.before(5).c5?.equals(cellOf(4)));
    // Of two TRYs, the one whose handler goes on.
    const nested = followRegisters(
      record(['TRY', handler(500)], ['TRY', handler(600, cellOf(2))], ...body),
      start,
    );
    assert.ok(nested.before(6).c4?.equals(cellOf(3)));
    // The log says nothing about a THROW that is caught; it uses more gas.
    const thrown = body.map((step) => (step[0] === 'LDU 8' ? (['THROW 99'] as const) : step));
    const quiet = followRegisters(
      record(['TRY', saving], ...thrown.filter(([name]) => !name.startsWith('h'))),
      start,
    );
    assert.ok(quiet.before(4).c4?.equals(cellOf(2)));
  });

  it('are unknown after an exception that an unknown handler caught', () => {
    const steps = [
      ['LDU 8', 'CS{}'],
      ['handling exception code 9: cell underflow'],
      ['NOP', '', 500],
    ] as const;
    assert.equal(followRegisters(record(...steps), start).before(2).c4, undefined);
    assert.equal(followRegisters(record(['TRY', 'Cont{00}'], ...steps), start).before(3).c4, undefined);
  });

  it('are not written by an instruction that fails', () => {
    const history = followRegisters(
      record(
        ['SENDRAWMSG', '1 2'],
        ['handling exception code 7: type check error'],
        ['default exception handler, terminating vm with exit code 7'],
      ),
      start,
    );
    assert.ok(history.before(2).c5?.equals(Cell.EMPTY));
  });

  it('are handed over as they were committed if an exception ends the execution', () => {
    const steps = [
      ['POP c4', printed(cellOf(2))],
      ['COMMIT'],
      ['POP c4', printed(cellOf(3))],
      ['THROW 42'],
    ] as const;
    const end = (code: number) =>
      [`default exception handler, terminating vm with exit code ${code}`] as const;
    assert.ok(
      followRegisters(record(...steps, end(42)), start)
        .committed()
        .c4?.equals(cellOf(2)),
    );
    const [first, , ...uncommitted] = steps;
    assert.ok(
      followRegisters(record(first, ...uncommitted, end(42)), start)
        .committed()
        .c4?.equals(cellOf(1)),
    );
    // Codes 0 and 1 mean success.
    assert.ok(
      followRegisters(record(...steps, end(1)), start)
        .committed()
        .c4?.equals(cellOf(3)),
    );
  });

  it('are unknown where the log does not tell, until they are written anew', () => {
    const cut = record(['NOP'], ['SETGLOB 1', '5'], ['POP c4', printed(cellOf(2))], ['NOP']);
    const lost = followRegisters({ ...cut, stepsMissing: 3 }, start);
    assert.deepEqual(lost.before(2), { c4: undefined, c5: undefined, c7: undefined });
    assert.ok(lost.before(3).c4?.equals(cellOf(2)));
    const child = followRegisters(record(['NOP'], ['RUNVM 0', '0'], ['NOP']), start);
    assert.ok(child.before(1).c4?.equals(cellOf(1)));
    assert.equal(child.before(2).c4, undefined);
  });

  it('are where a value comes from only if nothing can have written them unseen', () => {
    const endOf = (recording: Recording): string =>
      followRegister(recording, recording.steps, 'c4', { path: [] }).end.kind;
    const nop = ['NOP'] as const;
    assert.equal(endOf(record(nop)), 'register');
    assert.equal(endOf({ ...record(nop), stepsMissing: 3 }), 'unknown');
    assert.equal(endOf(record(['SAVECTR c4'], nop)), 'unknown');
    assert.equal(endOf(record(['SETCONTCTR c4', `${printed(cellOf(2))} Cont{00}`], nop)), 'unknown');
    assert.equal(endOf(record(['SETCONTCTR c4', '0 Cont{00}'], ['SWAP'], ['TRY', handler(500)])), 'register');
    // What failed has written nothing.
    const failed = record(
      ['POP c4', '1'],
      ['handling exception code 7: type check error'],
      ['default exception handler, terminating vm with exit code 7'],
    );
    assert.equal(endOf(failed), 'register');
  });

  it('are found in long executions, too', () => {
    const steps = Array.from({ length: 30_000 }, (_, index) => ['SETGLOB 1', String(index)] as const);
    const history = followRegisters(record(...steps), start);
    assert.deepEqual(history.before(steps.length).c7?.[1], { type: 'int', value: 29_999n });
    assert.deepEqual(history.before(15_000).c7?.[1], { type: 'int', value: 14_999n });
  });
});
