import { Cell } from '@ton/core';
import assert from 'node:assert/strict';
import { parseStep, stepIndex } from '../../../src/cli/stepOption';
import { DebugControl } from '../../../src/toolkit/debug/debugControl';
import type { DebugProgram } from '../../../src/toolkit/debug/debugProgram';
import { Inspector } from '../../../src/toolkit/debug/inspector';
import { askOrigins } from '../../../src/toolkit/debug/askOrigins';
import type { OriginTree } from '../../../src/toolkit/debug/originTree';
import { askedIn, hopPlace, originLines, originTree } from '../../../src/toolkit/debug/originTree';
import { valueOrigin } from '../../../src/toolkit/debug/valueOrigin';
import { RunView } from '../../../src/toolkit/debug/runView';
import type { Recording } from '../../../src/toolkit/recording/recording';
import type { ValuePlace } from '../../../src/toolkit/recording/followValue';
import { depthAt, followValue, wordAt } from '../../../src/toolkit/recording/followValue';
import type { BankContract } from './support/bankChain';
import { debuggedMethod } from './support/debuggedMethod';
import { BankChain, bankSources, usualMessages } from './support/bankChain';

// Each fault is a contract that is compiled anew: a few are tried each time, all of them in the long run.
const isLong = process.env['TONWB_LONG'] === '1';
const { signal } = new AbortController();

/** Faults that make the last withdrawal fail: what the line should be, and what it is. */
const faults: readonly (readonly [BankContract, right: string, wrong: string, line?: string])[] = [
  ['bank', 'order.amount - kept.fee;', 'order.amount / 10 - kept.fee;'],
  ['bank', 'order.amount - kept.fee;', 'order.amount - kept.fee * 50;'],
  ['bank', 'order.amount - kept.fee;', 'kept.fee + ton("0.5");'],
  ['bank', 'order.amount - kept.fee;', 'min(order.amount, kept.fee);'],
  ['bank', 'kept.accounts.set(order.who, before + added);', 'kept.accounts.set(order.who, added);'],
  [
    'bank',
    'kept.accounts.set(order.who, before + added);',
    'kept.accounts.set(order.who, (before + added) / 2);',
  ],
  ['bank', 'order.amount + kept.fee * kept.rate;', 'order.amount + kept.fee * kept.rate * 100;'],
  ['bank', 'order.amount + kept.fee * kept.rate;', 'order.amount * kept.rate + kept.fee;'],
  ['bank', 'kept.fee = order.fee;', 'kept.fee = order.fee * 50;'],
  ['bank', 'kept.rate = order.rate;', 'kept.rate = order.rate + 500;'],
  ['relay', 'order.amount + kept.markup;', 'order.amount + kept.markup * 30;'],
  ['relay', 'order.amount + kept.markup;', 'order.amount * 3 + kept.markup;'],
  ['relay', 'order.amount + kept.markup;', '(order.amount + kept.markup) << 2;'],
  ['relay', 'kept.markup = order.markup;', 'kept.markup = order.markup * 100;'],
  ['relay', 'kept.markup = order.markup;', 'kept.markup = ton("5");'],
  [
    'relay',
    'Deposit { who: order.who, amount: order.amount }',
    'Deposit { who: order.who, amount: order.amount / 4 }',
  ],
  ['oracle', 'order.price * kept.percent / 100;', 'order.price * kept.percent;'],
  ['oracle', 'order.price * kept.percent / 100;', 'order.price * 100 / kept.percent;'],
  [
    'oracle',
    'Configure { fee: fee, rate: 2 }',
    'Configure { fee: fee, rate: 200 }',
    'val set = createMessage({',
  ],
  ['oracle', 'kept.percent = order.percent;', 'kept.percent = order.percent * 60;'],
];

function begun(program: DebugProgram): DebugControl {
  return new DebugControl(program, { loaded: () => undefined, output: () => undefined });
}

async function treesOf(
  program: DebugProgram,
  expression?: string,
): Promise<{ trees: OriginTree[]; text: string }> {
  const control = begun(program);
  const view = (await control.load(program.first, signal))!;
  const step = view.failedStep ?? view.steps - 1;
  const { values, problems } = askedIn(view, program.first, step, expression);
  assert.deepEqual(problems, []);
  const trees: OriginTree[] = [];
  for (const value of values) {
    trees.push(await originTree(control.runs, value, signal, { values: 40, depth: 6 }));
  }
  const names = {
    threadName: (thread: number) => control.runs.threads[thread]?.name ?? '',
    fileName: (file: string) => file,
  };
  return { trees, text: trees.map((tree) => originLines(tree, names).join('\n')).join('\n\n') };
}

