import {
  Dictionary,
  SendMode,
  beginCell,
  external,
  internal,
  storeMessage,
  storeTransaction,
} from '@ton/core';
import type { Message, Transaction } from '@ton/core';
import { keyPairFromSeed } from '@ton/crypto';
import { WalletContractV4 } from '@ton/ton';
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAccess } from '../../../src/toolkit/access/createAccess';
import type { Access } from '../../../src/toolkit/access/createAccess';
import { fromCoreCell } from '../../../src/toolkit/cell/fromCoreCell';
import { estimateFees } from '../../../src/toolkit/send/estimateFees';
import { readExternalMessage } from '../../../src/toolkit/send/externalMessage';
import { sendOnce } from '../../../src/toolkit/send/sendOnce';

const keys = keyPairFromSeed(Buffer.alloc(32, 7));
const wallet = WalletContractV4.create({ workchain: 0, publicKey: keys.publicKey });
const zeroHash = Buffer.alloc(32).toString('base64');
const someHash = Buffer.alloc(32, 1).toString('base64');

function messageUntil(timeout: number): { read: ReturnType<typeof readExternalMessage>; message: Message } {
  const body = wallet.createTransfer({
    seqno: 0,
    secretKey: keys.secretKey,
    timeout,
    sendMode: SendMode.PAY_GAS_SEPARATELY | SendMode.IGNORE_ERRORS,
    messages: [internal({ to: wallet.address, value: '1' })],
  });
  const message = external({ to: wallet.address, body });
  const cell = beginCell().store(storeMessage(message)).endCell();
  return { read: readExternalMessage(fromCoreCell(cell)), message };
}

/** A transaction of the wallet that this message caused, as a BoC. */
function transactionOf(message: Message): string {
  const transaction = {
    address: BigInt(`0x${wallet.address.hash.toString('hex')}`),
    lt: 5n,
    prevTransactionHash: 0n,
    prevTransactionLt: 0n,
    now: 1,
    outMessagesCount: 0,
    oldStatus: 'active',
    endStatus: 'active',
    inMessage: message,
    outMessages: Dictionary.empty(Dictionary.Keys.Uint(15), Dictionary.Values.Cell()),
    totalFees: { coins: 0n },
    stateUpdate: { oldHash: Buffer.alloc(32), newHash: Buffer.alloc(32) },
    description: {
      type: 'storage',
      storagePhase: { storageFeesCollected: 0n, statusChange: 'unchanged' },
    },
  } as unknown as Transaction;
  return beginCell().store(storeTransaction(transaction)).endCell().toBoc().toString('base64');
}

const soon = (): number => Math.floor(Date.now() / 1000) + 60;

/** A service whose endpoints are the given handlers; counts what it was asked to send. */
class Service {
  readonly sends: string[] = [];
  #server: Server | undefined;
  constructor(
    private readonly handlers: Record<string, (request: IncomingMessage, response: ServerResponse) => void>,
  ) {}

