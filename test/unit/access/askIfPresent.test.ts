import assert from 'node:assert/strict';
import { askIfPresent } from '../../../src/toolkit/access/askIfPresent';
import { WorkbenchError } from '../../../src/toolkit/base/errors';

describe('methods that not every service has', () => {
  const refusal = (code: 'bad-request' | 'history-missing' | 'not-found', details: object): WorkbenchError =>
    new WorkbenchError({ code, kind: 'service', message: 'no', details: { ...details } });
  const asking = (error: WorkbenchError): { times: number; ask: () => Promise<never> } => {
    const asked = {
      times: 0,
      ask: () => {
        asked.times += 1;
        return Promise.reject(error);
      },
    };
    return asked;
  };

  it('are requested once by a keeper that remembers, and again by another', async () => {
    for (const error of [
      refusal('not-found', {}),
      refusal('bad-request', { status: 405 }),
      refusal('bad-request', { status: 400, serviceText: 'Method not found' }),
    ]) {
      const asked = asking(error);
      const method = 'runGetMethodStd';
      const keeper = {};
      assert.equal(await askIfPresent({ method, keeper }, asked.ask), undefined);
      assert.equal(await askIfPresent({ method, keeper }, asked.ask), undefined);
      assert.equal(asked.times, 1);
      assert.equal(await askIfPresent({ method: 'getConfigAll', keeper }, asked.ask), undefined);
      assert.equal(await askIfPresent({ method, keeper: {} }, asked.ask), undefined);
      assert.equal(asked.times, 3);
    }
  });

  it('report other errors; 422 means a missing method only if it cannot be about the request', async () => {
    const keeper = {};
    const unprocessable = asking(refusal('bad-request', { status: 422 }));
    await assert.rejects(askIfPresent({ method: 'a', keeper }, unprocessable.ask));
    assert.equal(await askIfPresent({ method: 'a', keeper, or422: true }, unprocessable.ask), undefined);
    await assert.rejects(
      askIfPresent({ method: 'b', keeper }, asking(refusal('history-missing', { status: 404 })).ask),
    );
    assert.equal(await askIfPresent({ method: 'b', keeper }, () => Promise.resolve(7)), 7);
  });
});
