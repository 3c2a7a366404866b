import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { createAccess } from '../../../src/toolkit/access/createAccess';
import { networkAt } from '../../../src/toolkit/access/resolveNetwork';
import type { StreamTransport } from '../../../src/toolkit/access/transport';
import { watchStream } from '../../../src/toolkit/access/watchStream';
import { HastyClock } from '../../support/hastyClock';

type Answer = [status: number, text: string, headers?: Readonly<Record<string, string>>];
const subscribed: Answer = [
  200,
  'data: {"status":"subscribed"}\n\n',
  { 'content-type': 'text/event-stream' },
];

/** What becomes of a stream whose connections are answered like this, one after the other, until `most` signals. */
async function signalsOf(answers: Answer[], most: number): Promise<[kind: string, retryInMs?: number][]> {
  const streamTransport: StreamTransport = () => {
    const [status, text, headers = {}] = answers.shift() ?? [500, ''];
    return Promise.resolve({
      ...{ status, header: (name: string) => headers[name] },
      body: Readable.from([Buffer.from(text)]),
    });
  };
  const origin = 'http://127.0.0.1:9';
  const access = createAccess({
    ...{ network: networkAt(origin, origin), clock: new HastyClock(), random: () => 0.5, streamTransport },
  });
  const { signal } = new AbortController();
  const told: [string, number?][] = [];
  for await (const one of watchStream(access, { types: ['transactions'], addresses: [] }, { signal })) {
    told.push(one.kind === 'lost' ? [one.kind, one.retryInMs] : [one.kind]);
    if (told.length === most) {
      break;
    }
  }
  return told;
}

describe('a stream that is lost', () => {
  it('is opened again no earlier than the service asks', async () => {
    const told = await signalsOf([[429, '{"error":"slow down"}', { 'retry-after': '30' }]], 2);
    assert.deepEqual(told[0], ['lost', 30_000]);
    assert.equal(told[1]?.[0], 'lost');
    assert.ok((told[1]?.[1] ?? 0) < 5_000);
  });

  it('is not given up for what a service that is starting again says', async () => {
    const missing: Answer = [404, '{"error":"no such path"}'];
    const told = await signalsOf([subscribed, missing, missing, subscribed], 5);
    assert.deepEqual(
      told.map(([kind]) => kind),
      ['connected', 'lost', 'lost', 'lost', 'connected'],
    );
    const waits = told.flatMap(([, ms]) => ms ?? []);
    assert.ok(
      waits.every((ms, index) => index === 0 || ms > (waits[index - 1] ?? 0)),
      waits.join(),
    );
  });
});
