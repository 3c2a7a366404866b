import { isEmulated, isEmulation } from './isEmulated';
import { counted } from './figures';
import type { TraceContext } from './traceContext';
import type { TraceNode } from './traceModel';
import { causeOf, failedNodes, failureTitle } from './verdict';

/** A failure in three lines: the same ones in a dialog, on a page, in a terminal, and in JSON. */
export interface FailureHeadline {
  /** Index of the transaction that failed. */
  node: number;
  /** `Vault refused Withdraw: ERR_OVER_LIMIT, 402` */
  title: string;
  /** The line of the source that threw; undefined if it is not known. */
  source?: FailureSource | undefined;
  /** `alice → Vault, 0.1 TON; 0.0999 TON came back` */
  facts: string;
}

/** A line that threw, with its values. */
export interface FailureSource {
  /** `vault.tolk:16` */
  place: string;
  /** `assert (st.spent + amount <= st.limit)` */
  code: string;
  /** Aligned under `code`: what its names stand for, `?` where that is not known. Empty if it names nothing. */
  values: string;
}

/** Why a trace failed, or would fail; undefined if nothing did. */
export function failureHeadline(context: TraceContext): FailureHeadline | undefined {
  const cause = causeOf(context.model);
  if (cause === undefined) {
    return undefined;
  }
  const line = context.thrownLine(cause);
  return {
    node: cause.index,
    title: failureTitle(cause, context),
    ...(line === undefined ? {} : { source: { place: line.place, code: line.code, values: line.under } }),
    facts: [whoAndWhat(cause, context), ...cameBack(cause, context), ...others(context)].join('; '),
  };
}

/** The second line and what is under it, for text in letters of equal width. */
function sourceLines({ place, code, values }: FailureSource): string[] {
  const head = `${place}  `;
  return [`${head}${code}`, ...(values === '' ? [] : [`${' '.repeat(head.length)}${values}`])];
}

/** The three lines for a terminal or a document; none if nothing failed. */
export function failureLines(context: TraceContext): string[] {
  const failure = failureHeadline(context);
  return failure === undefined
    ? []
    : [
        `${isEmulation(context.model) ? 'emulated: ' : ''}${failure.title}`,
        ...(failure.source === undefined ? [] : sourceLines(failure.source).map((line) => `    ${line}`)),
        `  ${failure.facts}`,
      ];
}

function whoAndWhat({ account, message }: TraceNode, context: TraceContext): string {
  const to = account === undefined ? 'an unknown account' : context.name(account);
  if (message == null) {
    return to;
  }
  const from = message.source == null ? 'outside' : context.name(message.source);
  return `${from} → ${to}${message.value == null ? '' : `, ${context.coins(message.value)}`}`;
}

/** What of the message's coins came back. */
function cameBack(cause: TraceNode, context: TraceContext): string[] {
  const returned = cause.children.find(({ message }) => message?.bounced === true)?.message?.value;
  if (returned != null) {
    return [`${context.coins(returned)} ${isEmulated(cause) ? 'would come back' : 'came back'}`];
  }
  const value = cause.message?.value;
  return cause.outcome === 'partial' || value == null || value === 0n || cause.message?.source == null
    ? []
    : [isEmulated(cause) ? 'nothing would come back' : 'nothing came back'];
}

function others({ model }: TraceContext): string[] {
  const more = failedNodes(model).length - 1;
  return more === 0 ? [] : [`${counted(more, 'more transaction')} failed`];
}
