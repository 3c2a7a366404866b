import assert from 'node:assert/strict';
import { readFiftListing } from '../../../src/toolkit/sourceMap/fiftListing';
import { markName, markTact, tactConstants } from '../../../src/toolkit/sourceMap/markTact';
import type { TactMark } from '../../../src/toolkit/sourceMap/markTact';
import { sourceFunctions } from '../../../src/toolkit/sourceMap/sourceFunctions';

/** The source with its marks, each as the line that it stands for; `head` for that of a function. */
function marked(text: string, leftOut?: number): string {
  const marks: TactMark[] = [];
  const isLeftOut = (first: number, last: number): boolean =>
    leftOut !== undefined && first <= leftOut && leftOut <= last;
  const constants = new Set(tactConstants(text));
  const result = markTact({ file: 'a.tact', text }, marks, constants, isLeftOut);
  return marks.reduceRight(
    (shown, { line, isHead }, mark) =>
      shown.replace(`${markName(mark)}();`, `<${line}${isHead ? ' head' : ''}>`),
    result,
  );
}

/** The body of a function with marks, without those of the function itself. */
function markedBody(body: string): string {
  const text = marked(`fun f(): Int {\n${body}\n}`);
  const inside = text.slice(text.indexOf('\n') + 1, text.lastIndexOf('\n'));
  return inside.replace('<1 head> ', '');
}

