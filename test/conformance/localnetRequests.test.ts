import assert from 'node:assert/strict';
import http from 'node:http';
import * as fc from 'fast-check';
import type { Endpoint } from '../../src/toolkit/access/endpoint/endpoint';
import { allEndpoints } from '../../src/toolkit/access/listEndpoints';
import type { Parameter, ParameterKind } from '../../src/toolkit/access/endpoint/parameter';
import type { Localnet } from '../../src/toolkit/localnet/localnet';
import type { BusyNetwork } from './support/busyNetwork';
import { fillNetwork, startManualNetwork } from './support/busyNetwork';

const isLong = process.env['TONWB_LONG'] === '1';
const wellFormed = isLong ? 10_000 : 600;
const malformed = isLong ? 10_000 : 600;
/** The short run asks the same every time. */
const seed = isLong ? {} : { seed: 20_261_121 };

/** The service's own refusals with a status of 500 (sections 2.8, 2.9, 5.5, 10 and 13 of the reference). */
const ownErrors = [
  /^LITE_SERVER_(?:UNKNOWN|NOTREADY)/,
  /^limit is not allowed: \d+ > \d+$/,
  /^wrong value for sort parameter$/,
  /^unsupported stack parameter type: /,
  /^Invalid (?:number|cell)/,
  /^failed to parse (?:address|method)$/,
  /^internal server error: Cannot (?:GET|POST|PUT|DELETE) /,
];

/** Those with bodies have more to get wrong. */
const anyEndpoint = fc.oneof(
  fc.constantFrom(...allEndpoints().map(({ endpoint }) => endpoint)),
  fc.constantFrom(
    ...allEndpoints()
      .map(({ endpoint }) => endpoint)
      .filter(({ methods }) => !methods.includes('GET')),
  ),
);

interface Sent {
  method: 'GET' | 'POST';
  url: string;
  body?: string;
}

