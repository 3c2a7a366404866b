import type { RecordedRequest } from './control/requestLog';
import { prettyJson } from '../prettyJson';
import { milliseconds, visibleText } from '../text';

/** The request log as a document. */
export interface DescribedRequests {
  text: string;
  /** Line number (zero-based) of each request, with its id. */
  rows: { line: number; id: number }[];
}

/**
 * One line per request, the newest first: time, status, duration, method, and path, plus the method called by
 * JSON-RPC. Its body is indented below, so that it folds.
 * @param formats a time for the user's locale
 */
export function describeRequests(
  requests: readonly RecordedRequest[],
  time: (milliseconds: number) => string,
): DescribedRequests {
  const failed = requests.filter(({ status }) => status >= 400).length;
  const lines = [
    requests.length === 0
      ? 'No requests yet. When a program uses the network, its requests are listed here.'
      : `Requests to the local network: ${requests.length}, ${failed} refused; newest first`,
    '',
  ];
  const rows: DescribedRequests['rows'] = [];
  for (const request of [...requests].reverse()) {
    rows.push({ line: lines.length, id: request.id });
    const { status, duration, method, path, body } = request;
    const mark = status < 400 ? '✓' : '✗';
    const took = milliseconds(duration);
    const call = rpcMethod(body);
    lines.push(
      `${mark} ${time(request.time)}  ${status}  ${took.padStart(8)}  ${method.padEnd(4)} ${visibleText(path)}` +
        (call === undefined ? '' : `  ${visibleText(call)}`),
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
