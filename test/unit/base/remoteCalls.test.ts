import assert from 'node:assert/strict';
import { MessageChannel } from 'node:worker_threads';
import { WorkbenchError, abortedError } from '../../../src/toolkit/base/errors';
import { RemoteCalls, serveCall } from '../../../src/toolkit/base/serviceThread';
import type { RemoteCall, RemoteResult } from '../../../src/toolkit/base/serviceThread';

interface Counter {
  total: number;
  add(amount: number): number;
  fail(): never;
  wait(): Promise<void>;
}

const counter: Counter = {
  total: 1,
  add(amount) {
    this.total += amount;
    return this.total;
  },
  fail() {
    throw new WorkbenchError({
      code: 'over-limit',
      kind: 'input',
      message: 'Too much.',
      hint: 'Less.',
      details: { most: 3n, cannotCross: () => 1 },
      cause: new Error('inner'),
    });
  },
  wait: () => new Promise(() => undefined),
};

describe('threads: calls across threads', () => {
  let channel: MessageChannel;
  let calls: RemoteCalls<Counter>;

  beforeEach(() => {
    channel = new MessageChannel();
    calls = new RemoteCalls((call) => channel.port1.postMessage(call));
    channel.port1.on('message', (result: RemoteResult) => calls.receive(result));
    channel.port2.on('message', (call: RemoteCall) => {
      void serveCall(counter, call).then((result) => channel.port2.postMessage(result));
    });
  });
  afterEach(() => channel.port1.close());

  it('run the method there and return its value', async () => {
    const [first, second] = await Promise.all([calls.call('add', 2), calls.call('add', 3)]);
    assert.deepEqual([first, second], [3, 6]);
    assert.ok(calls.isIdle);
  });

  it('return an error with its code, kind, hint, and those details that are data', async () => {
    await assert.rejects(calls.call('fail'), (error: unknown) => {
      assert.ok(WorkbenchError.is(error, 'over-limit'));
      assert.deepEqual([error.kind, error.message, error.hint], ['input', 'Too much.', 'Less.']);
      assert.deepEqual(error.details, { most: 3n });
      return true;
    });
  });

  it('reject a method that the other side does not have', async () => {
    const other = calls as unknown as RemoteCalls<{ sing(): void }>;
    await assert.rejects(other.call('sing'), { code: 'internal-error', message: 'There is no method sing.' });
  });

  it('stop waiting once the connection has ended, and are not made afterward', async () => {
    const waiting = calls.call('wait');
    const error = abortedError();
    calls.end(error);
    await assert.rejects(waiting, error);
    await assert.rejects(calls.call('add', 1), error);
  });
});
