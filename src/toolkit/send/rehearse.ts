import { Cell } from '@ton/core';
import type { Transaction } from '@ton/core';
import { loadAnyTransaction } from '../cell/loadAnyTransaction';
import { signVerify } from '@ton/crypto';
import type { AccountSource, StateFidelity } from '../accounts/accountSource';
import type { Emulator, TransactionOutcome } from '../emulator/emulator';
import { importNetworkConfig } from '../emulator/networkConfig';
import type { NetworkConfig } from '../emulator/networkConfig';
import { blockSeed } from '../emulator/blockSeed';
import { abortedError } from '../errors';
import { messagesSentBy, traceOfRun } from '../localnet/traceOfRun';
import type { RunTransaction } from '../localnet/traceOfRun';
import { walletCodes } from '../opcodes/walletCodes';
import { systemClock } from '../time';
import type { Clock } from '../time';
import { readDestination } from './destinationState';
import type { DestinationState } from './destinationState';
import { LibraryShelf } from './libraryShelf';
import type { Confidence, Rehearsal } from './rehearsal';
import { failureReason, notAcceptedReason, notRehearsedReason } from './outcomeReason';
import { refusalReason } from './refusalReason';
import type { SendableMessage } from './sendableMessage';

/** All that a rehearsal asks of the emulator; a worker's will do. */
export type RehearsalEmulator = Pick<Emulator, 'runTransaction'>;

/** What a rehearsal needs. */
export interface RehearseParameters {
  message: SendableMessage;
  source: AccountSource;
  emulator: RehearsalEmulator;
  /** Used where the source tells no configuration. */
  fallbackConfig: NetworkConfig;
  clock?: Clock | undefined;
  signal?: AbortSignal | undefined;
  /** Transactions at most; default 128. */
  limit?: number | undefined;
}

const defaultLimit = 128;

/** The newest rules that the emulator knows (configuration parameter 8). */
const knownVersion = 12;

/** Logical times of a block begin at a multiple of this. */
const ltStep = 1_000_000n;

/**
 * Runs the message, and every message that follows from it, on the states of `source`: nothing leaves the machine.
 *
 * @throws WorkbenchError what reading the states throws; a refused message is a result
 */
export async function rehearse(parameters: RehearseParameters): Promise<Rehearsal> {
  const { message, source, signal } = parameters;
  const known = await source.config(signal);
  const config =
    known === undefined
      ? parameters.fallbackConfig
      : importNetworkConfig(known, `block ${source.seqno} of ${source.origin}`);
  const run = new Run(parameters, config, known !== undefined);
  const refused = await run.first();
  if (refused !== undefined) {
    return refused;
  }
  await run.rest();
  return run.result(message);
}

interface Queued {
  boc: string;
  destination: string;
}

class Run {
  readonly #states = new Map<string, string>();
  readonly #initial = new Map<string, string>();
  readonly #fidelities = new Set<StateFidelity>();
  readonly #executed: RunTransaction[] = [];
  readonly #libraries: LibraryShelf;
  readonly #now: number;
  readonly #startLt: bigint;
  readonly #limit: number;
  /** Messages on which the emulator failed: accounts and reasons. */
  readonly #failed: { destination: string; error: string }[] = [];
  #queue: Queued[] = [];
  /** Messages that were not run. */
  #left = 0;

  constructor(
    private readonly parameters: RehearseParameters,
    private readonly config: NetworkConfig,
    private readonly configIsKnown: boolean,
  ) {
    const { source, clock = systemClock, limit = defaultLimit } = parameters;
    this.#now = Math.max(Math.floor(clock.now() / 1000), source.genUtime);
    this.#startLt = (source.endLt / ltStep + 1n) * ltStep;
    this.#limit = limit;
    this.#libraries = new LibraryShelf(source);
  }

  /** Runs the external message itself; a rehearsal when it is refused. */
  async first(): Promise<Rehearsal | undefined> {
    const { message } = this.parameters;
    const destination = message.destination.toRawString();
    const state = await this.#state(destination);
    const first = { boc: message.cell.toBoc().toString('base64'), destination };
    const outcome = await this.#run(first, state);
    if (outcome.success) {
      this.#keep(first, outcome);
      return undefined;
    }
    if (outcome.engineFailed === true || message.kind === 'internal') {
      // An internal message is never refused: what does not execute it is the emulator.
      this.#failed.push({ destination, error: outcome.error });
      return {
        ...this.#notExecuted(),
        accepted: undefined,
        confidence: 'unknown',
        reason: notRehearsedReason(outcome),
      };
    }
    const account = this.#destination();
    const refusal =
      message.kind === 'external' ? refusalReason(message, account, this.#now, signVerify) : undefined;
    const reason = refusal ?? notAcceptedReason(outcome, account.balance);
    return {
      ...this.#notExecuted(),
      accepted: false,
      exitCode: outcome.vm?.exitCode ?? null,
      reason,
      vmLog: outcome.vm?.log,
      printed: outcome.vm?.debugOutput ?? [],
    };
  }

  #notExecuted(): Omit<Rehearsal, 'accepted' | 'reason'> {
    return {
      ...this.#frame(),
      exitCode: null,
      actionCode: null,
      fees: 0n,
      firstFees: 0n,
      trace: undefined,
      vmLog: undefined,
      printed: [],
    };
  }

