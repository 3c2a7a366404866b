import type { Recording } from './recording';
import { mayWriteUnseen } from './followRegisters';
import { instructionAt, isOwnStep, stackTextAt } from './recording';
import { instructionFlow } from './instructionFlow';
import { splitStack } from './splitStack';
import type { NumberCoding, SeenInstruction, ValuePart } from './valueParts';
import { isSame, readWord } from './valueParts';
import { keepNewest } from '../base/collections';

/** A value on the stack before a step, or a part of it. */
export interface ValuePlace {
  step: number;
  /** Counted from the bottom of the stack. */
  slot: number;
  part: ValuePart;
}

/** A place that a value came through on its way, and the instruction that handed it on. */
export interface ValueHop {
  /** Where it was before. */
  from: ValuePlace;
  /** The step whose instruction handed it on. */
  step: number;
  /** How a number lies in the bits of one side. */
  coding?: NumberCoding | undefined;
  /** It was only a part of what was there before. */
  isCut?: boolean | undefined;
}

/** Where the way of a value ends in an execution. */
export type ValueEnd =
  /** The stack at the beginning has it. */
  | { kind: 'start'; at: ValuePlace }
  /** A register has it since the beginning. */
  | { kind: 'register'; step: number; register: 'c4' | 'c5' | 'c7'; part: ValuePart }
  /** It was worked out of others. */
  | { kind: 'made'; step: number; sources: readonly ValuePlace[] }
  /** The code itself has it. */
  | { kind: 'constant'; step: number }
  /** The VM gives it. */
  | { kind: 'given'; step: number }
  /** Nothing tells. */
  | { kind: 'unknown'; step: number; why: string };

/** The way of a value back through an execution. */
export interface ValueWay {
  /** Where it was not only moved on the stack, the newest first. */
  hops: readonly ValueHop[];
  end: ValueEnd;
}

const lostBeginning = 'the log has lost the beginning of the execution';

/** By recording: how many values are on the stack before each step; 0 for not counted yet, else one more. */
const depths = new WeakMap<Recording, Int32Array>();

/** How many values are on the stack before a step. */
export function depthAt(recording: Recording, step: number): number {
  const known = depths.get(recording) ?? new Int32Array(recording.steps);
  depths.set(recording, known);
  const counted = known[step] ?? 0;
  if (counted > 0) {
    return counted - 1;
  }
  const depth = countValues(
    recording.log,
    recording.stack[2 * step] ?? 0,
    recording.stack[2 * step + 1] ?? 0,
  );
  known[step] = depth + 1;
  return depth;
}

/** As `splitStack`, without making texts: words end at spaces, and what is in braces has none. */
function countValues(log: string, from: number, to: number): number {
  let count = 0;
  let depth = 0;
  let isIn = false;
  for (let at = from; at < to; at += 1) {
    switch (log.charCodeAt(at)) {
      case 0x20:
        isIn = isIn && depth > 0;
        continue;
      case 0x7b: {
        const end = log.indexOf('}', at);
        at = end < 0 ? to : end;
        continue;
      }
      case 0x5b:
      case 0x28:
        depth += 1;
        break;
      case 0x5d:
      case 0x29:
        depth -= 1;
        break;
    }
    if (!isIn) {
      isIn = true;
      count += 1;
    }
  }
  return count;
}

/** The last stack that was split: several questions are asked about the same one. */
let lastSplit: { text: string; words: readonly string[] } = { text: '', words: [] };

/** The values on the stack before a step, the deepest first, as the VM's log prints them. */
function wordsAt(recording: Recording, step: number): readonly string[] {
  const text = stackTextAt(recording, step);
  if (lastSplit.text !== text) {
    lastSplit = { text, words: splitStack(text) };
  }
  return lastSplit.words;
}

/** The value of a place, as the VM's log prints it; empty if there is none. */
export function wordAt(recording: Recording, { step, slot }: Pick<ValuePlace, 'step' | 'slot'>): string {
  return wordsAt(recording, step)[slot] ?? '';
}

/**
 * Follows a value back through an execution, to where it was worked out, or was at the beginning. Each hop is checked:
 * the value must be the same on both sides, or the way ends there.
 */
