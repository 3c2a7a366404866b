import { Cell, loadMessageRelaxed } from '@ton/core';
import type { Access } from '../access/createAccess';
import type { CallSheet, SheetDeploy, SheetSend, SheetStep } from '../callSheet/callSheet';
import { stepName } from '../callSheet/callSheet';
import { WorkbenchError } from '../base/errors';
import type { Clock } from '../base/time';
import { formatTime } from '../trace/figures';
import { findRequested } from '../send/findRequested';
import type { MessageRequest } from '../send/messageRequest';
import { requestKey, requestedMessage } from '../send/messageRequest';
import { parseStackText } from '../stack/parseStackText';
import type { StackValue } from '../stack/stackValue';
import { printStackValue } from '../stack/stackValue';
import type { TraceModel } from '../trace/traceModel';
import { validUntilFrom } from './composedRequest';
import { followUntilDone } from './followUntilDone';
import type { HandOverEntries, HandedOverEntry } from './handOverJournal';
import type { HandOverEvent, HandOverWay } from './handOverRequest';
import { handOverRequest, isDeclined, isHandOverOver } from './handOverRequest';
import type { PlanAction, PlanRecord } from './planRecord';
import type { Deployment } from './planDeployment';
import type { SheetNetwork, SheetPlan } from './sheetRunTypes';

/** A message of a step for the user's own wallet. */
export interface PlannedRequest<Opened extends SheetNetwork = SheetNetwork> {
  step: SheetSend | SheetDeploy;
  network: Opened;
  request: MessageRequest;
  /** It was handed over before and may still come, so that nothing new leaves. */
  open: HandedOverEntry | undefined;
}

/** What a plan takes. */
export interface OwnWalletPlanParameters<Opened extends SheetNetwork = SheetNetwork> {
  sheet: CallSheet;
  record: PlanRecord;
  clock: Clock;
  /** Whether the user's own wallet signs there. */
  isFor: (network: Opened) => boolean;
  /** Throws if nothing may be handed over on a network. */
  allow?: ((network: Opened) => void) | undefined;
  /**
   * Shows what will be signed, and resolves to the way to the wallet, just before the message is handed over.
   * @throws WorkbenchError if it does not leave
   */
  way: (asked: PlannedRequest<Opened>, signal: AbortSignal) => Promise<HandOverWay>;
  onEvent?:
    ((event: HandOverEvent, asked: PlannedRequest<Opened>, way: HandOverWay) => Promise<void>) | undefined;
  /** Keeps a contract in the record of deployments. */
  deployed?: ((step: SheetDeploy, plan: Deployment, network: Opened) => Promise<void>) | undefined;
}

/**
 * The messages of a call sheet that the user's own wallet signs, one after another. Each is in the record before it is
 * handed over, and the chain is asked first about one that is there already: however often a run is ended and started
 * again, each message leaves once.
 */
export class OwnWalletPlan<Opened extends SheetNetwork = SheetNetwork> implements SheetPlan<Opened> {
  readonly #given: OwnWalletPlanParameters<Opened>;
  /** By the place of the step. */
  readonly #keys: ReadonlyMap<number, string>;

  constructor(given: OwnWalletPlanParameters<Opened>) {
    this.#given = given;
    this.#keys = stepKeys(given.sheet);
  }

  isFor(network: Opened): boolean {
    return this.#given.isFor(network);
  }

  allow(network: Opened): void {
    this.#given.allow?.(network);
  }

  isDone(step: SheetStep, network: Opened): boolean {
    return this.action(step, network)?.state === 'done';
  }

