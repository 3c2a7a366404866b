import type { ErrorKind } from '../../errors';
import type { ErrorCode } from '../../errorCodes';
import { WorkbenchError, toWorkbenchError } from '../../errors';
import type { LogLevel } from '../../log';
import type { ListenerCore, ListenerOptions } from './listenerCore';

/** What the worker is started with. */
export type WorkerStart = ListenerOptions;

/** The methods that cross the thread border. */
export type ListenerMethod = Exclude<keyof ListenerCore, 'url' | 'port' | 'problems'>;

/** A call, to the worker. */
export interface ListenerCall {
  call: number;
  method: ListenerMethod;
  parameters: unknown[];
}

/** From the worker. */
export type ListenerMessage =
  | { type: 'started'; url: string; port: number; problems: readonly string[] }
  | { type: 'failed'; error: PlainError }
  | { type: 'result'; call: number; value: unknown }
  | { type: 'refused'; call: number; error: PlainError }
  /** Summaries as JSON, several at once. */
  | { type: 'recorded'; items: string[] }
  | { type: 'log'; level: LogLevel; line: string };

/** An error that survives the thread border. */
export interface PlainError {
  code: ErrorCode;
  kind: ErrorKind;
  message: string;
  hint: string | undefined;
  details: Readonly<Record<string, unknown>>;
}

export function toPlainError(thrown: unknown): PlainError {
  const { code, kind, message, hint, details } = toWorkbenchError(thrown);
  return { code, kind, message, hint, details };
}

export function fromPlainError(error: PlainError): WorkbenchError {
  return new WorkbenchError(error);
}
