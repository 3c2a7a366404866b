import assert from 'node:assert/strict';
import { beginCell } from '@ton/core';
import type { FastifyInstance } from 'fastify';
import { createAccess } from '../../src/toolkit/access/createAccess';
import { diagnoseNetwork } from '../../src/toolkit/access/doctor/diagnoseNetwork';
import { networkDiagnosisText } from '../../src/toolkit/access/doctor/networkDiagnosisText';
import { networkSubjects } from '../../src/toolkit/access/doctor/chainFindings';
import type { NetworkDiagnosis, NetworkFinding } from '../../src/toolkit/access/doctor/chainFindings';
import type { Clock } from '../../src/toolkit/base/time';
import type { Network } from '../../src/toolkit/access/network';
import type { Transport, TransportAnswer, TransportRequest } from '../../src/toolkit/access/transport';
import type { LocalChain } from '../../src/toolkit/localnet/chain/localChain';
import { createServer } from '../../src/toolkit/localnet/server/createServer';
import { engineVersion } from '../../src/toolkit/execution/emulator/emulator';
import { HastyClock } from '../support/hastyClock';
import { testChain } from '../unit/localnet/support/testChain';

type Subject = NetworkFinding['subject'];

/** A network that was looked at, without a socket or a wait: its servers run in this process, on the same clock. */
interface Looked {
  diagnosis: NetworkDiagnosis;
  text: string;
  sent: TransportRequest[];
  finding: (subject: Subject) => NetworkFinding;
}

interface Options {
  network?: Partial<Network>;
  /** Of all requests, before the network sees them; undefined lets it answer. */
  gate?: (
    request: TransportRequest,
    count: number,
    clock: HastyClock,
  ) => Partial<TransportAnswer> | undefined;
  key?: string;
  /** It takes connections, and never answers. */
  isSilent?: boolean;
  /** Another server for v3. */
  v3?: FastifyInstance;
  /** Seconds since the newest block. */
  lateness?: number;
  /** Seconds of the service's clock. */
  clockAhead?: number;
}

