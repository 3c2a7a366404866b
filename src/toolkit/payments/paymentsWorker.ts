import { workerData } from 'node:worker_threads';
import { createAccess } from '../access/createAccess';
import { limits } from '../base/limits';
import { Redactor } from '../base/log';
import { serveCall } from '../base/serviceThread';
import { runService } from '../base/workerService';
import type {
  PaymentMessageChanged,
  PaymentSettings,
  PaymentsControl,
  PaymentsStarted,
  PaymentsWorkerStart,
  PlainPaymentSettings,
} from './paymentSettings';
import type { Payments } from './startPayments';
import { startPayments } from './startPayments';

const { network, client, settings: given, ...start } = workerData as PaymentsWorkerStart;
const redactor = new Redactor();
let settings = readSettings(given);

void runService<PaymentsStarted, PaymentMessageChanged>(redactor, async ({ log, post }) => {
  const access = createAccess({ network, client, log });
  const payments = await startPayments({ ...start, access, log, settings: () => settings });
  const control = controlOf(payments);
  payments.onChange((change) => post({ type: 'changed', ...change }));
  const { url, problems, size } = payments;
  const newest = [...payments.all()].slice(-limits.paymentRows.most);
  return {
    started: { url, problems, size, newest },
    receive: (call) => serveCall<PaymentsControl>(control, call).then(post),
  };
});

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
