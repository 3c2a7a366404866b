import * as vscode from 'vscode';
import { asCommand } from '../../contributions';
import { clockTime, shortenMiddle } from '../../toolkit/base/text';
import type { ShownStatus } from '../../toolkit/trace/isEmulated';
import type { TraceNode } from '../../toolkit/trace/traceModel';
import { formatTime } from '../../toolkit/trace/figures';
import type { ListedLine } from '../../toolkit/trace/liveLines';
import type { RowWords } from '../../toolkit/trace/traceLine';
import {
  lineFacts,
  lineLabel,
  nodeRow,
  pathToCause,
  traceRow,
  traceTooltip,
} from '../../toolkit/trace/traceLine';
import type { AccountListing, OpenTrace, WaitingMessage } from './openTraces';
import { notSent, originText, rowsAtOnce } from './openTraces';

/** What is needed to word a row. */
export interface RowSurroundings {
  /** Current names by raw address. */
  name: (address: string) => string | undefined;
  /** Name of the local network, which rows leave out. */
  localName: string;
}

/** A row of the view "Traces". */
export function traceElementItem(element: TraceElement, around: RowSurroundings): vscode.TreeItem {
  switch (element.kind) {
    case 'waiting':
      return waitingItem(element.message);
    case 'trace':
      return traceItem(element, around);
    case 'rehearsal':
      return rehearsalItem(element.of, element.trace);
    case 'node':
      return nodeItem(element.trace, element.node);
    case 'more':
      return moreItem(element.trace, element.parent, element.from);
    case 'older':
      return olderItem(element.after, element.isLast);
    case 'olderOfAccount':
      return olderOfAccountItem(element.listing);
  }
}

/** The row of a trace: verdict, what, who, the one fact that matters, and the time last. */
function traceItem(
  { line, trace, rehearsal }: TraceRowElement,
  { name, localName }: RowSurroundings,
): vscode.TreeItem {
  const isRehearsal = trace?.status === 'rehearsal';
  const isTest = trace?.status === 'test';
  const row = {
    label: lineLabel(isRehearsal || isTest ? { ...line, isEmulated: false } : line, name),
    description: [
      ...(line.isUndone === true ? ['(undone)'] : []),
      ...lineFacts(line, name),
      ...(trace?.status === 'gone' ? ['dropped'] : []),
      placeOf(line, trace, localName),
      line.time === undefined ? '' : clockTime(line.time),
    ]
      .filter((part) => part !== '')
      .join('  '),
    status: trace?.status === 'gone' ? 'failed' : line.status,
    isEmulated: line.isEmulated || isRehearsal,
    tooltip: tooltipOf(line, trace, rehearsal),
  };
  const isOpen = trace !== undefined && line.status === 'failed' && line.isUndone !== true;
  const item = itemOf(
    row,
    isOpen ? vscode.TreeItemCollapsibleState.Expanded : vscode.TreeItemCollapsibleState.Collapsed,
  );
  item.id = line.key;
  if (isRehearsal) {
    // A rehearsal must not look like an execution.
    item.label = `${notSent}: ${row.label}`;
    item.accessibilityInformation = { label: `${notSent}, ${spoken(row)}` };
  } else if (line.isUndone === true) {
    item.label = `~ ${row.label}`;
    item.iconPath = new vscode.ThemeIcon('circle-slash', new vscode.ThemeColor('disabledForeground'));
    // This URI's decoration dims the row.
    item.resourceUri = undoneUri(line.key);
    item.accessibilityInformation = { label: `undone: ${row.label} ${row.description}` };
  }
  item.contextValue = contextOf(line, trace, localName);
  item.command = asCommand('tonWorkbench.showTracePage', 'Show Trace', { key: line.key }, true);
  return item;
}

/** Menus offer to replay what is in a block, and to go back to before it. */
function contextOf(line: ListedLine, trace: OpenTrace | undefined, localName: string): string {
  if (trace?.status === 'rehearsal' || line.isEmulated) {
    return 'trace-emulated';
  }
  if (trace?.status === 'following') {
    return 'trace-following';
  }
  return line.isUndone === true ? 'trace-undone' : line.network === localName ? 'trace-local' : 'trace';
}

