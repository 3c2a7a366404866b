import assert from 'node:assert/strict';
import { PassThrough, Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createAccess } from '../../../src/toolkit/access/createAccess';
import { networkAt } from '../../../src/toolkit/access/resolveNetwork';
import { WatchSchedule } from '../../../src/toolkit/getMethods/watchSchedule';
import { SteppedClock } from '../../support/steppedClock';

/** Timers that go off when told to. */
class Timers {
  now = 0;
  readonly #waiting = new Set<{ at: number; work: () => void }>();

  readonly after = (ms: number, work: () => void): (() => void) => {
    const one = { at: this.now + ms, work };
    this.#waiting.add(one);
    return () => this.#waiting.delete(one);
  };

  get count(): number {
    return this.#waiting.size;
  }

  async pass(ms: number): Promise<void> {
    const end = this.now + ms;
    for (;;) {
      const [next] = [...this.#waiting].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (next === undefined) {
        break;
      }
      this.now = next.at;
      this.#waiting.delete(next);
      next.work();
      // Runs end, and what waits for their end begins.
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.now = end;
  }
}

interface Call {
  name: string;
  local: boolean;
}

const here = { name: 'here', local: true };
const there = { name: 'there', local: false };

describe('the schedule of watched calls', () => {
  let timers: Timers;
  let runs: string[];
  let errors: string[];
  let schedule: WatchSchedule<Call>;
  let run: (call: Call) => Promise<void>;
  beforeEach(() => {
    timers = new Timers();
    runs = [];
    errors = [];
    run = () => Promise.resolve();
    schedule = new WatchSchedule<Call>({
      run: (call) => {
        runs.push(`${call.name} ${timers.now}`);
        return run(call);
      },
      isLocal: ({ local }) => local,
      onError: (call, error) => errors.push(`${call.name}: ${String(error)}`),
      after: timers.after,
    });
  });

  it('runs a call at once, and a local one again after each burst of blocks', async () => {
    schedule.add(here);
    schedule.blockMade();
    schedule.blockMade();
    await timers.pass(1_000);
    schedule.blockMade();
    await timers.pass(1_000);
    assert.deepEqual(runs, ['here 0', 'here 150', 'here 1150']);
  });

  it('runs once more if a block comes while the call is running', async () => {
    let end: () => void = () => undefined;
    run = () => new Promise((resolve) => (end = resolve));
    schedule.add(here);
    schedule.blockMade();
    await timers.pass(200);
    assert.equal(runs.length, 1, 'never twice at a time');
    end();
    await timers.pass(0);
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(runs, ['here 0', 'here 200']);
  });

  it('runs calls elsewhere every five seconds, and more slowly the more there are', async () => {
    schedule.add(there);
    schedule.blockMade();
    await timers.pass(11_000);
    assert.deepEqual(runs, ['there 0', 'there 5000', 'there 10000']);
    for (let number = 1; number < 10; number += 1) {
      schedule.add({ name: `there ${number}`, local: false });
    }
    await timers.pass(4_000);
    runs = [];
    await timers.pass(60_000);
    assert.equal(runs.length, 30, 'half a call a second in all');
  });

  it('continues after failures', async () => {
    run = () => Promise.reject(new Error('no answer'));
    schedule.add(there);
    await timers.pass(5_500);
    assert.deepEqual(runs, ['there 0', 'there 5000']);
    assert.deepEqual(errors, ['there: Error: no answer', 'there: Error: no answer']);
  });

  it('waits for nothing once the last call is stopped', async () => {
    schedule.add(here);
    schedule.add(there);
    schedule.blockMade();
    schedule.keep(({ local }) => local);
    assert.equal(timers.count, 1, 'the block');
    schedule.keep(() => false);
    assert.equal(timers.count, 0);
    await timers.pass(20_000);
    assert.deepEqual(runs, ['here 0', 'there 0']);
  });
});

describe('50 watched calls of a network that streams', () => {
  const addresses = Array.from({ length: 50 }, (_, index) => `0:${String(index).padStart(64, '0')}`);
  let clock: SteppedClock;
  let runs: string[];
  let asked: { addresses: string[] }[];
  let stream: PassThrough;
  let hasStream: boolean;
  let schedule: WatchSchedule<string>;
  /** Whose account is not known yet. */
  let unplaced: Set<string>;

  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 12; turn += 1) {
      await nextTurn();
    }
  };
  /** Lets time pass, with the signs of life of a service. */
  const pass = async (ms: number, each = (): void => undefined): Promise<void> => {
    for (let left = ms; left > 0; left -= 400) {
      each();
      stream.write(': keepalive\n\n');
      await settle();
      clock.advance(Math.min(left, 400));
      await settle();
    }
  };
  const tell = (account: string): void => {
    const event = { type: 'account_state_change', finality: 'finalized', account, state: {} };
    stream.write(`event: event\ndata: ${JSON.stringify(event)}\n\n`);
  };
  const ran = (): number => runs.splice(0).length;

