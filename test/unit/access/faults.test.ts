import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Access, AccessParameters } from '../../../src/toolkit/access/createAccess';
import { createAccess, createFetchTransport } from '../../../src/toolkit/access/createAccess';
import { createUndiciTransport } from '../../../src/toolkit/access/createUndiciTransport';
import type { Transport } from '../../../src/toolkit/access/transport';
import type { ErrorKind } from '../../../src/toolkit/base/errors';
import { WorkbenchError } from '../../../src/toolkit/base/errors';
import type { FaultServer } from '../../support/faultServer';
import { goodAnswer, startFaultServer } from '../../support/faultServer';
import { HastyClock } from '../../support/hastyClock';
import { SteppedClock } from '../../support/steppedClock';
import { until } from '../../support/until';

const address = `0:${'ab'.repeat(32)}`;
const state = { address };

/** What each fault must become: code, kind, and how often the service is asked. */
const expected: Record<string, [code: string, kind: ErrorKind, requests: number]> = {
  'reset-before-head': ['connection-lost', 'network', 1],
  'reset-in-body': ['connection-lost', 'network', 1],
  'end-in-body': ['connection-lost', 'network', 1],
  'end-in-chunks': ['connection-lost', 'network', 1],
  'stall-before-head': ['timeout', 'network', 1],
  'stall-in-body': ['timeout', 'network', 1],
  '429-result': ['rate-limited', 'service', 4],
  '429-error': ['rate-limited', 'service', 4],
  '429-retry-after': ['rate-limited', 'service', 1],
  '401': ['unauthorized', 'service', 1],
  '401-required': ['bad-request', 'service', 1],
  '403': ['wrong-network-key', 'service', 1],
  '404': ['not-found', 'service', 1],
  '409': ['conflict', 'service', 1],
  '422': ['bad-request', 'service', 1],
  '500-limit': ['bad-request', 'service', 1],
  '500-route': ['not-found', 'service', 1],
  '500-json': ['service-failure', 'service', 1],
  '500-timeout': ['service-failure', 'service', 4],
  '500-html': ['service-failure', 'service', 4],
  '502-html': ['service-failure', 'service', 4],
  '503-json': ['service-failure', 'service', 4],
  '504-json': ['service-failure', 'service', 4],
  '200-ok-false': ['service-failure', 'service', 1],
  '200-ok-false-429': ['rate-limited', 'service', 4],
  'html-200': ['not-json', 'service', 1],
  'bad-utf8': ['not-utf8', 'service', 1],
  'cut-json': ['cut-json', 'service', 1],
  'cut-in-string': ['cut-json', 'service', 1],
  empty: ['not-json', 'service', 1],
  'no-ok': ['wrong-shape', 'service', 1],
  'wrong-type': ['wrong-shape', 'service', 1],
  '100-mib': ['too-large', 'service', 1],
  '100-mib-announced': ['too-large', 'service', 1],
  'redirect-away': ['redirect-refused', 'service', 1],
  'redirect-loop': ['redirect-refused', 'service', 4],
  'redirect-nowhere': ['redirect-refused', 'service', 1],
};

const undici = createUndiciTransport();
const transports: Record<string, Transport> = {
  fetch: createFetchTransport(),
  undici: undici.transport,
};

