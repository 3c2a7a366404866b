import { instructionAt } from '../recording/recording';
import type { ValuePlace } from '../recording/followValue';
import { followRegister, followValue } from '../recording/followValue';
import { visibleText } from '../base/text';
import { isTurnOver, nextTurn } from '../base/turns';
import type { AskedValue } from './askedValues';
import { slotName } from './askedValues';
import type { OriginRuns } from './originCrossings';
import { loadOrWhy, OriginCrossings } from './originCrossings';
import type { OriginHop } from './originHops';
import { HopTrail, isSamePlace, lineOf, unnamed } from './originHops';
import type { RunView } from './runView';

/** The way of a value back to where it was made, as far as it is the way of one value only. */
export interface ValueOrigin {
  /** The newest first; the first is what was asked about. */
  hops: readonly OriginHop[];
  /** The values that it was worked out of: each can be asked about. Empty where the way ends. */
  sources: readonly AskedValue[];
}

/** Instructions that hand a value on as it is. */
const onlyChecks = /^(?:U?FITS|CHK|CONDSEL|INDEX|UNTUPLE)/;

/** Most hops of one way. */
const mostHops = 400;
/** Most values of a line that are worked out of each other. */
const mostInLine = 40;

/** Follows a value back through moves, computations, the data of its account, and messages. */
export async function valueOrigin(
  runs: OriginRuns,
  asked: AskedValue,
  signal: AbortSignal,
): Promise<ValueOrigin> {
  return new Follower(runs, asked, signal).follow(asked);
}

class Follower {
  private readonly trail: HopTrail;
  readonly #crossings: OriginCrossings;

  constructor(
    private readonly runs: OriginRuns,
    asked: AskedValue,
    private readonly signal: AbortSignal,
  ) {
    this.trail = new HopTrail(runs.accountName, asked.kind);
    this.#crossings = new OriginCrossings(runs, this.trail, signal);
  }

  async follow(asked: AskedValue): Promise<ValueOrigin> {
    let now: AskedValue | undefined = asked;
    let sources: readonly AskedValue[] = [];
    let isFirst = true;
    while (now !== undefined && this.trail.length < mostHops) {
      this.signal.throwIfAborted();
      if (isTurnOver()) {
        await nextTurn();
      }
      const view: RunView | string | undefined = await loadOrWhy(this.runs, now.thread, this.signal);
      if (view === undefined || typeof view === 'string') {
        const title = view === undefined ? 'no code ran there' : `unknown: this cannot be recorded: ${view}`;
        this.trail.add(now.thread, undefined, { step: 0, kind: 'unknown', title });
        break;
      }
      if (isFirst) {
        const title = now.name ?? (typeof now.in === 'number' ? unnamed : now.in);
        this.trail.add(now.thread, view, {
          step: now.step,
          kind: 'asked',
          title,
          value: this.trail.valueOf(view, now),
        });
        isFirst = false;
      }
      const next: readonly AskedValue[] | AskedValue = await this.#back(view, now);
      if (Array.isArray(next)) {
        sources = next as readonly AskedValue[];
        now = undefined;
      } else {
        now = next as AskedValue;
      }
    }
    return { hops: this.trail.shown(), sources };
  }

  /** Goes back within an execution, and over its beginning: to the value before, or to several. */
  async #back(view: RunView, asked: AskedValue): Promise<AskedValue | readonly AskedValue[]> {
    const { thread } = asked;
    const { recording } = view;
    const { hops, end } =
      typeof asked.in === 'number'
        ? followValue(recording, { step: asked.step, slot: asked.in, part: asked.part })
        : followRegister(recording, asked.step, asked.in, asked.part);
    hops.forEach((hop) => this.trail.passed(thread, view, hop));
    switch (end.kind) {
      case 'start':
        return this.#crossings.beforeStart(view, thread, end.at);
      case 'register':
        return end.register === 'c4'
          ? this.#crossings.beforeData(view, thread, end.part)
          : this.#crossings.surroundings(view, thread, end.step, end.register, end.part);
      case 'made':
        return this.#made(view, thread, end.step, end.sources);
      case 'constant':
        return this.trail.end(view, thread, end.step, 'constant', 'the code has it');
      case 'given':
        return this.trail.end(view, thread, end.step, 'given', instructionAt(recording, end.step));
      case 'unknown':
        return this.trail.end(view, thread, end.step, 'unknown', `unknown: ${end.why}`);
    }
  }

  /** What was worked out in a line, with the values that the line worked it out of. */
  async #made(
    view: RunView,
    thread: number,
    step: number,
    places: readonly ValuePlace[],
  ): Promise<AskedValue | readonly AskedValue[]> {
    const line = lineOf(view, step);
    const found: AskedValue[] = [];
    const seen = new Set<string>();
    const waiting = [...places];
    for (let place = waiting.shift(); place !== undefined; place = waiting.shift()) {
      const key = `${place.step} ${place.slot} ${JSON.stringify(place.part)}`;
      if (seen.has(key)) {
        continue;
      }
      seen.add(key);
      const { hops, end } = followValue(view.recording, place);
      const isPlain = hops.every((hop) => onlyChecks.test(instructionAt(view.recording, hop.step)));
      const isHere = end.kind === 'made' && isPlain && seen.size < mostInLine;
      if (
        isHere &&
        isSamePlace(lineOf(view, end.step), line) &&
        view.calls.at[end.step] === view.calls.at[step]
      ) {
        waiting.push(...end.sources);
      } else if (end.kind !== 'constant' || hops.length > 0) {
        found.push({
          ...{ thread, step: place.step, in: place.slot, part: place.part },
          ...(place.part.path.length === 0 ? (slotName(view, place.step, place.slot) ?? {}) : {}),
        });
      }
      if (isTurnOver()) {
        await nextTurn();
      }
    }
    const title =
      line === undefined ? instructionAt(view.recording, step) : visibleText(line.text.trim(), 100);
    this.trail.add(thread, view, { step, kind: found.length === 0 ? 'constant' : 'made', title });
    const [only] = found;
    if (only === undefined || found.length > 1) {
      return found;
    }
    this.trail.kind = only.kind;
    this.trail.coding = undefined;
    return only;
  }
}
