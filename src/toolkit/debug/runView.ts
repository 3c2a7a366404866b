import type { DebugProtocol } from '@vscode/debugprotocol';
import { createHash } from 'node:crypto';
import path from 'node:path';
import type { Recording } from '../recording/recording';
import { finalFailure } from '../recording/recording';
import type { Activations } from '../sourceMap/activations';
import { followCalls } from '../sourceMap/activations';
import type { Activation } from '../sourceMap/sourceFunctions';
import { placeAt } from '../sourceMap/mapSteps';
import { lastWord } from '../sourceMap/sourceFunctions';
import type { SourceLibrary } from '../sourceMap/sourceMap';
import type { AssemblyListing, ListedInstruction } from './assemblyListing';
import { listAssembly } from './assemblyListing';
import type { DebugProgram, DebugRun } from './debugProgram';
import { InlinedLines } from './inlinedLines';

/**
 * What a line is in: a file on this machine, the listing of the instructions that an execution ran, or a file of a
 * compiler's standard library.
 */
export type LineSource = { file: string } | { thread: number } | { library: number };

/** Listings are numbered from here: other references are those of a client's own documents. */
const firstListing = 1_000;
/** Files of standard libraries are numbered from here, by their contents: breakpoints in them outlive a session. */
const firstLibrary = 0x100_0000;
const mostLibraries = 0x4000_0000;

/** A source as a client names it. */
export function lineSource({ path: file = '', sourceReference = 0 }: DebugProtocol.Source): LineSource {
  if (sourceReference >= firstLibrary) {
    return { library: sourceReference };
  }
  return sourceReference >= firstListing
    ? { thread: sourceReference - firstListing }
    : { file: path.normalize(file) };
}

/** How a client names the listing of an execution. */
export function listingReference(thread: number): number {
  return firstListing + thread;
}

/** How a client names a file of a standard library. */
function libraryReference({ file, text }: SourceLibrary): number {
  const hash = createHash('sha256').update(`${file}\n${text}`).digest();
  return firstLibrary + (hash.readUInt32BE() % mostLibraries);
}

/** A line that a step is at: of a source, or of the listing of the instructions that ran. */
export interface LinePlace {
  /** As the source map names it; undefined for the listing. */
  file: string | undefined;
  /** From 1. */
  line: number;
}

/** A recorded execution, as a debugger looks at it: lines, functions, and where lines begin. */
export class RunView {
  readonly listing: AssemblyListing;
  readonly calls: Activations;
  /** By step: number of its line; -1 for steps that line-by-line stepping does not stop at. */
  readonly line: Int32Array;
  /** By step: 1 if a line begins there, 2 if it goes on behind a call. In assembly, each instruction is a line. */
  readonly starts: Uint8Array;
  /** How a client names the files of the standard library that lines are in. */
  readonly libraries: ReadonlyMap<string, number>;
  readonly inlined: InlinedLines;
  #executed: ReadonlyMap<string, ReadonlyMap<number, number>> | undefined;

  /** @param thread index of the execution in its program */
  constructor(
    readonly run: DebugRun,
    readonly recording: Recording,
    private readonly thread: number,
    private readonly pathOf: DebugProgram['pathOf'],
  ) {
    const { lines } = run;
    this.libraries = new Map(lines?.map.libraries.map((one) => [one.file, libraryReference(one)]));
    this.listing = listAssembly(recording);
    this.calls = followCalls(recording, lines, (step) => this.#isAssembly(step));
    const sources = lines?.map.places.length ?? 0;
    this.line = new Int32Array(recording.steps).fill(-1);
    this.starts = new Uint8Array(recording.steps);
    this.#findStarts(sources);
    this.inlined = new InlinedLines(this);
  }

  #findStarts(sources: number): void {
    const { recording, line, starts, calls } = this;
    const { cell, offset } = recording;
    /** By function: its last step with a line. */
    const last = new Map<number, number>();
    let before = -1;
    for (let step = 0; step < recording.steps; step += 1) {
      line[step] = this.#lineNumber(step, sources);
      const own = line[step] ?? -1;
      if (own < 0) {
        continue;
      }
      const at = calls.at[step] ?? -1;
      const previous = last.get(at) ?? -1;
      const isSameLine = previous >= 0 && line[previous] === own && own < sources;
      // A loop comes back to an instruction that has run.
      const isImplicit = cell[step] === -1;
      const goesOn =
        isSameLine &&
        (isImplicit || cell[step] !== cell[previous] || (offset[step] ?? 0) > (offset[previous] ?? 0));
      starts[step] = goesOn ? (calls.at[before] === at ? 0 : 2) : 1;
      if (!isImplicit) {
        last.set(at, step);
      }
      before = step;
    }
  }

