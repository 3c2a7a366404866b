import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Address } from '@ton/core';
import { root } from '../../../scripts/lib/root.mjs';
import { readTolkSource } from '../../../src/toolkit/contracts/abi/readTolkSource';
import { callSheetAt } from '../../../src/toolkit/callSheet/callSheetAt';
import { changedLines } from '../../../src/toolkit/callSheet/changedLines';
import { resultLines } from '../../../src/toolkit/getMethods/describeGetMethodResult';
import type { GetMethodResult } from '../../../src/toolkit/getMethods/getMethodResult';
import { readEntry } from '../../../src/toolkit/getMethods/readEntry';
import { findStorage } from '../../../src/toolkit/contracts/layouts/layoutSet';
import { readTolkSourceLayouts } from '../../../src/toolkit/contracts/layouts/tolkLayouts';
import { parseStackText } from '../../../src/toolkit/stack/parseStackText';
import { checkCallSheet } from '../../../src/toolkit/callSheet/checkCallSheet';
import type { SheetKnowledge } from '../../../src/toolkit/callSheet/sheetValues';
import { parseCallSheet } from '../../../src/toolkit/callSheet/parseCallSheet';

const alice = Address.parse('EQCjk1hh952vWaE9bRguFkAhDAL5jj3xj9p0uPWrFBq_GEMS');

describe('callSheet: completion at a position', () => {
  const spots: [text: string, spot: Record<string, unknown>][] = [
    ['|', { kind: 'start', prefix: '', mayExpect: false }],
    ['ali|', { kind: 'start', prefix: 'ali' }],
    ['a b()\nexp|', { kind: 'start', prefix: 'exp', mayExpect: true }],
    ['@network te|', { kind: 'network', prefix: 'te' }],
    ['@network local\nalice |', { kind: 'method', target: 'alice', prefix: '', network: 'local' }],
    ['### t\n@network testnet\nalice se|', { kind: 'method', prefix: 'se', network: 'testnet' }],
    ['alice get(|', { kind: 'argument', target: 'alice', method: 'get', index: 0, prefix: '' }],
    ['alice get(1, 2, @a|)', { kind: 'argument', index: 2, prefix: '@a' }],
    ['alice get(addr bob [1, 2] |)', { kind: 'argument', index: 2 }],
    ['alice get(\n  1,\n  |', { kind: 'argument', index: 1 }],
    ['alice get(str "a, |")', { kind: 'text', method: 'get', index: 0 }],
    ['alice get(1, str "a \\", |', { kind: 'text', index: 1 }],
    ['alice get(1, str "a\n|', { kind: 'start' }],
    ['alice get(1, "a" |', { kind: 'argument', index: 2 }],
    ['alice get(1, [2, 3, |', { kind: 'argument', index: 1 }],
    ['alice get(1, {a: 2, b: (3, 4), c|', { kind: 'argument', index: 1, prefix: 'c' }],
    ['alice get(1 2, |', { kind: 'argument', index: 2 }],
    ['alice get(addr |', { kind: 'argument', index: 0 }],
    ['alice get(1)|', { kind: 'none' }],
    ['a b()\nexpect |', { kind: 'subject', prefix: '' }],
    ['a b()\nexpect 0 == |', { kind: 'value', prefix: '' }],
    ['a b()\nexpect exit |', { kind: 'value', prefix: '' }],
    ['@x = addr a|', { kind: 'value', prefix: 'a' }],
    ['# alice |', { kind: 'none' }],
    ['a b()\nsend |', { kind: 'account', prefix: '' }],
    ['@network local\nsend Mine |', { kind: 'message', target: 'Mine', prefix: '', network: 'local' }],
    ['send Mine Inc|', { kind: 'message', target: 'Mine', prefix: 'Inc' }],
    ['send bob 0.1|', { kind: 'clause', prefix: '0.1' }],
    ['send Mine Increase {|', { kind: 'field', target: 'Mine', message: 'Increase', given: [], prefix: '' }],
    ['send Mine Increase {queryId: 0, b|', { kind: 'field', given: ['queryId'], prefix: 'b' }],
    ['send Mine Increase {\n  queryId: 0,\n  b|', { kind: 'field', given: ['queryId'], prefix: 'b' }],
    ['send Mine Increase {queryId: 0, by: @a|', { kind: 'value', prefix: '@a' }],
    ['send Mine Set {limits: {a|', { kind: 'value', prefix: 'a' }],
    ['send Mine Increase {by: 1} 0.1ton fr|', { kind: 'clause', prefix: 'fr' }],
    ['send Mine Increase {by: 1} 0.1ton from al|', { kind: 'account', prefix: 'al' }],
    ['send Mine 0.1ton comment "from |', { kind: 'none' }],
    ['send Mine 0.1ton # from |', { kind: 'none' }],
    ['send Mine 0.1ton\nali|', { kind: 'start', prefix: 'ali', mayExpect: true }],
    ['expect Mine |', { kind: 'method', target: 'Mine', prefix: '' }],
    ['expect Mine own|', { kind: 'method', target: 'Mine', prefix: 'own' }],
    [
      'expect Mine isOwner(b|',
      { kind: 'argument', target: 'Mine', method: 'isOwner', index: 0, prefix: 'b' },
    ],
    ['@x = Mine |', { kind: 'method', target: 'Mine', prefix: '' }],
    ['@x = Mine info().co|', { kind: 'part', target: 'Mine', method: 'info', path: [], prefix: 'co' }],
    ['expect Mine info().limits.|', { kind: 'part', method: 'info', path: ['limits'], prefix: '' }],
    ['expect Mine info().guards[bob].w|', { kind: 'part', path: ['guards', '[bob]'], prefix: 'w' }],
    ['Mine info()\nexpect limits.p|', { kind: 'part', target: 'Mine', path: ['limits'], prefix: 'p' }],
  ];
  for (const [marked, expected] of spots) {
    it(JSON.stringify(marked), () => {
      const offset = marked.indexOf('|');
      const text = marked.replace('|', '');
      const spot = callSheetAt(text, parseCallSheet(text), offset);
      assert.deepEqual({ ...spot, ...expected }, spot);
    });
  }
});

