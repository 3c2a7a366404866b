import * as vscode from 'vscode';
import { asCommand } from '../../contributions';
import type { TraceNode } from '../../toolkit/trace/traceModel';
import type { ShownStatus } from '../../toolkit/trace/traceStatus';
import { originText, rowsAtOnce } from './openTraces';
import type { AccountListing, OpenTrace, WaitingMessage } from './openTraces';
import type { TraceElement } from './traceElement';
import { nodeRow, pathToCause, traceRow } from '../../toolkit/trace/traceRow';
import type { RowWords } from '../../toolkit/trace/traceRow';
import { shortenMiddle } from '../../toolkit/text';

/** A row of the view "Traces". */
export function traceElementItem(element: TraceElement): vscode.TreeItem {
  switch (element.kind) {
    case 'waiting':
      return waitingItem(element.message);
    case 'trace':
      return traceItem(element.trace);
    case 'node':
      return nodeItem(element.trace, element.node);
    case 'more':
      return moreItem(element.trace, element.parent, element.from);
    case 'older':
      return olderItem(element.listing);
  }
}

function traceItem(trace: OpenTrace): vscode.TreeItem {
  const row = traceRow(trace.context, trace.status === 'rehearsal');
  const item = itemOf(
    row,
    row.status === 'failed'
      ? vscode.TreeItemCollapsibleState.Expanded
      : vscode.TreeItemCollapsibleState.Collapsed,
  );
  item.id = trace.key;
  item.description = [
    row.description,
    originText(trace.origin),
    ...(trace.status === 'gone' ? ['dropped'] : []),
  ].join('  ');
  if (trace.status === 'rehearsal') {
    // Rehearsed must not look like executed.
    item.label = `rehearsal: ${row.label}`;
    item.iconPath = emulatedIcon(row.status);
  }
  item.contextValue = trace.status === 'following' ? 'trace-following' : 'trace';
  item.command = asCommand('tonWorkbench.showTrace', 'Show Trace', { key: trace.key });
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
  item.command = asCommand('tonWorkbench.showTransaction', 'Show Transaction', {
    key: trace.key,
    index: node.index,
  });
  return item;
}

function itemOf(row: RowWords, state: vscode.TreeItemCollapsibleState): vscode.TreeItem {
  const item = new vscode.TreeItem(row.label, state);
  item.description = row.description;
  item.iconPath = row.isEmulated ? emulatedIcon(row.status) : iconOf(row.status);
  const tooltip = new vscode.MarkdownString();
  tooltip.appendText(row.tooltip);
  item.tooltip = tooltip;
  item.accessibilityInformation = {
    label: `${row.isEmulated ? emulatedWord(row.status) : words[row.status]}: ${row.label} ${row.description}`,
  };
  return item;
}

/** Rehearsed must not look like executed, nor like pending. */
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

/** For screen readers, which do not see the icon. */
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

function olderItem({ title, origin, loaded }: AccountListing): vscode.TreeItem {
  const item = new vscode.TreeItem(`Load more traces of ${title}`);
  item.id = 'older';
  item.description = `${loaded} loaded, ${origin}`;
  item.iconPath = new vscode.ThemeIcon('history');
  item.command = asCommand('tonWorkbench.moreTraces', 'Load More Traces');
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