  beforeEach(async () => {
    clock = new SteppedClock();
    [runs, asked, hasStream] = [[], [], true];
    unplaced = new Set();
    stream = new PassThrough();
    const origin = 'http://127.0.0.1:9';
    const access = createAccess({
      ...{ network: networkAt(origin, origin), clock, random: () => 0.5 },
      requestsPerSecond: () => undefined,
      streamTransport: ({ body, signal }) => {
        asked.push(JSON.parse(String(body)) as { addresses: string[] });
        if (!hasStream) {
          return Promise.resolve({ status: 503, header: () => undefined, body: Readable.from([]) });
        }
        const own = new PassThrough();
        stream = own;
        signal.addEventListener('abort', () => own.destroy());
        own.write('data: {"status":"subscribed"}\n\n');
        const header = (name: string): string | undefined =>
          name === 'content-type' ? 'text/event-stream' : undefined;
        return Promise.resolve({ status: 200, header, body: own });
      },
    });
    schedule = new WatchSchedule<string>({
      run: (address) => {
        runs.push(address);
        return Promise.resolve();
      },
      isLocal: () => false,
      onError: (_, error) => assert.fail(String(error)),
      after: clock.after,
      streams: {
        placeOf: (address) => (unplaced.has(address) ? undefined : { network: 'Public', address }),
        access: () => Promise.resolve(access),
        clock,
      },
    });
    addresses.forEach((address) => schedule.add(address));
    await pass(800);
  });
  afterEach(() => schedule.keep(() => false));

  it('run once more when it is connected, never while nothing happens, and twice for what happens', async () => {
    assert.deepEqual(
      asked.map((one) => one.addresses),
      [addresses],
      'one stream for all of them',
    );
    assert.equal(ran(), 100, 'when they are added, and when nothing is missed from then on');
    await pass(400_000);
    assert.equal(ran(), 0, 'a thousand blocks that are none of their business');
    tell(addresses[7] ?? '');
    tell(`0:${'f'.repeat(64)}`);
    await pass(400);
    assert.deepEqual(runs, [addresses[7]], 'soon');
    await pass(20_000);
    assert.deepEqual(
      runs,
      [addresses[7], addresses[7]],
      'and again, as the service may be behind its stream',
    );
  });

  it('stay within half a request a second when each block changes all of them', async () => {
    await pass(110_000);
    ran();
    await pass(400_000, () => addresses.forEach(tell));
    const all = ran();
    assert.ok(all >= 200 && all <= 250, `${all} in 400 s`);
  });

  it('run at the interval while the stream is cut, and for changes once it is back', async () => {
    await pass(110_000);
    ran();
    hasStream = false;
    stream.destroy();
    await pass(201_000);
    assert.equal(ran(), 100, 'two rounds');
    hasStream = true;
    await pass(120_000);
    assert.ok(asked.length > 2);
    const back = ran();
    assert.ok(back >= 50 && back <= 100, `${back} after the connection`);
    await pass(400_000);
    assert.equal(ran(), 0);
    tell(addresses[3] ?? '');
    await pass(400);
    assert.deepEqual(runs, [addresses[3]]);
  });

  it('run at the interval while the account of one is not known, and are heard of from then on', async () => {
    await pass(20_000);
    ran();
    const late = `0:${'a'.repeat(64)}`;
    unplaced.add(late);
    schedule.add(late);
    await pass(10_400);
    assert.deepEqual(runs, [late, late, late], 'at once, and every five seconds');
    assert.equal(schedule.hears(late), false);
    unplaced.clear();
    schedule.placeKnown();
    await pass(800);
    assert.equal(schedule.hears(late), true);
    assert.ok(asked.at(-1)?.addresses.includes(late));
    await pass(240_000);
    ran();
    tell(late);
    await pass(400);
    assert.deepEqual(runs, [late]);
  });

  it('hear nothing any more once the last is stopped', async () => {
    schedule.keep(() => false);
    ran();
    assert.equal(stream.destroyed, true);
    await pass(120_000);
    assert.equal(ran(), 0);
    assert.equal(asked.length, 1);
  });
});
