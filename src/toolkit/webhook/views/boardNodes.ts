import { groupBy } from '../../base/collections';
import { clockTime, shortenMiddle, visibleText } from '../../base/text';
import type { AttemptNumber, BoardState } from '../board/orderStates';
import type { BoardOrder, PaymentBoard } from '../board/paymentBoard';
import type { Delivery } from '../delivery/delivery';
import { isRefused } from '../delivery/delivery';
import { deliveryParts } from './describeDelivery';
import type { Standing, WebhookNode } from './deliveryNodes';
import { orderAmount } from './orderFields';

const symbols: Readonly<Record<BoardState['standing'], string>> = {
  seen: '●',
  waiting: '◌',
  refused: '✗',
  unseen: '○',
};

const stateStandings: Readonly<Record<BoardState['standing'], Standing>> = {
  seen: 'good',
  waiting: 'pending',
  refused: 'bad',
  unseen: 'plain',
};

const orderStandings: Readonly<Record<BoardOrder['standing'], Standing>> = {
  open: 'plain',
  waiting: 'warning',
  paid: 'good',
  refused: 'bad',
};

/** A longer reference, such as the service's own, would leave no room for the states in a narrow sidebar. */
const longestLabel = 24;

/** Where an order stands, as one sign. */
export function orderSymbol({ standing }: Pick<BoardOrder, 'standing'>): string {
  return { open: '○', waiting: '◌', paid: '✓', refused: '✗' }[standing];
}

/** The rows of the board: one per order, then the tests and the deliveries that name none. */
export function boardNodes(board: PaymentBoard): WebhookNode[] {
  return [
    ...board.orders.map((order) => orderNode(order, board)),
    ...testsNode(board),
    ...othersNodes(board),
  ];
}

function orderNode(row: BoardOrder, { attempts }: PaymentBoard): WebhookNode {
  const { order, states, summary, standing, time, deliveries } = row;
  const reference = visibleText(order.reference, 200);
  const dots = states.map((state) => symbols[state.standing]).join('');
  const clock = time === null ? '' : clockOf(time);
  const amount = orderAmount(order);
  const refused = deliveries.filter(isRefused).length;
  const badge = refused === 0 ? '' : `${refused} refused`;
  const withBadge = badge === '' ? summary : `${summary}, ${badge}`;
  return {
    id: `order/${order.reference}`,
    label: reference.length > longestLabel ? shortenMiddle(reference) : reference,
    description: [`${dots} ${summary}`, badge, amount, clock].filter((part) => part !== '').join('   '),
    standing: orderStandings[standing],
    ...(standing === 'open' ? { icon: 'circle-large-outline' } : {}),
    tooltip: [`${reference}: ${withBadge}`, ...states.map(stateLine)].join('\n'),
    spoken: `order ${reference}, ${withBadge}, ${amount}. ${states.map(spokenState).join(', ')}`,
    contextValue: order.deliveryId === null ? 'order' : 'order-paid',
    order,
    children: [...states.map((state) => stateNode(row, state)), ...deliveryListNodes(deliveries, attempts)],
  };
}

function stateNode({ order }: BoardOrder, state: BoardState): WebhookNode {
  const { step, standing, time, text, deliveryId } = state;
  const canCheck = step === 'on chain' && deliveryId !== null && standing !== 'seen';
  const offer = canCheck ? ': click to check' : '';
  const action = actionOf(order, state, canCheck);
  return {
    id: `order/${order.reference}/${step}`,
    label: step,
    description: [`${text}${offer}`, ...(time === null ? [] : [clockOf(time)])].join('   '),
    standing: stateStandings[standing],
    ...(standing === 'unseen' ? { icon: 'circle-large-outline' } : {}),
    tooltip: stateLine(state),
    spoken: spokenState(state) + offer,
    contextValue: 'order-state',
    order: { ...order, deliveryId },
    ...(action === undefined ? {} : { action }),
  };
}

function actionOf(
  { isCreated }: BoardOrder['order'],
  { step, deliveryId }: BoardState,
  canCheck: boolean,
): WebhookNode['action'] {
  if (canCheck || (step === 'on chain' && deliveryId !== null)) {
    return 'checkOnChain';
  }
  if (step === 'open') {
    return isCreated === true ? 'openPayment' : 'openOrdersFile';
  }
  if (deliveryId !== null) {
    return 'openDelivery';
  }
  return step === 'application' ? 'forward' : undefined;
}