  done(step: SheetStep, network: Opened): void {
    const before = this.action(step, network);
    const { hash, signed, key } = before ?? {};
    this.#given.record.set(this.#key(step, network), {
      title: stepName(step),
      state: 'done',
      ...(hash === undefined ? {} : { hash }),
      ...(key === undefined ? {} : { key }),
      ...(signed === undefined ? {} : { signed }),
    });
  }

  failed(step: SheetStep, network: Opened): void {
    const before = this.action(step, network);
    if (before?.state === 'sent') {
      this.#given.record.set(this.#key(step, network), { ...before, state: 'failed' });
    }
  }

  /** Whether a signed message stands for another step already. */
  isTaken(signed: string, step: SheetStep, network: Opened): boolean {
    const taken = this.#given.record.signed.get(signed);
    return taken !== undefined && taken !== this.#key(step, network);
  }

  /** What the record has of a step. */
  action(step: SheetStep, network: Opened): PlanAction | undefined {
    return this.#given.record.action(this.#key(step, network));
  }

  /**
   * Lets the messages that were sent, and did not do what their steps expect, be sent again by this run.
   * @param also those that are done, too
   */
  retry(network: Opened, steps: readonly SheetStep[] = this.#given.sheet.steps, also?: 'done'): void {
    for (const step of steps) {
      const state = this.action(step, network)?.state;
      if (state === 'failed' || (state !== undefined && state === also)) {
        this.#given.record.set(this.#key(step, network), undefined);
      }
    }
  }

  answer(name: string, { access }: Opened): StackValue | undefined {
    const text = this.#given.record.answer(`${access.network.name} ${name}`);
    return text === undefined ? undefined : parseStackText(text)[0];
  }

  keepAnswer(name: string, value: StackValue, { access }: Opened): void {
    this.#given.record.setAnswer(`${access.network.name} ${name}`, printStackValue(value));
  }

  /**
   * Hands the message of a step over, at most once, and follows it to its end.
   * @throws WorkbenchError `call-sheet-stopped` (failed), and as handOverRequest
   */
  async send(
    step: SheetSend | SheetDeploy,
    request: MessageRequest,
    network: Opened,
    signal: AbortSignal,
  ): Promise<TraceModel> {
    const { access } = network;
    const { record, clock, onEvent } = this.#given;
    requireIndex(access);
    const key = this.#key(step, network);
    const before = record.action(key);
    if (before?.hash !== undefined) {
      if (isOther(before, request)) {
        throw sentOtherError(step);
      }
      return followToEnd(access, before.hash, clock, signal);
    }
    const open = before?.handed?.entry;
    if (before?.handed !== undefined && open?.key !== requestKey(request)) {
      await this.#requireLapsed(step, before.handed, access, signal);
      record.set(key, undefined);
    }
    const asking = { ...request, validUntil: validUntilFrom(clock.now()) };
    const asked = {
      step,
      network,
      request: asking,
      open: open?.key === requestKey(request) ? open : undefined,
    };
    const way = await this.#given.way(asked, signal);
    // Its time begins when it leaves: reading it, and connecting a wallet, takes as long as its user does.
    const leaving = { ...request, validUntil: validUntilFrom(clock.now()) };
    const events = handOverRequest({
      ...{ access, request: leaving, way, signal, clock },
      journal: this.#entries(step, key, leaving, way),
      what: stepName(step),
    });
    let hash: string | undefined;
    try {
      for await (const event of events) {
        await onEvent?.(event, asked, way);
        if (event.type === 'answered') {
          hash = event.message.hashNorm;
        } else if (event.type === 'found') {
          hash = event.arrival.transaction;
        } else if (event.type === 'ended') {
          const { last, error } = event;
          if (last?.isFinal !== true || hash === undefined) {
            throw error ?? unseenEndError(stepName(step));
          }
          const { signed } = way;
          record.set(key, {
            title: stepName(step),
            state: 'sent',
            hash,
            key: requestKey(request),
            ...(signed === undefined ? {} : { signed }),
          });
          return last.model;
        }
      }
    } catch (error) {
      // These two say that it was not sent, and cannot be any more; after anything else, the next run asks the chain.
      if (isDeclined(error) || WorkbenchError.is(error, 'request-expired')) {
        record.set(key, undefined);
      }
      throw error;
    }
    throw new Error('a hand-over ends with its end');
  }

  async deployed(step: SheetDeploy, plan: Deployment, network: Opened): Promise<void> {
    await this.#given.deployed?.(step, plan, network);
  }

  /** The step's own entry stands for it, so that it stays until the step's end is written down. */
  #entries(step: SheetStep, key: string, request: MessageRequest, { signed }: HandOverWay): HandOverEntries {
    const { record } = this.#given;
    return {
      find: () => record.action(key)?.handed?.entry,
      add: (entry) => {
        const message = requestedMessage(request).cell.toBoc().toString('base64');
        const handed = { entry, message, chain: request.chain };
        record.set(key, {
          title: stepName(step),
          state: 'handed',
          handed,
          ...(signed === undefined ? {} : { signed }),
        });
        return true;
      },
      settle: () => undefined,
    };
  }

  /** What was handed over for this step before was another message: it must not come any more, nor have come. */
  async #requireLapsed(
    step: SheetSend | SheetDeploy,
    handed: NonNullable<PlanAction['handed']>,
    access: Access,
    signal: AbortSignal,
  ): Promise<void> {
    const { entry } = handed;
    const isOver = await isHandOverOver(access, entry, this.#given.clock, signal);
    const [arrived] = await findHanded(access, handed, signal);
    if (arrived !== undefined || !isOver) {
      throw otherMessageError(step, entry, arrived?.transaction);
    }
  }

  #key(step: SheetStep, { access }: Opened): string {
    return `${access.network.name} ${this.#keys.get(step.offset) ?? ''}`;
  }
}