describe('requests to the local network', () => {
  let network: Localnet | undefined;
  let busy: BusyNetwork;
  before(async () => {
    network = await startManualNetwork();
    busy = await fillNetwork(network);
  });
  after(() => network?.close());

  const judge = async (sent: Sent, statuses: (status: number, text: string) => boolean): Promise<void> => {
    const { method, url, body } = sent;
    const response = await fetch(`http://127.0.0.1:${network?.port}${url}`, {
      method,
      ...(body === undefined ? {} : { body, headers: { 'content-type': 'application/json' } }),
    });
    const text = await response.text();
    const place = `${method} ${url} ${body ?? ''} answered ${response.status} ${text.slice(0, 300)}`;
    if (text === '') {
      // The service's framework answers for JSON-RPC that is not a request.
      assert.deepEqual([response.status, /\/api\/v2(?:\/jsonRPC)?$/.test(url)], [500, true], place);
      return;
    }
    const answer = JSON.parse(text) as { ok?: boolean; code?: number; error?: string };
    assert.ok(typeof answer === 'object', place);
    if (url.startsWith('/api/v2')) {
      assert.equal(answer.ok, response.status === 200, place);
      assert.equal(answer.code, response.status === 200 ? undefined : response.status, place);
    }
    if (response.status !== 200) {
      assert.equal(typeof answer.error, 'string', place);
      assert.ok(statuses(response.status, answer.error ?? ''), place);
    }
  };

  it(`${wellFormed} well-formed ones: never an error other than the service's own`, async () => {
    const request = anyEndpoint.chain((endpoint) =>
      requestTo(endpoint, (parameter) => valueOf(parameter, busy)),
    );
    await fc.assert(
      fc.asyncProperty(request, (sent) =>
        judge(sent, (status, text) =>
          status === 500
            ? ownErrors.some((known) => known.test(text))
            : [401, 404, 409, 422, 501, 542].includes(status),
        ),
      ),
      { numRuns: wellFormed, ...seed },
    );
  });

  it(`${malformed} malformed ones: each is refused or answered, and the network survives`, async () => {
    const odd = fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      fc.constantFrom<unknown>(
        [null],
        [[]],
        [['num']],
        [[1, 2]],
        [['cell', null]],
        [['tuple', { elements: [null] }]],
        [{ type: 'num' }],
        [{}],
        1e21,
        { bytes: 1 },
      ),
    );
    const anything = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '',
        '0',
        '-1',
        '1e999',
        'null',
        'NaN',
        'true',
        '[]',
        '{}',
        '%',
        '٣',
        '0x',
        'te6cckEBAQEAAgAAAEysuc0=',
        '9'.repeat(30),
        `-1:${'f'.repeat(64)}`,
        '0:zz',
        'A'.repeat(43),
        'A'.repeat(48),
      ),
      fc.json({ maxDepth: 4 }),
    );
    const request = anyEndpoint.chain((endpoint) =>
      fc.oneof(
        requestTo(endpoint, () => anything),
        // Right but for a part, so that the reading behind the first check is reached.
        requestTo(endpoint, (parameter) =>
          fc.oneof({ weight: 3, arbitrary: valueOf(parameter, busy) }, { weight: 1, arbitrary: odd }),
        ),
        brokenBody(endpoint),
      ),
    );
    const refused = (status: number, text: string): boolean =>
      status === 500 ? ownErrors.some((known) => known.test(text)) : status >= 400 && status < 600;
    await fc.assert(
      fc.asyncProperty(request, (sent) => judge(sent, refused)),
      { numRuns: malformed, ...seed },
    );
    for (const stack of [[null], [{}], [[]], [['tuple', { elements: [null] }]], [['cell', null]], [1]]) {
      for (const path of ['/api/v3/runGetMethod', '/api/v2/runGetMethod', '/api/v2/runGetMethodStd']) {
        const body = JSON.stringify({ address: busy.minter, method: 'seqno', stack });
        await judge({ method: 'POST', url: path, body }, refused);
      }
    }
    const { status } = await busy.call('GET', '/api/v2/getMasterchainInfo');
    assert.equal(status, 200);
  });

  it('a body of 1 MiB is read and refused for its contents, one of 100 MiB for its size, and memory stays bounded', async () => {
    const { port = 0, v2 = '', v3 = '' } = network ?? {};
    const boc = JSON.stringify({ boc: 'A'.repeat(1024 * 1024) });
    const [one, other] = [await post(`${v3}/message`, boc), await post(`${v2}/sendBoc`, boc)];
    assert.deepEqual([one.status, other.status], [500, 500]);
    assert.match(String(one.answer['error']), /^LITE_SERVER_UNKNOWN: .*failed to parse external message/);
    assert.equal(other.answer['error'], one.answer['error']);

    const before = process.memoryUsage.rss();
    for (let round = 0; round < 5; round += 1) {
      for (const path of ['/api/v2/sendBoc', '/api/v3/message', '/api/v2/jsonRPC']) {
        // The connection may be closed before the answer is read.
        assert.ok([413, 0].includes(await pour(port, path, 100)), path);
      }
    }
    const grown = (process.memoryUsage.rss() - before) / 1024 / 1024;
    assert.ok(grown < 300, `1.5 GB of bodies left ${grown.toFixed()} MiB`);
    const stated = await post(`${v3}/message`, 'x'.repeat(9 * 1024 * 1024)).catch(() => undefined);
    assert.ok(stated === undefined || stated.status === 413);
    assert.ok(stated === undefined || /larger than 8388608 bytes/.test(String(stated.answer['error'])));
    assert.equal((await busy.call('GET', '/api/v3/masterchainInfo')).status, 200);
  });
});

async function post(url: string, body: string): Promise<{ status: number; answer: Record<string, unknown> }> {
  const response = await fetch(url, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json' },
  });
  return { status: response.status, answer: (await response.json()) as Record<string, unknown> };
}

