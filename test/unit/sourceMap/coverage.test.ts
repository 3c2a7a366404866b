import assert from 'node:assert/strict';
import { runTolkCompiler } from '@ton/tolk-js';
import { BranchBook } from '../../../src/toolkit/sourceMap/sourceMap';
import { CoverageBook } from '../../../src/toolkit/sourceMap/coverageBook';
import type { SourceCoverage } from '../../../src/toolkit/sourceMap/coverageBook';
import { lcovText } from '../../../src/toolkit/sourceMap/lcovText';
import { refusedNotes } from '../../../src/toolkit/sourceMap/refusedNotes';
import { countRun } from '../../../src/toolkit/sourceMap/mapSteps';
import type { SourceMap, SourcePlace } from '../../../src/toolkit/sourceMap/sourceMap';
import { mapText, runMapped } from './support/mappedMethod';

const source = `fun onInternalMessage(in: InMessage) {}

@inline_ref
fun checked(a: int): int {
    assert (a < 100) throw 402;
    return a * 3;
}

@inline
fun signOf(a: int): int {
    if (a < 0) {
        return -1;
    }
    return 1;
}

get fun picked(a: int): int {
    val small = a > 5 ? 10 : 20;
    if (a == 7) {
        return checked(a);
    } else {
        return small + signOf(a) + signOf(a + 1);
    }
}

get fun looped(n: int): int {
    var total = 0;
    while (n > 0) {
        n -= 1;
        if (n % 2 == 0) {
            total += 1;
        }
    }
    repeat (3) {
        total += 2;
    }
    return total;
}

get fun matched(a: int, b: int): int {
    match (a) {
        1 => { return 10; }
        2 => { return b > 1 && b < 9 ? checked(b) : 5; }
        else => { throw 777; }
    }
}

struct Kept {
    a: int8?;
    b: int8;
}

get fun kept(a: int): int {
    val kept = Kept.fromCell(beginCell().storeBool(a > 1).storeInt(a, 8).storeInt(a, 8).endCell());
    return kept.a == null
        // What if?
        ? 1
        : 2;
}

get fun refused(a: int): int {
    return checked(a);
}
`;
const file = '/contracts/choices.tolk';

describe('coverage of branches', () => {
  let map: SourceMap;
  let code: string;

  before(async () => {
    const compiled = await runTolkCompiler({ entrypointFileName: file, fsReadCallback: () => source });
    assert.ok(compiled.status === 'ok');
    code = compiled.codeBoc64;
    map = await mapText(file, source);
  });

  const covered = async (...calls: [method: string, ...values: bigint[]][]): Promise<SourceCoverage> => {
    const book = new CoverageBook();
    book.addMap(map);
    for (const [method, ...values] of calls) {
      book.addRun(map.codeHash, countRun((await runMapped(map, code, method, ...values)).steps));
    }
    const [only] = book.files();
    assert.equal(only?.file, file);
    return only;
  };
  const shown = ({ branches }: SourceCoverage): string[] =>
    branches.map(({ line, kind, ways }) => `${line} ${kind} ${ways.join(' ')}`);

  it('says which way every choice of a line went, and how often', async () => {
    const ran = await covered(['picked', 7n], ['picked', 3n], ['picked', -4n], ['looped', 3n]);
    assert.deepEqual(shown(ran), [
      '5 assert 0 1',
      // Both copies of the inlined function are counted here.
      '11 choice 2 2',
      // Both values are made, one is taken.
      '18 choice 1 2',
      '19 choice 1 2',
      // Loops are no choices.
      '30 choice 2 1',
      ...['42 choice 0 0', '43 choice 0 0', '43 choice 0 0', '43 choice 0 0'],
      // Reading an optional field is no choice of the source.
      '55 choice 0 0',
    ]);
  });

  it('knows the arms of a match, the parts of a condition, and which assert threw', async () => {
    const calls: [string, ...bigint[]][] = [
      ['matched', 1n, 0n],
      ['matched', 2n, 3n],
      ['matched', 2n, 1n],
      ['matched', 3n, 1n],
      ['picked', 7n],
    ];
    const none = ['11 choice 0 0', '18 choice 1 0', '19 choice 1 0', '30 choice 0 0'];
    // The arm, `b > 1`, and the whole condition.
    const arms = ['42 choice 1 3', '43 choice 2 1', '43 choice 1 1', '43 choice 1 1'];
    assert.deepEqual(shown(await covered(...calls)), ['5 assert 0 2', ...none, ...arms, '55 choice 0 0']);
    assert.equal(shown(await covered(['refused', 100n]))[0], '5 assert 1 0');
  });

  it('counts no way that a failed step did not go, and nothing twice', async () => {
    const twice = await covered(['looped', 3n], ['looped', 3n]);
    assert.equal(shown(twice)[4], '30 choice 4 2');
    const nothing = await covered();
    assert.deepEqual(new Set(nothing.branches.flatMap(({ ways }) => ways)), new Set([0]));
    assert.deepEqual(new Set(nothing.lines.values()), new Set([0]));
  });

  it('knows nothing of a method that has no lines, and says so', () => {
    const book = new CoverageBook();
    const methods = map.methods.map((one) =>
      one.name === 'looped' ? { ...one, marks: [], refused: 'the listing has ADD, the code SUB' } : one,
    );
    book.addMap({ ...map, methods });
    const [only] = book.files();
    const lines = [...(only?.lines.keys() ?? [])];
    assert.deepEqual(
      lines.filter((line) => line >= 26 && line <= 38),
      [],
    );
    assert.ok(lines.includes(19) && lines.includes(42));
    assert.equal(
      only?.functions.some(({ name }) => name === 'looped'),
      false,
    );
    assert.deepEqual(refusedNotes({ ...map, methods }), [
      'looped has no lines: its listing differs from its code (the listing has ADD, the code SUB).',
    ]);
    assert.deepEqual(refusedNotes(map), []);
  });

  it('is written for readers of lcov: a choice that was not reached has no counts', async () => {
    const text = lcovText([await covered(['matched', 2n, 1n])], () => 'choices.tolk');
    assert.deepEqual(
      text.split('\n').filter((line) => /^BRDA:4[23]/.test(line)),
      [
        ...['BRDA:42,0,0,0', 'BRDA:42,0,1,1', 'BRDA:43,0,0,1', 'BRDA:43,0,1,0'],
        ...['BRDA:43,1,0,0', 'BRDA:43,1,1,1', 'BRDA:43,2,0,0', 'BRDA:43,2,1,1'],
      ],
    );
    assert.match(text, /\nBRDA:30,0,0,-\nBRDA:30,0,1,-\n/);
    assert.match(text, /\nBRF:20\nBRH:4\n/);
  });
});

