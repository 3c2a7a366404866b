import assert from 'node:assert/strict';
import { Address, Cell, Dictionary, beginCell, contractAddress, loadShardAccount, toNano } from '@ton/core';
import type { Account } from '@ton/core';
import fc from 'fast-check';
import { chargeStorage } from '../../../src/toolkit/accountReport/storageFees';
import { forecastStorage, lastBlockTime } from '../../../src/toolkit/accountReport/storageForecast';
import type { StorageForecast } from '../../../src/toolkit/accountReport/storageForecast';
import { readStorageRules } from '../../../src/toolkit/accountReport/storageRules';
import type { StorageRules } from '../../../src/toolkit/accountReport/storageRules';
import { readStorageState } from '../../../src/toolkit/accountReport/storageState';
import type { StorageState } from '../../../src/toolkit/accountReport/storageState';
import { loadAnyTransaction } from '../../../src/toolkit/cell/loadFolded';
import {
  defaultNetworkConfig,
  importNetworkConfig,
  writeParameters,
} from '../../../src/toolkit/execution/emulator/networkConfig';
import type { LocalChain } from '../../../src/toolkit/localnet/chain/localChain';
import { setAccount } from '../../../src/toolkit/localnet/control/accountCommands';
import { sendAs } from '../../../src/toolkit/localnet/control/sendAs';
import { addressOf, ManualClock, testChain } from '../localnet/support/testChain';

const bob = addressOf('bob');
/** The first account is made then; the forecasts are of `today`. */
const [beginning, today] = [1_500_000_000, 1_800_000_000];

/** Five price periods, of which two lie in the future; one costs nothing for bits, as on the public network. */
const prices = [
  [0, 1n, 500n, 1000n, 500_000n],
  [1_620_000_000, 0n, 135n, 3n, 40_000n],
  [1_790_000_001, 3n, 777n, 900n, 90_001n],
  [1_900_000_000, 2n, 300n, 500n, 70_003n],
  [2_400_000_000, 5n, 2_000n, 7n, 500_000n],
] as const;

function parameter18(): Cell {
  const entries = Dictionary.empty(Dictionary.Keys.Uint(32), {
    serialize: ([since, ...rates]: (typeof prices)[number], builder) => {
      builder.storeUint(0xcc, 8).storeUint(since, 32);
      rates.forEach((rate) => builder.storeUint(rate, 64));
    },
    parse: () => prices[0],
  });
  prices.forEach((price) => entries.set(price[0], price));
  return beginCell().storeDictDirect(entries).endCell();
}

const parameters = new Map(defaultNetworkConfig().parameters).set(18, parameter18());
const config = importNetworkConfig(writeParameters(parameters).toBoc().toString('base64'), 'the test');

/** What an account is made of. */
interface Plan {
  kind: 'active' | 'own state' | 'uninit';
  workchain: number;
  state: Cell;
  /** Nanocoins. */
  balance: bigint;
  extraCurrency: boolean;
  /** Seconds from the beginning until it is made, and from then until it has a transaction. */
  made: number;
  touched: number | null;
}

/** Trees with up to some hundred cells, of which many are the same. */
const tree = fc.letrec<{ cell: Cell }>((tie) => ({
  cell: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    fc.integer({ min: 0, max: 7 }).map((value) => beginCell().storeUint(value, 3).endCell()),
    fc
      .tuple(fc.bigInt({ min: 0n, max: 2n ** 800n }), fc.array(tie('cell'), { minLength: 1, maxLength: 4 }))
      .map(([value, refs]) =>
        refs.reduce((build, ref) => build.storeRef(ref), beginCell().storeUint(value, 801)).endCell(),
      ),
  ),
})).cell;

/** Up to some hundred distinct cells, one below the other. */
const chainOfCells = fc.integer({ min: 1, max: 400 }).map((length) => {
  let cell = Cell.EMPTY;
  for (let number = 0; number < length; number++) {
    cell = beginCell().storeUint(number, 999).storeRef(cell).endCell();
  }
  return cell;
});

const plan: fc.Arbitrary<Plan> = fc.record({
  kind: fc.constantFrom('active', 'active', 'active', 'own state', 'uninit'),
  workchain: fc.constantFrom(0, 0, 0, 0, -1),
  state: fc.oneof(tree, tree, chainOfCells),
  balance: fc.oneof(
    fc.constant(0n),
    fc.bigInt({ min: 0n, max: toNano('0.002') }),
    fc.bigInt({ min: 0n, max: toNano('0.1') }),
    fc.bigInt({ min: 0n, max: toNano('0.5') }),
  ),
  extraCurrency: fc.integer({ min: 0, max: 9 }).map((one) => one === 0),
  made: fc.integer({ min: 0, max: today - beginning - 1 }),
  touched: fc.option(fc.integer({ min: 1, max: today - beginning })),
});

