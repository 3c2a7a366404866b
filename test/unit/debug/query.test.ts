import assert from 'node:assert/strict';
import { WorkbenchError } from '../../../src/toolkit/base/errors';
import type { DebugProgram } from '../../../src/toolkit/debug/debugProgram';
import { askSession } from '../../../src/toolkit/debug/query/askSession';
import { breakpointTitle } from '../../../src/toolkit/debug/query/breakpointHits';
import { hitLines } from '../../../src/toolkit/debug/query/hitLines';
import type { QueryAnswer } from '../../../src/toolkit/debug/query/queryPrograms';
import { queryPrograms } from '../../../src/toolkit/debug/query/queryPrograms';
import { suggestQuestions } from '../../../src/toolkit/debug/query/suggestQuestions';
import { readQuestion } from '../../../src/toolkit/debug/query/readQuestion';
import { DebugClient } from '../../support/debugClient';
import { BankChain, bankSources, usualMessages } from './support/bankChain';
import { debuggedMethod } from './support/debuggedMethod';
import { QueryOracle } from './support/queryOracle';
import { walks } from './support/walks';

const { signal } = new AbortController();
const all = { most: 10_000, isOnlyFirst: false };
/** In long runs, every name is asked for. */
const isLong = process.env['TONWB_LONG'] === '1';
/** Those that have values of all kinds: of the message, of structs, of the stack alone. */
const usualNames = new Set(['kept', 'kept.total', 'order.amount', 'has', 'in.valueCoins', 'found.isFound']);

const ask = (program: DebugProgram, text: string, bounds = all): Promise<QueryAnswer> =>
  queryPrograms([program], readQuestion(text), bounds, signal);

/** The hits as `execution:step`; none if no execution has the name. */
async function found(program: DebugProgram, text: string): Promise<string[]> {
  const { hits, total } = await ask(program, text).catch((error: { code: string }) => {
    assert.equal(error.code, 'question-unknown-name', text);
    return { hits: [], total: 0 };
  });
  assert.equal(hits.length, total);
  return hits.map(({ execution, step }) => `${execution}:${step}`);
}

async function titles(program: DebugProgram, text: string): Promise<string[]> {
  return (await ask(program, text)).hits.map(({ title }) => title);
}

async function alone(...method: Parameters<typeof debuggedMethod>): Promise<DebugProgram> {
  const { program } = await debuggedMethod(...method);
  return { ...program, threads: program.threads.slice(0, 1) };
}