describe('marks in a Tact source', () => {
  it('are before each statement and at the ends of functions, and lines stay where they are', () => {
    const text = 'fun f() {\n  let a = 1;\n\n  while (a > 0) { a -= 1; }\n  a = g(S { x: 1 })\n}\n';
    assert.equal(
      marked(text),
      'fun f() {\n  <1 head> <2> let a = 1;\n\n  <4> while (a > 0) { <4> a -= 1; }\n  <5> a = g(S { x: 1 });\n<6> }\n',
    );
    assert.equal(marked('fun f(): Int {\n  return 1;\n}'), 'fun f(): Int {\n  <1 head> <2> return 1;\n}');
  });

  it('leave what the compiler makes one instruction of, which is a condition with a throw only', () => {
    const constant = 'const OVER: Int = 5;\n';
    const bodyOf = (body: string): string => {
      const text = marked(`${constant}fun f() { ${body} }`);
      return text.slice(text.indexOf('{ ') + 2, text.lastIndexOf(' <'));
    };
    for (const body of [
      'if (a) { throw(5); }',
      'if (a) { throw(OVER + 1); }',
      'if (a) { throw(self.OVER); } else { }',
    ]) {
      assert.equal(bodyOf(body), `<2 head> <2> ${body}`);
    }
    for (const argument of ['code', 'self.code', 'f(5)', 'OVER + code']) {
      assert.equal(
        bodyOf(`if (a) { throw(${argument}); }`),
        `<2 head> <2> if (a) { <2> throw(${argument}); }`,
      );
    }
    assert.equal(
      bodyOf('if (a) { throw(5); } else { b(); }'),
      '<2 head> <2> if (a) { <2> throw(5); } else { <2> b(); }',
    );
  });

  it('make a statement of a condition after else, whose own throw is a statement', () => {
    assert.equal(
      markedBody('if (a) {\nb();\n} else if (c) { throw(5); }\nd();\nreturn 1;'),
      '<2> if (a) {\n<3> b();\n} else { <4> if (c) { <4> throw(5); } }\n<5> d();\n<6> return 1;',
    );
    assert.equal(
      markedBody('if (a) { } else {\nif (b) { throw(5); }\n}\nreturn 1;'),
      '<2> if (a) { } else {\n<3> if (b) { <3> throw(5); }\n}\n<5> return 1;',
    );
    assert.equal(
      markedBody('if (a) { } else {\nif (b) { throw(5); }\nc();\n}\nreturn 1;'),
      '<2> if (a) { } else {\n<3> if (b) { throw(5); }\n<4> c();\n}\n<6> return 1;',
    );
  });

  it('close loops that go on with code of their own', () => {
    assert.equal(
      markedBody('foreach (k, v in m) {\na();\n}\ndo {\nb()\n} until (c);\nreturn 1;'),
      '<2> foreach (k, v in m) {\n<3> a();\n<2> }\n<5> do {\n<6> b();\n<7> } until (c);\n<8> return 1;',
    );
    assert.equal(
      markedBody(
        'foreach (k, v in m) { return 1; }\nrepeat (3) { a(); }\ntry { b(); } catch (e) { c(); }\nreturn 1;',
      ),
      '<2> foreach (k, v in m) { <2> return 1; }\n<3> repeat (3) { <3> a(); }\n' +
        '<4> try { <4> b(); } catch (e) { <4> c(); }\n<5> return 1;',
    );
  });

  it('are not where a statement would never run', () => {
    assert.equal(
      markedBody('if (a) { return 1; } else { throw(code); }'),
      '<2> if (a) { <2> return 1; } else { <2> throw(code); }',
    );
    assert.equal(markedBody('{ { return 1; } }'), '<2> { <2> { <2> return 1; } }');
  });

  it('are in receivers, of which those of a message begin with its reading', () => {
    const text = [
      'contract C {',
      '  receive(msg: Add) { a(); }',
      '  receive("text") { b(); }',
      '  bounced(msg: Slice) { }',
      '  receive(rest: Slice) { }',
      '  external(_: Slice) { throw(5); }',
      '}',
    ].join('\n');
    assert.deepEqual(marked(text).split('\n').slice(1, 6), [
      '  receive(msg: Add) { <2 head> <2> a(); <2> }',
      '  receive("text") { <3> <3> b(); <3> }',
      '  bounced(msg: Slice) { <4> <4> }',
      '  receive(rest: Slice) { }',
      '  external(_: Slice) { throw(5); }',
    ]);
  });

  it('say that nothing is known of a receiver that is left out or not understood', () => {
    const text = 'contract C {\n  receive() { while x { } }\n  fun f() { a(); }\n}';
    assert.equal(marked(text).split('\n')[1], '  receive() { <0 head>  while x { } }');
    assert.equal(marked(text, 3).split('\n')[2], '  fun f() { a(); }');
    const understood = text.replace('while x { }', 'a();');
    assert.equal(marked(understood, 2).split('\n')[1], '  receive() { <0 head>  a(); }');
  });

  it('belong to functions with names, of contracts and traits', () => {
    const text = [
      'import "./a";',
      'struct S { x: Int = 5; }',
      'message(0x11) Add { by: Int }',
      'asm fun low(): Int { <{ ONE }> PUSHCONT EXECUTE }',
      '@name(x) native high(a: Int): Int;',
      'extends mutates fun grow(self: Int) { self += 1; }',
      'trait T with U { abstract fun g(): Int; virtual fun h() { a(); } }',
      'contract C(a: Int, b: map<Int, S>) with T {',
      '  const X: Int = 5;',
      '  init(a: Int) { }',
      '  receive(msg: Add) { a(); }',
      '  bounced(msg: bounced<Add>) { a(); }',
      '  external("go") { a(); }',
      '  get(0x1234) fun x(): Int { return 1; }',
      '}',
    ].join('\n');
    assert.deepEqual(
      sourceFunctions('a.tact', text, 'tact').map(({ name, line, end }) => [name, line, end]),
      [
        ['grow', 6, 6],
        ['T.h', 7, 7],
        ['C', 8, 15],
        ['C.init', 10, 10],
        ['C.receive(Add)', 11, 11],
        ['C.bounced(bounced<Add>)', 12, 12],
        ['C.external("go")', 13, 13],
        ['C.x', 14, 14],
      ],
    );
  });

  it('are in a listing with assembly of the standard library, and without the selection of methods', () => {
    const { procedures } = readFiftListing(
      [
        'PROGRAM{',
        '  DECLPROC f',
        '  65535 DECLMETHOD __tact_selector_hack',
        '  f PROC:<{',
        '    <{',
        '        DROP2 // comment',
        '    }> PUSHCONT',
        '    IFELSE',
        '  }>',
        '  __tact_selector_hack PROC:<{',
        '    @atend @ 1 {',
        '        <{ swap }> PUSHCONT',
        '    } does @atend !',
        '  }>',
        '}END>c',
      ].join('\n'),
    );
    assert.deepEqual([...procedures.keys()], ['f']);
    const body = procedures.get('f')!.body.map(({ op, blocks }) => [op, blocks.flat().map((one) => one.op)]);
    assert.deepEqual(body, [
      ['CONT', ['DROP2']],
      ['IFELSE', []],
    ]);
  });
});
