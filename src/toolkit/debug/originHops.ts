import { beginCell } from '@ton/core';
import { shortAddress } from '../address/shortAddress';
import type { DecodedBody } from '../contracts/opcodes/decodedBody';
import { fieldAt, valueOfField } from '../contracts/layouts/fieldPlaces';
import { instructionAt } from '../recording/recording';
import type { ValueHop, ValuePlace } from '../recording/followValue';
import { depthAt, wordAt } from '../recording/followValue';
import { vmWordText } from '../recording/vmValue';
import type { NumberCoding, ValuePart } from '../recording/valueParts';
import { bitsOf, cellIn, numberIn, partText, readWord } from '../recording/valueParts';
import { placeAt } from '../sourceMap/mapSteps';
import { kindText } from '../sourceMap/namedValues';
import type { SourcePlace } from '../sourceMap/sourceMap';
import { isLibraryFile } from '../sourceMap/sourceMap';
import { cellToAddress } from '../stack/stackValue';
import { visibleText } from '../base/text';
import type { AskedValue } from './askedValues';
import { slotName } from './askedValues';
import type { AccountNames } from './debugValue';
import type { RunView } from './runView';

/** A place that a value came through, or where its way ends. */
export interface OriginHop {
  /** Index of the execution. */
  thread: number;
  /** Index in its recording. */
  step: number;
  /** As people count steps: from 1, with those that the log has lost. */
  number: number;
  kind:
    | 'asked'
    | 'made'
    | 'read'
    | 'stored'
    | 'written'
    | 'data'
    | 'message'
    | 'sent'
    | 'constant'
    | 'given'
    | 'outside'
    | 'unknown';
  /** What it was there: `c4.total`, `Withdraw.amount`, `total - amount`. */
  title: string;
  /** As people read it; undefined if there is no single value. */
  value?: string | undefined;
  /** The source line, if the step has one. */
  place?: SourcePlace | undefined;
}

/** What the source has no name for. */
export const unnamed = 'a value';

/** The hops of a way while it is gone back, and what is learned about the value on it. */
export class HopTrail {
  readonly #hops: OriginHop[] = [];
  /** How the number that is followed lies in bits. */
  coding: NumberCoding | undefined;
  #skipped: OriginHop | undefined;

  /** @param kind what the source says about the value */
  constructor(
    private readonly accountName: AccountNames,
    public kind: AskedValue['kind'],
  ) {}

  get length(): number {
    return this.#hops.length;
  }