/** How many sources have to be opened until a line is seen, and the click on it; undefined if it is nowhere. */
function clicksTo({ hops, sources }: OriginTree, line: string): number | undefined {
  const own = hops.some(({ place }) => place?.text.includes(line)) ? [1] : [];
  const inside = sources.map((source) => clicksTo(source, line)).filter((one) => one !== undefined);
  const all = [...own, ...inside.map((one) => one + 1)];
  return all.length === 0 ? undefined : Math.min(...all);
}

describe('where a value comes from', () => {
  let chain: BankChain;

  before(async () => {
    chain = await BankChain.start();
  });

  it('goes from a failed assert to the line at fault, in another transaction or contract', async () => {
    const clicks: number[] = [];
    const tried = faults.filter((_, index) => isLong || index % 6 === 4);
    // A statement of several lines is known by its first.
    for (const [contract, right, wrong, line = wrong] of tried) {
      const source = bankSources[contract];
      const changed = source.replace(right, wrong);
      assert.notEqual(changed, source, right);
      const { program } = await chain.run(usualMessages(), { [contract]: changed });
      const { trees, text } = await treesOf(program);
      const found = trees.map((tree) => clicksTo(tree, line)).filter((one) => one !== undefined);
      assert.ok(found.length > 0, `${wrong} is not in\n${text}`);
      clicks.push(Math.min(...found));
    }
    const median = clicks.toSorted((one, other) => one - other)[clicks.length >> 1];
    assert.ok(median! <= 3, clicks.join(' '));
  });

  it('names the message, the sender, the field of the data, and the transaction that wrote it', async () => {
    const { program } = await chain.run(usualMessages());
    const { text } = await treesOf(program, 'order.amount + kept.fee');
    assert.match(
      text,
      /^order\.amount = 8\.2 TON .*\n← Withdraw\.amount = 8\.2 TON .*\n← relay sent it = 8\.2 TON +relay\.tolk:15/m,
    );
    assert.match(
      text,
      /← c4\.fee = 0\.1 TON +bank\.tolk:11.*\n← written to c4\.fee = 0\.1 TON +bank\.tolk:41, 6 bank/,
    );
    assert.match(text, /← oracle sent it = 0\.1 TON +oracle\.tolk:13/);
  });

  it('keeps the hops up to an execution that cannot be recorded, and records only those of the account', async () => {
    const { program, ran } = await chain.run(usualMessages());
    const { account } = ran[program.first - 1]!;
    const loaded: number[] = [];
    const without = (isMissing: (index: number) => boolean, isKnown: boolean): DebugProgram => ({
      ...program,
      threads: program.threads.map(({ name, hash, load }, index) => ({
        ...{ name, hash, account: isKnown ? ran[index]!.account : undefined },
        load: (signal) => {
          loaded.push(index);
          return isMissing(index) ? Promise.reject(new Error('its state is gone')) : load(signal);
        },
      })),
    });
    const sender = await treesOf(
      without((index) => index === program.first - 1, true),
      'order.amount',
    );
    assert.match(
      sender.text,
      /^order\.amount = .*\n← Withdraw\.amount = .*\n← unknown: relay sent it, in a transaction that cannot be recorded: its state is gone/,
    );
    assert.deepEqual(
      loaded.filter((index) => index !== program.first && ran[index]!.account !== account),
      [],
    );
    const others = await treesOf(
      without((index) => ran[index]!.account !== account && index !== program.first, false),
      'order.amount + kept.fee',
    );
    assert.match(others.text, /\n← relay sent it = 8\.2 TON/);
    assert.match(
      others.text,
      /← c4\.fee = .*\n← unknown: the transaction before, .{8}, cannot be recorded: its/,
    );
  });

  it('asks in the function that is chosen in the call stack', async () => {
    const { program, view } = await debuggedMethod(
      'chosen.tolk',
      `@noinline fun inner(a: int): int { val same = a + 1; return same * same; }
       get fun outer(x: int): int { val same = x * 3; val y = inner(same); return y + same; }
       fun onInternalMessage(in: InMessage) {}`,
      ['outer', 2n],
    );
    const control = begun(program);
    await control.load(0, signal);
    const isKnown = (step: number): boolean => askedIn(view, 0, step, 'same').values.length > 0;
    const frames = (step: number): string[] =>
      [...view.framesAt(step)].map((one) => one.activation?.name ?? '');
    const steps = [...view.line.keys()];
    const step = steps.findLast((one) => frames(one)[0] === 'inner' && isKnown(one));
    assert.ok(step !== undefined);
    control.go({ thread: 0, step });
    const inspector = new Inspector(control);
    const told = await Promise.all(
      inspector.stackTrace({ threadId: 1 }).stackFrames.map(async ({ id, name }) => {
        const { trees } = await askOrigins(control.runs, inspector.frame(id), 'same', signal);
        return `${name}: ${trees[0]?.hops[0]?.value}`;
      }),
    );
    assert.deepEqual(told.slice(0, 2), ['inner: 7', 'outer: 6']);
    // Registers are those of now, whatever function is looked at.
    assert.equal(askedIn(view, 0, 1, 'c4', step).values[0]?.step, step);
  });

  it('has its first hop also where the way goes back through 60,000 steps', async () => {
    const { program, view } = await debuggedMethod(
      'far.tolk',
      `get fun far(x: int): int { var n = 0; while (n < 10100) { n += 1; } return x + n; }
       fun onInternalMessage(in: InMessage) {}`,
      ['far', 5n],
    );
    assert.ok(view.steps > 60_000, String(view.steps));
    const asked = askedIn(view, 0, view.steps - 2, 'x').values[0]!;
    const { runs } = begun(program);
    await runs.load(0, signal);
    const { hops } = await valueOrigin(runs, asked, signal);
    assert.match(
      hops.at(-1)?.title ?? '',
      /argument|stack|given|x/i,
      JSON.stringify(hops.map(({ title }) => title)),
    );
  });

  it('counts the steps that the log has lost', async () => {
    const { program, view } = await debuggedMethod(
      'lost.tolk',
      'get fun sum(x: int): int { return x + 1; } fun onInternalMessage(in: InMessage) {}',
      ['sum', 2n],
    );
    const recording = { ...view.recording, stepsMissing: 100 };
    const lost = new RunView({ ...view.run, recording }, recording, 0, program.pathOf);
    const runs = { ...begun(program).runs, load: () => Promise.resolve(lost) };
    const { trees } = await askOrigins(runs, { thread: 0, view: lost, step: 1 }, 's0', signal);
    assert.equal(
      hopPlace(trees[0]!.hops[0]!, { threadName: () => 'sum', fileName: String }),
      'sum, step 102',
    );
    assert.deepEqual([stepIndex(101, recording), stepIndex(102, recording)], [0, 1]);
    for (const [number, message] of [
      [0, /^There is no step 0/],
      [100, /^The log has lost step 100: it begins with step 101/],
      [101 + recording.steps, /^There is no step \d+: the execution has/],
    ] as const) {
      assert.throws(() => stepIndex(number, recording), { code: 'usage', message });
    }
    assert.throws(() => parseStep('twelve'), { code: 'usage' });
  });

  it('begins with the amount of the action that failed: one that was sent, or one that was reserved', async () => {
    const paying = 'paid.send(SEND_MODE_PAY_FEES_SEPARATELY);';
    const told = async (right: string, wrong: string): Promise<string> => {
      const bank = bankSources.bank.replace(right, wrong);
      return (await treesOf((await chain.run(usualMessages(), { bank })).program)).text;
    };
    assert.match(
      await told('value: order.amount,', 'value: order.amount * 100,'),
      /^the value that was sent = 820 TON/,
    );
    const reserving = `reserveToncoinsOnBalance(kept.fee * 9000, RESERVE_MODE_EXACT_AMOUNT); ${paying}`;
    assert.match(
      await told(paying, reserving),
      /^the amount that was reserved = 900 TON[^]*c4\.fee = 0\.1 TON/,
    );
  });

  it('names the account of an address that was cut out of data', async () => {
    const { program } = await chain.run(usualMessages());
    const { text } = await treesOf({ ...program, first: program.first - 1 }, 'c4.bank');
    assert.match(text, /^c4\.bank = bank /);
    assert.doesNotMatch(text, /x\{/);
  });

  it('goes through bounced messages: through what they carry back, not through what is added', async () => {
    const bank = bankSources.bank.replace('kept.fee * kept.rate;', 'kept.fee * kept.rate * 100;');
    const taking = 'val taken = createMessage({\n                bounce: true,';
    const bounced = async (mode: string, body: string): Promise<string> => {
      const relay = `${bankSources.relay.replace(taking, taking.replace('true', `BounceMode.${mode}`))}
fun onBouncedMessage(in: InMessageBounced) {
    var kept = Storage.fromCell(contract.getData());
    ${body}
    contract.setData(kept.toCell());
}
`;
      const { program } = await chain.run(usualMessages(), { relay, bank });
      return (await treesOf({ ...program, first: program.first + 1 }, 'c4.markup')).text;
    };
    const sent = /← Withdraw\.amount = 8\.2 TON .* bank, step 1\n *← relay sent it = 8\.2 TON/;
    const plain =
      'in.bouncedBody.skipBouncedPrefix(); kept.markup = Withdraw.fromSlice(in.bouncedBody).amount;';
    assert.match(await bounced('Only256BitsOfBody', plain), sent);
    const rich = await bounced(
      'RichBounce',
      `val rich = RichBounceBody.fromSlice(in.bouncedBody);
       kept.markup = Withdraw.fromCell(rich.originalBody).amount + rich.originalInfo.load().valueCoins + rich.exitCode;`,
    );
    assert.match(rich, sent);
    assert.match(rich, /← the value of the message = 0\.\d+ TON .* bank, step 1\n *← relay sent it/);
    assert.match(rich, /← bank bounced the message/);
  });

  it('is the same value at each hop, and moves with its origin and with nothing else', async () => {
    const { program, ran } = await chain.run(usualMessages());
    let [moved, still] = [0, 0];
    for (const index of [program.first, program.first - 1]) {
      const { run, again } = ran[index]!;
      const recording = run.recording!;
      const body = bodyOf(recording);
      const places = [...numbersIn(recording)];
      for (let bit = 33; bit < body.bits.length; bit += 5) {
        const other = await again(flipped(body, bit));
        const same = other === undefined ? 0 : sameSteps(recording, other);
        for (const { place, word, sources, isCopy } of places) {
          if (place.step >= same) {
            break;
          }
          const hasMoved = word !== wordAt(other!, place);
          const isOrigin = sources.some(([from, to]) => from <= bit && bit < to);
          const where = `step ${place.step}, slot ${place.slot}, bit ${bit}`;
          if (!isOrigin || isCopy) {
            assert.equal(hasMoved, isOrigin, where);
          }
          moved += isOrigin && isCopy ? 1 : 0;
          still += isOrigin ? 0 : 1;
        }
      }
    }
    assert.ok(moved > 50 && still > 1_000, `${moved} moved, ${still} did not`);
  });
});

/** The numbers on the stacks of an execution whose way is known, with the bits of the body that they are made of. */
function* numbersIn(
  recording: Recording,
): Generator<{ place: ValuePlace; word: string; sources: (readonly [number, number])[]; isCopy: boolean }> {
  for (let step = 1; step < recording.steps; step += 1) {
    for (let slot = 0; slot < depthAt(recording, step); slot += 1) {
      const place = { step, slot, part: { path: [] } };
      const word = wordAt(recording, place);
      const bits = /^-?\d+$/.test(word) ? bodyBits(recording, place) : undefined;
      if (bits !== undefined) {
        yield { place, word, ...bits };
      }
    }
  }
}

function bodyOf(recording: Recording): Cell {
  const [, boc = ''] = /^CS\{([0-9A-F]+)\}$/.exec(wordAt(recording, { step: 0, slot: 3 })) ?? [];
  return Cell.fromHex(boc);
}

function flipped(cell: Cell, bit: number): Cell {
  const bytes = Buffer.alloc(128);
  for (let at = 0; at < cell.bits.length; at += 1) {
    if (cell.bits.at(at) !== (at === bit)) {
      bytes[at >> 3]! |= 0x80 >> (at & 7);
    }
  }
  const slice = Cell.EMPTY.asBuilder().storeBuffer(bytes.subarray(0, 127)).endCell().beginParse();
  return Cell.EMPTY.asBuilder().storeBits(slice.loadBits(cell.bits.length)).endCell();
}

/** Number of first steps that run the same instructions. */
function sameSteps(one: Recording, other: Recording): number {
  let step = 0;
  while (
    step < Math.min(one.steps, other.steps) &&
    one.cells[one.cell[step]!] === other.cells[other.cell[step]!] &&
    one.offset[step] === other.offset[step]
  ) {
    step += 1;
  }
  return step;
}

/** The bits of the received body that a value is made of; undefined if its way ends at what is not known. */
function bodyBits(
  recording: Recording,
  place: ValuePlace,
): { sources: (readonly [number, number])[]; isCopy: boolean } | undefined {
  const { hops, end } = followValue(recording, place);
  switch (end.kind) {
    case 'start': {
      const { slot, part } = end.at;
      const isBits = part.path.length === 0 && part.bits !== undefined;
      return slot !== 3
        ? slot === 2
          ? undefined
          : { sources: [], isCopy: true }
        : {
            sources: [part.path.length === 0 ? (part.bits ?? [0, 1_023]) : [0, 1_023]],
            isCopy: isBits && hops.every(({ isCut }) => isCut !== true),
          };
    }
    case 'made': {
      const all = end.sources.map((source) => bodyBits(recording, source));
      return all.includes(undefined)
        ? undefined
        : { sources: all.flatMap((one) => one!.sources), isCopy: false };
    }
    case 'unknown':
    case 'given':
      return undefined;
    default:
      return { sources: [], isCopy: true };
  }
}
