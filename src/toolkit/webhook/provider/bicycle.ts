import { canonicalAddress } from '../../address/canonicalAddress';
import { canonicalHash } from '../../address/canonicalHash';
import { bearerHeaders, verifyBearer } from '../delivery/bearerToken';
import { completedEvent } from '../payload/payload';
import type { ParsedPayload, TransferPayload } from '../payload/payload';
import { readJsonObject } from '../payload/readJsonObject';
import { fromBaseUnits, integerPattern } from '../values/amount';
import { knownDecimals, nativeAsset } from '../values/asset';
import type { WebhookProvider } from './provider';
import { transferBodies } from './transferBodies';

/**
 * Bicycle, the self-hosted payment service: a deposit address got an amount. Exactly 200 means delivered. It may send a
 * bearer token; there is no event id, so that a delivery is told by its transaction. The asset is not told: an order,
 * found by user_id, has it.
 */
export const bicycle: WebhookProvider = {
  name: 'bicycle',
  title: 'Bicycle',
  signatureHeaders: ['Authorization'],
  documentedHeaders: ['Authorization'],
  delivery: { timeoutMs: 10_000, retryDelaysMs: [0, 0], isDelivered: (status) => status === 200 },
  carries: ['credential', 'reference'],
  accepts: '200',
  whenRefused:
    'The service counts anything but 200 as a failure: after three attempts it stops, for all deposits.',
  isSecretOptional: true,
  verify: (headers, _body, secrets) =>
    secrets.length === 0
      ? { ok: true, secret: 'none: every delivery is accepted', header: 'none' }
      : verifyBearer(headers, secrets),
  encode: ({ data }) =>
    Buffer.from(
      JSON.stringify({
        deposit_address: data.recipientAddr,
        time: Math.floor(Date.parse(data.date) / 1000),
        amount: data.rawAmount,
        source_address: data.senderAddr,
        ...(data.commentToRecipient === undefined ? {} : { comment: data.commentToRecipient }),
        tx_hash: data.txHash,
        user_id: data.reference,
      }),
      'utf8',
    ),
  parse: parseDeposit,
  judge: (payload, orders, coin) => {
    const { data } = payload;
    const order = orders.order(data.reference);
    const asset = order?.asset ?? data.asset;
    const decimals = order?.decimals ?? knownDecimals(asset, coin);
    const amount = decimals === undefined ? data.amount : fromBaseUnits(BigInt(data.rawAmount), decimals);
    return transferBodies.judge(
      { ...payload, data: { ...data, asset, amount } },
      {
        hasOrders: orders.hasOrders,
        order: (reference) => orders.order(reference),
        // A user pays many times: what was processed is a transaction, not the user.
        state: () => orders.state(data.txHash),
      },
      coin,
    );
  },
  summarize: transferBodies.summarize,
  stateKey: ({ data }) => data.txHash,
  sign: (_body, token) => bearerHeaders(token),
};

function parseDeposit(body: Buffer): ParsedPayload {
  const read = readJsonObject(body);
  if ('reason' in read) {
    return { kind: 'malformed', reason: read.reason, path: null, event: null };
  }
  const {
    deposit_address: deposit,
    time,
    amount,
    source_address: source,
    comment,
    tx_hash: hash,
  } = read.object;
  const { user_id: user } = read.object;
  const malformed = (path: string, rule: string): ParsedPayload => ({
    kind: 'malformed',
    reason: `${path} ${rule}`,
    path,
    event: null,
  });
  if (typeof deposit !== 'string' || canonicalAddress(deposit) === undefined) {
    return malformed('deposit_address', 'must be an address');
  }
  if (typeof time !== 'number' || !Number.isSafeInteger(time) || time < 0 || time > 8e12) {
    return malformed('time', 'must be a time in Unix seconds');
  }
  if (typeof amount !== 'string' || !integerPattern.test(amount)) {
    return malformed('amount', 'must be an integer of base units in a string');
  }
  if (typeof hash !== 'string' || canonicalHash(hash) === undefined) {
    return malformed('tx_hash', 'must be the hash of a transaction');
  }
  if (typeof user !== 'string') {
    return malformed('user_id', 'must be a string');
  }
  const date = new Date(time * 1000).toISOString();
  const payload: TransferPayload = {
    event: completedEvent,
    timestamp: date,
    data: {
      // Base units: how many decimals the asset has is not told.
      ...{ amount, rawAmount: amount, asset: nativeAsset, status: 'success', reference: user, date },
      senderAddr: typeof source === 'string' ? source : '',
      recipientAddr: deposit,
      bodyBase64Hash: '',
      txHash: canonicalHash(hash) ?? hash,
      traceId: '',
      ...(typeof comment === 'string' ? { commentToRecipient: comment } : {}),
    },
  };
  return { kind: 'transfer', payload, unknownFields: [], warnings: [] };
}
