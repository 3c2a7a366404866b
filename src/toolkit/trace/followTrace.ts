import { WorkbenchError, isPassing, toWorkbenchError } from '../base/errors';
import type { Clock } from '../base/time';
import { systemClock } from '../base/time';
import { parseTraceQuery } from './parseTraceQuery';
import type { FollowEvent, FollowParameters } from './readFollowTarget';
import type { TraceSource } from './readTraces';
import { completeTrace, findPendingTraces, readTraces } from './readTraces';
import type { TraceModel } from './traceModel';
import { traceNames } from './traceModel';

const longestRetryMs = 30_000;
/** After a slow answer, wait this multiple of its duration: polling must not overload the service. */
const restPerWork = 3;

/**
 * Follows messages or an account from "sent" through pending to complete. Ends when every hash is complete, gone or
 * unseen; an account is followed until the signal fires. Transient errors (no connection, too many requests, a
 * failing service) do not end it, but the time limit of hashes still applies.
 *
 * Given both an account and hashes, the service silently ignores one filter, so these are two merged requests: no
 * trace is reported twice, or again without changes.
 *
 * @throws WorkbenchError permanent errors: invalid input, a rejection such as `unauthorized`, an answer of the wrong
 *   shape
 */
export async function* followTrace(
  source: TraceSource,
  parameters: FollowParameters,
): AsyncGenerator<FollowEvent, void, undefined> {
  const { signal, intervalMs = 2000, clock = systemClock } = parameters;
  const follower = new TraceFollower(source, parameters, clock);
  for (const hash of follower.openHashes()) {
    yield { type: 'waiting', hash };
  }
  const rest = parameters.rest ?? ((ms: number) => clock.sleep(ms, signal));
  for (let failures = 0; ;) {
    let pause = intervalMs;
    const began = clock.monotonic();
    try {
      const events = await follower.round();
      pause = Math.max(pause, restPerWork * (clock.monotonic() - began));
      yield* events;
      failures = 0;
    } catch (thrown) {
      const error = toWorkbenchError(thrown);
      if (signal?.aborted === true || error.code === 'aborted') {
        return;
      }
      if (!isPassing(error)) {
        throw error;
      }
      failures++;
      pause = Math.min(intervalMs * 2 ** failures, longestRetryMs);
      yield { type: 'error', error, failures, retryInMs: pause };
      yield* follower.loseUnseen(error);
    }
    if (follower.isDone()) {
      return;
    }
    try {
      // A failed round is repeated in time, whatever happens or does not.
      await (failures === 0 ? rest(pause) : clock.sleep(pause, signal));
    } catch {
      return;
    }
  }
}

/**
 * Rounds without a formerly pending trace before it counts as gone: between pending and indexed there may be a gap.
 */
const roundsUntilGone = 5;

interface Followed {
  model: TraceModel;
  /** The last report, so that only changes are reported. */
  told: string;
  absentRounds: number;
}

/** The state of {@link followTrace}: what is requested, what was seen, what is settled. */
class TraceFollower {
  /** Requested hashes not yet settled. */
  readonly #open: Set<string>;
  readonly #account: string | undefined;
  readonly #startedAt: number;
  readonly #traces = new Map<string, Followed>();
  /** Maps each alias to its requested hash. Very large traces lose most of their aliases. */
  readonly #keys = new Map<string, string>();
  /** Complete or vanished traces, by every alias: late pending answers must not reopen them. */
  readonly #settled = new Set<string>();
  #isFirstRound = true;
  #isWithoutPending = false;

  constructor(
    readonly source: TraceSource,
    readonly parameters: FollowParameters,
    readonly clock: Clock,
  ) {
    this.#open = new Set((parameters.hashes ?? []).map(hashOf));
    this.#account = parameters.account === undefined ? undefined : accountIn(parameters.account);
    this.#startedAt = clock.monotonic();
    if (this.#open.size === 0 && this.#account === undefined) {
      throw new WorkbenchError({
        code: 'follow-nothing',
        kind: 'input',
        message: 'There is nothing to follow.',
        hint: 'Give the hash of a message or an account.',
      });
    }
  }

