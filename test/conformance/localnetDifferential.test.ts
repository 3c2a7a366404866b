import assert from 'node:assert/strict';
import {
  Address,
  beginCell,
  Cell,
  Dictionary,
  loadMessage,
  loadShardAccount,
  loadTransaction,
  storeMessage,
  toNano,
} from '@ton/core';
import type { SendMode, Transaction } from '@ton/core';
import { Blockchain } from '@ton/sandbox/dist/blockchain/Blockchain';
import { Executor } from '@ton/sandbox/dist/executor/Executor';
import type { IExecutor } from '@ton/sandbox/dist/executor/Executor';
import type { LocalChain } from '../../src/toolkit/localnet/chain/localChain';
import type { TransactionRecord } from '../../src/toolkit/localnet/records/records';
import { scenario, transferBody } from '../unit/localnet/support/scenario';
import { addressOf, transfer } from '../unit/localnet/support/testChain';
import type { TransferOptions } from '../unit/localnet/support/testChain';
import { namedAccounts } from '../../src/toolkit/localnet/accounts/namedAccounts';

const messages = 200;
/** Pay fees separately, ignore errors. */
const both = 3 as SendMode;
const ltStep = 1_000_000n;

/** A small generator with a seed, so that a failure can be repeated. */
function generator(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    return ((state ^ (state >>> 13)) >>> 0) % below;
  };
}

describe("the local network and the sandbox's own Blockchain", () => {
  it(`agree on ${messages} generated messages: hashes, exit codes, balances, outgoing messages`, async () => {
    const { chain, server, aliceJettons, bobJettons, minter } = await scenario();
    const sandbox = await Blockchain.create({
      executor: keepRawMessages(await Executor.create()),
      config: chain.config.root,
    });
    for (const { address, current } of chain.ledger.accounts.values()) {
      const account = loadShardAccount(Cell.fromBase64(current).beginParse());
      await sandbox.setShardAccount(Address.parseRaw(address), account);
    }
    const pick = generator(20_260_823);
    const seqnos = new Map(namedAccounts.map(({ name }) => [name, name === 'alice' ? 5 : 0]));
    const jettons = [aliceJettons, bobJettons, minter.address.toRawString()];
    let compared = 0;
    const kinds = new Set<string>();
    for (let number = 0; number < messages; number += 1) {
      const { name } = namedAccounts[pick(10)]!;
      const seqno = seqnos.get(name)!;
      const boc = transfer(name, { seqno, ...generate(pick, jettons, number) });
      seqnos.set(name, seqno + 1);
      await chain.submit(boc);
      const block = await chain.mine();
      const order = inOrderOfExecution(block.transactions);
      const theirs = await runTheirs(sandbox, boc, order);
      assert.equal(theirs.length, order.length, `message ${number}`);
      order.forEach((record, place) => {
        kinds.add(compare(record, theirs[place]!, `message ${number}, transaction ${place}`));
        compared += 1;
      });
    }
    await compareBalances(chain, sandbox);
    assert.ok(compared > 2 * messages, `${compared} transactions`);
    // The generator must reach more than plain transfers.
    for (const kind of ['0', 'skipped', 'bounced', 'failed']) {
      assert.ok(kinds.has(kind), `no transaction of kind ${kind} among ${[...kinds].join(', ')}`);
    }
    await server.close();
  });
});

/**
 * Blockchain parses messages and serializes them again, which may move a body from a reference into the
 * message and so change its hash. This gives the emulator the very cell in the sending transaction instead.
 */
function keepRawMessages(executor: Executor): IExecutor {
  const raw = new Map<string, Cell>();
  const again = (cell: Cell): string =>
    beginCell()
      .store(storeMessage(loadMessage(cell.beginParse())))
      .endCell()
      .hash()
      .toString('hex');
  return {
    runGetMethod: (args) => executor.runGetMethod(args),
    runTickTock: (args) => executor.runTickTock(args),
    runTransaction: async (args) => {
      const answer = await executor.runTransaction({
        ...args,
        message: raw.get(args.message.hash().toString('hex')) ?? args.message,
      });
      if (answer.result.success) {
        const messages = Cell.fromBase64(answer.result.transaction).refs[0]!.beginParse();
        messages.loadMaybeRef();
        for (const cell of messages.loadDict(Dictionary.Keys.Uint(15), Dictionary.Values.Cell()).values()) {
          raw.set(again(cell), cell);
        }
      }
      return answer;
    },
  };
}

