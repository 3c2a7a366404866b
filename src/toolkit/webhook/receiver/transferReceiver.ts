import type { ReceiverCode } from './receiverSource';

/** Functions that the receivers of several services have, and calls of them. */
export const commonCode = {
  refuseForged: `  if (!isGenuine(body, headers, secret)) {
    return 401;
  }
`,
  accountOf: `/** An address in one spelling: raw and friendly ones name the same account. */
function accountOf(address) {
  const raw = /^(-?\\d+):([0-9a-f]{64})$/i.exec(address);
  const friendly = Buffer.from(String(address), 'base64url');
  if (raw) {
    return raw[1] + ':' + Buffer.from(raw[2], 'hex').toString('hex');
  }
  return friendly.length === 36 ? friendly.readInt8(1) + ':' + friendly.toString('hex', 2, 34) : address;
}
`,
  storeOnce: `/** Stores what was done under its key; false if it was done before. It is on disk before the delivery is answered. */
async function storeOnce(folder, key, record) {
  const name = createHash('sha256').update(key).digest('hex');
  await mkdir(folder, { recursive: true });
  // Written aside, then linked: a name can be made only once, also by two deliveries at the same time.
  const draft = join(folder, name + '.' + randomUUID());
  const file = await open(draft, 'wx');
  try {
    await file.writeFile(JSON.stringify(record));
    await file.sync();
  } finally {
    await file.close();
  }
  try {
    await link(draft, join(folder, name + '.json'));
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') {
      return false;
    }
    throw error;
  } finally {
    await unlink(draft);
  }
}
`,
  /** Of a test: a folder for what is paid. */
  testFolder: `let folder;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'paid-orders-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function countPaid() {
  return (await readdir(folder)).length;
}
`,
} as const;

const event = `/** The transfer in a delivery; undefined for anything else, which is answered with 400. */
function transferIn(body) {
  try {
    const { event, data } = JSON.parse(body.toString('utf8'));
    return event === 'transfer.completed' && typeof data?.reference === 'string' ? data : undefined;
  } catch {
    return undefined;
  }
}
`;

const order = `${commonCode.accountOf}
/** Why a transfer does not pay an order; undefined if it does. All of these are logged and answered with 200. */
function objection(data, order) {
  if (order === undefined) {
    return 'no such order';
  }
  // Integers in base units: amounts as floating-point numbers are not exact.
  if (!/^\\d+$/.test(data.rawAmount) || BigInt(data.rawAmount) !== BigInt(order.rawAmount)) {
    return 'wrong amount';
  }
  if (accountOf(data.asset) !== accountOf(order.asset)) {
    return 'wrong asset';
  }
  if (order.recipient && accountOf(data.recipientAddr) !== accountOf(order.recipient)) {
    return 'wrong recipient';
  }
  return data.status === 'success' ? undefined : 'not successful';
}
`;

const chain = `/**
 * Whether the payment is on the chain, as the chain's v3 API tells: a delivery is a notification, not a proof. Coins only: for
 * jettons, look for the transfer into your own jetton wallet here.
 */
async function isOnChain(v3, { txHash }, order) {
  const answer = await fetch(v3 + '/transactions?hash=' + encodeURIComponent(txHash));
  if (!answer.ok) {
    throw new Error('The chain answered ' + answer.status);
  }
  const [transaction] = (await answer.json()).transactions ?? [];
  // The message must be the one that was asked for: bodyBase64Hash from creating the payment.
  return (
    order.asset === 'TON' &&
    transaction?.description.aborted === false &&
    (!order.recipient || accountOf(transaction.account) === accountOf(order.recipient)) &&
    BigInt(transaction.in_msg.value ?? 0) === BigInt(order.rawAmount) &&
    transaction.in_msg.message_content.hash === order.bodyBase64Hash
  );
}
`;

const calls = {
  signature: commonCode.refuseForged,
  event: `  const data = transferIn(body);
  if (data === undefined) {
    return 400;
  }
`,
  order: `  const order = orders.get(data.reference);
  const why = objection(data, order);
  if (why !== undefined) {
    console.log('not paid:', JSON.stringify(data.reference), why);
    return 200;
  }
`,
  chain: `  if (v3 && !(await isOnChain(v3, data, order))) {
    console.log('not on the chain:', JSON.stringify(data.reference));
    // It may be a moment late: this is delivered again.
    return 503;
  }
`,
  once: `  const { reference, txHash, traceId } = data;
  if (await storeOnce(folder, reference, { reference, txHash, traceId })) {
    console.log('paid:', JSON.stringify(reference));
  }
`,
};

const receive = `/** The status to answer a delivery with. */
async function receive(body, headers, { secret, orders, folder, v3 }) {
${calls.signature}${calls.event}${calls.order}${calls.chain}${calls.once}  return 200;
}
`;

/** How a service proves who sends its transfers, as code. */
export interface TransferProof {
  service: string;
  /** `isGenuine(body, headers, secret)`. */
  signature: string;
  /** Of the test: `sign(body, key?)`, with what it needs. */
  sign: string;
  /** What the secret is, after "Set WEBHOOK_SECRET to ". */
  secretIs: string;
  /** What makes a secret unusable, as an expression; default: that it is unset. */
  isUnusable?: string;
  /** A secret for the test, and another one. */
  secrets?: readonly [string, string];
  /** Further tests. */
  moreTests?: string;
}

