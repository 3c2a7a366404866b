import { WorkbenchError } from '../base/errors';
import type { Clock } from '../base/time';
import type { CheckRow, HeaderRule } from '../webhook/check/shopRules';
import { areAccepted, headerRules, shopRulesOf } from '../webhook/check/shopRules';
import type { FieldValues } from '../webhook/payload/samplePayload';
import { samplePayload, withFields } from '../webhook/payload/samplePayload';
import type { WebhookProvider } from '../webhook/provider/webhookProvider';
import { tonPay } from '../webhook/provider/tonPay';
import { deliver } from '../webhook/send/sendHttpRequest';
import type { Scenario, ScenarioName } from '../webhook/send/scenarios';
import { encodePretty, meets, signed } from '../webhook/send/scenarios';
import { scenariosOf } from '../webhook/send/scenariosOf';
import type { SentAttempt } from '../webhook/send/sendScenario';
import { sendScenario } from '../webhook/send/sendScenario';
import { checkShopOrders } from './checkShopOrders';
import { shopSample } from './shopOrders';
import type { ShopToCheck } from './shopOrders';

export interface CheckEndpointParameters {
  url: URL;
  secret: string;
  /** Fields of every payload: those of an open order exercise the receiver's own rules. */
  fields?: FieldValues | undefined;
  /** Only these scenarios; default all. */
  only?: readonly ScenarioName[] | undefined;
  provider?: WebhookProvider;
  /** Signature header names to test; default: all of the service's. */
  signatureHeaders?: readonly string[] | undefined;
  /** Additional name of the native coin. */
  coin?: string | undefined;
  /** Also looks at the shop's own orders, where it tells of them. */
  shop?: ShopToCheck | undefined;
  /** False: the shop only gets a sample payment, if the receiver must find it on the chain. Default: true. */
  withOrders?: boolean | undefined;
  /** Factor for the wait before a retry: 1 is real time. Nothing else is shortened. */
  timeScale?: number | undefined;
  signal?: AbortSignal | undefined;
  clock?: Clock | undefined;
}

/** The events of checking a receiver, in order. */
export type CheckEndpointEvent =
  /** One rule was tested, number `count` of at most `of`. */
  | { type: 'row'; row: CheckRow; count: number; of: number }
  /** The last event: all rows, and the broken ones. */
  | { type: 'ended'; rows: readonly CheckRow[]; broken: readonly CheckRow[] };

/** If these fail, all later rules would fail the same way. */
const unreachable = [
  'endpoint-refused',
  'endpoint-unknown-host',
  'endpoint-certificate',
  'endpoint-unreachable',
];

const refusedSignature =
  'It refuses the signature: does it use the secret given here, and does it verify the raw bytes?';
const forgedPasses =
  'A signature with another secret is accepted too, so signatures do not seem to be checked.';
const rawBodyRule = 'accept a signed body regardless of whitespace';

/** The tests of a check, in order: {@link CheckRow.rule} and its scenario. */
export function endpointRules({
  signatureHeaders,
  provider = tonPay,
  hasSecret = true,
  withOrders = false,
}: {
  signatureHeaders?: readonly string[] | undefined;
  provider?: WebhookProvider;
  hasSecret?: boolean;
  /** Also those about the shop's orders. */
  withOrders?: boolean;
}): Pick<CheckRow, 'scenario' | 'rule' | 'shop'>[] {
  const answers = scenariosOf(provider, hasSecret).flatMap(({ name, rule }) => [
    { scenario: name, rule },
    ...(name === 'success'
      ? headerRules(provider, signatureHeaders).map((one) => ({ scenario: name, rule: one.rule }))
      : []),
    ...(name === 'reserialized' ? [{ scenario: name, rule: rawBodyRule }] : []),
  ]);
  const orders = [...shopRulesOf(provider)].map(([shop, { scenario, rule }]) => ({ scenario, rule, shop }));
  return withOrders ? [...answers, ...orders] : answers;
}

/**
 * Runs the scenarios against a receiver in order, and reports rule by rule.
 * @throws WorkbenchError `field-unknown`, `field-invalid`, `shop-orders-unusable`, `payment-local-only` (input),
 *   `endpoint-…` if the receiver is unreachable (network), `aborted`
 */
