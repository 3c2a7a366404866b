import * as vscode from 'vscode';
import type { ReplayRef } from '../../commandTargets';
import { runCommand } from '../../contributions';
import type { FromTracePage } from '../../protocol/tracePage';
import { limits, overLimitError } from '../../toolkit/base/limits';
import { fileName, shortenMiddle } from '../../toolkit/base/text';
import { canFindLine, canRun, hasHappened } from '../../toolkit/trace/isEmulated';
import type { TraceNode } from '../../toolkit/trace/traceModel';
import { nodeMessage } from '../../toolkit/trace/traceText';
import { causeOf, failedNodes } from '../../toolkit/trace/verdict';
import type { PageCommand, PageDetails, TracePage } from '../../toolkit/trace/page/tracePage';
import { readWorkspaceText } from '../ui/readWorkspaceFile';
import type { LiveTraces, TraceServices } from './liveTraces';
import type { OpenTrace, ReplayedTrace } from './openTraces';
import { isOfLocalNetwork, originText } from './openTraces';
import { copyTrace, traceTitle } from './traceDocuments';

type Export = Extract<FromTracePage, { type: 'export' }>;

/**
 * Saves a picture that the page has drawn, or the page itself as a standalone file; or copies the trace.
 * @throws WorkbenchError `over-limit`
 */
export async function exportTracePage(
  services: TraceServices,
  subject: PageSubject,
  message: Export,
): Promise<void> {
  switch (message.format) {
    case 'svg':
    case 'png':
      if (message.text.length > limits.tracePicture.most) {
        throw overLimitError('tracePicture');
      }
      await save(
        subject,
        message.format,
        Buffer.from(message.text, message.format === 'png' ? 'base64' : 'utf8'),
      );
      return;
    case 'mermaid':
    case 'json':
      await copyTrace(services.traces, { key: subject.at().trace.key, as: message.format });
      return;
    case 'html':
      await save(subject, 'html', Buffer.from(await htmlOf(services, subject)));
      return;
  }
}

async function htmlOf({ context }: TraceServices, subject: PageSubject): Promise<string> {
  const read = async (file: string): Promise<string> => {
    const uri = vscode.Uri.joinPath(context.extensionUri, 'dist/webview', file);
    return readWorkspaceText(uri, 'givenFile');
  };
  const { standalonePage } = await import('../../toolkit/trace/page/standalonePage');
  const [script, style] = await Promise.all([read('tracePage.js'), read('tracePage.css')]);
  const { model } = subject.at().trace;
  return standalonePage({ model, page: await subject.page(), details: subject.details }, { script, style });
}

const kinds = { svg: 'Picture', png: 'Picture', html: 'Page' } as const;