export function followValue(recording: Recording, place: ValuePlace): ValueWay {
  const hops: ValueHop[] = [];
  const caught = new Set(
    recording.exceptions.flatMap((exception) => (exception.isFinal ? [] : [exception.step])),
  );
  let now = place;
  let begun = place;
  const unknown = (step: number, why: string): ValueWay => ({ hops, end: { kind: 'unknown', step, why } });
  for (;;) {
    if (now.step === 0) {
      return !isUnchanged(recording, now, begun)
        ? unknown(0, 'the value has changed on its way, which no instruction tells')
        : recording.stepsMissing > 0
          ? unknown(0, lostBeginning)
          : { hops, end: { kind: 'start', at: now } };
    }
    const step = now.step - 1;
    const before = depthAt(recording, step);
    const grown = depthAt(recording, now.step) - before;
    const text = instructionAt(recording, step);
    if (isOwnStep(recording, now.step)) {
      // The instruction has failed: it has taken values, but written none.
      const isThere = now.slot < before && wordAt(recording, now) === wordAt(recording, { ...now, step });
      if (!isThere) {
        return unknown(step, 'an instruction failed here');
      }
      now = { ...now, step };
      continue;
    }
    if (caught.has(step) || isOwnStep(recording, step)) {
      const isCode = now.slot === depthAt(recording, now.step) - 1;
      return isCode
        ? { hops, end: { kind: 'constant', step } }
        : unknown(step, 'an exception that was caught here has dropped the stack');
    }
    const key = `${grown} ${text}`;
    const results = resultCounts.get(key);
    if (results !== undefined && now.slot < before + grown - results) {
      now = { ...now, step };
      continue;
    }
    const seen = new SeenStep(recording, step, text, grown);
    const flow = instructionFlow(seen);
    if (flow !== undefined && !seen.isRead) {
      keepNewest(resultCounts, key, flow.results.length, mostCounts);
    }
    if (flow === undefined) {
      const known = splitOf(recording, now, step, text, grown);
      if (known === undefined) {
        return unknown(step, `it is not known what ${text.slice(0, 40) || 'this step'} does with the stack`);
      }
      now = known;
      continue;
    }
    const base = before + grown - flow.results.length;
    if (now.slot < base) {
      now = { ...now, step };
      continue;
    }
    if (!isUnchanged(recording, now, begun)) {
      return unknown(step, 'the value has changed on its way, which no instruction tells');
    }
    const result = flow.results[now.slot - base]?.(now.part);
    if (result === undefined) {
      return unknown(step, 'there is no such result');
    }
    const placeOf = ({ slot, part }: { slot: number; part: ValuePart }): ValuePlace => ({
      step,
      slot: before - 1 - slot,
      part,
    });
    switch (result.kind) {
      case 'same': {
        const { coding, isCut } = result;
        const from = placeOf(result.source);
        const isEqual =
          isCut === true ||
          isSame(
            [readWord(wordAt(recording, from)), from.part],
            [readWord(wordAt(recording, now)), now.part],
            coding,
          );
        if (!isEqual) {
          return unknown(step, `the value is another one before ${text.slice(0, 40)}`);
        }
        hops.push({ from, step, coding, isCut });
        now = from;
        begun = from;
        continue;
      }
      case 'made': {
        const sources = result.sources.map(placeOf);
        return {
          hops,
          end: sources.length === 0 ? { kind: 'constant', step } : { kind: 'made', step, sources },
        };
      }
      case 'given':
        return { hops, end: { kind: 'given', step } };
      case 'register': {
        const { register, part } = result;
        const written = writerOf(recording, step, register, part);
        if (typeof written === 'string') {
          return unknown(step, written);
        }
        if (written === undefined) {
          return { hops, end: { kind: 'register', step, register, part } };
        }
        const isEqual = isSame(
          [readWord(wordAt(recording, written)), written.part],
          [readWord(wordAt(recording, now)), now.part],
          undefined,
        );
        if (!isEqual) {
          return unknown(step, `${register} has been restored since it was last written`);
        }
        hops.push({ from: written, step });
        now = written;
        begun = written;
      }
    }
  }
}

/** Follows a part of a register back from before a step; `steps` of the recording is the end of the execution. */
export function followRegister(
  recording: Recording,
  step: number,
  register: 'c4' | 'c7',
  part: ValuePart,
): ValueWay {
  const written = writerOf(recording, step, register, part);
  if (typeof written === 'string') {
    return { hops: [], end: { kind: 'unknown', step, why: written } };
  }
  if (written === undefined) {
    return { hops: [], end: { kind: 'register', step, register, part } };
  }
  const { hops, end } = followValue(recording, written);
  return { hops: [{ from: written, step: written.step }, ...hops], end };
}

