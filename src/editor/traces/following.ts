import * as vscode from 'vscode';
import { setContextKey } from '../../contextKeys';
import type { Network } from '../../toolkit/access/network';
import { WorkbenchError } from '../../toolkit/base/errors';
import { shortenMiddle } from '../../toolkit/base/text';
import type { FollowEvent, FollowTarget } from '../../toolkit/trace/readFollowTarget';
import type { Services } from '../project/services';
import { showError } from '../ui/showError';
import { describeForList } from './openTraceCommand';
import type { OpenTrace, OpenTraces } from './openTraces';

/** Shows follow events of a network in the list of traces; returns the trace if one was added or grew. */
export type ShowFollowEvent = (event: FollowEvent, origin: string) => Promise<OpenTrace | undefined>;

/**
 * Follows messages and accounts from "sent" to "complete": the trace grows in place in the list. Survives errors, and
 * ends when complete or on command.
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
  async follow(target: FollowTarget, network: Network): Promise<void> {
    const controller = new AbortController();
    try {
      await this.during(controller, async (show) => {
        const { signal } = controller;
        const access = await this.#services.connections.open(network, signal);
        const { followUntilDone } = await import('../../toolkit/workflows/followUntilDone');
        for await (const event of followUntilDone({ access, ...target, signal })) {
          if (event.type === 'follow') {
            await show(event.event, access.network.name);
            if (event.event.type === 'gone') {
              const { goneError } = await import('../../toolkit/workflows/followMessage');
              void showError(await goneError(access, event.event.model, { signal }), this.#services.log);
            } else if (event.event.type === 'unseen') {
              tellUnseen(event.event, access.network.name);
            }
          } else if (event.error !== undefined) {
            throw event.error;
          }
        }
      });
    } catch (error) {
      if (!WorkbenchError.is(error, 'aborted')) {
        void showError(error, this.#services.log, [], 'Following stopped.');
      }
    }
  }

  /** Marks `work` as following something: the command that stops following aborts `controller`. */
  async during<T>(controller: AbortController, work: (show: ShowFollowEvent) => Promise<T>): Promise<T> {
    const waiting = new Set<string>();
    this.#running.add(controller);
    this.#tell();
    try {
      return await work((event, origin) => this.#show(event, origin, waiting));
    } finally {
      this.#running.delete(controller);
      waiting.forEach((hash) => this.#traces.stopWaiting(hash));
      this.#tell();
    }
  }

  stop(): void {
    for (const controller of this.#running) {
      controller.abort();
    }
  }

  async #show(event: FollowEvent, origin: string, waiting: Set<string>): Promise<OpenTrace | undefined> {
    switch (event.type) {
      case 'waiting':
        waiting.add(event.hash);
        this.#traces.wait({ hash: event.hash, origin });
        return undefined;
      case 'trace': {
        const opened = await describeForList(this.#services, event.model, { network: origin });
        const trace = { ...opened, status: event.isFinal ? ('complete' as const) : ('following' as const) };
        this.#traces.add([trace]);
        waiting.forEach((hash) => this.#traces.stopWaiting(hash));
        return trace;
      }
      case 'gone': {
        const trace = await describeForList(this.#services, event.model, { network: origin });
        this.#traces.add([{ ...trace, status: 'gone' }]);
        return undefined;
      }
      case 'unseen':
        return undefined;
      case 'error':
        this.#services.log.warn(`still following after: ${event.error.message}`);
        // A single failure is silent; repeated ones are reported once.
        if (event.failures === 2) {
          void this.#tellTrouble(event.error);
        }
        return undefined;
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

function tellUnseen({ hash, error }: Extract<FollowEvent, { type: 'unseen' }>, origin: string): void {
  void vscode.window.showWarningMessage(
    error === undefined
      ? `${origin} has not seen the message ${shortenMiddle(hash)}. It may have expired or been refused.`
      : `${origin} cannot be reached, so the state of the message ${shortenMiddle(hash)} is unknown. Follow it again later. (${error.message})`,
  );
}
