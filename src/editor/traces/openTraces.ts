import * as vscode from 'vscode';
import type { NodeChange } from '../../toolkit/trace/nodeChange';
import type { TraceContext } from '../../toolkit/trace/traceContext';
import type { ReplayInputs } from '../../toolkit/replay/replayInputs';
import type { Rehearsal } from '../../toolkit/send/preparedSend';
import type { TraceModel } from '../../toolkit/trace/traceModel';
import type { PageHop, PageStep } from '../../toolkit/trace/page/tracePage';
import type { DecodedBody } from '../../toolkit/contracts/opcodes/decodedBody';
import type { ReplayRef, TransactionRef, UndoRef } from '../../commandTargets';
import type { Uri } from 'vscode';
import { documentScheme } from '../../contributions';

/** Rows shown at once per level of the view. */
export const rowsAtOnce = 200;

/** The status of a listed trace; a rehearsal has not happened, and what a test ran has happened in its sandbox only. */
type TraceStatus = 'complete' | 'following' | 'gone' | 'rehearsal' | 'test';

/** Where a trace comes from: a network, a rehearsal for one, a file, or a line of a test. */
export type TraceOrigin = { network: string; isRehearsal?: boolean } | { file: string } | { test: string };

/** A trace's origin as text. */
export function originText(origin: TraceOrigin): string {
  if (!('network' in origin)) {
    return 'file' in origin ? origin.file : origin.test;
  }
  return origin.isRehearsal === true ? `rehearsal on ${origin.network}` : origin.network;
}

/** The label of a message that was rehearsed but not sent, used everywhere. */
export const notSent = 'rehearsal, not sent';

/** One trace that the user has opened. */
export interface OpenTrace {
  /** Unchanged while a pending trace grows and completes. */
  key: string;
  origin: TraceOrigin;
  model: TraceModel;
  context: TraceContext;
  status: TraceStatus;
  /** What a transaction of a rehearsal or test depended on, by its hash. */
  inputsOf?: Rehearsal['inputsOf'] | undefined;
  /** The picture that its page begins with; default: the last one. */
  picture?: 'sequence' | undefined;
  /** Of an explored order: the sheet (its URI), and the text of one that repeats the order. */
  kept?: { sheet: string; text: string } | undefined;
  /** Of a rehearsal: its message, which can still be sent, as a bag of cells in base64. */
  sendable?: string | undefined;
}

/** Only the local network can go back to before a trace. */
export function isOfLocalNetwork(
  networks: { local: () => { name: string } },
  { origin }: Pick<OpenTrace, 'origin'>,
): boolean {
  return 'network' in origin && origin.network === networks.local().name;
}

/** A message that was sent and has no trace yet. */
export interface WaitingMessage {
  hash: string;
  origin: string;
}

/** An account whose traces are being listed page by page. */
export interface AccountListing {
  /** Name of the network. */
  origin: string;
  /** Raw address. */
  account: string;
  /** Its name in rows and titles. */
  title: string;
  /** Traces fetched so far. */
  loaded: number;
  /** The service may have more. */
  hasMore: boolean;
}

/** A transaction that was replayed with changes, as a trace that did not happen. */
export interface ReplayedTrace {
  trace: OpenTrace;
  title: string;
  /** `value: 1 TON`: what was changed, each as text. */
  edits: readonly string[];
  /** What the changes changed. */
  differences: readonly NodeChange[];
}

/** A question about a value on the page of a transaction. */
export interface PageQuestion {
  question: string;
  /** The step before which it is asked; undefined for what the transaction itself says. */
  step?: number | undefined;
  /** Of what the page shows: the body of the message, and the balance afterward. */
  body: DecodedBody | undefined;
  balance: bigint | undefined;
}

/** The steps of transactions, which are run again for that. Their numbers are those of {@link PageStep}. */
export interface PageStepper {
  /**
   * A step of a transaction.
   *
   * @param node of the page
   * @param step without one, where it failed, else its first line
   * @throws WorkbenchError if it cannot be run again, or ran no code
   */
  read: (target: TransactionRef | ReplayRef, node: number, step: number | undefined) => Promise<PageStep>;
  /** Shows the source line of a step. */
  showLine: (target: TransactionRef | ReplayRef, step: number) => Promise<void>;
  /** Has the debugger at a step: of the target, or of another execution that an answer has named. */
  debug: (target: TransactionRef | ReplayRef, step: number, thread?: number) => Promise<void>;
  /** Where a value comes from; what cannot be followed is a hop that says why. */
  ask: (target: TransactionRef | ReplayRef, asked: PageQuestion) => Promise<PageHop[]>;
}

/** A transaction selected in some view, and which view. */
export interface Selection {
  key: string;
  /** Position in the trace, depth first. */
  index: number;
  in: 'tree' | 'page' | 'document';
}

/** Maximum traces kept in the list; the oldest are dropped. */
const capacity = 1000;

