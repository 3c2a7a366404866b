import type { Network } from '../access/network';
import type { ServiceMessage } from '../threads/serviceThread';
import type { MockPayment, PaymentChange } from './mockPayment';
import type { PaymentSettings } from './paymentSettings';
import type { PayOptions } from './payPayment';

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

/** From the worker. */
export type FromPaymentsWorker = ServiceMessage<PaymentsStarted> | PaymentMessageChanged;
