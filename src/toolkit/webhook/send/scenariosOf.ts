import { randomBytes } from 'node:crypto';
import { systemClock } from '../../base/time';
import { ownFieldName } from '../provider/webhookProvider';
import type { DeliveryTrait, WebhookProvider } from '../provider/webhookProvider';
import { tonPay } from '../provider/tonPay';
import { change, encode, scenarios, signed } from './scenarios';
import type { ExpectedStatus, Plan, PlanContext, Scenario, ScenarioName } from './scenarios';

/** What a delivery must carry for a scenario to make sense; nothing for the others. */
const needs: Partial<Record<ScenarioName, DeliveryTrait>> = {
  failed: 'status',
  'wrong-secret': 'credential',
  altered: 'signed-body',
  reserialized: 'signed-body',
  'no-signature': 'credential',
  'unknown-reference': 'reference',
  'amount-off-by-one': 'amount',
  'wrong-asset': 'asset',
  refunded: 'event',
  stale: 'signed-time',
  'other-account': 'account',
};

/** What is said of a token where a signature would be. */
const tokenWords: Partial<Record<ScenarioName, Partial<Pick<Scenario, 'title' | 'rule'>>>> = {
  success: { rule: 'accept a delivery with 2xx within 10 s' },
  'wrong-secret': {
    title: 'a delivery with another token',
    rule: "refuse another webhook's token with 401",
  },
  'no-signature': {
    title: 'a delivery without the token',
    rule: 'refuse a delivery without a token with 401',
  },
  'not-json': { title: 'a body that is not JSON' },
  huge: { title: 'a body of 2 MiB' },
};

/** Scenarios that the payment service has no use for. */
const otherScenarios: readonly Scenario[] = [
  {
    name: 'stale',
    title: 'a genuine delivery that was signed six minutes ago',
    rule: 'refuse a signature that is older than five minutes with 401',
    expected: '401',
    consequence: 'Anyone who has ever seen a delivery could send it again, forever.',
    plan: (context: PlanContext): Plan => ({
      deliveries: [signed(context, encode(context), systemClock.now() - 6 * 60_000)],
    }),
  },
  {
    name: 'other-account',
    title: 'a transaction of an account that is not yours',
    rule: "answer 2xx to another account's transaction, and do nothing",
    expected: '2xx',
    consequence: tonPay.whenRefused,
    plan: (context: PlanContext): Plan => {
      const recipientAddr = `0:${randomBytes(32).toString('hex')}`;
      return {
        deliveries: [signed(context, encode(context, change(context, { recipientAddr })))],
      };
    },
  },
];

/** Every scenario of any service. */
export const everyScenario: readonly Scenario[] = [...scenarios, ...otherScenarios];

/**
 * The scenarios of a service, with its own words and answers, in the order of a check.
 * @param hasSecret false: its deliveries carry no credential
 */
export function scenariosOf(provider: WebhookProvider, hasSecret = true): readonly Scenario[] {
  if (provider.name === tonPay.name) {
    return scenarios;
  }
  const hasToken = provider.secretForm.mark === 'token';
  const reference = ownFieldName(provider, 'reference');
  return everyScenario
    .filter(({ name }) => {
      if (name === 'retry' && provider.delivery.retryDelaysMs.length === 0) {
        return false;
      }
      const trait = needs[name];
      return (
        trait === undefined || (provider.carries.includes(trait) && (trait !== 'credential' || hasSecret))
      );
    })
    .map((scenario) => ({ ...scenario, ...(hasToken ? tokenWords[scenario.name] : {}) }))
    .map((scenario) => ({
      ...scenario,
      expected: expectedBy(scenario, provider),
      title: scenario.title.replace('unknown reference', `unknown ${reference}`),
      rule: withAnswer(scenario.rule, provider).replace('unknown reference', `unknown ${reference}`),
      consequence: consequenceOf(scenario, provider),
      ...(hasToken
        ? {
            whenForbidden: hasSecret
              ? 'It refuses the token: is it the one given here?'
              : 'It asks for a token, and none was given here.',
            whenForgedPasses: 'Another token is accepted too, so tokens do not seem to be checked.',
          }
        : {}),
    }));
}

/** Only the payment service says 400: a library that parses before it verifies may say 401 of what is not JSON. */
function expectedBy({ name, expected }: Scenario, provider: WebhookProvider): ExpectedStatus {
  if (expected === '2xx') {
    return provider.accepts;
  }
  return name === 'not-json' ? '4xx' : expected;
}

/** Who answers almost right notices the payment. */
function consequenceOf({ name, consequence }: Scenario, { accepts, whenRefused }: WebhookProvider): string {
  return name === 'success' && accepts === '200'
    ? whenRefused
    : consequence.replace(tonPay.whenRefused, whenRefused);
}

function withAnswer(rule: string, { accepts }: WebhookProvider): string {
  return rule
    .replace('2xx', accepts === '200' ? 'exactly 200' : accepts)
    .replace('that is not JSON with 400', 'that is not JSON');
}
