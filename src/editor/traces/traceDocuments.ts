import * as vscode from 'vscode';
import type { TraceRef, TransactionRef } from '../../commandTargets';
import { asCommand, documentScheme } from '../../contributions';
import { shortenMiddle } from '../../toolkit/base/text';
import { canFindLine, canRun, hasHappened, isEmulation } from '../../toolkit/trace/isEmulated';
import { lineTitle, traceLine } from '../../toolkit/trace/traceLine';
import type { TraceNode } from '../../toolkit/trace/traceModel';
import { causeOf } from '../../toolkit/trace/verdict';
import type { Services } from '../project/services';
import type { ReadOnlyDocument } from '../ui/readOnlyDocuments';
import type { TraceServices } from './liveTraces';
import type { OpenTrace, OpenTraces } from './openTraces';
import { isOfLocalNetwork, notSent, originText, transactionOf } from './openTraces';

/** The document of a whole trace: verdict, actions, tree, amounts, fees, and all details. */
export async function showTrace(services: Services, traces: OpenTraces, ref: TraceRef): Promise<void> {
  const trace = await traces.load(ref.key);
  if (trace !== undefined) {
    await showWhole(services, traces, trace, async () => {
      const document = await documentOfTrace(services, traces, trace);
      await services.documents.show(pathOfTrace(trace), document, { language: 'ton-report', preview: true });
    });
    void findLine(services, traces, trace, causeOf(trace.model));
  }
}

/** The document of one transaction: phases, fees, messages, state before and after. */
export async function showTransaction(
  services: Services,
  traces: OpenTraces,
  ref: TransactionRef,
  beside = false,
): Promise<void> {
  const trace = await traces.load(ref.key);
  const node = trace?.model.nodes[ref.index];
  if (trace === undefined || node === undefined) {
    return;
  }
  const account = node.account === undefined ? 'transaction' : trace.context.name(node.account);
  const path = pathOfTransaction(trace, ref.index);
  await showWhole(services, traces, trace, async () =>
    services.documents.show(
      openPath(path) ?? `${path}/${account.replace(/[/\\]/g, ' ')} in ${traceTitle(trace)}`,
      await documentOfTransaction(services, trace, node),
      { language: 'ton-report', preview: true, beside },
    ),
  );
  void findLine(services, traces, trace, node);
}

/** Shows a document, and writes it again if the trace has changed before the editor had it open. */
async function showWhole(
  services: Services,
  traces: OpenTraces,
  { key }: OpenTrace,
  show: () => Promise<unknown>,
): Promise<void> {
  let isOutdated = false;
  const watching = traces.onDidChange((changed) => {
    isOutdated ||= changed?.key === key;
  });
  try {
    await show();
  } finally {
    watching.dispose();
  }
  const changed = isOutdated ? traces.find(key) : undefined;
  if (changed !== undefined) {
    await refreshDocuments({ ...services, traces }, changed);
  }
}

/**
 * Finds the line at which a transaction threw after its page is shown, where that costs no requests to a public network.
 * The page is updated when it is found.
 *
 * @returns whether the line is known now
 */
export async function findLine(
  { networks, log }: Services,
  { lineFinder }: OpenTraces,
  trace: OpenTrace,
  node: TraceNode | undefined,
): Promise<boolean> {
  const { key, context } = trace;
  const isFree = isOfLocalNetwork(networks, trace) || trace.inputsOf !== undefined;
  if (node?.hash === undefined || !isFree || !canFindLine(trace, node)) {
    return false;
  }
  if (context.thrownLine(node) !== undefined) {
    return true;
  }
  try {
    return (await lineFinder?.({ key, index: node.index })) ?? false;
  } catch (error) {
    log.debug(`the line that threw was not found: ${String(error)}`);
    return false;
  }
}

/** The places in a page's text that lead to the line which threw. */
export function lineLinks(
  { key, context }: Pick<OpenTrace, 'key' | 'context'>,
  nodes: readonly (TraceNode | undefined)[],
): ReadOnlyDocument['links'] {
  return nodes.flatMap((node) => {
    const line = context.thrownLine(node);
    return node === undefined || line === undefined
      ? []
      : [
          {
            words: line.place,
            command: asCommand('tonWorkbench.goToThrow', 'Go to the line that threw', {
              key,
              index: node.index,
            }),
          },
        ];
  });
}

