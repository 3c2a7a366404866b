import * as vscode from 'vscode';
import type { TraceRef } from '../../commandArguments';
import type { Services } from '../services';
import { originText } from './openTraces';
import type { OpenTrace, OpenTraces } from './openTraces';
import { readTraceFile } from './openTraceCommand';
import { traceTitle } from './traceDocuments';
import * as words from '../../toolkit/trace/traceRow';

/** TON: Compare Trace with…: this trace on the left, another from the list or a file on the right. */
export async function compareTracesCommand(
  services: Services,
  traces: OpenTraces,
  ref: TraceRef | undefined,
): Promise<void> {
  const left =
    (ref && traces.find(ref.key)) ?? (await pick(services, traces, 'Choose the first trace', undefined));
  const right =
    left === undefined
      ? undefined
      : await pick(services, traces, 'Choose the trace to compare it with', left);
  if (left === undefined || right === undefined) {
    return;
  }
  const [{ comparisonText }, { traceText }] = await Promise.all([
    import('../../toolkit/trace/compareTraces'),
    import('../../toolkit/trace/traceText'),
  ]);
  const name = `${traceTitle(left)} and ${traceTitle(right)}`;
  const [before, after] = [left, right].map(({ context }, side) =>
    services.documents.keep(
      `compared/${encodeURIComponent(`${left.key} ${right.key}`)}/${side === 0 ? 'left' : 'right'}`,
      {
        text: traceText(context),
        lenses: [],
      },
    ),
  );
  await services.documents.show(
    `comparison/${encodeURIComponent(`${left.key} ${right.key}`)}/${name}`,
    {
      text: comparisonText(left.context, right.context),
      lenses: [
        {
          title: '$(diff) Side by Side',
          command: 'vscode.diff',
          arguments: [before, after, name],
        },
      ],
    },
    { language: 'ton-report' },
  );
}

/** From the list, or from a file. */
async function pick(
  services: Services,
  traces: OpenTraces,
  placeHolder: string,
  other: OpenTrace | undefined,
): Promise<OpenTrace | undefined> {
  const rows = traces
    .list()
    .filter((trace) => trace !== other)
    .map((trace) => {
      const { label, description } = words.traceRow(trace.context, trace.status === 'rehearsal');
      return {
        label,
        description: `${description}, ${originText(trace.origin)}`,
        detail: traceTitle(trace),
        trace,
      };
    });
  const file = { label: '$(folder-opened) Trace file…', description: '', detail: '', trace: undefined };
  const picked = await vscode.window.showQuickPick([...rows, file], {
    title: `TON: Compare ${other === undefined ? 'Traces' : traceTitle(other)}`,
    placeHolder,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (picked === undefined || picked.trace !== undefined) {
    return picked?.trace;
  }
  const [opened] = (await readTraceFile(services)) ?? [];
  return opened;
}
