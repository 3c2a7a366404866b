import fc from 'fast-check';
import assert from 'node:assert/strict';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { CallContext } from '../../../src/toolkit/access/errors';
import { allEndpoints } from '../../../src/toolkit/access/listEndpoints';
import { readAnswer } from '../../../src/toolkit/access/readAnswer';
import { callSheetAt } from '../../../src/toolkit/callSheet/callSheetAt';
import { changedLines } from '../../../src/toolkit/callSheet/changedLines';
import { parseCallSheet } from '../../../src/toolkit/callSheet/parseCallSheet';
import { replaceTexts, withoutComment } from '../../../src/toolkit/callSheet/sheetText';
import { looksLikeBoc, parseBocInput } from '../../../src/toolkit/cell/parseBocInput';
import { WorkbenchError, toWorkbenchError, withoutTrailing } from '../../../src/toolkit/base/errors';
import type { ResultLine } from '../../../src/toolkit/getMethods/resultLine';
import { limits } from '../../../src/toolkit/base/limits';
import { RequestLog } from '../../../src/toolkit/localnet/control/requestLog';
import { prettyJson } from '../../../src/toolkit/base/prettyJson';
import { parseStackText } from '../../../src/toolkit/stack/parseStackText';
import type { StackValue } from '../../../src/toolkit/stack/stackValue';
import { decodeV2Stack } from '../../../src/toolkit/stack/v2StdStack';
import { decodeV3Stack } from '../../../src/toolkit/stack/encodeV3Stack';
import { groupDigits } from '../../../src/toolkit/base/text';
import { quickly } from '../../support/hostile';

/** Texts that make one thing out of many: what breaks patterns that try again. */
const repeated = [
  '"',
  '""',
  '"\\',
  "'",
  ' ',
  '\t',
  '\n',
  '\n\n ',
  '#',
  ' #',
  '/',
  ' //',
  '(',
  '((',
  ')(',
  '[',
  '{',
  '@',
  '@a=',
  'a b(\n',
  'a b()\n',
  'expect ',
  'expect 0 ',
  'expect = ',
  '=',
  '= ',
  '<',
  '\u2028',
  '@a = 1\n',
  '@network ',
  '### \n',
  'a ',
  '1 ',
  'te6cc',
  'B{',
  '*/',
  '/*',
  ',',
];
const hostileText = fc
  .tuple(fc.array(fc.constantFrom(...repeated), { minLength: 1, maxLength: 4 }), fc.constantFrom(...repeated))
  .map(([parts, end]) => parts.join('').repeat(20_000).slice(0, 60_000) + end);

const context: CallContext = {
  endpoint: allEndpoints()[0]!.endpoint,
  origin: 'http://127.0.0.1:1',
  hasKey: false,
  changesChain: false,
};

