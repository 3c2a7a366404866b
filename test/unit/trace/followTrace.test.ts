import assert from 'node:assert/strict';
import { WorkbenchError } from '../../../src/toolkit/base/errors';
import type { Clock } from '../../../src/toolkit/base/time';
import { followTrace } from '../../../src/toolkit/trace/followTrace';
import type { FollowParameters } from '../../../src/toolkit/trace/readFollowTarget';
import type { TraceParameter, TraceSource } from '../../../src/toolkit/trace/readTraces';
import type { V3TraceWire as V3Trace } from '../../../src/toolkit/api/v3Traces';
import { chain, fakeAccount, fakeHash, syntheticTrace } from './syntheticTrace';
import { systemClock } from '../../../src/toolkit/base/time';

const message = fakeHash('msg', 0);

function clockAt(sleeps: number[] = []): Clock {
  let now = 0;
  return {
    now: () => now,
    monotonic: () => now,
    after: systemClock.after,
    sleep: (ms, signal) => {
      sleeps.push(ms);
      now += ms;
      return new Promise((resolve, reject) =>
        setImmediate(() => (signal?.aborted === true ? reject(new Error('aborted')) : resolve())),
      );
    },
  };
}

/** The first `count` transactions of a chain of four, as the service shows them while it runs. */
function pendingTrace(count: number): V3Trace {
  const trace = syntheticTrace(4, chain);
  const order = (trace.transactions_order ?? []).slice(0, count);
  return {
    ...trace,
    end_lt: null,
    end_utime: null,
    trace: null,
    trace_info: { trace_state: 'pending', transactions: count, messages: count + 1, pending_messages: 1 },
    transactions_order: order,
    transactions: Object.fromEntries(
      order.map((hash) => [hash, { ...trace.transactions?.[hash], emulated: true }]),
    ),
  };
}

type Round = (
  endpoint: string,
  parameters: Readonly<Record<string, TraceParameter>>,
) => V3Trace[] | Error | null;

/** A service whose answers depend on how often its pending list was asked. */
function service(rounds: readonly Round[]): TraceSource & { asked: string[]; round: () => number } {
  const asked: string[] = [];
  let round = 0;
  let isFirst = true;
  return {
    asked,
    round: () => round,
    request: (endpoint, parameters) => {
      if (
        endpoint === 'pendingTraces' &&
        ('ext_msg_hash' in parameters || !asked.some((a) => a.includes('ext_msg')))
      ) {
        round = isFirst ? 0 : round + 1;
        isFirst = false;
      }
      asked.push(`${round} ${endpoint} ${Object.keys(parameters)[0] ?? ''}`);
      const answer = rounds[Math.min(round, rounds.length - 1)]?.(endpoint, parameters) ?? null;
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve({ traces: answer });
    },
  };
}

async function tell(source: TraceSource, parameters: FollowParameters): Promise<string[]> {
  const told: string[] = [];
  for await (const event of followTrace(source, { clock: clockAt(), ...parameters })) {
    switch (event.type) {
      case 'trace':
        told.push(
          `${event.isFinal ? 'final' : 'pending'} ${event.model.nodes.filter((n) => n.isCarried).length}`,
        );
        break;
      case 'error':
        told.push(`error ${event.error.code} ${event.retryInMs}`);
        break;
      default:
        told.push(event.type);
    }
    assert.ok(told.length < 50, 'following must end');
  }
  return told;
}

const pending =
  (count: number): Round =>
  (endpoint) =>
    endpoint === 'pendingTraces' ? [pendingTrace(count)] : [];
const nothing: Round = () => [];
const complete: Round = (endpoint) => (endpoint === 'traces' ? [syntheticTrace(4, chain)] : null);

