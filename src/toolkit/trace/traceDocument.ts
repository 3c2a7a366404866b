import { visibleText } from '../text';
import { shownAddress } from './accountNames';
import { fieldLines } from './fieldLines';
import { actionWords } from './actionWords';
import { reportText, titled } from './report';
import type { Report, ReportLine } from './report';
import type { TraceContext } from './traceContext';
import { traceText } from './traceText';
import { formatTable } from '../formatTable';

/** {@link traceReport} as text. */
export function traceDocument(context: TraceContext): string {
  return reportText(traceReport(context));
}

/**
 * The whole trace: {@link traceText} and the accounts, then everything known about them, the service's actions in
 * detail, and facts about the trace itself. Transactions have separate documents.
 */
export function traceReport(context: TraceContext): Report {
  return {
    summary: [...traceText(context).trimEnd().split('\n'), '', ...accountLines(context)],
    fields: [
      ...titled('Accounts', rawAccounts(context)),
      ...metadataLines(context),
      ...actionDetails(context),
      ...titled('Trace', fieldLines(context.model.source, 'trace', context, shownElsewhere)),
    ],
  };
}

const shownElsewhere = ['actions', 'trace', 'transactions', 'transactions_order', 'address_book', 'metadata'];

/** The accounts of the tree. */
function accountsOf({ model }: TraceContext): readonly string[] {
  return model.accounts;
}

/** Letter, name, address, and interfaces. */
function accountLines(context: TraceContext): ReportLine[] {
  const rows = accountsOf(context).map((account) => {
    const row = context.model.addressBook.get(account);
    const interfaces = context.interfaces(account).map((name) => visibleText(String(name), 60));
    return [
      context.title(account),
      shownAddress(account, context),
      [...(row?.domain == null ? [] : [visibleText(row.domain, 80)]), ...interfaces].join(', '),
    ];
  });
  return titled('Accounts', formatTable(rows, ['left', 'left', 'left']));
}

/** The accounts' raw addresses. */
function rawAccounts(context: TraceContext): string[] {
  const rows = accountsOf(context).map((account) => [context.title(account), visibleText(account, 80)]);
  return formatTable(rows, ['left', 'left']);
}

/** The service's metadata of tokens and collections. Image links are never followed automatically. */
function metadataLines(context: TraceContext): ReportLine[] {
  const { accounts, metadata } = context.model;
  const masters = accounts.map((account) => context.jettonWallet(account)?.master);
  // An answer with several traces has what belongs to the others, too.
  const own = new Set([...accounts, ...masters]);
  const rows = [...metadata].filter(([account]) => own.has(account));
  return rows.flatMap(([account, row]) =>
    titled(`About ${context.title(account)}`, [
      visibleText(account, 80),
      ...fieldLines(row, 'token', context),
    ]),
  );
}

function actionDetails(context: TraceContext): ReportLine[] {
  return context.model.actions.flatMap((action, index) =>
    titled(
      `Action ${index + 1}: ${actionWords(action, context).words}`,
      fieldLines(action, 'actionRow', context, ['transactions_full']),
    ),
  );
}
