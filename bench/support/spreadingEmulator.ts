import { createHash } from 'node:crypto';
import type { Message, Transaction } from '@ton/core';
import {
  Address,
  beginCell,
  Cell,
  Dictionary,
  external,
  internal,
  loadMessage,
  loadShardAccount,
  storeMessage,
  storeMessageRelaxed,
  storeShardAccount,
  storeTransaction,
} from '@ton/core';
import type {
  Emulator,
  TransactionInput,
  TransactionOutcome,
} from '../../src/toolkit/execution/emulator/emulator';
import { readLightCell } from '../../src/toolkit/cell/light/lightCell';
import { absentAccount } from '../../src/toolkit/execution/emulator/emulator';
import { readMessage } from '../../src/toolkit/cell/light/readMessage';
import type { Values } from './bocTemplate';
import { BocTemplate, uint32, uint64 } from './bocTemplate';

/**
 * The body of a message that the engine does not see: this, the number of the first address, and how many
 * there are.
 */
const tag = Buffer.from('spread coins to addresses');

/** Nanocoins for each of the addresses. */
const share = 1_000n;

/** The address with this number. */
export function recipient(number: number): Address {
  return new Address(0, Buffer.alloc(32, `recipient ${number}`));
}

/**
 * An external message (BoC) with which a wallet sends a small amount to `count` addresses, starting with
 * number `first`.
 */
export function spreadMessage(wallet: Address, first: number, count: number): Buffer {
  const order = Buffer.alloc(32);
  tag.copy(order);
  order.writeUInt32BE(first, 24);
  order.writeUInt32BE(count, 28);
  return externalMessage(wallet, order).toBoc();
}

function externalMessage(to: Address, order: Buffer): Cell {
  const body = beginCell().storeBuffer(order).endCell();
  return beginCell()
    .store(storeMessage(external({ to, body })))
    .endCell();
}

/**
 * An engine that writes the results of {@link spreadMessage}s and of the messages they cause itself, and
 * passes everything else to the real one. The wallets pay nothing for it. This way, a network grows to
 * 100,000 transactions in less than a minute, and everything but the engine does its usual work.
 */
export function spreadingEmulator(engine: Emulator): Emulator {
  return {
    version: engine.version,
    runTickTock: (input) => engine.runTickTock(input),
    runGetMethod: (input) => engine.runGetMethod(input),
    runTransaction: async (input) => {
      const { kind, body, value, createdLt } = readMessage(
        readLightCell(Buffer.from(input.message, 'base64')),
      );
      if (kind === 'internal' && value === share && body.bitLength === 0) {
        return input.shardAccount === absentAccount
          ? receive(input, createdLt)
          : engine.runTransaction(input);
      }
      const { info, body: order } = loadMessage(Cell.fromBase64(input.message).beginParse());
      const bytes = order.bits.length === 256 ? order.beginParse().loadBuffer(32) : tag.subarray(0, 0);
      return info.type === 'external-in' && bytes.subarray(0, 24).equals(tag.subarray(0, 24))
        ? spread(input, info.dest, bytes)
        : engine.runTransaction(input);
    },
  };
}

/** Placeholder bytes for a value in a template. */
function mark(name: string, length: number): Buffer {
  return createHash('sha256').update(name).digest().subarray(0, length);
}

const marks = {
  account: mark('account', 32),
  sender: mark('sender', 32),
  order: mark('order', 32),
  // Years from now, because the time must use all 32 bits.
  now: mark('now', 4),
  lt: mark('lt', 8),
  lastLt: mark('last lt', 8),
  createdLt: mark('created lt', 8),
  hash: mark('hash', 32),
  previousHash: mark('previous hash', 32),
  previousLt: mark('previous lt', 8),
} satisfies Values;

function markedMessage(from: Buffer, to: Buffer, createdLt: Buffer): Message {
  const sent = internal({ to: new Address(0, to), value: share, bounce: false });
  const info = {
    ...sent.info,
    src: new Address(0, from),
    createdLt: createdLt.readBigUInt64BE(),
    createdAt: marks.now.readUInt32BE(),
  } as typeof sent.info;
  const cell = beginCell()
    .store(storeMessageRelaxed({ ...sent, info }))
    .endCell();
  return loadMessage(cell.beginParse());
}

const spreadTemplates = new Map<number, BocTemplate>();

function spreadTemplate(count: number): BocTemplate {
  const outMessages = noMessages();
  const places: Record<string, Buffer> = {};
  for (let place = 0; place < count; place += 1) {
    const to = (places[`to ${place}`] = mark(`to ${place}`, 32));
    const lt = (places[`lt ${place}`] = mark(`lt ${place}`, 8));
    outMessages.set(place, markedMessage(marks.account, to, lt));
  }
  const cell = markedTransaction({
    oldStatus: 'active',
    endStatus: 'active',
    inMessage: loadMessage(externalMessage(new Address(0, marks.account), marks.order).beginParse()),
    outMessages,
    prevTransactionHash: BigInt(`0x${marks.previousHash.toString('hex')}`),
    prevTransactionLt: marks.previousLt.readBigUInt64BE(),
    description: {
      type: 'generic',
      creditFirst: true,
      computePhase: {
        type: 'vm',
        success: true,
        messageStateUsed: false,
        accountActivated: false,
        gasFees: 0n,
        gasUsed: 0n,
        gasLimit: 0n,
        mode: 0,
        exitCode: 0,
        vmSteps: 1,
        vmInitStateHash: 0n,
        vmFinalStateHash: 0n,
      },
      actionPhase: {
        success: true,
        valid: true,
        noFunds: false,
        statusChange: 'unchanged',
        resultCode: 0,
        totalActions: count,
        specActions: 0,
        skippedActions: 0,
        messagesCreated: count,
        actionListHash: 0n,
        totalMessageSize: { cells: BigInt(count), bits: 0n },
      },
      aborted: false,
      destroyed: false,
    },
  });
  const { account, order, now, lt, previousHash, previousLt } = marks;
  return new BocTemplate(cell, { account, order, now, lt, previousHash, previousLt, ...places });
}

