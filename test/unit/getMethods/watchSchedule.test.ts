import assert from 'node:assert/strict';
import { WatchSchedule } from '../../../src/toolkit/getMethods/watchSchedule';

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
