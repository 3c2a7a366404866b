import { lowerHex } from '../address/lowerHex';
import type { RecordedException, Recording } from './recording';

/** What is known about the execution besides its log. */
export interface ExecutionFacts {
  /** Gas at its beginning: the credit of an external message, otherwise the limit. */
  gasAtStart: number;
  /** As the result says. */
  gasUsed: number;
  /** As the result says. */
  vmSteps: number;
}

const lines = {
  stack: 'stack: [ ',
  position: 'code cell hash: ',
  execute: 'execute ',
  gas: 'gas remaining: ',
  limit: 'changing gas limit to ',
  exception: 'handling exception code ',
  end: 'default exception handler, terminating vm with exit code ',
  outOfGas: 'unhandled out-of-gas exception',
};
/** Instructions that write c4, c5, or c7, or decide what becomes of them. */
const writing =
  /POP c[457]\b|POPCTRX|POPSAVE|SET(?:GLOB|RAND|CODE|LIBCODE|CONTCTR|RETCTR|ALTCTR)|SEND(?:RAW)?MSG|SAVE|RAWRESERVE|RAND|RUNVM|CHANGELIB|COMMIT|ADDRAND|TRY/y;
const hashLength = 64;
/** What an exception costs: a THROW that throws uses more than this, one that does not at most 34. */
const exceptionGas = 50;
/** Exit code of an execution that ran out of gas. */
const outOfGas = -14;

/**
 * Reads the log of one execution in one pass.
 *
 * @param log of `full_location_stack_verbose`; the engine keeps its last 32 MiB, so it may begin anywhere
 */
export function recordExecution(log: string, facts: ExecutionFacts): Recording {
  const reader = new LogReader(log, facts.gasAtStart);
  for (let start = 0; start < log.length;) {
    const newline = log.indexOf('\n', start);
    const end = newline < 0 ? log.length : newline;
    reader.read(start, end);
    start = end + 1;
  }
  return reader.finish(facts);
}

/** The state of one pass over a log. */
class LogReader {
  readonly #columns: Columns;
  readonly #cells = new Map<string, number>();
  readonly #exceptions: RecordedException[] = [];
  readonly #writes: number[] = [];
  #steps = 0;
  #gasLimit: number;
  #gasLeft: number;
  /** Of the step that is being read. */
  #stackFrom = -1;
  #stackTo = -1;
  #cell = -1;
  #offset = 0;
  /** Whether an exception ended the execution and the VM did not say what gas was left. */
  #isEndUnsaid = false;
  /** Whether a step has begun whose instruction is not known yet. */
  #isOpen = false;

  constructor(
    private readonly log: string,
    gasAtStart: number,
  ) {
    this.#columns = new Columns(countSteps(log));
    this.#gasLimit = gasAtStart;
    this.#gasLeft = gasAtStart;
  }

