import { changedSourceText } from '../abi/changedSourceText';
import { bocTree } from '../cell/bocTree';
import { readBoc } from '../cell/readBoc';
import { formatTable } from '../formatTable';
import { isReadBody } from '../opcodes/decodeBody';
import { visibleText } from '../text';
import { decodedLines, serviceDecodingLines } from './decodedLines';
import { isEmulated } from './emulated';
import { fieldLines } from './fieldLines';
import { counted } from './figures';
import { jettonOfMessage, routeOf } from './messageFacts';
import { phaseRows } from './phaseRows';
import { reportText, titled } from './report';
import type { Report, ReportLine } from './report';
import { accountStateFields, stateLines } from './stateLines';
import type { TraceContext } from './traceContext';
import type { TraceNode } from './traceModel';
import { nodeSymbol } from './traceText';
import { codeMeaning, engineFailure, transactionHeadline } from './transactionWords';
import type { V3Message, V3Transaction } from '../api/v3Objects';

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
    `${nodeSymbol(node, context.model)} ${transactionHeadline(node, context)}`,
    ...explanation(node, context).map((line) => `  ${line}`),
    ...(changed === undefined ? [] : [`  ${changedSourceText(changed)}`]),
    '',
  ];
  if (transaction === undefined) {
    const failure = node.failure === undefined ? [] : [...engineFailure(node.failure), ''];
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
      ...formatTable(
        [['phase', 'result', `fee ${context.coin}`], ...phaseRows(transaction, context)],
        ['left', 'left', 'decimal'],
      ),
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

const shownElsewhere = [
  'debug_output',
  'description',
  'in_msg',
  'out_msgs',
  'account_state_before',
  'account_state_after',
];

/** The hash, the route, and the meaning of the code, if known. */
function explanation(node: TraceNode, context: TraceContext): string[] {
  return [
    node.hash ?? '',
    isEmulated(node) ? 'Emulated: it is not in a block.' : '',
    node.message?.source == null ? '' : routeOf(node.message, context),
    codeMeaning(node, context),
  ].filter((line) => line !== '');
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
    ...(body === undefined ? [] : decodedLines(body, context, jettonOfMessage(message, context))),
    ...(isReadBody(body) || body?.broken === true ? [] : cellLines(message.message_content?.body)),
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
