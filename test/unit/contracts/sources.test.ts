import assert from 'node:assert/strict';
import { signatureText } from '../../../src/toolkit/contracts/abi/getMethodSignature';
import type { GetMethodSignature } from '../../../src/toolkit/contracts/abi/getMethodSignature';
import { readFuncSource } from '../../../src/toolkit/contracts/abi/readSignatures';
import { readTactSource } from '../../../src/toolkit/contracts/abi/readTactSource';
import { readTolkSource } from '../../../src/toolkit/contracts/abi/readTolkSource';
import { slotsOf } from '../../../src/toolkit/contracts/abi/abiType';

type Shape = [title: string, source: string, expected: string[], imported?: string[]];

function check(
  read: (text: string, imported?: readonly string[]) => GetMethodSignature[],
  shapes: Shape[],
): void {
  for (const [title, source, expected, imported] of shapes) {
    it(title, () => {
      const methods = read(source, imported);
      assert.deepEqual(methods.map(signatureText), expected);
      for (const { name, offset } of methods) {
        assert.equal(offset === undefined ? name : source.slice(offset, offset + name.length), name);
      }
    });
  }
}

describe('abi: get-methods in Tolk source', () => {
  check(readTolkSource, [
    ['a plain getter', 'get fun seqno(): int {\n  return 0;\n}', ['seqno(): int']],
    [
      'the older form without fun',
      'get get_public_key(): int { return 1; }\nget is_on(): bool { return true; }',
      ['get_public_key(): int', 'is_on(): bool'],
    ],
    [
      'a struct result, and everything else at the top level left out',
      `import "storage"
      import "@stdlib/gas-payments"
      tolk 1.0
      const ERROR = 0x49;
      global counter: int;
      struct JettonDataReply {
        totalSupply: coins
        mintable: bool
        adminAddress: address?
        jettonContent: cell
        jettonWalletCode: cell
      }
      fun onInternalMessage(in: InMessage) {
        val get = lazy Storage.load(); match (get) { A => { get fun_(): 1 } }
      }
      get fun get_jetton_data(): JettonDataReply {
        return { totalSupply: 1, mintable: true }
      }
      get fun get_wallet_address(ownerAddress: address): address { return calc(ownerAddress); }`,
      ['get_jetton_data(): JettonDataReply', 'get_wallet_address(ownerAddress: address): address'],
    ],
    [
      'sized numbers, bits and nullable types',
      'get fun f(a: int32, b: uint256?, c: coins, d: bits512, e: bytes32, g: varuint32, h: slice | null): void {}',
      ['f(a: int32, b: uint256?, c: coins, d: bits512, e: bits256, g: varuint32, h: slice?)'],
    ],
    [
      'tensors, typed tuples, grouping brackets',
      'get fun f(a: (int, slice), b: [int, [cell, builder]], c: (int)): (int, (cell, bool)) {}',
      ['f(a: (int, slice), b: [int, [cell, builder]], c: int): (int, (cell, bool))'],
    ],
    [
      'maps, typed cells, lists, dictionaries and continuations',
      'get fun f(m: map<int32, address>, c: Cell<Foo<int>>, l: lisp_list<int>, d: dict, k: (int) -> slice): map<uint256, Cell<Bar>> {}',
      [
        'f(m: map<int32, address>, c: Cell<Foo<int>>, l: lisp_list<int>, d: dict, k: continuation): map<uint256, Cell<Bar>>',
      ],
    ],
    ['unions', 'get fun f(a: int | slice | null): | A | B {}', ['f(a: int | slice | null): A | B']],
    [
      'method ids by annotation, on getters and on functions',
      '@method_id(0x1FF)\n@inline_ref\nfun hidden(x: int): int {}\n@deprecated("use other")\nget fun old() {}\n@method_id(65536) get fun z(): int {}',
      ['hidden(x: int): int', 'old()', 'z(): int'],
    ],
    [
      'comments in odd places and strings that look like code',
      `// get fun no(): int {}
      /* get fun no2(): int {} */
      get /* a */ fun /* b */ real( // the (first)
        a /* : slice */ : int, /* , b: int */
      ) /* : slice */ : /* x */ cell { val s = "} get fun no3(): int {"; val t = """
        get fun no4(): int {}
      """; }`,
      ['real(a: int): cell'],
    ],
    [
      'generic structs and aliases, resolved',
      `struct Pair<A, B = int> { first: A, second: B }
      type Price = coins;
      type Both = Pair<Price, bool>
      get fun both(): Both {}
      get fun one(): Pair<address, Price?> {}`,
      ['both(): Pair<coins, bool>', 'one(): Pair<address, coins?>'],
    ],
    [
      'types of imported files',
      'import "types"\nget fun state(): State {}\nget fun mode(): Mode {}',
      ['state(): State', 'mode(): Mode'],
      [
        'struct (0x12345678) State { private readonly a: int32 = 5; b: cell }\nenum Mode: uint8 { Off, On = 7, Other }',
      ],
    ],
    [
      'default values and mutate parameters',
      'get fun f(a: int = max(1, 2), mutate b: slice, c: bool = true): int {}',
      ['f(a: int, b: slice, c: bool): int'],
    ],
    [
      'a broken declaration beside a whole one',
      'get fun broken(a: : int) {}\nget fun whole(): int {}',
      ['whole(): int'],
    ],
    ['a getter without a result type, and a name in backticks', 'get fun `my method`() {}', ['my method()']],
    ['windows line ends', 'get fun a(): int {\r\n}\r\nget fun b(): int {\r\n}', ['a(): int', 'b(): int']],
  ]);

  it('have their fields, generics, and enumerations resolved', () => {
    const [both, mode, recursive] = readTolkSource(`
      struct Pair<A, B> { first: A
        second: B = 5 as B
        third: [A, B] }
      enum Mode: uint8 { Off, On = 7, Other }
      struct List { next: List?  value: int }
      get fun both(): Pair<address, coins> {}
      get fun mode(): Mode {}
      get fun recursive(): List {}`);
    assert.deepEqual(both?.result, {
      kind: 'struct',
      name: 'Pair',
      arguments: [{ kind: 'address' }, { kind: 'coins' }],
      fields: [
        { name: 'first', type: { kind: 'address' } },
        { name: 'second', type: { kind: 'coins' }, defaultText: '5' },
        { name: 'third', type: { kind: 'typedTuple', items: [{ kind: 'address' }, { kind: 'coins' }] } },
      ],
    });
    assert.equal(slotsOf(both.result), 3);
    assert.ok(mode?.result.kind === 'enum');
    assert.deepEqual(
      mode.result.members.map(({ value }) => value),
      [0n, 7n, 8n],
    );
    assert.equal(recursive?.name, 'recursive');
  });

  it('keep default values as written', () => {
    const [method] = readTolkSource(
      'get fun f(a: int = -5, b: coins = ton("0.05"), c: bool = max(1, 2) > 1, d: cell? = null, e: int) {}',
    );
    assert.deepEqual(
      method?.parameters.map(({ defaultText }) => defaultText),
      ['-5', '0.05ton', 'max(1, 2) > 1', 'null', undefined],
    );
  });

  it('keep method ids and comments', () => {
    const [first] = readTolkSource(
      '/// The counter.\n/// Never negative.\n@method_id(0x123)\nget fun counter(): int {}',
    );
    assert.equal(first?.methodId, 0x123);
    assert.equal(first.comment, 'The counter.\nNever negative.');
  });
});

