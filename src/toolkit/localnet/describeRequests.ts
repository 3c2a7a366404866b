import type { RecordedRequest } from './control/requestLog';
import { readAddressForm, toRawAddress } from '../address/canonicalAddress';
import { shortAddress } from '../address/shortAddress';
import { prettyJson } from '../base/prettyJson';
import { milliseconds, visibleText } from '../base/text';
import { groupBy } from '../base/collections';

/** The request log as a document. */
export interface DescribedRequests {
  text: string;
  /** Line number (zero-based) of each request, with its id. */
  rows: { line: number; id: number }[];
}

/** How to display requests. */
export interface RequestWords {
  /** Formats a time for the user's locale. */
  time: (milliseconds: number) => string;
  /** The name of a raw address, if it has one. */
  name: (address: string) => string | undefined;
}

/** Maximum values of a parameter in a line; the rest is counted. */
const shownValues = 2;

/**
 * One line per request, the newest first: time, status, duration, method, and path, plus the method called by
 * JSON-RPC. Its parameters and its body are indented below, so that they fold.
 * @param hidden number of requests that the user chose not to see
 */
export function describeRequests(
  requests: readonly RecordedRequest[],
  { time, name }: RequestWords,
  hidden = 0,
): DescribedRequests {
  const failed = requests.filter(({ status }) => status >= 400).length;
  const more = `${hidden} of this editor hidden`;
  const lines = [
    ...(requests.length === 0
      ? [
          'No requests yet. When a program uses the network, its requests are listed here.',
          ...(hidden === 0 ? [] : [more]),
        ]
      : [
          `Requests to the local network: ${requests.length}, ${failed} refused; newest first` +
            (hidden === 0 ? '' : `; ${more}`),
        ]),
    '',
  ];
  const rows: DescribedRequests['rows'] = [];
  for (const request of [...requests].reverse()) {
    rows.push({ line: lines.length, id: request.id });
    const { duration, path, body } = request;
    const took = milliseconds(duration);
    lines.push(
      `${request.status < 400 ? '✓' : '✗'} ${time(request.time)}  ${request.status}  ${took.padStart(8)}  ${requestTitle(request, name)}`,
      ...pathParameters(path).map(([key, value]) => `      ${visibleText(`${key}=${value}`)}`),
    );
    if (body !== '') {
      lines.push(
        ...bodyText(body)
          .split('\n')
          .map((line) => `      ${visibleText(line)}`),
      );
    }
  }
  return { text: `${lines.join('\n')}\n`, rows };
}

/** `GET  /api/v3/accountStates  address=alice, bob, … 10 more`; accounts by name. */
export function requestTitle({ method, path, body }: RecordedRequest, name: RequestWords['name']): string {
  const words = [...groupBy(pathParameters(path), ([key]) => key)].map(([key, all]) => {
    const left = all.length - shownValues;
    const shown = all.slice(0, shownValues).map(([, value]) => accountOr(value, name));
    return `${key}=${[...shown, ...(left > 0 ? [`… ${left} more`] : [])].join(', ')}`;
  });
  const call = rpcMethod(body);
  const parts = [
    `${method.padEnd(4)} ${path.split('?', 1)[0]}`,
    ...(call === undefined ? [] : [call]),
    ...words,
  ];
  return visibleText(parts.join('  '));
}

function pathParameters(path: string): [key: string, value: string][] {
  return [...new URLSearchParams(path.split('?').slice(1).join('?'))];
}

function accountOr(value: string, name: RequestWords['name']): string {
  try {
    return name(toRawAddress(readAddressForm(value))) ?? shortAddress(value);
  } catch {
    return visibleText(value, 40);
  }
}

/** The answer to a replayed request. */
export function describeReplay(
  request: RecordedRequest,
  answer: { status: number; body: string },
  time: (milliseconds: number) => string,
): string {
  const mark = answer.status < 400 ? '✓' : '✗';
  return [
    `${mark} ${request.method} ${visibleText(request.path)}: status ${answer.status} (${request.status} at ${time(request.time)})`,
    ...(request.body === '' ? [] : ['', 'request', ...indented(request.body)]),
    '',
    'answer',
    ...indented(answer.body),
    '',
  ].join('\n');
}

function indented(body: string): string[] {
  return bodyText(body)
    .split('\n')
    .map((line) => `  ${visibleText(line)}`);
}

function bodyText(body: string): string {
  try {
    JSON.parse(body);
    return prettyJson(body);
  } catch {
    return body;
  }
}

function rpcMethod(body: string): string | undefined {
  try {
    const { method } = JSON.parse(body) as { method?: unknown };
    return typeof method === 'string' ? method : undefined;
  } catch {
    return undefined;
  }
}