describe('networks doctor', () => {
  const clock = new HastyClock();
  let chain: LocalChain;
  let other: LocalChain;
  let newest: FastifyInstance;
  let classic: FastifyInstance;
  let elsewhere: FastifyInstance;

  before(async () => {
    chain = await testChain({ clock });
    const later = new HastyClock();
    await later.sleep(100_000);
    other = await testChain({ clock: later });
    newest = await createServer(chain, { clock });
    classic = await createServer(chain, { clock, isClassicV2: true });
    elsewhere = await createServer(other, { clock });
  });
  after(() => Promise.all([newest.close(), classic.close(), elsewhere.close()]));

  const transportTo =
    (server: FastifyInstance, options: Options, sent: TransportRequest[]): Transport =>
    async (request) => {
      sent.push(request);
      if (options.isSilent === true) {
        const { signal } = request;
        await new Promise((_, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason as Error)),
        );
      }
      const { pathname, search } = new URL(request.url);
      const gated = options.gate?.(request, sent.length, clock);
      if (gated !== undefined) {
        return { status: 200, header: () => undefined, body: Buffer.from(''), ...gated };
      }
      const to = pathname.startsWith('/api/v3') ? (options.v3 ?? server) : server;
      const { body, method, headers } = request;
      const answer = await to.inject({
        method: method as 'GET',
        url: pathname + search,
        headers: { ...headers },
        ...(body === undefined ? {} : { payload: body }),
      });
      return {
        status: answer.statusCode,
        header: (name) => {
          const value =
            name === 'date'
              ? new Date(clock.now() + (options.clockAhead ?? 0) * 1000).toUTCString()
              : answer.headers[name];
          return typeof value === 'string' ? value : undefined;
        },
        body: answer.rawPayload,
      };
    };

  const look = async (server: FastifyInstance, options: Options = {}): Promise<Looked> => {
    const sent: TransportRequest[] = [];
    await chain.mine();
    await other.mine();
    await clock.sleep((options.lateness ?? 0) * 1000);
    const { seqno } = chain.ledger.last;
    const network: Network = {
      ...{ name: 'Looked At', kind: 'custom', globalId: -239 },
      v2: 'https://ton.example/api/v2',
      v3: 'https://ton.example/api/v3',
      ...options.network,
    };
    const access = createAccess({
      ...{ network, clock },
      transport: transportTo(server, options, sent),
      apiKey: () => Promise.resolve(options.key),
    });
    const hasKey = options.key !== undefined;
    const diagnosis = await diagnoseNetwork(access, {
      ...{ hasKey, engineVersion },
      clock: options.isSilent === true ? withoutWaits : clock,
    });
    assert.deepEqual(
      diagnosis.findings.map(({ subject }) => subject).sort(),
      [...networkSubjects].sort(),
      'something is not told',
    );
    assert.equal(chain.ledger.last.seqno, seqno, 'no block was made');
    assert.equal(sent.length, diagnosis.requests);
    assert.ok(sent.length <= 18, `${sent.length} requests`);
    for (const { url, body } of sent) {
      assert.doesNotMatch(`${body ?? ''}${url}`, /boc=|"boc"/, 'it sends nothing');
    }
    return {
      ...{ diagnosis, sent },
      text: networkDiagnosisText(network.name, diagnosis),
      finding: (subject) => diagnosis.findings.find((one) => one.subject === subject) as NetworkFinding,
    };
  };
  /** Deadlines are over at once, and time has passed. */
  const withoutWaits: Clock = {
    ...{ now: clock.now, monotonic: clock.monotonic, sleep: clock.sleep },
    after: (ms, work) => {
      let isOff = false;
      void clock.sleep(ms).then(() => isOff || work());
      return () => (isOff = true);
    },
  };
  const states = ({ diagnosis }: Looked, state: NetworkFinding['state']): Subject[] =>
    diagnosis.findings.filter((one) => one.state === state).map(({ subject }) => subject);
  const failed = (status: number, body: unknown): Partial<TransportAnswer> => ({
    status,
    body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  });

  it('of a network as the newest service serves it: nothing is wrong', async () => {
    const looked = await look(newest);
    assert.deepEqual([states(looked, 'wrong'), states(looked, 'not asked')], [[], []], looked.text);
    assert.deepEqual(looked.diagnosis.v2, { implementation: 'C++', version: '2.1.13' });
    assert.deepEqual(looked.diagnosis.v3, { version: '1.2.10' });
    assert.equal(looked.diagnosis.tvmVersion, engineVersion);
    assert.match(looked.finding('sending').text, /^sendBoc is there/);
    assert.equal(looked.diagnosis.streaming, true);
    assert.match(looked.finding('same chain').text, /is the same on both APIs/);
    assert.match(looked.text, /^Looked At: nothing found that is wrong\.\n/);
  });

  it('of the classic service: which methods it lacks, and what fails without them', async () => {
    const looked = await look(classic);
    assert.deepEqual(looked.diagnosis.v2, { implementation: 'Python', version: '2.0.68' });
    assert.deepEqual(looked.diagnosis.lacks, ['v2 /getShardAccountCell', 'v2 /getConfigAll']);
    assert.deepEqual(states(looked, 'wrong'), ['methods of v2']);
    assert.match(
      looked.finding('methods of v2').text,
      /without getConfigAll, forks, rehearsals, and replays/,
    );
  });

  it('of a service with a missing method, and one that takes the parameter by its new name only', async () => {
    const looked = await look(newest, {
      gate: ({ url }) =>
        url.includes('/getLibraries')
          ? failed(404, { ok: false, error: 'Not Found', code: 404, '@extra': '_' })
          : url.includes('config_id=')
            ? failed(422, { ok: false, error: 'param is required', code: 422 })
            : undefined,
    });
    assert.deepEqual(looked.diagnosis.lacks, ['v2 /getLibraries']);
    assert.match(looked.finding('methods of v2').text, /takes param, not config_id; both work here/);
    assert.equal(looked.diagnosis.tvmVersion, engineVersion);
  });

  it('of a network without v3, and one without v2: the rest is not asked, never fine', async () => {
    const withoutV3 = await look(newest, { network: { v3: undefined } });
    assert.deepEqual(states(withoutV3, 'not asked'), ['same chain', 'methods of v3']);
    assert.equal(withoutV3.finding('v3').state, 'open');
    const silent = await look(newest, {
      gate: ({ url }) =>
        url.includes('/streaming/') ? failed(404, { message: 'no route', error: 'Not Found' }) : undefined,
    });
    assert.deepEqual([silent.diagnosis.streaming, silent.finding('streaming').state], [false, 'open']);
    const withoutV2 = await look(newest, { network: { v2: undefined } });
    assert.deepEqual(states(withoutV2, 'not asked').sort(), [
      ...['TVM version', 'archive', 'methods of v2', 'same chain', 'sending', 'streaming'],
    ]);
    assert.match(withoutV2.text, /6 not asked/);
  });

  it('of two APIs of different networks', async () => {
    const looked = await look(newest, { v3: elsewhere });
    assert.deepEqual(states(looked, 'wrong'), ['same chain']);
    assert.match(looked.finding('same chain').text, /They are of different networks\.$/);
    assert.match(looked.finding('same chain').next ?? '', /one of them is for another network/);
  });

  it('of a service that throttles, in each shape: it slows down, ends in time, and names the likely cause', async () => {
    const shapes: [RegExp, Partial<TransportAnswer>][] = [
      [/status 429/, failed(429, { ok: false, result: 'Ratelimit exceed', code: 429 })],
      [/status 429/, failed(429, { ok: false, code: 429, error: 'Ratelimit exceeded' })],
      [/status 503/, failed(503, '<html><title>503 Service Temporarily Unavailable</title></html>')],
      [
        /status 500, "context deadline exceeded"/,
        failed(500, { error: 'timeout: context deadline exceeded' }),
      ],
    ];
    for (const [shape, answer] of shapes) {
      let last = Number.NEGATIVE_INFINITY;
      const looked = await look(newest, {
        network: { v2: 'https://toncenter.com/api/v2', v3: 'https://toncenter.com/api/v3', kind: 'mainnet' },
        // Requests that follow too fast are refused.
        gate: (_request, count) => {
          const now = clock.monotonic();
          const isTooFast = now - last < 500 || count === 2;
          last = now;
          return isTooFast ? answer : undefined;
        },
      });
      const { text, next, state } = looked.finding('limits');
      assert.equal(state, 'wrong', text);
      assert.match(text, shape);
      assert.match(next ?? '', /^The likely cause is that no API key is set: set one with TON: API Key…/);
      assert.ok(looked.diagnosis.elapsedMs <= 20_000, `${looked.diagnosis.elapsedMs} ms`);
      assert.equal(looked.finding('v2').state, 'good', looked.text);
      assert.deepEqual(looked.diagnosis.lacks, []);
    }
  });

  it('of a service that always throttles, with a key: what could not be asked is not called fine', async () => {
    const looked = await look(newest, {
      key: 'k'.repeat(32),
      gate: () => failed(429, { ok: false, result: 'Ratelimit exceed', code: 429 }),
    });
    assert.deepEqual(states(looked, 'good'), []);
    assert.match(looked.finding('limits').next ?? '', /^Wait a moment, or set a lower rate/);
    assert.ok(looked.diagnosis.elapsedMs <= 20_000);
  });

  it('of a service with slow answers: it ends after 20 s', async () => {
    const looked = await look(newest, {
      network: { v2: 'https://toncenter.com/api/v2', v3: 'https://toncenter.com/api/v3' },
      gate: (_request, _count, time) => {
        void time.sleep(4_000);
        return undefined;
      },
    });
    assert.match(looked.finding('limits').text, /took up to 4\.\d s/);
    assert.match(looked.finding('limits').next ?? '', /likely cause is that no API key is set/);
    assert.deepEqual(states(looked, 'not asked'), ['methods of v3', 'streaming', 'archive'], looked.text);
    assert.ok(looked.diagnosis.requests <= 6);
  });

  it('of a service that wants a key, or another one; of one whose clock is wrong; of one that has stopped', async () => {
    const locked = await look(newest, {
      gate: () => failed(401, { ok: false, code: 401, error: 'API key does not exist' }),
    });
    assert.equal(locked.diagnosis.findings[0]?.subject, 'key');
    assert.match(locked.finding('key').next ?? '', /^Set a key with TON: API Key…/);
    const ahead = await look(newest, { clockAhead: 300 });
    assert.equal(ahead.finding('clock').text, "The service's clock is 5 minutes ahead of this machine's.");
    const stopped = await look(newest, { lateness: 3_600 });
    assert.match(stopped.finding('blocks').text, /^The newest block is 60 minutes old\./);
    assert.equal(stopped.finding('blocks').state, 'wrong');
  });

  it('of an address where nothing answers, or something else does', async () => {
    const page = await look(newest, { gate: () => failed(404, '<html><title>404 Not Found</title></html>') });
    assert.equal(page.finding('v2').state, 'wrong');
    assert.match(page.finding('v2').text, /no API v2/);
    assert.deepEqual(states(page, 'good'), []);
    // Whatever refuses everything is no API either, in whatever words.
    for (const [status, body] of [
      [404, { error: 'nothing here' }],
      [404, 'not found'],
      [400, { error: 'bad request' }],
      [422, { detail: 'no' }],
      [500, { error: 'broken' }],
    ] as const) {
      const other = await look(newest, { gate: () => failed(status, body) });
      assert.deepEqual(states(other, 'good'), [], `${status}: ${other.text}`);
      assert.equal(other.finding('v2').state, 'wrong');
      assert.equal(other.diagnosis.streaming === true, false);
      assert.doesNotMatch(other.text, /no time left|does not contain it/, `${status}`);
      assert.doesNotMatch(other.text, /\.\.\/streaming/);
    }
    const wrongPlace = await look(newest, { gate: () => failed(404, { error: 'nothing here' }) });
    assert.match(wrongPlace.finding('v2').next ?? '', /^Check the URL of the network/);
  });

  it('of a network with one API behind a gateway that knows no other path', async () => {
    const only = await look(newest, {
      gate: ({ url }) =>
        new URL(url).pathname.startsWith('/api/v2/') ? undefined : failed(404, { error: 'no such path' }),
    });
    assert.equal(only.diagnosis.streaming, false, only.text);
    assert.deepEqual([only.finding('streaming').state, only.finding('v3').state], ['open', 'wrong']);
    assert.doesNotMatch(only.finding('limits').text, /100 addresses/);
  });

  it('of a service that never answers: each API is asked once, and it ends in time', async () => {
    const looked = await look(newest, { isSilent: true });
    assert.ok(looked.diagnosis.requests <= 2, `${looked.diagnosis.requests}`);
    assert.match(looked.finding('v2').text, /^API v2 did not answer within 8 s\.$/);
    assert.match(looked.finding('v3').text, /^API v3 did not answer/);
    assert.match(looked.finding('limits').text, /^The first request got no answer in time\./);
    assert.deepEqual(states(looked, 'good'), [], looked.text);
    assert.doesNotMatch(looked.text, /Canceled|no time left/);
  });

  it('of a local network whose configuration is of a newer version: it runs the version of its engine', async () => {
    const version = beginCell()
      .storeUint(0xc4, 8)
      .storeUint(engineVersion + 1, 32)
      .storeUint(0, 64)
      .endCell();
    const bytes = version.toBoc().toString('base64');
    const looked = await look(newest, {
      network: { kind: 'local' },
      gate: ({ url }) =>
        url.includes('/getConfigParam')
          ? failed(200, {
              ok: true,
              result: { '@type': 'configInfo', config: { '@type': 'tvm.cell', bytes } },
            })
          : undefined,
    });
    assert.equal(looked.finding('TVM version').state, 'open');
    assert.match(
      looked.finding('TVM version').text,
      new RegExp(
        `^The configuration is of version ${engineVersion + 1}; this network itself runs version ${engineVersion},`,
      ),
    );
  });
});
