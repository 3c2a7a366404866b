import * as vscode from 'vscode';
import type { ReplayRef, TransactionRef } from '../../commandTargets';
import { WorkbenchError, abortedError } from '../../toolkit/base/errors';
import { pageStep } from '../../toolkit/debug/pageStep';
import { RunView } from '../../toolkit/debug/runView';
import type { TonDebugSession } from '../../toolkit/debug/tonDebugSession';
import type { PageStep } from '../../toolkit/trace/page/tracePage';
import type { ReplayServices } from '../replay/replays';
import type { PageStepper } from '../traces/openTraces';
import type { TitledProgram } from './debugPrograms';
import { debugProgramOf } from './debugPrograms';
import { whereFrom } from './whereFrom';

type Target = TransactionRef | ReplayRef;

/** An execution whose steps a page shows. */
interface Viewed {
  titled: TitledProgram;
  view: RunView;
}

/** The steps of transactions for their pages: the last one that was asked for is kept, so that moving costs nothing. */
export class PageSteps implements PageStepper {
  #last: { key: string; viewed: Promise<Viewed> } | undefined;

  /**
   * @param begin starts a session
   * @param sessions those of this window, by id
   */
  constructor(
    private readonly services: ReplayServices,
    private readonly begin: (titled: TitledProgram) => Promise<vscode.DebugSession | undefined>,
    private readonly sessions: ReadonlyMap<string, TonDebugSession>,
  ) {}

  async read(target: Target, node: number, step: number | undefined): Promise<PageStep> {
    const { titled, view } = await this.#view(target);
    return pageStep(view, node, step, titled.program.accountName);
  }

  async showLine(target: Target, step: number): Promise<void> {
    const { titled, view } = await this.#view(target);
    const place = view.placeOf(step - 1 - view.recording.stepsMissing);
    const file = place?.file === undefined ? undefined : titled.program.pathOf(place.file);
    if (place === undefined || file === undefined) {
      // A listing, or a file of the compiler's library, is a document of the debugger.
      await this.debug(target, step, undefined);
      return;
    }
    const start = new vscode.Position(place.line - 1, 0);
    await vscode.window.showTextDocument(vscode.Uri.file(file), {
      selection: new vscode.Range(start, start),
    });
  }

  async debug(target: Target, step: number, expression: string | undefined): Promise<void> {
    const { titled } = await this.#view(target);
    const program = { ...titled.program, firstStep: step };
    const session = await this.begin({ ...titled, program });
    if (session !== undefined && expression !== undefined && (await hasStopped(session))) {
      await whereFrom(this.sessions, expression);
    }
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
    const { threads, first, pathOf } = titled?.program ?? { threads: [], first: 0, pathOf: () => undefined };
    const run = await threads[first]?.load(new AbortController().signal);
    if (titled === undefined || run === undefined) {
      throw abortedError();
    }
    const { recording } = run;
    if (recording === undefined || recording.steps === 0) {
      throw new WorkbenchError({
        code: 'replay-impossible',
        kind: 'input',
        message: run.failure ?? 'No code ran, so there are no steps.',
      });
    }
    return { titled, view: new RunView(run, recording, first, pathOf) };
  }
}

/** Waits until a session has stopped; false if it ends before. */
async function hasStopped(session: vscode.DebugSession): Promise<boolean> {
  const isThere = (): boolean =>
    vscode.debug.activeStackItem instanceof vscode.DebugStackFrame &&
    vscode.debug.activeStackItem.session === session;
  if (isThere()) {
    return true;
  }
  return new Promise((resolve) => {
    const parts = vscode.Disposable.from(
      vscode.debug.onDidChangeActiveStackItem(() => {
        if (isThere()) {
          end(true);
        }
      }),
      vscode.debug.onDidTerminateDebugSession((one) => {
        if (one === session) {
          end(false);
        }
      }),
    );
    const end = (hasIt: boolean): void => {
      parts.dispose();
      resolve(hasIt);
    };
  });
}
