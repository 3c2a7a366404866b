import { bareName } from '../../address/resolveAccount';
import { canonicalAddress } from '../../address/canonicalAddress';
import { toWorkbenchError } from '../../base/errors';
import { groupBy } from '../../base/collections';
import { visibleText } from '../../base/text';
import type { Recording } from '../../recording/recording';
import type { DebugProgram, DebugRun, DebugThread } from '../debugProgram';
import { RunView } from '../runView';
import type { BreakpointQuestion } from './breakpointHits';
import { breakpointHits } from './breakpointHits';
import { callHits } from './callHits';
import { changeHits } from './changeHits';
import { lineHits } from './lineHits';
import type { AskedRun, HitFacts, RunHits } from './queryHit';
import type { Question } from './readQuestion';
import { sendHits } from './sendHits';
import { UnknownNames, unknownNameError } from './unknownNames';
import { isContractNamed, writeHits } from './writeHits';

/** A hit, and where it is. */
export interface QueryHit extends HitFacts {
  /** Index of its execution. */
  execution: number;
  /** Its step, from 1 with those that the log has lost. */
  step: number;
  /** The function that runs there; undefined if none is known. */
  function: string | undefined;
}

/** An execution that was asked. */
export interface QueriedExecution extends Pick<DebugThread, 'name' | 'hash' | 'what'> {
  /** With those that the log has lost; 0 if no code ran. */
  steps: number;
  hits: number;
  /** Why it could not be asked; undefined if it was. */
  problem?: string | undefined;
}

/** What recordings answer. */
export interface QueryAnswer {
  /** In the order of the executions, and in them by step: the first ones. */
  hits: readonly QueryHit[];
  /** How many there are. */
  total: number;
  executions: readonly QueriedExecution[];
  /** What is unknown, as sentences. */
  notes: readonly string[];
}

/** What can be asked: in words, or what a breakpoint hits. */
export type AnyQuestion = Question | BreakpointQuestion;

/** How much is asked. */
export interface QueryBounds {
  /** Hits that are told; all are counted. */
  most: number;
  /** Only the execution of each program that was named, not the whole trace or test. */
  isOnlyFirst: boolean;
}

/**
 * Asks executions, one after another; each is recorded when it is asked, and not kept.
 *
 * @throws WorkbenchError `question-unknown-name` (input) if none of them has the file, function, contract, field, account,
 * or value that is asked for; `aborted`
 */
export async function queryPrograms(
  programs: readonly DebugProgram[],
  question: AnyQuestion,
  { most, isOnlyFirst }: QueryBounds,
  signal: AbortSignal,
): Promise<QueryAnswer> {
  const threads = programs.flatMap((program) =>
    program.threads.flatMap((thread, index) =>
      isOnlyFirst && index !== program.first ? [] : [{ program, thread }],
    ),
  );
  const seen = new Set<string>();
  const asked = new Asked(question, most);
  for (const { program, thread } of threads) {
    const { hash } = thread;
    if (hash === undefined || !seen.has(hash)) {
      await asked.ask(program, thread, signal);
    }
    if (hash !== undefined) {
      seen.add(hash);
    }
  }
  return asked.answer();
}

/** Adds up what executions answer. */
class Asked {
  readonly #executions: QueriedExecution[] = [];
  readonly #notes: { name: string; text: string }[] = [];
  readonly #names = new UnknownNames();
  readonly #hits: (QueryHit & { to: string | undefined })[] = [];
  /** By account, raw: what it is called. */
  readonly #accounts = new Map<string, ReadonlySet<string>>();

  constructor(
    private readonly question: AnyQuestion,
    private readonly most: number,
  ) {}

  async ask(program: DebugProgram, thread: DebugThread, signal: AbortSignal): Promise<void> {
    const { name, hash, what } = thread;
    const execution: QueriedExecution = { name, hash, what, steps: 0, hits: 0 };
    this.#executions.push(execution);
    let run: DebugRun;
    try {
      run = await thread.load(signal);
    } catch (thrown) {
      const error = toWorkbenchError(thrown);
      if (error.code === 'aborted' || error.kind === 'internal') {
        throw error;
      }
      execution.problem = error.message;
      return;
    }
    this.#note(name, run.notes);
    if (run.recording !== undefined && run.recording.steps > 0) {
      await this.#askRun(program, thread, execution, run, run.recording);
    }
  }

