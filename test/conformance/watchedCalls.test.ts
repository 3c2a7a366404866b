import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { methodsOf } from '../../src/editor/project/methodsOf';
import type { Services } from '../../src/editor/project/services';
import type { Access } from '../../src/toolkit/access/createAccess';
import { createAccess, createFetchTransport } from '../../src/toolkit/access/createAccess';
import type { Priority } from '../../src/toolkit/access/limiter';
import { runGetMethod } from '../../src/toolkit/getMethods/runGetMethod';
import { WatchSchedule } from '../../src/toolkit/getMethods/watchSchedule';
import type { Localnet } from '../../src/toolkit/localnet/localnet';
import { startLocalnet } from '../../src/toolkit/localnet/startLocalnet';
import { silentLog } from '../../src/toolkit/base/log';
import type { PassingProxy } from '../support/passingProxy';
import { startPassingProxy } from '../support/passingProxy';
import { SteppedClock } from '../support/steppedClock';
import { until } from '../support/until';

/** What the test's network allows; a first burst of as many more. */
const perSecond = 8;

const send = createFetchTransport();

describe('watched calls on a rate-limited network', () => {
  let localnet: Localnet;
  let proxy: PassingProxy;
  let access: Access;
  let at: number[];
  let clock: SteppedClock;
  let underWay: number;
  let errors: number;
  let schedule: WatchSchedule<string> | undefined;

  before(async () => {
    localnet = await startLocalnet({ port: 0, log: silentLog });
    proxy = await startPassingProxy(new URL(localnet.v2).origin);
  });
  after(async () => {
    await proxy?.close();
    await localnet?.close();
  });
  beforeEach(() => {
    at = [];
    errors = 0;
    clock = new SteppedClock();
    underWay = 0;
    proxy.answer = () => {
      at.push(clock.now());
      return undefined;
    };
    const { origin } = proxy;
    access = createAccess({
      network: {
        name: 'Limited',
        kind: 'custom',
        v2: `${origin}/api/v2`,
        v3: `${origin}/api/v3`,
        globalId: -239,
      },
      requestsPerSecond: () => perSecond,
      transport: async (request) => {
        underWay += 1;
        try {
          return await send(request);
        } finally {
          underWay -= 1;
        }
      },
      clock,
    });
  });
  afterEach(() => schedule?.keep(() => false));

  const services = {
    connections: { to: () => Promise.resolve(access) },
    project: {
      findSource: () => Promise.resolve(),
      list: () => Promise.resolve([]),
      chosen: () => undefined,
    },
  } as unknown as Services;

  /** As a watch calls: the method, and what is known of the contract beside it. */
  const call = async (address: string, priority: Priority): Promise<void> => {
    await Promise.all([
      runGetMethod(access, { address, method: 'seqno', stack: [] }, { priority }),
      methodsOf(services, access.network, address, undefined, priority),
    ]);
  };
  /** A schedule whose clock goes a hundred times as fast: it alone would call far too often. */
  const watchAll = (): void => {
    schedule = new WatchSchedule<string>({
      run: (address) => call(address, 'background'),
      isLocal: () => false,
      onError: () => (errors += 1),
      after: (ms, work) => clock.after(ms / 100, work),
    });
    localnet.accounts.forEach(({ address }) => schedule?.add(address));
  };
  /** Lets time pass until it is so. What has been sent is answered before it goes on. */
  const pass = async (isOver: () => boolean): Promise<void> => {
    while (!isOver()) {
      clock.advance(25);
      await nextTurn();
      await nextTurn();
      await until(() => underWay === 0, 'every answer');
    }
  };
  const passSeconds = (seconds: number): Promise<void> => {
    const end = clock.now() + seconds * 1_000;
    return pass(() => clock.now() >= end);
  };
  /** Most requests that came within any second. */
  const mostPerSecond = (): number =>
    Math.max(...at.map((begin) => at.filter((time) => time >= begin && time < begin + 1000).length));

  it("never run more often than allowed, and let a user's call go first", async () => {
    watchAll();
    await pass(() => at.length >= perSecond);
    const before = at.length;
    const [first] = localnet.accounts;
    let isAnswered = false;
    const asked = runGetMethod(
      access,
      { address: first?.address ?? '', method: 'get_subwallet_id', stack: [] },
      { priority: 'user' },
    ).finally(() => (isAnswered = true));
    await pass(() => isAnswered);
    await asked;
    assert.ok(at.length - before <= 4, `${at.length - before} requests went before the person's`);
    await pass(() => at.length >= perSecond * 4);
    assert.ok(mostPerSecond() <= perSecond * 2 + 2, `${mostPerSecond()} requests in a second`);
    assert.equal(errors, 0);
  });

  it('stay within a request a second for 50 of them, whatever the blocks take', async () => {
    const methods = ['seqno', 'get_subwallet_id', 'get_public_key', 'is_signature_allowed', 'get_extensions'];
    const calls = localnet.accounts.flatMap(({ address }) => methods.map((method) => ({ address, method })));
    assert.equal(calls.length, 50);
    const rounds = new Map<string, number>();
    schedule = new WatchSchedule<string>({
      run: async (text) => {
        const call = JSON.parse(text) as { address: string; method: string };
        rounds.set(text, (rounds.get(text) ?? 0) + 1);
        await runGetMethod(access, { ...call, stack: [] }, { priority: 'background' }).catch(() => undefined);
      },
      isLocal: () => false,
      onError: () => (errors += 1),
      after: (ms, work) => clock.after(ms, work),
    });
    calls.forEach((call) => schedule?.add(JSON.stringify(call)));
    await pass(() => at.length >= calls.length);
    const began = clock.now();
    const before = at.length;
    // Blocks of 400 ms.
    while (clock.now() < began + 400_000) {
      schedule.blockMade();
      clock.advance(400);
      await nextTurn();
      await until(() => underWay === 0, 'every answer');
    }
    const perSecond400 = (at.length - before) / 400;
    assert.ok(perSecond400 > 0.4 && perSecond400 <= 1, `${perSecond400} requests a second`);
    assert.ok(Math.min(...rounds.values()) >= 4, 'each has its turn');
  });

  it('continue when the service fails, and end with the last watch', async () => {
    let isDown = true;
    proxy.answer = () => {
      at.push(clock.now());
      return isDown ? { status: 404, body: { ok: false, error: 'not here', code: 404 } } : undefined;
    };
    watchAll();
    await pass(() => errors >= 2);
    isDown = false;
    const failed = errors;
    const came = at.length;
    await pass(() => at.length >= came + perSecond);
    assert.ok(errors <= failed + localnet.accounts.length, 'only those under way');
    schedule?.keep(() => false);
    // What was under way or waits for its turn still ends; each call is made of two requests at most.
    await passSeconds((2 * localnet.accounts.length) / perSecond);
    const ended = at.length;
    await passSeconds(10);
    assert.equal(at.length, ended);
  });
});