describe('questions to recordings', () => {
  let chain: BankChain;
  let bank: DebugProgram;

  before(async () => {
    chain = await BankChain.start();
    bank = (await chain.run(usualMessages())).program;
  });

  describe('have the hits that stepping finds', () => {
    const programs: Readonly<Record<string, () => Promise<DebugProgram>>> = {
      'in three contracts': () => Promise.resolve(bank),
      'in Tolk': () => alone('walk.tolk', walks.tolk, ['walk', 6n]),
      'in FunC': () => alone('walk.fc', walks.func, ['walk', 6n]),
      'in assembly': () => alone('walk.tolk', walks.tolk, ['walk', 3n], false),
    };
    const expected: Readonly<Record<string, readonly string[]>> = {
      'in three contracts': ['line', 'writes', 'sends', 'changes'],
      'in Tolk': ['line', 'changes'],
      'in FunC': ['line', 'changes'],
      'in assembly': ['changes'],
    };
    for (const [name, load] of Object.entries(programs)) {
      it(name, async () => {
        const program = await load();
        const oracles = await Promise.all(program.threads.map((_, index) => QueryOracle.of(program, index)));
        const known = oracles.filter((one) => one !== undefined);
        const counts = new Map<string, number>();
        const same = async (
          text: string,
          steps: (oracle: QueryOracle) => Promise<number[]>,
        ): Promise<void> => {
          const answers = await Promise.all(
            oracles.map(async (oracle, index) =>
              oracle === undefined ? [] : (await steps(oracle)).map((step) => `${index}:${step + 1}`),
            ),
          );
          assert.deepEqual(await found(program, text), answers.flat(), text);
          const [kind = ''] = text.split(' ', 1);
          counts.set(kind, (counts.get(kind) ?? 0) + answers.flat().length);
        };
        const maps = known.flatMap(({ view }) => view.run.lines?.map ?? []);
        const lines = new Map(
          maps.flatMap(({ places }) => places.map((place) => [`${place.file}:${place.line}`, place])),
        );
        for (const [place, { file, line }] of lines) {
          await same(`line ${place}`, (oracle) => oracle.line(file, line));
        }
        for (const field of ['total', 'fee', 'accounts', 'markup', 'percent']) {
          await same(`writes c4.${field}`, (oracle) => oracle.writes(field));
        }
        await same('sends', (oracle) => oracle.sends());
        const globals = new Set(maps.flatMap((map) => map.globals.map((one) => one.name)));
        const names = [...new Set(known.flatMap((oracle) => oracle.names()))].filter(
          (one) => isLong || known.length === 1 || usualNames.has(one),
        );
        const expressions = [
          's0',
          'c4',
          'c5',
          'c7',
          'c4.total',
          ...names.slice(0, isLong ? undefined : 3).map((one) => `${one} + s1 * 2`),
        ];
        for (const one of [...names, ...expressions]) {
          const [head = ''] = one.split(/[. ]/, 1);
          const isLocal = one.includes('s1') || (!/^c[457]/.test(one) && !globals.has(head));
          await same(`changes ${one}`, (oracle) => oracle.changes(one, isLocal));
        }
        for (const kind of expected[name] ?? []) {
          assert.ok((counts.get(kind) ?? 0) > 4, `${kind}: ${counts.get(kind)}`);
        }
      });
    }
  });

  it('tell arguments and results of calls, and why one is unknown', async () => {
    const tolk = await alone('walk.tolk', walks.tolk, ['walk', 20n]);
    assert.deepEqual(await titles(tolk, 'calls half'), [
      ...['half(value: 20) → 10', 'half(value: 10) → 5', 'half(value: 5) → 2', 'half(value: 2) → 1'],
      'half(value: 1) → 0',
    ]);
    assert.deepEqual(await titles(tolk, 'calls walk'), ['walk(start: 20) → 60']);
    const [widened] = (await ask(tolk, 'calls widen')).hits;
    assert.equal(widened?.title, 'widen(by: unknown) → unknown: the compiler has put it into its caller');
    assert.match(widened.values[0]?.why ?? '', /^by is not known here: /);
    const func = await alone('walk.fc', walks.func, ['walk', 5n]);
    assert.deepEqual((await titles(func, 'calls half')).at(-1), 'half(value: 1) → 0');
    const thrown = await alone(
      'thrown.tolk',
      `@noinline fun low(a: int): int { assert (a > 3) throw 77; return a - 1; }
       get fun go(x: int): int { return low(x) + low(x - 2); }
       fun onInternalMessage(in: InMessage) {}`,
      ['go', 5n],
    );
    assert.deepEqual(await titles(thrown, 'calls low'), [
      'low(a: 5) → 4',
      'low(a: 3) → threw 77 (defined by the contract or its compiler)',
    ]);
    assert.match((await titles(thrown, 'calls go')).join(), /^go\(x: 5\) → threw 77 /);
  });

  it('tell writes before and after, messages with what they carried, and values at a line', async () => {
    assert.deepEqual(await titles(bank, 'writes bank.total'), [
      ...['total 0 TON → 5.9 TON', 'total 5.9 TON → 9.8 TON', 'total 9.8 TON → 1.4 TON'],
    ]);
    assert.deepEqual((await titles(bank, 'writes bank.accounts')).at(-1), 'accounts.7 9.8 TON → 1.4 TON');
    const { notes, hits } = await ask(bank, 'writes bank.fee');
    assert.deepEqual(hits[0]?.values, [{ name: 'fee', value: '0.1 TON', before: '0.01 TON' }]);
    assert.match(notes.join(), /9 bank; 11 bank; 13 bank: 1 other write of its data left fee as it was\./);
    const sent = await titles(bank, 'sends to bank');
    assert.equal(sent.length, 4);
    assert.match(sent.at(-1)!, /^to bank: Withdraw \{who: 7, amount: 8\.2 TON\}, 0\.9998\d+ TON, mode 64$/);
    assert.deepEqual(await titles(bank, 'line bank.tolk:24 cost, kept.total'), [
      'cost = 8400000000, kept.total = 9.8 TON',
    ]);
    assert.match(
      (await titles(bank, 'line bank.tolk:23 nothing'))[0]!,
      /^nothing is unknown: nothing is not known/,
    );
  });

  it('say what was not kept: the execution failed after it', async () => {
    const changed = bankSources.bank.replace(
      'contract.setData(kept.toCell());',
      'contract.setData(kept.toCell()); assert (kept.total < ton("6")) throw 99;',
    );
    const { program } = await chain.run(usualMessages(), { bank: changed });
    const { hits } = await ask(program, 'writes bank.total');
    assert.deepEqual(
      hits.map(({ title, undone }) => [title, undone]),
      [
        ['total 0 TON → 5.9 TON', undefined],
        ['total 5.9 TON → 9.8 TON', 'the execution failed'],
      ],
    );
    const { hits: calls } = await ask(program, 'calls onInternalMessage');
    assert.equal(calls.filter(({ title }) => title.endsWith('→ threw 99')).length, 1);
    const { notes } = await ask(program, 'sends');
    assert.match(
      notes.join(),
      /11 bank; 14 bank: The message bounced\. No instruction sends that, so it is not listed\./,
    );
    const text = hitLines(await ask(program, 'writes bank.total'), {
      fileName: (file) => file,
      goTo: (execution, step) => `go ${execution} ${step}`,
    }).join('\n');
    assert.match(
      text,
      /^9 bank {3}go 8 (\d+)\n {2}step \1 {2}bank\.tolk:41 {2}total 0 TON → 5\.9 TON\n\n11 bank .*\n.*\(not kept: the execution failed\)\n\n2 hits in 2 of \d+ executions\.$/,
    );
  });

  it('are asked of one execution, tell as many hits as wanted, and go on after one that is not to be had', async () => {
    const few = await ask(bank, 'changes s0', { most: 3, isOnlyFirst: false });
    assert.ok(few.hits.length === 3 && few.total > 100, String(few.total));
    const one = await ask(bank, 'writes bank.total', { most: 10, isOnlyFirst: true });
    assert.deepEqual([one.executions.length, one.total], [1, 1]);
    const broken: DebugProgram = {
      ...bank,
      threads: bank.threads.map((thread, index) =>
        index === 8 ? { ...thread, load: () => Promise.reject(new WorkbenchError(gone)) } : thread,
      ),
    };
    const { total, executions } = await ask(broken, 'writes bank.total');
    assert.deepEqual([total, executions[8]?.problem], [2, gone.message]);
  });

  describe('of a session', () => {
    const bounds = { most: 100, isRecordedOnly: false };
    const lineOf = (text: string): number =>
      bankSources.bank.split('\n').findIndex((line) => line.includes(text)) + 1;

    it('have all that each breakpoint hits, at once: where it stops, and what a logpoint writes', async () => {
      const client = await DebugClient.begun({ ...bank, first: 0 });
      const added = lineOf('kept.total += added;');
      let changes = 0;
      client.session.onDidChange(() => (changes += 1));
      await client.setBreakpoints(
        { path: 'bank.tolk' },
        { line: added },
        { line: added, condition: 'added > 5ton' },
        { line: lineOf('assert (cost'), logMessage: '{cost} of {has}' },
      );
      await client.request('setFunctionBreakpoints', { breakpoints: [{ name: 'onInternalMessage' }] });
      assert.ok(changes >= 2, String(changes));
      const answers = [];
      for (const rules of client.session.breakpoints()) {
        const question = { kind: 'breakpoint' as const, rules };
        const recorded = { ...bounds, isRecordedOnly: true };
        const first = await askSession(
          client.session.control,
          question,
          answers.length === 0 ? recorded : bounds,
          signal,
        );
        answers.push({ title: breakpointTitle(rules), ...first });
      }
      const [early, big, log, all] = answers;
      assert.deepEqual(
        answers.map(({ title, total }) => `${title}: ${total}`),
        [
          `bank.tolk:${added}: 0`,
          `bank.tolk:${added} if added > 5ton: 1`,
          `bank.tolk:${lineOf('assert (cost')}: 1`,
          `onInternalMessage(): ${all?.total}`,
        ],
      );
      assert.equal(early?.left, bank.threads.length - 1, 'only the first execution was recorded');
      assert.equal(big?.left, 0);
      assert.match(big?.hits[0]?.title ?? '', /^kept\.total = 0 TON, added = 5900000000$/);
      assert.equal(log?.hits[0]?.title, '8400000000 of 9800000000');
      // Walking from hit to hit stops at the same steps.
      const seen: string[] = [];
      await client.setBreakpoints({ path: 'bank.tolk' });
      for (let stop = await client.moved('continue', {}); stop.reason === 'function breakpoint';) {
        seen.push(`${stop.threadId} ${(await client.frame(stop.threadId)).line}`);
        stop = await client.moved('continue', {});
      }
      const hits = all?.hits.map(({ position, place }) => `${position.thread + 1} ${place?.line}`) ?? [];
      // The session stood at the first of them when it began.
      assert.ok(hits.length > 5 && hits.slice(hits.length - seen.length).join() === seen.join(), hits.join());
      assert.ok(hits.length - seen.length <= 1);
    });

    it('are as many as the lines are said to have run', async () => {
      const client = await DebugClient.begun({ ...bank, first: 0 });
      await askSession(client.session.control, readQuestion('sends'), bounds, signal);
      const times = new Map<number, number>();
      for (const [thread] of bank.threads.entries()) {
        const file = client.session.executedLines(thread + 1).find(({ path }) => path === 'bank.tolk');
        file?.lines.forEach((line, index) => times.set(line, (times.get(line) ?? 0) + file.times[index]!));
      }
      assert.ok(Math.max(...times.values()) > 2);
      for (const [line, count] of times) {
        assert.equal((await titles(bank, `line bank.tolk:${line}`)).length, count, `line ${line}`);
      }
    });

    it('put it at a hit, and suggest questions that are answered', async () => {
      const client = await DebugClient.begun({ ...bank, first: 0 });
      const { hits } = await askSession(
        client.session.control,
        readQuestion('writes bank.total'),
        bounds,
        signal,
      );
      const last = hits.at(-1)!;
      const stopped = client.event('stopped');
      await client.session.goTo(last.position);
      await stopped;
      const suggested = suggestQuestions(client.session.control).map(({ text }) => text);
      assert.ok(
        suggested.includes('calls onInternalMessage') && suggested.includes('writes c4.total'),
        suggested.join(),
      );
      for (const text of suggested) {
        const { total } = await askSession(client.session.control, readQuestion(text), bounds, signal);
        assert.ok(total > 0, text);
      }
    });
  });

  it('name what there is instead of an unknown name, and say what is wrong with a question', async () => {
    const wrong: [text: string, code: string, hint: RegExp][] = [
      ['line vault.tolk:3', 'question-unknown-name', /There are: bank\.tolk, relay\.tolk, oracle\.tolk/],
      ['calls onInternalMesage', 'question-unknown-name', /^Did you mean onInternalMessage\?/],
      ['writes bank.totl', 'question-unknown-name', /bank\.fee, bank\.rate, bank\.total/],
      ['writes vault.total', 'question-unknown-name', /There are: bank, relay, oracle/],
      ['sends to nobody', 'question-unknown-name', /bank/],
      ['changes nothing', 'question-unknown-name', /c4\.total/],
      ['changes a +* "', 'expression-invalid', /^$/],
      ['line 3', 'question-invalid', /line counter\.tolk:31/],
      ['calls', 'question-invalid', /Storage\.save/],
      ['writes', 'question-invalid', /Counter\.value/],
      ['sends alice', 'question-invalid', /sends to alice/],
      ['where is it', 'question-invalid', /changes EXPRESSION/],
    ];
    for (const [text, code, hint] of wrong) {
      await assert.rejects(
        async () => ask(bank, text),
        (error: WorkbenchError) => error.code === code && hint.test(error.hint ?? ''),
        text,
      );
    }
    assert.deepEqual(await titles(bank, `sends to 0:${'ab'.repeat(32)}`), []);
  });
});

const gone = { code: 'replay-impossible', kind: 'failed', message: 'Its state is gone.' } as const;
