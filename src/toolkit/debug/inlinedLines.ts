import type { Activation } from '../sourceMap/sourceFunctions';
import type { Activations } from '../sourceMap/activations';
import { InlinedCalls } from '../sourceMap/sourceFunctions';
import type { MappedSteps } from '../sourceMap/mapSteps';
import type { SourceCall, SourcePlace } from '../sourceMap/sourceMap';

/** An execution with the functions and the lines of its steps. */
interface Followed {
  run: { lines: MappedSteps | undefined };
  calls: Activations;
  line: Int32Array;
}

/**
 * The lines at which functions are called that the compiler has put into their callers: no instruction is of those
 * lines.
 */
export class InlinedLines {
  readonly #calls: InlinedCalls | undefined;
  /** By caller and name. */
  #copies: Map<string, Activation[]> | undefined;

  constructor(private readonly view: Followed) {
    const { lines } = view.run;
    this.#calls = lines && new InlinedCalls(lines, view.calls.list);
  }

  /**
   * The lines at which an inlined function can have been called: one if the source has one such call between the lines
   * that ran before and after, or if the calls ran in its order.
   *
   * @param before the caller's last step before
   */
  linesOf(inlined: Activation, before: number): readonly number[] {
    const place = this.#placeAt(before);
    const caller = this.view.calls.list[inlined.parent];
    if (place === undefined || caller === undefined) {
      return [];
    }
    const known = this.#calls?.callsIn(caller, inlined.name) ?? [];
    const next = this.#stepAfter(inlined, place.file);
    const end = this.#placeAt(next)?.line ?? Infinity;
    const last = end >= place.line ? end : Infinity;
    const possible = known.filter(({ line }) => line >= place.line && line <= last);
    const lines = [...new Set(possible.map(({ line }) => line))];
    if (lines.length < 2) {
      return lines;
    }
    const copies = this.#copiesOf(inlined);
    const between = copies.filter(({ first }) => first > before && first < next);
    const line = lineInOrder(known, copies, inlined) ?? lineInOrder(possible, between, inlined);
    return line === undefined ? lines : [line];
  }

  #placeAt(step: number): SourcePlace | undefined {
    return this.view.run.lines?.map.places[this.view.line[step] ?? -1];
  }

  /** The times that a caller ran an inlined function. */
  #copiesOf({ parent, name }: Activation): readonly Activation[] {
    const keyOf = (one: Pick<Activation, 'parent' | 'name'>): string => `${one.parent} ${one.name}`;
    if (this.#copies === undefined) {
      this.#copies = new Map();
      for (const one of this.view.calls.list) {
        const same = this.#copies.get(keyOf(one));
        same?.push(one);
        this.#copies.set(keyOf(one), same ?? [one]);
      }
    }
    return this.#copies.get(keyOf({ parent, name })) ?? [];
  }

  /** The step with which the caller goes on; that behind the last if it does not. */
  #stepAfter({ parent, first }: Activation, file: string): number {
    const { calls, line } = this.view;
    for (let step = first; step < line.length; step += 1) {
      if (calls.at[step] === parent && this.#placeAt(step)?.file === file) {
        return step;
      }
    }
    return line.length;
  }
}

/** The line of one of several calls that ran as often as they are written, one after the other. */
function lineInOrder(
  calls: readonly SourceCall[],
  ran: readonly Activation[],
  one: Activation,
): number | undefined {
  const [first] = calls;
  const isInOrder =
    first?.block !== undefined &&
    ran.length === calls.length &&
    calls.every(({ block, isRepeated }) => block === first.block && !isRepeated);
  return isInOrder ? calls[ran.indexOf(one)]?.line : undefined;
}
