import * as vscode from 'vscode';
import type { EditorLine, ShownVariable } from '../../commandTargets';
import { showView } from '../../contributions';
import { fileName } from '../../toolkit/base/text';
import type { BreakpointQuestion } from '../../toolkit/debug/query/breakpointHits';
import { readQuestion } from '../../toolkit/debug/query/readQuestion';
import { suggestQuestions } from '../../toolkit/debug/query/suggestQuestions';
import type { TonDebugSession } from '../../toolkit/debug/tonDebugSession';
import type { AllHits } from './allHits';
import { expressionOf, stoppedSession } from './whereFrom';

const title = 'TON: Find All Hits';

/**
 * Asks all executions of the session in front for a line, the changes of a value, or a question, and shows the answer in
 * All Hits. Without one, the box offers what fits the place of the stop, and takes any question.
 *
 * @throws WorkbenchError `debug-request-invalid` if no session is stopped; `question-invalid`, and as `askSession`
 */
export async function askAllHits(
  sessions: ReadonlyMap<string, TonDebugSession>,
  hits: AllHits,
  what: string | ShownVariable | EditorLine | undefined,
): Promise<void> {
  const { id, session } = stoppedSession(sessions);
  if (typeof what === 'object' && 'lineNumber' in what) {
    const place = `${fileName(what.uri.path)}:${what.lineNumber}`;
    await hits.ask(id, session, place, runsOfLine(what));
  } else {
    const text = what === undefined || typeof what === 'string' ? what : `changes ${expressionOf(what)}`;
    const asked = text ?? (await chooseQuestion(session));
    if (asked === undefined) {
      return;
    }
    await hits.ask(id, session, asked, readQuestion(asked));
  }
  await showView(vscode.commands, 'hits');
}

/** A line of a source as a breakpoint would stop there. */
function runsOfLine({ uri, lineNumber }: EditorLine): BreakpointQuestion {
  const stop = { id: 0, source: { file: uri.fsPath }, line: lineNumber };
  const none = { functions: [], instructions: [], data: [], exceptions: new Set<never>() };
  return { kind: 'breakpoint', rules: { ...none, lines: [stop] } };
}

/** Undefined if the user cancels. */
function chooseQuestion(session: TonDebugSession): Promise<string | undefined> {
  const box = vscode.window.createQuickPick();
  const known = suggestQuestions(session.control).map(({ text, words }) => ({
    label: text,
    description: words,
  }));
  const fit = (typed: string): void => {
    const isKnown = typed === '' || known.some(({ label }) => label === typed);
    const own = { label: typed, description: 'asks this', alwaysShow: true };
    box.items = isKnown ? known : [own, ...known];
  };
  box.title = title;
  box.placeholder =
    'line FILE:LINE [VALUE, …], calls FUNCTION, writes CONTRACT.FIELD, sends [to ACCOUNT], changes EXPRESSION';
  fit('');
  return new Promise((resolve) => {
    box.onDidChangeValue((typed) => fit(typed.trim()));
    box.onDidAccept(() => {
      resolve(box.activeItems[0]?.label);
      box.hide();
    });
    box.onDidHide(() => {
      resolve(undefined);
      box.dispose();
    });
    box.show();
  });
}
