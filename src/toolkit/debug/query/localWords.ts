import { variablesOf } from '../../sourceMap/knownValues';
import type { SourceMap, SourceVariable, VariableSlot } from '../../sourceMap/sourceMap';
import type { RunView } from '../runView';

/** A slot of the stack that has a wanted name. */
interface NamedSlot extends Pick<VariableSlot, 'kind' | 'cell'> {
  /** As the source names it. */
  path: string;
  /** Entries of the stack above it. */
  above: number;
  /** The variable that declares it; undefined if only the compiler's names are known. */
  variable: SourceVariable | undefined;
  /** It is named by its place on the stack alone: `s0`. */
  isEntry?: true;
}

/** What a variable had last in a call of its function. */
export interface LocalWord extends Pick<VariableSlot, 'kind' | 'cell'> {
  /** As the VM's log prints it. */
  word: string;
  variable: SourceVariable | undefined;
}

/**
 * Follows the variables with some names through an execution, step by step: only what is on the stack under these names
 * is read, so that a long execution takes milliseconds.
 */
export class LocalWords {
  readonly #slots = new Map<number, readonly NamedSlot[]>();
  readonly #last = new Map<number, Map<string, LocalWord>>();
  /** By call, from -1: the last place in it. */
  readonly #places: Int32Array;

  /** @param paths names as expressions have them: `left`, `here.low`, `s0` */
  constructor(
    private readonly view: RunView,
    private readonly paths: readonly string[],
  ) {
    this.#places = new Int32Array(view.calls.list.length + 1).fill(-1);
  }

  /**
   * Reads the stack before a step. Steps are given in their order.
   * @returns whether one of the values is another than it was last in the same call of the function
   */
  moveTo(step: number): boolean {
    const { lines } = this.view.run;
    const at = this.view.calls.at[step] ?? -1;
    const own = lines?.place[step] ?? -1;
    const place = own >= 0 ? own : this.placeOf(at);
    this.#places[at + 1] = place;
    const slots = this.#slotsAt(lines?.names[step] ?? -1, place);
    if (slots.length === 0) {
      return false;
    }
    const words = this.#last.get(at) ?? new Map<string, LocalWord>();
    this.#last.set(at, words);
    let hasChanged = false;
    for (const { path, above, variable, kind, cell, isEntry } of slots) {
      const word = wordFromTop(this.view, step, above);
      const before = words.get(path);
      if (word === undefined) {
        if (isEntry === true) {
          words.delete(path);
        }
      } else if (before?.word !== word || before.variable !== variable) {
        words.set(path, { word, variable, kind, cell });
        hasChanged = true;
      }
    }
    return hasChanged;
  }

  /** The values of the variables that can be named where a call of a function is, by their names. */
  known(call: number): ReadonlyMap<string, LocalWord> {
    const line = this.view.run.lines?.map.places[this.placeOf(call)]?.line ?? 0;
    const isInScope = ({ variable }: LocalWord): boolean =>
      variable === undefined || (variable.line <= line && line <= variable.end);
    return new Map([...(this.#last.get(call) ?? [])].filter(([, word]) => isInScope(word)));
  }

  /** The place in its function where a call is, by its number in the map; -1 if none is known. */
  placeOf(call: number): number {
    return this.#places[call + 1] ?? -1;
  }

  #slotsAt(names: number, place: number): readonly NamedSlot[] {
    const key = (names + 1) * ((this.view.run.lines?.map.places.length ?? 0) + 1) + place + 1;
    const known = this.#slots.get(key);
    if (known !== undefined) {
      return known;
    }
    const found = this.#findSlots(names, place);
    this.#slots.set(key, found);
    return found;
  }

  #findSlots(number: number, place: number): readonly NamedSlot[] {
    const entries = this.paths.flatMap((path): NamedSlot[] => {
      const [, slot] = /^s(\d{1,3})$/.exec(path) ?? [];
      return slot === undefined ? [] : [{ path, above: Number(slot), variable: undefined, isEntry: true }];
    });
    const { map } = this.view.run.lines ?? {};
    const names = map?.names[number];
    if (map === undefined || names === undefined) {
      return entries;
    }
    const found = new Map<string, NamedSlot>();
    // A name that stands for several slots is the one nearest to the top.
    for (const [index, name] of names.entries()) {
      const slot = name === '' ? undefined : this.#slotNamed(map, name, place);
      if (slot !== undefined) {
        found.set(slot.path, { ...slot, above: names.length - 1 - index });
      }
    }
    return [...found.values(), ...entries];
  }

  #slotNamed(map: SourceMap, name: string, number: number): Omit<NamedSlot, 'above'> | undefined {
    const [head = ''] = name.split('.', 1);
    const place = map.places[number];
    const line = place?.line ?? 0;
    const variable = variablesOf(map, place).findLast(
      (one) => one.name === head && one.line <= line && line <= one.end,
    );
    if (variable === undefined && map.variables !== undefined && place?.function !== undefined) {
      return undefined;
    }
    const own = variable?.slots.find((one) => one.slot === name);
    const path = own?.path ?? name;
    const isWanted = this.paths.some(
      (one) => one === path || one.startsWith(`${path}.`) || path.startsWith(`${one}.`),
    );
    return isWanted ? { path, variable, kind: own?.kind, cell: own?.cell } : undefined;
  }
}

/** An entry of the stack before a step, counted from its top; undefined if there are not so many. */
function wordFromTop({ recording }: RunView, step: number, above: number): string | undefined {
  const { log, stack } = recording;
  const first = stack[2 * step] ?? 0;
  let left = above;
  let depth = 0;
  let end = -1;
  for (let at = (stack[2 * step + 1] ?? 0) - 1; at >= first - 1; at -= 1) {
    const code = at < first ? space : log.charCodeAt(at);
    if (code === space && depth === 0) {
      if (end >= 0) {
        if (left === 0) {
          return log.slice(at + 1, end);
        }
        left -= 1;
        end = -1;
      }
      continue;
    }
    end = end < 0 ? at + 1 : end;
    if (code === 0x29 || code === 0x5d || code === 0x7d) {
      depth += 1;
    } else if (code === 0x28 || code === 0x5b || code === 0x7b) {
      depth -= 1;
    }
  }
  return undefined;
}

const space = 0x20;
