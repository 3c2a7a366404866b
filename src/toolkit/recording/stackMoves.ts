/** What an instruction that only moves values does with the top of the stack. */
export interface StackMoves {
  /** How many values it takes. */
  pops: number;
  /** By result, the deepest first: which value it is, counted from the top before; undefined for another value. */
  results: readonly number[];
}

/** A stack on which moves are tried: numbers of values, counted from the top; the last is the top. */
class Trial {
  readonly values: number[];

  constructor(private readonly depth: number) {
    this.values = Array.from({ length: depth }, (_, index) => depth - 1 - index);
  }

  #place(slot: number): number {
    return this.values.length - 1 - slot;
  }

  push(slot: number): this {
    this.values.push(this.values[this.#place(slot)] ?? -1);
    return this;
  }

  xchg(one: number, other: number): this {
    const [a, b] = [this.#place(one), this.#place(other)];
    [this.values[a], this.values[b]] = [this.values[b] ?? -1, this.values[a] ?? -1];
    return this;
  }

  /** Takes `count` values away that have `above` values over them. */
  take(count: number, above: number): number[] {
    return this.values.splice(this.values.length - above - count, count);
  }

  get moves(): StackMoves {
    let same = 0;
    while (same < this.depth && this.values[same] === this.depth - 1 - same) {
      same += 1;
    }
    return { pops: this.depth - same, results: this.values.slice(same) };
  }
}

/** By name: what is done, and how deep it reaches. `-1` in the text of an operand is counted from what was pushed. */
const compound: Readonly<Record<string, (trial: Trial, i: number, j: number, k: number) => Trial>> = {
  SWAP: (trial) => trial.xchg(0, 1),
  DUP: (trial) => trial.push(0),
  OVER: (trial) => trial.push(1),
  ROT: (trial) => trial.xchg(1, 2).xchg(0, 1),
  ROTREV: (trial) => trial.xchg(0, 1).xchg(1, 2),
  '-ROT': (trial) => trial.xchg(0, 1).xchg(1, 2),
  SWAP2: (trial) => trial.xchg(0, 2).xchg(1, 3),
  '2SWAP': (trial) => trial.xchg(0, 2).xchg(1, 3),
  DUP2: (trial) => trial.push(1).push(1),
  '2DUP': (trial) => trial.push(1).push(1),
  OVER2: (trial) => trial.push(3).push(3),
  '2OVER': (trial) => trial.push(3).push(3),
  TUCK: (trial) => trial.xchg(0, 1).push(1),
  XCHG: (trial, i, j) => trial.xchg(i, j),
  PUSH: (trial, i) => trial.push(i),
  XCHG2: (trial, i, j) => trial.xchg(1, i).xchg(0, j),
  XCHG3: (trial, i, j, k) => trial.xchg(2, i).xchg(1, j).xchg(0, k),
  XCPU: (trial, i, j) => trial.xchg(0, i).push(j),
  PUXC: (trial, i, j) =>
    trial
      .push(i)
      .xchg(0, 1)
      .xchg(0, j + 1),
  PUSH2: (trial, i, j) => trial.push(i).push(j + 1),
  XC2PU: (trial, i, j, k) => trial.xchg(1, i).xchg(0, j).push(k),
  XCPUXC: (trial, i, j, k) =>
    trial
      .xchg(1, i)
      .push(j)
      .xchg(0, 1)
      .xchg(0, k + 1),
  XCPU2: (trial, i, j, k) =>
    trial
      .xchg(0, i)
      .push(j)
      .push(k + 1),
  PUXC2: (trial, i, j, k) =>
    trial
      .push(i)
      .xchg(2, 0)
      .xchg(1, j + 1)
      .xchg(0, k + 1),
  PUXCPU: (trial, i, j, k) =>
    trial
      .push(i)
      .xchg(0, 1)
      .xchg(0, j + 1)
      .push(k + 1),
  PU2XC: (trial, i, j, k) =>
    trial
      .push(i)
      .xchg(0, 1)
      .push(j + 1)
      .xchg(0, 1)
      .xchg(0, k + 2),
  PUSH3: (trial, i, j, k) =>
    trial
      .push(i)
      .push(j + 1)
      .push(k + 2),
};

/** Moves of an instruction by its text are the same each time. */
const known = new Map<string, StackMoves | undefined>();
const mostKnown = 5_000;

/**
 * What an instruction does that only moves values, as the VM's log names it; undefined for another.
 * @param top the integers on top of the stack, for instructions that take their operands from there
 */
export function stackMoves(text: string, top: (slot: number) => number | undefined): StackMoves | undefined {
  if (known.has(text)) {
    return known.get(text);
  }
  const [name = '', list = ''] = text.split(' ', 2);
  const operands = list === '' ? [] : list.split(',').map((one) => Number(one.replace(/^s/, '')));
  if (operands.some((one) => !Number.isInteger(one))) {
    return undefined;
  }
  if (withStackOperands.has(name)) {
    return movesByStack(name, top);
  }
  const moves = movesByText(name, operands);
  if (known.size < mostKnown) {
    known.set(text, moves);
  }
  return moves;
}

function movesByText(name: string, [i = 0, j = 0, k = 0]: readonly number[]): StackMoves | undefined {
  const depth = Math.max(i, j, k) + 5;
  const rule = compound[name];
  if (rule !== undefined) {
    return rule(new Trial(depth), i, j, k).moves;
  }
  switch (name) {
    case 'DROP':
      return { pops: 1, results: [] };
    case 'NIP':
      return popTo(1);
    case 'POP':
      return popTo(i);
    case 'DROP2':
    case '2DROP':
      return { pops: 2, results: [] };
    case 'BLKDROP':
      return { pops: i, results: [] };
    case 'BLKDROP2': {
      const trial = new Trial(i + j);
      trial.take(i, j);
      return { pops: i + j, results: trial.values };
    }
    case 'BLKPUSH':
      return Array.from({ length: i }).reduce<Trial>((trial) => trial.push(j), new Trial(depth)).moves;
    case 'BLKSWAP':
      return swapped(i, j);
    case 'ROLL':
      return swapped(1, i);
    case 'ROLLREV':
    case '-ROLL':
      return swapped(i, 1);
    case 'REVERSE':
      return reversed(i, j);
    default:
      return undefined;
  }
}

const withStackOperands: ReadonlySet<string> = new Set(
  'PICK PUSHX ROLLX -ROLLX DROPX XCHGX BLKSWX REVX CHKDEPTH'.split(' '),
);

/** Those whose operands are on the stack; the operands are taken, too. */
function movesByStack(name: string, top: (slot: number) => number | undefined): StackMoves | undefined {
  const [i, j] = [top(0), top(1)];
  const under = (count: number, moves: StackMoves): StackMoves => ({
    pops: moves.pops + count,
    results: moves.results.map((slot) => slot + count),
  });
  if (i === undefined) {
    return undefined;
  }
  switch (name) {
    case 'PICK':
    case 'PUSHX':
      return { pops: 1, results: [i + 1] };
    case 'ROLLX':
      return under(1, swapped(1, i));
    case '-ROLLX':
      return under(1, swapped(i, 1));
    case 'DROPX':
      return { pops: i + 1, results: [] };
    case 'XCHGX':
      return under(1, new Trial(i + 1).xchg(0, i).moves);
    case 'BLKSWX':
      return j === undefined ? undefined : under(2, swapped(j, i));
    case 'REVX':
      return j === undefined ? undefined : under(2, reversed(j, i));
    case 'CHKDEPTH':
      return { pops: 1, results: [] };
    default:
      return undefined;
  }
}

/** The top replaces a slot. */
function popTo(slot: number): StackMoves {
  if (slot === 0) {
    return { pops: 1, results: [] };
  }
  const results = Array.from({ length: slot }, (_, index) => (index === 0 ? 0 : slot - index));
  return { pops: slot + 1, results };
}

function swapped(below: number, above: number): StackMoves {
  const trial = new Trial(below + above);
  const moved = trial.take(below, above);
  return { pops: below + above, results: [...trial.values, ...moved] };
}

function reversed(count: number, above: number): StackMoves {
  const trial = new Trial(count + above);
  const turned = trial.take(count, above).toReversed();
  return { pops: count + above, results: [...turned, ...trial.values] };
}
