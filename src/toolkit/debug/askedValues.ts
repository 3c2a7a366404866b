import { partOfField, valueOfField } from '../contracts/layouts/fieldPlaces';
import type { Recording } from '../recording/recording';
import { finalFailure, instructionAt, isOwnStep } from '../recording/recording';
import { depthAt, wordAt } from '../recording/followValue';
import type { ValuePart } from '../recording/valueParts';
import { cellIn, readWord, wholeValue } from '../recording/valueParts';
import { readBodyCell } from '../contracts/layouts/fittingLayout';
import type { DecodedBody } from '../contracts/opcodes/decodedBody';
import { knownValues, variablesOf } from '../sourceMap/knownValues';
import { placeAt } from '../sourceMap/mapSteps';
import type { VariableSlot } from '../sourceMap/sourceMap';
import { isLibraryFile } from '../sourceMap/sourceMap';
import { inSlot, sendSteps } from './messageSends';
import type { RunView } from './runView';

/** What a question is about: a value on the stack, or in a register, and what it is called. */
export interface AskedValue {
  /** Index of its execution. */
  thread: number;
  step: number;
  /** Slot of the stack before the step, counted from the bottom, or a register. */
  in: number | 'c4' | 'c7';
  part: ValuePart;
  /** As the source calls it, if it does. */
  name?: string | undefined;
  kind?: VariableSlot['kind'];
}

/** Where names that are looked for no longer are on the stack: how far back. */
const farthest = 2_000;

/**
 * What a name stands for at a step: `amount`, `s2`, `c4.total`, a global; a text that says why it cannot be asked.
 *
 * @param now the step at which registers are read
 */
export function askedValue(
  view: RunView,
  thread: number,
  step: number,
  path: string,
  now = step,
): AskedValue | string {
  const at = { thread, step, part: wholeValue, name: path };
  const [, slot] = /^s(\d{1,3})$/.exec(path) ?? [];
  const depth = depthAt(view.recording, step);
  if (slot !== undefined && Number(slot) < depth) {
    const own = slotName(view, step, depth - 1 - Number(slot));
    return { ...at, in: depth - 1 - Number(slot), ...(own ?? {}) };
  }
  const [head = '', ...rest] = path.split('.');
  if (head === 'c4') {
    return ofStorage(view, { ...at, step: now }, rest);
  }
  const global = view.run.lines?.map.globals.find(({ name }) => name === head);
  if (global !== undefined) {
    const field = rest.length === 0 ? [] : [global.fields.indexOf(rest.join('.'))];
    return field[0] === -1
      ? `there is no ${rest.join('.')} in ${head}`
      : { ...at, step: now, in: 'c7', part: { path: [global.index, ...field] } };
  }
  return ofVariable(view, at, path);
}

function ofStorage(view: RunView, at: Omit<AskedValue, 'in'>, rest: readonly string[]): AskedValue | string {
  const cell = view.run.registers?.before(at.step).c4;
  const body = cell && view.run.readStorage(cell);
  if (rest.length === 0) {
    return { ...at, in: 'c4' };
  }
  const part = body && partOfField(body, rest.join('.'));
  if (body === undefined || part === undefined) {
    return body === undefined
      ? 'the layout of the data is not known'
      : `there is no field ${rest.join('.')} in the data that lies by itself`;
  }
  const value = valueOfField(body, rest.join('.'));
  const kind = value?.type === 'coins' ? (value.isJetton === true ? 'jettons' : 'coins') : undefined;
  return { ...at, in: 'c4', part, kind };
}

