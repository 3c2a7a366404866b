import * as vscode from 'vscode';
import { toWorkbenchError } from '../../toolkit/base/errors';
import { fileName, visibleText } from '../../toolkit/base/text';
import { breakpointTitle } from '../../toolkit/debug/query/breakpointHits';
import type { SessionAnswer, SessionHit } from '../../toolkit/debug/query/askSession';
import { askSession } from '../../toolkit/debug/query/askSession';
import type { AnyQuestion } from '../../toolkit/debug/query/queryPrograms';
import type { TonDebugSession } from '../../toolkit/debug/tonDebugSession';
import { counted } from '../../toolkit/trace/figures';
import { asCommand } from '../../contributions';
import { withProgress } from '../ui/withProgress';

/** Hits that are listed of a question; all are counted. */
const mostListed = 500;
/** Longest words of a hit, in characters. */
const longest = 200;
/** Milliseconds in which changes of breakpoints are taken together. */
const settleMs = 50;

/** A question, and what the executions answer; a problem if they cannot. */
interface AskedRow {
  title: string;
  icon: string;
  answer: SessionAnswer | { problem: string };
  /** Stable while it is asked again. */
  id: string;
  /** The id of its session. */
  session: string;
}

/** A row of All Hits: a question, one of its hits, or what is to be known about the answer. */
export type HitRow = AskedRow | { hit: SessionHit; of: AskedRow } | { note: string } | { left: number };

/** Questions of one session. */
interface SessionHits {
  /** By its id. */
  breakpoints: readonly AskedRow[];
  asked: readonly AskedRow[];
}

/**
 * The view All Hits: everything that the breakpoints and logpoints of the session in front hit, and answers to questions.
 * Breakpoints are answered again whenever they change, from what is recorded; a question records all executions.
 */
export class AllHits implements vscode.TreeDataProvider<HitRow>, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #hits = new Map<string, SessionHits>();
  readonly #watched = new WeakSet<TonDebugSession>();
  #timer: NodeJS.Timeout | undefined;
  #asked = 0;
  #round = 0;
  readonly #parts = vscode.Disposable.from(
    this.#changed,
    vscode.debug.onDidChangeActiveDebugSession(() => this.#changed.fire(undefined)),
    vscode.debug.onDidChangeActiveStackItem(() => this.#watch()),
    vscode.debug.onDidTerminateDebugSession(({ id }) => {
      this.#hits.delete(id);
      this.#changed.fire(undefined);
    }),
  );

  /** @param sessions those of this window, by id */
  constructor(private readonly sessions: ReadonlyMap<string, TonDebugSession>) {
    this.#watch();
  }

  /**
   * Asks all executions of a session, and lists the answer first.
   *
   * @throws WorkbenchError as `askSession`
   */
  async ask(id: string, session: TonDebugSession, title: string, question: AnyQuestion): Promise<void> {
    const bounds = { most: mostListed, isRecordedOnly: false };
    const answer = await withProgress(`Asking for ${title}`, (signal) =>
      askSession(session.control, question, bounds, signal),
    );
    this.#asked += 1;
    const row = { title, icon: 'search', answer, id: `${id} asked ${this.#asked}`, session: id };
    const known = this.#hits.get(id) ?? { breakpoints: [], asked: [] };
    this.#hits.set(id, { ...known, asked: [row, ...known.asked.filter((one) => one.title !== title)] });
    this.#changed.fire(undefined);
  }

  /** Records the executions that no breakpoint was asked in, and asks them. */
  async askRest(): Promise<void> {
    const current = this.#current();
    if (current !== undefined) {
      await withProgress('Asking the other executions', (signal) => this.#read(current, false, signal));
    }
  }

  getChildren(row?: HitRow): HitRow[] {
    if (row !== undefined) {
      return 'answer' in row && 'hits' in row.answer ? childrenOf(row, row.answer) : [];
    }
    const current = this.#current();
    const { breakpoints = [], asked = [] } = (current && this.#hits.get(current.id)) ?? {};
    const left = Math.max(0, ...breakpoints.map(({ answer }) => ('left' in answer ? answer.left : 0)));
    return [...asked, ...breakpoints, ...(left === 0 ? [] : [{ left }])];
  }

  getTreeItem(row: HitRow): vscode.TreeItem {
    return 'hit' in row ? hitItem(row) : 'answer' in row ? askedItem(row) : noteItem(row);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#parts.dispose();
  }

  #current(): { id: string; session: TonDebugSession } | undefined {
    const id = (vscode.debug.activeStackItem?.session ?? vscode.debug.activeDebugSession)?.id ?? '';
    const session = this.sessions.get(id);
    return session && { id, session };
  }

  #watch(): void {
    const current = this.#current();
    if (current !== undefined && !this.#watched.has(current.session)) {
      this.#watched.add(current.session);
      const later = (): void => {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(
          () => void this.#read(current, true, new AbortController().signal),
          settleMs,
        );
      };
      current.session.onDidChange(later);
      later();
    }
  }

  /** Asks for all that breakpoints hit; what is changed meanwhile is asked once more. */
  async #read(
    { id, session }: { id: string; session: TonDebugSession },
    isRecordedOnly: boolean,
    signal: AbortSignal,
  ): Promise<void> {
    this.#round += 1;
    const round = this.#round;
    const breakpoints: AskedRow[] = [];
    for (const rules of session.breakpoints()) {
      const title = breakpointTitle(rules);
      const isLog = [...rules.lines, ...rules.functions].some(({ logMessage }) => logMessage !== undefined);
      const icon = isLog ? 'debug-breakpoint-log' : 'debug-breakpoint';
      const bounds = { most: mostListed, isRecordedOnly };
      const answer = await askSession(session.control, { kind: 'breakpoint', rules }, bounds, signal).catch(
        (error: unknown) => ({ problem: toWorkbenchError(error).message }),
      );
      if (round !== this.#round) {
        return;
      }
      breakpoints.push({ title, icon, answer, id: `${id} ${title}`, session: id });
    }
    const known = this.#hits.get(id);
    this.#hits.set(id, { breakpoints, asked: known?.asked ?? [] });
    this.#changed.fire(undefined);
  }
}

