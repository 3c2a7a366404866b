import { statSync } from 'node:fs';
import * as z from 'zod';
import type { Network } from '../access/network';
import { canonicalAddress } from '../address/canonicalAddress';
import { checkShape } from '../base/checkShape';
import { WorkbenchError } from '../base/errors';
import { readUserText } from '../base/readUserFile';
import { parseEndpoint } from '../webhook/send/parseEndpoint';
import type { MockPayment, PaymentChange } from './mockPayment';
import type { PayOptions } from './payPayment';

/** What a merchant sets in the service's dashboard. */
export interface PaymentSettings {
  /** Where webhooks go; undefined: none are sent. */
  webhookUrl?: URL | undefined;
  /** The title of another service, if the receiver of the webhooks is known to expect that one's. */
  receiverExpects?: string | undefined;
  /** Signs the webhooks. */
  webhookSecret?: string | undefined;
  /** Requests must carry it as x-api-key. */
  apiKey?: string | undefined;
  /** Requests without a key are answered too; a wrong one is still refused. */
  keyIsOptional?: boolean | undefined;
  /** The merchant's wallet: for payments without a recipient. */
  recipientAddr?: string | undefined;
}

const fileSchema = z.strictObject({
  webhookUrl: z.string().optional(),
  webhookSecret: z.string().min(1).optional(),
  apiKey: z.string().min(1).optional(),
  recipientAddr: z.string().optional(),
});

/**
 * The settings in a text.
 * @throws WorkbenchError `payment-settings-invalid`, `endpoint-invalid`, `https-required` (input)
 */
function parsePaymentSettings(text: string): PaymentSettings {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw invalid('is not JSON', cause);
  }
  const { data, problem } = checkShape(fileSchema, json);
  if (problem !== undefined) {
    throw invalid(`${problem.path === '' ? '' : `cannot be used: ${problem.path} `}${problem.words}`);
  }
  if (data.recipientAddr !== undefined && canonicalAddress(data.recipientAddr) === undefined) {
    throw invalid('has a recipientAddr that is not an address');
  }
  const { webhookUrl, ...rest } = data;
  return { ...rest, ...(webhookUrl === undefined ? {} : { webhookUrl: parseEndpoint(webhookUrl) }) };
}

/** The settings that a file may contain. */
export type PaymentSettingName = keyof z.output<typeof fileSchema>;

const settingNames = Object.keys(fileSchema.shape) as PaymentSettingName[];

interface PaymentSettingsFileOptions {
  /** Told when a later version cannot be used; the last good one stays. */
  onInvalid: (error: unknown) => void;
  /** Told what a later version has changed. */
  onChanged: (names: readonly PaymentSettingName[]) => void;
}

/** Settings in a file, read again whenever it has changed, as in a dashboard that is open beside the shop. */
export class PaymentSettingsFile {
  readonly #file: string;
  readonly #options: PaymentSettingsFileOptions;
  #stamp: string;
  #settings: PaymentSettings;

  /**
   * @throws WorkbenchError `payment-settings-invalid`, `over-limit` (input), and the file system's errors
   */
  constructor(file: string, options: PaymentSettingsFileOptions) {
    this.#file = file;
    this.#options = options;
    this.#stamp = this.#stampNow();
    this.#settings = this.#read();
  }

  current(): PaymentSettings {
    const stamp = this.#stampNow();
    if (stamp !== this.#stamp) {
      this.#stamp = stamp;
      const before = this.#settings;
      try {
        this.#settings = this.#read();
      } catch (error) {
        this.#options.onInvalid(error);
        return before;
      }
      const changed = settingNames.filter(
        (name) => String(before[name] ?? '') !== String(this.#settings[name] ?? ''),
      );
      if (changed.length > 0) {
        this.#options.onChanged(changed);
      }
    }
    return this.#settings;
  }

  #stampNow(): string {
    const found = statSync(this.#file, { throwIfNoEntry: false });
    return found === undefined ? '' : `${found.mtimeMs} ${found.size} ${found.ino}`;
  }

  #read(): PaymentSettings {
    return parsePaymentSettings(readUserText(this.#file, 'paymentRequest'));
  }
}

function invalid(problem: string, cause?: unknown): WorkbenchError {
  return new WorkbenchError({
    code: 'payment-settings-invalid',
    kind: 'input',
    message: `The settings file ${problem}.`,
    hint: 'It is a JSON object with webhookUrl, webhookSecret, apiKey and recipientAddr; all are optional.',
    cause,
  });
}

/** The settings as data that can cross threads. */
export interface PlainPaymentSettings extends Omit<PaymentSettings, 'webhookUrl'> {
  webhookUrl?: string | undefined;
}

/** What the worker is started with. */
export interface PaymentsWorkerStart {
  /** The local network that settles the payments. */
  network: Network;
  port: number;
  journalDirectory: string;
  settings: PlainPaymentSettings;
  /** The client name in requests to the network. */
  client?: string | undefined;
  /** Factor for the waits between attempts, and for late webhooks: 1 is real time. */
  timeScale?: number | undefined;
  /** A thread of this process has left the journal locked. */
  afterCrash: boolean;
}

/** What the starting thread asks of the worker. */
export interface PaymentsControl {
  /** @param request the body of create-transfer */
  create(request: string): Promise<MockPayment>;
  pay(reference: string, options: PayOptions): Promise<MockPayment>;
  find(reference: string): MockPayment | undefined;
  setSettings(settings: PlainPaymentSettings): void;
  close(): Promise<void>;
}

/** What the worker tells once it is up. */
export interface PaymentsStarted {
  url: string;
  /** Problems of the journal found when opening, as text. */
  problems: readonly string[];
  /** Number of payments. */
  size: number;
  /** The newest of them, oldest first. */
  newest: readonly MockPayment[];
}

/** The worker's own messages. */
export interface PaymentMessageChanged extends PaymentChange {
  type: 'changed';
}
