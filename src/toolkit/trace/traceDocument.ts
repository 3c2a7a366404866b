import { visibleText } from '../text';
import { shownAddress } from './accountNames';
import { fieldLines } from './fieldLines';
import { actionWords } from './actionWords';
import type { TraceContext } from './traceContext';
import { traceText } from './traceText';
import { formatTable } from '../formatTable';

/**
 * The whole trace as a document: {@link traceText}, then the accounts with everything known about them, the service's
 * actions in detail, and facts about the trace itself. Transactions have separate documents.
 */
export function traceDocument(context: TraceContext): string {
  const lines = [
    traceText(context).trimEnd(),
    '',
    ...accountLines(context),
    ...metadataLines(context),
    ...actionDetails(context),
    'Trace',
    ...indented(fieldLines(context.model.source, 'trace', context, shownElsewhere)),
  ];
  return `${lines.join('\n')}\n`;
}

const shownElsewhere = ['actions', 'trace', 'transactions', 'transactions_order', 'address_book', 'metadata'];

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`.trimEnd());
}

/** Letter, name, both address forms, and interfaces of all parties, and of other accounts in the answer. */
function accountLines(context: TraceContext): string[] {
  const { accounts, addressBook } = context.model;
  const all = [...new Set([...accounts, ...addressBook.keys()])];
  if (all.length === 0) {
    return [];
  }
  const rows = all.map((account) => {
    const row = addressBook.get(account);
    const interfaces = context.interfaces(account).map((name) => visibleText(String(name), 60));
    return [
      context.title(account),
      shownAddress(account, context),
      visibleText(account, 80),
      [...(row?.domain == null ? [] : [visibleText(row.domain, 80)]), ...interfaces].join(', '),
    ];
  });
  return ['Accounts', ...indented(formatTable(rows, ['left', 'left', 'left', 'left'])), ''];
}

/** The service's metadata of tokens and collections. Image links are never followed automatically. */
function metadataLines(context: TraceContext): string[] {
  return [...context.model.metadata].flatMap(([account, row]) => [
    `About ${context.title(account)}`,
    `  ${visibleText(account, 80)}`,
    ...indented(fieldLines(row, 'token', context)),
    '',
  ]);
}

function actionDetails(context: TraceContext): string[] {
  return context.model.actions.flatMap((action, index) => [
    `Action ${index + 1}: ${actionWords(action, context).words}`,
    ...indented(fieldLines(action, 'actionRow', context, ['transactions_full'])),
    '',
  ]);
}
