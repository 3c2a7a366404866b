import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { toNano } from '@ton/core';
import type { Access } from '../../src/toolkit/access/createAccess';
import { createAccess } from '../../src/toolkit/access/createAccess';
import { createUndiciTransport } from '../../src/toolkit/access/createUndiciTransport';
import type { FollowedEvent } from '../../src/toolkit/access/followEvents';
import { followEvents } from '../../src/toolkit/access/followEvents';
import type { StreamWay } from '../../src/toolkit/access/openStream';
import { networkAt } from '../../src/toolkit/access/resolveNetwork';
import type { RunningCommand } from '../support/commandLine';
import { startCommandLine } from '../support/commandLine';
import type { LocalnetReady } from '../support/localnetCommand';
import { until } from '../support/until';
import { addressOf, transfer } from '../unit/localnet/support/testChain';

describe('a network that is killed while it streams', () => {
  let folder: string;
  let network: RunningCommand;
  let port = '0';
  let access: Access;
  let seqno = 0;
  const transport = createUndiciTransport();
  const stop = new AbortController();
  const bob = addressOf('bob');

  const start = async (): Promise<void> => {
    network = await startCommandLine(['localnet', '--port', port, '--state', folder, '--json'], folder);
    const { origin, port: own } = new URL((JSON.parse(network.firstLine) as LocalnetReady).v2);
    port = own;
    access = createAccess({ network: networkAt(origin, origin), ...transport });
  };
  const kill = async (): Promise<void> => {
    network.child.kill('SIGKILL');
    await network.ended;
  };
  const pay = async (): Promise<void> => {
    const boc = transfer('alice', { seqno, to: bob, value: toNano('1') }).toString('base64');
    await access.v3.message({ boc });
    seqno += 1;
  };
  const onChain = async (): Promise<string[]> => {
    const { transactions } = await access.v3.transactions({ account: [bob], sort: 'asc' });
    return (transactions ?? []).flatMap(({ hash }) => hash ?? []);
  };

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tonwb-kills-'));
    await start();
  });
  after(async () => {
    stop.abort();
    await kill();
    await transport.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('tells each event once after it is back, over both ways, or that one may be missing', async () => {
    const told = new Map<StreamWay, FollowedEvent[]>();
    const follow = async (way: StreamWay): Promise<void> => {
      const seen: FollowedEvent[] = [];
      told.set(way, seen);
      const request = { types: ['transactions'], addresses: [bob] } as const;
      for await (const one of followEvents(access, request, { signal: stop.signal, way })) {
        seen.push(one);
      }
    };
    const running = (['sse', 'ws'] as const).map(follow);
    const hashes = (way: StreamWay): string[] =>
      (told.get(way) ?? []).flatMap((one) =>
        one.kind === 'event' && one.event.type === 'transactions'
          ? one.event.transactions.flatMap(({ hash }) => hash ?? [])
          : [],
      );
    const isStreaming = (way: StreamWay): boolean =>
      told.get(way)?.findLast(({ kind }) => kind === 'streaming' || kind === 'polling')?.kind === 'streaming';
    const bothStream = (): boolean => isStreaming('sse') && isStreaming('ws');
    await until(bothStream, 'both streams');
    for (let round = 1; round <= 2; round += 1) {
      await pay();
      const before = await until(async () => {
        const hashesNow = await onChain();
        return hashesNow.length >= 2 * round - 1 && hashesNow;
      }, 'the payment');
      await until(
        () => hashes('sse').length === before.length && hashes('ws').length === before.length,
        'its events',
      );
      // Accepted, and killed before or after its block, as it happens.
      await pay();
      await kill();
      await start();
      await until(async () => (await onChain()).length === 2 * round, 'what was accepted');
      await until(bothStream, 'both streams again');
      const all = await onChain();
      for (const way of ['sse', 'ws'] as const) {
        const hasGap = (): boolean => told.get(way)?.some(({ kind }) => kind === 'gap') === true;
        await until(() => hashes(way).length >= all.length || hasGap(), `the events over ${way}`);
        assert.deepEqual(hasGap() ? [...new Set(hashes(way))] : all, hashes(way), `${way}, round ${round}`);
      }
    }
    stop.abort();
    await Promise.all(running);
  });
});