/** Where it happened, unless on the local network. */
function placeOf(line: ListedLine, trace: OpenTrace | undefined, localName: string): string {
  const place = trace === undefined ? line.network : originText(trace.origin);
  return place === localName || trace?.status === 'rehearsal' ? '' : place;
}

function tooltipOf(line: ListedLine, trace: OpenTrace | undefined, rehearsal: OpenTrace | undefined): string {
  return [
    ...(line.isUndone === true ? ['Undone: the local network went back to a block before it.'] : []),
    ...(trace === undefined ? [line.what] : [traceTooltip(trace.context)]),
    ...(rehearsal === undefined ? [] : ['It was rehearsed before it was sent.']),
    ...(line.time === undefined ? [] : [formatTime(line.time)]),
  ].join('\n\n');
}

/** The rehearsal of a message that was sent afterwards. */
function rehearsalItem(of: TraceRowElement, trace: OpenTrace): vscode.TreeItem {
  const row = traceRow(trace.context);
  const item = itemOf(
    { ...row, label: 'rehearsal', description: 'before it was sent' },
    vscode.TreeItemCollapsibleState.Collapsed,
  );
  item.id = `${of.key}/rehearsal`;
  item.contextValue = 'rehearsal';
  item.iconPath = emulatedIcon(row.status);
  item.command = asCommand('tonWorkbench.showTracePage', 'Show Trace', { key: trace.key }, true);
  return item;
}

function nodeItem(trace: OpenTrace, node: TraceNode): vscode.TreeItem {
  const row = nodeRow(node, trace.context);
  const open = pathToCause(trace.model).has(node) || node.depth < 3;
  const item = itemOf(
    row,
    node.children.length === 0
      ? vscode.TreeItemCollapsibleState.None
      : open
        ? vscode.TreeItemCollapsibleState.Expanded
        : vscode.TreeItemCollapsibleState.Collapsed,
  );
  item.id = `${trace.key}/${node.hash ?? node.index}`;
  item.contextValue = 'transaction';
  item.command = asCommand(
    'tonWorkbench.showTracePage',
    'Show Transaction',
    { key: trace.key, index: node.index },
    true,
  );
  return item;
}

function itemOf(row: RowWords, state: vscode.TreeItemCollapsibleState): vscode.TreeItem {
  const item = new vscode.TreeItem(row.label, state);
  item.description = row.description;
  item.iconPath = row.isEmulated ? emulatedIcon(row.status) : iconOf(row.status);
  const tooltip = new vscode.MarkdownString();
  tooltip.appendText(row.tooltip);
  item.tooltip = tooltip;
  item.accessibilityInformation = { label: spoken(row) };
  return item;
}

function spoken(row: RowWords): string {
  return `${row.isEmulated ? emulatedWord(row.status) : words[row.status]}: ${row.label} ${row.description}`;
}

/** A rehearsal must not look like an execution, nor like a pending trace. */
function emulatedIcon(status: ShownStatus): vscode.ThemeIcon {
  return new vscode.ThemeIcon(
    'beaker',
    status === 'failed' ? new vscode.ThemeColor('testing.iconFailed') : undefined,
  );
}

function emulatedWord(status: ShownStatus): string {
  return status === 'emulated' || status === 'pending' ? 'emulated' : `emulated, ${words[status]}`;
}

function iconOf(status: ShownStatus): vscode.ThemeIcon {
  switch (status) {
    case 'success':
      return new vscode.ThemeIcon('pass', new vscode.ThemeColor('testing.iconPassed'));
    case 'failed':
      return new vscode.ThemeIcon('error', new vscode.ThemeColor('testing.iconFailed'));
    case 'pending':
      return new vscode.ThemeIcon('loading~spin');
    case 'emulated':
      return emulatedIcon(status);
    case 'bounced':
      return new vscode.ThemeIcon('discard');
    case 'notRun':
      return new vscode.ThemeIcon('circle-outline');
    case 'unknown':
      return new vscode.ThemeIcon('question');
  }
}

