import { Address, beginCell } from '@ton/core';
import assert from 'node:assert/strict';
import { readTolkSource } from '../../../src/toolkit/contracts/abi/readTolkSource';
import { createAccess } from '../../../src/toolkit/access/createAccess';
import type { Transport } from '../../../src/toolkit/access/transport';
import { parseCallSheet } from '../../../src/toolkit/callSheet/parseCallSheet';
import { WorkbenchError } from '../../../src/toolkit/base/errors';
import { printStack } from '../../../src/toolkit/stack/stackValue';
import { runCallSheet } from '../../../src/toolkit/workflows/runCallSheet';
import type { StepOutcome } from '../../../src/toolkit/workflows/sheetRunTypes';
import { scenarioCases, stepSummary } from '../../../src/toolkit/workflows/sheetRunTypes';

const alice = Address.parse('EQCjk1hh952vWaE9bRguFkAhDAL5jj3xj9p0uPWrFBq_GEMS');
const sheetText = `# Jettons of ours
@network local
@minter = ${alice.toString()}   
@amount = 1.5ton

### supply
minter get_jetton_data()
expect 0 == 100000000000
expect exit 0

// a comment
### where is alice's wallet
@network testnet
minter get_wallet_address(
  addr alice,   # not a comment: inside brackets
  [@amount, "x)"]
)  // behind
expect 1.0 >= @amount
@amount2 = 5
${alice.toString()} seqno() # bare
`;