for (const [name, transport] of Object.entries(transports)) {
  describe(`a failing service, over ${name}`, () => {
    let server: FaultServer;
    let elsewhere: FaultServer;

    before(async () => {
      elsewhere = await startFaultServer();
      server = await startFaultServer(elsewhere.origin);
    });
    after(async () => {
      await Promise.all([server.close(), elsewhere.close()]);
    });
    beforeEach(() => {
      server.seen.length = 0;
      elsewhere.seen.length = 0;
    });

    const open = (fault: string, more: Partial<AccessParameters> = {}): Access =>
      createAccess({
        network: { name: 'Faulty', kind: 'custom', v2: `${server.origin}/${fault}/api/v2`, globalId: -239 },
        transport,
        clock: new HastyClock(),
        random: () => 0,
        ...more,
      });

    const failureOf = async (work: Promise<unknown>): Promise<WorkbenchError> => {
      const error: unknown = await work.then(
        () => assert.fail('it succeeded'),
        (thrown: unknown) => thrown,
      );
      assert.ok(error instanceof WorkbenchError, String(error));
      return error;
    };

    /** How a call ends, whose time limit passes as soon as the service stalls. */
    const failureWith = async (
      fault: string,
      call: (access: Access) => Promise<unknown>,
    ): Promise<WorkbenchError> => {
      if (!fault.startsWith('stall-')) {
        return failureOf(call(open(fault)));
      }
      const clock = new SteppedClock();
      const failure = failureOf(call(open(fault, { clock, timeoutMs: 20_000 })));
      await stalled();
      clock.advance(20_000);
      return failure;
    };
    /** The request has come, and what the service sends before it stalls has been read. */
    const stalled = async (): Promise<void> => {
      await until(() => server.seen.length > 0, 'the request');
      for (let turn = 0; turn < 5; turn += 1) {
        await nextTurn();
      }
    };

    for (const [fault, [code, kind, requests]] of Object.entries(expected)) {
      it(`${fault} is ${code} after ${requests === 1 ? 'one request' : `${requests} requests`}`, async () => {
        const error = await failureWith(fault, (access) => access.v2.getAddressState(state));
        assert.deepEqual([error.code, error.kind], [code, kind], error.message);
        assert.equal(server.seen.length, requests);
        assert.equal(error.details.endpoint, 'v2 /getAddressState');
        assert.ok(error.hint);
      });
    }

    it('a message is never sent twice, whatever the answer', async () => {
      for (const fault of Object.keys(expected)) {
        server.seen.length = 0;
        await failureWith(fault, (access) =>
          access.v2.sendBocReturnHash({ boc: 'te6cckEBAQEAAgAAAEysuc0=' }),
        );
        assert.equal(server.seen.length, 1, fault);
      }
    });

    it('a refused connection is unreachable', async () => {
      const closed = createServer();
      await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
      const { port } = closed.address() as AddressInfo;
      await new Promise((resolve) => closed.close(resolve));
      const network = {
        name: 'Gone',
        kind: 'custom',
        v2: `http://127.0.0.1:${port}/api/v2`,
        globalId: -239,
      } as const;
      const reached: boolean[] = [];
      const onReach = (isReached: boolean): void => void reached.push(isReached);
      const error = await failureOf(open('good', { network, onReach }).v2.getAddressState(state));
      assert.deepEqual([error.code, error.kind], ['unreachable', 'network']);
      assert.ok(reached.length > 0 && !reached.includes(true), String(reached));
      await open('422', { onReach })
        .v2.getAddressState(state)
        .catch(() => undefined);
      assert.equal(reached.at(-1), true);
    });

    it('names the field that the service named', async () => {
      const error = await failureOf(open('422').v2.getAddressState(state));
      assert.equal(error.details.field, 'address');
    });

    it('an HTML page becomes its title', async () => {
      const error = await failureOf(open('502-html').v2.getAddressState(state));
      assert.equal(error.details.serviceText, '502 Bad Gateway');
    });

    it('a redirect to another host is not followed, and the key does not go there', async () => {
      const error = await failureOf(
        open('redirect-away', { apiKey: () => Promise.resolve('KEY-1') }).v2.getAddressState(state),
      );
      assert.equal(error.code, 'redirect-refused');
      assert.equal(elsewhere.seen.length, 0);
      assert.equal(server.seen[0]?.headers['x-api-key'], 'KEY-1');
      assert.doesNotMatch(JSON.stringify([error.message, error.hint, error.details]), /KEY-1|secret/);
    });

    it('a redirect within the host is followed', async () => {
      assert.equal(await open('redirect-same').v2.getAddressState(state), 'active');
      assert.deepEqual(
        server.seen.map(({ fault }) => fault),
        ['redirect-same', 'good'],
      );
    });

    for (const [fault, requests] of [
      ['429-once', 2],
      ['500-timeout-twice', 3],
      ['504-thrice', 4],
    ] as const) {
      it(`${fault}: a read is retried until it succeeds`, async () => {
        assert.equal(await open(fault).v2.getAddressState(state), 'active');
        assert.equal(server.seen.length, requests);
      });
    }

    it('waits as long as Retry-After says, else twice as long each time', async () => {
      const first = new HastyClock();
      await open('429-once', { clock: first }).v2.getAddressState(state);
      assert.equal(first.slept[0], 1000);
      const second = new HastyClock();
      await failureOf(open('504-json', { clock: second }).v2.getAddressState(state));
      assert.deepEqual(second.slept, [200, 400, 800]);
    });

    it("a service that demands an hour's pause is not asked again during it", async () => {
      const access = open('429-retry-after');
      await failureOf(access.v2.getAddressState(state));
      const error = await failureOf(access.v2.getMasterchainInfo());
      assert.equal(error.code, 'rate-limited');
      assert.equal(server.seen.length, 1);
    });

    it('reads an answer up to the cap, and none above it', async () => {
      const bytes = JSON.stringify(goodAnswer).length;
      assert.equal(await open('good', { maximumBytes: bytes }).v2.getAddressState(state), 'active');
      const error = await failureOf(open('good', { maximumBytes: bytes - 1 }).v2.getAddressState(state));
      assert.equal(error.code, 'too-large');
    });

    it('a caller who cancels ends the exchange down to the socket', async () => {
      const controller = new AbortController();
      const work = open('stall-before-head', { timeoutMs: 10_000 }).v2.getAddressState(state, {
        signal: controller.signal,
      });
      await stalled();
      const began = performance.now();
      controller.abort();
      const error = await failureOf(work);
      assert.equal(error.code, 'aborted');
      assert.ok(performance.now() - began < 1000);
    });

    it('a signal that has already fired sends nothing', async () => {
      const error = await failureOf(open('good').v2.getAddressState(state, { signal: AbortSignal.abort() }));
      assert.equal(error.code, 'aborted');
      assert.equal(server.seen.length, 0);
    });

    it('ends within the budget, retries included', async () => {
      const clock = new SteppedClock();
      const access = open('stall-before-head', { clock, timeoutMs: 10_000, budgetMs: 200 });
      let isOver = false;
      const failure = failureOf(access.v2.getAddressState(state)).finally(() => (isOver = true));
      await stalled();
      clock.advance(199);
      await nextTurn();
      assert.equal(isOver, false);
      clock.advance(1);
      assert.equal((await failure).code, 'timeout');
    });

    it('never puts the key into an error', async () => {
      for (const fault of ['401', '403', '422', '500-json', 'html-200', 'wrong-type']) {
        const access = open(fault, { apiKey: () => Promise.resolve('KEY-2') });
        const error = await failureOf(access.v2.getAddressState(state));
        assert.doesNotMatch(
          JSON.stringify([error.message, error.hint, error.details, String(error.cause)]),
          /KEY-2/,
        );
      }
    });

    it('refuses a request for more transactions than the Python service returns, once it is known to be one', async () => {
      const access = open('good-python');
      await access.v2.getAddressState(state);
      const error = await failureOf(access.v2.getTransactions({ address, limit: 500 }));
      assert.deepEqual([error.code, error.details.field], ['parameter-invalid', 'limit']);
      assert.equal(server.seen.length, 1);
    });
  });
}

describe('a compressed answer', () => {
  it('is counted while it is decompressed', async () => {
    const server = await startFaultServer();
    const network = {
      name: 'Bomb',
      kind: 'custom',
      v2: `${server.origin}/gzip-bomb/api/v2`,
      globalId: -239,
    } as const;
    const access = createAccess({ network, maximumBytes: 1024 * 1024 });
    await assert.rejects(access.v2.getAddressState(state), (error) => WorkbenchError.is(error, 'too-large'));
    await server.close();
  });
});