describe('hostile texts', () => {
  it('as call sheets cost no more than their length', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const sheet = quickly(() => parseCallSheet(text), 3000);
        assert.ok(sheet.calls.length <= limits.sheetCalls.most);
        assert.ok(sheet.problems.length <= limits.sheetProblems.most);
        quickly(() => callSheetAt(text, sheet, text.length), 3000);
      }),
      { numRuns: 60, endOnFailure: true },
    );
  });

  it('as a line of pairs of quotes are read at once', () => {
    quickly(() => parseCallSheet(`### a\nminter get(${'""'.repeat(60)}\n`), 200);
    quickly(() => parseCallSheet(`@a = ${'""'.repeat(100)}x`), 200);
  });

  it('as sheets beyond the limits are reported', () => {
    const [tooLong] = parseCallSheet('#'.repeat(limits.callSheet.most + 1)).problems;
    assert.match(tooLong?.message ?? '', /The call sheet has more than 262,144 characters\./);
    const many = parseCallSheet('a b()\n'.repeat(limits.sheetCalls.most + 5));
    assert.equal(many.calls.length, limits.sheetCalls.most);
    assert.match(many.problems[0]?.message ?? '', /more than 2,000 calls/);
  });

  it('in quotes keep what looks like a comment', () => {
    const cut = (text: string): string => withoutComment({ text, offset: 0 }).text;
    assert.equal(cut('@a = str "a # b"'), '@a = str "a # b"');
    assert.equal(cut('@a = str "a # b" # c "d'), '@a = str "a # b"');
    assert.equal(cut("@a = 1 # it's // so"), '@a = 1');
    assert.equal(cut("it's 1 // don't"), "it's 1");
    assert.equal(cut('a " b # c'), 'a " b');
    assert.equal(
      replaceTexts('1 "a\\"b" 2 "c', () => 'x'),
      '1 x 2 "c',
    );
  });

  it('as a BoC are refused at once', () => {
    for (const text of [
      '\t'.repeat(200_000),
      ' '.repeat(100_000) + 'x',
      '='.repeat(200_000),
      '"'.repeat(100_000),
    ]) {
      assert.throws(
        () => quickly(() => parseBocInput(text)),
        (error) => WorkbenchError.is(error),
      );
      quickly(() => looksLikeBoc(text));
    }
  });

  it('in an answer, HTML or JSON, become an error at once', () => {
    const n = 500_000;
    const bodies = [
      '<'.repeat(n),
      '<title'.repeat(n / 5),
      `<html>${'<h1'.repeat(n / 3)}`,
      `<html>${'>'.repeat(n)}`,
      JSON.stringify({ ok: false, error: '.'.repeat(n) }),
      JSON.stringify({ ok: false, error: `${' '.repeat(n)}x` }),
      JSON.stringify({ error: `${'.: '.repeat(n)}x` }),
      `{"error":${'['.repeat(n / 5)}${']'.repeat(n / 5)}}`,
      '.'.repeat(n),
    ];
    for (const body of bodies) {
      for (const status of [200, 404, 500]) {
        try {
          quickly(() => readAnswer(context, { status, body: Buffer.from(body), header: () => undefined }));
          assert.ok(status === 200 && body.startsWith('{'), 'an error');
        } catch (error) {
          const known = toWorkbenchError(error);
          assert.notEqual(known.code, 'internal-error', `${known.message} ${body.slice(0, 20)}`);
          assert.ok(known.message.length < 2000);
        }
      }
    }
  });

  it('in HTML provide their title, heading, or words', () => {
    const words = (body: string): unknown => {
      try {
        return readAnswer(context, { status: 502, body: Buffer.from(body), header: () => undefined });
      } catch (error) {
        return (error as WorkbenchError).details.serviceText;
      }
    };
    assert.equal(words('<html><head><TITLE lang="en">502 Bad\n Gateway</title>'), '502 Bad Gateway');
    assert.equal(words('<html><h1 class="a">Not here</h1>'), 'Not here');
    assert.equal(words('<p>One <b>two</b></p>'), 'One two');
  });

  it('with many values end at the limit; named values count each time', () => {
    assert.throws(
      () => quickly(() => parseStackText('1 '.repeat(200_000))),
      (error) =>
        WorkbenchError.is(error, 'stack-text-invalid') && /more than 5,000 values/.test(error.message),
    );
    const variables = new Map<string, StackValue>();
    let refused: unknown;
    for (let i = 0; i < 64 && refused === undefined; i++) {
      try {
        const [value] = parseStackText(i === 0 ? '[1 2]' : `[@v${i - 1} @v${i - 1}]`, { variables });
        variables.set(`v${i}`, value as StackValue);
      } catch (error) {
        refused = error;
      }
    }
    assert.ok(WorkbenchError.is(refused, 'stack-text-invalid'));
    assert.throws(() => quickly(() => parseStackText('9'.repeat(1_000_000))), /at most 1,000 characters/);
    quickly(() => assert.throws(() => parseStackText('a'.repeat(200_000) + '!')));
  });

  it('with 200,000 stack entries are a typed error', () => {
    const isOver = (error: unknown): boolean => WorkbenchError.is(error, 'over-limit');
    const num = { type: 'num', value: '0x1' };
    assert.throws(() => quickly(() => decodeV3Stack(Array(200_000).fill(num))), isOver);
    assert.throws(
      () => quickly(() => decodeV3Stack([{ type: 'list', value: Array(200_000).fill(num) }])),
      isOver,
    );
    assert.throws(() => quickly(() => decodeV2Stack(Array(200_000).fill(['num', '0x1']))), isOver);
    assert.equal(decodeV3Stack(Array(5_000).fill(num)).length, 5_000);
  });

  it('with too deep a nesting are explained', () => {
    const deep = (): number => deep() + 1;
    try {
      deep();
    } catch (error) {
      const known = toWorkbenchError(error);
      assert.equal(known.code, 'too-deep');
      assert.ok(!known.message.includes('call stack'));
    }
    const json = '['.repeat(100_000) + ']'.repeat(100_000);
    assert.ok(quickly(() => prettyJson(json)).length < 90 * json.length);
  });

  it('in the request log are partly kept, without holding the rest in memory', () => {
    const log = new RequestLog();
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    collect();
    const before = process.memoryUsage().heapUsed;
    for (let i = 0; i < 200; i++) {
      log.add({
        time: 0,
        method: 'POST',
        path: '/',
        status: 200,
        duration: 1,
        body: `${i}${'é'.repeat(1_000_000)}`,
      });
    }
    collect();
    const kept = (process.memoryUsage().heapUsed - before) / 2 ** 20;
    assert.ok(kept < 40, `${kept} MiB`);
    const [first] = log.after(0);
    assert.equal(first?.body.length, limits.loggedBody.most + 1);
    assert.equal(first?.isCut, true);
    log.add({ time: 0, method: 'POST', path: '/', status: 200, duration: 1, body: 'short' });
    assert.equal(log.after(0).at(-1)?.isCut, undefined);
  });

  it('in two results are compared at once', () => {
    const line = (text: string): ResultLine => ({ text, key: 'out 0', fields: [{ column: 8, text }] });
    for (const part of ['1', 'a', '1 ', ' ', 'a ']) {
      const long = part.repeat(100_000);
      quickly(() => changedLines([line(`${long} x`)], [line(`${long} y`)]));
    }
    assert.deepEqual(changedLines([line('block 1 204')], [line('block 1 205')]), [
      { line: 0, column: 14, before: '1 204' },
    ]);
  });

  it('with trailing characters and groups of digits', () => {
    fc.assert(
      fc.property(fc.bigInt(), (value) => {
        assert.equal(groupDigits(value).replaceAll(' ', ''), String(value));
        assert.match(groupDigits(value), /^-?\d{1,3}(?: \d{3})*$/);
      }),
    );
    fc.assert(
      fc.property(fc.stringMatching(/^[01=]{0,20}$/), (text) => {
        assert.equal(withoutTrailing(text, '='), text.replace(/=+$/, ''));
      }),
    );
  });
});