  /** Runs what follows, in order. */
  async rest(): Promise<void> {
    let next = 0;
    for (; next < this.#queue.length && this.#executed.length < this.#limit; next++) {
      if (this.parameters.signal?.aborted === true) {
        throw abortedError(this.parameters.signal.reason);
      }
      const queued = this.#queue[next]!;
      const outcome = await this.#run(queued, await this.#state(queued.destination));
      if (outcome.success) {
        this.#keep(queued, outcome);
      } else {
        this.#failed.push({ destination: queued.destination, error: outcome.error });
      }
    }
    this.#left = this.#queue.length - next;
  }

  result(message: SendableMessage): Rehearsal {
    const executed = this.#executed.map(({ address, boc }) => ({
      address,
      transaction: loadAnyTransaction(Cell.fromBoc(boc)[0]!),
    }));
    const root = executed[0]!.transaction;
    const description = root.description.type === 'generic' ? root.description : undefined;
    const compute = description?.computePhase;
    return {
      ...this.#frame(),
      accepted: true,
      exitCode: compute?.type === 'vm' ? compute.exitCode : null,
      actionCode: description?.actionPhase?.resultCode ?? null,
      reason: failureReason(executed, message, this.#destination()),
      firstFees: feesOf(root),
      fees: executed.reduce((sum, { transaction }) => sum + feesOf(transaction), 0n),
      trace: traceOfRun({
        before: this.#initial,
        transactions: this.#executed,
        now: this.#now,
        startLt: this.#startLt,
      }),
      vmLog: undefined,
      printed: [],
    };
  }

  #frame(): Pick<Rehearsal, 'complete' | 'confidence' | 'doubts' | 'destination' | 'seqno' | 'now'> {
    const { source } = this.parameters;
    const { status, balance, code } = this.#destination();
    const wallet = code === undefined ? undefined : walletCodes.get(code.hash().toString('hex'))?.name;
    return {
      ...this.#confidence(),
      complete: this.#left === 0 && this.#failed.length === 0,
      destination: { status, balance, wallet },
      seqno: source.seqno,
      now: this.#now,
    };
  }

  /** The account that the message goes to, as it was before. */
  #destination(): DestinationState {
    return readDestination(this.#initial.get(this.parameters.message.destination.toRawString())!);
  }

  #confidence(): { confidence: Confidence; doubts: string[] } {
    const partial = this.#fidelities.has('partial')
      ? ['The service does not give whole account cells, so storage fees may differ by a little.']
      : [];
    const rules = [
      ...(this.configIsKnown
        ? []
        : ['The service does not tell the configuration; built-in fees and limits were used.']),
      ...(this.config.version > knownVersion
        ? [`The network runs version ${this.config.version} of the TVM, the emulator knows ${knownVersion}.`]
        : []),
      ...(this.#left > 0
        ? [`Only the first ${this.#limit} transactions were run: what follows costs and moves more.`]
        : []),
      ...this.#libraries.missing.map((hash) => `The library ${hash} could not be read.`),
      ...this.#failed.map(
        ({ destination, error }) => `A message to ${destination} could not be rehearsed: ${error}.`,
      ),
    ];
    const confidence = rules.length > 0 ? 'emulated' : partial.length > 0 ? 'same-compute' : 'exact';
    return { confidence, doubts: [...rules, ...partial] };
  }

  async #state(address: string): Promise<string> {
    const before = this.#states.get(address);
    if (before !== undefined) {
      return before;
    }
    const { source, signal } = this.parameters;
    const { shardAccount, fidelity } = await source.account(address, signal);
    this.#states.set(address, shardAccount);
    this.#initial.set(address, shardAccount);
    this.#fidelities.add(fidelity);
    return shardAccount;
  }

  async #run(queued: Queued, shardAccount: string): Promise<TransactionOutcome> {
    await this.#libraries.fetchFor([shardAccount, queued.boc], this.parameters.signal);
    return this.parameters.emulator.runTransaction({
      config: this.config.base64,
      libraries: this.#libraries.dictionary(),
      shardAccount,
      message: queued.boc,
      now: this.#now,
      lt: this.#startLt + 1n,
      // The seed of the block that comes next on a local network; on any other network nobody knows it beforehand.
      seed: blockSeed(this.parameters.source.seqno + 1),
    });
  }

  #keep(queued: Queued, outcome: Extract<TransactionOutcome, { success: true }>): void {
    const boc = Buffer.from(outcome.transaction, 'base64');
    this.#states.set(queued.destination, outcome.shardAccount);
    const shardAccount = Buffer.from(outcome.shardAccount, 'base64');
    const debugOutput = outcome.debugOutput.length === 0 ? undefined : outcome.debugOutput;
    this.#executed.push({ address: queued.destination, boc, shardAccount, debugOutput });
    this.#queue.push(...messagesSentBy(boc));
  }
}

/** Nanocoins: what the transaction cost, and what the messages it sent pay for their way. */
function feesOf(transaction: Transaction): bigint {
  return transaction.outMessages
    .values()
    .reduce(
      (sum, { info }) => sum + (info.type === 'internal' ? info.forwardFee + info.ihrFee : 0n),
      transaction.totalFees.coins,
    );
}
