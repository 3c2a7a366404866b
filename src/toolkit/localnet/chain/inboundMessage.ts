import { upperHex } from '../../address/hash';
import { MalformedCellError } from '../../cell/light/bitCursor';
import type { LightCell } from '../../cell/light/lightCell';
import { readLightCell } from '../../cell/light/lightCell';
import type { MessageFacts } from '../../cell/light/readMessage';
import { normalizedMessageHash, readMessage } from '../../cell/light/readMessage';
import type { DebugOutput, FailedOutcome } from '../../execution/emulator/emulator';
import { WorkbenchError } from '../../base/errors';
import type { DryRun, QueuedMessage } from '../../execution/cascade';
import type { AccountChange } from '../records/blockInput';

/** An accepted external message that is not yet in a block. */
export interface PendingMessage extends QueuedMessage {
  external: InboundMessage;
  dryRun: DryRun;
}

/** An internal message not sent by a transaction. */
export interface InjectedMessage extends QueuedMessage {
  /** Lowercase hex. */
  hash: string;
  /** It is in the journal, so the block that executes it must record that. */
  isKept?: boolean;
}

/** The input of one block. */
export interface TakenMessages {
  externals: readonly PendingMessage[];
  internals: readonly QueuedMessage[];
  changes: readonly AccountChange[];
}

/** What waits for the next block. */
export class Incoming {
  /** Accepted external messages, by raw hash. */
  readonly pending = new Map<string, PendingMessage>();
  /** Internal messages: those that did not fit into the last block, and those sent manually. */
  queue: QueuedMessage[] = [];
  changes: AccountChange[] = [];

  get isEmpty(): boolean {
    return this.pending.size === 0 && this.queue.length === 0 && this.changes.length === 0;
  }

  /**
   * Takes everything for a block about to start; later arrivals are for the next one. External messages stay pending.
   */
  take(): TakenMessages {
    const { queue: internals, changes } = this;
    this.queue = [];
    this.changes = [];
    return { externals: [...this.pending.values()], internals, changes };
  }

  /** The block was discarded. */
  putBack({ internals, changes }: TakenMessages): void {
    this.queue = [...internals, ...this.queue];
    this.changes = [...changes, ...this.changes];
  }

  /** Withdraws what no block has executed yet; returns whether it was still there. */
  withdraw(what: QueuedMessage | AccountChange): boolean {
    const found = this.queue.some((one) => one === what) || this.changes.some((one) => one === what);
    this.queue = this.queue.filter((one) => one !== what);
    this.changes = this.changes.filter((one) => one !== what);
    return found;
  }

  clear(): void {
    this.pending.clear();
    this.queue = [];
    this.changes = [];
  }
}

/** Hashes of the messages handled by a block that the journal promised to execute. */
export function settledBy(taken: TakenMessages, waiting: ReadonlySet<QueuedMessage>): string[] {
  const externals = taken.externals
    .filter((message) => !waiting.has(message))
    .map(({ external }) => external.hash);
  const injected = taken.internals
    .filter((message): message is InjectedMessage => 'hash' in message)
    .filter((message) => message.isKept === true && !waiting.has(message))
    .map(({ hash }) => hash);
  return [...externals, ...injected];
}

/** Limits of the public network (parameter 43). */
const maximumBytes = 65_535;
const maximumDepth = 512;

/** A received external-in message. */
export interface InboundMessage {
  boc: Buffer;
  cell: LightCell;
  facts: MessageFacts & { destination: string };
  /** Lowercase hex. */
  hash: string;
  normalized: string;
}

const failed = 'failed to parse external message';

/** Throws {@link RejectedMessageError} with the service's words. */
export function readInboundMessage(boc: Buffer): InboundMessage {
  if (boc.length > maximumBytes) {
    throw new RejectedMessageError(`${failed} external message too large, rejecting`);
  }
  const cell = parse(boc);
  if (cell.depth > maximumDepth) {
    throw new RejectedMessageError(`${failed} external message is too deep`);
  }
  try {
    const facts = readMessage(cell);
    if (facts.kind === 'external-in' && facts.destination !== null) {
      const normalized = normalizedMessageHash(cell, facts);
      return {
        boc,
        cell,
        facts: { ...facts, destination: facts.destination },
        hash: cell.hexHash,
        normalized,
      };
    }
  } catch (error) {
    if (!(error instanceof MalformedCellError)) {
      throw error;
    }
  }
  throw new RejectedMessageError(
    `${failed}: external message is not a (Message Any) according to automated checks`,
  );
}

function parse(boc: Buffer): LightCell {
  try {
    return readLightCell(boc);
  } catch (error) {
    if (WorkbenchError.is(error)) {
      throw new RejectedMessageError(`${failed} external message is not a valid bag of cells`);
    }
    throw error;
  }
}

/** Why an external message was rejected; the text continues the service's "cannot apply external message …". */
export class RejectedMessageError extends Error {
  constructor(
    readonly reason: string,
    /** Exit code of the rejecting contract, if it ran. */
    readonly exitCode?: number,
    /** The contract's debug output before that. */
    readonly printed: DebugOutput = [],
  ) {
    super(reason);
  }
}

const notAccepted =
  'External message was not accepted\nCannot run message on account: inbound external message';

/**
 * A rejection in the words of a lite server, with exit code, steps, and the tail of the VM log; then the debug
 * output.
 */
export function rejection(destination: string, outcome: FailedOutcome): RejectedMessageError {
  const account = upperHex(destination.slice(destination.indexOf(':') + 1));
  if (outcome.engineFailed === true) {
    return new RejectedMessageError(
      `${outcome.error}. It was not accepted here, but another network might accept it.`,
    );
  }
  if (outcome.vm === undefined) {
    return new RejectedMessageError(
      `${notAccepted} rejected by account ${account} before smart-contract execution`,
    );
  }
  const { exitCode, log, steps, debugOutput } = outcome.vm;
  const reason = [
    `${notAccepted} rejected by transaction ${account}:`,
    `exitcode=${exitCode}, steps=${steps}, gas_used=0`,
    `VM Log (truncated):\n...${log}`,
    ...(debugOutput.length === 0 ? [] : ['Printed:', ...debugOutput]),
  ].join('\n');
  return new RejectedMessageError(reason, exitCode, debugOutput);
}