/** Makes an account at the chain's time. */
async function make(chain: LocalChain, plan: Plan, number: number): Promise<string> {
  const { kind, workchain, state, balance } = plan;
  const code = beginCell().storeUint(number, 16).endCell();
  const own = contractAddress(workchain, { code, data: state });
  const hash = Buffer.from(number.toString(16).padStart(64, '0'), 'hex');
  const address = (kind === 'own state' ? own : new Address(workchain, hash)).toRawString();
  await setAccount(chain, {
    address,
    balance,
    extraCurrencies: plan.extraCurrency ? new Map([[7, 5n]]) : undefined,
    ...(kind === 'uninit' ? {} : { code, data: state }),
  });
  return address;
}

/** What a transaction without coins does to the account, in a block of its own. */
async function touch(chain: LocalChain, address: string): Promise<Touched> {
  await sendAs(chain, { from: bob, to: address, value: 0n, bounce: true });
  await chain.mine();
  const own = chain.ledger.accounts.get(address);
  const last = own?.transactions.at(-1);
  assert.ok(own !== undefined && last?.now === chain.now(), address);
  const { description } = loadAnyTransaction(Cell.fromBoc(last.boc)[0]!);
  assert.ok(description.type === 'generic' && description.storagePhase != null);
  const { storageFeesCollected: collected, storageFeesDue } = description.storagePhase;
  const account = accountAt(chain, address);
  return { collected, due: storageFeesDue ?? 0n, status: account?.storage.state.type ?? 'nonexist' };
}

type Touched = ReturnType<typeof chargeStorage>;

function accountAt(chain: LocalChain, address: string): Account | null | undefined {
  return loadShardAccount(Cell.fromBase64(chain.ledger.accounts.get(address)!.current).beginParse()).account;
}

/** An account, and everything that is forecast for it. */
interface Subject {
  address: string;
  rules: StorageRules;
  state: StorageState;
  forecast: StorageForecast;
}

function subjectAt(chain: LocalChain, address: string): Subject | undefined {
  const state = readStorageState(chain.ledger.accounts.get(address)!.current);
  const rules = readStorageRules(config, address.startsWith('-1:') ? -1 : 0);
  return state && { address, rules, state, forecast: forecastStorage(rules, state, today) };
}

/** A transaction at a moment, and what it must do. */
interface Event {
  subject: Subject;
  time: number;
  check: (done: Touched) => void;
}