describe('callSheet: problems before a run', () => {
  const methods = readTolkSource('get fun add(a: int8, who: address): int {} get fun plain(): int {}');
  const knowledge: SheetKnowledge = {
    accounts: () => new Map([['alice', alice.toRawString()]]),
    hasNetwork: (name) => name === 'local',
    method: (_, name) => {
      const signature = methods.find((one) => one.name === name);
      return signature === undefined
        ? { kind: 'absent', others: methods.map((one) => one.name) }
        : { kind: 'known', signature };
    },
  };
  it('accepts a target with or without its @', () => {
    assert.deepEqual(check('@me = addr alice\n@me plain()\nme plain()\n@alice plain()'), []);
  });

  const check = (text: string, known = knowledge): [string, string][] =>
    checkCallSheet(parseCallSheet(text), known).map(({ offset, length, message }) => [
      text.slice(offset, offset + length),
      message,
    ]);

  it('finds nothing wrong with what the types allow', () => {
    assert.deepEqual(check('@network local\n@x = 5\nalice add(@x, alice)\nexpect 0 == @x'), []);
  });

  const wrong: [text: string, at: string, message: RegExp][] = [
    ['@network lokal\nalice plain()', 'lokal', /no network/],
    ['alice add(300, alice)', '300', /range|fit/],
    ['alice add(1)', '', /who: address is missing/],
    ['alice plain(1)', '1', /too many/],
    ['alice nothing()', 'nothing', /no get-method nothing/],
    ['nobody plain()', 'nobody', /neither an address nor a known name/],
    ['nobody add(300)', 'nobody', /neither/],
    ['alice: plain()', 'alice:', /neither/],
    ['@nobody plain()', '@nobody', /neither/],
    [`${alice.toString().slice(0, -1)}T plain()`, `${alice.toString().slice(0, -1)}T`, /checksum/],
    ['@x = oops\nalice add(@x, @x)\nexpect 0 == @x', 'oops', /not a value/],
    [
      '@c = addr nobody\n@d = @c\nc plain()\nd plain()\nalice plain()\nexpect 0 == @d',
      'nobody',
      /not an address/,
    ],
    ['@c =\nc plain()\nc plain()', 'c', /no value/],
    ['alice plain()\nexpect 0 == alice', 'alice', /needs @/],
    ['alice plain()\nexpect exit == str "x"', 'str "x"', /exit code is a number/],
    ['alice plain()\nexpect 0 < null', 'null', /compared with < is a number/],
    ['@x = addr nobody\nalice plain()', 'nobody', /./],
    ['alice plain()\nexpect 0 == @nope', '@nope', /is unknown/],
  ];
  for (const [text, at, message] of wrong) {
    it(`finds them in ${JSON.stringify(text)}`, () => {
      const problems = check(text);
      assert.equal(problems.length, 1, JSON.stringify(problems));
      assert.equal(problems[0]?.[0], at);
      assert.match(problems[0]?.[1] ?? '', message);
    });
  }

  it('allows a call that expects the contract to lack the method', () => {
    assert.deepEqual(check('alice nothing()\nexpect exit 11'), []);
  });

  it('postpones what depends on types until they are known', () => {
    const text =
      'alice later(alice, "text", te6cckEBAQEAAgAAAEysuc0=)\nalice later(1,, 2)\nalice later(@nope)';
    const wrong = [
      [',', 'A value is missing after this comma.'],
      ['@nope', 'The name @nope is unknown.'],
    ];
    assert.deepEqual(check(text, { ...knowledge, method: () => undefined }), wrong);
    assert.deepEqual(check(text, { ...knowledge, accounts: () => undefined }), wrong.slice(0, 1));
    assert.equal(check(text, { ...knowledge, method: () => ({ kind: 'known' }) }).length, 3);
  });

  it('says nothing about names while the accounts are unknown', () => {
    assert.deepEqual(check('nobody plain()', { ...knowledge, accounts: () => undefined }), []);
  });
});

