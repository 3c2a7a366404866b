import { Cell } from '@ton/core';
import { signVerify } from '@ton/crypto';
import type { AccountSource, StateFidelity } from '../accounts/libraryShelf';
import { LibraryShelf } from '../accounts/libraryShelf';
import type { V3AddressBookRow } from '../api/v3Objects';
import { rawAddress } from '../cell/light/readMessage';
import type { Emulator, FailedOutcome } from '../execution/emulator/emulator';
import { blockSeed, engineVersion, everyStep } from '../execution/emulator/emulator';
import type { NetworkConfig } from '../execution/emulator/networkConfig';
import { importNetworkConfig } from '../execution/emulator/networkConfig';
import { recordTransaction } from '../execution/emulator/recordTransaction';
import { loadAnyTransaction } from '../cell/loadFolded';
import { WorkbenchError } from '../base/errors';
import type { FailedExecution, QueuedMessage } from '../execution/cascade';
import { Cascade, nextStartLt } from '../execution/cascade';
import { encodeRun } from '../execution/encodeRun';
import { walletCodes } from '../contracts/opcodes/walletCodes';
import type { ReplayInputs } from '../replay/replayInputs';
import { otherVersionDoubt } from '../replay/tvmVersions';
import type { VersionChange } from '../replay/versionChanges';
import { versionChanges } from '../replay/versionChanges';
import type { Clock } from '../base/time';
import { systemClock } from '../base/time';
import { buildTrace } from '../trace/buildTrace';
import { feesOf, traceFees } from '../trace/figures';
import type { Confidence, DestinationState, Rehearsal, RehearsedContract } from './preparedSend';
import { readDestination, refusalReason, rehearsedContract } from './preparedSend';
import { isSenderUnknown } from './messageRequest';
import type { SendableMessage } from './sendableMessage';
import type { ContractOf } from './outcomeReason';
import { failureReason, notAcceptedReason, notRehearsedReason } from './outcomeReason';
import type { Access } from '../access/createAccess';
import { surroundingsOf } from '../trace/readTraces';
import type { TraceModel } from '../trace/traceModel';

/** What a rehearsal needs from the emulator; a worker's will do. */
export type RehearsalEmulator = Pick<Emulator, 'runTransaction'>;

/** What a rehearsal needs. */
export interface RehearseParameters {
  message: SendableMessage;
  source: AccountSource;
  emulator: RehearsalEmulator;
  /** Used if the source provides no configuration. */
  fallbackConfig: NetworkConfig;
  clock?: Clock | undefined;
  signal?: AbortSignal | undefined;
  /** Maximum transactions; default 128. */
  limit?: number | undefined;
}

const defaultLimit = 128;

/**
 * Runs the message and all its consequences on the states of `source`: nothing is sent.
 *
 * @throws WorkbenchError the errors of reading states, `emulator-failed` if the emulator itself has ended; a rejected
 *   message is a result
 */
export async function rehearse(parameters: RehearseParameters): Promise<Rehearsal> {
  const { source, signal } = parameters;
  const known = await source.config(signal);
  const config =
    known === undefined
      ? parameters.fallbackConfig
      : importNetworkConfig(known, `block ${source.seqno} of ${source.origin}`);
  const run = new RehearsalRun(parameters, config, known !== undefined);
  await run.execute();
  return run.result();
}

/** One rehearsal: the states it reads, what is executed on them, and its confidence. */
class RehearsalRun {
  /** The accounts before the run: ShardAccounts (BoC, base64) by raw address. */
  readonly #initial = new Map<string, string>();
  readonly #fidelities = new Map<string, StateFidelity>();
  readonly #libraries: LibraryShelf;
  readonly #limit: number;
  readonly #cascade: Cascade;
  readonly #destination: string;
  /** What was used that the network's version of TVM and rules changed. */
  readonly #changes: VersionChange[] = [];
  /** Messages that were not run. */
  #left = 0;

