import * as vscode from 'vscode';
import type { TraceRef } from '../../commandTargets';
import { asCommand } from '../../contributions';
import { clockTime, shortenMiddle } from '../../toolkit/base/text';
import type { ListedLine } from '../../toolkit/trace/liveLines';
import { lineTitle } from '../../toolkit/trace/traceLine';
import { causeOf } from '../../toolkit/trace/verdict';
import { accountName } from '../project/accountName';
import type { LiveTraces, TraceServices } from './liveTraces';
import { readTraceFile } from './openTraceCommand';
import type { OpenTrace } from './openTraces';
import { lineLinks, traceTitle } from './traceDocuments';
import { traceRows } from './traceRows';

/** A choice in the list; without a key, a file. */
interface PickedTrace extends vscode.QuickPickItem {
  key: string | undefined;
}

/** Maximum traces offered for comparison. */
const mostOffered = 200;

/**
 * TON: Compare Trace with…: this trace on the left, another from the list or a file on the right. A rehearsal is always
 * on the left of what happened.
 */
export async function compareTracesCommand(
  services: TraceServices,
  live: LiveTraces,
  [ref, other]: [ref: TraceRef | undefined, other: TraceRef | undefined],
  show: (left: OpenTrace, right: OpenTrace) => void,
): Promise<void> {
  const left =
    (ref && (await services.traces.load(ref.key))) ??
    (await pick(services, live, 'Choose the first trace', undefined));
  const right =
    (other && (await services.traces.load(other.key))) ??
    (left === undefined
      ? undefined
      : await pick(services, live, 'Choose the trace to compare it with', left));
  if (left !== undefined && right !== undefined) {
    const isSwapped = right.status === 'rehearsal' && left.status !== 'rehearsal';
    show(isSwapped ? right : left, isSwapped ? left : right);
  }
}

/** Opens the comparison of two traces as text. */
export async function showComparison(
  services: TraceServices,
  left: OpenTrace,
  right: OpenTrace,
): Promise<void> {
  const [{ comparisonText }, { traceText }] = await Promise.all([
    import('../../toolkit/trace/compareTraces'),
    import('../../toolkit/trace/traceText'),
  ]);
  const undo = services.traces.undoable.get(right.key);
  const name = `${traceTitle(left)} and ${traceTitle(right)}`;
  const [before, after] = [left, right].map(({ context }, side) =>
    services.documents.keep(
      `compared/${encodeURIComponent(`${left.key} ${right.key}`)}/${side === 0 ? 'left' : 'right'}`,
      {
        text: traceText(context, { hashes: false }),
        lenses: [],
      },
    ),
  );
  await services.documents.show(
    `comparison/${encodeURIComponent(`${left.key} ${right.key}`)}/${name}`,
    {
      text: comparisonText(left.context, right.context),
      links: [left, right].flatMap((trace) => lineLinks(trace, [causeOf(trace.model)]) ?? []),
      lenses: [
        {
          title: '$(diff) Side by Side',
          command: 'vscode.diff',
          arguments: [before, after, name],
        },
        asCommand(
          'tonWorkbench.compareTraces',
          '$(type-hierarchy) Picture',
          { key: left.key },
          { key: right.key },
        ),
        ...(undo === undefined ? [] : [asCommand('tonWorkbench.undoSendAgain', '$(discard) Undo', undo)]),
      ],
    },
    { language: 'ton-report' },
  );
}

/** The rehearsal of a message that was then sent, or what happened after it: the first things to compare with. */
function partners(services: TraceServices, live: LiveTraces, other: OpenTrace | undefined): PickedTrace[] {
  if (other === undefined) {
    return [];
  }
  const { traces } = services;
  const { messages } = live.lineOf(other);
  const isPartner = (line: ListedLine): boolean =>
    line.key !== other.key && line.messages.some((hash) => messages.includes(hash));
  const happened = [...live.local(), ...traces.list().map((trace) => live.lineOf(trace))];
  const isRehearsal = ({ key }: { key: string }): boolean => traces.find(key)?.status === 'rehearsal';
  const wanted = happened.find((line) => isPartner(line) && isRehearsal(line) !== isRehearsal(other));
  if (wanted === undefined || (isRehearsal(other) && isRehearsal(wanted))) {
    return [];
  }
  const label = isRehearsal(other) ? '$(pass) What happened' : '$(beaker) The rehearsal before it was sent';
  return [{ label, description: lineTitle(wanted, accountName(services)), detail: '', key: wanted.key }];
}

/** Lets the user pick a trace from the list or a file. */
async function pick(
  services: TraceServices,
  live: LiveTraces,
  placeHolder: string,
  other: OpenTrace | undefined,
): Promise<OpenTrace | undefined> {
  const name = accountName(services);
  const { rows: listed } = traceRows({
    ...{ traces: services.traces, live, isShown: ({ key }) => key !== other?.key, most: mostOffered },
  });
  const rows = listed.flatMap((row) => {
    if (row.kind !== 'trace') {
      return [];
    }
    const { line, key } = row;
    const time = line.time === undefined ? [] : [clockTime(line.time)];
    const isRehearsal = row.trace?.status === 'rehearsal';
    return {
      label: `${isRehearsal ? 'rehearsal: ' : ''}${lineTitle(line, name)}`,
      description: [line.fact, line.network, ...time].filter((part) => part !== '').join('  '),
      detail: shortenMiddle(line.id),
      key,
    };
  });
  const file = { label: '$(folder-opened) Trace file…', description: '', detail: '', key: undefined };
  const picked = await vscode.window.showQuickPick([...partners(services, live, other), ...rows, file], {
    title: `TON: Compare ${other === undefined ? 'Traces' : traceTitle(other)}`,
    placeHolder,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (picked === undefined) {
    return undefined;
  }
  if (picked.key !== undefined) {
    return services.traces.load(picked.key);
  }
  const [opened] = (await readTraceFile(services)) ?? [];
  return opened;
}