  async #askRun(
    program: DebugProgram,
    thread: DebugThread,
    execution: QueriedExecution,
    run: DebugRun,
    recording: Recording,
  ): Promise<void> {
    const index = this.#executions.indexOf(execution);
    const view = new RunView(run, recording, index, program.pathOf);
    if (!view.hasLines && run.notes.length === 0) {
      this.#note(thread.name, ['No source is known for its code, so its lines and names are unknown.']);
    }
    const one = askedRun(view, program, thread);
    this.#call(one.account, one.names);
    const found = await this.#hitsOf(one);
    this.#names.add(found);
    this.#note(thread.name, found.instead === undefined ? found.notes : []);
    execution.steps = recording.stepsMissing + recording.steps;
    execution.hits = found.hits.length;
    // An account that messages go to may get its name only later.
    const told =
      this.question.kind === 'sends' ? found.hits : found.hits.slice(0, this.most - this.#hits.length);
    for (const { step, to, tell } of told) {
      this.#call(to, [to === undefined ? undefined : program.accountName(to)]);
      this.#hits.push({
        ...{ execution: index, step: recording.stepsMissing + step + 1, to },
        function: view.calls.list[view.calls.at[step] ?? -1]?.name,
        ...tell(),
      });
    }
  }

  #call(account: string | undefined, names: readonly (string | undefined)[]): void {
    if (account !== undefined) {
      const known = names.filter((name) => name !== undefined);
      this.#accounts.set(account, new Set([...(this.#accounts.get(account) ?? []), ...known]));
    }
  }

  #hitsOf(run: AskedRun): RunHits | Promise<RunHits> {
    const { question } = this;
    switch (question.kind) {
      case 'breakpoint':
        return breakpointHits(run, question);
      case 'line':
        return lineHits(run, question);
      case 'calls':
        return callHits(run, question.name);
      case 'writes':
        return writeHits(run, question);
      case 'sends':
        return sendHits(run);
      case 'changes':
        return changeHits(run, question.expression);
    }
  }

  #note(name: string, texts: readonly string[]): void {
    this.#notes.push(...texts.map((text) => ({ name, text })));
  }

  /** @throws WorkbenchError `question-unknown-name` (input) */
  answer(): QueryAnswer {
    if (this.question.kind !== 'breakpoint') {
      this.#names.check(this.question);
    }
    if (this.question.kind === 'sends' && this.question.to !== undefined) {
      this.#keepSendsTo(this.question.to);
    }
    const notes = [...groupBy(this.#notes, ({ text }) => text)];
    return {
      hits: this.#hits.slice(0, this.most).map(({ to: _, ...hit }) => hit),
      total: this.#executions.reduce((sum, one) => sum + one.hits, 0),
      executions: this.#executions,
      notes: notes.map(([text, ones]) => `${[...new Set(ones.map(({ name }) => name))].join('; ')}: ${text}`),
    };
  }

  /** Only the messages to an account by a name of it, or by its address in any form. */
  #keepSendsTo(wanted: string): void {
    const isWanted = (account: string): boolean =>
      isContractNamed({ account, names: [...(this.#accounts.get(account) ?? [])] }, bareName(wanted));
    if (canonicalAddress(wanted) === undefined && ![...this.#accounts.keys()].some(isWanted)) {
      const known = [...this.#accounts.values()].flatMap((names) => [...names]);
      throw unknownNameError(`No account here is called ${visibleText(wanted, 60)}.`, known);
    }
    const kept = this.#hits.filter(({ to }) => to !== undefined && isWanted(to));
    this.#hits.splice(0, this.#hits.length, ...kept);
    this.#executions.forEach((one, index) => {
      one.hits = kept.filter(({ execution }) => execution === index).length;
    });
  }
}

function askedRun(view: RunView, program: DebugProgram, thread: DebugThread): AskedRun {
  const { transaction, lines, contract } = view.run;
  const dest = transaction?.inMessage?.info.dest;
  const account = thread.account ?? (dest == null ? undefined : canonicalAddress(dest.toString()));
  const named = account === undefined ? undefined : program.accountName(account);
  const names = [named, contract, lines?.map.name.replace(/\.\w+$/, '')];
  return {
    ...{ view, account, nameOf: program.accountName, pathOf: program.pathOf },
    names: [...new Set(names.filter((name) => name !== undefined))],
  };
}
