import assert from 'node:assert/strict';
import { runTolkCompiler } from '@ton/tolk-js';
import library from '@ton/tolk-js/dist/stdlib.tolk.js';
import { typeText } from '../../../src/toolkit/contracts/abi/abiType';
import { signatureText } from '../../../src/toolkit/contracts/abi/getMethodSignature';
import { readProject } from '../../../src/toolkit/contracts/abi/readProject';
import { readTolkSource } from '../../../src/toolkit/contracts/abi/readTolkSource';
import type { TolkHead } from '../../../src/toolkit/contracts/abi/tolkHeads';
import { readTolkHeads } from '../../../src/toolkit/contracts/abi/tolkHeads';
import { tolkLibraryHeads } from '../../../src/toolkit/contracts/abi/tolkLibrary';
import { tokenize } from '../../../src/toolkit/contracts/abi/tokenize';

/** Types, constants, and functions, those without a declared result among them. */
const declarations = `
struct Point { x: int8, y: coins, n: int32? }
struct Line { from: Point }
struct Box<T> { value: T }
struct (0x01) Inc { by: int32 }
struct (0x02) Dec { by: int32, why: Point? }
type Message = Inc | Dec
enum Color { Red, Green }
const FIVE = 5
const BYTE: uint8 = 5
const PRICE = ton("1")
global total: int16
fun Point.left(self) { return self.x }
fun Point.make(x: int8) { return Point{ x: x, y: 0, n: null } }
fun Box<T>.open(self) { return self.value }
fun int.twice(self) { return self * 2 }
fun T.itself(self): T { return self }
fun same<T>(x: T): T { return x }
fun maybe(x: int) { if (x > 1) { return Point.make(1); } return null; }
fun pair(x: int) { if (x > 0) { return (x, null); } return (0, x); }
fun Point.clear(mutate self) { self.n = null }
fun fail(): never { throw 7 }
`;

const parameters =
  'a: int, b: int8, c: coins, d: uint64, n: int?, s: slice, ad: address, m: map<int32, Point>, st: string';

/** Bodies of functions without a declared result. */
const bodies = [
  // Operators.
  ...[
    'a + b',
    'c + c',
    'c + a',
    'a + c',
    'c * 2',
    'c - c',
    'c / 2',
    'd << 1',
    '~d',
    '-b',
    'a == b',
    '!a',
    'a <=> b',
  ],
  ...[
    'true & true',
    'a & b',
    '(a & 1) == 0',
    'ad == ad',
    'a += 1',
    'a = 5',
    '!(a > 1)',
    'a > 1 && b < 3',
    '-a is int',
  ],
  // Values.
  ...[
    'null',
    '1',
    'ton("1")',
    '(a, b)',
    '()',
    '((a))',
    '(1, 2, b).2',
    '(a, (b, c)).1.0',
    '[a]',
    'array<int>[1]',
    '[]',
  ],
  ...[
    'Point{ x: 1, y: 1, n: null }',
    'Box{ value: b }',
    'Box<int>{ value: b }',
    'Color.Red',
    'Color.Red as int',
  ],
  ...[
    'FIVE',
    'BYTE',
    'PRICE',
    'FIVE + BYTE',
    'total',
    'BASECHAIN',
    'n',
    'n!',
    'st',
    'b as int',
    '5 as uint8',
    'a is int',
  ],
  ...[
    'Line{ from: Point.make(1) }.from.y',
    '[Point.make(1), Point.make(2)]',
    'n is int',
    'fun(x: int) { return x; }',
  ],
  // Calls.
  ...[
    'Point.make(1).left()',
    'Box{ value: c }.open()',
    'a.twice()',
    'b.twice()',
    'same(b)',
    'same(Point.make(1))',
  ],
  ...[
    'maybe(1)',
    'maybe(1)!.x',
    'pair(a)',
    'a.itself()',
    'Point.make(1).itself()',
    'max(c, c)',
    '"a".crc32()',
  ],
  ...[
    's.loadUint(8)',
    's.loadCoins()',
    's.loadAddress()',
    's.loadRef()',
    's.loadMaybeRef()',
    's.loadAny<Point>()',
  ],
  ...['Point.fromSlice(s)', 'Point.make(1).toCell()', 'Point.make(1).toCell().load()'],
  ...['beginCell().storeUint(1, 1).endCell()', 'createEmptyCell().hash()', 'contract.getData().beginParse()'],
  ...[
    'contract.getAddress()',
    'contract.getOriginalBalance()',
    'blockchain.now()',
    'blockchain.configParam(8)',
  ],
  ...[
    'm.get(1).loadValue()',
    'm.get(1).isFound',
    'm.findFirst().getKey()',
    'createEmptyMap<int32, bool>()',
    'm',
  ],
  ...[
    'ad.getWorkchainAndHash()',
    's.remainingBitsCount()',
    'isSignatureValid(1, s, 2)',
    'Inc{ by: 1 } as Message',
  ],
  // Choices.
  ...[
    'a > 0 ? b : null',
    'a > 0 ? (n, 1) : (null, 2)',
    'n == null ? 0 : n',
    'n != null ? (n, true) : (0, false)',
  ],
  ...['match (a) { 1 => b, 2 => b, else => b }', 'match (Color.Red) { Color.Red => 1, Color.Green => 2 }'],
  ...['match (a) { 1 => true, else => throw 5 }', 'maybe(1) != null'],
].map((value) => `return ${value};`);

