import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { canonicalAddress } from '../toolkit/address/canonicalAddress';
import { WorkbenchError } from '../toolkit/base/errors';
import type { PaymentChange } from '../toolkit/payments/mockPayment';
import type { PaymentSettingName, PaymentSettings } from '../toolkit/payments/paymentSettings';
import { PaymentSettingsFile } from '../toolkit/payments/paymentSettings';
import { paymentAmount, paymentChangeWords } from '../toolkit/payments/paymentWords';
import type { Payments } from '../toolkit/payments/startPayments';
import { startPayments } from '../toolkit/payments/startPayments';
import { clockTime } from '../toolkit/base/text';
import { systemClock } from '../toolkit/base/time';
import { counted } from '../toolkit/trace/figures';
import { parseEndpoint } from '../toolkit/webhook/send/parseEndpoint';
import { fileError } from './fileError';
import { openAccess, originsText } from './networkOptions';
import { networkHere } from './networkHere';
import { noteLog, openLines, writeJsonLine, writeNote, writeText } from './output';
import { changeAnswer } from './paymentsAnswers';
import { stopSignal } from './runTests';
import { pathHere } from './surroundings';
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

/** Between looks at the settings file. */
const lookMs = 500;

/** `payments`: runs until it is stopped. */
export async function paymentsRun(options: PaymentsOptions): Promise<void> {
  const stop = stopSignal();
  const settings = await settingsOf(options);
  const { network } = networkHere(options.network);
  const access = await openAccess(network, { requestsPerSecond: options.requestsPerSecond });
  const temporary =
    options.journal === undefined ? await mkdtemp(path.join(tmpdir(), 'ton-workbench-payments-')) : undefined;
  let looking: NodeJS.Timeout | undefined;
  try {
    const payments = await startPayments({
      access,
      port: options.port,
      journalDirectory: pathHere(options.journal ?? temporary ?? '.'),
      settings,
      timeScale: options.timeScale,
      log: noteLog(),
    });
    // What is wrong with the settings file is told when it is saved, not only with the next request.
    looking = options.settings === undefined ? undefined : setInterval(settings, lookMs);
    await show(
      payments,
      {
        json: options.json === true,
        settledBy: originsText(network),
        // One that the user has is not printed, and so in no log.
        hasSecret: settings().webhookSecret !== undefined,
      },
      stop,
    );
  } finally {
    clearInterval(looking);
    if (temporary !== undefined) {
      await rm(temporary, { recursive: true, force: true });
    }
  }
}

async function show(
  payments: Payments,
  { json, settledBy, hasSecret }: { json: boolean; settledBy: string; hasSecret: boolean },
  stop: AbortSignal,
): Promise<void> {
  const lines = openLines();
  payments.onChange((change) => {
    if (json) {
      lines.writeJson(changeAnswer(change, systemClock.now()));
    } else {
      lines.writeText(changeText(change));
    }
  });
  const { url, webhookSecret } = payments;
  if (json) {
    writeJsonLine({ url, webhookSecret: hasSecret ? null : webhookSecret });
  } else {
    writeText(
      `The payment API answers on ${url}; press Ctrl+C to stop.\n` +
        `  TONPAY_BASE_URL=${url}\n  webhook secret  ${hasSecret ? 'the one that you gave' : webhookSecret}\n  settled by      ${settledBy}` +
        (payments.size === 0 ? '' : `\n  journal         ${counted(payments.size, 'payment')}`),
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

function changeText(change: PaymentChange): string {
  const { payment } = change;
  return `${clockTime(systemClock.now() / 1000)}  ${payment.reference}  ${paymentAmount(payment)}  ${paymentChangeWords(change)}`;
}

const settingOptions = [
  ['webhookUrl', 'webhookUrl', '--webhook-url'],
  ['secretFile', 'webhookSecret', '--secret-file'],
  ['merchantKeyFile', 'apiKey', '--merchant-key-file'],
  ['recipient', 'recipientAddr', '--recipient'],
] as const satisfies readonly (readonly [keyof PaymentsOptions, PaymentSettingName, string])[];

/** Options beside a settings file take precedence over it. */
async function settingsOf(options: PaymentsOptions): Promise<() => PaymentSettings> {
  const { webhookUrl, secretFile, merchantKeyFile, recipient } = options;
  if (recipient !== undefined && canonicalAddress(recipient) === undefined) {
    throw new WorkbenchError({
      code: 'address-invalid',
      kind: 'input',
      message: `--recipient ${JSON.stringify(recipient.slice(0, 100))} is not an address.`,
      hint: 'Names of accounts are not looked up here: ton-workbench localnet status lists their addresses.',
    });
  }
  const own: PaymentSettings = {
    ...(webhookUrl === undefined ? {} : { webhookUrl: parseEndpoint(webhookUrl) }),
    ...(secretFile === undefined ? {} : { webhookSecret: await readSecret(secretFile) }),
    ...(merchantKeyFile === undefined ? {} : { apiKey: await readSecret(merchantKeyFile) }),
    ...(recipient === undefined ? {} : { recipientAddr: recipient }),
  };
  const file = options.settings === undefined ? undefined : openSettings(options.settings);
  const twice = settingOptions.filter(
    ([option, setting]) => options[option] !== undefined && file?.current()[setting] !== undefined,
  );
  for (const [, setting, flag] of twice) {
    writeNote(`${flag} is used, not ${setting} of the settings file.`);
  }
  return () => ({ ...file?.current(), ...own });
}

function openSettings(file: string): PaymentSettingsFile {
  try {
    return new PaymentSettingsFile(pathHere(file), {
      onInvalid: (error) =>
        writeNote(
          `The settings are as before: ${WorkbenchError.is(error) ? error.message : 'the file cannot be read.'}`,
        ),
      onChanged: (names) => writeNote(`The settings file was read again: ${names.join(', ')} changed.`),
    });
  } catch (cause) {
    if (WorkbenchError.is(cause)) {
      throw cause;
    }
    const hint =
      'Give a JSON file with webhookUrl, webhookSecret, apiKey and recipientAddr; all are optional.';
    throw fileError({ path: file, what: 'The settings file', code: 'payment-settings-invalid', hint }, cause);
  }
}
