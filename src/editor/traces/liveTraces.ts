import * as vscode from 'vscode';
import { traceSourceOf } from '../../toolkit/access/traceSourceOf';
import { WorkbenchError } from '../../toolkit/errors';
import { keepNewest } from '../../toolkit/keepNewest';
import { listedLine } from '../../toolkit/trace/listedLine';
import { LiveLines } from '../../toolkit/trace/liveLines';
import type { ListedLine } from '../../toolkit/trace/liveLines';
import { TraceFeed } from '../../toolkit/trace/traceFeed';
import { systemClock } from '../../toolkit/time';
import type { OpenTrace } from './openTraces';
import { describeForList, findForList } from './openTraceCommand';
import type { TraceServices } from './traceServices';

const storageKey = 'traceLines';

/** What is kept over a reload: hashes, and what the rows say. */
interface Kept {
  lines: ListedLine[];
  /** The local network's history that was shown last. */
  chain?: string | undefined;
  /** Keys of lines that the user took off the list, newest last. */
  removed?: readonly string[] | undefined;
}

/** Lines of the local network, unless older ones are asked for. */
const mostListed = 1000;
/** Lines kept over a reload. */
const mostKept = 300;
/** Milliseconds from a change until it is kept. */
const keepAfterMs = 3_000;
/** Newest traces of the local network that stay whole, so that they open at once and after a restore, too. */
const mostWhole = 200;
/** Newest traces that are described again when the workspace's sources change. */
const mostDescribed = 50;
/** Milliseconds from a change of the sources until then. */
const describeAfterMs = 500;
/** Hashes of sent messages that are remembered. */
const mostSent = 500;

/**
 * The lines of all traces in the list: what happens on the local network, read as it happens, what was opened from other
 * networks, and what an earlier session left. Whole traces are fetched when they are opened.
 */
export class LiveTraces implements vscode.Disposable {
  readonly #services: TraceServices;
  readonly #changed = new vscode.EventEmitter<readonly ListedLine[]>();
  /** The lines have changed; with those that have happened since. */
  readonly onDidChange = this.#changed.event;
  readonly #live: LiveLines;
  readonly #feed: TraceFeed;
  readonly #whole = new Map<string, OpenTrace>();
  readonly #sent = new Map<string, true>();
  readonly #ofTraces = new WeakMap<OpenTrace['context'], ListedLine>();
  readonly #subscription: vscode.Disposable;
  /** Lines of traces that an earlier session opened on other networks. */
  #earlier: readonly ListedLine[];
  #chain: string | undefined;
  /** The first reading tells what has happened before. */
  #hasRead = false;
  #keeping: NodeJS.Timeout | undefined;
  #describing: NodeJS.Timeout | undefined;