/** One row for all tests: the verdict first. */
function testsNode({ tests, attempts }: PaymentBoard): WebhookNode[] {
  if (tests.length === 0) {
    return [];
  }
  const children = deliveryListNodes(tests, attempts);
  const good = children.filter(({ standing }) => standing === 'good').length;
  const count = `${children.length} ${children.length === 1 ? 'scenario' : 'scenarios'}`;
  const said = good === children.length ? 'all as expected' : `${good} as expected`;
  return [
    {
      id: 'tests',
      label: 'tests',
      description: `${count}, ${said}`,
      standing: good === children.length ? 'good' : 'warning',
      icon: 'beaker',
      tooltip: 'Deliveries of test scenarios that belong to no order',
      contextValue: 'group',
      children,
      expanded: true,
    },
  ];
}

/** Without an orders file there is nothing to tell them from, so they need no group. */
function othersNodes({ orders, others, attempts }: PaymentBoard): WebhookNode[] {
  const children = deliveryListNodes(others, attempts);
  return orders.length === 0 || children.length === 0
    ? children
    : [
        {
          id: 'other deliveries',
          label: 'other deliveries',
          description: String(children.length),
          standing: 'plain',
          icon: 'inbox',
          tooltip: 'Deliveries that name no order of the orders file',
          contextValue: 'group',
          children,
          expanded: true,
        },
      ];
}

function stateLine({ step, standing, time, text }: BoardState): string {
  return `${symbols[standing]} ${step}${time === null ? '' : ` ${clockOf(time)}`}: ${text}`;
}

function spokenState({ step, standing, time, text }: BoardState): string {
  const word = { seen: 'yes', waiting: 'waiting', refused: 'no', unseen: 'not known' }[standing];
  return `${step}: ${word}, ${text}${time === null ? '' : ` at ${clockOf(time)}`}`;
}

function clockOf(time: string): string {
  return clockTime(Date.parse(time) / 1000);
}

/**
 * The rows of deliveries in order. All deliveries of one run of a test scenario, and all attempts of one delivery,
 * are grouped below one row, at the place of the first. The row of a test is a success only if each of its deliveries
 * is; that of attempts, if the last one is.
 *
 * @param attempts by delivery
 */
export function deliveryListNodes(
  deliveries: readonly Delivery[],
  attempts: ReadonlyMap<string, AttemptNumber> = new Map(),
): WebhookNode[] {
  const groups = groupBy(deliveries, ({ id, test }) =>
    test === undefined ? `series/${attempts.get(id)?.series ?? id}` : `test/${test.run}`,
  );
  return [...groups].flatMap(([id, group]) => {
    const rows = group.map((delivery) => rowOf(delivery, attempts.get(delivery.id)));
    return rows.length === 1 ? rows : [groupOf(id, rows)];
  });
}

function groupOf(id: string, children: WebhookNode[]): WebhookNode {
  const isTest = id.startsWith('test/');
  const bad = isTest ? children.find(({ standing }) => standing === 'bad') : undefined;
  const shown = bad ?? children[0]!;
  const count = `${children.length} ${isTest ? 'deliveries' : 'attempts'}`;
  return {
    ...shown,
    id,
    description: `${count}   ${shown.description}`,
    tooltip: `${shown.tooltip ?? ''}\n${count} of one ${isTest ? 'test' : 'delivery'}`,
    spoken: `${shown.spoken ?? ''}, ${count} of one ${isTest ? 'test' : 'delivery'}`,
    children,
  };
}

function rowOf(delivery: Delivery, number: AttemptNumber | undefined): WebhookNode {
  const { ok, symbol, time, text, answer, forwarded } = deliveryParts(delivery);
  const attempt = number === undefined ? '' : `attempt ${number.attempt} of ${number.of}`;
  const description = [attempt, time, answer, forwarded].filter((part) => part !== '').join('   ');
  return {
    id: delivery.id,
    label: text,
    description,
    standing: ok ? 'good' : delivery.verdict === 'on-purpose' ? 'warning' : 'bad',
    tooltip: tooltip(delivery, `${symbol} ${text}\n${description}`),
    spoken: `${delivery.verdict}, ${text}, ${description}`,
    contextValue: delivery.payment === null ? 'delivery' : 'delivery-paid',
    delivery,
    action: 'openDelivery',
    children: 'delivery',
  };
}

function tooltip(delivery: Delivery, text: string): string {
  return [
    text,
    delivery.reference === null ? '' : `reference ${delivery.reference.slice(0, 200)}`,
    `${delivery.receivedAt} (UTC)`,
  ]
    .filter((line) => line !== '')
    .join('\n');
}
