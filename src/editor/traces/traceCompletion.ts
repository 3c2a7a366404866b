import type { Access } from '../../toolkit/access/createAccess';
import type { Network } from '../../toolkit/access/network';
import { networkKey } from '../../toolkit/access/network';
import type { JettonBook } from '../../toolkit/trace/jettonBook';
import type { TraceContext } from '../../toolkit/trace/traceContext';
import type { TraceKnowledge, TraceModel } from '../../toolkit/trace/traceModel';
import { methodsOf } from '../project/methodsOf';
import type { TraceServices } from './liveTraces';
import { describeForList } from './openTraceCommand';
import type { OpenTrace, OpenTraces, TraceOrigin } from './openTraces';
import { refreshDocuments } from './traceDocuments';

/**
 * Maximum codes of one trace that are fetched; sources of the others are found when their contracts are
 * opened.
 */
const mostCodes = 16;

/**
 * Completes a trace after it is shown: symbols and decimals known only to the jettons' contracts, and names
 * from the sources of its contracts. One trace at a time, with low-priority requests.
 */
export class TraceCompletion {
  readonly #services: TraceServices;
  readonly #traces: OpenTraces;
  readonly #books = new Map<string, JettonBook>();
  readonly #seen = new WeakSet<OpenTrace['model']>();
  readonly #closed = new AbortController();
  #work: Promise<void> = Promise.resolve();
  /** Compiling takes a while, and nothing else waits for it. */
  #naming: Promise<void> = Promise.resolve();

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
        this.#naming = this.#after(this.#naming, () => this.#name(trace));
      }
    }
  }

  dispose(): void {
    this.#closed.abort();
  }

  #later(work: () => Promise<void>): void {
    this.#work = this.#after(this.#work, work);
  }

  #after(last: Promise<void>, work: () => Promise<void>): Promise<void> {
    return last
      .then(() => (this.#closed.signal.aborted ? undefined : work()))
      .catch((error: unknown) =>
        this.#services.log.debug(`a trace could not be completed: ${String(error)}`),
      );
  }

  async #complete(trace: OpenTrace): Promise<void> {
    const book = await this.#bookOf(trace.origin);
    const completed = await book?.complete(trace.context, this.#closed.signal);
    if (completed !== undefined && completed !== trace.context) {
      await this.#update(trace, ({ knowledge }) => ({ ...knowledge, ...jettonsIn(completed) }));
    }
  }

  /** Adds the names from the sources of the trace's contracts, once these are found. */
  async #name(trace: OpenTrace): Promise<void> {
    const network = this.#networkOf(trace.origin);
    if (
      network === undefined ||
      !(await findSources(this.#services, network, trace.model, this.#closed.signal))
    ) {
      return;
    }
    const named = await describeForList(this.#services, trace.model, trace.origin);
    await this.#update(trace, (current) => ({ ...named.context.knowledge, ...jettonsIn(current) }));
  }

  /** Jetton metadata and sources are found independently, so neither may replace the other. */
  async #update(
    { key, model }: OpenTrace,
    knowledgeOf: (current: TraceContext) => TraceKnowledge,
  ): Promise<void> {
    const { TraceContext: Context } = await import('../../toolkit/trace/traceContext');
    const current = this.#traces.find(key);
    if (current?.model === model) {
      this.#traces.add([{ ...current, context: new Context(model, knowledgeOf(current.context)) }]);
    }
  }

  /** Traces from files have no network to query. */
  #networkOf(origin: TraceOrigin): Network | undefined {
    return !('network' in origin) ? undefined : this.#services.networks.find(origin.network);
  }

  async #bookOf(origin: TraceOrigin): Promise<JettonBook | undefined> {
    const network = this.#networkOf(origin);
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
      import('../../toolkit/getMethods/runGetMethod'),
    ]);
    const book = new Book(getMethodSourceOf(access));
    this.#books.set(key, book);
    return book;
  }
}

function jettonsIn({
  knowledge: { jettons, jettonWallets, asked },
}: TraceContext): Pick<TraceKnowledge, 'jettons' | 'jettonWallets' | 'asked'> {
  return { jettons, jettonWallets, asked };
}

/**
 * Finds the sources of a trace's contracts that the workspace does not know yet, by compiling the candidates. Only on the
 * local network: elsewhere each code costs a request.
 *
 * @returns whether the workspace knows more than before
 * @throws WorkbenchError of the network
 */
async function findSources(
  services: TraceServices,
  network: Network,
  model: TraceModel,
  signal: AbortSignal,
): Promise<boolean> {
  if (network.kind !== 'local') {
    return false;
  }
  const { project } = services;
  const [{ codesOf }, { walletCodes }] = await Promise.all([
    import('../../toolkit/trace/traceContext'),
    import('../../toolkit/contracts/opcodes/walletCodes'),
  ]);
  // One account per code.
  const accounts = new Map([...codesOf(model)].map(([account, codeHash]) => [codeHash, account]));
  const unknown: [codeHash: string, account: string][] = [];
  for (const [codeHash, account] of accounts) {
    if (unknown.length < mostCodes && !walletCodes.has(codeHash) && (await project.isNew(codeHash))) {
      unknown.push([codeHash, account]);
    }
  }
  for (const [, account] of unknown) {
    signal.throwIfAborted();
    await methodsOf(services, network, account, signal, 'background');
  }
  const known = new Set((await project.list()).map((contract) => contract.codeHash));
  return unknown.some(([codeHash]) => known.has(codeHash));
}
