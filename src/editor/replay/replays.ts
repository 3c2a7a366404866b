import * as vscode from 'vscode';
import type { UndoRef } from '../../commandTargets';
import { setContextKey } from '../../contextKeys';
import type { Access } from '../../toolkit/access/createAccess';
import { everyStep } from '../../toolkit/execution/emulator/emulator';
import type { GetMethodRun, RecordedGetMethod } from '../../toolkit/execution/emulator/recordGetMethod';
import { keepNewest } from '../../toolkit/base/collections';
import { abortedError } from '../../toolkit/base/errors';
import type { WorkerEmulator } from '../../toolkit/execution/emulator/workerEmulator';
import { KeptRecordings } from '../../toolkit/recording/recording';
import type { Recording } from '../../toolkit/recording/recording';
import type { ReplayEdits } from '../../toolkit/replay/replayEdits';
import type { ReplayInputs } from '../../toolkit/replay/replayInputs';
import type { GatherOptions, ReplaySource } from '../../toolkit/replay/replaySource';
import type { ReplayReport } from '../../toolkit/replay/replayReport';
import type { Replay } from '../../toolkit/replay/runReplay';
import { EmulatorThread } from '../project/emulatorThread';
import type { TraceServices } from '../traces/liveTraces';

/** Replays whose commands still work; the oldest are forgotten. */
const capacity = 100;

/** Everything that a transaction depended on, and what it cost to find out. */
export interface GatheredInputs {
  inputs: ReplayInputs;
  /** Requests made; 0 for a file. */
  requests: number;
  /** They are those of a transaction that was only rehearsed. */
  isRehearsal?: boolean | undefined;
}

/** A replay of this window. */
export interface OpenReplay {
  key: string;
  report: ReplayReport;
  /** Name of the contract in the workspace whose code it ran. */
  contract: string | undefined;
  /** Name of the message that it received. */
  message: string | undefined;
  /** As data; empty if nothing was changed. */
  edits: ReplayEdits;
}

/** What is known about the account of a replay. */
export interface ReplayWords extends Pick<ReplayReport, 'name' | 'exits'> {
  contract?: string | undefined;
  message?: string | undefined;
}

/** How to run a replay. */
export interface RunInWindow {
  /** The changes as text, and as data. */
  texts?: readonly string[];
  edits?: ReplayEdits;
  signal: AbortSignal;
}

/** The replays of this window. They run in a thread of their own, which ends with the replay that is canceled. */
export class Replays implements vscode.Disposable {
  readonly #emulators = new EmulatorThread();
  readonly #recordings = new KeptRecordings();
  readonly #replays = new Map<string, OpenReplay>();
  /** By client: what never changes is asked for once. */
  readonly #sources = new WeakMap<Access, ReplaySource>();
  readonly #requested = new Set<() => void>();
  #lastUndo: UndoRef | undefined;
  #count = 0;

  /** The last return of the local network to an earlier block, until it is undone. */
  get lastUndo(): UndoRef | undefined {
    return this.#lastUndo;
  }

  set lastUndo(undo: UndoRef | undefined) {
    this.#lastUndo = undo;
    setContextKey(vscode.commands, 'tonWorkbench.sentAgain', undo !== undefined);
  }

  /** The newest first. */
  list(): OpenReplay[] {
    return [...this.#replays.values()].reverse();
  }

  find(key: string): OpenReplay | undefined {
    return this.#replays.get(key);
  }

  /**
   * Gathers what a transaction depended on.
   *
   * @param hash of the transaction or of the message that caused it; lowercase hex
   * @param onRequest called with the number of requests so far
   * @throws WorkbenchError as `ReplaySource.gather`
   */
  async gather(
    access: Access,
    hash: string,
    { onRequest, ...options }: GatherOptions & { onRequest: (requests: number) => void },
  ): Promise<GatheredInputs> {
    const { ReplaySource: Source } = await import('../../toolkit/replay/replaySource');
    const source =
      this.#sources.get(access) ?? new Source(access, () => this.#requested.forEach((tell) => tell()));
    this.#sources.set(access, source);
    const before = source.requests;
    const tell = (): void => onRequest(source.requests - before);
    this.#requested.add(tell);
    try {
      const inputs = await source.gather(hash, options);
      return { inputs, requests: source.requests - before };
    } finally {
      this.#requested.delete(tell);
    }
  }

  /**
   * Runs a transaction again and keeps the result.
   *
   * @param words names the account and its exit codes
   * @throws WorkbenchError as `runReplay`
   */
  async run(
    { inputs, requests, isRehearsal }: GatheredInputs,
    words: (replay: Replay) => Promise<ReplayWords>,
    { texts = [], edits = {}, signal }: RunInWindow,
  ): Promise<OpenReplay> {
    const { replay, recording } = await this.#record(inputs, edits, signal);
    this.#count += 1;
    const hash = `${replay.original.hash().toString('hex')}${isRehearsal === true ? '-rehearsal' : ''}`;
    const key = texts.length === 0 ? hash : `${hash}-edited-${this.#count}`;
    this.#recordings.keep(key, recording);
    const { contract, message, ...names } = await words(replay);
    const report = { inputs, replay, recording: undefined, edits: texts, isRehearsal, requests, ...names };
    const opened: OpenReplay = { key, contract, message, edits, report };
    keepNewest(this.#replays, key, opened, capacity);
    return opened;
  }

  /**
   * Every step of a replay, which runs again for that unless they are kept; undefined if no code ran.
   *
   * @throws WorkbenchError as `runReplay`
   */
  async recording(
    { key, report: { inputs }, edits }: OpenReplay,
    signal: AbortSignal,
  ): Promise<Recording | undefined> {
    return this.#recordings.get(key, async () => (await this.#record(inputs, edits, signal)).recording);
  }

  /**
   * Runs a get-method again and records its steps.
   *
   * @throws WorkbenchError `emulator-failed`, `get-method-result-too-deep`
   */
  async recordGetMethod(run: GetMethodRun, signal: AbortSignal): Promise<RecordedGetMethod> {
    return this.#during(signal, async () => (await this.#emulators.get()).recordGetMethod(run));
  }

  /** The log is in the recording only, which is dropped when there are too many. */
  async #record(
    inputs: ReplayInputs,
    edits: ReplayEdits,
    signal: AbortSignal,
  ): Promise<{ replay: Replay; recording: Recording | undefined }> {
    const { runReplay, replayRecording } = await import('../../toolkit/replay/runReplay');
    const replay = await this.#during(signal, async () =>
      runReplay(inputs, await this.#emulators.get(), { edits, verbosity: everyStep, record: true, signal }),
    );
    const outcome = { ...replay.outcome, vmLog: '', recording: undefined };
    return { replay: { ...replay, outcome }, recording: replayRecording(replay) };
  }

  dispose(): void {
    this.#emulators.dispose();
  }

  /** Does something with the emulator's thread, which canceling ends. */
  async withEmulator<T>(signal: AbortSignal, work: (emulator: WorkerEmulator) => Promise<T>): Promise<T> {
    return this.#during(signal, async () => work(await this.#emulators.get()));
  }

  /** A run cannot be interrupted, so canceling ends its thread. */
  async #during<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (signal.aborted) {
      throw abortedError(signal.reason);
    }
    const end = (): void => this.#emulators.dispose();
    signal.addEventListener('abort', end, { once: true });
    try {
      return await work();
    } finally {
      signal.removeEventListener('abort', end);
    }
  }
}

/** The services for replays: traces to choose a transaction from, and the replays of this window. */
export interface ReplayServices extends TraceServices {
  replays: Replays;
}
