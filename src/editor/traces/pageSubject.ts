import * as vscode from 'vscode';
import type { ReplayRef } from '../../commandTargets';
import { runCommand } from '../../contributions';
import type { TraceNode } from '../../toolkit/trace/traceModel';
import { failedNodes } from '../../toolkit/trace/verdict';
import type { PageCommand, PageDetails, TracePage } from '../../toolkit/tracePage/tracePage';
import type { LiveTraces } from './liveTraces';
import { originText } from './openTraces';
import type { OpenTrace, ReplayedTrace } from './openTraces';
import { nodeCommands, traceCommands } from './runPageCommand';
import { traceTitle } from './traceDocuments';
import type { TraceServices } from './traceServices';

/** Maximum failed transactions whose lines are looked after. */
const mostLines = 20;

/** What a page shows: a trace, or two compared. It is asked anew whenever something may have changed. */
export interface PageSubject {
  /** By which the page is found again after a reload. */
  readonly key: string;
  title: () => string;
  /** What the page is made of: the same objects as long as it would be the same page. */
  parts: () => readonly unknown[];
  page: () => Promise<TracePage>;
  /** The trace that a transaction of the page belongs to; without an index, what the whole page is about. */
  at: (index?: number) => { trace: OpenTrace; node: TraceNode | undefined };
  details: (index: number) => Promise<PageDetails | undefined>;
  /** Commands that mean something else here; undefined for the others. */
  run?: (command: PageCommand, node: TraceNode | undefined) => Thenable<unknown> | undefined;
}

/** The page of one trace. */
export function traceSubject(services: TraceServices, live: LiveTraces, first: OpenTrace): PageSubject {
  const { key } = first;
  let last = first;
  // It stays on its page when it is removed from the list.
  const current = (): OpenTrace => (last = live.whole(key) ?? last);
  const isUndone = (): boolean => live.find(key)?.isUndone === true;
  return {
    key,
    title: () => traceTitle(current()),
    parts: () => {
      const { context, status } = current();
      return [context, status, isUndone(), services.traces.isSent(current()), ...linesKnown(current())];
    },
    page: async () => {
      const { makeTracePage } = await import('../../toolkit/tracePage/makeTracePage');
      const trace = current();
      return makeTracePage(trace.context, {
        key,
        title: originText(trace.origin),
        kind: isUndone() ? 'undone' : trace.status === 'rehearsal' ? 'rehearsal' : 'happened',
        isPending: trace.status === 'following' || trace.model.state === 'pending',
        commands: traceCommands(services, trace),
      });
    },
    at: (index) => ({
      trace: current(),
      node: index === undefined ? undefined : current().model.nodes[index],
    }),
    details: async (index) => detailsOf(services, current(), current().model.nodes[index], isUndone()),
  };
}

/** The lines that threw, as far as they were found: they come without anything else changing. */
function linesKnown({ context }: OpenTrace): unknown[] {
  return failedNodes(context.model)
    .slice(0, mostLines)
    .map((node) => context.thrownLine(node)?.place);
}

/** The page of a transaction that was replayed with changes: this did not happen. */
export function replayedSubject(
  services: TraceServices,
  replay: string,
  replayed: ReplayedTrace,
): PageSubject {
  const { trace, title, edits, differences } = replayed;
  const ref = { replay };
  const key = `replay ${replay}`;
  const commands: PageCommand[] = ['debug', 'steps', 'replayWithChanges', 'text'];
  return {
    key,
    title: () => title,
    parts: () => [trace.context],
    page: async () => {
      const { makeTracePage } = await import('../../toolkit/tracePage/makeTracePage');
      const facts = [originText(trace.origin), `changed: ${edits.join(', ')}`].join(', ');
      const origin = { key, title: facts, kind: 'replay', isPending: false, commands } as const;
      const page = makeTracePage(trace.context, origin);
      const [first] = page.nodes;
      if (first !== undefined && differences.length > 0) {
        first.difference = { kind: 'changed', words: '', changes: [...differences] };
        page.sides = ['what happened', 'the replay'];
      }
      return page;
    },
    at: (index) => ({ trace, node: index === undefined ? undefined : trace.model.nodes[index] }),
    details: async (index) => {
      const details = await detailsOf(services, trace, trace.model.nodes[index], false);
      // The header has them: what is done with the transaction is done with the replay.
      return details && { ...details, commands: details.commands.filter((one) => !commands.includes(one)) };
    },
    run: (command) => runReplayed(command, ref),
  };
}

/** What is asked of a replay's page is done with the replay; undefined for what is done with its account. */
function runReplayed(command: PageCommand, ref: ReplayRef): Thenable<unknown> | undefined {
  switch (command) {
    case 'text':
    case 'replay':
      return runCommand(vscode.commands, 'tonWorkbench.replayTransaction', ref);
    case 'debug':
      return runCommand(vscode.commands, 'tonWorkbench.debug', ref);
    case 'steps':
      return runCommand(vscode.commands, 'tonWorkbench.showReplaySteps', ref);
    case 'line':
      return runCommand(vscode.commands, 'tonWorkbench.goToThrow', ref);
    case 'replayWithChanges':
      return runCommand(vscode.commands, 'tonWorkbench.replayWithChanges', ref);
    default:
      return undefined;
  }
}

/** The details of one transaction; undefined if there is none. */
export async function detailsOf(
  services: TraceServices,
  trace: OpenTrace,
  node: TraceNode | undefined,
  isUndone: boolean,
): Promise<PageDetails | undefined> {
  const { pageDetails } = await import('../../toolkit/tracePage/pageDetails');
  return node === undefined
    ? undefined
    : pageDetails(node, trace.context, {
        commands: await nodeCommands(services, trace, node, isUndone),
        isUndone,
      });
}
