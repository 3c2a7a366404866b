import * as vscode from 'vscode';
import type { ShownVariable } from '../../commandTargets';
import type { OriginHop } from '../../toolkit/debug/originHops';
import type { OriginTree } from '../../toolkit/debug/originTree';
import { hopPlace, hopWords } from '../../toolkit/debug/originTree';
import type { TonDebugSession } from '../../toolkit/debug/tonDebugSession';
import { WorkbenchError } from '../../toolkit/base/errors';
import { fileName } from '../../toolkit/base/text';
import { withProgress } from '../ui/withProgress';

/** A row of the answer: a click puts the debugger there. */
interface HopRow extends vscode.QuickPickItem {
  hop?: OriginHop;
}

const title = 'TON: Where Does This Come From?';

/**
 * Shows where a value comes from as a list of hops, and goes to the one that is chosen.
 *
 * @param sessions those of this window, by id
 * @param what a row of the variables, or an expression; without one, the operands of what failed
 * @throws WorkbenchError `debug-request-invalid` if no session is stopped, `expression-invalid`
 */
export async function whereFrom(
  sessions: ReadonlyMap<string, TonDebugSession>,
  what: string | ShownVariable | undefined,
): Promise<void> {
  const { activeDebugSession, activeStackItem } = vscode.debug;
  const { session } = stoppedSession(sessions);
  const expression = what === undefined || typeof what === 'string' ? what : expressionOf(what);
  const isFrame =
    activeStackItem instanceof vscode.DebugStackFrame && activeStackItem.session === activeDebugSession;
  const frameId = isFrame ? activeStackItem.frameId : undefined;
  const trees = await withProgress('Following the value back', (signal) =>
    session.origins(expression, frameId, signal),
  );
  const chosen = await vscode.window.showQuickPick(
    trees.flatMap((tree) => rowsOf(tree, session)),
    { title, placeHolder: 'Newest first: choose a hop to go there', matchOnDescription: true },
  );
  if (chosen?.hop !== undefined) {
    const { thread, step } = chosen.hop;
    await session.goTo({ thread, step });
  }
}

/**
 * The session in front, with its id.
 * @throws WorkbenchError `debug-request-invalid` if none is one of ours
 */
export function stoppedSession(sessions: ReadonlyMap<string, TonDebugSession>): {
  id: string;
  session: TonDebugSession;
} {
  const id = vscode.debug.activeDebugSession?.id ?? '';
  const session = sessions.get(id);
  if (session === undefined) {
    throw new WorkbenchError({
      code: 'debug-request-invalid',
      kind: 'input',
      message: 'No execution is being debugged.',
      hint: 'Start with TON: Debug…, and ask where it has stopped.',
    });
  }
  return { id, session };
}

/** A row of the variables as an expression. Fields of c4 have no expression of their own. */
export function expressionOf({ variable, container }: ShownVariable): string {
  const { name, evaluateName } = variable;
  const around = container?.evaluateName ?? (container?.name === 'c4' ? 'c4' : undefined);
  return evaluateName ?? (around === undefined ? name : `${around}.${name}`);
}

function rowsOf(tree: OriginTree, session: TonDebugSession, depth = 0): HopRow[] {
  // Spaces at the beginning of a label are not shown.
  const indent = '\u2003'.repeat(2 * depth);
  const names = {
    threadName: (thread: number) => session.threadName(thread),
    fileName: (file: string) => fileName(file),
  };
  return [
    ...tree.hops.map((hop, index): HopRow => ({
      label: `${indent}${index === 0 ? '$(circle-filled)' : '$(arrow-small-left)'} ${hopWords(hop)}`,
      description: hopPlace(hop, names),
      hop,
    })),
    ...tree.sources.flatMap((source) => rowsOf(source, session, depth + 1)),
    ...(tree.more === undefined
      ? []
      : [{ label: `${indent}\u2003${tree.more} more, not followed: go to the last hop and ask again` }]),
  ];
}
