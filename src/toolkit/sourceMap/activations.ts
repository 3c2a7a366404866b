import { instructionAt } from '../recording/recording';
import type { Recording } from '../recording/recording';
import type { Activation } from './sourceFunctions';
import { InlinedCalls } from './sourceFunctions';
import { placeAt } from './mapSteps';
import type { MappedSteps } from './mapSteps';

/** Which functions run at each step. */
export interface Activations {
  readonly list: readonly Activation[];
  /** By step: index of the innermost one; -1 for what selects the method. */
  readonly at: Int32Array;
}

const calls = /^(?:CALL|EXECUTE|JMPX|INLINECALL)/;
const returns = /^(?:implicit )?RET/;

/**
 * Follows the calls of an execution. Where lines are known, by them: functions are often inlined, so that no instruction
 * calls them. A function that is not running begins when one of its lines runs, and ends when a line of one of its
 * callers does, or one of a function that only they call. Elsewhere by the instructions: a call goes on in another cell, and its end comes back behind it.
 *
 * @param hasAssembly whether a step without a line belongs to code without a map, not to the selection of the method
 */
export function followCalls(
  recording: Recording,
  lines: MappedSteps | undefined,
  hasAssembly: (step: number) => boolean,
): Activations {
  const list: Activation[] = [];
  const at = new Int32Array(recording.steps).fill(-1);
  const inlined = lines && new InlinedCalls(lines, list);
  let current = -1;
  const begin = (name: string, file: string | undefined, first: number, isInlined: boolean): void => {
    list.push({ parent: current, name, file, first, isInlined });
    current = list.length - 1;
  };
  for (let step = 0; step < recording.steps; step += 1) {
    const place = lines && placeAt(lines, step);
    const wasCalled = step > 0 && calls.test(instructionAt(recording, step - 1));
    if (place !== undefined) {
      const { function: name = '(outside functions)', file } = place;
      const isEntry = lines?.entry[step] === 1;
      const running = isEntry ? -1 : runningOf(list, current, name, file);
      if (running >= 0 && inlined?.isNextCopy(running, step) !== true) {
        current = running;
      } else {
        const isInlined = !isEntry && !wasCalled;
        current =
          (isInlined
            ? inlined?.callerOf(running < 0 ? current : (list[running]?.parent ?? -1), name)
            : undefined) ?? current;
        begin(name, file, step, isInlined);
      }
      inlined?.note(current, step);
    } else if (hasAssembly(step)) {
      const back = returnedTo(recording, list, current, step);
      if (back !== undefined) {
        current = back;
      } else if (
        current < 0 ||
        list[current]?.file !== undefined ||
        (wasCalled && isElsewhere(recording, step))
      ) {
        begin(methodName(lines, step), undefined, step, false);
      }
    }
    // What selects a method that is called belongs to the caller.
    at[step] = current;
  }
  return { list, at };
}

function runningOf(list: readonly Activation[], from: number, name: string, file: string): number {
  for (let index = from; index >= 0; index = list[index]?.parent ?? -1) {
    if (list[index]?.name === name && list[index]?.file === file) {
      return index;
    }
  }
  return -1;
}

/** The caller that an assembly function has returned to: the step is behind the instruction that called it. */
function returnedTo(
  recording: Recording,
  list: readonly Activation[],
  current: number,
  step: number,
): number | undefined {
  if (step === 0 || !returns.test(instructionAt(recording, step - 1))) {
    return undefined;
  }
  const { cell, offset } = recording;
  for (let index = current; index >= 0; index = list[index]?.parent ?? -1) {
    const { parent, first } = list[index] ?? { parent: -1, first: 0 };
    const call = first - 1;
    if (parent >= 0 && cell[call] === cell[step] && (offset[step] ?? 0) > (offset[call] ?? 0)) {
      return parent;
    }
  }
  return undefined;
}

function isElsewhere({ cell, offset }: Recording, step: number): boolean {
  return cell[step] !== cell[step - 1] || (offset[step] ?? 0) < (offset[step - 1] ?? 0);
}

function methodName(lines: MappedSteps | undefined, step: number): string {
  return lines?.map.methods[lines.selected[step] ?? -1]?.name ?? 'code';
}