  constructor(services: TraceServices) {
    this.#services = services;
    const { lines, chain, removed } = services.context.workspaceState.get<Kept>(storageKey, { lines: [] });
    this.#live = new LiveLines(
      lines.filter((line) => line.chain !== undefined),
      mostListed,
      removed,
    );
    this.#earlier = lines.filter((line) => line.chain === undefined);
    this.#chain = chain;
    this.#feed = new TraceFeed({
      lines: this.#live,
      source: async () => traceSourceOf(await services.connections.to(services.networks.local())),
      describe: async (model, chain) => {
        const trace = await describeForList(services, model, { network: services.networks.local().name });
        keepNewest(this.#whole, trace.key, trace, mostWhole);
        return this.#lineOf(trace, chain);
      },
      onChange: (fresh) => {
        this.#tell(this.#hasRead ? fresh : []);
        this.#hasRead = true;
      },
      onError: (error) => services.log.debug(`traces of the local network: ${String(error)}`),
      clock: systemClock,
    });
    this.#subscription = vscode.Disposable.from(
      services.localNetwork.onDidChange(() => this.#follow()),
      services.networks.onDidChange(() => this.#follow()),
      services.traces.onDidChange(() => this.#keepLater()),
      services.project.onDidChange(() => this.#describeLater()),
      services.pins.onDidRename(() => this.#describeLater()),
      services.traces.onDidSend((hash) => {
        keepNewest(this.#sent, hash, true, mostSent);
        this.#live.setMine(hash);
      }),
    );
    this.#follow();
  }

  /** The local network's lines of the history that it has, newest first. */
  local(): readonly ListedLine[] {
    return this.#chain === undefined ? [] : this.#live.list(this.#chain);
  }

  /** Lines of traces of other networks that an earlier session opened, newest first. */
  earlier(): readonly ListedLine[] {
    return this.#earlier;
  }

  /** The line of a trace that is open. */
  lineOf(trace: OpenTrace): ListedLine {
    return this.#live.find(trace.key) ?? this.#lineOf(trace, undefined);
  }

  find(key: string): ListedLine | undefined {
    return this.#live.find(key) ?? this.#earlier.find((line) => line.key === key);
  }

  findByHash(hash: string): ListedLine | undefined {
    return this.#live.findByHash(hash);
  }

  /** A whole trace, if it is at hand. */
  whole(key: string): OpenTrace | undefined {
    return this.#services.traces.find(key) ?? this.#whole.get(key);
  }

  /**
   * Opens a trace that only its line, or its document's path, is known of.
   * @throws WorkbenchError `trace-not-found`, and the network's errors
   */
  async load(key: string): Promise<OpenTrace | undefined> {
    const { traces, networks } = this.#services;
    const line = this.find(key);
    const slash = key.lastIndexOf('/');
    const network = networks.list().find(({ name }) => name === (line?.network ?? key.slice(0, slash)));
    const trace =
      this.#whole.get(key) ??
      (network === undefined ? undefined : await this.#fetch(line, key.slice(slash + 1), network));
    if (trace !== undefined) {
      traces.add([trace]);
    }
    return trace;
  }

  /** Reads what is older than a line. */
  async older(key: string): Promise<void> {
    const line = this.#live.find(key);
    if (line !== undefined) {
      await this.#services.localNetwork.ensureRunning();
      await this.#feed.older(line);
    }
  }

  /** Whether the list is in sight: only then it is read often. */
  watch(isWatched: boolean): void {
    this.#feed.watch(isWatched);
  }

  remove(key: string): void {
    this.#live.remove(key);
    this.#earlier = this.#earlier.filter((line) => line.key !== key);
    this.#tell([]);
  }

  clear(): void {
    this.#live.clear();
    this.#earlier = [];
    this.#tell([]);
  }

  dispose(): void {
    this.#feed.close();
    this.#subscription.dispose();
    this.#changed.dispose();
    clearTimeout(this.#describing);
    if (this.#keeping !== undefined) {
      clearTimeout(this.#keeping);
      this.#keep();
    }
  }

  async #fetch(
    line: ListedLine | undefined,
    hash: string,
    network: Parameters<typeof findForList>[1],
  ): Promise<OpenTrace | undefined> {
    try {
      return (await findForList(this.#services, network, line?.id ?? hash))[0];
    } catch (error) {
      if (line?.isUndone === true && WorkbenchError.is(error, 'trace-not-found')) {
        throw new WorkbenchError({
          code: 'trace-not-found',
          kind: 'failed',
          message: 'This trace was undone: the local network went back to a block before it.',
          hint: 'Only the traces seen in this session can still be opened then.',
        });
      }
      throw error;
    }
  }

  #lineOf(trace: OpenTrace, chain: string | undefined): ListedLine {
    const known = this.#ofTraces.get(trace.context);
    if (known !== undefined && known.chain === chain) {
      return known;
    }
    const { origin, key } = trace;
    const network = 'network' in origin ? origin.network : '';
    const line = listedLine(trace.context, { key, network, chain, isMine: false });
    const whole = { ...line, isMine: this.#isMine(line) };
    this.#ofTraces.set(trace.context, whole);
    return whole;
  }

  #isMine({ id, messages, from }: ListedLine): boolean {
    const state = this.#services.localNetwork.state();
    const wallets = state.kind === 'running' ? state.accounts : [];
    return (
      this.#sent.has(id) ||
      messages.some((hash) => this.#sent.has(hash)) ||
      wallets.some(({ address, testnetAddress }) => [address, testnetAddress].includes(from?.address ?? '-'))
    );
  }

  #follow(): void {
    const { localNetwork, networks } = this.#services;
    const state = localNetwork.state();
    if (state.kind !== 'running' || networks.current().kind !== 'local') {
      this.#feed.tell(undefined);
      return;
    }
    const { chain, turns, transactions } = state;
    const isOther = this.#chain !== chain;
    this.#chain = chain;
    this.#feed.tell({ chain, turns, transactions });
    if (isOther) {
      this.#hasRead = false;
      this.#tell([]);
    }
  }

  #tell(fresh: readonly ListedLine[]): void {
    this.#keepLater();
    this.#changed.fire(fresh);
  }

  #describeLater(): void {
    clearTimeout(this.#describing);
    this.#describing = setTimeout(() => {
      this.#describeAgain().catch((error: unknown) =>
        this.#services.log.debug(`traces were not described again: ${String(error)}`),
      );
    }, describeAfterMs);
  }

  /** Sources or names of accounts have changed: the newest traces may read otherwise now. */
  async #describeAgain(): Promise<void> {
    const newest = this.local().slice(0, mostDescribed);
    for (const { key, chain } of newest) {
      const trace = this.#whole.get(key);
      if (trace !== undefined) {
        const again = await describeForList(this.#services, trace.model, trace.origin);
        this.#whole.set(key, again);
        this.#live.describeAgain([this.#lineOf(again, chain)]);
      }
    }
    this.#tell([]);
  }

  #keepLater(): void {
    this.#keeping ??= setTimeout(() => {
      this.#keeping = undefined;
      this.#keep();
    }, keepAfterMs);
  }

  #keep(): void {
    const { traces, context, log } = this.#services;
    const opened = traces
      .list()
      .filter(
        ({ origin, status, key }) => isNetwork(origin) && status !== 'rehearsal' && !this.#live.find(key),
      )
      .map((trace) => this.lineOf(trace));
    const known = new Set(opened.map(({ key }) => key));
    const others = [...opened, ...this.#earlier.filter(({ key }) => !known.has(key))];
    const kept: Kept = {
      lines: [...this.#live.list().slice(0, mostKept), ...others.slice(0, mostKept)],
      chain: this.#chain,
      removed: this.#live.removed().slice(-mostListed),
    };
    context.workspaceState
      .update(storageKey, kept)
      .then(undefined, (error: unknown) => log.warn(`the list of traces was not kept: ${String(error)}`));
  }
}

function isNetwork(origin: OpenTrace['origin']): boolean {
  return 'network' in origin && origin.isRehearsal !== true;
}
