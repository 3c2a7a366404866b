import type { LogLevel } from '../../log';
import type { PlainError } from '../../threads/plainError';
import type { RemoteResult } from '../../threads/remoteCalls';
import type { ListenerOptions } from './listenerCore';

/** What the worker is started with. */
export type WorkerStart = ListenerOptions;

/** From the worker. */
export type ListenerMessage =
  | { type: 'started'; url: string; port: number; problems: readonly string[] }
  | { type: 'failed'; error: PlainError }
  | RemoteResult
  /** Summaries as JSON, several at once. */
  | { type: 'recorded'; items: string[] }
  | { type: 'log'; level: LogLevel; line: string };