describe('abi: get-methods in FunC source', () => {
  check(readFuncSource, [
    [
      'a plain getter',
      'int seqno() method_id {\n  return get_data().begin_parse().preload_uint(32);\n}',
      ['seqno(): int'],
    ],
    [
      'several results',
      '(int, int, slice, cell, cell) get_jetton_data() method_id {\n  var (a, b) = load();\n  return (a, -1, b);\n}',
      ['get_jetton_data(): (int, int, slice, cell, cell)'],
    ],
    [
      'arguments, other specifiers, several lines',
      '(int, cell) dnsresolve(slice subdomain,\n   int category) impure inline_ref method_id {\n}',
      ['dnsresolve(subdomain: slice, category: int): (int, cell)'],
    ],
    [
      'a method id of its own',
      'int get_x() method_id(0x15d01) { return 1; }\n_ get_y(int a) method_id(85143){}',
      ['get_x(): int', 'get_y(a: int): unknown'],
    ],
    [
      'comments of both kinds, nested, in odd places',
      `;; int no() method_id {}
      {- int no2() method_id { } {- nested -} int no3() method_id {} -}
      int ;; result
      real {- name -} ( ;; arguments
        int a {- first -} , ;; , int b
        slice s ) ;; end
        method_id ;; )
      { throw_unless(5, "} int no4() method_id {"c > 1); }`,
      ['real(a: int, s: slice): int'],
    ],
    [
      'typed tuples, lists, tuples and unit',
      '[int, slice] a() method_id {}\ntuple b(tuple t) method_id {}\n() c() method_id {}\n((int, int), [cell]) d() method_id {}',
      ['a(): [int, slice]', 'b(t: tuple): tuple', 'c()', 'd(): ((int, int), [cell])'],
    ],
    [
      'polymorphic functions and continuations',
      'forall X, Y -> (X, tuple) pick(X x, (X -> Y) f) method_id {}\nint run(cont c) method_id {}',
      ['pick(x: unknown, f: continuation): (unknown, tuple)', 'run(c: continuation): int'],
    ],
    [
      'arguments without types and without names',
      'int f(a, _, int) method_id {}',
      ['f(a: unknown, argument1: unknown, argument2: int): int'],
    ],
    [
      'everything else at the top level',
      `#include "stdlib.fc";
      #pragma version >=0.4.0;
      const int op::mint = 21; const slice x = "a"s;
      global int counter; global (int, cell) pair;
      int muldiv(int x, int y, int z) asm "MULDIV";
      builder store(builder b, int x) asm(x b) "STVARUINT16" "method_id";
      () recv_internal(int msg_value, cell in_msg_full, slice in_msg_body) impure { if (op == op::mint) { return (); } }
      int helper(int a) inline { return a; }
      int balance() method_id { return helper(1); }`,
      ['balance(): int'],
    ],
    [
      'a declaration before its definition',
      'int get_count() method_id;\nint other();\nint get_count() method_id { return 1; }\nint other() { return 2; }',
      ['get_count(): int'],
    ],
    [
      'names of every kind',
      'int is_claimed?(int index) method_id {}\nint `my name`() method_id {}\nint get::it() method_id {}',
      ['is_claimed?(index: int): int', 'my name(): int', 'get::it(): int'],
    ],
    [
      'the elector',
      '_ participant_list() method_id {}\nint participates_in(int validator_pubkey) method_id {}',
      ['participant_list(): unknown', 'participates_in(validator_pubkey: int): int'],
    ],
    [
      'comments of the newer compiler',
      '// int no() method_id {}\n/* int no() method_id {} */ int yes() method_id {}',
      ['yes(): int'],
    ],
    [
      'a broken definition beside a whole one',
      'int ((( method_id {}\nint whole() method_id {}',
      ['whole(): int'],
    ],
  ]);

  it('keep method ids and comments', () => {
    const [first] = readFuncSource(';; The price\n;; in nanocoins\nint price() method_id(77) {}');
    assert.deepEqual([first?.methodId, first?.comment], [77, 'The price\nin nanocoins']);
  });
});