  openHashes(): string[] {
    return [...this.#open];
  }

  isDone(): boolean {
    return this.#account === undefined && this.#open.size === 0 && this.#traces.size === 0;
  }

  /** One polling round. */
  async round(): Promise<FollowEvent[]> {
    const events: FollowEvent[] = [];
    const seen = new Set<string>();
    for (const model of await this.#pending()) {
      this.#see(model, seen, events);
    }
    for (const model of await this.#indexed(seen)) {
      this.#see(model, seen, events);
    }
    this.#noteAbsent(seen, events);
    events.push(...this.loseUnseen());
    return Promise.all(events.map((event) => this.#completed(event)));
  }

  /**
   * A completed trace too large for the service is assembled from its transactions. Only then are all its aliases
   * known, including the requested one.
   */
  async #completed(event: FollowEvent): Promise<FollowEvent> {
    if (event.type !== 'trace' || !event.isFinal) {
      return event;
    }
    const model = await completeTrace(this.source, event.model, { signal: this.parameters.signal });
    if (model !== event.model) {
      this.#settle(event.key, model);
    }
    return { ...event, model };
  }

  /** The pending lists of the hashes and of the account, which the service does not combine. */
  async #pending(): Promise<TraceModel[]> {
    if (this.#isWithoutPending) {
      return [];
    }
    const filters: { ext_msg_hash?: string[]; account?: string }[] = [
      ...(this.#open.size > 0 ? [{ ext_msg_hash: [...this.#open] }] : []),
      ...(this.#account === undefined ? [] : [{ account: this.#account }]),
    ];
    const models: TraceModel[] = [];
    for (const filter of filters) {
      const found = await findPendingTraces(this.source, filter, this.parameters.signal);
      if (found === undefined) {
        this.#isWithoutPending = true;
        break;
      }
      models.push(...found);
      this.#noteAnswer(filter.ext_msg_hash, found);
    }
    return models;
  }

  /** A service may omit the requested hash from the answer; the only answer to a single hash must be its trace. */
  #noteAnswer(asked: readonly string[] | undefined, [found, ...others]: readonly TraceModel[]): void {
    const [hash, ...more] = asked ?? [];
    const key = found === undefined ? undefined : this.#keyOf(found);
    if (hash !== undefined && key !== undefined && more.length === 0 && others.length === 0) {
      this.#keys.set(hash, key);
    }
  }

  /** The alias under which a trace is known, or will be. */
  #keyOf(model: TraceModel): string | undefined {
    const names = traceNames(model);
    return names.map((name) => this.#keys.get(name)).find((known) => known !== undefined) ?? names[0];
  }

  /** Traces not (or no longer) pending may already be indexed. */
  async #indexed(seen: ReadonlySet<string>): Promise<TraceModel[]> {
    const wanted = new Set(
      [...this.#open].filter((hash) => !seen.has(hash) && !seen.has(this.#keys.get(hash) ?? hash)),
    );
    for (const [key, { model }] of this.#traces) {
      if (!seen.has(key)) {
        wanted.add(traceNames(model)[0] ?? key);
      }
    }
    const models: TraceModel[] = [];
    if (wanted.size > 0) {
      const asked = [...wanted];
      models.push(...(await this.#request({ msg_hash: asked }, wanted.size)));
      this.#noteAnswer(asked, models);
      // A hash may be a transaction's; that does not change, so one request is enough.
      if (models.length === 0 && this.#isFirstRound && this.#open.size > 0) {
        models.push(...(await this.#request({ tx_hash: [...this.#open] }, this.#open.size)));
      }
    }
    if (this.#account !== undefined) {
      const newest = await this.#request({ account: this.#account, sort: 'desc' }, 10);
      if (this.#isFirstRound) {
        this.#rememberOld(newest, models);
      } else {
        models.push(...newest);
      }
    }
    this.#isFirstRound = false;
    return models;
  }

  async #request(
    filter: Readonly<Record<string, string | readonly string[]>>,
    count: number,
  ): Promise<TraceModel[]> {
    const limit = Math.min(count * 2 + 10, 1000);
    const answer = await this.source.request(
      'traces',
      { ...filter, include_actions: true, limit },
      this.parameters.signal,
    );
    return readTraces(answer);
  }

  /** Traces from before the account was followed are not reported. */
  #rememberOld(old: readonly TraceModel[], wanted: readonly TraceModel[]): void {
    const keep = new Set(wanted.flatMap(traceNames));
    for (const model of old) {
      if (isFinal(model) && !traceNames(model).some((name) => keep.has(name) || this.#open.has(name))) {
        traceNames(model).forEach((name) => this.#settled.add(name));
      }
    }
  }

  #see(model: TraceModel, seen: Set<string>, events: FollowEvent[]): void {
    const names = traceNames(model);
    const key = this.#keyOf(model);
    if (key === undefined || names.some((name) => this.#settled.has(name)) || seen.has(key)) {
      names.forEach((name) => seen.add(name));
      return;
    }
    [key, ...names].forEach((name) => {
      seen.add(name);
      this.#keys.set(name, key);
    });
    const known = this.#traces.get(key);
    const telling = tellingOf(model);
    if (known?.told !== telling) {
      events.push({ type: 'trace', key, model, isFinal: isFinal(model) });
    }
    if (isFinal(model)) {
      this.#settle(key, model);
    } else {
      this.#traces.set(key, { model, told: telling, absentRounds: 0 });
    }
  }

  #noteAbsent(seen: ReadonlySet<string>, events: FollowEvent[]): void {
    for (const [key, followed] of [...this.#traces]) {
      if (seen.has(key)) {
        continue;
      }
      followed.absentRounds++;
      if (followed.absentRounds >= roundsUntilGone) {
        events.push({ type: 'gone', key, model: followed.model });
        this.#settle(key, followed.model);
      }
    }
  }

  /** Gives up on hashes not seen in time; after a failed round, with its `error`. */
  loseUnseen(error?: WorkbenchError): FollowEvent[] {
    const patience = this.parameters.patienceMs ?? 120_000;
    if (this.clock.monotonic() - this.#startedAt < patience) {
      return [];
    }
    const known = new Set([
      ...[...this.#traces.values()].flatMap(({ model }) => traceNames(model)),
      ...[...this.#keys].flatMap(([name, key]) => (this.#traces.has(key) ? [name] : [])),
    ]);
    const unseen = [...this.#open].filter((hash) => !known.has(hash));
    unseen.forEach((hash) => this.#open.delete(hash));
    return unseen.map((hash) => ({ type: 'unseen', hash, ...(error === undefined ? {} : { error }) }));
  }

  #settle(key: string, model: TraceModel): void {
    this.#traces.delete(key);
    const former = [...this.#keys].filter(([, known]) => known === key).map(([name]) => name);
    for (const name of [key, ...former, ...traceNames(model)]) {
      this.#keys.delete(name);
      this.#settled.add(name);
      this.#open.delete(name);
    }
  }
}

/**
 * Complete or broken, or only waiting for messages that the local network's emulator failed on: nothing more will
 * happen.
 */
function isFinal({ state, source, nodes }: TraceModel): boolean {
  const failed = source.failed_messages?.length ?? 0;
  const isStuck = failed > 0 && failed === source.trace_info?.pending_messages;
  if (isStuck || state === 'pending' || source.end_lt === null) {
    return isStuck;
  }
  // If the service does not say, the trace is complete once every message has its transaction.
  return state !== 'unknown' || nodes.every(({ isCarried }) => isCarried);
}

/** Changes when there is something new to show. */
function tellingOf(model: TraceModel): string {
  const info = model.source.trace_info;
  const final = model.nodes.map((node) => `${node.hash ?? ''}${node.transaction?.finality ?? ''}`).join();
  return [model.state, model.nodes.length, info?.pending_messages, info?.classification_state, final].join(
    '|',
  );
}

function hashOf(text: string): string {
  const query = parseTraceQuery(text);
  if (query.kind === 'hash') {
    return query.hash;
  }
  throw new WorkbenchError({
    code: 'trace-query-invalid',
    kind: 'input',
    message: 'This is an account, not the hash of a message.',
    hint: 'Pass accounts in the parameter for accounts.',
  });
}

function accountIn(text: string): string {
  const query = parseTraceQuery(text);
  if (query.kind === 'account') {
    return query.account;
  }
  throw new WorkbenchError({
    code: 'trace-query-invalid',
    kind: 'input',
    message: `${JSON.stringify(text.slice(0, 90))} is not an account.`,
    hint: 'Give an address in any form.',
  });
}
