// A small shop: it creates a payment, lets a wallet pay it, receives the webhook, and looks at the chain itself.
//   node server.mjs
// Everything that it talks to is on this machine: see README.md.
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Address, beginCell } from '@ton/core';
import { openOrders } from './orders.mjs';
import { isSigned, receive, settle } from './webhook.mjs';

/** Ends the shop with a sentence that says what to do. */
function giveUp(sentence) {
  console.error(sentence);
  process.exit(1);
}

/** What the shop must know; it does not start without it. */
function setting(name, otherwise) {
  return process.env[name] || otherwise || giveUp(`Set ${name}. README.md says where it comes from.`);
}

/** An address in any form: a typo must not send the shop's money elsewhere. */
function addressSetting(name) {
  const value = setting(name);
  try {
    Address.parse(value);
    return value;
  } catch {
    return giveUp(`${name} is not an address: ${value}. Set it to the address of the account that is paid.`);
  }
}

/** A number from 0, so that a typo is not a wait of NaN. */
function numberSetting(name, otherwise, most) {
  const value = Number(setting(name, otherwise));
  const isGood = value >= 0 && value <= most;
  return isGood ? value : giveUp(`${name} is not a number from 0 to ${most}: ${process.env[name]}.`);
}

// The payment service's client reads its address, TONPAY_BASE_URL, when it is loaded.
setting('TONPAY_BASE_URL');
const { createTonPayTransfer, getTonPayTransferByReference, TON } = await import('@ton-pay/api');

// Only asked for if the payment API has one.
const service = { chain: 'mainnet', apiKey: process.env.TONPAY_API_KEY };
const secret = setting('WEBHOOK_SECRET');
const recipient = addressSetting('SHOP_ADDRESS');
const chain = setting('TON_LOCAL_V3', 'http://127.0.0.1:8081/api/v3');
const wallets = setting('WALLETS_LIST');
const here = path.dirname(fileURLToPath(import.meta.url));
const ordersFile = setting('ORDERS_FILE', path.join(here, 'orders.json'));
const orders = await openOrders(ordersFile).catch(({ message }) =>
  giveUp(
    `The orders in ${ordersFile} cannot be read: ${message}. Correct the file, or set ORDERS_FILE to another.`,
  ),
);
const askAfterMs = numberSetting('ASK_AFTER_SECONDS', '10', 3600) * 1000;
const port = Math.floor(numberSetting('PORT', '5173', 65_535));
const walletUi = path.join(
  path.dirname(createRequire(import.meta.url).resolve('@tonconnect/ui')),
  '../dist/tonconnect-ui.min.js',
);

/** The prices are the shop's: a page cannot name its own. */
const goods = new Map([
  ['mug', { title: 'A mug', amount: 1.5, rawAmount: '1500000000' }],
  ['sticker', { title: 'A sticker', amount: 0.05, rawAmount: '50000000' }],
]);
const longestBody = 64 * 1024;