describe('abi: getters in Tact source', () => {
  check(readTactSource, [
    ['a plain getter', 'contract A { get fun counter(): Int { return self.counter; } }', ['counter(): int']],
    [
      'every type with its serialization',
      `contract A { get fun f(a: Int as uint32, b: Address?, c: Int? as coins, d: Bool, e: Cell, f: Slice, g: Builder,
        h: String, i: Int as int257): Int as uint8 {} }`,
      [
        'f(a: uint32, b: address?, c: coins?, d: bool, e: cell, f: slice, g: builder, h: string, i: int): uint8',
      ],
    ],
    [
      'maps',
      'contract A { get fun f(): map<Int as uint8, Address> {} get fun g(m: map<Address, MyStruct>): map<Int, Bool>? {} }',
      ['f(): map<uint8, address>', 'g(m: map<address, MyStruct>): map<int, bool>?'],
    ],
    [
      'structs and messages',
      `struct JettonData { totalSupply: Int as coins; mintable: Bool = true; owner: Address; content: Cell?; }
      message(0x178d4519) Transfer { queryId: Int as uint64; amount: Int as coins }
      contract A { get fun get_jetton_data(): JettonData {} get fun last(): Transfer? {} get fun hash(t: Transfer): Int {} }`,
      ['get_jetton_data(): JettonData', 'last(): Transfer?', 'hash(t: Transfer): int'],
    ],
    [
      'several contracts in one file',
      'contract A { get fun a(): Int {} }\ncontract B(owner: Address, n: Int as uint8) { get fun b(): Address { return self.owner; } }',
      ['a(): int', 'b(): address'],
    ],
    [
      'traits, inherited and overridden',
      `trait Ownable { owner: Address; get fun owner(): Address { return self.owner; } virtual fun x() {} }
      @interface("stop") trait Stoppable with Ownable { virtual get fun stopped(): Bool { return false; } }
      contract A with Stoppable, Deployable { override get fun stopped(): Bool as uint8 { return true; } get fun own(): Int {} }`,
      ['stopped(): bool', 'own(): int', 'owner(): address'],
    ],
    [
      'traits of imported files',
      'import "@stdlib/ownable";\ncontract A with Ownable { owner: Address; init(o: Address) { self.owner = o; } get fun a(): Int {} }',
      ['a(): int', 'owner(): address'],
      ['trait Ownable { get fun owner(): Address {} }'],
    ],
    [
      'explicit method ids and modifiers on both sides',
      'contract A { get(0x1234) fun f(): Int {} get(crc32("x") + 1) fun g(): Int {} virtual get fun h(): Int {} get virtual fun i(): Int {} }',
      ['f(): int', 'g(): int', 'h(): int', 'i(): int'],
    ],
    [
      'comments in odd places, strings, and code that only looks like getters',
      `contract A {
        // get fun no(): Int {}
        /* get fun no2(): Int {} */
        const TEXT: String = "} get fun no3(): Int {";
        get: Int = 0;
        receive(msg: Transfer) { let get = 5; if (get > 1) { dump("get fun no4()"); } }
        bounced(src: bounced<Transfer>) {}
        get /* x */ fun /* y */ real( a /* : Bool */ : Int , /* b */ ): /* Int */ Bool { return true; }
        fun helper(): Int { return 1; }
      }`,
      ['real(a: int): bool'],
    ],
    ['a getter without a result', 'contract A { get fun nothing() {} }', ['nothing()']],
    [
      'a text of traits alone',
      'trait T { abstract get fun t(): Int; get fun u(): Int {} }',
      ['t(): int', 'u(): int'],
    ],
    [
      'a broken declaration beside a whole one',
      'contract A { get fun (): Int {} }\ncontract B { get fun b(): Int {} }',
      ['b(): int'],
    ],
  ]);

  it('name the contract, and take struct arguments as one tuple', () => {
    const [method] = readTactSource('struct P { a: Int; b: Int }\ncontract C { get fun f(p: P): P {} }');
    assert.equal(method?.contract, 'C');
    assert.equal(slotsOf(method.parameters[0]?.type ?? { kind: 'void' }), 1);
    assert.equal(slotsOf(method.result), 2);
  });
});

