import * as vscode from 'vscode';
import { setContextKey } from '../../contextKeys';
import { debugType } from '../../contributions';
import type { ExecutionTarget } from '../../commandTargets';
import { keepNewest } from '../../toolkit/base/collections';
import type { TonDebugSession } from '../../toolkit/debug/tonDebugSession';
import type { ReplayServices } from '../replay/replays';
import type { SendServices } from '../send/showRehearsal';
import { LazyTree, registerCommands } from '../ui/registerCommands';
import type { TitledProgram } from './debugPrograms';
import type { AllHits, HitRow } from './allHits';
import type { ExecutedLines } from './executedLines';
import type { PageSteps } from './pageSteps';

/** Programs of sessions that have not begun; a program cannot be in a configuration, which is only data. */
const mostHeld = 20;

/** The debugger, for features that have a program of their own. */
export interface RegisteredDebug extends vscode.Disposable {
  /** Starts a session. */
  begin: (titled: TitledProgram, how?: BeginOptions) => Promise<vscode.DebugSession | undefined>;
}

interface BeginOptions {
  /** It begins at the first line, even if the execution failed. */
  atEntry?: boolean;
  /** The session in front, which stands: the editor brings no other one to the front that is not its child. */
  from?: vscode.DebugSession;
}

/** Registers the debugger. The code is loaded on first use. */
export function registerDebug(
  { log, traces }: Pick<ReplayServices, 'log' | 'traces'>,
  use: () => Promise<ReplayServices>,
  sending: () => Promise<SendServices>,
): RegisteredDebug {
  const held = new Map<string, TitledProgram>();
  /** By id of their session. */
  const running = new Map<string, TitledProgram>();
  const sessions = new Map<string, TonDebugSession>();
  let lines: Promise<ExecutedLines> | undefined;
  const tree = new LazyTree<HitRow>('hits', log);
  let hits: Promise<AllHits> | undefined;
  const allHits = (): Promise<AllHits> =>
    (hits ??= import('./allHits').then((module) => {
      const made = new module.AllHits(sessions);
      tree.attach(made);
      return made;
    }));
  let count = 0;
  const hold = (titled: TitledProgram): string => {
    count += 1;
    const key = String(count);
    keepNewest(held, key, titled, mostHeld);
    return key;
  };
  const start = once(async (what: ExecutionTarget | vscode.Uri | undefined): Promise<void> => {
    const { startDebugging } = await import('./startDebugging');
    await startDebugging(await use(), what, hold);
  }, lensKey);
  const begin: RegisteredDebug['begin'] = async (titled, { atEntry = false, from } = {}) => {
    const begun: vscode.DebugSession[] = [];
    const name = titled.title;
    const program = hold(titled);
    const watch = vscode.debug.onDidStartDebugSession((session) => {
      if (session.configuration['program'] === program && session.type === debugType) {
        begun.push(session);
      }
    });
    try {
      const launch = { request: 'launch', program, ...(atEntry ? { stopOnEntry: true } : {}) };
      await vscode.debug.startDebugging(
        undefined,
        { type: debugType, name, ...launch },
        from === undefined ? {} : { parentSession: from, compact: true },
      );
    } finally {
      watch.dispose();
    }
    return begun[0];
  };
  let steps: Promise<PageSteps> | undefined;
  const pageSteps = (): Promise<PageSteps> =>
    (steps ??= Promise.all([import('./pageSteps'), use()]).then(
      ([module, services]) => new module.PageSteps(services, begin),
    ));
  traces.steps = {
    read: async (...what) => (await pageSteps()).read(...what),
    showLine: async (...what) => (await pageSteps()).showLine(...what),
    debug: async (...what) => (await pageSteps()).debug(...what),
    ask: async (...what) => (await pageSteps()).ask(...what),
  };
  const parts = vscode.Disposable.from(
    { dispose: () => void lines?.then((one) => one.dispose()) },
    { dispose: () => void hits?.then((one) => one.dispose()) },
    tree,
    vscode.debug.onDidTerminateDebugSession(({ id }) => {
      running.delete(id);
      sessions.delete(id);
    }),
    vscode.debug.onDidChangeActiveStackItem((item) => {
      if (lines === undefined && item?.session.type === debugType) {
        lines = import('./executedLines').then((module) => new module.ExecutedLines(sessions));
        void lines.then((one) => one.follow(vscode.debug.activeStackItem));
        void allHits();
      }
    }),
    registerCommands(log, {
      'tonWorkbench.debug': start,
      'tonWorkbench.debugDeclared': once(
        async (target) => (await import('./debugDeclared')).debugDeclared(await use(), sending, target),
        (target) => ('target' in target ? undefined : JSON.stringify(target)),
      ),
      'tonWorkbench.runAgainWithChanges': async () =>
        (await import('./runAgainWithChanges')).runAgainWithChanges(running),
      'tonWorkbench.whereFrom': async (what) => (await import('./whereFrom')).whereFrom(sessions, what),
      'tonWorkbench.allHits': async (what) =>
        (await import('./askAllHits')).askAllHits(sessions, await allHits(), what),
      'tonWorkbench.goToHit': async ({ session, ...position }) => sessions.get(session)?.goTo(position),
      'tonWorkbench.recordAllHits': async () => (await allHits()).askRest(),
    }),
    vscode.languages.registerInlineValuesProvider(
      ['tolk', 'func', 'tact'].map((language) => ({ language })),
      {
        provideInlineValues: async (document, viewport, context) =>
          (await import('./provideInlineValues')).provideInlineValues(
            document,
            viewport,
            context,
            linesThatRan(sessions, document.uri.fsPath),
          ),
      },
    ),
    vscode.debug.registerDebugConfigurationProvider(debugType, {
      resolveDebugConfiguration: async (_folder, configuration) => {
        if (configuration.request === undefined) {
          // F5 without a launch.json.
          await start(undefined);
          return undefined;
        }
        return configuration;
      },
    }),
    vscode.debug.registerDebugAdapterDescriptorFactory(debugType, {
      createDebugAdapterDescriptor: async ({ configuration, id }) => {
        const [{ TonDebugSession }, { openLaunch }] = await Promise.all([
          import('../../toolkit/debug/tonDebugSession'),
          import('./openLaunch'),
        ]);
        const services = await use();
        const titled = held.get(String(configuration['program']));
        const session = new TonDebugSession(async (launch, signal) => {
          const opened = await openLaunch(services, titled, launch, signal);
          running.set(id, opened);
          setContextKey(vscode.commands, 'tonWorkbench.executionDebugged', true);
          return opened.program;
        });
        sessions.set(id, session);
        return new vscode.DebugAdapterInlineImplementation(session);
      },
    }),
  );
  return { begin, dispose: () => void parts.dispose() };
}