/** For screen readers, which cannot see the icon. */
const words: Readonly<Record<ShownStatus, string>> = {
  success: 'success',
  failed: 'failed',
  pending: 'pending',
  emulated: 'emulated',
  bounced: 'bounced',
  notRun: 'code not run',
  unknown: 'unknown',
};

function waitingItem({ hash, origin }: WaitingMessage): vscode.TreeItem {
  const item = new vscode.TreeItem('sent, waiting for a block');
  item.id = `waiting/${hash}`;
  item.description = `${shortenMiddle(hash)}  ${origin}`;
  item.iconPath = new vscode.ThemeIcon('loading~spin');
  item.contextValue = 'waiting';
  return item;
}

function olderOfAccountItem({ title, origin, loaded }: AccountListing): vscode.TreeItem {
  const item = new vscode.TreeItem(`Load more traces of ${title}`);
  item.id = 'older of account';
  item.description = `${loaded} loaded, ${origin}`;
  item.iconPath = new vscode.ThemeIcon('history');
  item.command = asCommand('tonWorkbench.moreTraces', 'Load More Traces');
  return item;
}

function olderItem(after: ListedLine | undefined, isLast: boolean): vscode.TreeItem {
  const item = new vscode.TreeItem(isLast ? 'Show older…' : 'Show what happened in between…');
  item.id = `older/${after?.key ?? ''}`;
  item.iconPath = new vscode.ThemeIcon('history');
  item.command = asCommand('tonWorkbench.moreTraces', 'Show Older Traces', { key: after?.key ?? '' });
  return item;
}

function moreItem(trace: OpenTrace, parent: TraceNode | undefined, from: number): vscode.TreeItem {
  const all = parent?.children ?? trace.model.roots;
  const item = new vscode.TreeItem(
    `${Math.min(rowsAtOnce, all.length - from)} more of ${all.length}`,
    vscode.TreeItemCollapsibleState.Collapsed,
  );
  item.id = `${trace.key}/${parent?.hash ?? parent?.index ?? 'root'}/more/${from}`;
  item.iconPath = new vscode.ThemeIcon('ellipsis');
  return item;
}

const scheme = 'ton-undone';

/** The URI by which a row is dimmed; see {@link UndoneDecorations}. */
function undoneUri(key: string): vscode.Uri {
  return vscode.Uri.from({ scheme, path: `/${key}` });
}

/** Dims the rows of traces that the local network has undone, because a tree item has no style of its own. */
export class UndoneDecorations implements vscode.FileDecorationProvider {
  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    return uri.scheme === scheme
      ? new vscode.FileDecoration(undefined, 'undone', new vscode.ThemeColor('disabledForeground'))
      : undefined;
  }
}

/** The row of a trace: its line, and the trace itself if it is loaded. */
export interface TraceRowElement {
  kind: 'trace';
  key: string;
  /** Hash of the first transaction; undefined if not known yet. */
  id: string | undefined;
  line: ListedLine;
  trace: OpenTrace | undefined;
  /** The prediction made before the message was sent. */
  rehearsal: OpenTrace | undefined;
}

/** A row of the view "Traces", as passed to its commands. */
export type TraceElement =
  | TraceRowElement
  | { kind: 'waiting'; message: WaitingMessage }
  | { kind: 'rehearsal'; key: string; of: TraceRowElement; trace: OpenTrace }
  | { kind: 'node'; trace: OpenTrace; node: TraceNode; account: { address: string } }
  | { kind: 'more'; trace: OpenTrace; parent: TraceNode | undefined; from: number }
  /**
   * Loads more of the local network's traces: those after a line, or, if undefined, those that are known but
   * not shown.
   */
  | { kind: 'older'; after: ListedLine | undefined; isLast: boolean }
  | { kind: 'olderOfAccount'; listing: AccountListing };