/** The traces of the window, newest first: what the view and the documents show. */
export class OpenTraces {
  readonly #changed = new vscode.EventEmitter<OpenTrace | undefined>();
  /** By the key of a trace that was sent again: what brings back the state from before. */
  readonly undoable = new Map<string, UndoRef>();
  /** Fires with the trace that changed, or undefined if the list itself did. */
  readonly onDidChange = this.#changed.event;
  readonly #selected = new vscode.EventEmitter<Selection>();
  /** Fires when a transaction is selected in one view; the others select it too, without taking focus. */
  readonly onDidSelect = this.#selected.event;
  readonly #sent = new vscode.EventEmitter<string>();
  /** Fires with the hash of a message sent from this window, or of its trace, so that its row is shown. */
  readonly onDidSend = this.#sent.event;
  /** Opens a trace of which only the line is listed. */
  loader: ((key: string) => Promise<OpenTrace | undefined>) | undefined;
  /** The whole traces of the local network's history that are not opened, newest first. */
  recent: (() => Promise<readonly OpenTrace[]>) | undefined;
  /** What the trace with this first transaction (hash, lowercase hex) did, and when, if it is listed: `Withdraw: alice → Till, 12:03:11`. */
  titleOf: ((hash: string) => Promise<string | undefined>) | undefined;
  /** Finds the line at which a transaction threw; its pages then name it. Resolves to whether it is known. */
  lineFinder: ((ref: TransactionRef | ReplayInputs) => Promise<boolean>) | undefined;
  /** The steps of transactions, for their pages. */
  steps: PageStepper | undefined;
  /** A replay of this window (by its key) as a trace. */
  replayed: ((replay: string) => Promise<ReplayedTrace | undefined>) | undefined;
  readonly #sentHashes = new Set<string>();
  #selection: Selection | undefined;
  #traces: OpenTrace[] = [];
  #waiting: WaitingMessage[] = [];
  #listing: AccountListing | undefined;

  /** The account whose traces were last listed, until the list is cleared. */
  listing(): AccountListing | undefined {
    return this.#listing;
  }

  setListing(listing: AccountListing | undefined): void {
    this.#listing = listing;
    this.#changed.fire(undefined);
  }

  list(): readonly OpenTrace[] {
    return this.#traces;
  }

  waiting(): readonly WaitingMessage[] {
    return this.#waiting;
  }

  find(key: string): OpenTrace | undefined {
    return this.#traces.find((trace) => trace.key === key);
  }

  /** Like {@link find}, but loads a trace that is not open. */
  async load(key: string): Promise<OpenTrace | undefined> {
    return this.find(key) ?? this.loader?.(key);
  }

  /** Announces that a message was sent: by its hash, or the hash of its trace's first transaction. */
  sent(hash: string): void {
    this.#sentHashes.add(hash);
    this.#sent.fire(hash);
    // Their documents now say that the message was sent after the rehearsal.
    for (const trace of this.#traces.filter((one) => one.status === 'rehearsal' && this.isSent(one))) {
      this.#changed.fire(trace);
    }
  }

  /** Whether the message that starts this trace was sent from this window. */
  isSent({ model }: Pick<OpenTrace, 'model'>): boolean {
    const message = model.roots[0]?.message;
    return [model.source.external_hash, message?.hash, message?.hash_norm].some(
      (hash) => typeof hash === 'string' && this.#sentHashes.has(hash),
    );
  }

  /** Inserts traces at the front (older ones at the end), in order; traces already listed are replaced in place. */
  add(traces: readonly OpenTrace[], where: 'front' | 'end' = 'front'): void {
    const known = new Map(this.#traces.map((trace) => [trace.key, trace]));
    const fresh = traces.filter((trace) => !known.has(trace.key));
    for (const trace of traces) {
      known.set(trace.key, trace);
    }
    const before = this.#traces;
    this.#traces = (where === 'front' ? [...fresh, ...before] : [...before, ...fresh])
      .map(({ key }) => known.get(key) as OpenTrace)
      .slice(0, capacity);
    this.#changed.fire(traces.length === 1 && fresh.length === 0 ? traces[0] : undefined);
  }

  /** The last selection. */
  selection(): Selection | undefined {
    return this.#selection;
  }

  /** Announces the selection to all views; repeated selections (echoes) are ignored. */
  select(selection: Selection): void {
    const before = this.#selection;
    this.#selection = selection;
    if (before?.key !== selection.key || before.index !== selection.index) {
      this.#selected.fire(selection);
    }
  }

  wait(message: WaitingMessage): void {
    this.#waiting = [message, ...this.#waiting.filter(({ hash }) => hash !== message.hash)];
    this.#changed.fire(undefined);
  }

  stopWaiting(hash: string): void {
    const left = this.#waiting.filter((message) => message.hash !== hash);
    if (left.length < this.#waiting.length) {
      this.#waiting = left;
      this.#changed.fire(undefined);
    }
  }

  remove(key: string): void {
    this.#traces = this.#traces.filter((trace) => trace.key !== key);
    this.#changed.fire(undefined);
  }

  clear(): void {
    this.#traces = [];
    this.#waiting = [];
    this.#listing = undefined;
    this.#changed.fire(undefined);
  }

  dispose(): void {
    this.#changed.dispose();
    this.#sent.dispose();
    this.#selected.dispose();
  }
}

/** The transaction of a document, by the document's path; see traceDocuments. */
export function transactionOf({ scheme, path }: Uri): { key: string; index: number } | undefined {
  const [, kind, name = ''] = path.split('/');
  if (scheme !== documentScheme || kind !== 'transaction') {
    return undefined;
  }
  const words = decodeURIComponent(name);
  const space = words.lastIndexOf(' ');
  return { key: words.slice(0, space), index: Number(words.slice(space + 1)) };
}