  async open(apis: ('v2' | 'v3')[] = ['v2']): Promise<Access> {
    const server = createServer((request, response) => {
      const name = (request.url ?? '').replace(/^\/api\//, '').replace(/\?.*/, '');
      request.resume().on('end', () => {
        if (/sendBoc|message$/.test(name)) {
          this.sends.push(name);
        }
        const handler = this.handlers[name];
        if (handler === undefined) {
          answer(404, { ok: false, error: 'Not found', code: 404 })(request, response);
        } else {
          handler(request, response);
        }
      });
    });
    this.#server = server;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
    return createAccess({
      network: {
        name: 'test',
        kind: 'local',
        globalId: -239,
        ...Object.fromEntries(apis.map((api) => [api, `${base}/${api}`])),
      },
      timeoutMs: 2000,
    });
  }

  close(): void {
    this.#server?.closeAllConnections();
    this.#server?.close();
  }
}

function answer(status: number, body: unknown): (request: IncomingMessage, response: ServerResponse) => void {
  return (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
}
const drop = (request: IncomingMessage): void => void request.socket.destroy();
const history = (...data: string[]): ReturnType<typeof answer> =>
  answer(200, {
    ok: true,
    result: data.map((one) => ({
      utime: 1,
      data: one,
      transaction_id: { lt: '5', hash: someHash },
      fee: '0',
      storage_fee: '0',
      other_fee: '0',
      out_msgs: [],
    })),
  });

describe('sendOnce', () => {
  let service: Service | undefined;
  afterEach(() => service?.close());
  const quick = { lookupMs: 300, lookupPauseMs: 50 };

  it('hands the raw cell over once and says sent', async () => {
    service = new Service({
      'v2/sendBocReturnHash': answer(200, { ok: true, result: { hash: someHash, hash_norm: someHash } }),
    });
    assert.deepEqual(await sendOnce(await service.open(), messageUntil(soon()).read), {
      state: 'sent',
      resolved: false,
    });
    assert.deepEqual(service.sends, ['v2/sendBocReturnHash']);
  });

  it('uses sendBoc where the service does not know sendBocReturnHash', async () => {
    service = new Service({ 'v2/sendBoc': answer(200, { ok: true, result: { '@type': 'ok' } }) });
    assert.equal((await sendOnce(await service.open(), messageUntil(soon()).read)).state, 'sent');
    assert.deepEqual(service.sends, ['v2/sendBocReturnHash', 'v2/sendBoc']);
  });

  it('sends over v3 where the network has no v2', async () => {
    service = new Service({
      'v3/message': answer(200, { message_hash: someHash, message_hash_norm: someHash }),
    });
    assert.equal((await sendOnce(await service.open(['v3']), messageUntil(soon()).read)).state, 'sent');
    assert.deepEqual(service.sends, ['v3/message']);
  });

  it('resolves a dropped connection by looking the message up, and sends once', async () => {
    const { read, message } = messageUntil(soon());
    let looks = 0;
    service = new Service({
      'v2/sendBocReturnHash': drop,
      'v2/getTransactions': (request, response) => {
        looks++;
        // Visible only at the second look, behind a stranger.
        const other = transactionOf(messageUntil(soon() + 5).message);
        history(...(looks > 1 ? [other, transactionOf(message)] : [other]))(request, response);
      },
    });
    assert.deepEqual(await sendOnce(await service.open(), read, quick), { state: 'sent', resolved: true });
    assert.deepEqual(service.sends, ['v2/sendBocReturnHash']);
  });

  it('finds a lost message through the index by its normalised hash', async () => {
    const { read } = messageUntil(soon());
    let asked = '';
    service = new Service({
      'v3/message': drop,
      'v3/pendingTraces': answer(200, { traces: [] }),
      'v3/traces': (request, response) => {
        asked = new URL(request.url!, 'http://x').searchParams.get('msg_hash')!;
        answer(200, { traces: [{ trace_id: someHash }] })(request, response);
      },
    });
    assert.equal((await sendOnce(await service.open(['v3']), read, quick)).state, 'sent');
    const hex = /^[0-9a-f]{64}$/i.test(asked) ? asked : Buffer.from(asked, 'base64').toString('hex');
    assert.equal(hex.toLowerCase(), read.hashNorm);
    assert.deepEqual(service.sends, ['v3/message']);
  });

  it('says unknown, and until when, for a lost message that nobody has seen', async () => {
    const until = soon();
    service = new Service({ 'v2/sendBocReturnHash': drop, 'v2/getTransactions': history() });
    const outcome = await sendOnce(await service.open(), messageUntil(until).read, quick);
    assert.equal(outcome.state, 'unknown');
    assert.equal(outcome.until, until);
    assert.equal(outcome.error.code, 'send-outcome-unknown');
    assert.deepEqual(service.sends, ['v2/sendBocReturnHash']);
  });

  it('says not sent for a lost message whose time is long over', async () => {
    service = new Service({ 'v2/sendBocReturnHash': drop, 'v2/getTransactions': history() });
    const outcome = await sendOnce(await service.open(), messageUntil(soon() - 600).read, quick);
    assert.equal(outcome.state, 'not-sent');
  });

  it('gives the words of a service that refuses', async () => {
    const error =
      'LITE_SERVER_UNKNOWN: cannot apply external message to current state : External message was not accepted\n' +
      'Cannot run message on account: inbound external message rejected by transaction 7C0F:\n' +
      'exitcode=33, steps=49, gas_used=0\nVM Log (truncated):\n...THROWIFNOT 33\n';
    service = new Service({ 'v2/sendBocReturnHash': answer(500, { ok: false, error, code: 500 }) });
    const outcome = await sendOnce(await service.open(), messageUntil(soon()).read);
    assert.equal(outcome.state, 'refused');
    assert.equal(outcome.error.details['exitCode'], 33);
    assert.deepEqual(service.sends, ['v2/sendBocReturnHash']);
  });

  it('takes all-zero hashes for what they are: nothing was sent', async () => {
    service = new Service({
      'v2/sendBocReturnHash': answer(200, { ok: true, result: { hash: zeroHash, hash_norm: zeroHash } }),
    });
    const outcome = await sendOnce(await service.open(), messageUntil(soon()).read);
    assert.equal(outcome.state, 'not-sent');
    assert.equal(outcome.error.code, 'send-answer-empty');
    service.close();
    service = new Service({
      'v3/message': answer(200, { message_hash: zeroHash, message_hash_norm: zeroHash }),
    });
    const overV3 = await sendOnce(await service.open(['v3']), messageUntil(soon()).read);
    assert.equal(overV3.state, 'not-sent');
  });

  it('says not sent when nobody listens', async () => {
    service = new Service({});
    const access = await service.open();
    service.close();
    const outcome = await sendOnce(access, messageUntil(soon()).read, quick);
    assert.equal(outcome.state, 'not-sent');
    assert.equal(outcome.error.code, 'unreachable');
  });
});

describe('estimateFees', () => {
  let service: Service | undefined;
  afterEach(() => service?.close());
  const fees = { in_fwd_fee: 1, storage_fee: 20, gas_fee: 300, fwd_fee: 4000 };

  for (const api of ['v2', 'v3'] as const) {
    it(`asks over ${api} where the network has nothing else`, async () => {
      const result = { source_fees: fees, destination_fees: [] };
      service = new Service({
        [`${api}/estimateFee`]: answer(200, api === 'v2' ? { ok: true, result } : result),
      });
      const found = await estimateFees(await service.open([api]), messageUntil(soon()).read);
      assert.deepEqual(found, { inForward: 1n, storage: 20n, gas: 300n, forward: 4000n, total: 4321n });
      assert.deepEqual(service.sends, []);
    });
  }

  it('is absent where the service does not answer', async () => {
    service = new Service({});
    assert.equal(await estimateFees(await service.open(), messageUntil(soon()).read), undefined);
  });
});