/** A receiver of bodies with the payment service's fields, however they are signed. */
export function transferReceiver(proof: TransferProof): ReceiverCode {
  const { service, signature, secretIs, isUnusable = '!secret' } = proof;
  return {
    service,
    parts: {
      signature: { code: signature, call: calls.signature },
      event: { code: event, call: calls.event },
      order: { code: order, call: calls.order },
      chain: { code: chain, call: calls.chain },
      once: { code: commonCode.storeOnce, call: calls.once },
    },
    receive,
    example: 'reference=order-1',
    options: `/**
 * Your orders, by reference: take them from your database. Amounts are in base units; add your wallet as recipient, and
 * bodyBase64Hash from creating the payment.
 */
const orders = new Map([['order-1', { rawAmount: '10500000000', asset: 'TON' }]]);

/** What the receiver needs; without a secret it does not start. */
function readOptions() {
  const secret = process.env.WEBHOOK_SECRET;
  if (${isUnusable}) {
    throw new Error("Set WEBHOOK_SECRET to ${secretIs}.");
  }
  // Where payments are looked for, such as http://127.0.0.1:8081/api/v3 of a local network.
  const v3 = process.env.TON_V3?.replace(/\\/$/, '');
  if (!v3) {
    console.log('Payments are not looked for on the chain: set TON_V3 before you rely on them.');
  }
  // The references of paid orders are kept in this folder.
  return { secret, orders, folder: 'paid-orders', v3 };
}
`,
    variables: ['WEBHOOK_SECRET'],
    test: transferReceiverTest(proof),
  };
}

const setUp = `const wallet = 'UQAREREREREREREREREREREREREREREREREREREREREREbvW';
const orders = new Map([
  ['order-1', { rawAmount: '10500000000', asset: 'TON', recipient: wallet, bodyBase64Hash: 'its hash' }],
]);
let v3;
const options = () => ({ secret, orders, folder, v3 });

/** The body that tells of a payment of order-1. */
function payment(changes) {
  const data = {
    reference: 'order-1',
    rawAmount: '10500000000',
    asset: 'TON',
    recipientAddr: '0:' + '11'.repeat(32),
    status: 'success',
    txHash: '22'.repeat(32),
    ...changes,
  };
  return JSON.stringify({ event: 'transfer.completed', data });
}
`;

const tests = `test('a payment marks its order as paid, once, however often it is delivered', async () => {
  const together = await Promise.all([post(payment()), post(payment())]);
  assert.deepEqual([...together, await post(payment())], [200, 200, 200]);
  assert.equal(await countPaid(), 1);
});

test('a delivery that was not signed with the secret is refused', async () => {
  assert.equal(await post(payment(), sign(payment(), anotherSecret)), 401);
  assert.equal(await post(payment({ reference: 'order-2' }), sign(payment())), 401);
  assert.equal(await post(payment(), {}), 401);
  assert.equal(await countPaid(), 0);
});

test('the signature covers the bytes as they came', async () => {
  const spaced = JSON.stringify(JSON.parse(payment()), null, 2);
  assert.equal(await post(spaced, sign(payment())), 401);
  assert.equal(await post(spaced), 200);
  assert.equal(await countPaid(), 1);
});

test('what does not pay an order is answered with 200, and pays nothing', async () => {
  for (const changes of [
    { reference: 'unknown' },
    { rawAmount: '10500000001' },
    { rawAmount: '10.5' },
    { asset: 'GOLD' },
    { recipientAddr: '0:' + '12'.repeat(32) },
    { status: 'failed' },
  ]) {
    assert.equal(await post(payment(changes)), 200, JSON.stringify(changes));
  }
  assert.equal(await countPaid(), 0);
});

test('with TON_V3, only what is on the chain is paid', async () => {
  let transactions = [];
  const chain = createServer((_request, response) => response.end(JSON.stringify({ transactions })));
  await once(chain.listen(0, '127.0.0.1'), 'listening');
  v3 = 'http://127.0.0.1:' + chain.address().port;
  try {
    const there = { value: '10500000000', message_content: { hash: 'its hash' } };
    for (const [account, aborted, in_msg] of [
      ['0:' + '12'.repeat(32), false, there],
      [wallet, true, there],
      [wallet, false, { ...there, value: '10499999999' }],
      [wallet, false, { ...there, message_content: { hash: 'of another payment' } }],
    ]) {
      transactions = [{ account, description: { aborted }, in_msg }];
      assert.equal(await post(payment()), 503);
    }
    transactions = [];
    assert.equal(await post(payment()), 503);
    assert.equal(await countPaid(), 0);
    transactions = [{ account: wallet, description: { aborted: false }, in_msg: there }];
    assert.equal(await post(payment()), 200);
    assert.equal(await countPaid(), 1);
  } finally {
    v3 = undefined;
    chain.close();
  }
});

test('anything but a completed transfer is answered with 400', async () => {
  assert.equal(await post('not JSON'), 400);
  assert.equal(await post('{"event":"transfer.refunded","data":{}}'), 400);
});
`;

/** The test of a receiver of the payment service's bodies: `sign(body, key?)`, secrets, and further tests are given. */
function transferReceiverTest({
  sign,
  secrets = ['a secret for tests', 'another secret'],
  moreTests,
}: {
  sign: string;
  secrets?: readonly [string, string];
  moreTests?: string;
}): string {
  const [secret, another] = secrets;
  return [
    `const secret = '${secret}';\nconst anotherSecret = '${another}';\n`,
    commonCode.testFolder,
    setUp,
    sign,
    tests,
    ...(moreTests === undefined ? [] : [moreTests]),
  ].join('\n');
}
