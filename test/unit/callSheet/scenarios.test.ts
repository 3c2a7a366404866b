import assert from 'node:assert/strict';
import fc from 'fast-check';
import { junitReport } from '../../../src/toolkit/callSheet/junitReport';
import { parseCallSheet } from '../../../src/toolkit/callSheet/parseCallSheet';
import { checkCallSheet } from '../../../src/toolkit/callSheet/checkCallSheet';
import { limits } from '../../../src/toolkit/base/limits';
import { readXml } from '../../support/readXml';

const sheetText = `@network local
@restore
@vault = addr Vault
### a guardian is added
deploy "my contracts/vault.tolk" {
  owner: alice, # the first one
  count: 0
} 2ton as Vault from bob  # twice
@count = Vault info().limits.count  // before
send Vault AddGuardian {who: bob, weight: 5} 0.1ton from alice # now
expect exit ERR_OVER_LIMIT
expect Vault info(1, [2]).guardians[bob].weight >= @count
### no more than that
@network other
@restore
expect Vault total() == 5
alice seqno()
expect fails
expect limits.perTransfer != 1ton
`;

describe('callSheet: scenarios', () => {
  it('are parsed step by step, with the position of everything', () => {
    const sheet = parseCallSheet(sheetText.replace('  owner: alice, # the first one', '  owner: alice,'));
    assert.deepEqual(sheet.problems, []);
    assert.ok(sheet.restore);
    assert.deepEqual(
      sheet.steps.map(({ kind, scenario, scenarioTitle, network, restore }) => [
        ...[kind, scenario, scenarioTitle, network?.text, restore !== undefined],
      ]),
      [
        ['deploy', 1, 'a guardian is added', undefined, false],
        ['send', 1, 'a guardian is added', undefined, false],
        ['check', 2, 'no more than that', 'other', true],
        ['call', 2, 'no more than that', 'other', true],
      ],
    );
    const [deploy, send, check, call] = sheet.steps;
    assert.ok(deploy?.kind === 'deploy' && send?.kind === 'send' && check?.kind === 'check');
    assert.deepEqual(
      [deploy.file.text, deploy.data?.text, deploy.value?.text, deploy.name.text, deploy.from?.text],
      ['my contracts/vault.tolk', '{\n  owner: alice,\n  count: 0\n}', '2ton', 'Vault', 'bob'],
    );
    assert.equal(send.line.text, 'Vault AddGuardian {who: bob, weight: 5} 0.1ton from alice');
    const [exit, answer] = send.expectations;
    assert.deepEqual([exit?.subject.kind, exit?.value.text], ['exit', 'ERR_OVER_LIMIT']);
    assert.ok(answer?.subject.kind === 'answer');
    assert.deepEqual(
      [answer.subject.call.arguments.text, answer.comparison, answer.value.text],
      ['1, [2]', '>=', '@count'],
    );
    assert.deepEqual(
      answer.subject.path.map(({ kind, at }) => [kind, at.text]),
      [
        ['name', 'guardians'],
        ['key', 'bob'],
        ['name', 'weight'],
      ],
    );
    assert.deepEqual(
      call?.expectations.map(({ subject }) => subject.kind),
      ['fails', 'field'],
    );
    assert.deepEqual(
      sheet.variables.map(({ name, answer: read }) => [name.text, read?.path.map(({ at }) => at.text)]),
      [
        ['vault', undefined],
        ['count', ['limits', 'count']],
      ],
    );
  });

  it('have every part at its reported position', () => {
    const text = sheetText.replace('  owner: alice, # the first one', '  owner: alice,');
    const visit = (part: unknown): void => {
      if (typeof part !== 'object' || part === null) {
        return;
      }
      if ('text' in part && 'offset' in part && 'length' in part) {
        const placed = part as { text: string; offset: number; length: number };
        assert.equal(text.slice(placed.offset, placed.offset + placed.length), placed.text);
      }
      Object.values(part).forEach(visit);
    };
    visit(parseCallSheet(text));
  });

  const wrong: [text: string, at: string, message: RegExp][] = [
    ['send', 'send', /message is incomplete/],
    ['deploy a.tolk {}', 'deploy a.tolk {}', /name of the contract is missing/],
    ['send bob {a: 1', '{', /not closed/],
    ['@x = alice seqno().a b', 'b', /not part of an answer/],
    ['alice seqno()\n@restore', '@restore', /above the first step/],
    ['send bob 1ton\nexpect count == 1', 'expect count == 1', /no answer above/],
    ['expect alice seqno() == 0\nexpect exit 0', 'expect exit 0', /no call above/],
    ['alice seqno()\nexpect fails badly', 'badly', /Nothing follows/],
    ['alice seqno()\nexpect alice seqno()', 'expect alice seqno()', /incomplete/],
    ['alice seqno()\nexpect alice seqno()[1 == 2', '[', /not closed/],
    ['bob add(@x)\n@x = alice seqno()', '@x', /read further down/],
  ];
  for (const [text, at, message] of wrong) {
    it(`says what is wrong with ${JSON.stringify(text)}`, () => {
      const { problems } = parseCallSheet(text);
      assert.equal(problems.length, 1, JSON.stringify(problems));
      assert.match(problems[0]?.message ?? '', message);
      const { offset = 0, length = 0 } = problems[0] ?? {};
      assert.equal(text.slice(offset, offset + length), at);
    });
  }

  it('may replay a file, with the source whose code runs', () => {
    const read = (line: string): unknown => {
      const { steps, problems } = parseCallSheet(line);
      const [step] = steps;
      return step?.kind === 'replay' ? [step.file.text, step.source?.text] : problems[0]?.message;
    };
    assert.deepEqual(read('replay a.tonreplay with ../b.tolk # now'), ['a.tonreplay', '../b.tolk']);
    assert.deepEqual(read('replay "my a.tonreplay"'), ['my a.tonreplay', undefined]);
    assert.equal(read('replay'), 'The saved replay is missing.');
    assert.equal(read('replay a.tonreplay b.tolk'), 'This is not a replay of a file.');
  });

  it('may call an account named send, and use values that look like calls', () => {
    const { problems, steps, variables } = parseCallSheet('@a = cell b(u32 7)\nsend seqno()\n@send seqno()');
    assert.deepEqual(problems, []);
    assert.deepEqual(
      steps.map(({ kind }) => kind),
      ['call', 'call'],
    );
    assert.equal(variables[0]?.answer, undefined);
  });

  const word = fc.constantFrom(
    ...[
      'send',
      'deploy',
      'expect',
      '@restore',
      '@network',
      '@x',
      '=',
      '==',
      '<',
      '###',
      'exit',
      'fails',
      'as',
      'from',
    ],
    ...[
      'alice',
      'info()',
      'info(',
      ').a',
      '[bob]',
      '{a: 1',
      '}',
      '(',
      ')',
      ']',
      '"',
      "'",
      '#',
      '//',
      '1ton',
      '.',
      '\n',
      '\r\n',
      ' ',
    ],
  );
  const anything = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 80 }),
    fc.array(word, { maxLength: 40 }).map((words) => words.join(' ')),
  );

  it('any text is a sheet, possibly with problems in it', () => {
    fc.assert(
      fc.property(anything, (text) => {
        const sheet = parseCallSheet(text);
        for (const { offset, length, message } of sheet.problems) {
          assert.ok(offset >= 0 && length >= 0 && offset + length <= text.length, message);
        }
        checkCallSheet(sheet, {
          accounts: () => new Map([['alice', `0:${'1'.repeat(64)}`]]),
          hasNetwork: () => true,
          method: () => undefined,
        });
      }),
      { numRuns: 2000 },
    );
  });

  it('the largest hostile sheets are parsed in time', () => {
    const size = limits.callSheet.most;
    const fill = (unit: string): string => unit.repeat(Math.floor((size - 20) / unit.length));
    for (const unit of [
      ' ',
      'send (',
      'deploy a {',
      '@x = a b(\n',
      'expect a b(',
      'deploy x as \n',
      'expect a[',
      ' as a',
      '[',
      '"',
    ]) {
      for (const head of ['', 'deploy ', 'send ', 'expect ', '@x = ']) {
        const began = performance.now();
        parseCallSheet(`${head}${fill(unit)}x`);
        assert.ok(performance.now() - began < 4_000, `${head}${unit}: ${performance.now() - began} ms`);
      }
    }
  });
});

describe('callSheet: JUnit reports', () => {
  it('are well-formed whatever the texts are, and count the results', () => {
    const anyText = fc.string({ unit: 'binary', maxLength: 40 });
    fc.assert(
      fc.property(anyText, fc.array(anyText, { minLength: 1, maxLength: 4 }), (name, failures) => {
        const root = readXml(
          junitReport([
            {
              name,
              at: new Date(0),
              cases: [
                { name, elapsedMs: 1500, failures },
                { name, elapsedMs: 0, error: { code: 'aborted', message: name } },
                { name, elapsedMs: 0, isSkipped: true },
                { name, elapsedMs: 2 },
              ],
            },
          ]),
        );
        const [suite] = root.children;
        const { tests, failures: failed, errors, skipped, time, timestamp } = suite?.attributes ?? {};
        assert.deepEqual(
          { tests, failed, errors, skipped, time, timestamp },
          {
            tests: '4',
            failed: '1',
            errors: '1',
            skipped: '1',
            time: '1.502',
            timestamp: '1970-01-01T00:00:00',
          },
        );
        assert.deepEqual(
          suite?.children.map(({ children }) => children.map((one) => one.name)),
          [['failure'], ['error'], ['skipped'], []],
        );
      }),
    );
  });
});
