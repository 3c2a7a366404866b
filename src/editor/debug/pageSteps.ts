import * as vscode from 'vscode';
import type { ReplayRef, TransactionRef } from '../../commandTargets';
import { WorkbenchError, abortedError } from '../../toolkit/base/errors';
import { pageStep } from '../../toolkit/debug/pageStep';
import { askOrigins } from '../../toolkit/debug/askOrigins';
import { DebugControl } from '../../toolkit/debug/debugControl';
import type { DebugRun } from '../../toolkit/debug/debugProgram';
import type { TreeBounds } from '../../toolkit/debug/originTree';
import { pageHops, unknownHop } from '../../toolkit/debug/pageHops';
import { transactionOrigins } from '../../toolkit/debug/transactionOrigins';
import { fileName } from '../../toolkit/base/text';
import type { PageHop, PageStep } from '../../toolkit/trace/page/tracePage';
import type { ReplayServices } from '../replay/replays';
import type { PageQuestion, PageStepper } from '../traces/openTraces';
import { withProgress } from '../ui/withProgress';
import type { TitledProgram } from './debugPrograms';
import { debugProgramOf } from './debugPrograms';

type Target = TransactionRef | ReplayRef;

/** An execution whose steps a page shows. */
interface Viewed {
  titled: TitledProgram;
  run: DebugRun;
  /** Goes through the other executions of the program, too. */
  control: DebugControl;
}

/** How far an answer on the page goes: each of its ends can be asked about in the debugger. */
const bounds: TreeBounds = { values: 8, depth: 2 };

/** The steps of transactions for their pages: the last one that was asked for is kept, so that moving costs nothing. */
export class PageSteps implements PageStepper {
  #last: { key: string; viewed: Promise<Viewed> } | undefined;

  /**
   * @param begin starts a session
   */
  constructor(
    private readonly services: ReplayServices,
    private readonly begin: (titled: TitledProgram) => Promise<unknown>,
  ) {}

  async read(target: Target, node: number, step: number | undefined): Promise<PageStep> {
    const { titled, run, control } = await this.#view(target);
    const view = await control.load(titled.program.first, new AbortController().signal);
    if (view === undefined) {
      throw new WorkbenchError({
        code: 'replay-impossible',
        kind: 'input',
        message: run.failure ?? 'No code ran, so there are no steps.',
      });
    }
    return pageStep(view, node, step, titled.program.accountName);
  }

  async showLine(target: Target, step: number): Promise<void> {
    const { titled, control } = await this.#view(target);
    const view = control.known(titled.program.first);
    const place = view?.placeOf(step - 1 - view.recording.stepsMissing);
    const file = place?.file === undefined ? undefined : titled.program.pathOf(place.file);
    if (place === undefined || file === undefined) {
      // A listing, or a file of the compiler's library, is a document of the debugger.
      await this.debug(target, step);
      return;
    }
    const start = new vscode.Position(place.line - 1, 0);
    await vscode.window.showTextDocument(vscode.Uri.file(file), {
      selection: new vscode.Range(start, start),
    });
  }

  async debug(target: Target, step: number, thread?: number): Promise<void> {
    const { titled, control } = await this.#view(target);
    const { threads, first, open } = titled.program;
    const { hash, account, name } = control.runs.threads[thread ?? first] ?? {};
    const other = thread === undefined || thread < threads.length ? undefined : open?.(hash ?? '');
    // An earlier transaction of an account, which an answer has led to, stands behind those of the program.
    const program = {
      ...titled.program,
      threads: other === undefined ? threads : [...threads, { ...other, hash, account }],
      first: other === undefined ? (thread ?? first) : threads.length,
      firstStep: step,
    };
    await this.begin({ ...titled, title: name ?? titled.title, program });
  }

  async ask(target: Target, asked: PageQuestion): Promise<PageHop[]> {
    const { titled, run, control } = await this.#view(target);
    const { first } = titled.program;
    const { runs } = control;
    const names = {
      threadName: (thread: number) => runs.threads[thread]?.name ?? '',
      fileName: (file: string) => fileName(file),
    };
    return withProgress('Following the value back', async (signal) => {
      const view = await control.load(first, signal);
      const { question, step } = asked;
      if (step === undefined) {
        const tree = await transactionOrigins(
          runs,
          { ...asked, thread: first, run, view },
          question,
          signal,
          bounds,
        );
        return pageHops(tree, names);
      }
      const frame = view && { thread: first, view, step: step - 1 - view.recording.stepsMissing };
      const { trees, problems } = await askOrigins(runs, frame, question, signal, bounds);
      return [...trees.flatMap((tree) => pageHops(tree, names)), ...problems.map(unknownHop)];
    });
  }

  #view(target: Target): Promise<Viewed> {
    const key = JSON.stringify(target);
    if (this.#last?.key !== key) {
      const viewed = this.#load(target);
      this.#last = { key, viewed };
      viewed.catch(() => {
        // Asked again, it may succeed.
        if (this.#last?.viewed === viewed) {
          this.#last = undefined;
        }
      });
    }
    return this.#last.viewed;
  }

  async #load(target: Target): Promise<Viewed> {
    const titled = await debugProgramOf(this.services, target);
    const { threads, first } = titled?.program ?? { threads: [], first: 0 };
    const run = await threads[first]?.load(new AbortController().signal);
    if (titled === undefined || run === undefined) {
      throw abortedError();
    }
    // It is not run once more for questions.
    const own = threads.map((thread, index) =>
      index === first ? { ...thread, load: () => Promise.resolve(run) } : thread,
    );
    const log = (): undefined => undefined;
    const control = new DebugControl({ ...titled.program, threads: own }, { loaded: log, output: log });
    return { titled, run, control };
  }
}