/** Whether what was sent for a step is another message than the one that the step is now. */
export function isOther({ key }: PlanAction, request: MessageRequest): boolean {
  return key !== undefined && key !== requestKey(request);
}

/** The arrivals of a message that a plan has handed over, the oldest first. */
export function findHanded(
  access: Access,
  { entry, message, chain }: NonNullable<PlanAction['handed']>,
  signal: AbortSignal,
): ReturnType<typeof findRequested> {
  const { info, body, init } = loadMessageRelaxed(Cell.fromBase64(message).beginParse());
  if (info.type !== 'internal') {
    return Promise.resolve([]);
  }
  const { dest: destination, bounce, value } = info;
  const { network, validUntil, after } = entry;
  const request = { network, chain, destination, bounce, value: value.coins, body, validUntil };
  const call = { after: BigInt(after), signal, priority: 'user' } as const;
  return findRequested(access, { ...request, init: init ?? undefined }, call);
}

/** What a step does, and the how-manyth such step it is: equal lines are different steps. */
function stepKeys({ steps }: CallSheet): ReadonlyMap<number, string> {
  const counts = new Map<string, number>();
  return new Map(
    steps.map((step) => {
      const text = stepText(step);
      const count = (counts.get(text) ?? 0) + 1;
      counts.set(text, count);
      return [step.offset, `${count} ${text}`];
    }),
  );
}

/** What is sent or asked for, without what is expected of it: mending that changes nothing that was sent. */
function stepText(step: SheetStep): string {
  switch (step.kind) {
    case 'send':
      return `send ${step.line.text.trim()}`;
    case 'deploy': {
      const { file, data, value, name } = step;
      return `deploy ${[file, data, value, name].map((part) => part?.text.trim() ?? '').join(' ')}`;
    }
    case 'call':
      return `${step.target.text} ${step.method.text}(${step.arguments.text.trim()})`;
    case 'replay':
      return `replay ${step.file.text.trim()} ${step.source?.text.trim() ?? ''}`;
    case 'check':
      return `check ${step.expectations.map(({ value }) => value.text).join(' ')} ${step.title}`;
  }
}

async function followToEnd(
  access: Access,
  hash: string,
  clock: Clock,
  signal: AbortSignal,
): Promise<TraceModel> {
  for await (const told of followUntilDone({ access, hashes: [hash], signal, clock })) {
    if (told.type === 'ended') {
      signal.throwIfAborted();
      if (told.last?.isFinal === true) {
        return told.last.model;
      }
      throw told.error ?? unseenEndError(hash);
    }
  }
  throw new Error('following ends with its last event');
}

/** @throws WorkbenchError `api-missing` (input): without the index, the end of a message's trace is not known */
function requireIndex({ network }: Access): void {
  if (network.v3 === undefined) {
    throw new WorkbenchError({
      code: 'api-missing',
      kind: 'input',
      message: `Nothing was handed over: ${network.name} has no API v3, so a sheet cannot see what its messages did.`,
      hint: 'Give the network its v3, or send the messages one by one.',
    });
  }
}

function unseenEndError(what: string): WorkbenchError {
  return new WorkbenchError({
    code: 'trace-not-found',
    kind: 'failed',
    message: `“${what}” was sent, and the end of its trace was not seen.`,
    hint: 'Run the sheet again: it looks for the message first, and hands nothing over twice.',
  });
}

function sentOtherError(step: SheetSend | SheetDeploy): WorkbenchError {
  return new WorkbenchError({
    code: 'call-sheet-stopped',
    kind: 'failed',
    message: `Line ${step.lineNumber} was sent before, as another message: the code, the data, or a name has changed since then. Nothing new was handed over.`,
    hint: 'Put it back, or begin anew with --again.',
  });
}

function otherMessageError(
  step: SheetSend | SheetDeploy,
  { validUntil }: HandedOverEntry,
  transaction: string | undefined,
): WorkbenchError {
  const what = `Line ${step.lineNumber} was handed over as another message`;
  return new WorkbenchError({
    code: 'call-sheet-stopped',
    kind: 'failed',
    message:
      transaction === undefined
        ? `${what}, which may still come until ${formatTime(validUntil)}: nothing new was handed over.`
        : `${what}, and that one was sent: transaction ${transaction}. Nothing new was handed over.`,
    hint:
      transaction === undefined
        ? 'The code, the data, or a name has changed since then. Put it back, or wait until that time is over.'
        : 'The code, the data, or a name has changed since then. Put it back, or begin anew with --again.',
  });
}