/**
 * What is pressed again while it begins does not begin twice: a session takes a moment, because a source is compiled.
 * @param keyOf undefined for what cannot be compared, such as a row
 */
function once<T>(
  work: (what: T) => Promise<void>,
  keyOf: (what: T) => string | undefined,
): (what: T) => Promise<void> {
  const beginning = new Map<string, Promise<void>>();
  return (what) => {
    const key = keyOf(what);
    const known = key === undefined ? undefined : beginning.get(key);
    if (known !== undefined || key === undefined) {
      return known ?? work(what);
    }
    const begun = work(what).finally(() => beginning.delete(key));
    beginning.set(key, begun);
    return begun;
  };
}

/** What a lens names: a trace of the list, or a get-method that ran. */
function lensKey(what: ExecutionTarget | vscode.Uri | undefined): string | undefined {
  const isLens = typeof what === 'object' && ('method' in what || Object.keys(what).join() === 'key');
  return isLens ? JSON.stringify(what) : undefined;
}

/** The lines of a file that the execution ran which is chosen in the call stack; undefined if none is chosen. */
function linesThatRan(
  sessions: ReadonlyMap<string, TonDebugSession>,
  file: string,
): ReadonlySet<number> | undefined {
  const item = vscode.debug.activeStackItem;
  const files = item && sessions.get(item.session.id)?.executedLines(item.threadId);
  return files && new Set(files.find(({ path }) => path === file)?.lines);
}
