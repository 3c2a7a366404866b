import { createHash } from 'node:crypto';
import { Cell } from '@ton/core';
import type { Transaction } from '@ton/core';
import { emulatorFailedError } from '../execution/emulator/emulator';
import type { Emulator } from '../execution/emulator/emulator';
import type { BlockContext, ExecutionRules } from '../execution/cascade';
import { transactionSurroundings } from '../execution/cascade';
import { readTransaction } from '../cell/light/bitCursor';
import { readLightCell } from '../cell/light/lightCell';
import { readAccount } from '../cell/light/readMessage';
import { loadAnyTransaction } from '../cell/loadFolded';
import { limits } from '../base/limits';
import type { MessageUnderWay } from './messageUnderWay';
import { readMessageUnderWay } from './messageUnderWay';

/** What deliveries run on. All of them happen in one moment: time does not pass between them. */
export interface DeliveryGround {
  readonly emulator: Pick<Emulator, 'runTransaction'>;
  readonly rules: ExecutionRules;
  readonly context: BlockContext;
}

/** An account between two deliveries. */
export interface AccountState {
  /** ShardAccount, BoC in base64. */
  shardAccount: string;
  /** Nanocoins. */
  balance: bigint;
  /** Hash of everything but the times and hashes of its transactions: equal states behave alike. */
  content: string;
  /** Hash of its code, lowercase hex; null without code. */
  codeHash: string | null;
  /** Of the whole, with its times. */
  hash: string;
}

/** What one delivery did. */
export interface Delivered {
  /** Raw address of the receiver. */
  address: string;
  /** BoC of the transaction, base64. */
  transaction: string;
  before: AccountState;
  after: AccountState;
  /** Of the compute phase; null if no code ran. */
  exitCode: number | null;
  /** Of the action phase; null without one. */
  actionCode: number | null;
  gasUsed: bigint;
  /** The internal messages that it sent, in order. */
  sent: readonly MessageUnderWay[];
  /** Nanocoins that came in, minus those in the balance, fees, and sent messages: 0 unless coins are lost or made. */
  missingCoins: bigint;
}

/** Delivers single messages. Equal deliveries are executed once. */
export class MessageDelivery {
  readonly #known = new Map<string, Delivered>();
  /** How many were executed. */
  executed = 0;

  constructor(private readonly ground: DeliveryGround) {}

  /**
   * Runs the receiver's transaction.
   * @throws WorkbenchError `emulator-failed` (internal): what the network would do is unknown
   */
  async deliver(message: MessageUnderWay, before: AccountState): Promise<Delivered> {
    const key = `${before.hash} ${message.hash} ${message.flow}`;
    const known = this.#known.get(key);
    if (known !== undefined) {
      return known;
    }
    const { emulator, rules, context } = this.ground;
    const outcome = await emulator.runTransaction({
      ...transactionSurroundings(rules, context, before.shardAccount),
      message: message.boc,
    });
    if (!outcome.success) {
      throw emulatorFailedError(outcome.error);
    }
    this.executed += 1;
    const done = readDelivered(message, before, outcome.transaction, outcome.shardAccount);
    if (this.#known.size >= limits.exploredStates.most) {
      this.#known.clear();
    }
    this.#known.set(key, done);
    return done;
  }
}

function readDelivered(
  message: MessageUnderWay,
  before: AccountState,
  transaction: string,
  shardAccount: string,
): Delivered {
  const boc = Buffer.from(transaction, 'base64');
  const sent = readTransaction(readLightCell(boc)).outMessages.flatMap(
    (cell) => readMessageUnderWay(cell, message.flow) ?? [],
  );
  const [root = Cell.EMPTY] = Cell.fromBoc(boc);
  const loaded = loadAnyTransaction(root);
  const after = readAccountState(shardAccount);
  const out = sent.reduce((sum, { coins }) => sum + coins, 0n);
  return {
    ...{ address: message.destination, transaction, before, after, sent },
    ...phasesOf(loaded),
    missingCoins: before.balance + valueIn(loaded) - after.balance - loaded.totalFees.coins - out,
  };
}

/** What the message brought to the account. Its forwarding fee stays with the validators. */
function valueIn({ inMessage }: Transaction): bigint {
  return inMessage?.info.type === 'internal' ? inMessage.info.value.coins + inMessage.info.ihrFee : 0n;
}

function phasesOf({ description }: Transaction): Pick<Delivered, 'exitCode' | 'actionCode' | 'gasUsed'> {
  if (description.type !== 'generic') {
    return { exitCode: null, actionCode: null, gasUsed: 0n };
  }
  const { computePhase: compute, actionPhase: action } = description;
  return {
    exitCode: compute.type === 'vm' ? compute.exitCode : null,
    actionCode: action?.resultCode ?? null,
    gasUsed: compute.type === 'vm' ? compute.gasUsed : 0n,
  };
}

/** An account's state. @param shardAccount BoC, base64 */
export function readAccountState(shardAccount: string): AccountState {
  const boc = Buffer.from(shardAccount, 'base64');
  const { status, balance, code, data, libraries, frozenHash, lastPaid, duePayment, extraCurrencies } =
    readAccount(readLightCell(boc));
  const currencies = Object.entries(extraCurrencies).map(([id, amount]) => `${id}:${amount}`);
  const cells = [code, data, libraries].map((cell) => cell?.hexHash);
  return {
    ...{ shardAccount, balance, codeHash: code?.hexHash ?? null },
    content: digest([status, balance, ...cells, frozenHash, lastPaid, duePayment, ...currencies].join(' ')),
    hash: digest(boc),
  };
}

/** SHA-256 in base64. */
export function digest(of: string | Buffer): string {
  return createHash('sha256').update(of).digest('base64');
}