describe('the forecast of storage fees', () => {
  const clock = new ManualClock();
  let chain: LocalChain;
  let subjects: Subject[];

  before(async () => {
    clock.milliseconds = beginning * 1000;
    chain = await testChain({ clock, config });
    const plans = fc.sample(plan, { numRuns: 60, seed: 41 });
    const addresses: string[] = [];
    const steps = plans.flatMap((plan, index) => [
      {
        time: beginning + plan.made,
        run: async () => (addresses[index] = await make(chain, plan, index + 1)),
      },
      ...(plan.touched === null || beginning + plan.made + plan.touched > today
        ? []
        : [{ time: beginning + plan.made + plan.touched, run: () => touch(chain, addresses[index]!) }]),
    ]);
    for (const { time, run } of steps.toSorted((a, b) => a.time - b.time)) {
      clock.milliseconds = time * 1000;
      await run();
    }
    clock.milliseconds = today * 1000;
    await chain.mine();
    addresses.push(`-1:${'33'.repeat(32)}`, `-1:${'55'.repeat(32)}`);
    subjects = addresses.flatMap((address) => subjectAt(chain, address) ?? []);
  });

  /** Has these transactions happen in the order of their times, and takes them back. */
  async function happen(events: readonly Event[]): Promise<number> {
    const { seqno } = chain.ledger.last;
    const inTime = events.filter(({ time }) => time >= today && time < lastBlockTime);
    for (const { subject, time, check } of inTime.toSorted((a, b) => a.time - b.time)) {
      clock.milliseconds = time * 1000;
      check(await touch(chain, subject.address));
    }
    await chain.restore(seqno);
    clock.milliseconds = today * 1000;
    return inTime.length;
  }

  it('is made for accounts of every kind', () => {
    const count = (is: (subject: Subject) => boolean): number => subjects.filter(is).length;
    assert.ok(subjects.length >= 50, `${subjects.length}`);
    const kinds = {
      active: count(({ state }) => state.status === 'active'),
      frozen: count(({ state }) => state.status === 'frozen'),
      uninit: count(({ state }) => state.status === 'uninit'),
      indebted: count(({ state }) => state.due > 0n),
      masterchain: count(({ address }) => address.startsWith('-1:')),
      large: count(({ state }) => state.used.cells > 100n),
      freezing: count(({ forecast }) => forecast.freezesFrom !== undefined && forecast.freezesFrom > today),
      lost: count(({ forecast }) => forecast.freezesFrom === today),
      withCurrency: count(({ state }) => state.hasExtraCurrencies),
      ownState: count(({ state }) => state.whenFrozen?.status === 'uninit'),
      special: count(({ forecast }) => forecast.isSpecial),
      sooner: count(({ forecast }) => forecast.deletesEarliest !== undefined),
    };
    assert.deepEqual(
      Object.entries(kinds).filter(([, number]) => number < 2),
      [],
      JSON.stringify(kinds),
    );
  });

  /** What the local network does at a moment is what was forecast. */
  const charges = (subject: Subject, time: number | undefined, status?: Touched['status']): Event[] =>
    time === undefined
      ? []
      : [
          {
            subject,
            time,
            check: (done) => {
              const { address, rules, state } = subject;
              assert.deepEqual(done, chargeStorage(rules, state, time), `${address} at ${time}`);
              assert.ok(
                status === undefined || done.status === status,
                `${address} at ${time}: ${done.status}`,
              );
            },
          },
        ];

  it('has what is owed now, and leaves the same debt', async () => {
    const events = subjects.map((subject): Event => {
      const { owed } = subject.forecast;
      return {
        ...charges(subject, today)[0]!,
        check: (done) => assert.equal(done.collected + done.due, owed, subject.address),
      };
    });
    assert.equal(await happen(events), subjects.length);
  });

  it('is exact at any time', async () => {
    const ages = [60, 3e7, 1e8, 2e9];
    const events = subjects.flatMap((subject, index) => charges(subject, today + ages[index % 4]! + index));
    assert.equal(await happen(events), subjects.length);
  });

  it('has the second from which an account owes more than it has', async () => {
    const at = subjects.flatMap((subject) => {
      const { uncoveredFrom } = subject.forecast;
      return uncoveredFrom === undefined || uncoveredFrom <= today ? [] : [{ subject, uncoveredFrom }];
    });
    const before = at.flatMap(({ subject, uncoveredFrom }): Event[] =>
      charges(subject, uncoveredFrom - 1).map((event) => ({
        ...event,
        check: (done) => assert.equal(done.due, 0n),
      })),
    );
    const then = at.flatMap(({ subject, uncoveredFrom }): Event[] =>
      charges(subject, uncoveredFrom).map((event) => ({
        ...event,
        check: (done) => assert.ok(done.due > 0n),
      })),
    );
    const counts = [await happen(before), await happen(then)];
    assert.ok(Math.min(...counts) > 10, counts.join());
  });

  it('has the second from which an account is frozen, or deleted without being frozen', async () => {
    const moments = subjects.map((subject) => {
      const { status, freezesFrom, deletesFrom } = subject.forecast;
      return { subject, status, moment: status === 'active' ? freezesFrom : deletesFrom };
    });
    const before = moments.flatMap(({ subject, status, moment }) =>
      charges(subject, moment === undefined ? undefined : moment - 1, status),
    );
    const then = moments.flatMap(({ subject, status, moment }) =>
      charges(subject, moment, status === 'active' ? subject.state.whenFrozen?.status : 'nonexist'),
    );
    const never = moments.flatMap(({ subject, status, moment }) =>
      moment === undefined ? charges(subject, lastBlockTime - 1, status) : [],
    );
    const counts = [await happen(before), await happen(then), await happen(never)];
    assert.ok(Math.min(...counts) > 5, counts.join());
  });

  it('has the second from which a frozen account is deleted, and the earliest', async () => {
    const status = (subject: Subject, time: number, expected: Touched['status']): Event => ({
      subject,
      time,
      check: (done) => assert.equal(done.status, expected, `${subject.address} at ${time}`),
    });
    const frozen = subjects.flatMap((subject) => {
      const { freezesFrom, deletesFrom, deletesEarliest } = subject.forecast;
      return freezesFrom === undefined ? [] : [{ subject, freezesFrom, deletesFrom, deletesEarliest }];
    });
    const freezing = frozen.map(({ subject, freezesFrom }) =>
      status(subject, freezesFrom, subject.state.whenFrozen!.status),
    );
    const before = frozen.flatMap(({ subject, freezesFrom, deletesFrom = lastBlockTime }) =>
      deletesFrom - 1 <= freezesFrom ? [] : [status(subject, deletesFrom - 1, 'frozen')],
    );
    const then = frozen.flatMap(({ subject, deletesFrom }) =>
      deletesFrom === undefined ? [] : [status(subject, deletesFrom, 'nonexist')],
    );
    const soonest = frozen.flatMap(({ subject, deletesEarliest }) =>
      deletesEarliest === undefined
        ? []
        : ['frozen' as const, 'nonexist' as const].map((one) => status(subject, deletesEarliest, one)),
    );
    const tooSoon = frozen.flatMap(({ subject, deletesEarliest, freezesFrom }) =>
      deletesEarliest === undefined || deletesEarliest - 1 < Math.max(today, freezesFrom)
        ? []
        : ['frozen' as const, 'frozen' as const].map((one) => status(subject, deletesEarliest - 1, one)),
    );
    const counts = [
      await happen([...freezing, ...before]),
      await happen([...freezing, ...then]),
      await happen(soonest),
      await happen(tooSoon),
    ];
    assert.ok(Math.min(...counts) > 5, counts.join());
  });
});