describe('callSheet: problems of a scenario before a run', () => {
  const read = (file: string): string => readFileSync(path.join(root, 'examples', file), 'utf8');
  const text = read('contracts/counter.tolk');
  const layouts = [readTolkSourceLayouts('contracts/counter.tolk', 'counter', text, [])];
  const methods = readTolkSource(text);
  const knowledge: SheetKnowledge = {
    accounts: () => new Map(['alice', 'bob'].map((name) => [name, alice.toRawString()])),
    hasNetwork: () => true,
    method: () => undefined,
    source: (file) =>
      file !== 'contracts/counter.tolk'
        ? undefined
        : {
            method: (name) => {
              const signature = methods.find((one) => one.name === name);
              return signature === undefined
                ? { kind: 'absent', others: methods.map((one) => one.name) }
                : { kind: 'known', signature };
            },
            storage: findStorage(layouts, { name: 'counter' }),
          },
    layouts: () => layouts,
    wallets: () => ['alice', 'bob'],
  };
  const check = (sheet: string, known = knowledge): [string, string][] =>
    checkCallSheet(parseCallSheet(sheet), known).map(({ offset, length, message }) => [
      sheet.slice(offset, offset + length),
      message,
    ]);
  const deploy = 'deploy contracts/counter.tolk {owner: alice, value: 0} as Mine\n';

  it('finds nothing wrong with the example', () => {
    assert.deepEqual(check(read('scenario.toncall')), []);
  });

  const wrong: [text: string, at: string, message: RegExp][] = [
    ['deploy contracts/counter.tolk {owner: alice, valu: 0} as Mine', 'valu', /no field|valu/],
    ['deploy contracts/counter.tolk {owner: nobody, value: 0} as Mine', 'nobody', /nobody/],
    [`${deploy}send Mine Incease {by: 1} 0.1ton from bob`, 'Incease', /Incease/],
    [`${deploy}send Mine Increase {queryId: 0, bx: 1} 0.1ton from bob`, 'bx', /bx/],
    [`${deploy}send Mine Increase {queryId: 0, by: 5000000000} 0.1ton`, '5000000000', /fit|range/],
    [`${deploy}send Mine Increase {queryId: 0, by: 1} 0.1ton from carol`, 'carol', /carol/],
    [`${deploy}send Mine Increase {queryId: 0, by: 1}`, '', /amount|value/],
    [`${deploy}expect Mine currentCountr() == 1`, 'currentCountr', /no get-method/],
    [`${deploy}expect Mine owner() == nobody`, 'nobody', /nobody/],
    [`${deploy}expect Mine currentCounter().count == 1`, 'count', /has no “count”/],
    [`${deploy}Mine counterAfter(alice)`, 'alice', /./],
    [`${deploy}expect Mine currentCounter(1) == 1`, '1', /too many/],
  ];
  for (const [sheet, at, message] of wrong) {
    it(`finds them in ${JSON.stringify(sheet.replace(deploy, ''))}`, () => {
      const problems = check(sheet);
      assert.equal(problems.length, 1, JSON.stringify(problems));
      assert.equal(problems[0]?.[0], at);
      assert.match(problems[0]?.[1] ?? '', message);
    });
  }

  it('reports an unknown name only once', () => {
    const sheet = 'nobody a()\nexpect nobody b() == 1\n@nobody c()\nnoone d()';
    assert.deepEqual(
      check(sheet).map(([at]) => at),
      ['nobody', 'noone'],
    );
  });

  it('postpones what only the run can show', () => {
    const sheet = `${deploy}@who = Mine owner()\nwho seqno()\nsend @who Increase {queryId: @who} 0.1ton\nexpect Mine isOwner(@who) == @who`;
    assert.deepEqual(check(sheet), []);
    const { source: _, ...rest } = knowledge;
    assert.deepEqual(check(`${deploy}expect Mine nothing(x).y == z`, rest), []);
  });
});

