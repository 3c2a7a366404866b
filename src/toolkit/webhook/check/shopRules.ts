import { WorkbenchError } from '../../errors';
import type { WebhookProvider } from '../provider/provider';
import type { CheckRow, ShopRule } from './checkRow';

type Carrying = Pick<WebhookProvider, 'carries'>;

/** A rule that only the orders themselves show. */
export interface ShopRuleText extends Pick<CheckRow, 'scenario' | 'rule' | 'expected'> {
  /** What would go wrong in production. */
  consequence: string;
}

const rules: Readonly<Record<ShopRule, ShopRuleText>> = {
  paid: {
    scenario: 'success',
    rule: 'mark an order as paid once its payment is on the chain',
    expected: 'paid',
    consequence: 'No payment would be noticed. The other rules about orders could not be tested.',
  },
  once: {
    scenario: 'duplicate',
    rule: 'count a payment once, however often it is delivered',
    expected: 'paid once',
    consequence: 'Repeats are not recognized: after each retry, the customer gets the goods again.',
  },
  status: {
    scenario: 'failed',
    rule: 'look at the status: a failed transfer pays nothing',
    expected: 'not paid',
    consequence: 'transfer.completed also comes for failed transfers: they would get the goods for nothing.',
  },
  amount: {
    scenario: 'amount-off-by-one',
    rule: 'compare integers: one base unit less does not pay',
    expected: 'not paid',
    consequence: 'Amounts are compared as floating-point numbers, or not at all: too little is enough.',
  },
  chain: {
    scenario: 'success',
    rule: 'look at the chain: what is not there pays nothing',
    expected: 'not paid',
    consequence:
      'The delivery is trusted alone: whoever has the secret, or a fault of the service, opens every order.',
  },
  account: {
    scenario: 'other-account',
    rule: 'look whose account was credited: what somebody else got pays nothing',
    expected: 'not paid',
    consequence:
      "The transaction is looked at, but not whose it is: who pays an order's amount to himself gets the goods for nothing.",
  },
};

/** Where no delivery tells the status, a failed transfer is one that the chain has sent back. */
const bouncedRule: Pick<ShopRuleText, 'scenario' | 'rule' | 'consequence'> = {
  scenario: 'success',
  rule: 'look whether the coins have stayed: a payment that bounced pays nothing',
  consequence: 'A payment that bounces goes back to its sender, who would get the goods for nothing.',
};

/** Whether deliveries say themselves what was paid; otherwise the receiver must read it on the chain. */
export function tellsAmount({ carries }: Carrying): boolean {
  return carries.includes('amount');
}

/** Whether a service's deliveries pay orders: they say what was paid, or which account has a new transaction. */
export function canCheckOrders(provider: Carrying): boolean {
  return tellsAmount(provider) || provider.carries.includes('account');
}

/** The rules about a shop's orders that make sense for a service, in the order of a check. */
export function shopRulesOf({ carries }: Carrying): ReadonlyMap<ShopRule, ShopRuleText> {
  const names = Object.keys(rules) as ShopRule[];
  return new Map(
    names
      .filter((name) => name !== 'account' || carries.includes('account'))
      .map((name) => [
        name,
        name === 'status' && !carries.includes('status') ? { ...rules.status, ...bouncedRule } : rules[name],
      ]),
  );
}

/** @throws WorkbenchError `shop-orders-unusable` (input) if a service's deliveries pay no orders */
export function requireOrderChecks(provider: Pick<WebhookProvider, 'carries' | 'title'>): void {
  if (!canCheckOrders(provider)) {
    throw new WorkbenchError({
      code: 'shop-orders-unusable',
      kind: 'input',
      message: `The orders of a shop cannot be checked with ${provider.title}, whose deliveries pay no orders of a given amount.`,
      hint: "Check without the URL of the shop's orders.",
    });
  }
}