/** Sends a body of unstated length in chunks until the server has had enough; the status it answered, or 0. */
function pour(port: number, path: string, megabytes: number): Promise<number> {
  return new Promise((resolve) => {
    const chunk = Buffer.alloc(1024 * 1024, 0x78);
    const sent = http.request({ port, host: '127.0.0.1', path, method: 'POST' }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on('error', () => resolve(0));
    let left = megabytes;
    const next = (): void => {
      if (left === 0 || sent.destroyed) {
        sent.end();
        return;
      }
      left -= 1;
      sent.write(chunk, next);
    };
    next();
  });
}

/** A request with some of the endpoint's parameters, the required ones always. */
function requestTo(
  endpoint: Endpoint,
  values: (parameter: Parameter) => fc.Arbitrary<unknown>,
): fc.Arbitrary<Sent> {
  const fields = Object.entries(endpoint.parameters).map(([name, parameter]) => {
    const one = values(parameter);
    const value = parameter.repeated ? fc.array(one, { maxLength: 4 }) : one;
    return [name, parameter.required ? value : fc.option(value, { nil: undefined, freq: 2 })] as const;
  });
  return fc
    .record({ method: fc.constantFrom(...endpoint.methods), fields: fc.record(Object.fromEntries(fields)) })
    .map(({ method, fields: given }) => {
      const url = `/api/${endpoint.layer}${endpoint.path}`;
      const present = Object.entries(given).filter(([, value]) => value !== undefined);
      if (method === 'POST') {
        return { method, url, body: JSON.stringify(Object.fromEntries(present)) };
      }
      const pairs = present.flatMap(([name, value]) =>
        (Array.isArray(value) ? (value as unknown[]) : [value]).map(
          (item) => `${name}=${encodeURIComponent(textOf(item))}`,
        ),
      );
      return { method, url: pairs.length === 0 ? url : `${url}?${pairs.join('&')}` };
    });
}

function textOf(item: unknown): string {
  return typeof item === 'string' ? item : JSON.stringify(item);
}

/** Something else than the JSON object that is expected, or parameters of wrong types. */
function brokenBody({ layer, path, parameters }: Endpoint): fc.Arbitrary<Sent> {
  const wrong = fc.dictionary(
    fc.constantFrom(...Object.keys(parameters), 'x'),
    fc.jsonValue({ maxDepth: 3 }),
  );
  const body = fc.oneof(
    fc.string(),
    fc.json(),
    wrong.map((value) => JSON.stringify(value)),
  );
  return body.map((text) => ({ method: 'POST' as const, url: `/api/${layer}${path}`, body: text }));
}

/** A value that the table calls right. */
function valueOf(
  { choices, minimum, maximum, ...parameter }: Parameter,
  busy: BusyNetwork,
): fc.Arbitrary<unknown> {
  if (choices !== undefined) {
    return fc.constantFrom(...choices);
  }
  const hash = fc.oneof(
    fc.constant(busy.pendingHash),
    fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString('hex')),
  );
  const small = fc.integer({ min: minimum ?? -3, max: Math.min(maximum ?? 60, 60) });
  const known = [
    busy.alice,
    busy.minter,
    busy.bobJettons,
    busy.item,
    busy.sale,
    busy.multisig,
    busy.domain,
    busy.tickTock,
  ];
  const cell = fc.constantFrom('te6cckEBAQEAAgAAAEysuc0=', busy.undeployed.init_code, busy.repeatable);
  const arbitraries: Record<ParameterKind, fc.Arbitrary<unknown>> = {
    address: fc.oneof(
      fc.constantFrom(...known),
      hash.map((hex) => `0:${hex}`).filter((raw) => raw.length === 66),
    ),
    hash,
    integer: fc.oneof(small, fc.integer({ min: minimum ?? -(2 ** 31), max: maximum ?? 2 ** 31 - 1 })),
    int64: fc.oneof(small, fc.bigInt({ min: BigInt(minimum ?? 0), max: 2n ** 63n - 1n }).map(String)),
    time: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
    shard: fc.constantFrom('-9223372036854775808', '8000000000000000', '4000000000000000'),
    opcode: fc.constantFrom('0x0f8a7ea5', '0', '-1', '5fcc3d14'),
    boolean: fc.boolean(),
    text: fc.constantFrom('0', '7', 'example.ton', 'a.b.c', 'latest', 'v1', 'getMasterchainInfo'),
    choice: fc.constant('asc'),
    boc: cell,
    method: fc.constantFrom('seqno', 'get_jetton_data', 'get_nft_data', 'get_sale_data', 85143, -1),
    stack: fc.constantFrom([], [['num', '1']], [{ type: 'num', value: '0x2a' }]),
    json: fc.constantFrom({}, { address: busy.alice }),
  };
  return arbitraries[parameter.kind];
}