/** The wallet's transaction. */
function spread(input: TransactionInput, { hash: account }: Address, order: Buffer): TransactionOutcome {
  const [first, count] = [order.readUInt32BE(24), order.readUInt32BE(28)];
  const template = spreadTemplates.get(count) ?? spreadTemplate(count);
  spreadTemplates.set(count, template);
  const before = loadShardAccount(Cell.fromBase64(input.shardAccount).beginParse());
  const lt = max(input.lt, before.lastTransactionLt + BigInt(count) + 1n);
  const values: Record<string, Buffer> = {
    account,
    order,
    now: uint32(input.now),
    lt: uint64(lt),
    previousHash: Buffer.from(before.lastTransactionHash.toString(16).padStart(64, '0'), 'hex'),
    previousLt: uint64(before.lastTransactionLt),
  };
  for (let place = 0; place < count; place += 1) {
    values[`to ${place}`] = recipient(first + place).hash;
    values[`lt ${place}`] = uint64(lt + BigInt(place) + 1n);
  }
  const transaction = template.fill(values);
  const after = {
    ...before,
    lastTransactionHash: BigInt(`0x${hashOf(transaction).toString('hex')}`),
    lastTransactionLt: lt,
  };
  return success(transaction, beginCell().store(storeShardAccount(after)).endCell().toBoc());
}

const received = ((): { transaction: BocTemplate; shardAccount: BocTemplate } => {
  const { account, sender, now, lt, lastLt, createdLt, hash } = marks;
  const transaction = markedTransaction({
    oldStatus: 'non-existing',
    endStatus: 'uninitialized',
    inMessage: markedMessage(sender, account, createdLt),
    outMessages: noMessages(),
    prevTransactionHash: 0n,
    prevTransactionLt: 0n,
    description: {
      type: 'generic',
      creditFirst: true,
      creditPhase: { credit: { coins: share } },
      computePhase: { type: 'skipped', reason: 'no-state' },
      aborted: true,
      destroyed: false,
    },
  });
  const shardAccount = beginCell()
    .store(
      storeShardAccount({
        account: {
          addr: new Address(0, account),
          storageStats: {
            used: { cells: 1n, bits: 103n },
            storageExtra: null,
            lastPaid: now.readUInt32BE(),
          },
          storage: {
            lastTransLt: lastLt.readBigUInt64BE(),
            balance: { coins: share },
            state: { type: 'uninit' },
          },
        },
        lastTransactionHash: BigInt(`0x${hash.toString('hex')}`),
        lastTransactionLt: lt.readBigUInt64BE(),
      }),
    )
    .endCell();
  return {
    transaction: new BocTemplate(transaction, { account, sender, now, lt, createdLt }),
    shardAccount: new BocTemplate(shardAccount, { account, now, lt, lastLt, hash }),
  };
})();

/** The first transaction of an address without a contract: the coins stay. */
function receive({ message, now, lt: wished }: TransactionInput, createdLt: bigint): TransactionOutcome {
  const { source, destination } = readMessage(readLightCell(Buffer.from(message, 'base64')));
  const lt = max(wished, createdLt + 1n);
  const values = {
    account: hashIn(destination),
    sender: hashIn(source),
    now: uint32(now),
    lt: uint64(lt),
    lastLt: uint64(lt + 1n),
    createdLt: uint64(createdLt),
  };
  const transaction = received.transaction.fill(values);
  return success(transaction, received.shardAccount.fill({ ...values, hash: hashOf(transaction) }));
}

function noMessages(): Dictionary<number, Message> {
  return Dictionary.empty(Dictionary.Keys.Uint(15), {
    serialize: (message, builder) => builder.storeRef(beginCell().store(storeMessage(message))),
    parse: (slice) => loadMessage(slice.loadRef().beginParse()),
  });
}

function markedTransaction(
  own: Pick<
    Transaction,
    | 'oldStatus'
    | 'endStatus'
    | 'inMessage'
    | 'outMessages'
    | 'description'
    | 'prevTransactionHash'
    | 'prevTransactionLt'
  >,
): Cell {
  const transaction = {
    ...own,
    address: BigInt(`0x${marks.account.toString('hex')}`),
    lt: marks.lt.readBigUInt64BE(),
    now: marks.now.readUInt32BE(),
    outMessagesCount: own.outMessages.size,
    totalFees: { coins: 0n },
    stateUpdate: { oldHash: Buffer.alloc(32), newHash: Buffer.alloc(32) },
  } as Transaction;
  return beginCell().store(storeTransaction(transaction)).endCell();
}

function success(transaction: Buffer, shardAccount: Buffer): TransactionOutcome {
  return {
    success: true,
    transaction: transaction.toString('base64'),
    shardAccount: shardAccount.toString('base64'),
    vmLog: '',
    actions: null,
    debugOutput: [],
  };
}

function hashOf(boc: Buffer): Buffer {
  return Buffer.from(readLightCell(boc).hexHash, 'hex');
}

function hashIn(address: string | null): Buffer {
  return Buffer.from(address?.split(':')[1] ?? '', 'hex');
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
