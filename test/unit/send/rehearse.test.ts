import { Address, Cell, Dictionary, SendMode, beginCell, loadTransaction, toNano } from '@ton/core';
import { runTolkCompiler } from '@ton/tolk-js';
import assert from 'node:assert/strict';
import type { Network } from '../../../src/toolkit/access/network';
import type { AccountSource } from '../../../src/toolkit/accounts/libraryShelf';
import type { V3Message, V3Transaction } from '../../../src/toolkit/api/v3Objects';
import { readBoc } from '../../../src/toolkit/cell/readBoc';
import { absentAccount } from '../../../src/toolkit/execution/emulator/emulator';
import { defaultNetworkConfig } from '../../../src/toolkit/execution/emulator/networkConfig';
import { WorkbenchError } from '../../../src/toolkit/base/errors';
import type { LocalChain } from '../../../src/toolkit/localnet/chain/localChain';
import { setAccount } from '../../../src/toolkit/localnet/control/accountCommands';
import { sendAs } from '../../../src/toolkit/localnet/control/sendAs';
import { runReplay } from '../../../src/toolkit/replay/runReplay';
import { compareOutcome } from '../../../src/toolkit/send/compareOutcome';
import { readExternalMessage } from '../../../src/toolkit/send/externalMessage';
import { internalMessage } from '../../../src/toolkit/send/sendableMessage';
import type { PreparedSend, Rehearsal } from '../../../src/toolkit/send/preparedSend';
import { rehearsalLine, rehearsalText } from '../../../src/toolkit/send/rehearsalText';
import type { RehearsalEmulator } from '../../../src/toolkit/send/rehearse';
import { rehearse } from '../../../src/toolkit/send/rehearse';
import type { SendQuestion } from '../../../src/toolkit/send/sendQuestion';
import { rehearsalVerdict, sendQuestion } from '../../../src/toolkit/send/sendQuestion';
import { buildTrace } from '../../../src/toolkit/trace/buildTrace';
import { moneyOf } from '../../../src/toolkit/trace/money';
import { TraceContext } from '../../../src/toolkit/trace/traceContext';
import { causeOf } from '../../../src/toolkit/trace/verdict';
import { sentOutcome } from '../../../src/toolkit/workflows/sheetSteps';
import { randomNumbers } from '../cell/support/randomNumbers';
import type { TransferOptions } from '../localnet/support/testChain';
import { ManualClock, addressOf, testChain, transfer } from '../localnet/support/testChain';

/** The states of a chain in this process, as a service with whole account cells would tell them. */
function sourceOf(chain: LocalChain, changes: Partial<AccountSource> = {}): AccountSource {
  const { last } = chain.ledger;
  return {
    origin: 'test',
    seqno: last.seqno,
    genUtime: last.genUtime,
    endLt: last.endLt,
    account: (address) =>
      Promise.resolve({
        shardAccount: chain.ledger.accounts.get(address)?.current ?? absentAccount,
        fidelity: 'exact',
      }),
    library: () => Promise.resolve(undefined),
    config: () => Promise.resolve(chain.config.base64),
    ...changes,
  };
}

/** The configuration with another version of the rules (parameter 8, block.tlb: capabilities#c4). */
function withVersion(config: string, version: number): string {
  const parameters = Dictionary.loadDirect(
    Dictionary.Keys.Int(32),
    Dictionary.Values.Cell(),
    Cell.fromBase64(config),
  );
  const capabilities = parameters.get(8)!.beginParse().skip(40).loadUintBig(64);
  const changed = beginCell().storeUint(0xc4, 8).storeUint(version, 32).storeUint(capabilities, 64).endCell();
  parameters.set(8, changed);
  return beginCell().storeDictDirect(parameters).endCell().toBoc().toString('base64');
}

async function compile(source: string): Promise<Cell> {
  const compiled = await runTolkCompiler({ entrypointFileName: 'a.tolk', fsReadCallback: () => source });
  assert.ok(compiled.status === 'ok', compiled.status === 'error' ? compiled.message : '');
  return Cell.fromBase64(compiled.codeBoc64);
}

const names = ['alice', 'bob', 'carol', 'dave'];
const stranger = (byte: number): string => new Address(0, Buffer.alloc(32, byte)).toRawString();

