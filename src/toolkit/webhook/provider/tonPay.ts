import { hmacSign, hmacSignature } from '../receiver/hmacCode';
import { transferReceiver } from '../receiver/transferReceiver';
import { transferBodies } from './transferBodies';
import type { WebhookProvider } from './provider';
import { textSecret } from '../delivery/secretForm';
import { signBody, verifySignature } from '../delivery/signature';
import { isHttpSuccess } from '../values/isHttpSuccess';

const format = {
  headers: ['X-Pay-Signature', 'X-TonPay-Signature'],
  ...{ prefix: 'sha256=', algorithm: 'sha256', encoding: 'hex' },
};

/**
 * The payment service. Its documentation says X-Pay-Signature, its SDK reads X-TonPay-Signature: both are accepted,
 * the documented one is sent.
 */
export const tonPay: WebhookProvider = {
  name: 'ton-pay',
  title: 'TON Pay',
  signatureHeaders: format.headers,
  documentedHeaders: ['X-Pay-Signature'],
  delivery: {
    timeoutMs: 10_000,
    retryDelaysMs: [1_000, 5_000, 15_000],
    isDelivered: isHttpSuccess,
  },
  carries: ['credential', 'signed-body', 'reference', 'amount', 'asset', 'status', 'event'],
  accepts: '2xx',
  whenRefused: 'The service would retry after 1, 5, and 15 s in vain, and show the delivery as failed.',
  isSecretOptional: false,
  secretForm: { ...textSecret, source: "the payment service's dashboard (Developer, Webhooks)" },
  mayUseApiKey: true,
  verify: verifySignature,
  ...transferBodies,
  sign: (body, secret, signatureHeaders) => {
    const value = signBody(body, secret);
    return signatureHeaders.map((name) => [name, value] as const);
  },
  receiver: () =>
    transferReceiver({
      service: 'the payment service',
      signature: hmacSignature(format),
      sign: hmacSign(format),
      secretIs: "the payment service's webhook secret",
    }),
};
