import { randomBytes } from 'node:crypto';
import { WorkbenchError } from '../../base/errors';
import type { Clock } from '../../base/time';
import { testMark } from '../delivery/signature';
import type { TransferPayload } from '../payload/payload';
import type { FieldValues } from '../payload/samplePayload';
import { samplePayload, settableFields, withFields } from '../payload/samplePayload';
import type { DeliveryPolicy, WebhookProvider } from '../provider/webhookProvider';
import { tonPay } from '../provider/tonPay';
import type { Attempt, DeliveryOutcome } from './sendHttpRequest';
import { deliver } from './sendHttpRequest';
import { headersToSend } from './headersToSend';
import type { ExpectedStatus, Plan, Scenario, ScenarioName } from './scenarios';
import { meets } from './scenarios';
import { scenariosOf } from './scenariosOf';

export interface SendScenarioParameters {
  url: URL;
  scenario: ScenarioName;
  secret: string;
  /** Fields of the payload to set. */
  fields?: FieldValues | undefined;
  /** The payload to start from: of a real transfer, or of a delivery to edit. Default: a sample. */
  payload?: TransferPayload | undefined;
  /** Logical time of its transaction, for services that tell it; default: made up. */
  lt?: bigint | undefined;
  provider?: WebhookProvider;
  /** Names of the signature headers; default: the documented ones. */
  signatureHeaders?: readonly string[] | undefined;
  /** Additional name of the native coin. */
  coin?: string | undefined;
  /** Factor for the service's waits between attempts: 1 is real time. A slow body is not sped up. */
  timeScale?: number | undefined;
  /** Send each delivery once, whatever the answer. */
  once?: boolean | undefined;
  signal?: AbortSignal | undefined;
  clock?: Clock | undefined;
  onAttempt?: ((attempt: SentAttempt, waitMs: number | undefined) => void) | undefined;
}

/** An attempt, and its delivery's number in the scenario (from 1). */
export type SentAttempt = Attempt & { delivery: number };

export interface SendResult {
  scenario: ScenarioName;
  url: string;
  /** Of the first delivery. */
  reference: string;
  expected: ExpectedStatus;
  /** Whether every delivery was answered as expected. */
  ok: boolean;
  /** Whether the service would count every delivery as delivered. */
  delivered: boolean;
  /** Last status of the last delivery. */
  status: number | null;
  attempts: SentAttempt[];
}

/** @throws WorkbenchError `scenario-unknown` (input) */
export function findScenario(name: string, provider: WebhookProvider = tonPay): Scenario {
  const scenarios = scenariosOf(provider);
  const scenario = scenarios.find((one) => one.name === name);
  if (scenario === undefined) {
    throw new WorkbenchError({
      code: 'scenario-unknown',
      kind: 'input',
      message: `There is no scenario ${JSON.stringify(name)}.`,
      hint: `Scenarios: ${scenarios.map((one) => one.name).join(', ')}.`,
    });
  }
  return scenario;
}

/**
 * Sends a scenario to a receiver, signed and delivered as the service does.
 * @throws WorkbenchError `scenario-unknown`, `field-unknown`, `field-invalid` (input), `aborted`
 */
export async function sendScenario(parameters: SendScenarioParameters): Promise<SendResult> {
  const { provider = tonPay, fields = {}, url } = parameters;
  const scenario = findScenario(parameters.scenario, provider);
  const start = parameters.payload ?? samplePayload(parameters.clock);
  const payload = withFields(start, fields, parameters.coin);
  const plan = scenario.plan({
    payload,
    lt: parameters.lt,
    secret: parameters.secret,
    provider,
    coin: parameters.coin,
    signatureHeaders: parameters.signatureHeaders ?? headersToSend(provider),
  });
  const outcomes = await run(scenario, plan, parameters, provider.delivery);
  const attempts = outcomes.flatMap((outcome, index) =>
    outcome.attempts.map((attempt) => ({ ...attempt, delivery: index + 1 })),
  );
  const last = outcomes.map((outcome) => outcome.attempts.at(-1)?.status ?? null);
  return {
    scenario: scenario.name,
    url: url.href,
    reference: referenceIn(plan.deliveries[0]?.body) ?? payload.data.reference,
    expected: scenario.expected,
    ok: last.every((status) => meets(status, scenario.expected)),
    delivered: outcomes.every((outcome) => outcome.delivered),
    status: last.at(-1) ?? null,
    attempts,
  };
}

/** From the actual delivery: a scenario may use another reference than the payload's. */
function referenceIn(body: Uint8Array | undefined): string | undefined {
  try {
    const { data } = JSON.parse(Buffer.from(body ?? []).toString()) as { data?: { reference?: unknown } };
    return typeof data?.reference === 'string' ? data.reference : undefined;
  } catch {
    return undefined;
  }
}

async function run(
  scenario: Scenario,
  plan: Plan,
  parameters: SendScenarioParameters,
  policy: DeliveryPolicy,
): Promise<DeliveryOutcome[]> {
  const { url, timeScale, signal, clock, onAttempt, once } = parameters;
  const mark = testMark({ scenario: scenario.name, run: randomBytes(8).toString('hex') });
  const start = (index: number): Promise<DeliveryOutcome> => {
    const planned = plan.deliveries[index] as Plan['deliveries'][number];
    return deliver({
      ...planned,
      headers: [...planned.headers, mark],
      isFinal: (status) => meets(status, scenario.expected),
      // The scenario that loses an answer is about the retry.
      retries: once === true ? (planned.cutFirstAnswer === true ? 1 : 0) : undefined,
      url,
      policy,
      timeScale,
      signal,
      clock,
      onAttempt: (attempt, waitMs) => onAttempt?.({ ...attempt, delivery: index + 1 }, waitMs),
    });
  };
  const indexes = plan.deliveries.map((_, index) => index);
  if (plan.together === true) {
    return Promise.all(indexes.map(start));
  }
  const outcomes: DeliveryOutcome[] = [];
  for (const index of indexes) {
    outcomes.push(await start(index));
  }
  return outcomes;
}

/** The fields of a payload that a service's deliveries tell of: to set another one changes no byte. */
export function sentFields(
  { encode }: Pick<WebhookProvider, 'encode'>,
  payload: TransferPayload,
  coin?: string,
): readonly string[] {
  const bytesWith = (name: string, value: string): Buffer =>
    encode(withFields(payload, { [name]: value }, coin));
  return settableFields.filter((name) => !bytesWith(name, '7').equals(bytesWith(name, '8')));
}