describe('abi: what Tact sources do not contain themselves', () => {
  const signatures = (text: string, imported?: readonly string[]): string[] =>
    readTactSource(text, imported).map(signatureText);

  it('getters of the traits of the standard library', () => {
    const source = `
      import "@stdlib/stoppable";
      import "@stdlib/dns";
      contract Shop with Resumable, DNSResolver, OwnableTransferable {
        owner: Address;
        stopped: Bool;
        get fun price(): Int as coins { return 5 }
      }`;
    assert.deepEqual(signatures(source).sort(), [
      'dnsresolve(subdomain: slice, category: int): DNSResolveResult',
      'owner(): address',
      'price(): coins',
      'stopped(): bool',
    ]);
    const resolve = readTactSource(source).find(({ name }) => name === 'dnsresolve');
    assert.equal(resolve?.result.kind, 'struct');
  });

  it("a trait in the project takes precedence over the library's", () => {
    const own = 'trait Ownable { get fun owner(): Int { return 1 } get fun admin(): Int { return 2 } }';
    assert.deepEqual(signatures('contract A with Ownable {}', [own]), ['owner(): int', 'admin(): int']);
  });

  it('structs of the standard library', () => {
    const [method] = readTactSource(
      'contract A { get fun init(): StateInit? {} get fun size(): DataSize {} }',
    );
    assert.ok(method);
    const types = readTactSource(
      'contract A { get fun a(): StateInit {} get fun b(): StdAddress {} get fun c(): DataSize {} }',
    ).map(({ result }) => result);
    assert.deepEqual(types.map(slotsOf), [2, 2, 3]);
  });

  it('contracts used as types: their fields, from parameters and body', () => {
    const source = `
      struct Price { amount: Int as coins; until: Int as uint32 }
      contract Shop(owner: Address, price: Price) with Ownable {
        const fee: Int = 5;
        count: Int as uint32 = 0;
        wares: map<Int, Address>;
        init(x: Int) { self.count = x; }
        receive(m: String) { let a: Int = 1; }
        fun f(a: Int): Int { return a }
        get fun all(): Shop { return self }
      }`;
    const all = readTactSource(source).find(({ name }) => name === 'all');
    assert.ok(all?.result.kind === 'struct');
    assert.deepEqual(
      all.result.fields.map(({ name, type }) => `${name} ${type.kind}`),
      ['owner address', 'price struct', 'count int', 'wares map'],
    );
  });
});
