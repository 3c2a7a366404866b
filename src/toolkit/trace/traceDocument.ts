import { visibleText } from '../base/text';
import { mentionedAccounts } from './traceModel';
import { shownAddress } from './accountNames';
import { fieldLines } from './fieldLines';
import { actionWords } from './actionWords';
import { reportText, titled } from './report';
import type { Report, ReportLine } from './report';
import type { TraceContext } from './traceContext';
import { traceText } from './traceText';
import { formatTable } from '../base/formatTable';

/** {@link traceReport} as text. */
export function traceDocument(context: TraceContext): string {
  return reportText(traceReport(context));
}

/**
 * The whole trace: {@link traceText} and the accounts, then everything known about them, the service's actions in
 * detail, and facts about the trace itself. Transactions have separate documents.
 */
export function traceReport(context: TraceContext): Report {
  const named = mentionedAccounts(context.model);
  return {
    summary: [...traceText(context, { hashes: false }).trimEnd().split('\n'), '', ...accountLines(context)],
    fields: [
      ...titled('Accounts', accountForms(context, named)),
      ...metadataLines(context, named),
      ...actionDetails(context),
      ...titled('Trace', fieldLines(context.model.source, 'trace', context, shownElsewhere)),
    ],
  };
}

const shownElsewhere = ['actions', 'trace', 'transactions', 'transactions_order', 'address_book', 'metadata'];

/** Letter, name, address, and interfaces of the accounts in the tree. */
function accountLines(context: TraceContext): ReportLine[] {
  const rows = context.model.accounts.map((account) => {
    return [context.title(account), shownAddress(account, context), domainAndInterfaces(account, context)];
  });
  return titled('Accounts', formatTable(rows, ['left', 'left', 'left']));
}

function domainAndInterfaces(account: string, context: TraceContext): string {
  const domain = context.model.addressBook.get(account)?.domain;
  const interfaces = context.interfaces(account).map((name) => visibleText(String(name), 60));
  return [...(domain == null ? [] : [visibleText(domain, 80)]), ...interfaces].join(', ');
}

/**
 * Both forms of the address of every account named in the trace, and the interfaces of those outside the
 * tree.
 */
function accountForms(context: TraceContext, named: ReadonlySet<string>): string[] {
  const inTree = new Set(context.model.accounts);
  const rows = [...named].map((account) => [
    context.title(account),
    visibleText(account, 80),
    ...(inTree.has(account) ? [] : [shownAddress(account, context), domainAndInterfaces(account, context)]),
  ]);
  return formatTable(rows, ['left', 'left', 'left', 'left']);
}

/** The service's metadata of tokens and collections. Image links are never followed automatically. */
function metadataLines(context: TraceContext, named: ReadonlySet<string>): ReportLine[] {
  const rows = [...context.model.metadata].filter(([account]) => named.has(account));
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
