import { changedSourceText } from '../contracts/abi/sourceLanguage';
import { canonicalAddress } from '../address/canonicalAddress';
import type { V3Message, V3Transaction } from '../api/v3Objects';
import { bocTree } from '../cell/boc';
import { readBoc } from '../cell/readBoc';
import { explainExitCode, isOutOfGas, skipReasons } from '../contracts/exitCodes';
import { formatTable } from '../base/formatTable';
import { isReadBody } from '../contracts/opcodes/decodeBody';
import type { DecodedBody } from '../contracts/opcodes/decodedBody';
import { visibleText } from '../base/text';
import { decodedRows } from './decodedRows';
import { isEmulated } from './isEmulated';
import { failedOutcome } from './traceModel';
import { fieldLines } from './fieldLines';
import { counted } from './figures';
import { jettonOfMessage, routeOf } from './messageFacts';
import { phaseRows } from './outcomeOf';
import type { Report, ReportLine } from './report';
import { reportText, titled } from './report';
import { accountStateFields, stateLines } from './stateChangeLines';
import type { TraceContext } from './traceContext';
import type { JettonFacts, TraceNode } from './traceModel';
import { nodeMessage, nodeResult, nodeSymbol } from './traceText';
import { failureOf } from './verdict';

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

/**
 * A decoded body as indented lines: one per field, nested bodies below their field.
 *
 * @param jetton the jetton of the body's amounts
 */
function decodedLines(body: DecodedBody, context: TraceContext, jetton?: JettonFacts): string[] {
  return decodedRows(body, context, jetton).map(({ path, kind, text }) => {
    // A field stands below its body's title, and a nested body below its field.
    const levels =
      kind === 'title' ? path.length * 2 : kind === 'remark' ? path.length * 2 + 1 : path.length * 2 - 1;
    const name = path.at(-1) ?? '';
    const line = kind === 'field' ? `${name} ${text}` : kind === 'body' ? `${name}:` : text;
    return '  '.repeat(levels) + line;
  });
}

/**
 * The service's own decoding (nested JSON from its TL-B catalog) as indented lines, complete: common wrappers go on
 * one line (`amount 1 000 000 (var_uint, 3 bytes)`), all others level by level.
 */
function serviceDecodingLines(decoded: unknown): string[] {
  const lines: string[] = [];
  const stack: { name: string; value: unknown; indent: string }[] = [
    { name: '', value: decoded, indent: '' },
  ];
  for (let item = stack.pop(); item !== undefined; item = stack.pop()) {
    const { name, value, indent } = item;
    const label = name === '' ? '' : `${visibleText(name, 80)} `;
    const short = shortForm(value);
    if (short !== undefined) {
      lines.push(`${indent}${label}${short}`);
      continue;
    }
    const record = value as Record<string, unknown>;
    const type = typeof record['@type'] === 'string' ? visibleText(record['@type'], 80) : '';
    const title = `${label}${type}`.trimEnd();
    if (title !== '') {
      lines.push(`${indent}${title}`);
    }
    const entries = Object.entries(record).filter(([key]) => key !== '@type' || type === '');
    for (let i = entries.length - 1; i >= 0; i--) {
      const [key, inner] = entries[i] as [string, unknown];
      stack.push({ name: key, value: inner, indent: title === '' ? indent : `${indent}  ` });
    }
  }
  return lines;
}

function shortForm(value: unknown): string | undefined {
  if (typeof value === 'string') {
    return /^-?\d+$/.test(value) ? value : `"${visibleText(value)}"`;
  }
  if (typeof value !== 'object' || value === null) {
    return String(value);
  }
  const record = value as Record<string, unknown>;
  const keys = Object.keys(record);
  if (keys.length === 0) {
    return Array.isArray(value) ? '[]' : '{}';
  }
  const type = record['@type'];
  if (typeof type !== 'string') {
    return undefined;
  }
  if (keys.length === 1) {
    return visibleText(type, 80);
  }
  const { len, value: inner, workchain_id: workchain, address, anycast } = record;
  if (keys.length === 3 && typeof len === 'string' && typeof inner === 'string') {
    return `${visibleText(inner)} (${visibleText(type, 80)}, ${visibleText(len, 20)} bytes)`;
  }
  if (keys.length === 4 && typeof workchain === 'string' && typeof address === 'string') {
    const plain = (anycast as Record<string, unknown> | null | undefined)?.['@type'];
    if (typeof plain === 'string' && Object.keys(anycast as object).length === 1) {
      const raw = `${workchain}:${address}`;
      return `${visibleText(canonicalAddress(raw) ?? raw)} (${type}, anycast ${visibleText(plain, 80)})`;
    }
  }
  return undefined;
}

/** What one transaction did, or why it failed. */
export function transactionHeadline(
  node: TraceNode,
  context: TraceContext,
  resultOf: typeof nodeResult = nodeResult,
): string {
  if (failedOutcome(node.outcome)) {
    return failureOf(node, context);
  }
  const who = node.account === undefined ? 'An account' : context.title(node.account);
  return `${who}: ${nodeMessage(node, context)}, ${resultOf(node, context)}`;
}

/** The meaning of a failed transaction's code and what to do; empty if it did not fail or nothing is known. */
export function codeMeaning({ account, transaction, message }: TraceNode, context: TraceContext): string {
  const { compute_ph: compute, action } = transaction?.description ?? {};
  if (compute?.skipped === true) {
    return skipReasons.get(compute.reason ?? '')?.cause ?? '';
  }
  if (compute?.success === false && compute.exit_code != null) {
    const known = explainExitCode(compute.exit_code, 'compute', context.exitSource(account));
    if (known?.by === 'machine' && isOutOfGas(compute.exit_code)) {
      return gasCause(transaction, message) ?? known.cause ?? '';
    }
    return known === undefined
      ? "This is not a TVM code; see the contract's source for what it means."
      : (known.cause ?? '');
  }
  return action?.success === false && action.result_code != null
    ? (explainExitCode(action.result_code, 'action')?.cause ?? '')
    : '';
}

/** Why gas ran out where more coins in the message would not help; undefined where they would. */
function gasCause(
  transaction: V3Transaction | undefined,
  message: V3Message | undefined,
): string | undefined {
  const compute = transaction?.description?.compute_ph;
  const most = 'It used all the gas that the network allows one transaction: more coins do not help.';
  if (message == null) {
    return most;
  }
  if (message.source == null) {
    // An external message brings no coins: until the code accepts it, it runs on a credit.
    return (compute?.gas_limit ?? 0n) === 0n && compute?.gas_credit != null
      ? 'It used the gas that an external message has before the contract accepts it. Check signature and seqno, then accept, before anything else.'
      : "It used all the gas that the contract's balance pays for, or that the network allows one transaction.";
  }
  // The gas limit follows from the coins of the message, up to the network's own.
  const hasMore = message.value != null && compute?.gas_fees != null && message.value > compute.gas_fees * 2n;
  return hasMore ? `${most} Do less at once.` : undefined;
}

/** Why a message of the local network has no transaction, and what to do. */
export function engineFailure(reason: string): string[] {
  return [
    `The engine failed on this message: ${reason}.`,
    'It is kept with its coins. /control/retry retries it, for example after you change the account; /control/drop discards it.',
  ];
}