function childrenOf(of: AskedRow, { hits, total, notes, executions }: SessionAnswer): HitRow[] {
  const failed = executions.flatMap(({ name, problem }) =>
    problem === undefined ? [] : [{ note: `${name} could not be asked: ${problem}` }],
  );
  return [
    ...hits.map((hit) => ({ hit, of })),
    ...(hits.length < total ? [{ note: `${counted(total - hits.length, 'more hit')}, not listed` }] : []),
    ...failed,
    ...notes.map((note) => ({ note })),
  ];
}

function askedItem({ title, icon, answer, id }: AskedRow): vscode.TreeItem {
  const hasRows = 'hits' in answer && (answer.hits.length > 0 || answer.notes.length > 0);
  const item = new vscode.TreeItem(
    visibleText(title, longest),
    vscode.TreeItemCollapsibleState[hasRows ? 'Expanded' : 'None'],
  );
  item.id = id;
  item.iconPath = new vscode.ThemeIcon(icon);
  if ('problem' in answer) {
    item.description = answer.problem;
    return item;
  }
  const { total, executions } = answer;
  const where = executions.filter(({ hits }) => hits > 0).length;
  item.description =
    total === 0
      ? `no hits in ${counted(executions.length, 'execution')}`
      : `${counted(total, 'hit')} in ${where} of ${counted(executions.length, 'execution')}`;
  return item;
}

function hitItem({ hit, of }: { hit: SessionHit; of: AskedRow }): vscode.TreeItem {
  const { title, undone, place, step, execution } = hit;
  const name = 'executions' in of.answer ? (of.answer.executions[execution]?.name ?? '') : '';
  const line = place === undefined ? '' : `${fileName(place.file)}:${place.line}`;
  const where = [visibleText(name, longest), `step ${step}`, line].filter((part) => part !== '').join(', ');
  const item = new vscode.TreeItem(visibleText(title === '' ? `step ${step}` : title, longest));
  item.description = undone === undefined ? where : `${where}, not kept: ${undone}`;
  item.tooltip = `${visibleText(title, 2000)}\n${item.description}`;
  item.iconPath = new vscode.ThemeIcon('arrow-small-right');
  item.command = asCommand('tonWorkbench.goToHit', 'Go to This Hit', {
    session: of.session,
    ...hit.position,
  });
  return item;
}

function noteItem(row: { note: string } | { left: number }): vscode.TreeItem {
  if ('note' in row) {
    const item = new vscode.TreeItem(visibleText(row.note, longest));
    item.tooltip = visibleText(row.note, 2000);
    item.iconPath = new vscode.ThemeIcon('info');
    return item;
  }
  const item = new vscode.TreeItem(`Record ${counted(row.left, 'more execution')}`);
  item.description = 'and ask for its hits, too';
  item.iconPath = new vscode.ThemeIcon('record');
  item.command = asCommand('tonWorkbench.recordAllHits', 'Record Them');
  return item;
}
