import assert from 'node:assert/strict';
import { Cell, beginCell, loadShardAccount, storeShardAccount } from '@ton/core';
import { MessageDelivery } from '../../../src/toolkit/explore/deliverMessage';
import type { Exploration, OrderBounds, OrdersToExplore } from '../../../src/toolkit/explore/exploreOrders';
import { exploreOrders, followOrder } from '../../../src/toolkit/explore/exploreOrders';
import type { MessageUnderWay } from '../../../src/toolkit/explore/messageUnderWay';
import { printOrder, parseOrder } from '../../../src/toolkit/explore/printOrder';
import type { WorldState } from '../../../src/toolkit/explore/worldState';
import { systemClock } from '../../../src/toolkit/base/time';
import { createSandboxEmulator } from '../../../src/toolkit/execution/emulator/createSandboxEmulator';
import { runReplay } from '../../../src/toolkit/replay/runReplay';
import { orderTrace } from '../../../src/toolkit/workflows/flowTraces';
import { forbiddenIn } from './support/forbiddenIn';
import type { Relays } from './support/relays';
import { flowMessage, hops, keptBy, openRelays, relay, way } from './support/relays';

const bounds: OrderBounds = { orders: 1_000_000, seconds: 60, clock: systemClock };

/** The relays 1 to 50 exist, messages come from 60 and more. */
describe('exploring orders of deliveries', () => {
  let relays: Relays;
  before(async () => {
    relays = await openRelays();
  });

  const given = (
    messages: readonly MessageUnderWay[],
    end: (state: WorldState) => string | undefined = () => undefined,
    delivery = new MessageDelivery(relays.ground()),
  ): OrdersToExplore<string> => ({
    ...{ delivery, messages, account: relays.account },
    judge: { delivery: () => Promise.resolve(undefined), end: (state) => Promise.resolve(end(state)) },
  });
  const explore = (
    orders: OrdersToExplore<string>,
    more: Partial<OrderBounds> = {},
  ): Promise<Exploration<string>> => exploreOrders(orders, { ...bounds, ...more });

  it('sees all orders of five flows of four messages, and runs none that the chain forbids', async () => {
    const flows = [0, 1, 2, 3, 4].map((flow) =>
      flowMessage(
        flow,
        60 + flow,
        4 * flow + 1,
        way(
          0,
          [2, 3, 4].map((hop) => 4 * flow + hop),
        ),
      ),
    );
    const first = flows.map(({ hash }) => hash);
    let checked = 0;
    const forbidden: string[] = [];
    const orders = given(flows);
    const seen = await explore(orders, {
      onOrder: (order) => {
        checked += 1;
        if (checked <= 10_000) {
          forbidden.push(...forbiddenIn(order, first));
        }
      },
    });
    assert.deepEqual(forbidden, []);
    assert.ok(checked >= 9_000, String(checked));
    // 20! / 4!^5 orders, 5^5 states; every transaction is independent of the order.
    assert.equal(seen.covered, 305_540_235_000n);
    assert.deepEqual([seen.states, seen.ends, seen.cut, seen.stoppedBy], [3125, 1, 0, undefined]);
    assert.ok(Math.abs(seen.share - 1) < 1e-9);
    assert.equal(orders.delivery.executed, 20);
  });

  it('keeps the order between two accounts, also of messages that one transaction sends, and of bounces', async () => {
    const twice = flowMessage(0, 60, 1, hops(1, [2, hops(3)], [2, hops(4)], [100, hops(5)]));
    const other = flowMessage(1, 61, 2, hops(7));
    const kept = new Set<bigint>();
    const first = [twice.hash, other.hash];
    const seen = await explore(
      given([twice, other], (state) => {
        kept.add(keptBy(state.accounts.get(relay(2))));
        return undefined;
      }),
      { onOrder: (order) => assert.deepEqual(forbiddenIn(order, first), []) },
    );
    // 7 may be anywhere, and 3 is always before 4.
    assert.deepEqual([...kept].sort(), [347n, 374n, 734n]);
    assert.equal(seen.stoppedBy, undefined);
    assert.ok(seen.ends >= 3);
  });

  it('has a checker that sees forbidden orders', async () => {
    const flow = flowMessage(0, 60, 1, hops(0, [2, hops(0)], [2, hops(0)]));
    const { order } = await followOrder(given([flow]), []);
    assert.deepEqual(forbiddenIn(order, [flow.hash]), []);
    const [root, one, two] = order;
    assert.ok(root && one && two);
    assert.match(forbiddenIn([root, two, one], [flow.hash]).join(), /overtook/);
    assert.match(forbiddenIn([one, root, two], [flow.hash]).join(), /before it was sent/);
    assert.match(forbiddenIn([root, one, one], [flow.hash]).join(), /twice/);
  });

  it('ends at the first fault, and repeats its order exactly', async () => {
    const flows = [1, 2, 3].map((mark) => flowMessage(mark - 1, 60 + mark, 1, hops(mark)));
    const judged = given(flows, (state) =>
      keptBy(state.accounts.get(relay(1))) === 312n ? 'three was first' : undefined,
    );
    const { finding, share } = await explore(judged);
    assert.ok(finding);
    assert.equal(finding.fault, 'three was first');
    const numbers = finding.order.map(({ number }) => number);
    assert.deepEqual(numbers, [3, 1, 2]);
    assert.ok(share > 0.5 && share < 1, String(share));
    const again = await followOrder(judged, parseOrder(printOrder(numbers)));
    assert.deepEqual(
      again.order.map(({ transaction }) => transaction),
      finding.order.map(({ transaction }) => transaction),
    );
    assert.equal(again.finding?.fault, 'three was first');
    assert.equal((await followOrder(judged, [2])).finding, undefined);
    await assert.rejects(followOrder(judged, [4]), { code: 'order-invalid' });
    await assert.rejects(followOrder(judged, [1, 2, 3, 4]), { code: 'order-invalid' });
  });

  it('is one trace whose logical times tell the order, and each of its transactions runs again exactly', async () => {
    const flows = [0, 1, 2].map((flow) => flowMessage(flow, 60 + flow, flow + 1, way(0, [9])));
    const { order } = await followOrder(given(flows), parseOrder('3.1.4.2'));
    const held = flows.map((message) => ({
      message,
      sender: undefined,
      before: undefined,
      ground: undefined,
    }));
    const { model, last, inputsOf } = await orderTrace(held, order, {
      ...{ network: 'relays', ground: relays.ground(), account: relays.account },
    });
    const inTime = model.nodes.toSorted((a, b) => Number(a.transaction!.lt! - b.transaction!.lt!));
    assert.deepEqual(
      inTime.map(({ account }) => account),
      [3, 1, 9, 2, 9, 9].map(relay),
    );
    assert.deepEqual([model.roots.length, model.problems, inTime.at(-1)?.hash], [3, [], last]);
    const emulator = await createSandboxEmulator();
    for (const { hash = '' } of inTime) {
      const inputs = inputsOf(hash);
      assert.ok(inputs);
      assert.equal((await runReplay(inputs, emulator, {})).verdict, 'exact');
    }
  });

  it('says how far it came within its bounds', async () => {
    const flows = [1, 2, 3, 4].map((mark) => flowMessage(mark - 1, 60 + mark, 1, hops(mark)));
    const all = await explore(given(flows));
    assert.deepEqual([all.covered, all.ends, all.stoppedBy], [24n, 24, undefined]);
    const some = await explore(given(flows), { orders: 6 });
    assert.deepEqual([some.orders, some.covered, some.stoppedBy], [6, 6n, 'orders']);
    assert.ok(Math.abs(some.share - 0.25) < 1e-9, String(some.share));
    const none = await explore(given(flows), { seconds: 0 });
    assert.deepEqual([none.orders, none.share, none.stoppedBy], [0, 0, 'seconds']);
    await assert.rejects(explore(given(flows), { signal: AbortSignal.abort() }), { code: 'aborted' });
  });

  it('finds coins that are lost or made', async () => {
    const change = async (by: bigint): Promise<Exploration<string>> => {
      const emulator = relays.ground().emulator;
      const delivery = new MessageDelivery(
        relays.ground(async (input) => {
          const outcome = await emulator.runTransaction(input);
          assert.ok(outcome.success);
          const shard = loadShardAccount(Cell.fromBase64(outcome.shardAccount).beginParse());
          assert.ok(shard.account);
          shard.account.storage.balance.coins += by;
          const boc = beginCell().store(storeShardAccount(shard)).endCell().toBoc().toString('base64');
          return { ...outcome, shardAccount: boc };
        }),
      );
      return explore(given([flowMessage(0, 60, 1, way(0, [2]))], () => undefined, delivery));
    };
    assert.deepEqual((await change(-1n)).finding?.fault, { kind: 'coins', missing: 1n });
    assert.deepEqual((await change(5n)).finding?.fault, { kind: 'coins', missing: -5n });
    assert.equal((await change(0n)).finding, undefined);
  });

  it('reads orders as they are written', () => {
    assert.deepEqual(parseOrder('2.1.13'), [2, 1, 13]);
    for (const text of ['', '1.', '1.1', '0.1', 'a', '1,2', '1.1234567']) {
      assert.throws(() => parseOrder(text), { code: 'order-invalid' }, text);
    }
  });
});
