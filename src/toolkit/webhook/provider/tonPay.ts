import { parsePayload } from '../payload/payload';
import type { WebhookProvider } from './provider';
import { judgeTransfer } from './judgeTransfer';
import { signBody, verifySignature } from '../delivery/signature';

/**
 * The payment service. Its documentation says X-Pay-Signature, its SDK reads X-TonPay-Signature: both are accepted,
 * the documented one is sent.
 */
export const tonPay: WebhookProvider = {
  name: 'ton-pay',
  title: 'TON Pay',
  signatureHeaders: ['X-Pay-Signature', 'X-TonPay-Signature'],
  documentedHeaders: ['X-Pay-Signature'],
  delivery: {
    timeoutMs: 10_000,
    retryDelaysMs: [1_000, 5_000, 15_000],
    isDelivered: (status) => status >= 200 && status <= 299,
  },
  verify: verifySignature,
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
  sign: (body, secret, signatureHeaders) => {
    const value = signBody(body, secret);
    return signatureHeaders.map((name) => [name, value] as const);
  },
};
