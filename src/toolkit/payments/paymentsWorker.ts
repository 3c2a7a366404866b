import { parentPort, workerData } from 'node:worker_threads';
import { createAccess } from '../access/createAccess';
import { limits } from '../base/limits';
import { Redactor, createLog } from '../base/log';
import type { RemoteCall } from '../base/serviceThread';
import { serveCall, toPlainError } from '../base/serviceThread';
import type {
  FromPaymentsWorker,
  PaymentSettings,
  PaymentsControl,
  PaymentsWorkerStart,
  PlainPaymentSettings,
} from './paymentSettings';
import type { Payments } from './startPayments';
import { startPayments } from './startPayments';

const port = parentPort;
if (port === null) {
  throw new Error("This file is the payment API's worker and cannot be run by itself.");
}
const post = (message: FromPaymentsWorker): void => port.postMessage(message);
const { network, client, settings: given, ...start } = workerData as PaymentsWorkerStart;
const redactor = new Redactor();
const log = createLog((level, line) => post({ type: 'log', level, line }), redactor);
let settings = readSettings(given);

void begin();

async function begin(): Promise<void> {
  try {
    const access = createAccess({ network, client, log });
    const payments = await startPayments({ ...start, access, log, settings: () => settings });
    const control = controlOf(payments);
    payments.onChange((change) => post({ type: 'changed', ...change }));
    port?.on('message', (call: RemoteCall) => void serveCall<PaymentsControl>(control, call).then(post));
    const { url, problems, size } = payments;
    const newest = [...payments.all()].slice(-limits.paymentRows.most);
    post({ type: 'started', url, problems, size, newest });
  } catch (error) {
    post({ type: 'failed', error: toPlainError(error) });
  }
}

function controlOf(payments: Payments): PaymentsControl {
  return {
    create: (request) => payments.create(request),
    pay: (reference, options) => payments.pay(reference, options),
    find: (reference) => payments.payment(reference),
    setSettings: (changed) => {
      settings = readSettings(changed);
    },
    close: () => payments.close(),
  };
}

function readSettings({ webhookUrl, ...rest }: PlainPaymentSettings): PaymentSettings {
  [rest.apiKey, rest.webhookSecret].forEach((secret) => secret !== undefined && redactor.add(secret));
  return { ...rest, ...(webhookUrl === undefined ? {} : { webhookUrl: new URL(webhookUrl) }) };
}