function ofVariable(view: RunView, at: Omit<AskedValue, 'in'>, path: string): AskedValue | string {
  const { lines } = view.run;
  const known = lines && knownValues(lines, view.calls, at.step).find((one) => one.path === path);
  if (lines === undefined || known === undefined) {
    return 'nothing is known of it here';
  }
  const { kind } = known;
  if (known.from === 'message') {
    const body = bodyAtStart(view);
    const [, ...field] = path.split('.');
    const part = body && partOfField(body, field.join('.'));
    const depth = depthAt(view.recording, 0);
    return part === undefined
      ? 'it is read from the received message, in which its place is not known'
      : { ...at, step: 0, in: depth - 2, part, kind };
  }
  if (known.from === 'caller') {
    return 'it is a variable of the caller: ask there';
  }
  for (let step = at.step; step >= Math.max(0, at.step - farthest); step -= 1) {
    const names = lines.map.names[lines.names[step] ?? -1];
    const index = names?.lastIndexOf(known.slot) ?? -1;
    if (names !== undefined && index >= 0 && view.calls.at[step] === view.calls.at[at.step]) {
      const slot = depthAt(view.recording, step) - names.length + index;
      if (wordAt(view.recording, { step, slot }) === known.word) {
        return { ...at, step, in: slot, kind };
      }
    }
  }
  return 'it is no longer known where it was on the stack';
}

/** What the source calls a slot of the stack before a step. */
export function slotName(
  { recording, run: { lines } }: RunView,
  step: number,
  slot: number,
): { name: string; kind?: VariableSlot['kind'] } | undefined {
  const names = lines?.map.names[lines.names[step] ?? -1];
  const name = names?.[slot - (depthAt(recording, step) - names.length)];
  if (lines === undefined || name === undefined || name === '' || name.startsWith("'")) {
    return undefined;
  }
  const place = placeAt(lines, step);
  if (place !== undefined && isLibraryFile(place.file)) {
    return undefined;
  }
  const [head] = name.split('.', 1);
  const slots = variablesOf(lines.map, place).findLast((one) => one.name === head)?.slots;
  const own = slots?.find((one) => one.slot === name);
  return { name: own?.path ?? name, kind: own?.kind };
}

/** The received body by its layout in the contract's sources; undefined if none fits. */
export function bodyAtStart({ recording, run: { lines } }: RunView): DecodedBody | undefined {
  const depth = depthAt(recording, 0);
  const cell = cellIn(readWord(wordAt(recording, { step: 0, slot: depth - 2 })));
  const layouts = lines?.map.layouts;
  return cell === undefined || layouts === undefined || depth < 5
    ? undefined
    : readBodyCell(cell, [layouts], () => true);
}

/** The operands of what failed: of the instruction that threw, or the value that could not be sent or reserved. */
export function askedOfFailure(view: RunView, thread: number): AskedValue[] {
  const { recording, failedStep } = view;
  if (failedStep === undefined) {
    return [];
  }
  if (finalFailure(recording) === undefined) {
    return askedOfAction(recording, thread, failedStep);
  }
  const step = isOwnStep(recording, failedStep) ? failedStep - 1 : failedStep;
  const depth = depthAt(recording, step);
  const isCheck = /^THROW(?:ANY)?IF/.test(instructionAt(recording, step));
  const count = isCheck ? 1 : /^THROW \d/.test(instructionAt(recording, step)) ? 0 : 2;
  return Array.from({ length: Math.min(count, depth) }, (_, index) => ({
    ...{ thread, step, in: depth - 1 - index, part: wholeValue },
    ...(isCheck ? { name: 'the condition' } : (slotName(view, step, depth - 1 - index) ?? {})),
  }));
}

/** The amount of an action that failed. */
function askedOfAction(recording: Recording, thread: number, step: number): AskedValue[] {
  const below = { RAWRESERVE: 2, RAWRESERVEX: 3 }[instructionAt(recording, step)];
  const at = { thread, step, kind: 'coins' } as const;
  if (below !== undefined) {
    const slot = depthAt(recording, step) - below;
    return [{ ...at, in: slot, part: wholeValue, name: 'the amount that was reserved' }];
  }
  const send = sendSteps(recording).find((one) => one.step === step);
  return send?.parts.value === undefined
    ? []
    : [{ ...at, in: send.slot, part: inSlot(send, send.parts.value), name: 'the value that was sent' }];
}
