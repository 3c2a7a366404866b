import type { Access } from '../../toolkit/access/createAccess';
import type { JettonBook } from '../../toolkit/trace/jettonBook';
import type { TraceServices } from './traceServices';
import type { OpenTrace, OpenTraces, TraceOrigin } from './openTraces';
import { refreshDocuments } from './traceDocuments';
import { networkKey } from '../../toolkit/access/network';

/**
 * Completes a trace after it is shown: symbols and decimals that only the jettons' contracts know. One trace at a
 * time, with low-priority requests.
 */
export class TraceCompletion {
  readonly #services: TraceServices;
  readonly #traces: OpenTraces;
  readonly #books = new Map<string, JettonBook>();
  readonly #seen = new WeakSet<OpenTrace['model']>();
  readonly #closed = new AbortController();
  #work: Promise<void> = Promise.resolve();

  constructor(services: TraceServices, traces: OpenTraces) {
    this.#services = services;
    this.#traces = traces;
  }

  /** Updates the documents of a changed trace, and fetches what is missing. */
  look(changed: OpenTrace | undefined): void {
    if (changed !== undefined) {
      this.#later(() => refreshDocuments(this.#services, changed));
    }
    for (const trace of changed === undefined ? this.#traces.list() : [changed]) {
      // A growing trace is completed once it has ended.
      if (trace.status !== 'following' && !this.#seen.has(trace.model)) {
        this.#seen.add(trace.model);
        this.#later(() => this.#complete(trace));
      }
    }
  }

  dispose(): void {
    this.#closed.abort();
  }

  #later(work: () => Promise<void>): void {
    this.#work = this.#work
      .then(() => (this.#closed.signal.aborted ? undefined : work()))
      .catch((error: unknown) =>
        this.#services.log.debug(`a trace could not be completed: ${String(error)}`),
      );
  }

  async #complete(trace: OpenTrace): Promise<void> {
    const book = await this.#bookOf(trace.origin);
    const context = await book?.complete(trace.context, this.#closed.signal);
    const current = this.#traces.find(trace.key);
    if (context !== undefined && context !== trace.context && current?.context === trace.context) {
      this.#traces.add([{ ...current, context }]);
    }
  }

  /** Traces from files have no network to query. */
  async #bookOf(origin: TraceOrigin): Promise<JettonBook | undefined> {
    if ('file' in origin) {
      return undefined;
    }
    const name = origin.network;
    const network = this.#services.networks.list().find((one) => one.name === name);
    if (network === undefined) {
      return undefined;
    }
    const access: Access = await this.#services.connections.to(network);
    const key = networkKey(access.network);
    const known = this.#books.get(key);
    if (known !== undefined) {
      return known;
    }
    const [{ JettonBook: Book }, { getMethodSourceOf }] = await Promise.all([
      import('../../toolkit/trace/jettonBook'),
      import('../../toolkit/getMethods/getMethodSourceOf'),
    ]);
    const book = new Book(getMethodSourceOf(access));
    this.#books.set(key, book);
    return book;
  }
}
