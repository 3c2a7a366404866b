import { beginCell } from '@ton/core';
import type { Transaction } from '@ton/core';
import assert from 'node:assert/strict';
import { builtContract } from '../../../src/toolkit/contracts/abi/projectContract';
import { WorkbenchError } from '../../../src/toolkit/base/errors';
import { compareGas } from '../../../src/toolkit/gas/compareGas';
import { mergeBaseline, printBaseline, readBaseline, totalGas } from '../../../src/toolkit/gas/gasBaseline';
import { gasByLine } from '../../../src/toolkit/gas/gasByLine';
import type { CountedLine, GasByLine } from '../../../src/toolkit/gas/gasByLine';
import { gasComparisonText } from '../../../src/toolkit/gas/gasComparisonText';
import { GasBook } from '../../../src/toolkit/gas/gasBook';
import { messageKey, messageOf, methodKey } from '../../../src/toolkit/gas/gasKeys';
import { gasWords } from '../../../src/toolkit/gas/gasWords';
import { messageGas } from '../../../src/toolkit/gas/messageGas';
import type { Profile } from '../../../src/toolkit/sourceMap/profileOf';
import { limits } from '../../../src/toolkit/base/limits';
import { modelFrom } from '../../support/modelFrom';
import { chain, syntheticTrace } from '../trace/syntheticTrace';

/** 20 of its gas has no line. */
const withLines: GasByLine = {
  gas: 100,
  lines: [
    { file: 'till.tolk', function: 'onInternalMessage', text: 'kept.save();', gas: 50, line: 9 },
    { file: 'till.tolk', function: 'onInternalMessage', text: 'assert (a <= b) throw 7;', gas: 30, line: 8 },
  ],
};

describe('gas: a baseline', () => {
  it('names the run of a message by its opcode, and not that of a bounced one', () => {
    const names = new Map([[7, 'Increase']]);
    const received = (opcode: number, bounced: boolean): Pick<Transaction, 'inMessage'> =>
      ({
        inMessage: { info: { type: 'internal', bounced }, body: beginCell().storeUint(opcode, 32).endCell() },
      }) as Pick<Transaction, 'inMessage'>;
    assert.equal(messageOf(received(7, false), names), 'Increase');
    assert.equal(messageOf(received(8, false), names), undefined);
    assert.equal(messageOf(received(7, true), names), undefined);
    assert.equal(messageOf({ inMessage: null }, names), undefined);
  });

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

  it('has the lines of a run if they are known, each on a line of its own', () => {
    const text = printBaseline(new Map([['Till Withdraw', withLines]]));
    assert.equal(
      text,
      `{
  "Till Withdraw": {
    "gas": 100,
    "lines": {
      "till.tolk": {
        "onInternalMessage": {
          "assert (a <= b) throw 7;": 30,
          "kept.save();": 50
        }
      }
    }
  }
}
`,
    );
    const read = readBaseline(text).get('Till Withdraw');
    assert.ok(typeof read === 'object');
    assert.equal(compareGas(withLines, read).lines.filter(({ change }) => change !== 0).length, 0);
    assert.equal(totalGas(read), 100);
    // A later run whose lines are not known keeps them only if it used as much.
    const baseline = new Map([['Till Withdraw', read]]);
    assert.deepEqual(mergeBaseline(baseline, new Map([['Till Withdraw', 100]])), baseline);
    assert.equal(mergeBaseline(baseline, new Map([['Till Withdraw', 99]])).get('Till Withdraw'), 99);
  });

  it('takes from a file only lines that can be true', () => {
    const odd = {
      '__proto__ get()': { gas: 5, lines: { 'a.tolk': { f: { 'x;': '5', 'y;': -1, 'z;': null } } } },
      'more than all': { gas: 5, lines: { 'a.tolk': { f: { 'x;': 6 } } } },
      'no gas': { lines: { 'a.tolk': { f: { 'x;': 6 } } } },
      'other shapes': { gas: 7, lines: [['a.tolk', { f: 1 }]] },
    };
    assert.deepEqual(
      readBaseline(JSON.stringify(odd)),
      new Map([
        ['__proto__ get()', 5],
        ['more than all', 5],
        ['other shapes', 7],
      ]),
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

describe('gas: two runs', () => {
  const [save, check] = withLines.lines as [CountedLine, CountedLine];

  it('are compared line by line, the biggest change first, and the changes add up', () => {
    const now: GasByLine = {
      gas: 140,
      lines: [
        { ...save, gas: 75, line: 12 },
        { ...check, function: 'checked', line: 3 },
        { ...save, text: 'log("saved");', gas: 8, line: 13 },
      ],
    };
    const found = compareGas(withLines, now);
    assert.deepEqual(
      found.lines.map(({ text, line, before, now: then, change }) => [text, line, before, then, change]),
      [
        ['kept.save();', 12, 50, 75, 25],
        ['log("saved");', 13, undefined, 8, 8],
        // It was moved to another function, so it is not new.
        ['assert (a <= b) throw 7;', 3, 30, 30, 0],
      ],
    );
    assert.deepEqual(found.unmapped, { before: 20, now: 27, change: 7 });
    assert.equal(
      found.lines.reduce((sum, { change }) => sum + change, found.unmapped.change),
      found.change,
    );
    assert.equal(
      gasComparisonText(found),
      [
        '100 -> 140 gas (+40, +40.0%)',
        '',
        'before  now  change  line',
        '    50   75     +25  till.tolk:12  kept.save();',
        '          8      +8  till.tolk:13  new: log("saved");',
        '    20   27      +7                without a line',
        '',
        '1 line as before',
      ].join('\n'),
    );
  });

  it('have removed lines where the source has changed, and say it if nothing did', () => {
    const now: GasByLine = { gas: 60, lines: [{ ...save, gas: 40 }] };
    const text = gasComparisonText(compareGas(withLines, now));
    assert.match(text, /^100 -> 60 gas \(−40, -40\.0%\)\n/);
    assert.match(text, /\n {4}30 +−30 +till\.tolk +removed: assert \(a <= b\) throw 7;\n/);
    assert.match(gasComparisonText(compareGas(now, now)), /No line uses more or less than before\.$/);
  });

  it('have edited lines: those of the same function that are much alike', () => {
    const now: GasByLine = {
      gas: 100,
      lines: [
        { ...check, text: 'assert (a < b) throw 8;', gas: 25 },
        { ...save, text: 'kept.saveAll();', function: 'other', gas: 50 },
      ],
    };
    const { lines } = compareGas(withLines, now);
    assert.deepEqual(
      lines.map(({ text, was, change }) => [text, was, change]),
      [
        ['kept.saveAll();', undefined, 50],
        ['kept.save();', undefined, -50],
        ['assert (a < b) throw 8;', 'assert (a <= b) throw 7;', -5],
      ],
    );
    assert.match(gasComparisonText(compareGas(withLines, now)), / edited: assert \(a < b\) throw 8;/);
  });

  it('count lines with the same text in the same function as one', () => {
    const line = { file: '/p/a.tolk', text: '  x += 1;', function: 'f', steps: 1 };
    const profile: Profile = {
      gasUsed: 30,
      functions: [],
      lines: [
        { ...line, line: 9, gas: 10 },
        { ...line, line: 4, gas: 12 },
      ],
      unmapped: { gas: 8, steps: 2 },
    };
    assert.deepEqual(
      gasByLine(profile, () => 'a.tolk'),
      {
        gas: 30,
        lines: [{ file: 'a.tolk', function: 'f', text: 'x += 1;', gas: 22, line: 4 }],
      },
    );
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