  constructor(
    private readonly parameters: RehearseParameters,
    private readonly config: NetworkConfig,
    private readonly configIsKnown: boolean,
  ) {
    const { source, emulator, message, clock = systemClock, limit = defaultLimit } = parameters;
    this.#limit = limit;
    this.#libraries = new LibraryShelf(source);
    this.#destination = rawAddress(message.destination.workChain, message.destination.hash);
    const world = {
      emulator: config.version > engineVersion ? { runTransaction: this.#runCompared } : emulator,
      rules: () => ({ config, libraries: this.#libraries.dictionary() }),
      account: (address: string) => this.#initial.get(address) as string,
      prepare: (queued: QueuedMessage) => this.#prepare(queued),
    };
    this.#cascade = new Cascade(world, {
      seqno: source.seqno + 1,
      now: Math.max(Math.floor(clock.now() / 1000), source.genUtime),
      startLt: nextStartLt(source.endLt),
      // The seed of a local network's next block; on other networks it is unknown beforehand.
      seed: blockSeed(source.seqno + 1),
    });
  }

  async execute(): Promise<void> {
    const { message, signal } = this.parameters;
    const queue = [{ boc: message.cell.toBoc().toString('base64'), destination: this.#destination }];
    await this.#cascade.run(queue, { transactions: this.#limit, signal });
    this.#left = queue.length;
    const broken = this.#cascade.failed.find(({ cause }) => WorkbenchError.is(cause, 'emulator-failed'));
    if (broken !== undefined) {
      throw broken.cause;
    }
  }

  result(): Rehearsal {
    const { executed, refused, failed } = this.#cascade;
    if (refused[0] !== undefined) {
      return this.#refused(refused[0].outcome);
    }
    return executed.length === 0 ? this.#notRehearsed(failed[0]) : this.#accepted();
  }

  #accepted(): Rehearsal {
    const contractOf = this.#contracts();
    const rows = this.#cascade.executed.flatMap(({ address }): [string, V3AddressBookRow][] => {
      const { interfaces } = contractOf(address);
      return interfaces.length === 0 ? [] : [[address, { interfaces: [...interfaces] }]];
    });
    const trace = buildTrace(encodeRun(this.#cascade.executed, this.#initial), {
      addressBook: new Map(rows),
    });
    const root = trace.nodes[0]?.transaction;
    const { compute_ph: compute, action } = root?.description ?? {};
    return {
      ...this.#frame(),
      accepted: true,
      exitCode: compute?.skipped === true ? null : (compute?.exit_code ?? null),
      actionCode: action?.result_code ?? null,
      reason: failureReason(trace, this.parameters.message, this.#before(), contractOf),
      firstFees: feesOf(root).total,
      fees: traceFees(trace).total,
      trace,
      inputsOf: (hash) => this.#inputsOf(hash),
      accountAfter: (address) => (this.#initial.has(address) ? this.#cascade.account(address) : undefined),
      vmLog: undefined,
      printed: [],
    };
  }

  /** The account's transactions before it in this run are part of them. */
  #inputsOf(hash: string): ReplayInputs | undefined {
    const { source } = this.parameters;
    const { context, executed } = this.#cascade;
    const past = executed.map(({ address, boc }) => ({
      address,
      hash: Cell.fromBoc(boc)[0]!.hash().toString('hex'),
      transaction: { boc: boc.toString('base64'), seed: context.seed.toString('hex') },
    }));
    const index = past.findIndex((one) => one.hash === hash);
    const target = past[index];
    if (target === undefined) {
      return undefined;
    }
    const { address } = target;
    return {
      network: source.origin,
      account: address,
      seqno: context.seqno,
      target: target.transaction,
      state: { shardAccount: this.#initial.get(address)!, fidelity: this.#fidelities.get(address)! },
      earlier: past
        .slice(0, index)
        .filter((one) => one.address === address)
        .map(({ transaction }) => transaction),
      config: this.config.base64,
      libraries: this.#libraries.cells().map((cell) => cell.toBoc().toString('base64')),
      missingLibraries: this.#libraries.missing,
    };
  }

  #refused(outcome: FailedOutcome): Rehearsal {
    const { message } = this.parameters;
    const account = this.#before();
    const refusal =
      message.kind === 'external'
        ? refusalReason(message, account, this.#cascade.context.now, signVerify)
        : undefined;
    return {
      ...this.#notExecuted(),
      accepted: false,
      exitCode: outcome.vm?.exitCode ?? null,
      reason: refusal ?? notAcceptedReason(outcome, account.balance, this.#destination, this.#contracts()),
      vmLog: outcome.vm?.log,
      printed: outcome.vm?.debugOutput ?? [],
    };
  }

  #notRehearsed(failed: FailedExecution | undefined): Rehearsal {
    return {
      ...this.#notExecuted(),
      accepted: undefined,
      confidence: 'unknown',
      reason: notRehearsedReason({ error: failed?.error ?? 'no transaction may be run' }),
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
      inputsOf: () => undefined,
      accountAfter: () => undefined,
      vmLog: undefined,
      printed: [],
    };
  }

  #frame(): Pick<Rehearsal, 'complete' | 'confidence' | 'doubts' | 'destination' | 'seqno' | 'now'> {
    const { status, balance, code } = this.#before();
    const wallet = code === undefined ? undefined : walletCodes.get(code.hash().toString('hex'))?.name;
    return {
      ...this.#confidence(),
      complete: this.#left === 0 && this.#cascade.failed.length === 0,
      destination: { status, balance, wallet },
      seqno: this.parameters.source.seqno,
      now: this.#cascade.context.now,
    };
  }

  /**
   * What is known about the code of accounts, from before the run or from the run itself; each is read once.
   */
  #contracts(): ContractOf {
    const known = new Map<string, RehearsedContract>();
    return (address) => {
      const contract =
        known.get(address) ?? rehearsedContract(this.#initial.get(address)!, this.#cascade.account(address));
      known.set(address, contract);
      return contract;
    };
  }

  /** The destination account beforehand. */
  #before(): DestinationState {
    return readDestination(this.#initial.get(this.#destination)!);
  }

  #confidence(): { confidence: Confidence; doubts: string[] } {
    const partial = [...this.#fidelities.values()].includes('partial')
      ? ['The service does not return full account cells, so storage fees may differ slightly.']
      : [];
    const versions = otherVersionDoubt(this.config.version, this.#changes);
    const rules = [
      ...(isSenderUnknown(this.parameters.message)
        ? [
            'Which wallet will sign is not known here: a contract that looks at its sender may decide otherwise.',
          ]
        : []),
      ...(this.configIsKnown
        ? []
        : ['The service does not return the configuration, so built-in fees and limits were used.']),
      ...(versions === undefined ? [] : [`${versions}.`]),
      ...(this.#left > 0
        ? [`Only the first ${this.#limit} transactions were run; the rest costs and moves more.`]
        : []),
      ...this.#libraries.missing.map((hash) => `The library ${hash} could not be read.`),
      ...this.#cascade.failed.map(
        ({ message: { destination }, error }) =>
          `A message to ${destination} could not be rehearsed: ${error}.`,
      ),
    ];
    const confidence = rules.length > 0 ? 'emulated' : partial.length > 0 ? 'same-compute' : 'exact';
    return { confidence, doubts: [...rules, ...partial] };
  }

  /** Runs a transaction with its steps, and notes what the network's version does otherwise. */
  readonly #runCompared: RehearsalEmulator['runTransaction'] = async (input) => {
    const outcome = await this.parameters.emulator.runTransaction({
      ...input,
      verbosity: everyStep,
      record: true,
    });
    if (outcome.success) {
      const transaction = loadAnyTransaction(Cell.fromBase64(outcome.transaction));
      const recording = outcome.recording ?? recordTransaction(outcome.transaction, outcome.vmLog);
      const run = { transaction, recording, stateBefore: input.shardAccount, outcome };
      const known = new Set(this.#changes.map(({ what }) => what));
      this.#changes.push(...versionChanges(run).filter(({ what }) => !known.has(what)));
    }
    return outcome;
  };

  /** Reads the account's state and the libraries used by it and the message. */
  async #prepare({ boc, destination }: QueuedMessage): Promise<true> {
    const { source, signal } = this.parameters;
    if (!this.#initial.has(destination)) {
      const { shardAccount, fidelity } = await source.account(destination, signal);
      this.#initial.set(destination, shardAccount);
      this.#fidelities.set(destination, fidelity);
    }
    await this.#libraries.fetchFor([this.#cascade.account(destination), boc], signal);
    return true;
  }
}

/** Accounts requested at once. */
const most = 100;

/**
 * Adds the service's metadata about a trace's accounts: owners of jetton wallets, and jettons' symbols and decimals.
 * Executed traces already have it, predicted ones do not. Unchanged if the service has none.
 */
export async function askMetadata(
  access: Access,
  trace: TraceModel,
  signal?: AbortSignal,
): Promise<TraceModel> {
  if (access.network.v3 === undefined) {
    return trace;
  }
  const address = trace.accounts.slice(0, most);
  try {
    const metadata = await access.v3.metadata({ address }, { signal, priority: 'user' });
    return { ...trace, metadata: surroundingsOf({ metadata }).metadata };
  } catch {
    return trace;
  }
}
