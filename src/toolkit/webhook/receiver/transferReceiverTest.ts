import { commonCode } from './commonCode';

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
export function transferReceiverTest({
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