describe('following a message', () => {
  it('goes from sent through pending to complete, growing, and ends automatically', async () => {
    const told = await tell(service([nothing, pending(1), pending(1), pending(3), complete]), {
      hashes: [message],
    });
    assert.deepEqual(told, ['waiting', 'pending 1', 'pending 3', 'final 4']);
  });

  it('works if pending traces are never shown', async () => {
    assert.deepEqual(await tell(service([nothing, nothing, complete]), { hashes: [message] }), [
      'waiting',
      'final 4',
    ]);
  });

  it('does not request pending traces from the indexed ones', async () => {
    const source = service([pending(1), pending(2), complete]);
    await tell(source, { hashes: [message] });
    assert.deepEqual(source.asked, [
      '0 pendingTraces ext_msg_hash',
      '1 pendingTraces ext_msg_hash',
      '2 pendingTraces ext_msg_hash',
      '2 traces msg_hash',
    ]);
  });

  it('combines account and hash in two requests and shows no trace twice', async () => {
    const controller = new AbortController();
    const source = service([pending(1), pending(2), complete, nothing, nothing]);
    const told: string[] = [];
    for await (const event of followTrace(source, {
      hashes: [message],
      account: fakeAccount(0),
      signal: controller.signal,
      clock: clockAt(),
    })) {
      told.push(event.type === 'trace' ? String(event.isFinal) : event.type);
      if (event.type === 'trace' && event.isFinal) {
        setImmediate(() => controller.abort());
      }
    }
    assert.deepEqual(told, ['waiting', 'false', 'false', 'true']);
    assert.ok(source.asked.includes('0 pendingTraces ext_msg_hash'));
    assert.ok(source.asked.includes('0 pendingTraces account'));
  });

  it('continues with a trace that grows too large for one answer, and assembles it in the end', async () => {
    const whole = syntheticTrace(4, chain);
    const rows = Object.values(whole.transactions ?? {}).map((row) => ({ ...row, trace_id: whole.trace_id }));
    // All that is left of its names is one that nobody asked for.
    const large = (state: string): V3Trace => ({
      trace_id: whole.trace_id,
      external_hash: fakeHash('raw', 0),
      start_lt: whole.start_lt,
      end_lt: state === 'pending' ? null : whole.end_lt,
      trace_info: { trace_state: state, transactions: 4, messages: 4, pending_messages: 0 },
      is_incomplete: true,
      warning: 'trace is too large',
    });
    const rounds = [
      pending(1),
      ...[0, 1, 2, 3, 4, 5].map(
        (): Round => (endpoint) => (endpoint === 'pendingTraces' ? [large('pending')] : []),
      ),
      ((endpoint) => (endpoint === 'traces' ? [large('complete')] : null)) satisfies Round,
    ];
    const inner = service(rounds);
    const source: TraceSource = {
      request: (endpoint, ...rest) =>
        endpoint === 'transactions'
          ? Promise.resolve({ transactions: rows })
          : inner.request(endpoint, ...rest),
    };
    const told = await tell(source, { hashes: [message] });
    assert.deepEqual(
      [told.includes('gone'), told.includes('unseen'), told.at(-1)],
      [false, false, 'final 4'],
    );
  });

  it('pauses after an answer that took long', async () => {
    const sleeps: number[] = [];
    const clock = clockAt(sleeps);
    const inner = service([pending(1), complete]);
    let now = 0;
    const slow: TraceSource = {
      request: (endpoint, ...rest) => {
        now += 5000;
        return inner.request(endpoint, ...rest);
      },
    };
    await tell(slow, { hashes: [message], clock: { ...clock, monotonic: () => now } });
    assert.deepEqual(sleeps, [15_000]);
  });

  it('reports a pending trace that disappears', async () => {
    const told = await tell(service([pending(2), nothing]), { hashes: [message] });
    assert.deepEqual(told, ['waiting', 'pending 2', 'gone']);
  });

  it('continues after errors, waiting longer each time', async () => {
    const failure = new WorkbenchError({ code: 'connection-lost', kind: 'network', message: 'no route' });
    const broken: Round = () => failure;
    const told = await tell(service([broken, broken, pending(1), complete]), {
      hashes: [message],
      intervalMs: 100,
    });
    assert.deepEqual(told, [
      'waiting',
      'error connection-lost 200',
      'error connection-lost 400',
      'pending 1',
      'final 4',
    ]);
  });

  it('does without pending traces if the service has none', async () => {
    const refusal = new WorkbenchError({
      code: 'service-failure',
      kind: 'service',
      message: 'no',
      details: { status: 500, serviceText: 'emulatedTracesRepository is not initialized' },
    });
    const source: TraceSource = {
      request: (endpoint) =>
        endpoint === 'pendingTraces'
          ? Promise.reject(refusal)
          : Promise.resolve({ traces: [syntheticTrace(4, chain)] }),
    };
    assert.deepEqual(await tell(source, { hashes: [message] }), ['waiting', 'final 4']);
  });

  it('gives up on a message that nobody has seen', async () => {
    const told = await tell(service([nothing]), { hashes: [message], patienceMs: 10_000, intervalMs: 1000 });
    assert.deepEqual(told, ['waiting', 'unseen']);
  });

  it('ends at a refusal that a retry would not fix', async () => {
    for (const code of ['unauthorized', 'forbidden', 'wrong-shape', 'bad-request', 'not-found'] as const) {
      const refusal = new WorkbenchError({ code, kind: 'service', message: 'no' });
      const source = service([pending(1), () => refusal]);
      await assert.rejects(tell(source, { hashes: [message] }), { code });
      assert.equal(source.round(), 1, 'asked once');
    }
  });

  it('says that nothing is known if the network stays unreachable', async () => {
    const failure = new WorkbenchError({ code: 'service-failure', kind: 'service', message: 'down' });
    const errors: unknown[] = [];
    let last: unknown;
    for await (const event of followTrace(service([() => failure]), {
      hashes: [message],
      patienceMs: 10_000,
      intervalMs: 1000,
      clock: clockAt(),
    })) {
      errors.push(...(event.type === 'error' ? [event.failures] : []));
      last = event;
    }
    assert.deepEqual(errors, [1, 2, 3, 4]);
    assert.deepEqual(last, { type: 'unseen', hash: message, error: failure });
  });

  it('ends on command, and rejects nonsense at once', async () => {
    const controller = new AbortController();
    controller.abort();
    assert.deepEqual(await tell(service([nothing]), { hashes: [message], signal: controller.signal }), [
      'waiting',
    ]);
    await assert.rejects(tell(service([nothing]), {}), { code: 'follow-nothing' });
    await assert.rejects(tell(service([nothing]), { hashes: ['x'] }), { code: 'trace-query-invalid' });
  });

  it("does not repeat an account's earlier traces", async () => {
    const controller = new AbortController();
    let rounds = 0;
    const source: TraceSource = {
      request: (endpoint) => {
        if (endpoint === 'pendingTraces') {
          rounds++;
          if (rounds === 4) {
            controller.abort();
          }
          return Promise.resolve({ traces: null });
        }
        const old = syntheticTrace(4, chain);
        const fresh = { ...syntheticTrace(1, chain), trace_id: undefined, external_hash: fakeHash('new', 1) };
        fresh.transactions = {
          [fakeHash('new', 0)]: {
            hash: fakeHash('new', 0),
            in_msg: { hash: fakeHash('new', 1) },
            out_msgs: [],
          },
        };
        fresh.transactions_order = [fakeHash('new', 0)];
        fresh.trace = null;
        return Promise.resolve({ traces: rounds < 3 ? [old] : [fresh, old] });
      },
    };
    assert.deepEqual(await tell(source, { account: fakeAccount(0), signal: controller.signal }), ['final 1']);
  });
});
