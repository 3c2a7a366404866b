import { clockTime } from '../../clockTime';
import { shortenMiddle, visibleText } from '../../text';
import { isRefused } from '../delivery/refusal';
import type { BoardState } from '../board/orderStates';
import type { BoardOrder, PaymentBoard } from '../board/paymentBoard';
import { deliveryListNodes } from './deliveryListNodes';
import { orderAmount } from './orderFields';
import type { Standing, WebhookNode } from './webhookNode';

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