describe('callSheet: reading', () => {
  it('finds networks, variables, calls, and expectations with their positions', () => {
    const text = sheetText.replace('   # not a comment: inside brackets', '').replace('"x)"', 'str "x)"');
    const sheet = parseCallSheet(text);
    assert.deepEqual(sheet.problems, []);
    assert.equal(sheet.network?.text, 'local');
    assert.deepEqual(
      sheet.variables.map(({ name, value }) => [name.text, value.text]),
      [
        ['minter', alice.toString()],
        ['amount', '1.5ton'],
        ['amount2', '5'],
      ],
    );
    assert.deepEqual(
      sheet.calls.map(({ title, target, method, network }) => [
        title,
        target.text,
        method.text,
        network?.text,
      ]),
      [
        ['supply', 'minter', 'get_jetton_data', undefined],
        ["where is alice's wallet", 'minter', 'get_wallet_address', 'testnet'],
        [`${alice.toString()} seqno`, alice.toString(), 'seqno', 'testnet'],
      ],
    );
    assert.deepEqual(
      sheet.calls.map(({ expectations }) =>
        expectations.map(({ subject, comparison, value }) => [subject, comparison, value.text]),
      ),
      [
        [
          [{ kind: 'entry', path: [0] }, '==', '100000000000'],
          [{ kind: 'exit' }, '==', '0'],
        ],
        [[{ kind: 'entry', path: [1, 0] }, '>=', '@amount']],
        [],
      ],
    );
    const placed = [
      ...sheet.variables.flatMap(({ name, value }) => [name, value]),
      ...sheet.calls.flatMap((call) => [
        call.target,
        call.method,
        call.arguments,
        ...call.expectations.map(({ value }) => value),
      ]),
    ];
    for (const { text: part, offset, length } of placed) {
      assert.equal(text.slice(offset, offset + length), part);
    }
  });

  it('removes comments after directives and expectations, but not in quoted texts', () => {
    const sheet = parseCallSheet(
      '@a = 5 # five\n@b = str "x # y" // text\nx y()\nexpect 0 == str "a // b"  # why',
    );
    assert.deepEqual(sheet.problems, []);
    assert.deepEqual(
      sheet.variables.map(({ value }) => value.text),
      ['5', 'str "x # y"'],
    );
    assert.equal(sheet.calls[0]?.expectations[0]?.value.text, 'str "a // b"');
  });

  it('reads Windows line breaks the same way', () => {
    const sheet = parseCallSheet('@a = 1\r\n### t\r\nx y(1,\r\n 2)\r\nexpect 0 == 1\r\n');
    assert.deepEqual(sheet.problems, []);
    assert.equal(sheet.calls[0]?.expectations.length, 1);
    assert.equal(sheet.variables[0]?.value.text, '1');
  });

  const wrong: [text: string, at: string, message: RegExp][] = [
    ['### empty\n### next\nx y()', '### empty', /No call follows/],
    ['### last', '### last', /No call follows/],
    ['x y(1', '(', /not closed/],
    ['x y(str "a)', '"', /text is not closed/],
    ['x y([1, 2)', '[', /not closed/],
    ['x y(1, {2', '{', /not closed/],
    ['### t\nx y(1\nexpect 0 == 1\nz y()\nexpect 0 == 2', '(', /not closed/],
    ['### t\nx.y()\nexpect 0 == 1', 'x.y()', /not a call/],
    ['a b()\nx y\nexpect 0 == oops', 'x y', /not a call/],
    ['### t\nx y(\n  1,\n  2\nexpect exit 0', '(', /not closed/],
    ['### t\nexpect 0 == 1', 'expect 0 == 1', /after its call/],
    ['@a 5\nx y(@a)', '@a 5', /set with =/],
    ['@a =\nx y(@a)', 'a', /no value/],
    ['@a = @b\n@b = 5', '@b', /set further down/],
    ['@network', '@network', /name of a network is missing/],
    ['@network = local\nx y()', '@network = local', /without =/],
    ['x y()\nexpect 0 = 5', '=', /not a comparison/],
    ['x y()\nexpect exit === 5', '===', /not a comparison/],
    ['x y()\nexpect 0 =! 5', '=!', /not a comparison/],
    ['x y(1\n### next\nx z()', '(', /not closed/],
    ['just words', 'just words', /not a call/],
    ['method()', 'method()', /not a call/],
    ['x y() trailing', 'trailing', /Nothing may follow/],
    ['expect 0 == 1', 'expect 0 == 1', /after its call/],
    ['x y()\nexpect 0', 'expect 0', /incomplete/],
    ['x y()\nexpect 0 ==', 'expect 0 ==', /incomplete/],
    ['x y()\nexpect no-thing == 5', 'no-thing', /result has no/],
    ['x y()\nexpect 0.x == 5', '0.x', /result has no/],
    ['x y()\nexpect', 'expect', /incomplete/],
    ['x y()\nexpect 0 == 1 2', '1 2', /One value/],
    ['x y()\nexpect 0 == oops', 'oops', /is not a value/],
    ['x y(1, oops)', 'oops', /is not a value/],
    ['@a = [1\nx y()', '', /Missing closing/],
    ['@a = 1\n@a = 2', 'a', /twice/],
    ['@ = 1', '@ = 1', /neither/],
    ['x y(@)', '@', /name is missing/],
    ['x y()\n@network local', 'local', /between its ### line and the call/],
  ];
  for (const [text, at, message] of wrong) {
    it(`says what is wrong with ${JSON.stringify(text)}`, () => {
      const { problems } = parseCallSheet(text);
      const [problem] = problems;
      assert.equal(problems.length, 1, JSON.stringify(problems));
      assert.ok(problem);
      assert.match(problem.message, message);
      assert.equal(text.slice(problem.offset, problem.offset + problem.length), at);
    });
  }
});

const boc = beginCell().storeAddress(alice).endCell().toBoc().toString('base64');

/** Answers every method by its name. */
const transport: Transport = ({ body }) => {
  const { method } = JSON.parse(body ?? '') as { method: string };
  const stack =
    method === 'owner'
      ? [{ type: 'cell', value: boc }]
      : method === 'none'
        ? []
        : [
            { type: 'num', value: '0x2a' },
            { type: 'tuple', value: [{ type: 'num', value: '-0x1' }] },
            { type: 'list', value: [] },
          ];
  const answer = { gas_used: 700, exit_code: { fails: 73, none: 9 }[method] ?? 0, stack };
  return Promise.resolve({ status: 200, header: () => undefined, body: Buffer.from(JSON.stringify(answer)) });
};

async function run(text: string): Promise<{ outcomes: StepOutcome[]; networks: (string | undefined)[] }> {
  const networks: (string | undefined)[] = [];
  const access = createAccess({
    network: { name: 'N', kind: 'custom', v3: 'http://n/api/v3', globalId: -239 },
    transport,
  });
  const outcomes = await runCallSheet(parseCallSheet(`@me = ${alice.toString()}\n${text}`), {
    network: (name) => {
      networks.push(name);
      return Promise.resolve({ access, accounts: new Map([['alice', alice.toRawString()]]) });
    },
  });
  return { outcomes, networks };
}

describe('callSheet: likely mistakes', () => {
  const meant: [text: string, suggestion: RegExp][] = [
    ['alice.seqno()', /^Write alice seqno\(\)$/],
    ['alice seqno', /^Write alice seqno\(\)$/],
    ['seqno()', /target before the method/],
    ['x y()\nexpects 0 == 5', /^Write expect 0 == 5$/],
    ['x y()\nassert 0 == 5', /^Write expect 0 == 5$/],
    ['x y()\nexpect 0 = 5', /^Write ==\.$/],
    ['x y()\nexpect 0 => 5', /^Write >=\.$/],
    ['x y() expect 0 == 5', /own line/],
    ['@step 5', /^Write @step = 5$/],
    ['@network', /^Write @network local$/],
  ];
  for (const [text, suggestion] of meant) {
    it(JSON.stringify(text), () => {
      const { problems } = parseCallSheet(text);
      assert.equal(problems.length, 1, JSON.stringify(problems));
      assert.match(problems[0]?.suggestion ?? '', suggestion);
    });
  }

  it('accepts a target with its @', () => {
    const { problems, calls, variables } = parseCallSheet('@me = 5\n@me seqno()');
    assert.deepEqual([problems, variables.length, calls[0]?.target.text], [[], 1, '@me']);
  });

  it('reports each of two unreadable calls', () => {
    const { problems } = parseCallSheet('### a\noops\n\n### b\nx y()\n\noops\nand more\n\noops');
    assert.deepEqual(
      problems.map(({ offset }) => offset),
      [6, 25, 40],
    );
  });
});

describe('callSheet: running', () => {
  it('passes if expectations are met', async () => {
    const { outcomes } = await run(`@answer = 42
### numbers
me get(@answer, addr alice)
expect 0 == @answer
expect 0 != 41
expect 0 < 43
expect 0 <= 42
expect 0 > 41
expect 0 >= 0x2a
expect 1 == [-1]
expect 1.0 == -1
expect 2 == null
expect exit 0
expect gas <= 700
### addresses
alice owner()
expect 0 == addr alice
expect 0 == ${alice.toString()}
### failing on purpose
${alice.toRawString()} fails()
expect exit 73`);
    assert.deepEqual(
      outcomes.map(({ passed, failures }) => [passed, failures]),
      Array(3).fill([true, []]),
    );
  });

  it('says what is not met', async () => {
    const { outcomes } = await run(`me get()
expect 0 == 41
expect 1.0 > 0
expect 5 == 1
expect 1 < 5
expect exit 1
expect gas < 700
me fails()
me owner()
expect 0 == addr none`);
    assert.deepEqual(
      outcomes.map(({ failures }) => failures),
      [
        [
          'Entry 0 is 42, expected 41.',
          'Entry 1.0 is -1, expected more than 0.',
          'There is no entry 5: the answer has 3 entries.',
          'Entry 1 is [-1]; only numbers can be compared with <.',
          'exit is 0 (success), expected 1.',
          'gas is 700, expected less than 700.',
        ],
        ['fails failed with exit code 73: defined by the contract or its compiler.'],
        [`Entry 0 is addr ${alice.toString()}, expected slice x{2_}.`],
      ],
    );
  });

  it('does not also report missing entries of a failed method', async () => {
    const { outcomes } = await run(
      'me none()\nexpect 0 == 1\nme none()\nexpect exit 0\nexpect 0 == 1\nme none()\nexpect exit 9\nexpect 0 == 1',
    );
    assert.deepEqual(
      outcomes.map(({ passed, failures }) => [passed, failures.length]),
      [
        [false, 1],
        [false, 1],
        [false, 1],
      ],
    );
    const words = outcomes.map(({ failures }) => failures.join());
    assert.match(words[0] ?? '', /failed with exit code 9/);
    assert.match(words[1] ?? '', /^exit is 9/);
    assert.match(words[2] ?? '', /no entry 0/);
  });

  it('requests the network of the file or the scenario', async () => {
    const { networks } = await run('@network one\nme a()\n### t\n@network two\nme b()\nme c()');
    assert.deepEqual(networks, ['one', 'two', 'two']);
  });

  it('reports a call that cannot be sent as a failed outcome with its position, and continues', async () => {
    const text = 'nobody a()\nme b([@nope])\nme c([1])\nme d()';
    const { outcomes } = await run(text);
    assert.deepEqual(
      outcomes.map(({ passed, error }) => [passed, error?.code]),
      [
        [false, 'call-sheet-invalid'],
        [false, 'call-sheet-invalid'],
        [false, 'network-lacks-api'],
        [true, undefined],
      ],
    );
    const whole = `@me = ${alice.toString()}\n${text}`;
    const places = outcomes.slice(0, 2).map(({ error }) => {
      const { offset, length } = error?.details as { offset: number; length: number };
      return whole.slice(offset, offset + length);
    });
    assert.deepEqual(places, ['nobody', '@nope']);
  });

  it('suggests the name that was meant, also in the summary and in the report', async () => {
    const { outcomes } = await run('mee a()');
    const [outcome] = outcomes;
    assert.ok(outcome !== undefined);
    const told = '“mee” is neither an address nor a known name. Did you mean me?';
    assert.deepEqual(outcome.failures, [told]);
    assert.equal(stepSummary(outcome), told);
    const [one] = scenarioCases([outcome.step], [outcome]);
    assert.deepEqual(one?.error, { code: 'call-sheet-invalid', message: told });
  });

  for (const reason of [undefined, new Error('enough')]) {
    it(`ends when it is canceled ${reason === undefined ? 'without' : 'with'} a reason`, async () => {
      const access = createAccess({
        network: { name: 'N', kind: 'custom', v3: 'http://n/api/v3', globalId: -239 },
        transport,
      });
      const controller = new AbortController();
      const begun: string[] = [];
      const told: StepOutcome[] = [];
      const running = runCallSheet(parseCallSheet(`@me = ${alice.toString()}\nme a()\nme b()\nme c()`), {
        network: () => {
          if (begun.length === 2) {
            controller.abort(reason);
            controller.signal.throwIfAborted();
          }
          return Promise.resolve({ access, accounts: new Map() });
        },
        onStep: ({ title }) => begun.push(title),
        onOutcome: (outcome) => void told.push(outcome),
        signal: controller.signal,
      });
      await assert.rejects(running, (error) => WorkbenchError.is(error, 'aborted'));
      assert.deepEqual([begun.length, told.length], [2, 1]);
    });
  }

  it('parses arguments by the types of the method', async () => {
    const access = createAccess({
      network: { name: 'N', kind: 'custom', v3: 'http://n/api/v3', globalId: -239 },
      transport,
    });
    const sheet = parseCallSheet(`@me = ${alice.toString()}\nme get(alice, {a: 1, b: true})\nme get(alice)`);
    const [method] = readTolkSource('struct P { a: int8, b: bool } get fun get(x: address, p: P): int {}');
    const outcomes = await runCallSheet(sheet, {
      network: () => Promise.resolve({ access, accounts: new Map([['alice', alice.toRawString()]]) }),
      signature: () => Promise.resolve(method),
    });
    assert.equal(printStack(outcomes[0]?.result?.arguments ?? []), `addr ${alice.toString()} 1 -1`);
    assert.equal(outcomes[1]?.error?.code, 'call-sheet-invalid');
  });

  it('says that a contract does not exist, not that its typed arguments are wrong', async () => {
    const access = createAccess({
      network: { name: 'N', kind: 'custom', v3: 'http://n/api/v3', globalId: -239 },
      transport,
    });
    const sheet = parseCallSheet(`@me = ${alice.toString()}\nme balance_of(bob)`);
    const run = async (isDeployed: boolean | undefined): Promise<StepOutcome | undefined> => {
      const [outcome] = await runCallSheet(sheet, {
        network: () => Promise.resolve({ access, accounts: new Map([['bob', alice.toRawString()]]) }),
        signature: () => Promise.resolve(undefined),
        isDeployed: () => Promise.resolve(isDeployed),
      });
      return outcome;
    };
    const absent = await run(false);
    assert.deepEqual([absent?.error?.code, absent?.error?.kind], ['contract-missing', 'failed']);
    assert.match(
      absent?.error?.message ?? '',
      new RegExp(`^There is no contract at ${alice.toRawString()} \\(me\\) on N\\.$`),
    );
    assert.match(absent?.error?.hint ?? '', /Deploy it first/);
    assert.equal((await run(true))?.error?.code, 'call-sheet-invalid');
    assert.equal((await run(undefined))?.error?.code, 'call-sheet-invalid');
  });

  it('reads files that values refer to', async () => {
    const access = createAccess({
      network: { name: 'N', kind: 'custom', v3: 'http://n/api/v3', globalId: -239 },
      transport,
    });
    const sheet = parseCallSheet(
      `@code = cell file "a.boc"\n${alice.toString()} get(@code, slice file "b.boc")`,
    );
    assert.deepEqual(sheet.problems, []);
    const names: string[] = [];
    const [outcome] = await runCallSheet(sheet, {
      network: () => Promise.resolve({ access, accounts: new Map() }),
      readFile: (name) => {
        names.push(name);
        return Buffer.from(boc, 'base64');
      },
    });
    assert.deepEqual([outcome?.passed, names], [true, ['a.boc', 'b.boc']]);
  });

  it('refuses a sheet with problems', async () => {
    await assert.rejects(
      run('me a('),
      (error) => WorkbenchError.is(error, 'call-sheet-invalid') && error.kind === 'input',
    );
  });
});
