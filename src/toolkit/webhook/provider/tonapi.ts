import { canonicalAddress, canonicalHash } from '../../address/canonicalAddress';
import { bearerToken } from '../delivery/secretForm';
import { bearerHeaders, verifyBearer } from '../delivery/signature';
import { readJsonObject } from '../payload/claimedReference';
import { bearerSign, bearerSignature, bearerTest } from '../receiver/bearerCode';
import { commonCode } from '../receiver/transferReceiver';
import { isHttpSuccess } from '../values/isHttpSuccess';
import type { WebhookProvider } from './webhookProvider';
import { transferBodies } from './tonPay';

const event = 'account_tx';
const otherEvents: readonly string[] = ['opcode_msg', 'new_contracts', 'mempool_msg'];

/**
 * Webhooks of TONAPI: they tell that an account has a new transaction, and nothing about it. The receiver must read the
 * chain. Authenticity is a bearer token of the webhook; older deliveries have no event_type.
 */
export const tonapi: WebhookProvider = {
  name: 'tonapi',
  title: 'TONAPI',
  signatureHeaders: ['Authorization'],
  documentedHeaders: ['Authorization'],
  delivery: {
    timeoutMs: 10_000,
    // The service retries, and says neither when nor how often: these waits are ours, those of our other services.
    retryDelaysMs: [1_000, 5_000, 15_000],
    isDelivered: isHttpSuccess,
  },
  carries: ['credential', 'account'],
  fieldNames: { account_id: 'recipientAddr', tx_hash: 'txHash' },
  accepts: '2xx',
  whenRefused:
    'The service would count failed attempts, and send again from the first transaction that it could not deliver.',
  isSecretOptional: false,
  secretForm: bearerToken,
  verify: (headers, _body, secrets) => verifyBearer(headers, secrets),
  encode: ({ data }, lt = 1_000_000n) =>
    Buffer.from(
      JSON.stringify({
        event_type: event,
        account_id: canonicalAddress(data.recipientAddr) ?? data.recipientAddr,
        // A number there, and far from where those are not exact.
        lt: Number(lt),
        tx_hash: data.txHash,
      }),
      'utf8',
    ),
  parse: (body) => {
    const read = readJsonObject(body);
    if ('reason' in read) {
      return { kind: 'malformed', reason: read.reason, path: null, event: null };
    }
    const { event_type: type = event, account_id: account, tx_hash: hash, lt } = read.object;
    if (type !== event) {
      const known = typeof type === 'string' && otherEvents.includes(type);
      const text = typeof type === 'string' ? type.slice(0, 100) : 'unknown';
      return known
        ? { kind: 'notification', event: text, id: null, warnings: ['This event names no transaction.'] }
        : { kind: 'other-event', event: text, reason: 'the event_type is not one of the service' };
    }
    const malformed = (path: string, rule: string): ReturnType<WebhookProvider['parse']> => ({
      kind: 'malformed',
      reason: `${path} ${rule}`,
      path,
      event,
    });
    if (typeof account !== 'string' || canonicalAddress(account) === undefined) {
      return malformed('account_id', 'must be an address');
    }
    if (typeof hash !== 'string' || canonicalHash(hash) === undefined) {
      return malformed('tx_hash', 'must be the hash of a transaction');
    }
    const isNumber = typeof lt === 'number' || (typeof lt === 'string' && /^\d{1,20}$/.test(lt));
    if (!isNumber) {
      return malformed('lt', 'must be a logical time');
    }
    return {
      kind: 'notification',
      event,
      // The same for every attempt: deliveries have no id of their own.
      id: canonicalHash(hash) ?? hash,
      warnings: [
        'The delivery has no amount: read the transaction on the chain before you mark anything paid.',
      ],
    };
  },
  judge: transferBodies.judge,
  summarize: transferBodies.summarize,
  sign: (_body, token) => bearerHeaders(token),
  receiver: () => ({
    service: 'TONAPI',
    parts: {
      signature: { code: bearerSignature, call: calls.signature },
      event: { code: receiverEvent, call: calls.event },
      order: { code: receiverOrder, call: calls.look },
      chain: { code: receiverChain, call: calls.look },
      once: { code: commonCode.storeOnce, call: calls.look },
    },
    receive,
    options: receiverOptions,
    variables: ['WEBHOOK_SECRET', 'TON_V3', 'WALLET'],
    test: [bearerSign, commonCode.testFolder, receiverTests, bearerTest].join('\n'),
  }),
};

const receiverEvent = `/** The transaction that a delivery tells of; undefined for anything else, which is answered with 400. */
function notificationIn(body) {
  try {
    const { event_type: event = 'account_tx', account_id: account, tx_hash: hash } = JSON.parse(body.toString('utf8'));
    return event === 'account_tx' && typeof account === 'string' && /^[0-9a-f]{64}$/i.test(hash)
      ? { account, hash: hash.toLowerCase() }
      : undefined;
  } catch {
    return undefined;
  }
}
`;

const receiverOrder = `${commonCode.accountOf}
/** The reference of the order that a transaction pays: coins that stayed, with it as the comment; undefined for none. */
function orderPaidBy({ description, in_msg: message }, orders) {
  const hasStayed = message?.source && !message.bounced && !(description.aborted && message.bounce);
  const reference = message?.message_content?.decoded?.comment;
  const order = orders.get(reference);
  // Integers in base units: amounts as floating-point numbers are not exact.
  return hasStayed && order && BigInt(message.value) === BigInt(order.rawAmount) ? reference : undefined;
}
`;

