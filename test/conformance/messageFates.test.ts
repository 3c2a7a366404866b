import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { toNano } from '@ton/core';
import { createAccess } from '../../src/library/access';
import { followTrace, waitForTrace } from '../../src/library/trace';
import { readBoc } from '../../src/toolkit/cell/readBoc';
import { WorkbenchError } from '../../src/toolkit/base/errors';
import { readExternalMessage } from '../../src/toolkit/send/externalMessage';
import { lastError, launchHere, runCommandLine } from '../support/commandLine';
import { startLocalnetHere } from '../support/localnetCommand';
import type { LocalnetCommand } from '../support/localnetCommand';
import { until } from '../support/until';
import { servedChain } from '../unit/localnet/support/servedChain';
import type { ServedChain } from '../unit/localnet/support/servedChain';
import { addressOf, transfer } from '../unit/localnet/support/testChain';

describe('what became of a message', () => {
  describe('that another one displaces', () => {
    let served: ServedChain;
    let hash: string;

    beforeEach(async () => {
      served = await servedChain({ mode: { kind: 'manual' } });
      // The other one with the same seqno comes first into the block.
      await served.chain.submit(transfer('alice', { seqno: 0, to: addressOf('carol'), value: toNano('2') }));
      const boc = transfer('alice', { seqno: 0, to: addressOf('bob'), value: toNano('1') });
      hash = readExternalMessage(readBoc(boc)).hashNorm;
      await served.access.v2.sendBoc({ boc: Buffer.from(boc).toString('base64') });
    });
    afterEach(async () => {
      await served.close();
    });

    it('is an error of trace --follow, with the seqno', async () => {
      const { v3 = '' } = served.access.network;
      const following = launchHere(['trace', hash, '--follow', '--network', v3]);
      assert.match(await following.firstLine, /^◌ transfer 1 TON/);
      await served.chain.mine();
      assert.equal(await following.ended, 1);
      const { code, message } = lastError(following.written());
      assert.equal(code, 'message-dropped');
      assert.match(message, /another message used this seqno \(0\)/);
    });

    it('is an error of the library, too, and no end of its trace', async () => {
      const { v2 = '', v3 = '' } = served.access.network;
      const states: string[] = [];
      const follow = async (): Promise<void> => {
        for await (const trace of followTrace(createAccess({ network: { v2, v3 } }), hash, {
          intervalMs: 1,
        })) {
          states.push(trace.state);
          if (served.chain.ledger.externalMessages.length === 0) {
            await served.chain.mine();
          }
        }
      };
      await assert.rejects(
        follow(),
        (error) => WorkbenchError.is(error, 'message-dropped') && /seqno \(0\)/.test(error.message),
      );
      assert.deepEqual(new Set(states), new Set(['pending']));
    });
  });

  describe('on a network that works', () => {
    let localnet: LocalnetCommand;
    let folder: string;
    const control = async (command: string, parameters: object): Promise<void> => {
      const answer = await fetch(`${localnet.origin}/control/${command}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(parameters),
      });
      assert.equal(answer.status, 200, await answer.text());
    };

    before(async () => {
      folder = await mkdtemp(path.join(tmpdir(), 'tonwb-fates-'));
      localnet = await startLocalnetHere();
    });
    after(async () => {
      await localnet.stop();
      await rm(folder, { recursive: true, force: true });
    });

    it('that nobody has seen is an error of trace --follow and of the library', async () => {
      const hash = 'ab'.repeat(32);
      const done = await runCommandLine(['trace', hash, '--follow', '--network', localnet.origin]);
      assert.deepEqual([done.status, lastError(done).code, done.stdout], [1, 'trace-not-found', '']);
      const access = createAccess({ network: localnet.ready });
      await assert.rejects(waitForTrace(access, hash, { intervalMs: 1, patienceMs: 1 }), (error) =>
        WorkbenchError.is(error, 'trace-not-found'),
      );
    });

    for (const options of [[], ['--json']]) {
      it(`is not known if send ${options.join()} is stopped before its block: an error, and no prediction`, async () => {
        await control('mode', { mode: 'manual' });
        try {
          const line = 'bob 0.1ton from alice';
          const sending = launchHere(
            ['send', '--compose', line, ...options, '--network', localnet.origin],
            folder,
          );
          await until(() => sending.written().stderr.includes('waiting for its trace'), 'it is sent');
          sending.stop();
          assert.equal(await sending.ended, 3);
          const { code, message } = lastError(sending.written());
          assert.equal(code, 'aborted');
          assert.match(message, /was sent; its trace was not complete yet.* trace [0-9a-f]{64} --follow/);
          const { stdout } = sending.written();
          if (options.length > 0) {
            const { sent, accepted, exitCode, fees, complete, trace } = JSON.parse(stdout) as Record<
              string,
              unknown
            >;
            assert.deepEqual([sent, complete], [true, false]);
            // What is pending may have been seen already.
            assert.ok(
              trace === null ? [accepted, exitCode, fees].every((one) => one === null) : accepted,
              stdout,
            );
          } else {
            assert.doesNotMatch(stdout, /as rehearsed/);
          }
        } finally {
          await control('mode', { mode: 'automatic' });
        }
      });
    }

    it('is known if send is stopped before it decides: nothing was sent', async () => {
      const sending = launchHere(
        ['send', '--compose', 'bob 0.1ton from alice', '--network', localnet.origin],
        folder,
      );
      await until(() => {
        sending.stop();
        return sending.written().stderr !== '';
      }, 'it has noticed');
      assert.equal(await sending.ended, 3);
      const { code, message } = lastError(sending.written());
      assert.deepEqual([code, message], ['aborted', 'Canceled. Nothing was sent.']);
    });

    it('is told for lists of bare transactions as for traces: what failed, and why', async () => {
      const bouncing = ['send', '--compose', `0:${'5'.repeat(64)} 0.1ton from bob`, '--anyway'];
      await runCommandLine([...bouncing, '--network', localnet.origin]);
      await localnet.untilIdle();
      const address = encodeURIComponent(localnet.rawOf('bob'));
      const answer = await fetch(`${localnet.ready.v3}/transactions?account=${address}&limit=10`);
      const list = (await answer.json()) as { transactions: unknown[] };
      assert.ok(list.transactions.length > 0);
      for (const [name, content] of [
        ['answer.json', list],
        ['one.json', { ...list, transactions: list.transactions.slice(0, 1) }],
      ] as const) {
        await writeFile(path.join(folder, name), JSON.stringify(content));
        const done = await runCommandLine(['trace', name, '--json'], {}, folder);
        assert.equal(done.status, 0, done.stderr);
        const told = done.stdout
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line) as { transactions: number; steps: { outcome: string }[] });
        assert.equal(
          told.reduce((sum, { transactions }) => sum + transactions, 0),
          content.transactions.length,
        );
        assert.ok(told.flatMap(({ steps }) => steps).some(({ outcome }) => outcome !== 'unknown'));
        const text = await runCommandLine(['trace', name], {}, folder);
        assert.doesNotMatch(text.stdout, /nothing is known/i);
      }
    });

    it('is not "ok" in a step of a sheet if its contract left actions out', async () => {
      await writeFile(path.join(folder, 'package.json'), '{}');
      await writeFile(
        path.join(folder, 'leaky.tolk'),
        `fun onInternalMessage(in: InMessage) {
  if (in.body.isEmpty()) { return; }
  val out = createMessage({ bounce: false, value: ton("5000"), dest: in.senderAddress });
  out.send(SEND_MODE_IGNORE_ERRORS);
}
`,
      );
      await writeFile(
        path.join(folder, 'leaky.toncall'),
        'deploy leaky.tolk 1ton as Leaky\nsend Leaky 0.1ton body b(u32 1) from alice\n',
      );
      const done = await runCommandLine(['run', 'leaky.toncall', '--network', localnet.origin], {}, folder);
      assert.equal(done.status, 1, done.stdout);
      const line = done.stdout.split('\n').find((one) => one.includes('send Leaky')) ?? '';
      assert.match(line, /^✗ .*exit 0, but actions were left out/);
      assert.match(done.stdout, /left out 1 of 1 action/);
    });
  });
});