async function bodyOf(request) {
  const chunks = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length > longestBody) {
      return undefined;
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The transaction as the chain's own API tells it. */
async function findTransaction(hash) {
  const answer = await fetch(`${chain}/transactions?hash=${encodeURIComponent(hash)}`);
  if (!answer.ok) {
    throw new Error(`The chain answered ${answer.status}.`);
  }
  return (await answer.json()).transactions[0];
}

/** The object in a body; an empty one if it is not JSON. */
function objectIn(body) {
  try {
    return JSON.parse(body.toString('utf8')) ?? {};
  } catch {
    return {};
  }
}

async function createOrder(body) {
  const { item, sender } = objectIn(body);
  const chosen = goods.get(item);
  if (chosen === undefined || typeof sender !== 'string') {
    return [400, { error: 'Say what to buy, and who pays.' }];
  }
  const { message, reference, bodyBase64Hash } = await createTonPayTransfer(
    {
      amount: chosen.amount,
      asset: TON,
      recipientAddr: recipient,
      senderAddr: sender,
      commentToRecipient: chosen.title,
    },
    service,
  );
  await orders.change(reference, () => ({
    reference,
    item,
    rawAmount: chosen.rawAmount,
    asset: TON,
    recipient,
    bodyHash: bodyBase64Hash,
    state: 'open',
  }));
  askAgainAt.set(reference, Date.now() + askAfterMs);
  return [201, { reference, message }];
}

/** When the payment API is asked next about an order that is open. */
const askAgainAt = new Map();

/** A webhook may never come: while a page waits for an order, its status is asked for now and then. */
async function askForStatus({ reference, state }) {
  if (state !== 'open' || Date.now() < (askAgainAt.get(reference) ?? 0)) {
    return;
  }
  askAgainAt.set(reference, Date.now() + askAfterMs);
  try {
    await settle(
      await getTonPayTransferByReference(reference, service),
      orders,
      findTransaction,
      console.error,
    );
  } catch (error) {
    console.error(`${reference}: its status is unknown: ${error.message}`);
  }
}

/**
 * For `ton-workbench webhook check --orders-url`: opens an order of any amount that is paid by a text comment, and tells
 * how often an order was marked as paid. Anyone could, so it is there only with TEST_ORDERS=1.
 */
async function answerTest(request, url) {
  if (process.env.TEST_ORDERS !== '1') {
    return [404, {}];
  }
  if (request.method === 'GET') {
    return [200, { paid: orders.timesPaid(decodeURIComponent(url.pathname.slice('/test-orders/'.length))) }];
  }
  const body = await bodyOf(request);
  const { rawAmount } = objectIn(body ?? '');
  if (!/^\d+$/.test(rawAmount)) {
    return [400, { error: 'Say the amount: {"rawAmount": "1500000000"}.' }];
  }
  const reference = `test-${randomUUID()}`;
  const message = beginCell().storeUint(0, 32).storeStringTail(reference).endCell();
  const order = { reference, rawAmount: String(BigInt(rawAmount)), asset: TON, recipient };
  await orders.change(reference, () => ({
    ...order,
    item: 'test',
    bodyHash: message.hash().toString('base64'),
    state: 'open',
  }));
  return [201, { ...order, payload: message.toBoc().toString('base64') }];
}

async function receiveWebhook(request) {
  const body = await bodyOf(request);
  if (body === undefined) {
    return [413, {}];
  }
  const header = request.headers['x-pay-signature'] ?? request.headers['x-tonpay-signature'];
  if (!isSigned(body, header, secret)) {
    return [401, {}];
  }
  try {
    return [await receive(body.toString('utf8'), orders, findTransaction, console.error), {}];
  } catch (error) {
    console.error(`A webhook was not processed: ${error.message}`);
    return [error instanceof SyntaxError ? 400 : 503, {}];
  }
}

async function answerOf(request, url) {
  if (/^\/test-orders(\/|$)/.test(url.pathname)) {
    return answerTest(request, url);
  }
  switch (`${request.method} ${url.pathname}`) {
    case 'POST /orders': {
      const body = await bodyOf(request);
      return body === undefined ? [413, {}] : createOrder(body);
    }
    case 'POST /webhooks/ton-pay':
      return receiveWebhook(request);
    case 'GET /config':
      return [200, { wallets, goods: [...goods].map(([id, { title, amount }]) => ({ id, title, amount })) }];
    case 'GET /tonconnect-manifest.json':
      return [200, { url: `http://${request.headers.host}`, name: 'Checkout', iconUrl: '' }];
    default: {
      const order = url.pathname.startsWith('/orders/') ? orders.find(url.pathname.slice(8)) : undefined;
      if (order === undefined) {
        return [404, {}];
      }
      // Not waited for: the page asks again.
      void askForStatus(order);
      return [200, { state: order.state, txHash: order.txHash }];
    }
  }
}

const files = new Map([
  ['/', [path.join(here, 'index.html'), 'text/html; charset=utf-8']],
  ['/tonconnect-ui.js', [walletUi, 'text/javascript; charset=utf-8']],
]);

const server = createServer(async (request, response) => {
  const url = new URL(request.url, 'http://shop');
  const file = request.method === 'GET' ? files.get(url.pathname) : undefined;
  try {
    if (file !== undefined) {
      response.writeHead(200, { 'content-type': file[1] }).end(await readFile(file[0]));
      return;
    }
    const [status, body] = await answerOf(request, url);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  } catch (error) {
    console.error(`${request.method} ${url.pathname}: ${error.message}`);
    response
      .writeHead(502, { 'content-type': 'application/json' })
      .end('{"error":"Something that the shop needs did not answer."}');
  }
});
server.once('error', ({ code, message }) =>
  giveUp(
    code === 'EADDRINUSE'
      ? `Port ${port} is in use. Stop what listens there, or set PORT to another.`
      : `The shop cannot listen on port ${port}: ${message}.`,
  ),
);
server.listen(port, '127.0.0.1', () => {
  console.log(JSON.stringify({ url: `http://127.0.0.1:${server.address().port}` }));
});
