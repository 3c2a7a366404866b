import { Address, beginCell } from '@ton/core';
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createAccess } from '../../../src/toolkit/access/createAccess';
import { networkAt } from '../../../src/toolkit/access/resolveNetwork';
import { requestKey } from '../../../src/toolkit/send/messageRequest';
import { HandOverJournal } from '../../../src/toolkit/workflows/handOverJournal';
import { handOverRequest } from '../../../src/toolkit/workflows/handOverRequest';
import { SteppedClock } from '../../support/steppedClock';

describe('handing a message over again', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tonwb-hand-over-'));
  });
  after(() => rm(folder, { recursive: true }));

  it('finds one that came into the last block of its time, and hands nothing over twice', async () => {
    const clock = new SteppedClock();
    const now = Math.floor(clock.now() / 1000);
    const origin = 'http://127.0.0.1:9';
    const network = networkAt(origin, origin);
    const body = beginCell().storeUint(7, 32).endCell();
    const destination = Address.parseRaw(`0:${'ab'.repeat(32)}`);
    const request = {
      ...{ network: network.name, chain: '-3', destination, value: 5n, bounce: true, body, init: undefined },
      validUntil: now - 60,
    };
    const arrived = {
      ...{ hash: Buffer.alloc(32, 1).toString('base64'), lt: '9', now: now - 61 },
      in_msg: {
        ...{ destination: destination.toRawString(), value: '5' },
        message_content: { body: body.toBoc().toString('base64') },
      },
    };
    let hasNewerBlock = false;
    const access = createAccess({
      ...{ network, clock },
      transport: ({ url }) => {
        const isTime = url.includes('/masterchainInfo');
        // The index takes in the last block while it is asked for the newest one.
        hasNewerBlock ||= isTime;
        const answer = isTime
          ? { last: { gen_utime: now, end_lt: '10' } }
          : { transactions: hasNewerBlock ? [arrived] : [] };
        return Promise.resolve({
          ...{ status: 200, header: () => undefined },
          body: Buffer.from(JSON.stringify(answer)),
        });
      },
    });
    const journal = new HandOverJournal(folder);
    journal.add({
      ...{ key: requestKey(request), what: 'It', way: 'link', network: network.name },
      ...{ at: clock.now(), validUntil: request.validUntil, after: '0' },
    });
    const hand = (): Promise<undefined> => Promise.reject(new Error('handed over again'));
    const { signal } = new AbortController();
    const way = { name: 'link', hand } as const;
    for await (const { type } of handOverRequest({
      ...{ access, request, way, journal, what: 'It', signal, clock },
    })) {
      assert.equal(type, 'found');
      break;
    }
  });
});