bodies.push(
  'a + 1;',
  'if (a > 0) { return 1; } return null;',
  'if (a > 1) { return c; } else if (a > 2) { return c + 1; } else { return PRICE; }',
  'if (a > 1) { fail(); } return b;',
  'try { return 1; } catch (e) { return e; }',
  'val (q, w) = (a, c); return (w, q);',
  'val [q, w] = [n, c]; return w;',
  'val x = 3; val y = x * 2; return (y, x, s.remainingBitsCount());',
  'var (x: int?, y) = (5, s); return (x, y);',
  // Where a value cannot be null.
  'if (n != null) { return n; } return 1;',
  'if (n == null) { return 0; } return n;',
  'if (n == null) { fail(); } return n;',
  'if (n is null) { return 4; } return n;',
  'assert (n != null) throw 5; return n;',
  'if (n == null) { n = 7; } return n;',
  'var z: int? = 5; return z;',
  'var z = n; if (z == null) { z = 3; } else { z += 1; } return z;',
  'var z: int8? = b; return z;',
  'val r = maybe(1); return r != null && r.x > 3;',
  'val r = maybe(1); if (r == null || r.n == null) { return 5 as int32; } return r.n;',
  'val r = maybe(1); if (r != null && r.n != null) { return r.n; } return 5 as int32;',
  'var p = Point.make(1); p.n = 5; return p.n;',
  'var p = Point.make(1); return p.n;',
  'var p = Point.make(1); p.n = 5; p.clear(); return p.n;',
  'var p = Line{ from: Point.make(1) }; if (p.from.n == null) { return 1 as int32; } return p.from.n;',
  // A loop comes back with what it assigned.
  'var t: int? = null; while (a > 3) { t = 5; a -= 1; } return t;',
  'var t: int? = 3; while (a > 3) { a -= 1; } return t;',
  'var t: int? = 3; repeat (3) { t = null; } return t;',
  'var t: int? = null; do { t = 7; } while (a < 3); return t;',
  'var t: int? = n; while (t == null) { t = 7; } return t;',
  // Of which type a message is.
  'val x = lazy Message.fromSlice(s); return match (x) { Inc => x.by, Dec => x.by };',
  'val x = lazy Message.fromSlice(s); match (x) { Inc => { return x.by; } Dec => { throw 3; } }',
  'val x = Message.fromSlice(s); if (x is Inc) { return 0 as int32; } return x.by;',
  'val x = Message.fromSlice(s); if (x is Dec) { return x.why; } return null;',
  'match (val z = Message.fromSlice(s)) { Inc => return z.by, Dec => return z.by }',
);