function generate(
  pick: (below: number) => number,
  jettons: string[],
  number: number,
): Omit<TransferOptions, 'seqno'> {
  const to = addressOf(namedAccounts[pick(10)]!.name);
  const value = [1n, toNano('0.01'), toNano('3'), toNano('400'), toNano('9999999')][pick(5)]!;
  const sendMode = [3, 1, 0, 2, 64 + 2, 128 + 2].filter((mode) => mode < 64 || number > messages / 2)[
    pick(4)
  ]!;
  switch (pick(6)) {
    case 0:
      return { to, value, sendMode: sendMode | 2, body: `comment ${number}` };
    case 1:
      return {
        to: `0:${pick(1000).toString(16).padStart(64, 'a')}`,
        value,
        sendMode: both,
        bounce: pick(2) === 0,
      };
    case 2: {
      const body = transferBody(Address.parseRaw(to), Address.parseRaw(to), BigInt(1 + pick(500)));
      return { to: jettons[pick(3)]!, value: toNano('0.5'), sendMode: both, bounce: true, body };
    }
    case 3: {
      const body = beginCell()
        .storeUint(pick(2 ** 30), 32)
        .storeUint(pick(2 ** 30), 64)
        .endCell();
      return { to: jettons[pick(3)]!, value: toNano('0.2'), sendMode: both, bounce: pick(2) === 0, body };
    }
    case 4: {
      const init = { code: Cell.fromBase64(forwarding), data: beginCell().storeUint(number, 32).endCell() };
      const hash = beginCell()
        .storeUint(6, 5)
        .storeRef(init.code)
        .storeRef(init.data)
        .endCell()
        .hash()
        .toString('hex');
      return { to: `0:${hash}`, value: toNano('0.003'), sendMode: both, bounce: true, init };
    }
    default:
      return { to, value, sendMode: both };
  }
}

/** Sends everything it gets on to itself until it has nothing left. */
const forwarding = 'te6ccgEBBAEAMgABFP8A9KQT9LzyyAsBAgFiAgMAMNAw+JHyQMjPhYj4KAH6UnDPC27JgED7AAAHoO744w==';

/** First in, first out, as both process their queues; records stand by lt. */
function inOrderOfExecution(transactions: readonly TransactionRecord[]): TransactionRecord[] {
  const order = transactions.filter(({ inMessage }) => inMessage?.producer === null);
  for (let place = 0; place < order.length; place += 1) {
    for (const { consumer } of order[place]!.outMessages) {
      if (consumer !== null) {
        order.push(consumer);
      }
    }
  }
  return order;
}

/** The same message there, at the same times and logical times. */
async function runTheirs(
  sandbox: Blockchain,
  boc: Buffer,
  ours: readonly TransactionRecord[],
): Promise<Transaction[]> {
  const clock = sandbox as unknown as { currentLt: bigint };
  const message = loadMessage(Cell.fromBoc(boc)[0]!.beginParse());
  const iterator = await sandbox.sendMessageIter(message, { now: ours[0]!.now, allowParallel: true });
  // Blockchain begins an account that nobody knows as uninitialized, the protocol as not existing.
  for (const { before, account } of ours) {
    if (before === null) {
      const absent = { account: null, lastTransactionHash: 0n, lastTransactionLt: 0n };
      await sandbox.setShardAccount(Address.parseRaw(account.address), absent);
    }
  }
  const result: Transaction[] = [];
  for (;;) {
    const next = ours[result.length];
    clock.currentLt = next === undefined ? clock.currentLt : next.lt - ltStep;
    const step = await iterator.next();
    if (step.done === true) {
      return result;
    }
    result.push(step.value);
  }
}

/** Answers what kind of transaction it was. */
function compare(record: TransactionRecord, theirs: Transaction, place: string): string {
  const ours = loadTransaction(Cell.fromBoc(record.boc)[0]!.beginParse());
  const describe = ({ description, outMessages }: Transaction): unknown => {
    assert.equal(description.type, 'generic');
    const { computePhase: compute, actionPhase: action, aborted } = description;
    return {
      aborted,
      compute: compute.type === 'vm' ? [compute.exitCode, compute.gasUsed, compute.vmSteps] : compute.reason,
      action: action == null ? null : [action.resultCode, action.totalActions, action.skippedActions],
      messages: outMessages
        .values()
        .map(({ info, body }) => [
          info.type === 'internal' ? [info.dest.toString(), info.value.coins, info.bounced] : info.type,
          body.hash().toString('hex'),
        ]),
    };
  };
  assert.deepEqual(describe(ours), describe(theirs), place);
  assert.equal(record.hash, theirs.hash().toString('hex'), place);
  const { computePhase, bouncePhase, aborted } = ours.description as Extract<
    Transaction['description'],
    { type: 'generic' }
  >;
  return bouncePhase?.type === 'ok'
    ? 'bounced'
    : computePhase.type === 'skipped'
      ? 'skipped'
      : aborted
        ? 'failed'
        : '0';
}

async function compareBalances(chain: LocalChain, sandbox: Blockchain): Promise<void> {
  for (const { address, facts } of chain.ledger.accounts.values()) {
    const contract = await sandbox.getContract(Address.parseRaw(address));
    assert.equal(contract.balance, facts.balance, address);
  }
}
