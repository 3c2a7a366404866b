import assert from 'node:assert/strict';
import { createLimiter } from '../../../src/toolkit/access/limiter';
import type { Limiter, Priority, Ticket } from '../../../src/toolkit/access/limiter';
import type { Clock } from '../../../src/toolkit/base/time';
import { systemClock } from '../../../src/toolkit/base/time';

const origin = 'https://service';
const never = (): AbortSignal => new AbortController().signal;

/** A clock that moves only when told to, firing the sleeps on its way. */
function manualClock(): Clock & { advance(ms: number): Promise<void> } {
  let now = 0;
  let sleeps: { at: number; wake(): void }[] = [];
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn++) {
      await Promise.resolve();
    }
  };
  return {
    now: () => now,
    monotonic: () => now,
    after: systemClock.after,
    sleep: (ms) => new Promise((wake) => sleeps.push({ at: now + ms, wake })),
    advance: async (ms) => {
      const end = now + ms;
      await settle();
      for (;;) {
        const next = sleeps.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
        if (next === undefined) {
          break;
        }
        now = next.at;
        sleeps = sleeps.filter((one) => one !== next);
        next.wake();
        await settle();
      }
      now = end;
    },
  };
}

describe('limiter', () => {
  let clock: ReturnType<typeof manualClock>;
  let limiter: Limiter;
  let entered: string[];

  beforeEach(() => {
    clock = manualClock();
    limiter = createLimiter(clock);
    entered = [];
  });

  const wait = async (
    at: string,
    rate: number | undefined,
    ticket: Ticket,
    signal = never(),
  ): Promise<void> => {
    await limiter.acquire(at, rate, ticket, signal);
  };
  const enter = (name: string, priority: Priority = 'normal', rate: number | undefined = 1): Ticket => {
    const ticket: Ticket = { priority };
    void wait(origin, rate, ticket).then(() => entered.push(`${name}@${clock.now()}`));
    return ticket;
  };

  it('lets one through per second at rate 1', async () => {
    ['a', 'b', 'c'].forEach((name) => enter(name));
    await clock.advance(2500);
    assert.deepEqual(entered, ['a@0', 'b@1000', 'c@2000']);
  });

  it("allows a burst of one second's worth, then keeps the rate", async () => {
    for (let index = 0; index < 12; index++) {
      enter(String(index), 'normal', 5);
    }
    await clock.advance(0);
    assert.equal(entered.length, 5);
    await clock.advance(1000);
    assert.equal(entered.length, 10);
    await clock.advance(400);
    assert.equal(entered.length, 12);
  });

  it('has no limit without a rate', async () => {
    for (let index = 0; index < 1000; index++) {
      void wait(origin, undefined, { priority: 'normal' }).then(() => entered.push(''));
    }
    await clock.advance(0);
    assert.equal(entered.length, 1000);
  });

  it('counts each origin separately', async () => {
    enter('a');
    void wait('https://other', 1, { priority: 'normal' }).then(() => entered.push('other'));
    await clock.advance(0);
    assert.deepEqual(entered, ['a@0', 'other']);
  });

  it("puts a user's click before polling that has waited longer", async () => {
    enter('now');
    ['poll1', 'poll2', 'poll3'].forEach((name) => enter(name, 'background'));
    enter('click', 'user');
    await clock.advance(1500);
    assert.deepEqual(entered, ['now@0', 'click@1000']);
  });

  it('lets a joined request move up while it waits', async () => {
    enter('now');
    enter('first', 'normal');
    const polled = enter('second', 'background');
    polled.priority = 'user';
    await clock.advance(1500);
    assert.deepEqual(entered, ['now@0', 'second@1000']);
  });

  it('never starves polling', async () => {
    enter('poll', 'background');
    enter('poll', 'background');
    for (let index = 0; index < 50; index++) {
      enter('click', 'user');
    }
    await clock.advance(6000);
    assert.ok(
      entered.slice(1).some((name) => name.startsWith('poll')),
      entered.join(' '),
    );
  });

  it('gives no token to a caller who has canceled', async () => {
    enter('a');
    const controller = new AbortController();
    const left = assert.rejects(wait(origin, 1, { priority: 'user' }, controller.signal));
    enter('b');
    controller.abort();
    await left;
    await clock.advance(1000);
    assert.deepEqual(entered, ['a@0', 'b@1000']);
  });

  it('lets nothing through during a pause that the service requested', async () => {
    limiter.holdOff(origin, 5000);
    enter('a', 'user', undefined);
    await clock.advance(4999);
    assert.deepEqual(entered, []);
    assert.equal(limiter.heldFor(origin), 1);
    await clock.advance(1);
    assert.deepEqual(entered, ['a@5000']);
  });
});
