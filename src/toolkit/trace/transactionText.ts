import { changedSourceText } from '../abi/changedSourceText';
import { bocTree } from '../cell/bocTree';
import { readBoc } from '../cell/readBoc';
import { explainExitCode, skipReasons, unexplainedExit } from '../exitCodes';
import { visibleText } from '../text';
import { decodedLines, serviceDecodingLines } from './decodedLines';
import { isEmulated } from './emulated';
import { feesOf, feeText } from './fees';
import { fieldLines } from './fieldLines';
import { counted, formatChange, formatCoins, formatInteger } from './figures';
import { computeSucceeded } from './outcomeOf';
import { reportText, titled } from './report';
import type { Report, ReportLine } from './report';
import { accountStateFields, stateLines } from './stateLines';
import type { TraceContext } from './traceContext';
import type { JettonFacts } from './traceKnowledge';
import { nodeMessage, nodeResult, nodeSymbol } from './traceText';
import type { TraceNode } from './traceModel';
import type { V3Message, V3Transaction } from '../api/v3Objects';
import { failureOf } from './verdict';
import { formatTable } from '../formatTable';

/** {@link transactionReport} as text. */
export function transactionText(node: TraceNode, context: TraceContext): string {
  return reportText(transactionReport(node, context));
}

/**
 * One transaction as a document: the verdict, phases with their costs, messages with their bodies, the account before
 * and after, then every field of the answer with its meaning.
 */
export function transactionReport(node: TraceNode, context: TraceContext): Report {
  const { transaction, account } = node;
  const changed = account === undefined ? undefined : context.knowledge.changedSource?.(account);
  const head = [
    `${nodeSymbol(node, context.model)} ${headlineOf(node, context)}`,
    ...explanation(node, context).map((line) => `  ${line}`),
    ...(changed === undefined ? [] : [`  ${changedSourceText(changed)}`]),
    '',
  ];
  if (transaction === undefined) {
    const failure = node.failure === undefined ? [] : [...failureLines(node.failure), ''];
    const { message } = node;
    return {
      summary: [
        ...head,
        ...failure,
        ...titled('Message', message == null ? [] : messageLines(message, context)),
      ],
      fields: message == null ? [] : titled('Message', messageFields(message, context)),
    };
  }
  const messages = messagesOf(transaction);
  return {
    summary: [
      ...head,
      ...phaseTable(transaction, context),
      '',
      ...(transaction.in_msg == null ? titled('Message in', ['none']) : []),
      ...messages.flatMap(({ title, message }) => titled(title, messageLines(message, context))),
      ...titled(
        'Debug output',
        (transaction.debug_output ?? []).map((text) => visibleText(String(text), 1_000)),
      ),
      ...titled('Account state', stateLines(node, context)),
    ],
    fields: [
      ...titled('Transaction', fieldLines(transaction, 'transaction', context, shownElsewhere)),
      ...phaseDetails(transaction, context),
      ...messages.flatMap(({ title, message }) => titled(title, messageFields(message, context))),
      ...accountStateFields(transaction, context),
    ],
  };
}

function failureLines(reason: string): string[] {
  return [
    `The engine failed on this message: ${reason}.`,
    'It is kept with its coins. /control/retry retries it, for example after you change the account; /control/drop discards it.',
  ];
}

const shownElsewhere = [
  'debug_output',
  'description',
  'in_msg',
  'out_msgs',
  'account_state_before',
  'account_state_after',
];

function headlineOf(node: TraceNode, context: TraceContext): string {
  if (node.outcome === 'failed' || node.outcome === 'partial') {
    return failureOf(node, context);
  }
  const who = node.account === undefined ? 'An account' : context.title(node.account);
  return `${who}: ${nodeMessage(node, context)}, ${nodeResult(node, context)}`;
}