describe('callSheet: what another run has changed', () => {
  const answer = (stack: string, ms: number, gasUsed = 1204): GetMethodResult => ({
    address: `0:${'11'.repeat(32)}`,
    method: 'data',
    network: 'Local',
    api: 'v3',
    exitCode: 0,
    exitMeaning: 'success',
    gasUsed,
    arguments: [],
    stack: parseStackText(stack).map((value) => readEntry(value)),
    raw: [{ type: 'num', value: String(ms) }],
    elapsedMs: ms,
    block: ms,
  });
  const changes = (
    before: GetMethodResult,
    after: GetMethodResult,
  ): [string, string | undefined, string][] => {
    const lines = resultLines(after);
    return changedLines(resultLines(before), lines).map(({ line, column, before: was }) => [
      lines[line]?.key ?? '',
      was,
      lines[line]?.text.slice(column) ?? '',
    ]);
  };

  it('is marked, with the previous values', () => {
    assert.deepEqual(changes(answer('1204', 3), answer('1205', 4)), [
      ['out 0', '1 204', '1 205'],
      ['raw 0', '1204', '1205'],
    ]);
  });

  it('ignores times and blocks, but includes gas', () => {
    assert.deepEqual(changes(answer('7', 3), answer('7', 12)), []);
    assert.deepEqual(changes(answer('7', 3), answer('7', 12, 99)), [
      ['verdict', '1 204', '99, 12 ms over v3'],
    ]);
  });

  it('marks a new line, and not those below it', () => {
    assert.deepEqual(changes(answer('7', 3), answer('7 8', 3)), [
      ['out 1', undefined, 'number  8'],
      ['raw 1', undefined, '8'],
    ]);
  });

  it('marks the changed field, not a column that another row has moved', () => {
    assert.deepEqual(changes(answer('7 1', 3), answer('7 12345', 3)), [
      ['out 1', '1', '12 345'],
      ['raw 1', '1', '12345'],
    ]);
  });
});