export async function* checkEndpoint(
  parameters: CheckEndpointParameters,
): AsyncGenerator<CheckEndpointEvent, void, undefined> {
  const { provider = tonPay } = parameters;
  const rows: CheckRow[] = [];
  let signatureHeaders = parameters.signatureHeaders ?? provider.signatureHeaders;
  const hasSecret = parameters.secret !== '';
  const { shop, signatureHeaders: names } = parameters;
  const withOrders = shop !== undefined && parameters.withOrders !== false;
  const sending =
    shop === undefined ? parameters : { ...parameters, ...(await shopSample(shop, parameters)) };
  let gaveUp = false;
  const of = endpointRules({ signatureHeaders: names, provider, hasSecret, withOrders }).length;
  const add = (row: CheckRow): CheckEndpointEvent => ({ type: 'row', row, count: rows.push(row), of });
  for (const scenario of scenariosOf(provider, hasSecret)) {
    if (parameters.only?.includes(scenario.name) === false) {
      continue;
    }
    const { attempts } = await sendScenario({
      ...sending,
      signatureHeaders,
      scenario: scenario.name,
      once: true,
    });
    if (rows.length === 0) {
      throwIfUnreachable(attempts);
    }
    yield add(rowOf(scenario, lastOfEach(attempts), rows));
    if (scenario.name === 'success' && attempts.every(isLate)) {
      // All the others would wait as long.
      gaveUp = true;
      break;
    }
    if (scenario.name === 'success') {
      for (const rule of headerRules(provider, signatureHeaders)) {
        yield add(await checkHeader(scenario, rule, sending, rows));
      }
      signatureHeaders = headersRead(rows) ?? signatureHeaders;
    }
    if (scenario.name === 'reserialized') {
      yield add(await checkRawBody(scenario, { ...sending, signatureHeaders }, rows));
    }
  }
  if (withOrders && !gaveUp) {
    for (const row of await checkShopOrders(shop, { ...sending, signatureHeaders })) {
      yield add(row);
    }
  }
  yield { type: 'ended', rows, broken: rows.filter(({ ok }) => !ok) };
}

/** Tests a single header; later rules use one that the receiver reads, so that a fault shows up once. */
async function checkHeader(
  scenario: Scenario,
  { header, rule, consequence, optional }: HeaderRule,
  parameters: CheckEndpointParameters,
  before: readonly CheckRow[],
): Promise<CheckRow> {
  const sent = { ...parameters, scenario: scenario.name, signatureHeaders: [header], once: true };
  const { attempts } = await sendScenario(sent);
  const row = { ...rowOf({ ...scenario, rule, consequence }, lastOfEach(attempts), before), header };
  if (row.ok || row.follows === true) {
    return row;
  }
  return optional
    ? {
        ...row,
        ok: true,
        tolerated: true,
        note: 'Not read. The documented header is enough, but the SDK uses this one, so reading both is safer.',
      }
    : { ...row, note: consequence };
}

/** The first header that was accepted alone. */
function headersRead(rows: readonly CheckRow[]): readonly string[] | undefined {
  const read = rows.find(({ header, statuses }) => header !== undefined && areAccepted(statuses))?.header;
  return read === undefined ? undefined : [read];
}

/** The counterpart of reserialized bodies: genuine ones with spaces must pass. */
async function checkRawBody(
  scenario: Scenario,
  parameters: CheckEndpointParameters,
  before: readonly CheckRow[],
): Promise<CheckRow> {
  const { provider = tonPay, secret, fields = {}, url, signal, clock } = parameters;
  const signatureHeaders = parameters.signatureHeaders ?? provider.signatureHeaders;
  const body = encodePretty(withFields(samplePayload(clock), fields, parameters.coin), provider);
  const { attempts } = await deliver({
    ...signed({ provider, secret, signatureHeaders }, body),
    url,
    policy: provider.delivery,
    retries: 0,
    signal,
    clock,
  });
  const consequence =
    'The signature is checked over re-serialized JSON: genuine deliveries fail as soon as the service formats its JSON differently.';
  return rowOf(
    { ...scenario, rule: rawBodyRule, expected: '2xx', consequence },
    attempts.map((attempt) => ({ ...attempt, delivery: 1 })),
    before,
  );
}

function lastOfEach(attempts: readonly SentAttempt[]): SentAttempt[] {
  const last = new Map(attempts.map((attempt) => [attempt.delivery, attempt]));
  return [...last.values()];
}

function rowOf(scenario: Scenario, attempts: readonly SentAttempt[], before: readonly CheckRow[]): CheckRow {
  const { name, rule, expected, consequence } = scenario;
  const statuses = attempts.map(({ status }) => status);
  // Another refusal of a huge body is tolerated, or has passed for a genuine delivery.
  const ok = statuses.every((status) =>
    expected === '413' ? String(status) === expected : meets(status, expected),
  );
  const likeGenuine = isLikeGenuine(attempts, before);
  const tolerated = ok ? null : toleration(scenario, attempts, before);
  const cause = ok || tolerated !== null ? undefined : followsFrom(scenario, attempts, before);
  const why =
    likeGenuine && isRefusal(scenario)
      ? `It gets the same answer as a genuine delivery: it is not refused. ${consequence}`
      : explain(scenario, attempts, consequence);
  return {
    scenario: name,
    rule,
    expected,
    got: attempts.map(answerOf).join(', '),
    statuses,
    ms: Math.max(...attempts.map(({ ms }) => ms)),
    ok: ok || tolerated !== null,
    tolerated: tolerated !== null,
    ...(cause === undefined ? {} : { follows: true as const }),
    note: tolerated ?? cause ?? (ok ? null : why),
  };
}

/** Whether genuine deliveries are refused, and these got the same answer. */
function isLikeGenuine(attempts: readonly SentAttempt[], before: readonly CheckRow[]): boolean {
  const success = before.find((row) => row.scenario === 'success');
  return success?.ok === false && attempts.every((attempt) => answerOf(attempt) === success.got);
}

