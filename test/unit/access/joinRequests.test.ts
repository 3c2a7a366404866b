import assert from 'node:assert/strict';
import { joinRequests } from '../../../src/toolkit/access/limiter';
import type { Ticket } from '../../../src/toolkit/access/limiter';
import { WorkbenchError } from '../../../src/toolkit/base/errors';

interface Result {
  json: unknown;
  text: string;
}

/** Runs that are ended by hand. */
function runs() {
  const started: {
    ticket: Ticket;
    signal: AbortSignal;
    answer(text: string): void;
    fail(error: Error): void;
  }[] = [];
  const run = (ticket: Ticket, { signal }: AbortController): Promise<Result> =>
    new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
      started.push({
        ticket,
        signal,
        answer: (text) => resolve({ json: JSON.parse(text), text }),
        fail: reject,
      });
    });
  return { started, run };
}

const caller = (signal?: AbortSignal) => ({ priority: 'normal', signal }) as const;

describe('joining identical requests', () => {
  it('asks once for simultaneous callers, and again later', async () => {
    const join = joinRequests<Result>();
    const { started, run } = runs();
    const both = [join('a', caller(), run), join('a', caller(), run)];
    assert.equal(started.length, 1);
    started[0]?.answer('{"x":1}');
    const [first, second] = await Promise.all(both);
    assert.deepEqual(second?.json, { x: 1 });
    assert.notEqual(first?.json, second?.json, 'each has its own value: they are converted in place');
    void join('a', caller(), run);
    assert.equal(started.length, 2);
  });

  it('does not join different requests', () => {
    const join = joinRequests<Result>();
    const { started, run } = runs();
    void join('a', caller(), run);
    void join('b', caller(), run);
    assert.equal(started.length, 2);
  });

  it('continues for the others when one cancels, and ends when all have canceled', async () => {
    const join = joinRequests<Result>();
    const { started, run } = runs();
    const [one, two] = [new AbortController(), new AbortController()];
    const work = [join('a', caller(one.signal), run), join('a', caller(two.signal), run)];
    one.abort();
    await assert.rejects(work[0] as Promise<Result>, (error) => WorkbenchError.is(error, 'aborted'));
    assert.equal(started[0]?.signal.aborted, false);
    two.abort();
    await assert.rejects(work[1] as Promise<Result>, (error) => WorkbenchError.is(error, 'aborted'));
    assert.equal(started[0]?.signal.aborted, true);
    void join('a', caller(), run);
    assert.equal(started.length, 2, 'nobody joins a request that has been ended');
  });

  it('takes the priority of the most urgent caller', () => {
    const join = joinRequests<Result>();
    const { started, run } = runs();
    void join('a', { priority: 'background', signal: undefined }, run);
    void join('a', { priority: 'user', signal: undefined }, run);
    assert.equal(started[0]?.ticket.priority, 'user');
  });

  it('reports a failure to every caller and forgets it', async () => {
    const join = joinRequests<Result>();
    const { started, run } = runs();
    const work = [join('a', caller(), run), join('a', caller(), run)];
    started[0]?.fail(new Error('broken'));
    await Promise.all(work.map((one) => assert.rejects(one, /broken/)));
    void join('a', caller(), run);
    assert.equal(started.length, 2);
  });
});
