/** The signature, in constant time, over the bytes as they came. */
const signature = `/** Whether the bytes were signed with the secret. An unset secret would accept forgeries, so it must not be empty. */
function isGenuine(body, header, secret) {
  const expected = Buffer.from('sha256=' + createHmac('sha256', secret).update(body).digest('hex'));
  const given = Buffer.from(header ?? '');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
`;

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

const order = `/** An address in one spelling: raw and friendly ones name the same account. */
function accountOf(address) {
  const raw = /^(-?\\d+):([0-9a-f]{64})$/i.exec(address);
  const friendly = Buffer.from(String(address), 'base64url');
  if (raw) {
    return raw[1] + ':' + Buffer.from(raw[2], 'hex').toString('hex');
  }
  return friendly.length === 36 ? friendly.readInt8(1) + ':' + friendly.toString('hex', 2, 34) : address;
}

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
    BigInt(transaction.in_msg.value ?? 0) === BigInt(order.rawAmount) &&
    transaction.in_msg.message_content.hash === order.bodyBase64Hash
  );
}
`;

const once = `/** Marks an order as paid; false if it was already. It is on disk before the delivery is answered. */
async function markPaid(folder, { reference, txHash, traceId }) {
  const name = createHash('sha256').update(reference).digest('hex');
  await mkdir(folder, { recursive: true });
  // Written aside, then linked: a name can be made only once, also by two deliveries at the same time.
  const draft = join(folder, name + '.' + randomUUID());
  const file = await open(draft, 'wx');
  try {
    await file.writeFile(JSON.stringify({ reference, txHash, traceId }));
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
`;

const receive = `/** The status to answer a delivery with. */
async function receive(body, header, { secret, orders, folder, v3 }) {
  if (!isGenuine(body, header, secret)) {
    return 401;
  }
  const data = transferIn(body);
  if (data === undefined) {
    return 400;
  }
  const order = orders.get(data.reference);
  const why = objection(data, order);
  if (why !== undefined) {
    console.log('not paid:', JSON.stringify(data.reference), why);
    return 200;
  }
  if (v3 && !(await isOnChain(v3, data, order))) {
    console.log('not on the chain:', JSON.stringify(data.reference));
    // It may be a moment late: this is delivered again.
    return 503;
  }
  if (await markPaid(folder, data)) {
    console.log('paid:', JSON.stringify(data.reference));
  }
  return 200;
}
`;

/** The parts that the receivers of all frameworks have, in their order; `receive` puts the others together. */
export const receiverParts = { signature, event, order, chain, once, receive };
