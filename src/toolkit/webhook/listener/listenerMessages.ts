import type { ServiceMessage } from '../../threads/serviceThread';
import type { ListenerCore, ListenerOptions } from './listenerCore';

/** What the worker is started with. */
export type WorkerStart = ListenerOptions;

/** What the worker tells once it is up. */
export type ListenerStarted = Pick<ListenerCore, 'url' | 'port' | 'problems'>;

/** The worker's own messages: summaries as JSON, several at once. */
export interface RecordedMessage {
  type: 'recorded';
  items: string[];
}

/** From the worker. */
export type ListenerMessage = ServiceMessage<ListenerStarted> | RecordedMessage;