const receiverChain = `/**
 * The newest transactions of an account, as the chain's v3 API tells. Coins only: for jettons, read /jetton/transfers
 * and compare the jetton master, too.
 */
async function lastTransactions(v3, account) {
  const answer = await fetch(v3 + '/transactions?limit=100&sort=desc&account=' + encodeURIComponent(account));
  if (!answer.ok) {
    throw new Error('The chain answered ' + answer.status);
  }
  return (await answer.json()).transactions ?? [];
}
`;

const calls = {
  signature: commonCode.refuseForged,
  event: `  const notification = notificationIn(body);
  if (notification === undefined) {
    return 400;
  }
`,
  look: `  if (accountOf(notification.account) !== accountOf(account)) {
    console.log('another account:', JSON.stringify(notification.account));
    return 200;
  }
  // The chain's API may know the transaction a moment later than the notification.
  for (let attempt = 1; attempt <= 10; attempt++) {
    const transactions = await lastTransactions(v3, account);
    // All of them: this finds what was paid while no notification came, too.
    for (const transaction of transactions) {
      const reference = orderPaidBy(transaction, orders);
      if (reference !== undefined && (await storeOnce(folder, reference, { reference, txHash: transaction.hash }))) {
        console.log('paid:', JSON.stringify(reference));
      }
    }
    if (transactions.some(({ hash }) => Buffer.from(hash, 'base64').toString('hex') === notification.hash)) {
      return 200;
    }
    await setTimeout(waitMs);
  }
  console.log('not on the chain:', notification.hash);
  return 503;
`,
};

const receive = `/** The status to answer a delivery with. */
async function receive(body, headers, { secret, orders, account, v3, folder, waitMs = 500 }) {
${calls.signature}${calls.event}${calls.look}}
`;

const receiverOptions = `/** Your orders, by reference, which is the comment of their payment: take them from your database. Amounts are in base units. */
const orders = new Map([['order-1', { rawAmount: '10500000000' }]]);

/** What the receiver needs: a notification has no amount, so it does not start without the chain. */
function readOptions() {
  const { WEBHOOK_SECRET: secret, TON_V3: v3, WALLET: account } = process.env;
  if (!secret || !v3 || !account) {
    throw new Error(
      "Set WEBHOOK_SECRET to the webhook's token, WALLET to the address that is paid, and TON_V3 to a v3 API, such as http://127.0.0.1:8081/api/v3 of a local network.",
    );
  }
  // The references of paid orders are kept in this folder.
  return { secret, orders, account, v3: v3.replace(/\\/$/, ''), folder: 'paid-orders' };
}
`;

const receiverTests = `const account = 'UQAREREREREREREREREREREREREREREREREREREREREREbvW';
const orders = new Map([['order-1', { rawAmount: '10500000000' }]]);
const hash = '2a'.repeat(32);
let v3;
let transactions;
/** How many times the chain does not have them yet. */
let missing;
let chain;
const options = () => ({ secret, orders, account, v3, folder, waitMs: 1 });

beforeEach(async () => {
  transactions = [];
  missing = 0;
  chain = createServer((_request, response) => {
    missing -= 1;
    response.end(JSON.stringify({ transactions: missing >= 0 ? [] : transactions }));
  });
  await once(chain.listen(0, '127.0.0.1'), 'listening');
  v3 = 'http://127.0.0.1:' + chain.address().port;
});
afterEach(() => chain.close());

/** The body that tells of the transaction. */
function delivery(changes) {
  return JSON.stringify({ event_type: 'account_tx', account_id: '0:' + '11'.repeat(32), lt: 1, tx_hash: hash, ...changes });
}

/** The transaction on the chain. */
function transaction(message, aborted = false) {
  const in_msg = {
    source: '0:' + '12'.repeat(32),
    value: '10500000000',
    bounce: true,
    bounced: false,
    message_content: { decoded: { comment: 'order-1' } },
    ...message,
  };
  return { hash: Buffer.from(hash, 'hex').toString('base64'), description: { aborted }, in_msg };
}

test('a payment on the chain marks its order as paid, once, however often it is delivered', async () => {
  transactions = [transaction()];
  const together = await Promise.all([post(delivery()), post(delivery())]);
  assert.deepEqual([...together, await post(delivery({ tx_hash: hash.toUpperCase() }))], [200, 200, 200]);
  assert.equal(await countPaid(), 1);
});

test('a payment to a wallet that is not deployed yet stays there', async () => {
  transactions = [transaction({ bounce: false }, true)];
  assert.equal(await post(delivery()), 200);
  assert.equal(await countPaid(), 1);
});

test('a transaction that pays no order is answered with 200, and pays nothing', async () => {
  for (const one of [
    transaction({ value: '10500000001' }),
    transaction({ message_content: { decoded: { comment: 'unknown' } } }),
    transaction({ message_content: { decoded: null } }),
    transaction({ bounced: true }),
    transaction({ source: null }),
    transaction({}, true),
  ]) {
    transactions = [one];
    assert.equal(await post(delivery()), 200, JSON.stringify(one));
  }
  assert.equal(await countPaid(), 0);
});

test("another account's transaction is answered with 200, and pays nothing", async () => {
  transactions = [transaction()];
  assert.equal(await post(delivery({ account_id: '0:' + '13'.repeat(32) })), 200);
  assert.equal(await countPaid(), 0);
});

test('what is not on the chain is waited for, then answered with 503', async () => {
  transactions = [transaction()];
  missing = 3;
  assert.equal(await post(delivery()), 200);
  assert.equal(await post(delivery({ tx_hash: '33'.repeat(32) })), 503);
  assert.equal(await countPaid(), 1);
});

test('anything but a notification of a transaction is answered with 400', async () => {
  assert.equal(await post('not JSON'), 400);
  assert.equal(await post(delivery({ event_type: 'mempool_msg' })), 400);
  assert.equal(await post(delivery({ tx_hash: 'zz' })), 400);
});
`;
