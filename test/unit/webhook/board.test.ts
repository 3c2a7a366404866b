import assert from 'node:assert/strict';
import { clockTime } from '../../../src/toolkit/base/text';
import { systemClock } from '../../../src/toolkit/base/time';
import { attemptNumbers } from '../../../src/toolkit/webhook/board/orderStates';
import type { ChainSighting } from '../../../src/toolkit/webhook/board/chainSighting';
import { chainSighting } from '../../../src/toolkit/webhook/board/chainSighting';
import { filteredBoard } from '../../../src/toolkit/webhook/board/filteredBoard';
import type { PaymentBoard } from '../../../src/toolkit/webhook/board/paymentBoard';
import { paymentBoard } from '../../../src/toolkit/webhook/board/paymentBoard';
import type { Delivery } from '../../../src/toolkit/webhook/delivery/delivery';
import type { Order } from '../../../src/toolkit/webhook/orders/parseOrders';
import { providerOf } from '../../../src/toolkit/webhook/provider/providerOf';
import type { ScenarioName } from '../../../src/toolkit/webhook/send/scenarios';
import { sendScenario } from '../../../src/toolkit/webhook/send/sendScenario';
import { boardNodes, deliveryListNodes } from '../../../src/toolkit/webhook/views/boardNodes';
import { deliveryRow } from '../../../src/toolkit/webhook/views/describeDelivery';
import type { WebhookNode } from '../../../src/toolkit/webhook/views/deliveryNodes';
import type { TestListener } from './support/listener';
import { startListener, stopListeners } from './support/listener';
import { bytes, payload, secret, signed } from './support/sample';

const orders: Order[] = [
  { reference: 'order-1', amount: '10.5', asset: 'TON' },
  { reference: 'order-2', amount: '3', asset: 'TON' },
];

