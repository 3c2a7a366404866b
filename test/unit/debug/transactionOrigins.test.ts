import assert from 'node:assert/strict';
import { WorkbenchError } from '../../../src/toolkit/base/errors';
import { DebugControl } from '../../../src/toolkit/debug/debugControl';
import type { DebugProgram } from '../../../src/toolkit/debug/debugProgram';
import { askOrigins } from '../../../src/toolkit/debug/askOrigins';
import type { HopNames } from '../../../src/toolkit/debug/originTree';
import { originLines } from '../../../src/toolkit/debug/originTree';
import { pageHops } from '../../../src/toolkit/debug/pageHops';
import type { AskedTransaction } from '../../../src/toolkit/debug/transactionOrigins';
import { isTransactionQuestion, transactionOrigins } from '../../../src/toolkit/debug/transactionOrigins';
import type { RanTransaction } from './support/bankChain';
import { BankChain, usualMessages } from './support/bankChain';

const { signal } = new AbortController();

describe('where a figure of a transaction comes from', () => {
  let program: DebugProgram;
  let ran: readonly RanTransaction[];
  before(async () => {
    ({ program, ran } = await (await BankChain.start()).run(usualMessages()));
  });

  const control = (): DebugControl =>
    new DebugControl(program, { loaded: () => undefined, output: () => undefined });
  const names: HopNames = {
    threadName: (thread) => program.threads[thread]?.name ?? '',
    fileName: (file) => file,
  };
  const told = async (
    thread: number,
    question: string,
    known: Pick<AskedTransaction, 'balance'> = {},
  ): Promise<string> => {
    const { runs } = control();
    const view = await runs.load(thread, signal);
    const asked = { thread, run: ran[thread]!.run, view, ...known };
    const tree = await transactionOrigins(runs, asked, question, signal);
    return originLines(tree, names).join('\n');
  };

  it('of its message: each hop back to who sent it', async () => {
    assert.match(
      await told(program.first, 'tx.body.amount'),
      /^Withdraw\.amount = 8\.2 TON .*\n← relay sent it = 8\.2 TON +relay\.tolk:15.*\n← val amount = order\.amount \+ kept\.markup;/,
    );
    assert.match(
      await told(program.first, 'tx.value'),
      /^the value of the message = 0\.9\d* TON .*\n← relay sent it .*\n← mode 64 sends what is left/,
    );
  });

  it('of its data: to the line that wrote the field', async () => {
    const text = await told(program.first, 'c4.total');
    assert.match(text, /^c4\.total = 1\.4 TON +bank\.tolk:41.*\n← written to c4\.total = 1\.4 TON/);
    assert.match(text, /\n← kept\.total -= cost; +bank\.tolk:26/);
  });

  it('of its balance: what was there, came, and went adds up, from one transaction to the next', async () => {
    const own = [...program.threads.keys()].filter(
      (thread) => ran[thread]!.account === ran[program.first]!.account && ran[thread]!.run.recording,
    );
    assert.ok(own.length > 4, String(own));
    let left: string | undefined;
    for (const thread of own) {
      const text = await told(thread, 'tx.balance');
      const [, after] = /^the balance after the transaction = (\S+) TON/.exec(text) ?? [];
      const [, start] = /\n +the balance before = (\S+) TON/.exec(text) ?? [];
      assert.ok(left === undefined || left === start, `${left} was left, ${start} is there`);
      assert.match(
        text,
        left === undefined ? /the first transaction of the account/ : /the transaction before left it/,
      );
      left = after;
    }
    const text = await told(program.first, 'tx.balance');
    assert.match(text, /\n +\+ the value of the message = 0\.9\d* TON .*\n +← relay sent it/);
    assert.match(text, /\n +− sent to relay = 8\.2 TON +bank\.tolk:33/);
    assert.match(text, /\n +− the gas fee = 0\.\d+ TON/);
    assert.match(
      await told(program.first, 'tx.balance', { balance: 1n }),
      /\n← unknown: what came and went adds up to 15\.798345788 TON/,
    );
  });

  it('of its gas: the lines that took most of it; and of its fees, what each is for', async () => {
    const [head = '', ...lines] = (await told(program.first, 'tx.gas')).split('\n');
    const used = Number(/^gas = ([\d ]+?) {2}/.exec(head)?.[1]?.replaceAll(/\D/g, ''));
    const shown = lines.flatMap((line) => Number(/^ +(\d+) gas in /.exec(line)?.[1] ?? 0));
    const sum = shown.reduce((one, other) => one + other, 0);
    assert.ok(sum > used / 2 && sum < used, `${sum} of ${used}`);
    assert.deepEqual(
      shown.slice(0, -1),
      shown.slice(0, -1).toSorted((one, other) => other - one),
    );
    const fees = await told(program.first, 'tx.fees');
    assert.match(fees, /\n +the gas fee = .*\n +← gas, at the price of the network/);
    assert.match(fees, /\n +travels with the message to relay = 0\.\d+ TON +bank\.tolk:33/);
  });

  it('is unknown, with the reason, where nothing tells', async () => {
    const nothing = await told(program.first, 'c4.nothing');
    assert.ok(nothing.includes('← unknown: there is no field nothing in the data'), nothing);
    const { runs } = control();
    const { run } = ran[program.first]!;
    for (const question of ['tx.value', 'tx.body.amount', 'tx.balance', 'tx.gas', 'c4.total']) {
      const asked = { thread: program.first, run, view: undefined };
      const [hop] = pageHops(await transactionOrigins(runs, asked, question, signal), names).slice(-1);
      assert.deepEqual([hop?.isUnknown, hop?.at, hop?.place], [true, undefined, '13 bank'], question);
      assert.match(hop?.words ?? '', /^unknown: no code ran/);
    }
  });

  it('is refused where there is no such part, with the names of those that there are', async () => {
    for (const [question, hint] of [
      ['tx.body.nothing', /^There are: who, amount\.$/],
      ['tx.fees.other', /^There are: .*storage, .*gas/],
    ] as const) {
      await assert.rejects(told(program.first, question), (error: unknown) => {
        assert.ok(WorkbenchError.is(error, 'expression-invalid'), String(error));
        assert.match(error.hint ?? '', hint);
        return true;
      });
    }
  });

  it('is asked by name, unless the source has a variable that is called so', async () => {
    const { runs } = control();
    const view = (await runs.load(program.first, signal))!;
    const frame = { thread: program.first, view, step: view.steps - 1 };
    const { trees } = await askOrigins(runs, frame, 'tx.balance', signal);
    assert.equal(trees[0]?.hops[0]?.value, '15.798345788 TON');
    assert.deepEqual(
      ['tx.value', 'tx.body.a.b', 'tx.fees', 'tx.fees.gas', 'tx.body', 'tx.none', 'txs.gas'].filter(
        isTransactionQuestion,
      ),
      ['tx.value', 'tx.body.a.b', 'tx.fees', 'tx.fees.gas'],
    );
    await assert.rejects(askOrigins(runs, frame, 'tx.none', signal), { code: 'expression-invalid' });
  });
});