  /** Reads one line. */
  read(start: number, end: number): void {
    const { log } = this;
    if (log.startsWith(lines.stack, start)) {
      // Implicit steps (returns, jumps) have no position of their own.
      this.#cell = -1;
      this.#offset = 0;
      this.#stackFrom = start + lines.stack.length;
      // The line ends with ` ] `; that of an empty stack is `stack: [ ] `.
      this.#stackTo = Math.max(this.#stackFrom, log.lastIndexOf(']', end) - 1);
      this.#isOpen = true;
    } else if (log.startsWith(lines.position, start)) {
      this.#position(start + lines.position.length, end);
    } else if (log.startsWith(lines.execute, start)) {
      this.#add(start + lines.execute.length, end);
    } else if (log.startsWith(lines.gas, start)) {
      this.#gas(Number(log.slice(start + lines.gas.length, end)));
    } else if (log.startsWith(lines.limit, start)) {
      const limit = Number(log.slice(start + lines.limit.length, end));
      this.#gasLeft += limit - this.#gasLimit;
      this.#gasLimit = limit;
    } else if (log.startsWith(lines.exception, start)) {
      this.#add(start, end);
      const [, code, words = ''] =
        /^(-?\d+)(?:: ?(.*))?$/.exec(log.slice(start + lines.exception.length, end)) ?? [];
      this.#exceptions.push({
        step: this.#steps - 1,
        code: code === undefined ? undefined : Number(code),
        words,
        isFinal: false,
      });
    } else if (log.startsWith(lines.end, start)) {
      this.#end(Number(log.slice(start + lines.end.length, end)));
    } else if (log.startsWith(lines.outOfGas, start)) {
      if (this.#isOpen) {
        this.#add(start, start);
      }
      this.#add(start, end);
      this.#end(outOfGas);
    }
  }

  finish({ gasUsed, vmSteps }: ExecutionFacts): Recording {
    const { gas } = this.#columns;
    const steps = this.#steps;
    const stepsMissing = Math.max(0, vmSteps - steps);
    if (stepsMissing > 0) {
      // What was left before the first recorded step is lost, too.
      gas[0] = 0;
    }
    const rest = gasUsed - gas.reduce((sum, step) => sum + step, 0);
    if (this.#isEndUnsaid) {
      gas[steps - 1] = rest;
    }
    return {
      log: this.log,
      steps,
      stepsMissing,
      gasMissing: stepsMissing === 0 || this.#isEndUnsaid ? 0 : rest,
      cells: [...this.#cells.keys()],
      ...this.#columns,
      exceptions: this.#exceptions,
      writes: Uint32Array.from(this.#writes),
    };
  }

  #position(start: number, end: number): void {
    const hash = lowerHex(this.log.slice(start, start + hashLength));
    this.#cell = this.#cells.get(hash) ?? this.#cells.size;
    this.#cells.set(hash, this.#cell);
    this.#offset = Number(this.log.slice(this.log.lastIndexOf(' ', end) + 1, end));
  }

  #add(from: number, to: number): void {
    if (this.#stackFrom < 0) {
      // The log begins in the middle of this step: its stack is lost, so the step is.
      return;
    }
    const { cell, offset, instruction, stack, gasAfter } = this.#columns;
    const step = this.#steps;
    cell[step] = this.#cell;
    offset[step] = this.#offset;
    instruction[2 * step] = from;
    instruction[2 * step + 1] = to;
    stack[2 * step] = this.#stackFrom;
    stack[2 * step + 1] = this.#stackTo;
    gasAfter[step] = this.#gasLeft;
    writing.lastIndex = from;
    if (writing.test(this.log)) {
      this.#writes.push(step);
    }
    this.#steps += 1;
    this.#isOpen = false;
  }

  #gas(left: number): void {
    const step = this.#steps - 1;
    if (step >= 0) {
      const used = this.#gasLeft - left;
      this.#columns.gas[step] = used;
      this.#columns.gasAfter[step] = left;
      if (used >= exceptionGas) {
        this.#caughtThrow(step);
      }
    }
    this.#gasLeft = left;
  }

  /** The log says nothing about a THROW whose exception is caught; its gas does. */
  #caughtThrow(step: number): void {
    const from = this.#columns.instruction[2 * step] ?? 0;
    if (this.log.startsWith('THROW', from) && this.#exceptions.at(-1)?.step !== step) {
      const [, code] = / (\d+)$/.exec(this.log.slice(from, this.#columns.instruction[2 * step + 1])) ?? [];
      this.#exceptions.push({
        step,
        code: code === undefined ? undefined : Number(code),
        words: '',
        isFinal: false,
      });
    }
  }

  #end(code: number): void {
    const last = this.#exceptions.at(-1);
    if (last !== undefined && last.step === this.#steps - 1) {
      this.#exceptions[this.#exceptions.length - 1] = { ...last, isFinal: true };
      this.#isEndUnsaid = true;
    } else {
      this.#exceptions.push({ step: this.#steps - 1, code, words: '', isFinal: true });
      this.#isEndUnsaid = code === outOfGas;
    }
  }
}

/** Steps of the log, with those that the VM makes of exceptions. */
function countSteps(log: string): number {
  let count = 2;
  for (const start of [lines.execute, lines.exception]) {
    count += log.startsWith(start) ? 1 : 0;
    for (let at = log.indexOf(`\n${start}`); at >= 0; at = log.indexOf(`\n${start}`, at + 1)) {
      count += 1;
    }
  }
  return count;
}

class Columns {
  readonly cell: Int32Array;
  readonly offset: Uint16Array;
  readonly gasAfter: Float64Array;
  readonly gas: Float64Array;
  readonly instruction: Uint32Array;
  readonly stack: Uint32Array;

  constructor(capacity: number) {
    this.cell = new Int32Array(capacity);
    this.offset = new Uint16Array(capacity);
    this.gasAfter = new Float64Array(capacity);
    this.gas = new Float64Array(capacity);
    this.instruction = new Uint32Array(2 * capacity);
    this.stack = new Uint32Array(2 * capacity);
  }
}
