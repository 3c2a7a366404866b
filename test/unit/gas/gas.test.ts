import assert from 'node:assert/strict';
import { builtContract } from '../../../src/toolkit/abi/projectContract';
import { WorkbenchError } from '../../../src/toolkit/errors';
import { mergeBaseline, printBaseline, readBaseline } from '../../../src/toolkit/gas/gasBaseline';
import { GasBook } from '../../../src/toolkit/gas/gasBook';
import { messageKey, methodKey } from '../../../src/toolkit/gas/gasKeys';
import { gasWords } from '../../../src/toolkit/gas/gasWords';
import { messageGas } from '../../../src/toolkit/gas/messageGas';
import { limits } from '../../../src/toolkit/limits';
import { modelFrom } from '../../support/modelFrom';
import { chain, syntheticTrace } from '../trace/syntheticTrace';

describe('gas: a baseline', () => {
  it('is the same text whatever ran first, and is read back', () => {
    const runs = [
      ['Vault weightOf(bob)', 812],
      ['Counter Increase', 1523],
      ['Counter currentCounter()', 479],
    ] as const;
    const text = printBaseline(new Map(runs));
    assert.equal(
      text,
      '{\n  "Counter Increase": 1523,\n  "Counter currentCounter()": 479,\n  "Vault weightOf(bob)": 812\n}\n',
    );
    assert.equal(printBaseline(new Map([...runs].reverse())), text);
    assert.deepEqual(readBaseline(text), new Map([...runs].sort(([a], [b]) => (a < b ? -1 : 1))));
  });

  it('keeps the figures of what did not run', () => {
    const before = new Map([
      ['Counter Increase', 1500],
      ['Vault Drop', 700],
    ]);
    const merged = mergeBaseline(before, new Map([['Counter Increase', 1523]]));
    assert.deepEqual(
      [...merged],
      [
        ['Counter Increase', 1523],
        ['Vault Drop', 700],
      ],
    );
  });

  it('skips figures that are none, and refuses what is no baseline', () => {
    assert.deepEqual(readBaseline('{"a": 1, "b": "2", "c": -3, "d": 1.5, "e": null}'), new Map([['a', 1]]));
    for (const text of ['', '[1]', 'null', '<<<<<<< HEAD']) {
      assert.throws(
        () => readBaseline(text),
        (error) => WorkbenchError.is(error, 'gas-baseline-unreadable'),
      );
    }
    assert.throws(
      () => readBaseline(' '.repeat(limits.gasBaseline.most + 1)),
      (error) => WorkbenchError.is(error, 'over-limit'),
    );
  });

  it('names a method with its arguments, and a contract as one word however its files are called', () => {
    assert.equal(methodKey('contracts/vault.tolk', 'weightOf', ' bob '), 'Vault weightOf(bob)');
    assert.equal(messageKey('vault', 'AddGuardian'), 'Vault AddGuardian');
    assert.ok(methodKey('Vault', 'm', 'x'.repeat(10_000)).length < 200);
  });

  it('is compared with the last run', () => {
    assert.equal(gasWords(1723, undefined), 'gas 1 723');
    assert.equal(gasWords(735, 723), 'gas 735 (+12)');
    assert.equal(gasWords(723, 1735), 'gas 723 (−1 012)');
    assert.equal(gasWords(723, 723), 'gas 723 (±0)');
    const book = new GasBook();
    assert.deepEqual([book.note('a', 1), book.note('a', 1), book.note('a', 2)], [true, false, true]);
    assert.equal(book.of('a'), 2);
  });

  it('is kept for later sessions; the oldest runs are dropped', () => {
    const book = new GasBook();
    for (let run = 0; run < 1_200; run++) {
      book.note(`run ${run}`, run);
    }
    book.note('run 200', 7);
    const later = new GasBook(JSON.parse(JSON.stringify([...book.runs()])) as [string, number][]);
    assert.deepEqual([later.of('run 199'), later.of('run 200'), later.of('run 1199')], [undefined, 7, 1199]);
    assert.equal(later.runs().size, 1_000);
    assert.equal(later.note('run 200', 7), false);
  });
});

describe('gas: messages of a trace', () => {
  const increase = 0x21;
  const codeHash = 'ab'.repeat(32);
  const project = [
    { ...builtContract('counter', 'counter.tolk', codeHash) },
    {
      ...{ name: 'counter', file: 'counter.tolk', origin: 'Tolk source' as const, methods: [] },
      ...{ errors: new Map(), messages: new Map([[increase, 'Increase']]) },
    },
  ];

  /** A chain of two, whose second transaction is the counter's. */
  function gasOf({ success = true, bounced = false, hash = codeHash } = {}): Map<string, number> {
    const trace = syntheticTrace(2, chain);
    const rows = trace.transactions_order?.map((one) => trace.transactions?.[one]) ?? [];
    for (const message of [rows[0]?.out_msgs?.[0], rows[1]?.in_msg]) {
      assert.ok(message);
      Object.assign(message, { opcode: '0x00000021', bounced });
    }
    const [, own] = rows;
    assert.ok(own?.account_state_before && own.description);
    own.account_state_before.code_hash = Buffer.from(hash, 'hex').toString('base64');
    own.description.compute_ph = { skipped: false, success, gas_used: '1523' };
    return messageGas(modelFrom(trace), project);
  }

  it('is that of the compute phase of the contract that takes it', () => {
    assert.deepEqual([...gasOf()], [['Counter Increase', 1523]]);
  });

  it('is not that of a failure, of a bounced message, or of other code', () => {
    for (const other of [{ success: false }, { bounced: true }, { hash: 'cd'.repeat(32) }]) {
      assert.equal(gasOf(other).size, 0);
    }
  });
});
