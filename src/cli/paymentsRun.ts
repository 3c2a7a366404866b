import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { WorkbenchError } from '../toolkit/errors';
import { canonicalAddress } from '../toolkit/address/canonicalAddress';
import type { MockPayment, PaymentChange } from '../toolkit/payments/mockPayment';
import { attemptWords, problemWords } from '../toolkit/payments/paymentWords';
import { PaymentSettingsFile } from '../toolkit/payments/paymentSettings';
import type { PaymentSettings } from '../toolkit/payments/paymentSettings';
import { startPayments } from '../toolkit/payments/startPayments';
import type { Payments } from '../toolkit/payments/startPayments';
import { visibleText } from '../toolkit/text';
import { parseEndpoint } from '../toolkit/webhook/send/parseEndpoint';
import { fileError } from './fileError';
import { openAccess } from './network';
import { networkHere } from './networkHere';
import { noteLog } from './noteLog';
import { openLines, writeJsonLine, writeNote, writeText } from './output';
import { stopSignal } from './stopSignal';
import { readSecret } from './webhookOptions';

export interface PaymentsOptions {
  network: string;
  requestsPerSecond?: number;
  port: number;
  journal?: string;
  webhookUrl?: string;
  secretFile?: string;
  merchantKeyFile?: string;
  recipient?: string;
  settings?: string;
  timeScale: number;
  json?: true;
}

/** `payments`: runs until it is stopped. */
export async function paymentsRun(options: PaymentsOptions): Promise<void> {
  const stop = stopSignal();
  const settings = await settingsOf(options);
  const { network } = networkHere(options.network);
  const access = await openAccess(network, { requestsPerSecond: options.requestsPerSecond });
  const temporary =
    options.journal === undefined ? await mkdtemp(path.join(tmpdir(), 'ton-workbench-payments-')) : undefined;
  try {
    const payments = await startPayments({
      access,
      port: options.port,
      journalDirectory: path.resolve(options.journal ?? temporary ?? '.'),
      settings,
      timeScale: options.timeScale,
      log: noteLog(),
    });
    await show(payments, options.json === true, stop);
  } finally {
    if (temporary !== undefined) {
      await rm(temporary, { recursive: true, force: true });
    }
  }
}

async function show(payments: Payments, json: boolean, stop: AbortSignal): Promise<void> {
  const lines = openLines();
  payments.onChange((change) => {
    if (json) {
      lines.writeJson(changeLine(change));
    } else {
      lines.writeText(changeText(change));
    }
  });
  const { url, apiKey = null, webhookSecret } = payments;
  if (json) {
    writeJsonLine({ url, apiKey, webhookSecret });
  } else {
    writeText(
      `The payment API answers on ${url}; press Ctrl+C to stop.\n` +
        `  TONPAY_BASE_URL=${url}\n  webhook secret  ${webhookSecret}`,
    );
  }
  await new Promise<void>((resolve) => {
    if (stop.aborted) {
      resolve();
    }
    stop.addEventListener('abort', () => resolve(), { once: true });
  });
  await payments.close();
}

/** A change in the format described in output.ts. */
function changeLine({ change, payment }: PaymentChange): object {
  const { reference, status, amount, rawAmount, asset, problems, webhook } = payment;
  return {
    ...{ change, reference, status, amount, rawAmount, asset },
    bodyHash: Buffer.from(payment.bodyBase64Hash, 'base64').toString('hex'),
    sender: canonicalAddress(payment.senderAddr) ?? null,
    recipient: payment.recipient,
    txHash: payment.txHash || null,
    traceId: payment.traceId || null,
    problem: problems.at(-1) ?? null,
    webhook:
      webhook === undefined ? null : { state: webhook.state, attempt: webhook.attempts.at(-1) ?? null },
  };
}

function changeText({ change, payment }: PaymentChange): string {
  const { reference, amount, assetTicker, asset } = payment;
  return `${reference}  ${visibleText(`${amount} ${assetTicker ?? asset}`, 80)}  ${wordsOf(change, payment)}`;
}

function wordsOf(change: PaymentChange['change'], payment: MockPayment): string {
  const { problems, webhook, txHash } = payment;
  const problem = problems.at(-1);
  const last = webhook?.attempts.at(-1);
  const answer = last === undefined ? '' : attemptWords(last);
  switch (change) {
    case 'created':
      return 'created';
    case 'settled':
      return `paid in transaction ${txHash}`;
    case 'failed':
      return `failed: the payment bounced in transaction ${txHash}`;
    case 'wrong-amount':
      return problem === undefined
        ? 'not paid: another amount arrived'
        : `not paid: ${problemWords(payment, problem)}, in transaction ${problem.txHash}`;
    case 'paid-again':
      return `paid again in transaction ${problem?.txHash ?? ''}; nothing changes`;
    case 'bounced':
      return `another message bounced in transaction ${problem?.txHash ?? ''}`;
    case 'attempt':
      return `webhook not delivered yet: ${answer}`;
    case 'delivered':
      return `webhook delivered: ${answer}`;
    case 'undelivered':
      return `webhook not delivered, and given up: ${answer}`;
    case 'late':
      return `webhook held back until ${webhook?.dueAt ?? 'later'}`;
    case 'withheld':
      return 'webhook held back for good';
    case 'no-url':
      return 'no webhook: no URL is set';
  }
}

/** Options beside a settings file take precedence over it. */
async function settingsOf(options: PaymentsOptions): Promise<() => PaymentSettings> {
  const { webhookUrl, secretFile, merchantKeyFile, recipient } = options;
  if (recipient !== undefined && canonicalAddress(recipient) === undefined) {
    throw new WorkbenchError({
      code: 'address-invalid',
      kind: 'input',
      message: `--recipient ${JSON.stringify(recipient.slice(0, 100))} is not an address.`,
    });
  }
  const own: PaymentSettings = {
    ...(webhookUrl === undefined ? {} : { webhookUrl: parseEndpoint(webhookUrl) }),
    ...(secretFile === undefined ? {} : { webhookSecret: await readSecret(secretFile) }),
    ...(merchantKeyFile === undefined ? {} : { apiKey: await readSecret(merchantKeyFile) }),
    ...(recipient === undefined ? {} : { recipientAddr: recipient }),
  };
  const file = options.settings === undefined ? undefined : openSettings(options.settings);
  return () => ({ ...file?.current(), ...own });
}

function openSettings(file: string): PaymentSettingsFile {
  try {
    return new PaymentSettingsFile(file, (error) =>
      writeNote(
        `The settings are as before: ${error instanceof Error ? error.message : 'they cannot be read'}`,
      ),
    );
  } catch (cause) {
    if (WorkbenchError.is(cause)) {
      throw cause;
    }
    const hint =
      'Give a JSON file with webhookUrl, webhookSecret, apiKey and recipientAddr; all are optional.';
    throw fileError({ path: file, what: 'The settings file', code: 'payment-settings-invalid', hint }, cause);
  }
}
