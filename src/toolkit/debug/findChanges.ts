import { Cell } from '@ton/core';
import type { Registers } from '../recording/followRegisters';
import type { VmValue } from '../recording/vmValue';
import { namedWords } from '../sourceMap/namedValues';
import { isTurnOver, nextTurn } from '../turns';
import { globalOf } from './globalOf';
import type { RunView } from './runView';
import type { WatchedData } from './watchedData';

/** The first steps that see another value, ascending. */
export function findChanges(view: RunView, data: WatchedData): Promise<number[]> {
  return data.kind === 'name'
    ? nameChanges(view, data)
    : registerChanges(view, (registers) => readRegister(registers, data));
}

function readRegister(
  registers: Registers | undefined,
  data: Exclude<WatchedData, { kind: 'name' }>,
): Registers['c4' | 'c7'] | VmValue {
  return data.kind === 'global' ? globalOf(registers?.c7, data.index, data.part) : registers?.[data.kind];
}

async function registerChanges(
  { recording, run, steps }: RunView,
  read: (registers: Registers | undefined) => unknown,
): Promise<number[]> {
  const after = [...recording.writes, ...recording.exceptions.map(({ step }) => step)].map(
    (step) => step + 1,
  );
  const changes: number[] = [];
  let before = shown(read(run.registers?.before(0)));
  for (const step of [...new Set(after)].sort((one, other) => one - other)) {
    if (step < steps) {
      const now = shown(read(run.registers?.before(step)));
      if (now !== before) {
        changes.push(step);
      }
      before = now;
    }
    if (isTurnOver()) {
      await nextTurn();
    }
  }
  return changes;
}

/** Equal values have equal texts; cells are equal if their hashes are. */
function shown(value: unknown): string {
  return value === undefined
    ? 'unknown'
    : JSON.stringify(value instanceof Cell ? hashOf(value) : value, (_, part: unknown) =>
        typeof part === 'bigint' ? String(part) : part instanceof Cell ? hashOf(part) : part,
      );
}

function hashOf(cell: Cell): string {
  return cell.hash().toString('hex');
}

/** Compares a variable, or each field of a struct, with its last value in the same run of the function. */
async function nameChanges(
  { calls, steps, run }: RunView,
  { function: around, name }: Extract<WatchedData, { kind: 'name' }>,
): Promise<number[]> {
  const { lines } = run;
  const changes: number[] = [];
  /** By run of the function: the last values of the variable and of its fields. */
  const last = new Map<number, Map<string, string>>();
  for (let step = 0; lines !== undefined && step < steps; step += 1) {
    const at = calls.at[step] ?? -1;
    if (calls.list[at]?.name === around) {
      const known = last.get(at) ?? new Map<string, string>();
      last.set(at, known);
      let hasChanged = false;
      for (const [field, word] of namedWords(lines, step)) {
        if (field === name || field.startsWith(`${name}.`)) {
          hasChanged ||= known.has(field) && known.get(field) !== word;
          known.set(field, word);
        }
      }
      if (hasChanged) {
        changes.push(step);
      }
    }
    if (isTurnOver()) {
      await nextTurn();
    }
  }
  return changes;
}
