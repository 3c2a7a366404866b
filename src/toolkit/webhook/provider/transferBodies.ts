import { parsePayload } from '../payload/payload';
import { judgeTransfer } from './judgeTransfer';
import type { WebhookProvider } from './provider';

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