describe('rehearse', () => {
  let chain: LocalChain;
  const clock = new ManualClock();
  const seqnos = new Map<string, number>();
  before(async () => {
    chain = await testChain({ clock });
  });

  const rehearsed = (boc: Buffer, changes: Partial<AccountSource> = {}): Promise<Rehearsal> =>
    rehearse({
      message: readExternalMessage(readBoc(boc)),
      source: sourceOf(chain, changes),
      emulator: chain.emulator,
      fallbackConfig: defaultNetworkConfig(),
      clock,
    });

  function make(name: string, options: Partial<TransferOptions> = {}): Buffer {
    const seqno = seqnos.get(name) ?? 0;
    return transfer(name, { seqno, to: addressOf('bob'), value: toNano('1'), ...options });
  }

  it('predicts 50 traces transaction hash for transaction hash', async () => {
    const random = randomNumbers(7);
    for (let i = 0; i < 50; i++) {
      clock.milliseconds += random(50_000);
      const name = names[random(names.length)]!;
      const boc = make(name, {
        to: random(2) === 0 ? addressOf(names[random(names.length)]!) : stranger(1 + random(9)),
        value: BigInt(1 + random(2_000_000_000)),
        bounce: random(2) === 0,
        ...(random(5) === 0 ? { value: toNano('99000000') } : {}),
        ...(random(3) === 0 ? { sendMode: SendMode.PAY_GAS_SEPARATELY | SendMode.IGNORE_ERRORS } : {}),
        ...(random(2) === 0 ? { body: `note ${i}` } : {}),
      });
      const before = [...chain.ledger.accounts.values()].reduce((sum, { facts }) => sum + facts.balance, 0n);
      const predicted = await rehearsed(boc);
      assert.equal(predicted.accepted, true, predicted.reason?.text);
      assert.equal(predicted.confidence, 'exact');
      for (const hash of predicted.trace!.source.transactions_order ?? []) {
        const { verdict } = await runReplay(predicted.inputsOf(hash)!, chain.emulator);
        assert.equal(verdict, 'exact', 'each step of a rehearsal can be run again');
      }
      await chain.submit(boc);
      const block = await chain.mine();
      assert.deepEqual(
        predicted.trace!.source.transactions_order,
        block.transactions.map(({ hash }) => hash),
      );
      const after = [...chain.ledger.accounts.values()].reduce((sum, { facts }) => sum + facts.balance, 0n);
      assert.equal(predicted.fees, before - after, 'the fees are what left the balances');
      // A failed action phase takes the whole state back, the seqno with it.
      seqnos.set(name, (seqnos.get(name) ?? 0) + (predicted.actionCode === 0 ? 1 : 0));
    }
  });

  it('returns a trace that the trace model can read', async () => {
    const { trace } = await rehearsed(make('alice', { body: 'hi' }));
    const model = buildTrace(trace!.source);
    assert.equal(model.incomplete, false);
    assert.deepEqual(model.problems, []);
    assert.equal(model.nodes.length, 2);
    assert.equal(model.nodes[1]!.outcome, 'ok');
  });

  it('predicts what a contract sends without a signature', async () => {
    const [from, to] = [addressOf('carol'), addressOf('dave')];
    const parameters = { from, to, value: toNano('3'), bounce: true };
    const predicted = await rehearse({
      message: internalMessage({
        source: Address.parse(from),
        destination: Address.parse(to),
        value: parameters.value,
        bounce: true,
        body: Cell.EMPTY,
        init: undefined,
      }),
      source: sourceOf(chain),
      emulator: chain.emulator,
      fallbackConfig: defaultNetworkConfig(),
      clock,
    });
    assert.equal(predicted.accepted, true);
    assert.equal(predicted.reason, undefined);
    await sendAs(chain, parameters);
    const { transactions } = await chain.mine();
    assert.equal(transactions.length, 1);
    const happened = loadTransaction(Cell.fromBoc(transactions[0]!.boc)[0]!.beginParse());
    const [root] = Object.values(predicted.trace!.source.transactions!);
    assert.equal(root!.account, transactions[0]!.account.address.toLowerCase());
    assert.equal(BigInt(root!.total_fees!), happened.totalFees.coins);
    assert.equal(predicted.firstFees, happened.totalFees.coins);
    assert.ok(predicted.firstFees > 0n);
  });

  it('leaves the states unchanged', async () => {
    const before = chain.ledger.accounts.get(addressOf('alice'))!.current;
    await rehearsed(make('alice'));
    assert.equal(chain.ledger.accounts.get(addressOf('alice'))!.current, before);
  });

  it('says why a message is refused, with the exit code of the contract', async () => {
    const wrong = await rehearsed(make('alice', { seqno: 77 }));
    assert.deepEqual(
      [wrong.accepted, wrong.exitCode, wrong.reason],
      [false, 133, { code: 'wrong-seqno', text: `seqno 77, the wallet expects ${seqnos.get('alice') ?? 0}` }],
    );
    assert.equal(wrong.trace, undefined);
    assert.ok(wrong.vmLog!.includes('133'));
  });

  it('reports a balance that is too small, even if the wallet ignores errors', async () => {
    const balance = chain.ledger.accounts.get(addressOf('alice'))!.facts.balance;
    const over = await rehearsed(
      make('alice', {
        value: balance + toNano('0.3'),
        sendMode: SendMode.PAY_GAS_SEPARATELY | SendMode.IGNORE_ERRORS,
      }),
    );
    assert.equal(over.accepted, true);
    assert.match(
      over.reason!.text,
      /^balance too small by 0\.30\d* TON: the account has [\d.]+ TON, the message needs [\d.]+ TON$/,
    );
  });

  it('labels what it does not know', async () => {
    const boc = make('alice');
    const partial: AccountSource['account'] = async (address) => ({
      ...(await sourceOf(chain).account(address)),
      fidelity: 'partial',
    });
    assert.equal((await rehearsed(boc, { account: partial })).confidence, 'same-compute');
    const blind = await rehearsed(boc, { config: () => Promise.resolve(undefined) });
    assert.equal(blind.confidence, 'emulated');
    assert.match(blind.doubts[0]!, /does not return the configuration/);
    const newer = await rehearsed(boc, {
      config: () => Promise.resolve(withVersion(chain.config.base64, 13)),
    });
    assert.deepEqual([newer.confidence, newer.doubts], ['exact', []], 'nothing was used that changed');
    const unknown = await rehearsed(boc, {
      config: () => Promise.resolve(withVersion(chain.config.base64, 16)),
    });
    assert.equal(unknown.confidence, 'emulated');
    assert.match(
      unknown.doubts[0]!,
      /version 16 of TVM and rules, .* what changed after 15 is not known here/,
    );
    const same = await rehearsed(boc, {
      config: () => Promise.resolve(withVersion(chain.config.base64, 12)),
    });
    assert.deepEqual([same.confidence, same.doubts], ['exact', []]);
  });

  it('fetches the libraries that a contract refers to', async () => {
    const code = chain.ledger.accounts.get(addressOf('bob'))!.facts.code!;
    assert.ok(code);
    const library = beginCell().storeUint(2, 8).storeBuffer(Buffer.alloc(32, 5)).endCell({ exotic: true });
    const asked: string[] = [];
    const init = { code: library, data: beginCell().endCell() };
    const predicted = await rehearsed(make('alice', { to: stranger(200), init }), {
      library: (hash) => {
        asked.push(hash);
        return Promise.resolve(undefined);
      },
    });
    assert.deepEqual(asked, ['05'.repeat(32)]);
    assert.match(predicted.doubts.join(), /The library 0505/);
  });

  /** The emulator of the chain, but for what it is told to fail on. */
  const failingOn = (fails: (run: number) => boolean): RehearsalEmulator => {
    let runs = 0;
    return {
      runTransaction: (input) => {
        runs += 1;
        return fails(runs)
          ? Promise.resolve({ success: false, error: 'The engine broke down', engineFailed: true })
          : chain.emulator.runTransaction(input);
      },
    };
  };

  it('treats a message with unknown effects as unexpected when asking', async () => {
    const message = readExternalMessage(readBoc(make('alice')));
    const parameters = { message, source: sourceOf(chain), fallbackConfig: defaultNetworkConfig(), clock };
    const network: Network = { name: 'Local', kind: 'local', globalId: -3 };
    const ask = (rehearsed: PreparedSend | WorkbenchError): SendQuestion =>
      sendQuestion(network, message, rehearsed, { name: () => undefined, coin: 'TON' }, (raw) => raw);
    const prepared = (rehearsal: Rehearsal): PreparedSend => ({
      message,
      rehearsal,
      serviceFees: undefined,
    });

    const succeeding = prepared(await rehearse({ ...parameters, emulator: failingOn(() => false) }));
    const names = { name: () => undefined, coin: 'TON' };
    const { state, text } = rehearsalVerdict(succeeding, names);
    assert.equal(state, 'fine');
    assert.match(text, /^succeeds, fees 0\.\d+.* TON$/);
    const known = ask(succeeding);
    assert.deepEqual([known.expected, known.question], [true, 'Send to Local?']);
    assert.match(known.send, /^Send \d/);

    const unknown = prepared(await rehearse({ ...parameters, emulator: failingOn(() => true) }));
    const slow = new WorkbenchError({ code: 'rehearsal-too-slow', kind: 'network', message: 'too slow.' });
    for (const rehearsed of [unknown, slow]) {
      const { question, detail, send, expected } = ask(rehearsed);
      assert.deepEqual(
        [expected, question, send],
        [false, 'Send to Local without a rehearsal?', 'Send Anyway'],
      );
      assert.match(detail, /could not be rehearsed here: [^.]+\. What the network will do is unknown\./);
      assert.doesNotMatch(detail, /succeeds|accepted|refused/);
      assert.equal(rehearsalVerdict(rehearsed, names).state, 'unknown');
    }
  });

  it('puts the safe button first if any contract along the way fails', async () => {
    const message = readExternalMessage(readBoc(make('alice')));
    const parameters = { message, source: sourceOf(chain), fallbackConfig: defaultNetworkConfig(), clock };
    const network: Network = { name: 'Local', kind: 'local', globalId: -3 };
    const rehearsal = await rehearse({ ...parameters, emulator: chain.emulator });
    const ask = (rehearsed: Rehearsal): SendQuestion =>
      sendQuestion(
        network,
        message,
        { message, rehearsal: rehearsed, serviceFees: undefined },
        { name: () => undefined, coin: 'TON' },
        (raw) => raw,
      );
    assert.equal(ask(rehearsal).isSafe, true);
    const { trace } = rehearsal;
    assert.ok(trace !== undefined && trace.nodes.length > 1);
    const last = trace.nodes.at(-1);
    const nodes = trace.nodes.map((node) => (node === last ? { ...node, outcome: 'failed' as const } : node));
    const { isSafe, expected, question } = ask({ ...rehearsal, trace: { ...trace, nodes } });
    assert.deepEqual(
      [isSafe, expected, question],
      [false, true, 'Would fail: a contract that it reaches fails'],
      'the wallet still takes it',
    );
    assert.deepEqual(
      rehearsalVerdict(
        {
          message,
          rehearsal: { ...rehearsal, trace: { ...trace, nodes } },
          serviceFees: undefined,
        },
        { name: () => undefined, coin: 'TON' },
      ),
      { state: 'fails', text: 'would fail: a contract that it reaches fails' },
    );
    const source = { place: 'vault.tolk:16', code: 'throw ERR_FULL', values: '' };
    const failure = { node: 2, title: 'Vault would refuse Add: ERR_FULL, 101', facts: '', source };
    assert.deepEqual(
      rehearsalVerdict(
        { message, rehearsal: { ...rehearsal, trace: { ...trace, nodes } }, serviceFees: undefined },
        { name: () => undefined, coin: 'TON', failure },
      ),
      { state: 'fails', text: 'Vault would refuse Add: ERR_FULL, 101, vault.tolk:16' },
    );
    const onTestnet = sendQuestion(
      { name: 'Testnet', kind: 'testnet', globalId: -3 },
      message,
      { message, rehearsal: { ...rehearsal, trace: { ...trace, nodes } }, serviceFees: undefined },
      { name: () => undefined, coin: 'TON' },
      (raw) => raw,
    );
    assert.deepEqual([onTestnet.isSafe, onTestnet.question], [false, 'Send to Testnet?']);
  });

  it('does not treat a failure of the emulator as a refusal, nor as certainty', async () => {
    const message = readExternalMessage(readBoc(make('alice')));
    const parameters = { message, source: sourceOf(chain), fallbackConfig: defaultNetworkConfig(), clock };
    const first = await rehearse({ ...parameters, emulator: failingOn(() => true) });
    assert.equal(first.accepted, undefined);
    assert.equal(first.confidence, 'unknown');
    assert.equal(first.reason?.code, 'emulator-failed');
    const line = rehearsalLine(first);
    assert.match(line, /could not be rehearsed here: the engine broke down/);
    assert.doesNotMatch(line, /refuse|exact|cannot execute/);
    assert.ok(
      rehearsalText({ message, rehearsal: first, serviceFees: undefined }).split('\n')[1]?.startsWith('?'),
    );

    const later = await rehearse({ ...parameters, emulator: failingOn((run) => run === 2) });
    assert.equal(later.accepted, true);
    assert.equal(later.complete, false);
    assert.equal(later.confidence, 'emulated');
    assert.match(
      later.doubts.join(),
      /A message to 0:[0-9a-f]{64} could not be rehearsed: The engine broke down/,
    );
    assert.match(rehearsalLine(later), /as far as it was run, fees at least/);
  });

  it('says how sure it is, and whose account the message goes to', async () => {
    const message = readExternalMessage(readBoc(make('alice')));
    const rehearsal = await rehearsed(make('alice'));
    assert.match(rehearsalLine(rehearsal), /: succeeds, fees \S+ TON\. Same code, same state: exact\.$/);
    const text = rehearsalText({ message, rehearsal, serviceFees: undefined }, { name: () => 'alice' });
    assert.match(text, new RegExp(`^account +${message.destination.toString()}  alice$`, 'm'));
    assert.doesNotMatch(text, /^destination/m);
  });

  it('says "at least" if it did not run everything, and compares what it ran', async () => {
    const boc = make('alice');
    const message = readExternalMessage(readBoc(boc));
    const parameters = { message, source: sourceOf(chain), emulator: chain.emulator, clock };
    const fallbackConfig = defaultNetworkConfig();
    const whole = await rehearse({ ...parameters, fallbackConfig });
    assert.equal(whole.complete, true);
    const cut = await rehearse({ ...parameters, fallbackConfig, limit: 1 });
    assert.equal(cut.complete, false);
    assert.ok(cut.fees < whole.fees);
    assert.match(cut.doubts.join(), /Only the first 1 transactions were run/);
    assert.match(
      rehearsalText({ message, rehearsal: cut, serviceFees: undefined }),
      /fees at least[^]*predicted trace, as far as/,
    );
    // Exactly as many as are run by then is not too many.
    const just = await rehearse({
      ...parameters,
      fallbackConfig,
      limit: whole.trace!.source.transactions_order!.length,
    });
    assert.deepEqual([just.complete, just.confidence], [true, 'exact']);

    const happened = whole.trace!;
    const compare = ({ complete, trace }: Rehearsal): ReturnType<typeof compareOutcome> =>
      compareOutcome({ complete, trace: trace! }, happened);
    assert.deepEqual(compare(whole), { verdict: 'equal', differences: [] });
    assert.deepEqual(compare(cut), { verdict: 'equal', differences: [] });
    const { trace, complete } = whole;
    const otherwise = compareOutcome({ complete, trace: trace! }, cut.trace!);
    assert.equal(otherwise.verdict, 'different');
    assert.match(otherwise.differences[0] ?? '', /^Transaction 2: outcome unknown instead of/);
  });

  it('names accounts in the masterchain as such, or by name', async () => {
    const code = await compile('fun onInternalMessage(in: InMessage) { throw 64; }');
    const address = `-1:${'66'.repeat(32)}`;
    await setAccount(chain, { address, balance: toNano('1'), code, data: Cell.EMPTY });
    await chain.mine();
    const failing = await rehearsed(make('alice', { to: address, bounce: true }));
    const friendly = Address.parseRaw(address).toString();
    assert.ok(
      failing.reason?.text.startsWith(`${friendly.slice(0, 6)}…${friendly.slice(-4)} fails: `),
      failing.reason?.text,
    );
    assert.match(
      rehearsalLine(failing, { name: (raw) => (raw === address ? 'pool' : undefined) }),
      /accepted, but pool fails: exit code 64/,
    );
    assert.match(
      rehearsalLine(failing, {
        exitSource: (account) => (account === address ? { errors: new Map([[64, 'ERR_FULL']]) } : undefined),
      }),
      /fails: exit code 64 \(ERR_FULL\)/,
    );
  });

  it('does not succeed if a later contract leaves out an action', async () => {
    const code = await compile(`fun onInternalMessage(in: InMessage) {
      createMessage({ bounce: true, value: ton("1000"), dest: in.senderAddress, body: createEmptyCell() })
        .send(SEND_MODE_IGNORE_ERRORS);
    }`);
    const address = `0:${'67'.repeat(32)}`;
    await setAccount(chain, { address, balance: toNano('1'), code, data: Cell.EMPTY });
    await chain.mine();
    const skipping = await rehearsed(make('alice', { to: address, bounce: true }));
    assert.deepEqual([skipping.accepted, skipping.reason?.code], [true, 'later-failed']);
    const context = new TraceContext(skipping.trace!, { names: new Map([[address, 'Skipper']]) });
    assert.equal(skipping.reason?.later?.account, causeOf(skipping.trace!)?.account);
    const line = rehearsalLine(skipping, { name: (raw) => context.knowledge.names?.get(raw) });
    assert.match(line, /: accepted, but Skipper fails: it leaves out 1 of 1 action; fees/);
    const { exitCode, exitName } = sentOutcome(context);
    assert.deepEqual([exitCode, exitName], [0, undefined], 'the code itself ended well');
  });

  it('counts as fees what the trace counts: extra flags are no coins', async () => {
    const refuser = `0:${'68'.repeat(32)}`;
    const bouncer = `0:${'69'.repeat(32)}`;
    const refusing = await compile('fun onInternalMessage(in: InMessage) { throw 402; }');
    // BounceMode.RichBounce puts 3 into the field that once held a fee.
    const bouncing = await compile(`fun onInternalMessage(in: InMessage) {
      createMessage({ bounce: BounceMode.RichBounce, value: ton("0.2"), dest: address("${refuser}"), body: beginCell().storeUint(1, 32).endCell() })
        .send(SEND_MODE_REGULAR);
    }
    fun onBouncedMessage(_: InMessageBounced) {}`);
    await setAccount(chain, { address: refuser, balance: toNano('1'), code: refusing, data: Cell.EMPTY });
    await setAccount(chain, { address: bouncer, balance: toNano('1'), code: bouncing, data: Cell.EMPTY });
    await chain.mine();
    const predicted = await rehearsed(make('alice', { to: bouncer, bounce: true }));
    const flags = predicted.trace!.nodes.filter(({ message }) => (message?.extra_flags ?? 0n) === 3n);
    assert.equal(flags.length, 2, 'the message, and its bounce');
    const fees = moneyOf(new TraceContext(predicted.trace!)).fees.total;
    assert.equal(predicted.fees, fees);
    const before = chain.ledger.accounts;
    const total = (): bigint => [...before.values()].reduce((sum, { facts }) => sum + facts.balance, 0n);
    const had = total();
    await chain.submit(make('alice', { to: bouncer, bounce: true }));
    await chain.mine();
    assert.equal(fees, had - total(), 'what left the balances');

    // Services that do not know the flags yet give them as a fee.
    const { transactions } = predicted.trace!.source;
    const asFee = (message: V3Message): V3Message => ({ ...message, ihr_fee: message.extra_flags ?? null });
    const older = Object.entries(transactions ?? {}).map(([hash, one]): [string, V3Transaction] => [
      hash,
      {
        ...one,
        in_msg: one?.in_msg == null ? null : asFee(one.in_msg),
        out_msgs: (one?.out_msgs ?? []).map(asFee),
      },
    ]);
    const model = buildTrace({ ...predicted.trace!.source, transactions: Object.fromEntries(older) });
    assert.equal(model.nodes.filter(({ message }) => message?.ihr_fee === 3n).length, 2);
    const money = moneyOf(new TraceContext(model));
    assert.deepEqual(money.unknown, []);
    assert.equal(
      money.rows.reduce((sum, { coins }) => sum + coins, money.fees.total),
      0n,
    );
  });

  it('ends when it is canceled', async () => {
    const controller = new AbortController();
    controller.abort();
    await assert.rejects(
      rehearse({
        message: readExternalMessage(readBoc(make('alice'))),
        source: sourceOf(chain),
        emulator: chain.emulator,
        fallbackConfig: defaultNetworkConfig(),
        clock,
        signal: controller.signal,
      }),
      { code: 'aborted' },
    );
  });
});