/** The meaning of the code and what to do, if known. */
function explanation(node: TraceNode, context: TraceContext): string[] {
  const description = node.transaction?.description;
  const compute = description?.compute_ph;
  const action = description?.action;
  const lines = node.hash === undefined ? [] : [node.hash];
  if (isEmulated(node)) {
    lines.push('Emulated: it is not in a block.');
  }
  if (node.message != null && node.message.source != null) {
    lines.push(routeOf(node.message, context));
  }
  if (compute?.skipped === true) {
    lines.push(skipReasons.get(compute.reason ?? '')?.cause ?? '');
  } else if (compute?.success === false && compute.exit_code != null) {
    const known = explainExitCode(compute.exit_code, 'compute', context.exitSource(node.account));
    lines.push(
      known === undefined
        ? "This is not a TVM code; see the contract's source for what it means."
        : (known.cause ?? ''),
    );
  } else if (action?.success === false && action.result_code != null) {
    lines.push(explainExitCode(action.result_code, 'action')?.cause ?? '');
  }
  return lines.filter((line) => line !== '');
}

function routeOf(message: V3Message, context: TraceContext): string {
  const from = message.source == null ? 'outside' : context.title(message.source);
  const to = message.destination == null ? 'outside' : context.title(message.destination);
  const value = message.value ?? undefined;
  const bounce = message.bounced === true ? ', bounced' : '';
  return `${from} → ${to}, ${context.messageName(message)}${value === undefined ? '' : `, ${context.coins(value)}`}${bounce}`;
}

/** The phases at a glance, with their costs. */
function phaseTable(transaction: V3Transaction, context: TraceContext): string[] {
  const description = transaction.description ?? {};
  const fees = feesOf(transaction);
  const fee = (amount: bigint): string => (amount === 0n ? '' : formatCoins(amount));
  const rows: string[][] = [['phase', 'result', `fee ${context.coin}`]];
  const { storage_ph: storage, credit_ph: credit, compute_ph: compute, action, bounce } = description;
  if (storage != null) {
    const due = storage.storage_fees_due ?? undefined;
    const status = `account ${visibleText(storage.status_change ?? 'unchanged', 24)}`;
    rows.push([
      'storage',
      due === undefined ? status : `${status}, ${context.coins(due)} owed`,
      fee(fees.storage),
    ]);
  }
  if (credit != null) {
    rows.push(['credit', credit.credit == null ? unknown : formatChange(credit.credit, 9), '']);
  }
  if (compute != null) {
    rows.push(['compute', computeResult(transaction, context), fee(fees.gas)]);
  }
  if (action != null) {
    rows.push(['action', actionResult(action), fee(fees.action)]);
  } else if (compute != null) {
    rows.push([
      'action',
      computeSucceeded(compute) === false || compute.skipped === true ? 'not reached' : unknown,
      '',
    ]);
  }
  if (bounce != null) {
    rows.push(['bounce', bounceResult(bounce), action == null ? fee(fees.action) : '']);
  }
  rows.push([
    'forward',
    transaction.out_msgs == null ? unknown : `carried by ${counted(transaction.out_msgs.length, 'message')}`,
    fee(fees.forward),
  ]);
  if (fees.import + fees.other !== 0n) {
    rows.push([fees.import === 0n ? 'other' : 'import', '', fee(fees.import + fees.other)]);
  }
  rows.push(['all', '', feeText(fees)]);
  return formatTable(rows, ['left', 'left', 'decimal']);
}

function computeResult(transaction: V3Transaction, context: TraceContext): string {
  const compute = transaction.description?.compute_ph;
  if (compute?.skipped === true) {
    const reason = compute.reason ?? 'reason unknown';
    return `skipped: ${skipReasons.get(reason)?.name ?? visibleText(reason, 30)}`;
  }
  const code = compute?.exit_code ?? undefined;
  const limit = compute?.gas_limit || compute?.gas_credit || compute?.gas_limit;
  const gas = `gas ${figureText(compute?.gas_used)} of ${figureText(limit)}`;
  const steps = compute?.vm_steps == null ? '' : `, ${counted(compute.vm_steps, 'step')}`;
  const source = context.exitSource(transaction.account ?? undefined);
  const known = code === undefined ? undefined : explainExitCode(code, 'compute', source);
  const name = known?.by === 'contract' ? `"${known.name}"` : (known?.name ?? unexplainedExit(source));
  return `exit ${code === undefined ? unknown : `${code} ${name}`}, ${gas}${steps}`;
}

/** Facts omitted by the service. */
const unknown = 'unknown';

function figureText(figure: bigint | null | undefined): string {
  return figure == null ? unknown : formatInteger(figure);
}

