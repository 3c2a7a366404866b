import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createAccess } from '../../../src/toolkit/access/createAccess';
import { networkAt } from '../../../src/toolkit/access/resolveNetwork';
import type { StreamTransport } from '../../../src/toolkit/access/transport';
import { watchStream } from '../../../src/toolkit/access/watchStream';
import { SteppedClock } from '../../support/steppedClock';
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

  it('storms nobody: 50 streams that end at once connect again within the pace of the network', async () => {
    const clock = new SteppedClock();
    const at: number[] = [];
    const origin = 'https://rate.example';
    const access = createAccess({
      ...{ network: networkAt(`${origin}/api/v2`, `${origin}/api/v3`), clock, random: () => 0.5 },
      requestsPerSecond: () => 1,
      streamTransport: () => {
        at.push(clock.now());
        const header = (name: string): string | undefined => subscribed[2]?.[name];
        return Promise.resolve({ status: 200, header, body: Readable.from([Buffer.from(subscribed[1])]) });
      },
    });
    const stop = new AbortController();
    const ends = Array.from({ length: 50 }, async () => {
      for await (const one of watchStream(access, { types: ['transactions'], addresses: [] }, stop)) {
        assert.ok(one.kind === 'connected' || one.kind === 'lost');
      }
    });
    const end = clock.now() + 300_000;
    while (clock.now() < end) {
      clock.advance(250);
      await nextTurn();
    }
    const most = Math.max(
      ...at.map((from) => at.filter((time) => time >= from && time < from + 10_000).length),
    );
    // One a second; the first few come at once.
    assert.ok(at.length > 100, `${at.length} connections`);
    assert.ok(most <= 12, `${most} connections in ten seconds`);
    stop.abort();
    clock.advance(120_000);
    await Promise.all(ends);
  });
});