async function save(subject: PageSubject, extension: keyof typeof kinds, content: Uint8Array): Promise<void> {
  const { trace } = subject.at();
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const name = `trace-${shortenMiddle(trace.model.id ?? trace.key).replace(/[^\w-]/g, '')}.${extension}`;
  const target = await vscode.window.showSaveDialog({
    title: 'Export Trace Page',
    filters: { [kinds[extension]]: [extension] },
    ...(folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder, name) }),
  });
  if (target !== undefined) {
    await vscode.workspace.fs.writeFile(target, content);
    void vscode.window.showInformationMessage(`Saved ${fileName(target.path)}.`);
  }
}

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
  /** The replay whose page it is; undefined for what happened. */
  replay?: ReplayRef;
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
      const { makeTracePage } = await import('../../toolkit/trace/page/makeTracePage');
      const trace = current();
      return makeTracePage(trace.context, {
        key,
        title: originText(trace.origin),
        kind: isUndone()
          ? 'undone'
          : trace.status === 'rehearsal' || trace.status === 'test'
            ? trace.status
            : 'happened',
        picture: trace.picture,
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
      const { makeTracePage } = await import('../../toolkit/trace/page/makeTracePage');
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
    replay: ref,
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
  const { pageDetails } = await import('../../toolkit/trace/page/pageDetails');
  return node === undefined
    ? undefined
    : pageDetails(node, trace.context, {
        commands: await nodeCommands(services, trace, node, isUndone),
        isUndone,
      });
}

/** What is run with the whole trace or with one of its transactions, as it is. */
const commandIds = {
  debug: 'tonWorkbench.debug',
  replay: 'tonWorkbench.replayTransaction',
  replayWithChanges: 'tonWorkbench.replayWithChanges',
  keepAsTest: 'tonWorkbench.keepAsTest',
  sendAgain: 'tonWorkbench.sendAgain',
  steps: 'tonWorkbench.showReplaySteps',
} as const;

/**
 * What can be done with a whole trace, in the order of the buttons. What is done with one of its transactions is beside
 * the details of that transaction, and nowhere else.
 */
function traceCommands({ traces }: TraceServices, trace: OpenTrace): PageCommand[] {
  return [
    ...only(trace.sendable !== undefined && !traces.isSent(trace), 'send'),
    ...only(trace.kept !== undefined, 'keepOrder'),
    ...(['compare', 'text', 'save'] as const),
  ];
}

/** What can be done with one of its transactions. */
async function nodeCommands(
  services: TraceServices,
  trace: OpenTrace,
  node: TraceNode,
  isUndone: boolean,
): Promise<PageCommand[]> {
  const runs = !isUndone && node.hash !== undefined && canRun(trace);
  const isReal = runs && hasHappened(trace);
  return [
    ...only(runs && canFindLine(trace, node), 'line'),
    ...only(runs, 'debug'),
    ...only(runs, 'steps'),
    ...only(isReal, 'replay'),
    ...only(isReal, 'replayWithChanges'),
    ...only(runs && canFindLine(trace, node) && vscode.workspace.isTrusted, 'keepAsTest'),
    ...only(isReal && isOfLocalNetwork(services.networks, trace), 'sendAgain'),
    ...only(node.account !== undefined, 'account'),
    ...only((await contractOf(services, node)) !== undefined, 'source'),
    ...only(true, 'text'),
  ];
}

/** Does what a button or link of the page asks for, with a transaction or the whole trace. */
export async function runPageCommand(
  services: TraceServices,
  trace: OpenTrace,
  command: PageCommand,
  node: TraceNode | undefined,
): Promise<void> {
  const whole = { key: trace.key };
  const ref = node === undefined ? whole : { ...whole, index: node.index };
  switch (command) {
    case 'text':
      await ('index' in ref
        ? runCommand(vscode.commands, 'tonWorkbench.showTransaction', ref)
        : runCommand(vscode.commands, 'tonWorkbench.showTrace', ref));
      return;
    case 'line': {
      const cause = node ?? causeOf(trace.model);
      if (cause !== undefined) {
        await runCommand(vscode.commands, 'tonWorkbench.goToThrow', { ...whole, index: cause.index });
      }
      return;
    }
    case 'debug':
    case 'replay':
    case 'replayWithChanges':
    case 'keepAsTest':
    case 'sendAgain':
    case 'steps':
      await runCommand(vscode.commands, commandIds[command], ref);
      return;
    case 'send':
      if (trace.sendable !== undefined) {
        await runCommand(vscode.commands, 'tonWorkbench.sendBoc', trace.sendable);
      }
      return;
    case 'compare':
      await runCommand(vscode.commands, 'tonWorkbench.compareTraces', whole);
      return;
    case 'undo': {
      const undo = services.traces.undoable.get(trace.key);
      await runCommand(vscode.commands, 'tonWorkbench.undoSendAgain', undo);
      return;
    }
    case 'account':
      if (node?.account !== undefined) {
        await runCommand(vscode.commands, 'tonWorkbench.openAccount', node.account);
      }
      return;
    case 'source':
      if (node !== undefined) {
        await goToContract(services, trace, node);
      }
      return;
    case 'keepOrder':
      await runCommand(vscode.commands, 'tonWorkbench.keepOrder', whole);
      return;
    case 'save':
      await runCommand(vscode.commands, 'tonWorkbench.saveTrace', whole);
      return;
  }
}

/** Opens the source at the struct of the message, if it has one. */
async function goToContract(services: TraceServices, trace: OpenTrace, node: TraceNode): Promise<void> {
  const contract = await contractOf(services, node);
  const network = 'network' in trace.origin ? trace.origin.network : services.networks.current().name;
  await runCommand(vscode.commands, 'tonWorkbench.goToSource', {
    pin: { network, address: node.account ?? '' },
    contract,
    ...(contract === undefined ? {} : { target: { message: nodeMessage(node, trace.context), contract } }),
  });
}

/** The contract of the workspace that has the code of the transaction's account. */
async function contractOf(
  { project }: TraceServices,
  { transaction }: TraceNode,
): Promise<string | undefined> {
  const hash = transaction?.account_state_after?.code_hash ?? transaction?.account_state_before?.code_hash;
  return hash == null ? undefined : (await project.list()).find(({ codeHash }) => codeHash === hash)?.name;
}

function only(isPossible: boolean, command: PageCommand): PageCommand[] {
  return isPossible ? [command] : [];
}
