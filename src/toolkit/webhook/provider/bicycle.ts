import { canonicalAddress, canonicalHash } from '../../address/canonicalAddress';
import { bearerToken } from '../delivery/secretForm';
import { bearerHeaders, verifyBearer } from '../delivery/signature';
import type { OrderLookup } from '../orders/orderBook';
import { readJsonObject } from '../payload/claimedReference';
import type { ParsedPayload, TransferPayload } from '../payload/payload';
import { completedEvent } from '../payload/payload';
import { bearerSign, bearerSignature, bearerTest } from '../receiver/bearerCode';
import { commonCode } from '../receiver/transferReceiver';
import { fromBaseUnits, integerPattern } from '../values/amount';
import { knownDecimals, nativeAsset } from '../values/asset';
import type { WebhookProvider } from './webhookProvider';
import { transferBodies } from './tonPay';

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
  referencePath: ['user_id'],
  fieldNames: {
    ...{ user_id: 'reference', deposit_address: 'recipientAddr', source_address: 'senderAddr' },
    ...{ tx_hash: 'txHash', comment: 'commentToRecipient' },
  },
  accepts: '200',
  whenRefused:
    'The service counts anything but 200 as a failure: after three attempts it stops, for all deposits.',
  isSecretOptional: true,
  secretForm: bearerToken,
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
  judge: (payload, orders, coin) =>
    transferBodies.judge(
      inAssetOfOrder(payload, orders, coin),
      {
        hasOrders: orders.hasOrders,
        order: (reference) => orders.order(reference),
        // A user pays many times: what was processed is a transaction, not the user.
        state: () => orders.state(payload.data.txHash),
      },
      coin,
    ),
  summarize: (payload, orders, coin) => transferBodies.summarize(inAssetOfOrder(payload, orders, coin)),
  stateKey: ({ data }) => data.txHash,
  sign: (_body, token) => bearerHeaders(token),
  receiver: () => ({
    service: 'Bicycle',
    parts: {
      signature: { code: bearerSignature, call: calls.signature },
      event: { code: receiverEvent, call: calls.event },
      order: { code: receiverOrder, call: calls.order },
      once: { code: commonCode.storeOnce, call: calls.once },
    },
    receive,
    example: 'user_id=user-1',
    options: receiverOptions,
    variables: ['WEBHOOK_SECRET'],
    test: [bearerSign, commonCode.testFolder, receiverTests, bearerTest].join('\n'),
  }),
};

/** The asset is the order's, without one the native coin; the amount is in its units. */
function inAssetOfOrder(payload: TransferPayload, orders?: OrderLookup, coin?: string): TransferPayload {
  const { data } = payload;
  const order = orders?.order(data.reference);
  const asset = order?.asset ?? data.asset;
  const decimals = order?.decimals ?? knownDecimals(asset, coin);
  const amount = decimals === undefined ? data.amount : fromBaseUnits(BigInt(data.rawAmount), decimals);
  return { ...payload, data: { ...data, asset, amount } };
}

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

const receiverEvent = `/** The deposit in a delivery; undefined for anything else, which is answered with 400. */
function depositIn(body) {
  try {
    const { user_id: user, deposit_address: address, tx_hash: hash, amount } = JSON.parse(body.toString('utf8'));
    const isWhole = [user, address, hash, amount].every((one) => typeof one === 'string');
    // An integer of base units, as text: numbers of JSON are not exact.
    return isWhole && /^\\d+$/.test(amount) ? { user, address, hash: hash.toLowerCase(), amount } : undefined;
  } catch {
    return undefined;
  }
}
`;

const receiverOrder = `${commonCode.accountOf}
/** Why a deposit is not credited; undefined if it is. All of these are logged and answered with 200. */
function objection({ address }, user) {
  if (user === undefined) {
    return 'no such user';
  }
  // The delivery does not tell the asset: a deposit address is of one asset only.
  return user.deposit && accountOf(user.deposit) !== accountOf(address) ? 'not the deposit address of this user' : undefined;
}
`;

const calls = {
  signature: commonCode.refuseForged,
  event: `  const deposit = depositIn(body);
  if (deposit === undefined) {
    return 400;
  }
`,
  order: `  const user = users.get(deposit.user);
  const why = objection(deposit, user);
  if (why !== undefined) {
    console.log('not credited:', JSON.stringify(deposit.user), why);
    return 200;
  }
`,
  once: `  // A user pays many times: what happens once is a transaction of a deposit address.
  if (await storeOnce(folder, accountOf(deposit.address) + ' ' + deposit.hash, { ...deposit, asset: user.asset })) {
    console.log('credited:', JSON.stringify(deposit.user), deposit.amount, user.asset);
  }
`,
};

const receive = `/** The status to answer a delivery with: exactly 200, because Bicycle counts 201 and 204 as failures, too. */
async function receive(body, headers, { secret, users, folder }) {
${calls.signature}${calls.event}${calls.order}${calls.once}  return 200;
}
`;

const receiverOptions = `/** Your users, by user_id, with their deposit address and its asset: take them from your database. */
const users = new Map([['user-1', { asset: 'TON' }]]);

/** What the receiver needs; without a token it does not start. */
function readOptions() {
  const secret = process.env.WEBHOOK_SECRET;
  if (!secret) {
    throw new Error('Set WEBHOOK_SECRET to the token that Bicycle has as WEBHOOK_TOKEN.');
  }
  // The credited deposits are kept in this folder.
  return { secret, users, folder: 'credited-deposits' };
}
`;

const receiverTests = `const wallet = 'UQAREREREREREREREREREREREREREREREREREREREREREbvW';
const users = new Map([['user-1', { asset: 'TON', deposit: wallet }]]);
const options = () => ({ secret, users, folder });

/** The body that tells of a deposit of user-1. */
function delivery(changes) {
  const deposit = {
    deposit_address: '0:' + '11'.repeat(32),
    time: 1700000000,
    amount: '10500000000',
    tx_hash: '2a'.repeat(32),
    user_id: 'user-1',
    ...changes,
  };
  return JSON.stringify(deposit);
}

test('a deposit is credited once, however often it is delivered, and the next one, too', async () => {
  const together = await Promise.all([post(delivery()), post(delivery())]);
  assert.deepEqual([...together, await post(delivery({ tx_hash: '2A'.repeat(32) }))], [200, 200, 200]);
  assert.equal(await countPaid(), 1);
  assert.equal(await post(delivery({ tx_hash: '33'.repeat(32) })), 200);
  assert.equal(await countPaid(), 2);
});

test('what credits nothing is answered with exactly 200', async () => {
  for (const changes of [{ user_id: 'unknown' }, { deposit_address: '0:' + '12'.repeat(32) }]) {
    assert.equal(await post(delivery(changes)), 200, JSON.stringify(changes));
  }
  assert.equal(await countPaid(), 0);
});

test('anything but a deposit is answered with 400', async () => {
  assert.equal(await post('not JSON'), 400);
  for (const changes of [{ amount: 10500000000 }, { amount: '10.5' }, { tx_hash: undefined }, { user_id: 7 }]) {
    assert.equal(await post(delivery(changes)), 400, JSON.stringify(changes));
  }
  assert.equal(await countPaid(), 0);
});
`;