type Placed = Parameters<BranchBook['number']>[0][number];

describe('the copies of an inlined function', () => {
  const place = (line: number, name: string, text = ''): SourcePlace => {
    return { file: 'a.tolk', line, text, function: name };
  };
  const places = [
    place(1, 'main'),
    place(5, 'helper', 'assert (a) throw 402;'),
    place(6, 'helper', 'return a ? (b ? 1 : 2) : 3;'),
    place(7, 'helper'),
  ];
  const at = (place: number, name: string, listing: object = {}): Placed => {
    return { place, code: { name }, listing };
  };
  /** One choice within another, on the same line. */
  const [outer, inner] = [{ op: 'IF' }, { op: 'IFNOT' }];
  const whole = (): Placed[] => [
    at(1, 'THROWIFNOT_SHORT'),
    ...[at(2, 'PUSHCONT', outer), at(2, 'PUSHCONT', inner), at(3, 'ADD'), at(2, 'IFNOT', inner)],
    at(2, 'IF', outer),
  ];
  const numbers = (...instructions: Placed[]): (number | undefined)[] => {
    const statementAt = (index: number): string => places[index]!.text;
    const found = new BranchBook({ places, statementAt }).number(instructions);
    return instructions.flatMap((_, index) => found.get(index) ?? []);
  };

  it('have the same branches, wherever the assembler put their code', () => {
    const other = [
      at(1, 'THROWIFNOT'),
      ...[at(2, 'IFREF', outer), at(2, 'PUSHCONT', inner), at(3, 'ADD'), at(2, 'IFNOT', inner)],
    ];
    assert.deepEqual(numbers(at(0, 'DUP'), ...whole(), at(0, 'ADD'), ...other), [0, 2, 1, 0, 1, 2]);
  });

  it('have branches of their own where the compiler changed one', () => {
    const [, ...changed] = whole();
    assert.deepEqual(numbers(at(0, 'DUP'), ...whole(), at(0, 'ADD'), ...changed), [0, 2, 1, 4, 3]);
    // Nothing tells where the first copy ends.
    assert.deepEqual(new Set(numbers(at(0, 'DUP'), ...whole(), ...whole())).size, 6);
  });

  it('decide nothing where the compiler added a check or a choice that the source does not have', () => {
    assert.deepEqual(
      numbers(at(0, 'THROWIF'), at(0, 'THROW_SHORT'), at(0, 'IF'), at(1, 'THROWIF'), at(1, 'IF')),
      [0],
    );
  });
});