/** Whether a receiver that refuses genuine deliveries answers forged ones otherwise; undefined if that is not known. */
function tellsForged(before: readonly CheckRow[]): boolean | undefined {
  const success = before.find((row) => row.scenario === 'success');
  const forged = before.find((row) => row.scenario === 'wrong-secret');
  return success && forged && success.got !== forged.got;
}

/** Whether the rule is to refuse bytes or credentials that no genuine delivery has. */
function isRefusal({ name, expected }: Pick<Scenario, 'name' | 'expected'>): boolean {
  return expected === '401' || name === 'not-json' || name === 'huge';
}

/** Answers that differ from the expected one harmlessly. */
function toleration(
  { name, expected }: Scenario,
  attempts: readonly SentAttempt[],
  before: readonly CheckRow[],
): string | null {
  if (name === 'refunded' && attempts.every(({ status }) => meets(status, '2xx'))) {
    return 'The service asks for 400 for unexpected events; 2xx after logging stops its retries and does no harm.';
  }
  if (name === 'huge' && attempts.every(({ error }) => error?.code === 'endpoint-closed')) {
    return 'The connection was closed without an answer: this refuses the delivery, but does not say why.';
  }
  const isRefused = attempts.every(({ status }) => meets(status, '4xx'));
  // An answer that genuine deliveries get, too, refuses nothing; only of a huge body it may, if forged ones get it as well.
  const isSame = isLikeGenuine(attempts, before) && (name !== 'huge' || tellsForged(before) !== false);
  return isRefused && !isSame && (expected === '401' || expected === '413')
    ? `It is refused, which is what counts; ${expected} would say why.`
    : null;
}

/** What an earlier row reports already; undefined if the row has a cause of its own. */
function followsFrom(
  scenario: Scenario,
  attempts: readonly SentAttempt[],
  before: readonly CheckRow[],
): string | undefined {
  const { name, expected } = scenario;
  if (isLikeGenuine(attempts, before)) {
    if (!isRefusal(scenario)) {
      return 'Follows from the first rule: genuine deliveries get the same answer.';
    }
    // Who tells forged deliveries from genuine ones has taken this one for genuine.
    if (name === 'wrong-secret' || tellsForged(before) === false) {
      return 'Follows from the first rule: genuine and forged deliveries get the same answer. Check again once genuine ones are accepted.';
    }
  }
  const forged = before.find((row) => row.scenario === 'wrong-secret');
  const isAccepted = attempts.some(({ status }) => meets(status, '2xx'));
  const { whenForgedPasses = forgedPasses } = scenario;
  return expected === '401' && isAccepted && forged !== undefined && areAccepted(forged.statuses)
    ? whenForgedPasses
    : undefined;
}

function explain(scenario: Scenario, attempts: readonly SentAttempt[], consequence: string): string {
  const statuses = attempts.map(({ status }) => status);
  if (scenario.expected === '401' && !statuses.some((status) => meets(status, '2xx'))) {
    return 'It is not accepted, but not refused either: answer with 401.';
  }
  if (scenario.name === 'success' && statuses.includes(401)) {
    const { whenForbidden = refusedSignature } = scenario;
    return `${consequence} ${whenForbidden}`;
  }
  if (scenario.name === 'success' && statuses.every((status) => status === 404 || status === 405)) {
    return `${statuses[0] === 404 ? 'Nothing is there (is the path of the URL right?), or it says that it does not know the order: answer that with 2xx, and check with an open order (reference).' : 'It takes no POST there: is the path of the URL right?'} ${consequence}`;
  }
  if (statuses.some((status) => status !== null && status >= 300 && status <= 399)) {
    return `The service does not follow redirects: use the final URL. ${consequence}`;
  }
  if (attempts.some(isLate)) {
    const rest = scenario.name === 'success' ? ' The other rules were not checked.' : '';
    return `The service gives up after 10 s: store the delivery, answer, and do slow work afterward. ${consequence}${rest}`;
  }
  if (scenario.name === 'success' && statuses.includes(503)) {
    return `It answers that it cannot tell now. If it checks payments on the chain, which has none like this sample, check it with real ones: webhook check --orders-url. ${consequence}`;
  }
  if (statuses.some((status) => status !== null && status >= 500)) {
    return `The receiver failed internally. ${consequence}`;
  }
  return consequence;
}

function isLate({ error }: SentAttempt): boolean {
  return error?.code === 'endpoint-timeout';
}

function answerOf({ status, error }: SentAttempt): string {
  return status === null ? describe(error) : String(status);
}

function describe(error: SentAttempt['error']): string {
  switch (error?.code) {
    case 'endpoint-timeout':
      return 'no answer within 10 s';
    case 'endpoint-closed':
      return 'connection closed';
    default:
      return `no answer (${error?.code ?? 'unknown'})`;
  }
}

function throwIfUnreachable(attempts: readonly SentAttempt[]): void {
  const failed = attempts.find(({ error }) => error !== null && unreachable.includes(error.code))?.error;
  if (failed != null) {
    throw new WorkbenchError({
      code: failed.code,
      kind: 'network',
      message: failed.message,
      hint: 'Start your receiver, and check its URL.',
    });
  }
}