/** Rewrites a trace's open documents when it has grown or more is known about it. */
export async function refreshDocuments(services: TraceServices, trace: OpenTrace): Promise<void> {
  const { documents, traces } = services;
  const path = openPath(`trace/${encodeURIComponent(trace.key)}`);
  if (path !== undefined) {
    documents.keep(path, await documentOfTrace(services, traces, trace));
  }
  for (const { uri, isClosed } of vscode.workspace.textDocuments) {
    const shown = isClosed ? undefined : transactionOf(uri);
    const node = shown?.key === trace.key ? trace.model.nodes[shown.index] : undefined;
    if (node !== undefined) {
      documents.keep(uri.path.slice(1), await documentOfTransaction(services, trace, node));
    }
  }
}

/** A document keeps the path it was opened with, whose title may be outdated. */
function openPath(prefix: string): string | undefined {
  return vscode.workspace.textDocuments
    .find(
      ({ uri, isClosed }) => !isClosed && uri.scheme === documentScheme && uri.path.startsWith(`/${prefix}/`),
    )
    ?.uri.path.slice(1);
}

function pathOfTrace(trace: OpenTrace): string {
  const prefix = `trace/${encodeURIComponent(trace.key)}`;
  // The page of a rehearsal has the same title.
  const kind = trace.status === 'rehearsal' ? ' (text)' : '';
  return openPath(prefix) ?? `${prefix}/${traceTitle(trace)}${kind}`;
}

function pathOfTransaction(trace: OpenTrace, index: number): string {
  return `transaction/${encodeURIComponent(`${trace.key} ${index}`)}`;
}

async function documentOfTrace(
  services: Services,
  traces: OpenTraces,
  trace: OpenTrace,
): Promise<ReadOnlyDocument> {
  const [{ traceReport }, { foldReport }] = await Promise.all([
    import('../../toolkit/trace/traceDocument'),
    import('../../toolkit/trace/report'),
  ]);
  const ref = { key: trace.key };
  const report = traceReport(trace.context);
  const words = traces.isSent(trace) ? 'rehearsal of a message that was then sent' : notSent;
  const heading = trace.status === 'rehearsal' ? [words, ''] : [];
  return {
    ...foldReport({ ...report, summary: [...heading, ...report.summary] }),
    links: lineLinks(trace, [causeOf(trace.model)]),
    lenses: [
      { title: `${originText(trace.origin)}, ${traceStateText(trace)}`, command: '' },
      asCommand('tonWorkbench.showTracePage', '$(type-hierarchy) Picture', ref),
      ...throwLens(trace, causeOf(trace.model)),
      ...(hasHappened(trace)
        ? [asCommand('tonWorkbench.replayTransaction', '$(debug-restart) Replay…', ref)]
        : []),
      ...debugLens(trace, ref),
      ...sendAgainLens(services, trace, ref),
      asCommand('tonWorkbench.saveTrace', '$(save) Save', ref),
      asCommand('tonWorkbench.copyTrace', '$(copy) Copy as Mermaid', { ...ref, as: 'mermaid' }),
      asCommand('tonWorkbench.copyTrace', '$(copy) Copy as JSON', { ...ref, as: 'json' }),
    ],
  };
}

/** Only the local network can go back to before a trace. */
function sendAgainLens(
  { networks }: Services,
  trace: OpenTrace,
  ref: TraceRef | TransactionRef,
): vscode.Command[] {
  return hasHappened(trace) && isOfLocalNetwork(networks, trace)
    ? [asCommand('tonWorkbench.sendAgain', '$(redo) Send Again With Changes…', ref)]
    : [];
}

async function documentOfTransaction(
  services: Services,
  trace: OpenTrace,
  node: TraceNode,
): Promise<ReadOnlyDocument> {
  const [{ transactionReport }, { foldReport }] = await Promise.all([
    import('../../toolkit/trace/transactionText'),
    import('../../toolkit/trace/report'),
  ]);
  return {
    ...foldReport(transactionReport(node, trace.context)),
    links: lineLinks(trace, [node]),
    lenses: [
      ...throwLens(trace, node),
      asCommand('tonWorkbench.showTracePage', '$(type-hierarchy) Picture', {
        key: trace.key,
        index: node.index,
      }),
      asCommand('tonWorkbench.showTrace', '$(list-tree) Whole Trace', { key: trace.key }),
      ...(node.account === undefined
        ? []
        : [asCommand('tonWorkbench.openAccount', '$(account) Account', node.account)]),
      ...(node.hash === undefined ? [] : debugLens(trace, { key: trace.key, index: node.index })),
      ...(node.hash === undefined ? [] : stepsLens(trace, { key: trace.key, index: node.index })),
      ...(node.hash !== undefined && hasHappened(trace) ? replayLenses(trace, node) : []),
      ...sendAgainLens(services, trace, { key: trace.key, index: node.index }),
    ],
  };
}

