import assert from 'node:assert/strict';
import fc from 'fast-check';
import { limits } from '../../../src/toolkit/base/limits';
import { Bridge } from '../../../src/toolkit/tonConnect/bridge';
import type { BridgeEvent } from '../../../src/toolkit/tonConnect/bridge';
import { SteppedClock } from '../../support/steppedClock';

const app = 'a'.repeat(64);
const from = 'b'.repeat(64);

/** What can happen between a bridge and one client, in any order. */
const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.constant('send' as const) },
    { weight: 2, arbitrary: fc.constant('connect' as const) },
    { weight: 2, arbitrary: fc.constant('break' as const) },
    // The stream is broken, but the bridge does not know yet: what it writes is lost.
    { weight: 1, arbitrary: fc.constant('lose' as const) },
    { weight: 1, arbitrary: fc.constant('restart' as const) },
    { weight: 1, arbitrary: fc.constant('wait' as const) },
  ),
  { maxLength: 60 },
);

describe('the queues of the bridge', () => {
  it('deliver every event once and in order, over any breaks, losses, and restarts', () => {
    fc.assert(
      fc.property(steps, (order) => {
        const clock = new SteppedClock();
        let bridge = new Bridge(clock);
        const sent: BridgeEvent[] = [];
        const got: BridgeEvent[] = [];
        let isLost = false;
        let end: (() => void) | undefined;
        const connect = (): void => {
          isLost = false;
          end = bridge.listen([app], got.at(-1)?.id ?? 0, (event) => {
            if (!isLost) {
              got.push(event);
            }
          });
        };
        const leave = (): void => {
          end?.();
          end = undefined;
        };
        for (const step of order) {
          switch (step) {
            case 'send': {
              const event = bridge.make({ to: app, from, message: `${sent.length}` });
              sent.push(event);
              bridge.publish(event);
              break;
            }
            case 'connect':
              leave();
              connect();
              break;
            case 'break':
              leave();
              break;
            case 'lose':
              isLost = true;
              break;
            case 'restart':
              leave();
              bridge = new Bridge(clock, sent);
              break;
            case 'wait':
              clock.advance(1);
          }
        }
        leave();
        connect();
        assert.deepEqual(got, sent);
      }),
      { numRuns: 1_000 },
    );
  });

  it('keep events until they expire, and no longer', () => {
    const clock = new SteppedClock();
    const bridge = new Bridge(clock);
    bridge.publish(bridge.make({ to: app, from, message: 'early' }));
    clock.advance(limits.walletLifetime.most * 1000 - 1);
    bridge.publish(bridge.make({ to: app, from, message: 'late' }));
    const all: string[] = [];
    bridge.listen([app], 0, ({ message }) => all.push(message))();
    assert.deepEqual(all, ['early', 'late']);
    clock.advance(1);
    const rest: string[] = [];
    bridge.listen([app], 0, ({ message }) => rest.push(message));
    assert.deepEqual(rest, ['late']);
  });

  it('give one stream the events of several clients, in the order of their ids', () => {
    const bridge = new Bridge(new SteppedClock());
    for (const to of [app, from, app]) {
      bridge.publish(bridge.make({ to, from: 'c', message: to }));
    }
    const all: string[] = [];
    bridge.listen([from, app], 0, ({ to }) => all.push(to));
    assert.deepEqual(all, [app, from, app]);
  });

  it('count what no stream has been given', () => {
    const bridge = new Bridge(new SteppedClock());
    bridge.publish(bridge.make({ to: app, from, message: '1' }));
    assert.equal(bridge.waiting(app), 1);
    bridge.listen([app], 0, () => undefined);
    assert.equal(bridge.waiting(app), 0);
    bridge.publish(bridge.make({ to: app, from, message: '2' }));
    assert.equal(bridge.waiting(app), 0);
  });
});
