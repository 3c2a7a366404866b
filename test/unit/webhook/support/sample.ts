import { signBody } from '../../../../src/toolkit/webhook/delivery/signature';
import type { TransferData, TransferPayload } from '../../../../src/toolkit/webhook/payload/payload';

export const secret = 'whsec_test_0001';

export const sender = 'UQBRUVFRUVFRUVFRUVFRUVFRUVFRUVFRUVFRUVFRUVFRURQW';
export const recipient = 'UQCnp6enp6enp6enp6enp6enp6enp6enp6enp6enp6enp4fl';

/** The documented payload of a successful transfer, with some fields of one's own. */
export function payload(data: Partial<TransferData> = {}): TransferPayload {
  return {
    event: 'transfer.completed',
    timestamp: '2026-01-15T14:30:00.000Z',
    data: {
      amount: '10.5',
      rawAmount: '10500000000',
      senderAddr: sender,
      recipientAddr: recipient,
      asset: 'TON',
      assetTicker: 'TON',
      status: 'success',
      reference: 'ref-1',
      bodyBase64Hash: 'rKKa7o/3KUq4CrHXWnD80XiKBPhVZTavv3WR40tYISc=',
      txHash: 'f5079a2225e581ff140fd6e8963c5ba1cd795ea7da2761165cb7c7f786a9a847',
      traceId: 'f5079a2225e581ff140fd6e8963c5ba1cd795ea7da2761165cb7c7f786a9a847',
      commentToSender: 'Thanks for the purchase',
      commentToRecipient: 'Payment for order #1234',
      date: '2026-01-15T14:30:00.000Z',
      ...data,
    },
  };
}

export const bytes = (value: unknown): Buffer =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value), 'utf8');

/** The header of a good signature. */
export const signed = (body: Buffer, key = secret): [string, string] => [
  'X-Pay-Signature',
  signBody(body, key),
];
