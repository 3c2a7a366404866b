import { readLightCell } from '../../cell/light/lightCell';
import { absentAccount } from '../../execution/emulator/emulator';
import type { Emulator } from '../../execution/emulator/emulator';
import type {
  BlockContext,
  CascadeWorld,
  ExecutionRules,
  QueuedMessage,
  RefusedMessage,
} from '../../execution/cascade';
import { Cascade } from '../../execution/cascade';
import type { ExecutedTransaction } from '../../execution/encodeRun';
import type { Fork } from '../fork/fork';
import type { AccountChange } from '../records/blockInput';
import type { FailedMessage } from '../records/records';
import type { Ledger } from './ledger';

/** A message whose account could not be read, and why. */
export interface Postponed {
  message: QueuedMessage;
  error: string;
}

/** Runs the contents of one block, including calls of special accounts, without touching the ledger. */
export class BlockBuilder {
  /** Calls of special accounts that the emulator could not execute; they are repeated in every block. */
  readonly failedCalls: { address: string; which: 'tick' | 'tock'; error: string }[] = [];
  /** Messages that must wait, in order: their accounts could not be read. */
  readonly postponed: Postponed[] = [];
  readonly #unreadable = new Map<string, string>();
  readonly #cascade: Cascade;

  constructor(
    private readonly network: BlockNetwork,
    context: BlockContext,
    changes: readonly AccountChange[] = [],
  ) {
    const { fork } = network;
    const prepare = fork === undefined ? undefined : (message: QueuedMessage) => this.#prepare(message, fork);
    this.#cascade = new Cascade(chainWorld(network, prepare), context);
    for (const { address, shardAccount } of changes) {
      this.#cascade.setAccount(address, shardAccount.toString('base64'));
    }
  }

  get executed(): readonly ExecutedTransaction[] {
    return this.#cascade.executed;
  }

  /** External messages rejected by their contract when their turn came, with the reason. */
  get refused(): (RefusedMessage & { hash: string })[] {
    return this.#cascade.refused.map((one) => ({ ...one, hash: hashOf(one.message) }));
  }

  /** Messages that the emulator could not execute. */
  get failed(): FailedMessage[] {
    return this.#cascade.failed.map(({ message, error }) => {
      const { boc, destination, ignoreSignatures } = message;
      const failed = { hash: hashOf(message), boc, destination, error };
      return ignoreSignatures === true ? { ...failed, ignoreSignatures } : failed;
    });
  }

  /** Takes messages from the front of `queue` until it is empty or the block has `limit` transactions. */
  async run(queue: QueuedMessage[], limit: number): Promise<void> {
    queue.push(...(await this.#tickTock('tick')));
    await this.#cascade.run(queue, { transactions: limit });
    queue.push(...(await this.#tickTock('tock')));
  }

  /** Reads what the message needs; false if that cannot be read now. */
  async #prepare(message: QueuedMessage, fork: NonNullable<BlockNetwork['fork']>): Promise<boolean> {
    const { destination } = message;
    const known = this.#unreadable.get(destination);
    if (known !== undefined) {
      this.postponed.push({ message, error: known });
      return false;
    }
    try {
      if (!this.#cascade.hasTouched(destination) && !fork.knows(destination)) {
        await fork.load(destination);
      }
      await fork.loadLibraries(message.boc);
      return true;
    } catch (cause) {
      const error = cause instanceof Error ? cause.message : String(cause);
      this.#unreadable.set(destination, error);
      this.postponed.push({ message, error });
      return false;
    }
  }

  /** Calls the masterchain's special accounts at the start and end of the block. */
  async #tickTock(which: 'tick' | 'tock'): Promise<QueuedMessage[]> {
    const sent: QueuedMessage[] = [];
    for (const { address, facts } of this.network.ledger.tickTockAccounts) {
      if (facts[which]) {
        const surroundings = this.#cascade.surroundings(address);
        const outcome = await this.network.emulator.runTickTock({ ...surroundings, which });
        if (outcome.success) {
          sent.push(...this.#cascade.add(address, outcome));
        } else {
          this.failedCalls.push({ address, which, error: outcome.error });
        }
      }
    }
    return sent;
  }
}

function hashOf({ boc }: QueuedMessage): string {
  return readLightCell(Buffer.from(boc, 'base64')).hexHash;
}

/** What a block is built on. */
export interface BlockNetwork extends ExecutionRules {
  readonly ledger: Ledger;
  readonly emulator: Emulator;
  /** Set on a fork: reads what a message needs before it can run. */
  readonly fork: Pick<Fork, 'knows' | 'load' | 'loadLibraries'> | undefined;
}

/** The chain's current state for transactions to run on; on a fork, `prepare` must read what they need. */
function chainWorld(network: BlockNetwork, prepare?: CascadeWorld['prepare']): CascadeWorld {
  return {
    emulator: network.emulator,
    rules: () => network,
    account: (address) => network.ledger.accounts.get(address)?.current ?? absentAccount,
    ...(prepare === undefined ? {} : { prepare }),
  };
}
