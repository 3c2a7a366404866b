import * as vscode from 'vscode';
import { asCommand } from '../../contributions';
import type { TraceNode } from '../../toolkit/trace/traceModel';
import { shortAddress } from '../ui/shortAddress';
import { rowsAtOnce } from './openTraces';
import type { AccountListing, OpenTrace, WaitingMessage } from './openTraces';
import type { TraceElement } from './traceElement';
import { nodeRow, pathToCause, traceRow } from './traceWords';
import type { RowWords } from './traceWords';

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
  const failed = row.symbol === '✗';
  const item = itemOf(
    row,
    failed ? vscode.TreeItemCollapsibleState.Expanded : vscode.TreeItemCollapsibleState.Collapsed,
  );
  item.id = trace.key;
  item.description = [row.description, trace.origin, ...(trace.status === 'gone' ? ['dropped'] : [])].join(
    '  ',
  );
  if (trace.status === 'rehearsal') {
    // What would happen must not look like what happened.
    item.label = `rehearsal: ${row.label}`;
    item.iconPath = emulatedIcon(row.symbol);
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
  item.iconPath = row.isEmulated ? emulatedIcon(row.symbol) : iconOf(row.symbol);
  const tooltip = new vscode.MarkdownString();
  tooltip.appendText(row.tooltip);
  item.tooltip = tooltip;
  item.accessibilityInformation = {
    label: `${row.isEmulated ? emulatedWord(row.symbol) : wordOf(row.symbol)}: ${row.label} ${row.description}`,
  };
  return item;
}

/** What was computed ahead must not look like what happened, nor like what is on its way. */
function emulatedIcon(symbol: string): vscode.ThemeIcon {
  return new vscode.ThemeIcon(
    'beaker',
    symbol === '✗' ? new vscode.ThemeColor('testing.iconFailed') : undefined,
  );
}

function emulatedWord(symbol: string): string {
  return symbol === '◌' ? 'emulated' : `emulated, ${wordOf(symbol)}`;
}

function iconOf(symbol: string): vscode.ThemeIcon {
  switch (symbol) {
    case '✓':
      return new vscode.ThemeIcon('pass', new vscode.ThemeColor('testing.iconPassed'));
    case '✗':
      return new vscode.ThemeIcon('error', new vscode.ThemeColor('testing.iconFailed'));
    case '◌':
      return new vscode.ThemeIcon('loading~spin');
    case '↩':
      return new vscode.ThemeIcon('discard');
    case '·':
      return new vscode.ThemeIcon('circle-outline');
    default:
      return new vscode.ThemeIcon('question');
  }
}

function wordOf(symbol: string): string {
  const words: Record<string, string> = {
    '✓': 'success',
    '✗': 'failed',
    '◌': 'pending',
    '↩': 'bounced',
    '·': 'code not run',
  };
  return words[symbol] ?? 'unknown';
}

function waitingItem({ hash, origin }: WaitingMessage): vscode.TreeItem {
  const item = new vscode.TreeItem('sent, waiting for a block');
  item.id = `waiting/${hash}`;
  item.description = `${shortAddress(hash)}  ${origin}`;
  item.iconPath = new vscode.ThemeIcon('loading~spin');
  item.contextValue = 'waiting';
  return item;
}

function olderItem({ title, origin, loaded }: AccountListing): vscode.TreeItem {
  const item = new vscode.TreeItem(`Load more traces of ${title}`);
  item.id = 'older';
  item.description = `${loaded} looked at, ${origin}`;
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
