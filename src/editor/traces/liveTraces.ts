import * as vscode from 'vscode';
import { traceSourceOf } from '../../toolkit/access/traceSourceOf';
import { WorkbenchError } from '../../toolkit/base/errors';
import { keepNewest } from '../../toolkit/base/collections';
import { clockTime } from '../../toolkit/base/text';
import { systemClock } from '../../toolkit/base/time';
import type { ListedLine } from '../../toolkit/trace/liveLines';
import { LiveLines, listedLine } from '../../toolkit/trace/liveLines';
import { TraceFeed } from '../../toolkit/trace/traceFeed';
import { lineTitle } from '../../toolkit/trace/traceLine';
import { accountName } from '../project/accountName';
import type { Services } from '../project/services';
import { describeForList, findForList } from './openTraceCommand';
import type { OpenTrace, OpenTraces } from './openTraces';

const storageKey = 'traceLines';

/** What is saved across reloads: hashes and the contents of rows. */
interface Kept {
  lines: ListedLine[];
  /** The history of the local network that was last shown. */
  chain?: string | undefined;
  /** Keys of lines that the user removed from the list, newest last. */
  removed?: readonly string[] | undefined;
}

/** Maximum lines of the local network, unless older ones are requested. */
const mostListed = 1000;
/** Maximum lines saved across reloads. */
const mostKept = 300;
/** Milliseconds from a change until it is saved. */
const keepAfterMs = 3_000;
/** Maximum traces of the local network kept whole, so that they open at once, even after a restore. */
const mostWhole = 200;
/** Maximum traces described again when the workspace's sources change. */
const mostDescribed = 50;
/** Milliseconds from a change of the sources until traces are described again. */
const describeAfterMs = 500;
/** Maximum hashes of sent messages remembered. */
const mostSent = 500;

/**
 * The lines of all traces in the list: of the local network, as they happen; of other networks, once opened;
 * and those of an earlier session. Whole traces are fetched when they are opened.
 */
export class LiveTraces implements vscode.Disposable {
  readonly #services: TraceServices;
  readonly #changed = new vscode.EventEmitter<readonly ListedLine[]>();
  /** Fires when lines have changed, with those that are new. */
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
  /** The first read finds traces from before, which are not new. */
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

  /** The lines of the local network's current history, newest first. */
  local(): readonly ListedLine[] {
    return this.#chain === undefined ? [] : this.#live.list(this.#chain);
  }

  /** Lines of other networks' traces opened in an earlier session, newest first. */
  earlier(): readonly ListedLine[] {
    return this.#earlier;
  }

  /** The line of an open trace. */
  lineOf(trace: OpenTrace): ListedLine {
    return this.#live.find(trace.key) ?? this.#lineOf(trace, undefined);
  }

  find(key: string): ListedLine | undefined {
    return this.#live.find(key) ?? this.#earlier.find((line) => line.key === key);
  }

  findByHash(hash: string): ListedLine | undefined {
    return this.#live.findByHash(hash);
  }

  /** What the trace with this first transaction did, and when. */
  titleOf(hash: string): string | undefined {
    const line = this.findByHash(hash);
    const time = line?.time === undefined ? '' : `, ${clockTime(line.time)}`;
    return line && `${lineTitle(line, accountName(this.#services))}${time}`;
  }

  /** A whole trace, if it is loaded. */
  whole(key: string): OpenTrace | undefined {
    return this.#services.traces.find(key) ?? this.#whole.get(key);
  }

  /** The local network's traces that are loaded whole but not opened, newest first. */
  recent(): OpenTrace[] {
    return this.local().flatMap(({ key }) =>
      this.#services.traces.find(key) === undefined ? (this.#whole.get(key) ?? []) : [],
    );
  }

  /**
   * Loads a trace of which only the line or its document's path is known.
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

  /** Reads traces older than a line. */
  async older(key: string): Promise<void> {
    const line = this.#live.find(key);
    if (line !== undefined) {
      await this.#services.localNetwork.ensureRunning();
      await this.#feed.older(line);
    }
  }

  /** Whether the list is visible; otherwise it is read less often. */
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
          hint: 'After that, you can open only the traces seen in this session.',
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

  /** Describes the newest traces again, because sources or account names have changed. */
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

/** The shared services, plus the open traces. */
export interface TraceServices extends Services {
  traces: OpenTraces;
}
