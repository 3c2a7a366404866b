import { textSecret } from '../delivery/secretForm';
import { signBody, verifySignature } from '../delivery/signature';
import { parsePayload } from '../payload/payload';
import { hmacSign, hmacSignature } from '../receiver/hmacCode';
import { transferReceiver } from '../receiver/transferReceiver';
import { isHttpSuccess } from '../values/isHttpSuccess';
import { judgeTransfer } from './judgeTransfer';
import type { WebhookProvider } from './webhookProvider';

/** The bodies of the payment service, which providers without a format of their own use for tests, too. */
export const transferBodies: Pick<
  WebhookProvider,
  'encode' | 'parse' | 'judge' | 'summarize' | 'referencePath'
> = {
  referencePath: ['data', 'reference'],
  encode: (payload) => Buffer.from(JSON.stringify(payload), 'utf8'),
  parse: parsePayload,
  judge: (payload, orders, coin) => judgeTransfer(payload.data, orders, coin),
  summarize: ({ data }) => ({
    amount: data.amount,
    rawAmount: data.rawAmount,
    asset: data.asset,
    ticker: data.assetTicker ?? null,
    sender: data.senderAddr,
    recipient: data.recipientAddr,
    txHash: data.txHash,
    traceId: data.traceId,
    bodyBase64Hash: data.bodyBase64Hash,
    date: data.date,
    comment: data.commentToRecipient ?? null,
    errorCode: data.errorCode ?? null,
    errorMessage: data.errorMessage ?? null,
  }),
};

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