describe('the payment board', () => {
  let now: number;
  let listener: TestListener;

  beforeEach(async () => {
    now = Date.parse('2026-01-15T14:30:00.000Z');
    listener = await startListener({ orders }, { clock: { ...systemClock, now: () => now } });
  });
  afterEach(() => stopListeners());

  const deliveries = (): Delivery[] => listener.list().items.map((item) => JSON.parse(item) as Delivery);

  const board = (more: { chain?: Map<string, ChainSighting>; forwards?: boolean } = {}): PaymentBoard =>
    paymentBoard({
      orders: listener.orders(),
      deliveries: deliveries(),
      ...more,
    });

  const statesOf = (of: PaymentBoard, reference: string): string[] =>
    of.orders
      .find(({ order }) => order.reference === reference)!
      .states.map(({ step, standing }) => `${step} ${standing}`);

  const pay = (reference: string): Promise<{ status: number }> => listener.deliver(payload({ reference }));

  it('has room for the states beside a long reference, whose whole text is in the tooltip', () => {
    const [row] = board().orders;
    const reference = 'ad53475a-0b3b-44bb-8b53-3dff7cbded6f';
    const long = { ...row!, order: { ...row!.order, reference } };
    const [node] = boardNodes({ ...board(), orders: [long] });
    assert.equal(node?.label, 'ad5347…ed6f');
    assert.match(node?.tooltip ?? '', new RegExp(`^${reference}: open`));
    assert.equal(boardNodes(board())[0]?.label, 'order-1');
  });

  it('claims nothing about an order without a delivery', () => {
    const [row] = board().orders;
    assert.deepEqual(statesOf(board(), 'order-1'), [
      'open seen',
      'delivered unseen',
      'on chain unseen',
      'application unseen',
      'paid unseen',
    ]);
    assert.deepEqual([row?.summary, row?.standing, row?.time], ['open', 'open', null]);
    assert.ok(row?.states.every(({ time }) => time === null));
  });

  it('shows when an order was created, if that is known', () => {
    const createdAt = '2026-01-15T14:30:00.000Z';
    const orders = listener.orders().map((order) => ({ ...order, isCreated: true as const, createdAt }));
    const created = paymentBoard({ orders, deliveries: [] });
    const [open, ...others] = created.orders[0]?.states ?? [];
    assert.deepEqual([open?.time, open?.text], [createdAt, 'created by the payment API']);
    assert.ok(others.every(({ time }) => time === null));
    const shown = clockTime(Date.parse(createdAt) / 1000);
    const children = boardNodes(created)[0]?.children as readonly WebhookNode[];
    assert.equal(children[0]?.description, `created by the payment API   ${shown}`);
  });

  it('shows a payment as delivered and paid, and nothing that was not seen', async () => {
    await pay('order-1');
    const [row, other] = board().orders;
    assert.deepEqual([row?.order.reference, other?.order.reference], ['order-1', 'order-2']);
    assert.deepEqual(statesOf(board(), 'order-1'), [
      'open seen',
      'delivered seen',
      'on chain unseen',
      'application unseen',
      'paid seen',
    ]);
    assert.equal(row?.states[1]?.time, '2026-01-15T14:30:00.000Z');
    assert.equal(row?.states[4]?.time, '2026-01-15T14:30:00.000Z');
    assert.match(boardNodes(board())[0]?.description ?? '', /^●●○○● paid {3}10.5 TON {3}\d\d:\d\d:\d\d$/);
    assert.equal(boardNodes(board())[0]?.standing, 'good');
  });

  it('takes the state on the chain from its check', async () => {
    await pay('order-1');
    const [{ id }] = deliveries() as [Delivery];
    const time = '2026-01-15T14:29:58.000Z';
    const same: ChainSighting = { network: 'Local', result: 'same', time };
    const seen = board({ chain: new Map([[id, same]]) }).orders[0]?.states[2];
    assert.deepEqual([seen?.standing, seen?.time, seen?.text], ['seen', time, 'as reported, on Local']);
    const differs = board({ chain: new Map([[id, { ...same, result: 'differs' }]]) }).orders[0];
    assert.deepEqual([differs?.standing, differs?.summary], ['refused', 'payment differs from Local']);
    assert.deepEqual(
      [differs?.states[4]?.standing, differs?.states[4]?.text],
      ['refused', 'the delivery is valid, but the payment differs from Local'],
    );
    const undone = board({ chain: new Map([[id, { ...same, result: 'undone' }]]) }).orders[0];
    assert.deepEqual([undone?.standing, undone?.summary], ['refused', 'payment undone on Local']);
    assert.equal(undone?.states[4]?.standing, 'refused');
    const absent = board({ chain: new Map([[id, { ...same, result: 'absent' }]]) }).orders[0];
    assert.deepEqual([absent?.standing, absent?.states[2]?.standing], ['paid', 'unseen']);
    const field = { field: 'amount', payload: '1', chain: null, note: '' } as const;
    const report = { traceId: undefined, ok: false, fields: [{ ...field, verdict: 'unknown' as const }] };
    assert.equal(chainSighting(report, 'Local').result, 'absent');
    const other = { ...report, traceId: 'aa', fields: [{ ...field, verdict: 'differs' as const }] };
    assert.equal(chainSighting(other, 'Local').result, 'differs');
  });

  it('takes the state of the application from its answer', async () => {
    await pay('order-1');
    const [delivery] = deliveries() as [Delivery];
    const answered = (forwarded: Partial<Delivery>): PaymentBoard =>
      paymentBoard({
        orders: listener.orders(),
        deliveries: [{ ...delivery, ...forwarded }],
        forwards: true,
      });
    const answer = {
      url: 'http://127.0.0.1:1/',
      ms: 41,
      error: null,
      answer: '',
      at: '2026-01-15T14:30:01.000Z',
    };
    assert.equal(
      answered({ forwarding: true }).orders[0]?.summary,
      'valid payment, waiting for your application',
    );
    assert.equal(answered({ forwarding: true }).orders[0]?.states[4]?.standing, 'waiting');
    const good = answered({ forwarded: { ...answer, status: 200 } }).orders[0];
    assert.deepEqual([good?.standing, good?.states[3]?.time], ['paid', answer.at]);
    const bad = answered({ forwarded: { ...answer, status: 500 } }).orders[0];
    assert.deepEqual(
      [bad?.standing, bad?.summary],
      ['refused', 'valid payment, but your application answered 500 in 41 ms'],
    );
    assert.deepEqual(
      [bad?.states[4]?.standing, bad?.states[4]?.text],
      ['refused', 'the payment is valid, but your application did not take it'],
    );
    const silent = answered({ forwarded: { ...answer, status: null, error: 'nothing is listening there' } });
    assert.match(silent.orders[0]?.summary ?? '', /your application gave no answer$/);
    assert.equal(answered({}).orders[0]?.states[3]?.text, 'nothing was forwarded yet');
  });

  it("has a service's deliveries under their orders, also if they are told by something else", async () => {
    const own = await startListener({ orders, provider: { name: 'bicycle' } });
    const provider = providerOf({ name: 'bicycle' });
    const send = (reference: string, scenario: ScenarioName): Promise<unknown> =>
      sendScenario({ url: new URL(own.url), provider, secret, scenario, fields: { reference } });
    await send('order-1', 'success');
    await send('order-1', 'success');
    await send('order-2', 'wrong-secret');
    const all = own.list().items.map((item) => JSON.parse(item) as Delivery);
    const read = paymentBoard({ orders: own.orders(), deliveries: all });
    const [other, row] = read.orders;
    assert.deepEqual(
      [row?.order.reference, row?.deliveries.length, row?.summary, row?.standing],
      ['order-1', 2, 'paid, open for more', 'paid'],
    );
    assert.equal(row?.states[4]?.deliveryId, row?.deliveries[0]?.id);
    assert.deepEqual(
      [other?.summary, other?.deliveries.map(({ test }) => test?.scenario)],
      ['open', ['wrong-secret']],
      'a test that is refused as expected says nothing about the order',
    );
    assert.match(deliveryRow(row!.deliveries[0]!), /ref order-1/);
    const created = { url: '', ms: 4, error: null, answer: '', status: 201 };
    const [delivery] = row!.deliveries;
    const answered = paymentBoard({
      orders: own.orders(),
      deliveries: [{ ...delivery!, forwarded: created }],
    }).orders[0];
    assert.equal(
      answered?.summary,
      'valid payment, but your application answered 201 in 4 ms',
      'exactly 200 is wanted',
    );
  });

  it('shows no delivery as good that the application has refused, unless a test expects that', async () => {
    await pay('order-1');
    const [delivery] = deliveries() as [Delivery];
    const standing = (status: number | null, test?: ScenarioName): string | undefined => {
      const forwarded = { url: '', ms: 4, error: null, answer: '', status };
      const one = test === undefined ? {} : { test: { scenario: test, run: 'r' } };
      const refused = test === 'wrong-secret' ? { verdict: 'bad-signature' as const, status: 401 } : {};
      return deliveryListNodes([{ ...delivery, ...one, ...refused, forwarded }])[0]?.standing;
    };
    assert.deepEqual([standing(200), standing(401), standing(null)], ['good', 'bad', 'bad']);
    assert.deepEqual([standing(200, 'success'), standing(401, 'success')], ['good', 'bad']);
    assert.equal(standing(401, 'wrong-secret'), 'good');
  });

  it('says why an order is not paid', async () => {
    await listener.deliver(payload({ reference: 'order-2' }));
    const [row] = board().orders;
    assert.deepEqual([row?.order.reference, row?.standing], ['order-2', 'refused']);
    assert.match(row?.summary ?? '', /^not paid: the amount is 10\.5 TON, expected 3 TON/);
    assert.equal(row?.states[1]?.standing, 'seen');
  });

  it('groups the attempts of one delivery, by its bytes and the waits of the service', async () => {
    const body = bytes(payload({ reference: 'order-1' }));
    const wrong = signed(body, 'another');
    await listener.post(body, [wrong]);
    now += 1_020;
    await listener.post(body, [wrong]);
    now += 5_100;
    await listener.post(body, [signed(body)]);
    const now3 = board();
    assert.deepEqual(
      [...now3.attempts.values()].map(({ attempt, of }) => `${attempt} of ${of}`),
      ['1 of 4', '2 of 4', '3 of 4'],
    );
    assert.equal(now3.others.length, 0, 'the refused attempts have the bytes of an order');
    assert.match(now3.orders[0]?.states[1]?.text ?? '', /^200 in .*, attempt 3 of 4$/);
    const group = boardNodes(now3)[0]?.children;
    assert.ok(Array.isArray(group));
    const row = (group as { description: string; standing: string }[])[5];
    assert.match(row?.description ?? '', /^3 attempts {3}attempt 3 of 4/);
    assert.equal(row?.standing, 'good');
    // Later than any retry: somebody sent it again.
    now += 60_000;
    await listener.post(body, [signed(body)]);
    assert.equal(board().attempts.get(deliveries()[0]!.id), undefined);
  });

  it("counts attempts by the waits of each delivery's own service", async () => {
    const body = bytes(payload({ reference: 'order-1' }));
    for (let tries = 0; tries < 3; tries += 1) {
      await listener.post(body, [signed(body, 'another')]);
      now += 20;
    }
    const numbersOf = (provider: string): string[] =>
      [...attemptNumbers(deliveries().map((one) => ({ ...one, provider }))).values()].map(
        ({ attempt, of }) => `${attempt} of ${of}`,
      );
    assert.deepEqual(numbersOf('ton-pay'), []);
    assert.deepEqual(numbersOf('bicycle'), ['1 of 3', '2 of 3', '3 of 3']);
    assert.deepEqual(numbersOf('tonapi'), []);
    assert.deepEqual(numbersOf('of a later version'), []);
  });

  describe('with a refused delivery that claims an order', () => {
    const rowsOf = (reference: string): readonly WebhookNode[] =>
      boardNodes(board()).find(({ label }) => label === reference)?.children as readonly WebhookNode[];

    it('has it inside that order, with the reason on the row', async () => {
      const body = bytes(payload({ reference: 'order-1' }));
      await listener.post(body, [signed(body, 'another')]);
      await listener.post(bytes(payload({ reference: 'order-1', amount: '1' })), [signed(body, 'another')]);
      const [node] = boardNodes(board());
      assert.match(
        node?.description ?? '',
        /^●✗○○○ no secret matches, answered 401 {3}2 refused {3}10\.5 TON/,
      );
      assert.equal(node?.standing, 'warning');
      const rows = rowsOf('order-1');
      assert.equal(rows[1]?.action, 'openDelivery');
      assert.match(rows[5]?.label ?? '', /^claims order-1, not verified: no secret matches$/);
      assert.deepEqual(
        boardNodes(board()).map(({ label }) => label),
        ['order-1', 'order-2'],
      );
    });

    it('has a malformed one there, too, and one of another event', async () => {
      const { date: _date, ...data } = payload({ reference: 'order-1' }).data;
      await listener.deliver({ ...payload(), data });
      assert.match(rowsOf('order-1')[5]?.label ?? '', /^names order-1: data\.date is missing/);
      assert.match(board().orders[0]?.summary ?? '', /^data\.date is missing: .*, answered 400$/);
      await listener.deliver({ ...payload({ reference: 'order-2' }), event: 'transfer.refunded' });
      assert.equal(rowsOf('order-2')[5]?.label, 'names order-2: event transfer.refunded is not processed');
    });

    it('keeps what is verified as it is, whatever is claimed', async () => {
      await pay('order-1');
      const body = bytes(payload({ reference: 'order-1', amount: '7' }));
      await listener.post(body, [signed(body, 'another')]);
      const answer = { url: '', ms: 4, error: null, answer: '', status: 401 };
      const forged = deliveries().map((one) =>
        one.verdict === 'bad-signature' ? { ...one, forwarded: answer } : one,
      );
      const [row] = paymentBoard({ orders: listener.orders(), deliveries: forged, forwards: true }).orders;
      assert.deepEqual([row?.summary, row?.standing], ['paid', 'paid']);
      assert.match(boardNodes(board())[0]?.description ?? '', /^●●○○● paid {3}1 refused/);
      // A field of a prototype is no claim, nor is a text that is too long, or a body that is no object.
      for (const odd of ['[]', '{"data":{"reference":7}}', `{"data":{"reference":"${'x'.repeat(201)}"}}`]) {
        await listener.post(bytes(odd), [signed(bytes(odd), 'another')]);
        assert.equal(deliveries()[0]?.claimedReference, undefined, odd);
      }
    });

    it("finds the order where each service's bodies name it", async () => {
      const own = await startListener({ orders, provider: { name: 'bicycle' } });
      const provider = providerOf({ name: 'bicycle' });
      const body = provider.encode(payload({ reference: 'order-2' }));
      await own.post(body, provider.sign(body, 'another', provider.signatureHeaders));
      const [only] = own.list().items.map((item) => JSON.parse(item) as Delivery);
      assert.equal(only?.claimedReference, 'order-2');
    });
  });

  it('takes from the payment API what no delivery tells', async () => {
    await pay('order-1');
    const withTrouble = (isPaid: boolean, text: string): PaymentBoard =>
      paymentBoard({
        orders: listener.orders().map((order) => ({ ...order, trouble: { isPaid, text } })),
        deliveries: deliveries(),
      });
    const undone = withTrouble(false, 'undone 12:00:00, the network went back').orders[0];
    assert.deepEqual(
      [undone?.summary, undone?.standing, undone?.states[4]?.standing],
      ['not paid: undone 12:00:00, the network went back', 'refused', 'refused'],
    );
    const twice = withTrouble(true, 'paid again with 1.5 TON').orders[0];
    assert.deepEqual([twice?.summary, twice?.standing], ['paid, but paid again with 1.5 TON', 'waiting']);
    const short = withTrouble(false, '1.4 TON arrived, too little').orders[1];
    assert.deepEqual(
      [short?.order.reference, short?.summary, short?.standing],
      ['order-2', 'not paid: 1.4 TON arrived, too little', 'refused'],
    );
  });

  it('puts tests without an order in one row, with how many went as expected', async () => {
    const send = (
      scenario: 'wrong-secret' | 'altered' | 'success' | 'amount-off-by-one',
      reference: string,
    ) =>
      sendScenario({
        url: new URL(listener.url),
        scenario,
        secret,
        fields: { reference },
        timeScale: 0.01,
      });
    await send('wrong-secret', 'elsewhere');
    await send('altered', 'elsewhere');
    const tests = boardNodes(board()).find(({ id }) => id === 'tests');
    assert.deepEqual([tests?.description, tests?.standing], ['2 scenarios, all as expected', 'good']);
    await send('amount-off-by-one', 'order-1');
    assert.equal(
      board().orders[0]?.summary,
      'open',
      'a test that should not pay says nothing about the order',
    );
    assert.equal(board().orders[0]?.deliveries.length, 1);
    await send('success', 'order-1');
    assert.equal(board().orders[0]?.summary, 'paid');
  });

  it('keeps the states of an order whose delivery is not among those shown', async () => {
    await pay('order-1');
    const old = paymentBoard({ orders: listener.orders(), deliveries: [] });
    assert.deepEqual(statesOf(old, 'order-1').slice(1), [
      'delivered seen',
      'on chain unseen',
      'application unseen',
      'paid seen',
    ]);
    assert.equal(old.orders[0]?.states[4]?.time, null);
  });

  it('is filtered without changing the states of an order', async () => {
    await pay('order-1');
    const body = bytes(payload({ reference: 'order-1' }));
    await listener.post(body, [signed(body, 'another')]);
    await pay('unheard');
    const whole = board();
    const refused = deliveries().filter(({ verdict }) => verdict === 'bad-signature');
    const shown = filteredBoard(whole, refused, { verdicts: ['bad-signature'] });
    assert.deepEqual(
      shown.orders.map(({ order, summary, deliveries }) => [order.reference, summary, deliveries.length]),
      [['order-1', 'paid', 1]],
    );
    assert.equal(shown.others.length, 0);
    assert.deepEqual(
      filteredBoard(whole, [], { text: 'ORDER-2' }).orders.map(({ order }) => order.reference),
      ['order-2'],
    );
  });
});