/** Leads to the source line, if the code threw. */
export function throwLens(trace: OpenTrace, node: TraceNode | undefined): vscode.Command[] {
  return canFindLine(trace, node)
    ? [
        asCommand('tonWorkbench.goToThrow', '$(go-to-file) Line That Threw', {
          key: trace.key,
          index: node.index,
        }),
      ]
    : [];
}

/** Lists the steps of a transaction, which is asked for without an index. */
export function stepsLens(trace: OpenTrace, ref: TraceRef | TransactionRef): vscode.Command[] {
  return canRun(trace) ? [asCommand('tonWorkbench.showReplaySteps', '$(list-ordered) Steps', ref)] : [];
}

/** Debugs a trace from what failed in it, or from one of its transactions. */
export function debugLens(trace: OpenTrace, ref: TraceRef | TransactionRef): vscode.Command[] {
  return canRun(trace) ? [asCommand('tonWorkbench.debug', '$(debug-alt) Debug', ref)] : [];
}

function replayLenses({ key }: OpenTrace, { index }: TraceNode): vscode.Command[] {
  const ref = { key, index };
  return [
    asCommand('tonWorkbench.replayTransaction', '$(debug-restart) Replay', ref),
    asCommand('tonWorkbench.showGas', '$(flame) Gas', ref),
    asCommand('tonWorkbench.replayWithChanges', '$(edit) Replay With Changes…', ref),
  ];
}

/** Saves a trace to a file; TON: Open Trace File… opens it again. */
export async function saveTrace(services: Services, traces: OpenTraces, ref: TraceRef): Promise<void> {
  const trace = traces.find(ref.key);
  if (trace === undefined) {
    return;
  }
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const name = `trace-${nameOf(trace).replace(/[^\w-]/g, '')}.json`;
  const target = await vscode.window.showSaveDialog({
    title: 'Save Trace',
    filters: { 'Trace (JSON)': ['json'] },
    ...(folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder, name) }),
  });
  if (target === undefined) {
    return;
  }
  const { traceFileText: textOf } = await import('../../toolkit/trace/traceFile');
  const text = textOf(trace.model, {
    network: 'network' in trace.origin ? trace.origin.network : undefined,
    savedAt: Date.now(),
  });
  await vscode.workspace.fs.writeFile(target, Buffer.from(`${text}\n`));
  services.log.info(`saved a trace of ${originText(trace.origin)}`);
}

/** Copies a trace to the clipboard, as a Mermaid diagram or as the service's own JSON. */
export async function copyTrace(
  traces: OpenTraces,
  ref: TraceRef & { as: 'mermaid' | 'json' },
): Promise<void> {
  const trace = traces.find(ref.key);
  if (trace === undefined) {
    return;
  }
  const { mermaidText } = await import('../../toolkit/trace/mermaidText');
  const { traceJson } = await import('../../toolkit/trace/traceFile');
  const text = ref.as === 'mermaid' ? mermaidText(trace.context) : traceJson(trace.model);
  await vscode.env.clipboard.writeText(text);
  void vscode.window.setStatusBarMessage(`Copied the trace as ${ref.as}`, 4000);
}

/** A title that says what happened: `Withdraw: alice → Vault`, `rehearsal of transfer 1 TON: alice → bob`. */
export function traceTitle(trace: OpenTrace): string {
  const isRehearsal = trace.status === 'rehearsal';
  const line = traceLine(trace.context);
  const title = lineTitle(
    isRehearsal || trace.status === 'test' ? { ...line, isEmulated: false } : line,
    () => undefined,
  );
  // A tab's title is the last part of its document's path.
  return `${isRehearsal ? 'rehearsal of ' : ''}${title}`.replace(/[/\\]/g, ' ');
}

export function traceStateText({ status, model }: OpenTrace): string {
  const read = isEmulation(model) ? 'emulated, not sent' : model.state;
  const words = {
    following: 'following',
    rehearsal: 'predicted',
    test: 'ran in a test',
    gone: 'dropped',
    complete: read,
  };
  return words[status];
}

function nameOf(trace: OpenTrace): string {
  return shortenMiddle(trace.model.id ?? trace.key);
}
