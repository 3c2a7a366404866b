import type { TransferData } from '../webhook/payload/payload';
import type { MockPayment } from './mockPayment';

/** The transfer as the service tells it: in a webhook, and by reference or body hash. */
export function transferData(payment: MockPayment): TransferData {
  const { assetTicker, commentToSender, commentToRecipient, errorCode, errorMessage } = payment;
  const failed = payment.status === 'failed';
  return {
    amount: payment.amount,
    rawAmount: payment.rawAmount,
    senderAddr: payment.senderAddr,
    recipientAddr: payment.recipientAddr,
    asset: payment.asset,
    ...(assetTicker === undefined ? {} : { assetTicker }),
    status: payment.status,
    reference: payment.reference,
    bodyBase64Hash: payment.bodyBase64Hash,
    txHash: payment.txHash,
    traceId: payment.traceId,
    ...(commentToSender === undefined ? {} : { commentToSender }),
    ...(commentToRecipient === undefined ? {} : { commentToRecipient }),
    date: payment.date,
    // A payment that failed first and succeeded later keeps no trace of the failure here.
    ...(failed && errorCode !== undefined ? { errorCode } : {}),
    ...(failed && errorMessage !== undefined ? { errorMessage } : {}),
  };
}
