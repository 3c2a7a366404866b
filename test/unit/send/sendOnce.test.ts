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
import { fromCoreCell } from '../../../src/toolkit/cell/readBoc';
import { estimateFees } from '../../../src/toolkit/send/preparedSend';
import { readExternalMessage } from '../../../src/toolkit/send/externalMessage';
import { sendOnce } from '../../../src/toolkit/send/sendOnce';
import type { SendOptions } from '../../../src/toolkit/send/sendOnce';
import { HastyClock } from '../../support/hastyClock';

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
  readonly clock = new HastyClock();
  #server: Server | undefined;
  constructor(
    private readonly handlers: Record<string, (request: IncomingMessage, response: ServerResponse) => void>,
  ) {}

  async open(apis: ('v2' | 'v3')[] = ['v2']): Promise<Access> {
    const server = createServer((request, response) => {
      const name = (request.url ?? '').replace(/^\/api\//, '').replace(/\?.*/, '');
      request.resume().on('end', () => {
        if (/sendBoc|message$/.test(name)) {
          assert.notEqual(request.headers['content-length'], undefined);
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
      clock: this.clock,
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
/** Newest transactions of an account, all of the same time, unless the first argument is none: then long ago. */
const history = (...given: (string | number)[]): ReturnType<typeof answer> =>
  answer(200, {
    ok: true,
    result: given
      .filter((one) => typeof one === 'string')
      .map((one) => ({
        utime: typeof given[0] === 'number' ? given[0] : 1,
        data: one,
        transaction_id: { lt: '5', hash: someHash },
        fee: '0',
        storage_fee: '0',
        other_fee: '0',
        out_msgs: [],
      })),
  });
/** A v2 service whose newest block is of this time. */
const timeOf = (time: number): Record<string, ReturnType<typeof answer>> => {
  const last = {
    workchain: -1,
    shard: '-9223372036854775808',
    seqno: 9,
    root_hash: someHash,
    file_hash: someHash,
  };
  return {
    'v2/getMasterchainInfo': answer(200, { ok: true, result: { last, init: last } }),
    'v2/getBlockHeader': answer(200, {
      ok: true,
      result: { id: last, global_id: -7, version: 0, gen_utime: time, start_lt: '1', end_lt: '2' },
    }),
  };
};

/** What v3 answers if it has taken a message. */
const hashesOf = ({ hash, hashNorm }: ReturnType<typeof readExternalMessage>): Record<string, string> => ({
  message_hash: Buffer.from(hash, 'hex').toString('base64'),
  message_hash_norm: Buffer.from(hashNorm, 'hex').toString('base64'),
});

/** Everything a gateway may answer after it has passed the message on. */
const misleading: Record<string, (request: IncomingMessage, response: ServerResponse) => void> = {
  ...Object.fromEntries(
    [300, 301, 302, 303, 307, 308].map((status) => [
      String(status),
      (_: IncomingMessage, response: ServerResponse) =>
        void response.writeHead(status, { location: '/elsewhere' }).end(),
    ]),
  ),
  ...Object.fromEntries(
    [400, 401, 402, 403, 404, 405, 406, 407, 408, 409, 410, 411, 413, 415, 421, 422, 425, 429, 499].map(
      (status) => [String(status), answer(status, { ok: false, error: 'no', code: status })],
    ),
  ),
  ...Object.fromEntries(
    [500, 501, 502, 503, 504, 520, 524].map((status) => [
      String(status),
      answer(status, { ok: false, error: 'no', code: status }),
    ]),
  ),
  '404 in HTML': (_, response) => void response.writeHead(404).end('<html><title>404</title></html>'),
  'Retry-After': (_, response) =>
    void response.writeHead(429, { 'retry-after': '0' }).end('{"ok":false,"error":"slow","code":429}'),
  'method unknown': answer(500, { error: 'internal server error: Cannot POST /api/v3/message' }),
  'ok false': answer(200, { ok: false, error: 'no', code: 500 }),
  'ok false 404': answer(200, { ok: false, error: 'no', code: 404 }),
  'refused by a second node': answer(500, {
    ok: false,
    error:
      'LITE_SERVER_UNKNOWN: cannot apply external message to current state : External message was not accepted',
    code: 500,
  }),
  'no JSON': (_, response) => void response.end('<html>Welcome</html>'),
  'cut JSON': (_, response) => void response.end('{"ok":tr'),
  empty: (_, response) => void response.end(),
  'wrong shape': answer(200, { ok: true, result: 7, message_hash: 7 }),
  'zero hash': answer(200, {
    ok: true,
    result: { '@type': 'raw.extMessageInfo', hash: zeroHash, hash_norm: zeroHash },
    message_hash: zeroHash,
    message_hash_norm: zeroHash,
  }),
  "another message's hash": answer(200, {
    ok: true,
    result: { '@type': 'raw.extMessageInfo', hash: someHash },
    message_hash: someHash,
    message_hash_norm: someHash,
  }),
  dropped: drop,
};

describe('sendOnce', () => {
  let service: Service | undefined;
  afterEach(() => service?.close());
  const quick = (): SendOptions => ({ lookupMs: 300, lookupPauseMs: 50, clock: service?.clock });

  it('submits the raw cell once and reports `sent`', async () => {
    service = new Service({
      'v2/sendBoc': answer(200, { ok: true, result: { '@type': 'ok' } }),
    });
    assert.deepEqual(await sendOnce(await service.open(), messageUntil(soon()).read), {
      state: 'sent',
      resolved: false,
    });
    assert.deepEqual(service.sends, ['v2/sendBoc']);
  });

  it('uses v3 if the network has no v2', async () => {
    const { read } = messageUntil(soon());
    service = new Service({ 'v3/message': answer(200, hashesOf(read)) });
    assert.equal((await sendOnce(await service.open(['v3']), read)).state, 'sent');
    assert.deepEqual(service.sends, ['v3/message']);
  });

  it('resolves a dropped connection by looking up the message, and sends once', async () => {
    const { read, message } = messageUntil(soon());
    let looks = 0;
    service = new Service({
      'v2/sendBoc': drop,
      'v2/getTransactions': (request, response) => {
        looks++;
        // Visible only at the second look, behind a stranger.
        const other = transactionOf(messageUntil(soon() + 5).message);
        history(...(looks > 1 ? [other, transactionOf(message)] : [other]))(request, response);
      },
    });
    assert.deepEqual(await sendOnce(await service.open(), read, quick()), { state: 'sent', resolved: true });
    assert.deepEqual(service.sends, ['v2/sendBoc']);
  });

  it('finds a lost message in the index by its normalized hash', async () => {
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
    assert.equal((await sendOnce(await service.open(['v3']), read, quick())).state, 'sent');
    const hex = /^[0-9a-f]{64}$/i.test(asked) ? asked : Buffer.from(asked, 'base64').toString('hex');
    assert.equal(hex.toLowerCase(), read.hashNorm);
    assert.deepEqual(service.sends, ['v3/message']);
  });

  it('reports `unknown`, and until when, for a lost message that nobody has seen', async () => {
    const until = soon();
    service = new Service({ 'v2/sendBoc': drop, 'v2/getTransactions': history() });
    const outcome = await sendOnce(await service.open(), messageUntil(until).read, quick());
    assert.equal(outcome.state, 'unknown');
    assert.equal(outcome.until, until);
    assert.equal(outcome.error.code, 'send-outcome-unknown');
    assert.deepEqual(service.sends, ['v2/sendBoc']);
  });

  it('reports `not-sent` for a lost message that expired long ago', async () => {
    for (const [networkTime, state] of [
      [soon(), 'not-sent'],
      // This machine's clock is no proof: the service may be behind.
      [soon() - 900, 'unknown'],
    ] as const) {
      service = new Service({
        'v2/sendBoc': drop,
        'v2/getTransactions': history(),
        ...timeOf(networkTime),
      });
      const outcome = await sendOnce(await service.open(), messageUntil(soon() - 600).read, quick());
      assert.equal(outcome.state, state);
      service.close();
    }
  });

  it('does not treat an incomplete history as proof', async () => {
    const others = Array.from({ length: 20 }, (_, index) =>
      transactionOf(messageUntil(soon() + index).message),
    );
    service = new Service({
      'v2/sendBoc': drop,
      'v2/getTransactions': history(Math.floor(Date.now() / 1000), ...others),
      ...timeOf(soon()),
    });
    const outcome = await sendOnce(await service.open(), messageUntil(soon() - 600).read, quick());
    assert.equal(outcome.state, 'unknown');
  });

  it('quotes a service that refuses', async () => {
    const error =
      'LITE_SERVER_UNKNOWN: cannot apply external message to current state : External message was not accepted\n' +
      'Cannot run message on account: inbound external message rejected by transaction 7C0F:\n' +
      'exitcode=33, steps=49, gas_used=0\nVM Log (truncated):\n...THROWIFNOT 33\n';
    service = new Service({ 'v2/sendBoc': answer(500, { ok: false, error, code: 500 }) });
    const outcome = await sendOnce(await service.open(), messageUntil(soon()).read, { clock: service.clock });
    assert.equal(outcome.state, 'refused');
    assert.equal(outcome.error.details['exitCode'], 33);
    assert.deepEqual(service.sends, ['v2/sendBoc']);
  });

  it('reports `unknown`, and mentions the empty answer, if v3 returns all-zero hashes and nothing is seen', async () => {
    service = new Service({
      'v3/message': answer(200, { message_hash: zeroHash, message_hash_norm: zeroHash }),
      'v3/pendingTraces': answer(200, { traces: [] }),
      'v3/traces': answer(200, { traces: [] }),
    });
    const outcome = await sendOnce(await service.open(['v3']), messageUntil(soon()).read, quick());
    assert.equal(outcome.state, 'unknown');
    assert.equal(outcome.error.details['answer'], 'send-answer-empty');
  });

  for (const [mode, play] of Object.entries(misleading)) {
    it(`reads from the chain what happened to a message that was answered with: ${mode}`, async () => {
      for (const api of ['v2', 'v3'] as const) {
        const { read, message } = messageUntil(soon());
        const executed: string[] = [];
        const send = (request: IncomingMessage, response: ServerResponse): void => {
          executed.push(transactionOf(message));
          play(request, response);
        };
        service = new Service({
          'v2/sendBoc': send,
          'v2/sendBocReturnHash': send,
          'v3/message': send,
          'v2/getTransactions': (request, response) => history(...executed)(request, response),
          'v3/pendingTraces': answer(200, { traces: [] }),
          'v3/traces': (request, response) =>
            answer(200, { traces: executed.map(() => ({ trace_id: someHash })) })(request, response),
        });
        const outcome = await sendOnce(await service.open([api]), read, quick());
        assert.equal(outcome.state, 'sent', `${api}: ${JSON.stringify(outcome)}`);
        assert.equal(service.sends.length, 1, 'handed over more than once');
        service.close();
      }
    });

    it(`reports unknown if the answer was ${mode}, and the message is not seen`, async () => {
      for (const api of ['v2', 'v3'] as const) {
        service = new Service({
          'v2/sendBoc': play,
          'v3/message': play,
          'v2/getTransactions': history(),
          'v3/pendingTraces': answer(200, { traces: [] }),
          'v3/traces': answer(200, { traces: [] }),
        });
        const outcome = await sendOnce(await service.open([api]), messageUntil(soon()).read, quick());
        // The one answer that is a node's judgment of the message.
        const state = mode === 'refused by a second node' ? 'refused' : 'unknown';
        assert.equal(outcome.state, state, `${api}: ${JSON.stringify(outcome)}`);
        if (outcome.state === 'unknown') {
          assert.match(outcome.error.hint ?? '', /do not sign another message/);
          assert.match(outcome.error.hint ?? '', /follow [0-9a-f]{64}/);
        }
        service.close();
      }
    });
  }

  it('uses v3 if nothing listens on v2, which proves that v2 accepted nothing', async () => {
    const dead = new Service({});
    const gone = (await dead.open()).network.v2;
    dead.close();
    const { read } = messageUntil(soon());
    service = new Service({ 'v3/message': answer(200, hashesOf(read)) });
    const { network } = await service.open(['v3']);
    const access = createAccess({ network: { ...network, v2: gone } });
    assert.equal((await sendOnce(access, read)).state, 'sent');
    assert.deepEqual(service.sends, ['v3/message']);
  });

  it('sends nothing once it is canceled', async () => {
    service = new Service({});
    const outcome = await sendOnce(await service.open(), messageUntil(soon()).read, {
      signal: AbortSignal.abort(),
    });
    assert.equal(outcome.state, 'not-sent');
    assert.deepEqual(service.sends, []);
  });

  it('reports `not-sent` if nothing is listening', async () => {
    service = new Service({});
    const access = await service.open();
    service.close();
    const outcome = await sendOnce(access, messageUntil(soon()).read, quick());
    assert.equal(outcome.state, 'not-sent');
    assert.equal(outcome.error.code, 'unreachable');
  });
});

describe('estimateFees', () => {
  let service: Service | undefined;
  afterEach(() => service?.close());
  const fees = { in_fwd_fee: 1, storage_fee: 20, gas_fee: 300, fwd_fee: 4000 };

  for (const api of ['v2', 'v3'] as const) {
    it(`uses ${api} if the network has nothing else`, async () => {
      const result = { source_fees: fees, destination_fees: [] };
      service = new Service({
        [`${api}/estimateFee`]: answer(200, api === 'v2' ? { ok: true, result } : result),
      });
      const found = await estimateFees(await service.open([api]), messageUntil(soon()).read);
      assert.deepEqual(found, { inForward: 1n, storage: 20n, gas: 300n, forward: 4000n, total: 4321n });
      assert.deepEqual(service.sends, []);
    });
  }

  it('is absent if the service does not answer', async () => {
    service = new Service({});
    assert.equal(await estimateFees(await service.open(), messageUntil(soon()).read), undefined);
  });
});