function actionResult(action: NonNullable<NonNullable<V3Transaction['description']>['action']>): string {
  const code = action.result_code;
  const meaning = code == null ? '' : (explainExitCode(code, 'action')?.name ?? '');
  const result =
    action.success === false
      ? `result ${code ?? unknown} ${meaning}`.trimEnd()
      : countText(action.tot_actions, 'action');
  const sent = `${countText(action.msgs_created, 'message')} sent`;
  const skipped = (action.skipped_actions ?? 0) > 0 ? `, ${action.skipped_actions} left out` : '';
  return `${result}, ${sent}${skipped}`;
}

function countText(count: number | null | undefined, noun: string): string {
  return count == null ? `${noun}s ${unknown}` : counted(count, noun);
}

function bounceResult(bounce: NonNullable<NonNullable<V3Transaction['description']>['bounce']>): string {
  switch (bounce.type) {
    case 'ok':
      return 'a message was returned';
    case 'nofunds':
      return 'nothing was returned: too few coins left to send a message';
    case 'negfunds':
      return 'nothing was returned: the balance would be negative';
    default:
      return visibleText(bounce.type ?? '', 40);
  }
}

/** The message that caused the transaction and those that it sent, with their headings. */
function messagesOf(transaction: V3Transaction): { title: string; message: V3Message }[] {
  const sent = transaction.out_msgs ?? [];
  return [
    ...(transaction.in_msg == null ? [] : [{ title: 'Message in', message: transaction.in_msg }]),
    ...sent.map((message, index) => ({
      title: sent.length === 1 ? 'Message out' : `Message out ${index + 1} of ${sent.length}`,
      message,
    })),
  ];
}

/** One message: route, and body as decoded here. */
function messageLines(message: V3Message, context: TraceContext): string[] {
  const comment = context.comment(message);
  const body = context.body(message);
  return [
    routeOf(message, context),
    ...(comment === undefined ? [] : [`comment "${visibleText(comment)}"`]),
    ...(body === undefined
      ? cellLines(message.message_content?.body)
      : decodedLines(body, context, jettonOf(message, context))),
  ];
}

/** Every field of a message, and what the service decoded of it. */
function messageFields(message: V3Message, context: TraceContext): ReportLine[] {
  const decoded = message.message_content?.decoded;
  const initDecoded = message.init_state?.decoded;
  return [
    ...fieldLines(message, 'message', context, ['message_content.decoded', 'init_state.decoded']),
    ...(decoded == null ? [] : ['as decoded by the service', ...indented(serviceDecodingLines(decoded))]),
    ...(initDecoded == null
      ? []
      : ['state init as decoded by the service', ...indented(serviceDecodingLines(initDecoded))]),
  ];
}

/** Maximum lines of an undecoded body: all of it is one click away. */
const mostCells = 40;

/** An unknown body, cell by cell. */
function cellLines(body: string | null | undefined): string[] {
  if (body == null) {
    return [];
  }
  try {
    const { lines, left } = bocTree(readBoc(Buffer.from(body, 'base64')), { limit: mostCells });
    const rows = lines.map((line) => `${'  '.repeat(Math.min(line.indent, 16) + 1)}${line.text}`);
    return ['body, not decoded', ...rows, ...(left > 0 ? [`  and ${counted(left, 'more cell')}`] : [])];
  } catch {
    return [];
  }
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}

/** The jetton of a message between jetton wallets. */
function jettonOf(message: V3Message, context: TraceContext): JettonFacts | undefined {
  for (const account of [message.destination, message.source]) {
    const key = account ?? undefined;
    const master = key === undefined ? undefined : context.jettonWallet(key)?.master;
    if (master !== undefined) {
      return context.jetton(master);
    }
  }
  return undefined;
}

const phaseTitles = [
  ['storage_ph', 'Storage phase'],
  ['credit_ph', 'Credit phase'],
  ['compute_ph', 'Compute phase'],
  ['action', 'Action phase'],
  ['bounce', 'Bounce phase'],
  ['split_info', 'Split or merge'],
] as const;

function phaseDetails(transaction: V3Transaction, context: TraceContext): ReportLine[] {
  const description = transaction.description;
  if (description == null) {
    return [];
  }
  const keys = phaseTitles.map(([key]) => key);
  return [
    ...titled('Description', fieldLines(description, 'description', context, keys)),
    ...phaseTitles.flatMap(([key, title]) => titled(title, fieldLines(description[key], key, context))),
  ];
}