  /** With what was learned on the way: numbers as what they are, and a value without a name by the hop before it. */
  shown(): readonly OriginHop[] {
    const hops = this.#hops.map((hop) => {
      const text = hop.value === undefined ? undefined : kindText(hop.value, this.kind);
      return text === undefined ? hop : { ...hop, value: text };
    });
    const [first, second] = shortened(hops);
    const isNameless = first?.title === unnamed && second !== undefined;
    const isSame = isNameless && (second.value === undefined || second.value === first.value);
    const short = shortened(hops);
    return isSame ? [{ ...second, value: first.value }, ...short.slice(2)] : short;
  }

  /** A hop within an execution that people want to see: not those that only cut slices. */
  passed(thread: number, view: RunView, { from, step, coding }: ValueHop): void {
    const { recording } = view;
    const text = instructionAt(recording, step);
    this.coding = coding ?? this.coding;
    const isStored = /^(?:ST|DICT\w*(?:SET|ADD|REPLACE))/.test(text);
    const isRead = coding !== undefined && /^P?LD/.test(text);
    const isWritten = /^POP c4|^SETGLOB/.test(instructionAt(recording, from.step)) && !isStored && !isRead;
    const isDictionary = /^DICT\w*(?:GET|MIN|MAX)/.test(text);
    if (isWritten) {
      const isGlobal = text.startsWith('GETGLOB') || text === 'PUSH c7';
      const title = isGlobal ? `written to a global` : `written to ${this.#fieldOf(view, from) ?? 'c4'}`;
      this.add(thread, view, { step: from.step, kind: 'written', title, value: this.read(view, from) });
    } else if (isStored || isRead || isDictionary) {
      const named = slotName(
        view,
        isStored ? step : step + 1,
        isStored ? from.slot : depthAt(recording, step),
      );
      const verb = isStored ? 'stored' : isDictionary ? 'read from a map' : 'read';
      this.kind ??= named?.kind;
      this.add(thread, view, {
        step,
        kind: isStored ? 'stored' : 'read',
        title: named === undefined ? verb : `${verb}: ${named.name}`,
        value: this.read(view, from),
      });
    }
  }

  /** The field of the data that a part of the new data is. */
  #fieldOf({ recording, run }: RunView, place: ValuePlace): string | undefined {
    const cell = cellIn(readWord(wordAt(recording, place)));
    const body = cell && run.readStorage(cell);
    const field = body && fieldAt(body, place.part);
    return field === undefined ? undefined : `c4.${field}`;
  }

  /** A transaction that has only written a field again as it was is no hop. */
  leaveOut(title: string): void {
    const before = this.#hops.findLastIndex(({ kind }) => kind === 'data');
    const between = this.#hops.slice(before + 1);
    if (
      this.#hops[before]?.title === title &&
      between.every(({ kind }) => ['written', 'stored', 'read'].includes(kind))
    ) {
      // Where the value was read first is what people look for.
      this.#hops.splice(before + 1);
      const [again] = this.#hops.splice(before);
      this.#skipped = again;
    }
  }

  learnKind(body: DecodedBody | undefined, field: string | undefined): void {
    const value = body === undefined || field === undefined ? undefined : valueOfField(body, field);
    if (value?.type === 'coins') {
      this.kind ??= value.isJetton === true ? 'jettons' : 'coins';
    }
  }

  end(
    view: RunView,
    thread: number,
    step: number,
    kind: OriginHop['kind'],
    title: string,
  ): readonly AskedValue[] {
    this.add(thread, view, { step, kind, title });
    return [];
  }

  add(thread: number, view: RunView | undefined, hop: Omit<OriginHop, 'thread' | 'number' | 'place'>): void {
    const place = view && lineOf(view, Math.min(hop.step, view.steps - 1));
    const last = this.#hops.at(-1);
    // Several instructions of a line say the same.
    const isRepeated =
      last?.kind === hop.kind &&
      last.title === hop.title &&
      last.thread === thread &&
      isSamePlace(last.place, place) &&
      place !== undefined;
    if (isRepeated) {
      this.#hops.pop();
    }
    const skipped = hop.kind === 'data' ? this.#skipped : undefined;
    this.#skipped = undefined;
    const number = (view?.recording.stepsMissing ?? 0) + hop.step + 1;
    this.#hops.push(skipped ?? { thread, ...hop, number, place });
  }

  valueOf(view: RunView, asked: AskedValue): string | undefined {
    if (typeof asked.in === 'number') {
      return this.read(view, { step: asked.step, slot: asked.in, part: asked.part });
    }
    const registers = view.run.registers?.before(asked.step);
    const value =
      asked.in === 'c4'
        ? registers?.c4 && { type: 'cell' as const, cell: registers.c4 }
        : registers?.c7 && { type: 'tuple' as const, items: registers.c7 };
    return value && this.readValue(view, value, asked.part);
  }

  read(view: RunView, place: ValuePlace): string | undefined {
    const word = wordAt(view.recording, place);
    const isWhole = place.part.path.length === 0 && place.part.bits === undefined;
    return isWhole ? this.#text(vmWordText(word)) : this.readValue(view, readWord(word), place.part);
  }

  readValue(_view: RunView, value: ReturnType<typeof readWord>, part: ValuePart): string | undefined {
    const bits = bitsOf(value, part);
    const coding = this.coding ?? (this.kind === 'coins' ? 'varuint16' : undefined);
    const number = bits && coding && numberIn(bits, coding);
    if (number !== undefined) {
      return this.#text(String(number));
    }
    if (part.bits !== undefined) {
      const account = bits && cellToAddress(beginCell().storeBits(bits).endCell())?.toRawString();
      return account === undefined
        ? bits && `x{${bits.toString()}}`
        : (this.accountName(account) ?? shortAddress(account));
    }
    const text = partText(value, part);
    return text?.startsWith('bits ') === true ? 'a cell' : text && this.#text(text);
  }

  #text(text: string): string {
    const shown = kindText(text, this.kind) ?? text;
    return visibleText(this.accountName(shown) ?? shown, 60);
  }
}

/** The line of a step in the project's sources: its own, or that of the call around it. */
export function lineOf(view: RunView, step: number): SourcePlace | undefined {
  const { lines } = view.run;
  if (lines === undefined) {
    return undefined;
  }
  for (const frame of view.framesAt(Math.max(0, step))) {
    const place = placeAt(lines, frame.step);
    if (place !== undefined && !isLibraryFile(place.file)) {
      return place;
    }
  }
  return undefined;
}

/**
 * The hops without those that say the same: a field that is read is one hop, with the line that reads it; what is written
 * or sent is one, with the line that put the value there.
 */
function shortened(all: readonly OriginHop[]): OriginHop[] {
  const hops: OriginHop[] = [];
  for (const hop of all) {
    const last = hops.at(-1);
    const isSameRun = last?.thread === hop.thread;
    const isField = hop.kind === 'message' || hop.kind === 'data';
    if (last !== undefined && isSameRun && isField && last.kind === 'read') {
      while (hops.at(-2)?.kind === 'read' && hops.at(-2)?.thread === hop.thread) {
        hops.pop();
      }
      const { step, number, place } = hops.pop() ?? hop;
      hops.push({ ...hop, step, number, place });
    } else if (
      last !== undefined &&
      isSameRun &&
      hop.kind === 'stored' &&
      last.kind === 'written' &&
      isSamePlace(last.place, hop.place)
    ) {
      // The same value, a moment before.
    } else if (last !== undefined && isSameRun && hop.kind === 'stored' && last.kind === 'sent') {
      const { step, number, place, value } = hop;
      hops[hops.length - 1] = { ...last, step, number, place, value };
    } else {
      hops.push(hop);
    }
  }
  return hops;
}

/** Whether two lines are the same, or both unknown. */
export function isSamePlace(one: SourcePlace | undefined, other: SourcePlace | undefined): boolean {
  return one?.file === other?.file && one?.line === other?.line;
}
