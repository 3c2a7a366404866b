import { WorkbenchError } from '../toolkit/base/errors';
import { milliseconds, visibleText } from '../toolkit/base/text';
import type { Clock } from '../toolkit/base/time';
import type { CheckRow } from '../toolkit/webhook/check/shopRules';
import {
  brokenRules,
  canCheckOrders,
  checkName,
  checkSymbol,
  describeFixes,
  describeReadHeaders,
} from '../toolkit/webhook/check/shopRules';
import { samplePayload, staleAmount, withFields } from '../toolkit/webhook/payload/samplePayload';
import type { WebhookProvider } from '../toolkit/webhook/provider/webhookProvider';
import { providerOf } from '../toolkit/webhook/provider/providerOf';
import type { ReceiverFramework } from '../toolkit/webhook/receiver/receiverSource';
import { parseEndpoint } from '../toolkit/webhook/send/parseEndpoint';
import type { SendResult, SentAttempt } from '../toolkit/webhook/send/sendScenario';
import { findScenario, sendScenario } from '../toolkit/webhook/send/sendScenario';
import { checkRemark } from '../toolkit/webhook/views/checkRemark';
import { sendSymbol } from '../toolkit/webhook/views/sentNodes';
import type { CheckEndpointEvent } from '../toolkit/workflows/checkEndpoint';
import { checkEndpoint } from '../toolkit/workflows/checkEndpoint';
import type { ShopToCheck } from '../toolkit/workflows/shopOrders';
import { openAccess } from './networkOptions';
import { networkHere } from './networkHere';
import { writeJsonLine, writeNote, writeText } from './output';
import { stopSignal } from './runTests';
import { surroundings } from './surroundings';
import { rulesAnswer, scenarioAnswer } from './webhookAnswers';
import type { ProviderOptions } from './webhookOptions';
import { parseFields, providerChoice, readSecret } from './webhookOptions';

export interface CheckOptions extends ProviderOptions {
  url: string;
  secretFile?: string;
  set?: string[];
  timeScale: number;
  coin?: string;
  framework?: ReceiverFramework;
  ordersUrl?: string;
  network?: string;
  json?: true;
}

export interface WebhookSendOptions extends CheckOptions {
  scenario: string;
}

/** `webhook send`: exit status 0 if the receiver answered as the scenario expects. */
export async function webhookSend(options: WebhookSendOptions): Promise<void> {
  const provider = providerOf(providerChoice(options));
  const { carries } = provider;
  const scenario = findScenario(options.scenario, provider).name;
  tellStaleAmount(options);
  const result = await sendScenario({
    scenario,
    ...(await shared(options)),
    onAttempt: (attempt, waitMs) => {
      if (!options.json) {
        writeText(attemptLine(attempt, waitMs));
      }
    },
  });
  if (options.json) {
    writeJsonLine(scenarioAnswer(result));
  } else {
    writeText(
      `${sendSymbol(result)} ${scenario}: expected ${result.expected}${carries.includes('reference') ? `, reference ${result.reference}` : ''}`,
    );
  }
  if (!result.ok) {
    throw notAsExpectedError(result);
  }
}

/** `webhook check`: exit status 1 if a rule is broken. */
export async function webhookCheck(options: CheckOptions): Promise<void> {
  const shop = await shopOf(options);
  tellStaleAmount(options);
  const { reference } = parseFields(options.set, providerOf(providerChoice(options)));
  if (reference !== undefined) {
    writeNote(
      `Genuine deliveries name the order ${visibleText(reference, 100)}: a shop that does not check the chain marks it as paid.`,
    );
  }
  for await (const event of checkEndpoint({ ...(await shared(options)), shop })) {
    if (event.type === 'ended') {
      printEnd(event, options);
    } else if (!options.json) {
      writeText(rowText(event.row));
    }
  }
}

function printEnd(
  { rows, broken }: Extract<CheckEndpointEvent, { type: 'ended' }>,
  options: CheckOptions,
): void {
  const { json, set, framework, ordersUrl } = options;
  if (json) {
    writeJsonLine(rulesAnswer(rows));
  } else {
    const provider = providerOf(providerChoice(options));
    const { reference } = parseFields(set, provider);
    const headers = describeReadHeaders(rows);
    const remark =
      checkRemark(reference, ordersUrl, provider) +
      (ordersUrl === undefined && reference === undefined ? hintOf(provider) : '');
    writeText(`\n${headers === undefined ? '' : `${headers}\n`}${remark}`);
  }
  if (framework !== undefined && json !== true && broken.length > 0) {
    writeText(`\n${describeFixes(rows, framework, providerOf(providerChoice(options)).receiver())}`);
  }
  if (broken.length > 0) {
    throw new WorkbenchError({
      code: 'webhook-check-failed',
      kind: 'failed',
      message: `The receiver breaks ${brokenRules(rows)}: ${[...new Set(broken.filter(({ follows }) => follows !== true).map(checkName))].join(', ')}.`,
    });
  }
}