/**
 * How many results an instruction has, by how the stack grew and its text, where no value decides that: what lies below
 * them is only left where it is.
 */
const resultCounts = new Map<string, number>();
const mostCounts = 5_000;

/** Whether a value that was only left where it lies is the same: words of equal values are equal. */
function isUnchanged(recording: Recording, now: ValuePlace, begun: ValuePlace): boolean {
  return now.step === begun.step || wordAt(recording, now) === wordAt(recording, begun);
}

/** A step as the table of instructions wants it. */
class SeenStep implements SeenInstruction {
  readonly name: string;
  readonly operands: readonly string[];

  constructor(
    private readonly recording: Recording,
    private readonly step: number,
    readonly text: string,
    readonly grown: number,
  ) {
    const [name = '', ...rest] = text.split(' ');
    this.name = name;
    this.operands = rest.join(' ').split(',');
  }

  /** Whether a value of the stack was looked at. */
  isRead = false;
  readonly before = (slot: number): string => this.#word(this.step, slot);
  readonly after = (slot: number): string => this.#word(this.step + 1, slot);

  #word(step: number, slot: number): string {
    this.isRead = true;
    return wordsAt(this.recording, step).at(-1 - slot) ?? '';
  }
}

/** Where a value was before an instruction that hands only the top of the stack to what it calls. */
function splitOf(
  recording: Recording,
  now: ValuePlace,
  step: number,
  text: string,
  grown: number,
): ValuePlace | undefined {
  const before = depthAt(recording, step);
  const after = before + grown;
  const [, name = '', count = '0'] =
    /^(CALLXARGS|JMPXARGS|TRYARGS|RETARGS|CALLCCARGS) (\d+)/.exec(text) ?? [];
  const pops = { CALLXARGS: 1, JMPXARGS: 1, TRYARGS: 2, RETARGS: 0 }[name];
  if (pops !== undefined && Number(count) === after) {
    return { ...now, step, slot: before - pops - after + now.slot };
  }
  // What was called returns to what lies below.
  const isReturn = /^(?:implicit RET|RET)\b/.test(text);
  return isReturn && grown > 0 && now.slot >= grown ? { ...now, step, slot: now.slot - grown } : undefined;
}

/**
 * Where a part of a register was last written before a step; undefined if it was not, and a text that says why it is not
 * known.
 */
function writerOf(
  recording: Recording,
  step: number,
  register: 'c4' | 'c5' | 'c7',
  part: ValuePart,
): ValuePlace | string | undefined {
  const [index, ...path] = part.path;
  for (let at = lastBefore(recording.writes, step); at >= 0; at -= 1) {
    const writer = recording.writes[at] ?? 0;
    const text = instructionAt(recording, writer);
    const top = depthAt(recording, writer) - 1;
    if (isOwnStep(recording, writer + 1)) {
      continue;
    }
    if (text === `POP ${register}`) {
      return { step: writer, slot: top, part };
    }
    if (register === 'c7') {
      const words = (): readonly string[] => wordsAt(recording, writer);
      const [, set] = /^SETGLOB (\d+)$/.exec(text) ?? [];
      const isVariable = text === 'SETGLOBVAR';
      const written = set === undefined ? (isVariable ? Number(words().at(-1)) : undefined) : Number(set);
      if (written !== undefined && (index === undefined || written === index)) {
        return index === undefined
          ? 'all globals together were written one by one'
          : { step: writer, slot: isVariable ? top - 1 : top, part: { ...part, path } };
      }
      if (index === 0 && path[0] === 6 && /^(?:RAND|SETRAND|ADDRAND)/.test(text)) {
        return 'the seed of random numbers has changed';
      }
    }
    if (register === 'c5' && /^(?:SEND|RAWRESERVE|SETCODE|SETLIBCODE|CHANGELIB)/.test(text)) {
      return 'the list of actions is made by the VM';
    }
    if (mayWriteUnseen(recording, at)) {
      return `${text.slice(0, 40)} may have written ${register}`;
    }
  }
  return recording.stepsMissing > 0 ? `${lostBeginning}, which may have written ${register}` : undefined;
}

/** Index of the last of ascending numbers that is below one; -1 if none is. */
function lastBefore(numbers: Uint32Array, below: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) < below) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low - 1;
}
