import * as vscode from 'vscode';
import { setContextKey } from '../../contextKeys';
import { WorkbenchError } from '../../toolkit/errors';
import type { FollowParameters } from '../../toolkit/trace/followEvents';
import type { Services } from '../services';
import { showError } from '../ui/showError';
import type { OpenTraces } from './openTraces';
import { openTrace } from './openTraceCommand';
import { shortenMiddle } from '../../toolkit/text';

/** What is followed: messages by their hashes, or everything of an account. */
export type FollowTarget = Pick<FollowParameters, 'hashes' | 'account'>;

/** Milliseconds between two rounds; the local network answers at once, the public ones have a rate to keep. */
const intervals = { local: 300, remote: 2000 };

/**
 * Follows messages and accounts from "sent" to "complete": the trace grows where it stands in the list. It goes on after
 * errors, and ends by itself or on command.
 */
export class Following {
  readonly #services: Services;
  readonly #traces: OpenTraces;
  readonly #running = new Set<AbortController>();

  constructor(services: Services, traces: OpenTraces) {
    this.#services = services;
    this.#traces = traces;
  }

  /** Starts; resolves when it has ended. */
  async follow(target: FollowTarget): Promise<void> {
    const controller = new AbortController();
    this.#running.add(controller);
    this.#tell();
    try {
      await this.#rounds(target, controller.signal);
    } catch (error) {
      if (!WorkbenchError.is(error, 'aborted')) {
        void showError(error, this.#services.log, [], 'Following stopped.');
      }
    } finally {
      this.#running.delete(controller);
      for (const hash of target.hashes ?? []) {
        this.#traces.stopWaiting(hash);
      }
      this.#tell();
    }
  }

  stop(): void {
    for (const controller of this.#running) {
      controller.abort();
    }
  }

  async #rounds(target: FollowTarget, signal: AbortSignal): Promise<void> {
    const access = await this.#services.connections.current(signal);
    const [{ followTrace }, { traceSourceOf }] = await Promise.all([
      import('../../toolkit/trace/followTrace'),
      import('../../toolkit/access/traceSourceOf'),
    ]);
    const origin = access.network.name;
    const intervalMs = access.network.kind === 'local' ? intervals.local : intervals.remote;
    for await (const event of followTrace(traceSourceOf(access), { ...target, intervalMs, signal })) {
      switch (event.type) {
        case 'waiting':
          this.#traces.wait({ hash: event.hash, origin });
          break;
        case 'trace': {
          const trace = await openTrace(this.#services, event.model, { network: origin });
          this.#traces.add([{ ...trace, status: event.isFinal ? 'complete' : 'following' }]);
          for (const hash of target.hashes ?? []) {
            this.#traces.stopWaiting(hash);
          }
          break;
        }
        case 'gone': {
          const trace = await openTrace(this.#services, event.model, { network: origin });
          this.#traces.add([{ ...trace, status: 'gone' }]);
          void vscode.window.showWarningMessage(
            'A pending trace disappeared: its message was dropped or replaced.',
          );
          break;
        }
        case 'unseen':
          void vscode.window.showWarningMessage(
            event.error === undefined
              ? `${origin} has not seen the message ${shortenMiddle(event.hash)}. It may have expired or been refused.`
              : `${origin} cannot be reached, so the state of the message ${shortenMiddle(event.hash)} is unknown. Follow it again later. (${event.error.message})`,
          );
          break;
        case 'error':
          this.#services.log.warn(`following goes on after: ${event.error.message}`);
          // One failure passes without a word; of more, the user hears once.
          if (event.failures === 2) {
            void this.#tellTrouble(event.error);
          }
          break;
      }
    }
  }

  async #tellTrouble(error: WorkbenchError): Promise<void> {
    const stop = { title: 'Stop Following', run: () => this.stop() };
    await showError(error, this.#services.log, [stop], 'Still following: it will try again.');
  }

  #tell(): void {
    setContextKey(vscode.commands, 'tonWorkbench.following', this.#running.size > 0);
  }
}
