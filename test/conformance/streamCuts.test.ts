// The stream of a network is cut in mid-run, and refused for a while: whoever uses it works on.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { toNano } from '@ton/core';
import { createAccess } from '../../src/toolkit/access/createAccess';
import { createUndiciTransport } from '../../src/toolkit/access/createUndiciTransport';
import { networkAt } from '../../src/toolkit/access/resolveNetwork';
import { friendlyWallet } from '../../src/toolkit/address/canonicalAddress';
import { silentLog } from '../../src/toolkit/base/log';
import { systemClock } from '../../src/toolkit/base/time';
import { readBoc } from '../../src/toolkit/cell/readBoc';
import { WatchSchedule } from '../../src/toolkit/getMethods/watchSchedule';
import { callControl } from '../../src/toolkit/localnet/callControl';
import type { Localnet } from '../../src/toolkit/localnet/localnet';
import { startLocalnet } from '../../src/toolkit/localnet/startLocalnet';
import { startPayments } from '../../src/toolkit/payments/startPayments';
import { readExternalMessage } from '../../src/toolkit/send/externalMessage';
import { launchHere } from '../support/commandLine';
import type { PassingProxy } from '../support/passingProxy';
import { startPassingProxy } from '../support/passingProxy';
import { until } from '../support/until';
import { addressOf, transfer } from '../unit/localnet/support/testChain';

const streaming = /^\/api\/streaming\//;

describe('whoever follows a network whose stream is cut', () => {
  let localnet: Localnet;
  let proxy: PassingProxy;
  let folder: string;
  let seqno = 0;
  const transport = createUndiciTransport();

  before(async () => {
    localnet = await startLocalnet({ port: 0, log: silentLog });
    proxy = await startPassingProxy(new URL(localnet.v2).origin);
    folder = await mkdtemp(path.join(tmpdir(), 'tonwb-cuts-'));
  });
  beforeEach(() => {
    proxy.answer = () => undefined;
    proxy.seen.length = 0;
  });
  after(async () => {
    await transport.close();
    await proxy?.close();
    await localnet?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const network = (): ReturnType<typeof networkAt> => networkAt(proxy.origin, proxy.origin);
  const access = (): ReturnType<typeof createAccess> => createAccess({ network: network(), ...transport });
  const next = (): Buffer => {
    const boc = transfer('alice', { seqno, to: addressOf('bob'), value: toNano('1') });
    seqno += 1;
    return boc;
  };
  const send = (boc: Buffer): Promise<unknown> => access().v2.sendBoc({ boc: boc.toString('base64') });
  const streams = (): number => proxy.seen.filter((url) => streaming.test(url)).length;
  /** Waits for one more stream than there were. */
  const untilStreams = (count: number): Promise<unknown> => until(() => streams() >= count, 'the stream');
  /** Cuts what streams, and refuses it until it is allowed again. */
  const cut = (): void => {
    proxy.answer = (url) => (streaming.test(url.pathname) ? { status: 503, body: {} } : undefined);
    proxy.cut(streaming);
  };

  it('sees the whole trace of a message that is sent after the cut', async () => {
    const boc = next();
    const { hashNorm } = readExternalMessage(readBoc(boc));
    const following = launchHere(
      ['trace', hashNorm, '--follow', '--network', `${proxy.origin}/api/v3`, '--json'],
      folder,
      {},
      { clock: systemClock },
    );
    await untilStreams(1);
    cut();
    await send(boc);
    assert.equal(await following.ended, 0, following.written().stderr);
    const last = JSON.parse(following.written().stdout.trimEnd().split('\n').at(-1) ?? '') as {
      state: string;
      transactions: number;
    };
    assert.deepEqual([last.state, last.transactions], ['complete', 2]);
  });

  it('settles a payment that is paid after the cut, and one after the stream is back', async () => {
    const local = { ...network(), kind: 'local' as const };
    const payments = await startPayments({
      access: createAccess({ network: local, ...transport }),
      ...{ port: 0, journalDirectory: folder },
    });
    const settled = new Set<string>();
    payments.onChange(({ change, payment }) => change === 'settled' && settled.add(payment.reference));
    const [alice, bob] = await callControl(localnet.control, 'accounts', {});
    const create = (): Promise<{ reference: string }> =>
      payments.create(
        JSON.stringify({
          ...{ amount: 1.5, asset: 'TON' },
          senderAddr: friendlyWallet(alice?.address ?? ''),
          recipientAddr: friendlyWallet(bob?.address ?? ''),
        }),
      );
    try {
      const first = await create();
      await untilStreams(1);
      cut();
      await payments.pay(first.reference);
      await until(() => settled.has(first.reference), 'the first payment');
      const before = streams();
      proxy.answer = () => undefined;
      const second = await create();
      await untilStreams(before + 1);
      await payments.pay(second.reference);
      await until(() => settled.has(second.reference), 'the second payment');
      seqno += 2;
    } finally {
      await payments.close();
    }
  });

  it('runs a watched call again for what changes after the cut, and once the stream is back', async () => {
    const account = addressOf('bob');
    let runs = 0;
    const schedule = new WatchSchedule<string>({
      run: () => Promise.resolve(void (runs += 1)),
      isLocal: () => false,
      onError: (_, error) => assert.fail(String(error)),
      // Five seconds are a quarter of one.
      after: (ms, work) => systemClock.after(ms / 20, work),
      streams: {
        placeOf: (address) => ({ network: 'Cut', address }),
        access: () => Promise.resolve(access()),
        clock: systemClock,
      },
    });
    try {
      schedule.add(account);
      await until(() => schedule.hears(account), 'the stream');
      cut();
      await until(() => !schedule.hears(account), 'the end of the stream');
      const unheard = runs;
      await send(next());
      await until(() => runs > unheard + 1, 'runs at the interval');
      proxy.answer = () => undefined;
      await until(() => schedule.hears(account), 'the stream again');
      const heard = runs;
      await send(next());
      await until(() => runs > heard, 'a run for the change');
    } finally {
      schedule.keep(() => false);
    }
  });
});