/** Says which of the two amounts is not what the other one says. */
function tellStaleAmount(options: CheckOptions): void {
  const { set, coin } = options;
  const fields = parseFields(set, providerOf(providerChoice(options)));
  const payload = withFields(samplePayload(), fields, coin);
  const stale = staleAmount(payload, fields, coin);
  if (stale !== undefined) {
    writeNote(`${stale} stays ${payload.data[stale]}: set it, too, if it is to agree.`);
  }
}

/** The options that show what a status does not. */
function hintOf(provider: WebhookProvider): string {
  return canCheckOrders(provider)
    ? ` (--orders-url${provider.carries.includes('reference') ? ', or --set reference=…' : ''})`
    : ' (--set reference=…)';
}

/** The shop's own orders, and the network on which they are paid. */
async function shopOf({ ordersUrl, network: name }: CheckOptions): Promise<ShopToCheck | undefined> {
  if (ordersUrl === undefined) {
    return undefined;
  }
  const { network } = networkHere(name ?? 'local');
  return { ordersUrl: parseEndpoint(ordersUrl), access: await openAccess(network, {}) };
}

async function shared(options: CheckOptions): Promise<{
  provider: WebhookProvider;
  url: URL;
  secret: string;
  fields: Record<string, string>;
  signatureHeaders: readonly string[] | undefined;
  timeScale: number;
  coin: string | undefined;
  signal: AbortSignal;
  clock: Clock;
}> {
  const provider = providerOf(providerChoice(options));
  const { secretFile } = options;
  if (secretFile === undefined && !provider.isSecretOptional) {
    throw new WorkbenchError({
      code: 'usage',
      kind: 'input',
      message: `${provider.title} signs its deliveries: --secret-file is missing.`,
      hint: 'Give a file that contains the secret.',
    });
  }
  return {
    provider,
    url: parseEndpoint(options.url),
    secret: secretFile === undefined ? '' : await readSecret(secretFile, provider),
    fields: parseFields(options.set, provider),
    // The header of a generic HMAC is one of its settings.
    signatureHeaders: provider.name === 'hmac' ? undefined : options.header,
    timeScale: options.timeScale,
    coin: options.coin,
    signal: stopSignal(),
    clock: surroundings().clock,
  };
}

function attemptLine(attempt: SentAttempt, waitMs: number | undefined): string {
  const { status, error, ms } = attempt;
  const answer =
    status === null ? (error?.message ?? 'no answer').replace(/\.$/, '') : `${status} in ${milliseconds(ms)}`;
  const next = waitMs === undefined ? '' : `; again in ${milliseconds(waitMs)}`;
  return `  attempt ${attempt.attempt}: ${answer}${said(attempt)}${next}`;
}

/** The receiver's own error message, on one line. */
function said({ status, answer }: SentAttempt): string {
  const isRefusal = status !== null && (status < 200 || status > 299);
  const text = visibleText(answer.trim(), 300);
  return isRefusal && text !== '' ? `: ${text}` : '';
}

function rowText(row: CheckRow): string {
  const { rule, expected, got, ms, note } = row;
  const line = `${checkSymbol(row)} ${(row.shop === undefined ? row.scenario : checkName(row)).padEnd(17)}  expected ${expected}, got ${got}${row.statuses.some((status) => status !== null) ? ` in ${milliseconds(ms)}` : ''}   ${rule}`;
  return note === null ? line : `${line}\n    ${note}`;
}

function notAsExpectedError(result: SendResult): WorkbenchError {
  const last = result.attempts.at(-1);
  const error = last?.error ?? null;
  return new WorkbenchError(
    error === null
      ? {
          code: 'webhook-not-as-expected',
          kind: 'failed',
          message: `The receiver answered ${result.status ?? 'nothing'}, expected ${result.expected}${last === undefined ? '' : said(last)}.`,
        }
      : { code: error.code, kind: 'network', message: error.message },
  );
}
