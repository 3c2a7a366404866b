import { WorkbenchError, toWorkbenchError } from '../errors';
import type { Clock } from '../time';
import { completeTrace } from './completeTrace';
import type { FollowEvent, FollowParameters } from './followTrace';
import { parseTraceQuery } from './parseTraceQuery';
import { readTraces } from './readTraces';
import { hashHex } from './traceKeys';
import type { TraceModel } from './traceModel';
import type { TraceSource } from './traceSource';

/** Rounds without a trace that was pending before it counts as gone: between pending and indexed there may be a gap. */
const roundsUntilGone = 5;

interface Followed {
  model: TraceModel;
  /** What was told last, to tell only changes. */
  told: string;
  absentRounds: number;
}

/** The memory of {@link followTrace}: what is asked for, what was seen, what is settled. */
export class TraceFollower {
  /** Hashes asked for and not yet settled. */
  readonly #open: Set<string>;
  readonly #account: string | undefined;
  readonly #startedAt: number;
  readonly #traces = new Map<string, Followed>();
  /** Which of them a name belongs to: a trace that grows too large to be told loses most of its names. */
  readonly #keys = new Map<string, string>();
  /** Traces that are complete or gone, by every name they have: late pending answers must not open them again. */
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

  /** One look at the network. */
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
    this.#loseUnseen(events);
    return Promise.all(events.map((event) => this.#completed(event)));
  }

  /**
   * A finished trace that the service holds too large to tell is put together from its transactions. Only then all its
   * names are known, the one among them that it was asked for by.
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

  /** The pending lists: of the hashes and of the account, which the service does not combine. */
  async #pending(): Promise<TraceModel[]> {
    if (this.#isWithoutPending) {
      return [];
    }
    const { signal } = this.parameters;
    const answers: unknown[] = [];
    try {
      if (this.#open.size > 0) {
        answers.push(await this.source.request('pendingTraces', { ext_msg_hash: [...this.#open] }, signal));
      }
      if (this.#account !== undefined) {
        answers.push(await this.source.request('pendingTraces', { account: this.#account }, signal));
      }
    } catch (error) {
      // A service without a store of pending traces refuses every such request; the indexed ones still come.
      const known = toWorkbenchError(error);
      const isMissing =
        /not initialized/.test(String(known.details.serviceText)) ||
        [404, 405, 501].includes(Number(known.details.status));
      if (known.kind !== 'service' || !isMissing) {
        throw error;
      }
      this.#isWithoutPending = true;
    }
    return answers.flatMap((answer) => readTraces(answer));
  }

  /** What is not (or no longer) pending may be indexed already. */
  async #indexed(seen: ReadonlySet<string>): Promise<TraceModel[]> {
    const wanted = new Set([...this.#open].filter((hash) => !seen.has(hash)));
    for (const [key, { model }] of this.#traces) {
      if (!seen.has(key)) {
        wanted.add(namesOf(model)[0] ?? key);
      }
    }
    const models: TraceModel[] = [];
    if (wanted.size > 0) {
      models.push(...(await this.#request({ msg_hash: [...wanted] }, wanted.size)));
      // A hash may be a transaction's; that does not change, so one question is enough.
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

  /** What an account did before it was followed is no news. */
  #rememberOld(old: readonly TraceModel[], wanted: readonly TraceModel[]): void {
    const keep = new Set(wanted.flatMap(namesOf));
    for (const model of old) {
      if (isFinal(model) && !namesOf(model).some((name) => keep.has(name) || this.#open.has(name))) {
        namesOf(model).forEach((name) => this.#settled.add(name));
      }
    }
  }

  #see(model: TraceModel, seen: Set<string>, events: FollowEvent[]): void {
    const names = namesOf(model);
    const key = names.map((name) => this.#keys.get(name)).find((known) => known !== undefined) ?? names[0];
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

  #loseUnseen(events: FollowEvent[]): void {
    const patience = this.parameters.patienceMs ?? 120_000;
    if (this.clock.monotonic() - this.#startedAt < patience) {
      return;
    }
    const known = new Set([...this.#traces.values()].flatMap(({ model }) => namesOf(model)));
    for (const hash of [...this.#open]) {
      if (!known.has(hash)) {
        this.#open.delete(hash);
        events.push({ type: 'unseen', hash });
      }
    }
  }

  #settle(key: string, model: TraceModel): void {
    this.#traces.delete(key);
    const former = [...this.#keys].filter(([, known]) => known === key).map(([name]) => name);
    for (const name of [key, ...former, ...namesOf(model)]) {
      this.#keys.delete(name);
      this.#settled.add(name);
      this.#open.delete(name);
    }
  }
}

/**
 * Every hash a trace may be asked for by: first its external message (normalised, then raw), which stays the same from
 * pending to complete, then its id, messages and transactions.
 */
function namesOf(model: TraceModel): string[] {
  const names = new Set<string>();
  const add = (hash: string | null | undefined): void => {
    if (hash != null) {
      names.add(hashHex(hash));
    }
  };
  const root = model.roots[0];
  add(root?.message?.hash_norm ?? root?.message?.hash ?? model.source.external_hash);
  add(root?.message?.hash);
  add(model.source.external_hash);
  add(model.id);
  for (const node of model.nodes) {
    add(node.message?.hash);
    add(node.message?.hash_norm);
    add(node.hash);
  }
  return [...names];
}

/** Complete or broken: nothing more will come. */
function isFinal(model: TraceModel): boolean {
  return model.state !== 'pending' && model.source.end_lt !== null;
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
    message: 'An account was given where the hash of a message belongs.',
    hint: 'Follow accounts by the parameter for accounts.',
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
    message: `${JSON.stringify(text.slice(0, 90))} is no account.`,
    hint: 'Give an address in any form.',
  });
}
