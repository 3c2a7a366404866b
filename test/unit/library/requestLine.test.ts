import assert from 'node:assert/strict';
import { RequestLine } from '../../../src/library/requestLine';
import type { WaitingRequest } from '../../../src/library/requestLine';
import { usualPatience } from '../../../src/library/usualPatience';
import type { WalletAnswer } from '../../../src/library/wallet';

const waiting = (number: number): WaitingRequest => ({
  request: { number, method: 'connect', asks: 'connect', domain: 'shop.example', accepted: undefined },
  decide: () => undefined,
});

const refused = (number: number): WalletAnswer => ({
  ...{ number, method: 'sendTransaction', answered: true, hash: undefined, internalBoc: undefined },
  error: { code: 1, message: 'A raw address.' },
});

describe('the requests that a test has not decided', () => {
  it('are taken in their order, whoever was first: the test or the request', async () => {
    const line = new RequestLine();
    line.add(waiting(1));
    line.add(waiting(2));
    assert.deepEqual(
      line.undecided.map(({ number }) => number),
      [1, 2],
    );
    assert.equal((await line.take(1)).request.number, 1);
    assert.equal((await line.take(1)).request.number, 2);
    const third = line.take(60_000);
    line.add(waiting(3));
    assert.equal((await third).request.number, 3);
    assert.deepEqual(line.undecided, []);
  });

  it('go to who still waits, not to who has given up', async () => {
    const line = new RequestLine();
    await assert.rejects(line.take(1), {
      code: 'timeout',
      message: 'No request came to the wallet within 1 ms.',
    });
    line.add(waiting(1));
    assert.equal((await line.take(1)).request.number, 1);
  });

  it('are told from those that were refused at once since the last one', async () => {
    const line = new RequestLine();
    line.refuse(refused(1));
    line.add(waiting(2));
    await line.take(1);
    line.refuse(refused(3));
    await assert.rejects(line.take(1), {
      code: 'timeout',
      message:
        'No request that a test can decide came to the wallet within 1 ms; request 3 (sendTransaction) was refused at once with code 1: A raw address.',
    });
  });
});

describe('the patience of a test', () => {
  it('ends clearly before the test does', () => {
    assert.equal(usualPatience(30_000, 0), 10_000);
    assert.equal(usualPatience(30_000, 20_000), 5_000);
    assert.equal(usualPatience(5_000, 1_000), 2_000);
    assert.equal(usualPatience(5_000, 6_000), 1);
    assert.equal(usualPatience(0, 100_000), 10_000, 'a test without an end');
  });
});