/** The types that the compiler infers, as it writes them. */
async function compilerTypes(): Promise<string[]> {
  const functions = bodies.flatMap((body, place) => [
    `fun infer${place}(${parameters}) { ${body} }`,
    `get fun name${place}(${parameters}): string { return reflect.typeNameOfObject(infer${place}(a, b, c, d, n, s, ad, m, st)); }`,
  ]);
  const source = [
    'import "@stdlib/reflection"',
    declarations,
    ...functions,
    'fun onInternalMessage(_: InMessage) { }',
  ].join('\n');
  const compiled = await runTolkCompiler({ entrypointFileName: 'main.tolk', fsReadCallback: () => source });
  assert.ok(compiled.status === 'ok', JSON.stringify(compiled).slice(0, 3000));
  const names = new Map(
    [...compiled.fiftCode.matchAll(/name(\d+)\(\) PROC:<\{[^}]*?<b x\{([0-9a-f]*)/g)].map(
      ([, place, hex = '']) => [Number(place), Buffer.from(hex, 'hex').toString()],
    ),
  );
  return bodies.map((_, place) => names.get(place) ?? 'none');
}

/** As our types are written: aliases with what they stand for, and a function without its parameters. */
function written(type: string): string {
  return type
    .replace(/^\(\)$/, 'void')
    .replace(/^\(.*\) -> .*$/, 'continuation')
    .replace(/^Message$/, 'Inc | Dec');
}

describe('get-methods in Tolk that leave their result to the compiler', () => {
  it('have the types that the compiler infers', async () => {
    const source = `${declarations}${bodies.map((body, place) => `get fun infer${place}(${parameters}) { ${body} }`).join('\n')}`;
    const found = readTolkSource(source).map(({ result }, place) => `${bodies[place]} ${typeText(result)}`);
    const expected = await compilerTypes();
    assert.deepEqual(
      found,
      expected.map((type, place) => `${bodies[place]} ${written(type)}`),
    );
  });

  it('know what the functions of the standard library return', () => {
    const key = ({ receiver, name }: TolkHead): string => `${receiver ? typeText(receiver) : ''}.${name}`;
    const ours = new Map(tolkLibraryHeads().functions.map((head) => [key(head), typeText(head.result!)]));
    const theirs = Object.values(library)
      .flatMap((text) => readTolkHeads(tokenize(text, 'tolk')).functions)
      // One of them is a special case of another, and one has other types in Tolk 1.4.
      .filter((head) => !/, slice>\.|<slice>\.|\.calculateSize$/.test(key(head)))
      .filter(({ result }) => result !== undefined && !/^(?:void|SourceLocation)$/.test(typeText(result)))
      .filter(({ receiver }) => receiver === undefined || typeText(receiver) !== 'reflect')
      .map((head) => {
        const written = (text: string): string =>
          text.replace('TValue', 'V').replace(/^array<unknown>$/, 'tuple');
        return [written(key(head)), written(typeText(head.result!))] as const;
      });
    assert.ok(theirs.length > 200);
    assert.deepEqual(
      theirs.map(([name]) => [name, ours.get(name)]),
      theirs,
    );
  });

  it('are found in the files that a contract imports', async () => {
    const files = {
      'jar.tolk':
        'import "shared"\nfun onInternalMessage(_: InMessage) { }\nget fun level() { return Jar.load().level }\nget fun all() { return (level(), owner()) }\n',
      'shared.tolk':
        'struct Jar { level: uint16, owner: address? }\nfun Jar.load() { return Jar.fromCell(contract.getData()) }\nget fun owner() { val jar = Jar.load(); assert (jar.owner != null) throw 9; return jar.owner }\n',
    };
    const [jar] = await readProject(
      Object.entries(files).map(([path, text]) => ({ path, text })),
      (path, error) => assert.fail(`${path}: ${String(error)}`),
    );
    assert.deepEqual(
      jar?.methods.map((method) => signatureText(method)),
      ['level(): uint16', 'all(): (uint16, address)', 'owner(): address'],
    );
  });

  it('are unknown, without an error, if expressions and calls are nested very deeply', () => {
    const deep = (inner: string): string => `${'('.repeat(60)}${inner}${')'.repeat(60)}`;
    const functions = Array.from(
      { length: 40 },
      (_, place) => `fun f${place}() { return ${deep(`f${place + 1}()`)} }`,
    );
    const source = `${functions.join('\n')}\nget fun deep() { return ${deep('f0()')} }\nget fun one() { return ${'('.repeat(5000)}1${')'.repeat(5000)} }`;
    assert.deepEqual(
      readTolkSource(source).map((method) => signatureText(method)),
      ['deep(): unknown', 'one(): unknown'],
    );
  });

  it('are unknown where that cannot be told', () => {
    const unknown = [
      // Before Tolk 1.3 a slice, and a string since.
      'return "text";',
      'return missing(1);',
      'return { x: 1 };',
      'return Undeclared.fromSlice(s);',
      'val { x } = a; return 1;',
      'return (a, missing(1));',
      'if (a > 1) { return b; } return d;',
      'return again(1);',
      'return m.get(1).loadValue',
      'return (',
      'return m.missing();',
    ];
    const source = `${declarations} fun again(x: int) { return again(x - 1); }\n${unknown.map((body, place) => `get fun infer${place}(${parameters}) { ${body} }`).join('\n')}`;
    assert.deepEqual(
      readTolkSource(source).map(({ result }, place) => `${unknown[place]} ${typeText(result)}`),
      unknown.map((body) => `${body} unknown`),
    );
  });
});