  /** The lines of sources that ran, by file of this machine, each with how often it began: as often as a breakpoint stops. */
  executedLines(): ReadonlyMap<string, ReadonlyMap<number, number>> {
    this.#executed ??= this.#findExecuted();
    return this.#executed;
  }

  #findExecuted(): ReadonlyMap<string, ReadonlyMap<number, number>> {
    const { line, starts } = this;
    const places = this.run.lines?.map.places ?? [];
    const paths = new Map<string, string | undefined>();
    const found = new Map<string, Map<number, number>>();
    for (let step = 0; step < this.steps; step += 1) {
      const place = places[line[step] ?? -1];
      if (place === undefined) {
        continue;
      }
      if (!paths.has(place.file)) {
        paths.set(place.file, this.pathOf(place.file));
      }
      const path = paths.get(place.file);
      if (path !== undefined) {
        const lines = found.get(path) ?? new Map<number, number>();
        found.set(path, lines.set(place.line, (lines.get(place.line) ?? 0) + (starts[step] === 1 ? 1 : 0)));
      }
    }
    return found;
  }

  get steps(): number {
    return this.recording.steps;
  }

  /** The step that made it fail: it threw, or it added the action that failed. Undefined if none is certain to have. */
  get failedStep(): number | undefined {
    return finalFailure(this.recording)?.step ?? this.run.failedStep;
  }

  /** Whether some of its steps have source lines. */
  get hasLines(): boolean {
    return this.run.lines?.place.some((place) => place >= 0) === true;
  }

  /** Whether its source names the slots of the stack somewhere. */
  get hasNames(): boolean {
    return (this.run.lines?.map.names.length ?? 0) > 0;
  }

  /** The line of a step, also where stepping by lines does not stop. */
  placeOf(step: number): LinePlace | undefined {
    const place = this.run.lines && placeAt(this.run.lines, step);
    if (place !== undefined) {
      return place;
    }
    const listed = this.listing.at(step);
    return listed && { file: undefined, line: listed.line };
  }

  /** The lines of a source that instructions come from. */
  linesIn(source: LineSource): ReadonlySet<number> {
    const found = 'thread' in source ? this.#listedIn(source.thread) : this.#placesIn(source);
    return new Set(found.map(({ line }) => line));
  }

  /**
   * The steps at which a line of a source begins, but not where it only goes on behind a call; ascending. A line that is
   * nothing but calls of inlined functions begins with the first of them.
   */
  stepsAt(source: LineSource, line: number): number[] {
    if ('thread' in source) {
      const listed = this.#listedIn(source.thread).find((one) => one.line === line);
      return listed === undefined ? [] : this.stepsOf(listed);
    }
    const here = this.#placesIn(source).filter((place) => place.line === line);
    const numbers = new Set(here.map(({ number }) => number));
    return numbers.size === 0
      ? this.#inlinedFrom(source, line)
      : this.#stepsWhere((step) => this.starts[step] === 1 && numbers.has(this.line[step] ?? -1));
  }

  /** The first steps of the inlined functions that a line calls. */
  #inlinedFrom(source: Exclude<LineSource, { thread: number }>, line: number): number[] {
    return this.#calledFrom(source, line).flatMap(({ first, lines }) =>
      lines.length === 1 && lines[0] === line ? [first] : [],
    );
  }

  /**
   * Whether code that comes from a line may have run, though it has no step: it calls only functions that the compiler
   * has put into their callers. `none` if no code comes from the line.
   */
  reachOf(source: LineSource, line: number): { kind: 'none' | 'never' } | { kind: 'unclear'; name: string } {
    if (this.linesIn(source).has(line)) {
      return { kind: 'never' };
    }
    if ('thread' in source) {
      return { kind: 'none' };
    }
    const places = this.run.lines?.map.places ?? [];
    const names = this.#callsAt(source, line);
    const hasCode = places.some((one) => one.function !== undefined && names.has(lastWord(one.function)));
    if (!hasCode || this.calls.list.some((one) => !one.isInlined && names.has(lastWord(one.name)))) {
      return { kind: 'none' };
    }
    const unclear = this.#calledFrom(source, line).find(({ lines }) => lines.length !== 1);
    return unclear === undefined ? { kind: 'never' } : { kind: 'unclear', name: unclear.name };
  }

  /** The functions that a line calls, by the last words of their names. */
  #callsAt(source: Exclude<LineSource, { thread: number }>, line: number): ReadonlySet<string> {
    const { calls = [] } = this.run.lines?.map ?? {};
    return new Set(
      calls.flatMap((one) => (one.line === line && this.#isIn(source, one.file) ? [one.name] : [])),
    );
  }

  /** The inlined functions that ran and that a line can have called, with the lines that can have called them. */
  #calledFrom(
    source: Exclude<LineSource, { thread: number }>,
    line: number,
  ): { name: string; first: number; lines: readonly number[] }[] {
    const names = this.#callsAt(source, line);
    const places = this.run.lines?.map.places ?? [];
    return this.calls.list.flatMap((one) => {
      if (!one.isInlined || !names.has(lastWord(one.name))) {
        return [];
      }
      const before = this.#callOf(one, one.parent);
      const lines = this.inlined.linesOf(one, before);
      const isHere = this.#isIn(source, places[this.line[before] ?? -1]?.file);
      return isHere && lines.includes(line) ? [{ name: one.name, first: one.first, lines }] : [];
    });
  }

  #isIn(source: Exclude<LineSource, { thread: number }>, file: string | undefined): boolean {
    return (
      file !== undefined &&
      ('file' in source ? this.pathOf(file) === source.file : this.libraries.get(file) === source.library)
    );
  }

  #placesIn(source: Exclude<LineSource, { thread: number }>): { line: number; number: number }[] {
    const { places = [] } = this.run.lines?.map ?? {};
    return places.flatMap((place, number) =>
      this.#isIn(source, place.file) ? [{ line: place.line, number }] : [],
    );
  }

  #listedIn(thread: number): readonly ListedInstruction[] {
    return thread === this.thread ? this.listing.instructions : [];
  }

  /** The steps that ran an instruction, ascending. */
  stepsOf({ cell, offset }: Pick<ListedInstruction, 'cell' | 'offset'>): number[] {
    const { recording } = this;
    return this.#stepsWhere((step) => recording.cell[step] === cell && recording.offset[step] === offset);
  }

  #stepsWhere(isWanted: (step: number) => boolean): number[] {
    const steps: number[] = [];
    for (let step = 0; step < this.steps; step += 1) {
      if (isWanted(step)) {
        steps.push(step);
      }
    }
    return steps;
  }

  /** The functions that run at a step, the innermost first, each with the step that it is at. */
  *framesAt(step: number): Generator<{ activation: Activation | undefined; step: number }> {
    let index = this.calls.at[step] ?? -1;
    let at = step;
    do {
      const activation = this.calls.list[index];
      yield { activation, step: at };
      index = activation?.parent ?? -1;
      at = this.#callOf(activation, index);
    } while (index >= 0);
  }

  /** The step that called a function: of its caller's line, not of what selects the method. */
  #callOf(activation: Activation | undefined, caller: number): number {
    const last = Math.max(0, (activation?.first ?? 0) - 1);
    let at = last;
    while (at > 0 && (this.line[at] ?? -1) < 0 && this.calls.at[at] === caller) {
      at -= 1;
    }
    return this.calls.at[at] === caller ? at : last;
  }

  /** Whether a function is another one or runs inside of it. */
  isInside(inner: number, outer: number): boolean {
    for (let index = inner; index >= 0; index = this.calls.list[index]?.parent ?? -1) {
      if (index === outer) {
        return true;
      }
    }
    return outer < 0;
  }

  /** The first step that line-by-line stepping stops at. */
  get entry(): number {
    return Math.max(0, this.starts.indexOf(1));
  }

  /** Whether a step without a line is of code that has no map, not of what selects the method. */
  #isAssembly(step: number): boolean {
    const { lines } = this.run;
    if (lines === undefined) {
      return true;
    }
    const method = lines.map.methods[lines.selected[step] ?? -1];
    return method?.refused !== undefined;
  }

  #lineNumber(step: number, sources: number): number {
    const { lines } = this.run;
    const place = lines?.place[step] ?? -1;
    if (place >= 0) {
      return place;
    }
    return this.#isAssembly(step) ? sources + (this.listing.at(step)?.line ?? 0) : -1;
  }
}
