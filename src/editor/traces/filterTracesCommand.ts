import * as vscode from 'vscode';
import { readStart, traceActions } from '../../toolkit/trace/traceActions';
import { askText } from '../ui/askText';
import type { OpenTraces } from './openTraces';
import type { ListFilter, TraceFilters } from './traceFilters';

interface Choice extends vscode.QuickPickItem {
  apply(filter: ListFilter): ListFilter | Promise<ListFilter | undefined>;
}

/** TON: Filter Traces…: each choice changes one part of the filter; the view's title shows the filter. */
export async function filterTracesCommand(traces: OpenTraces, filters: TraceFilters): Promise<void> {
  const filter = filters.value();
  const choice = await vscode.window.showQuickPick(choices(traces, filters), {
    title: `TON: Filter Traces${filters.isEmpty() ? '' : ` (now: ${filters.words()})`}`,
    placeHolder: 'Show only…',
    matchOnDescription: true,
  });
  const changed = await choice?.apply(filter);
  if (changed !== undefined) {
    filters.set(changed);
  }
}

function choices(traces: OpenTraces, filters: TraceFilters): (Choice | vscode.QuickPickItem)[] & Choice[] {
  const { mineOnly = false, failedOnly = false, direction, actionTypes = [], startTime } = filters.value();
  const mark = (isOn: boolean): string => (isOn ? '$(check) ' : '');
  const kinds = [...new Set([...actionTypes, ...kindsOf(traces)])].sort();
  const rows: (Choice | vscode.QuickPickItem)[] = [
    {
      label: `${mark(mineOnly)}mine`,
      description: "sent from this window or by the local network's wallets",
      apply: (filter: ListFilter) => ({ ...filter, mineOnly: !mineOnly }),
    },
    {
      label: `${mark(failedOnly)}failed`,
      description: 'has a failed transaction',
      apply: (filter: ListFilter) => ({ ...filter, failedOnly: !failedOnly }),
    },
    ...(traces.listing() === undefined ? [] : directionChoices(direction, mark)),
    {
      label: `${mark(startTime !== undefined)}since…`,
      description:
        startTime === undefined
          ? 'applies to newly loaded traces, too'
          : 'choose again to change or clear it',
      apply: askStart,
    },
    ...(kinds.length === 0 ? [] : [separator('kinds of actions in the listed traces')]),
    ...kinds.map((kind) => ({
      label: `${mark(actionTypes.includes(kind))}${kind.replaceAll('_', ' ')}`,
      apply: (filter: ListFilter) => ({
        ...filter,
        actionTypes: actionTypes.includes(kind)
          ? actionTypes.filter((other) => other !== kind)
          : [...actionTypes, kind],
      }),
    })),
    ...(filters.isEmpty()
      ? []
      : [separator(''), { label: '$(clear-all) show all', apply: () => ({}) satisfies ListFilter }]),
  ];
  return rows as (Choice | vscode.QuickPickItem)[] & Choice[];
}

function directionChoices(direction: ListFilter['direction'], mark: (isOn: boolean) => string): Choice[] {
  return (['in', 'out'] as const).map((one) => ({
    label: `${mark(direction === one)}${one === 'in' ? 'incoming' : 'outgoing'}`,
    description:
      one === 'in' ? 'started by another account' : 'started by the account whose traces are listed',
    apply: (filter) => ({ ...filter, direction: direction === one ? undefined : one }),
  }));
}

function separator(label: string): vscode.QuickPickItem {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

function kindsOf(traces: OpenTraces): string[] {
  return traces.list().flatMap(({ context }) => traceActions(context).map(({ type }) => type));
}

async function askStart(filter: ListFilter): Promise<ListFilter | undefined> {
  const answer = await askText({
    title: 'TON: Filter Traces by Time',
    prompt: 'Since when: 2h, 3d, or a date such as 2026-11-20 or 2026-11-20T18:00. Leave empty for any time.',
    placeholder: '24h',
    validate: (text) =>
      text.trim() === '' || readStart(text, Date.now()) !== undefined
        ? undefined
        : 'Enter a number followed by m, h, or d, or a date such as 2026-11-20.',
  });
  return typeof answer === 'string' ? { ...filter, startTime: readStart(answer, Date.now()) } : undefined;
}
