import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable, Writable } from 'node:stream';
import { Address, Cell } from '@ton/core';
import { connectWallet } from '../../../src/cli/connectWallet';
import { writeNote } from '../../../src/cli/output';
import { runIn } from '../../../src/cli/surroundings';
import { publicNetworks } from '../../../src/toolkit/access/network';
import { readBoc } from '../../../src/toolkit/cell/readBoc';
import { systemClock } from '../../../src/toolkit/base/time';
import { namedAccounts } from '../../../src/toolkit/localnet/accounts/namedAccounts';
import type { MessageRequest } from '../../../src/toolkit/send/messageRequest';
import { readExternalMessage } from '../../../src/toolkit/send/externalMessage';
import { orderedMessages } from '../../../src/toolkit/send/orderText';
import type { DAppConnection } from '../../../src/toolkit/tonConnect/dAppConnection';
import { startTestWallet } from '../../../src/toolkit/tonConnect/startTestWallet';
import type { RunningTestWallet } from '../../../src/toolkit/tonConnect/startTestWallet';
import { testChain } from '../localnet/support/testChain';
import { fakeNetwork } from '../tonConnect/support/fakeNetwork';

/** A stream that keeps what is written, and tells the first write. */
function sink(onText: (text: string) => void): Writable {
  return new Writable({
    decodeStrings: false,
    write: (chunk: string, _encoding, done) => {
      onText(chunk);
      done();
    },
  });
}

describe('the connection of a command to a wallet', function () {
  this.timeout(60_000);
  let running: RunningTestWallet;
  let folder: string;
  let notes: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tonwb-session-'));
    const network = fakeNetwork(await testChain());
    running = await startTestWallet({ network, approval: 'all', port: 0, version: '1.2.3' });
    notes = '';
  });
  afterEach(async () => {
    await running.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Connects as a command of its own does; its link is opened at once. */
  const connect = (session: string, use: (connection: DAppConnection) => unknown): Promise<void> =>
    runIn(
      {
        ...{ environment: {}, folder, input: Readable.from([]), clock: systemClock },
        output: sink((text) => void fetch((JSON.parse(text) as { connect: string }).connect)),
        errors: sink((text) => (notes += text)),
        onStop: () => undefined,
      },
      async () => {
        const network = { ...publicNetworks[0]!, name: 'teststand' };
        const options = { session, wallet: running.walletsList, json: true } as const;
        await use(await connectWallet(network, options, new AbortController().signal));
      },
    );
  const secretKeys = async (): Promise<string[]> =>
    [
      ...(await readFile(path.join(folder, 'session.json'), 'utf8')).matchAll(/secretKey\W+([0-9a-f]{64})/g),
    ].map(([, key]) => key!);

  it('hides the key of its session in notes, also in a later run', async () => {
    await connect('session.json', async () => {
      const [key] = await secretKeys();
      assert.ok(key !== undefined);
      writeNote(`new: ${key} or ${Buffer.from(key, 'hex').join(',')}.`);
    });
    assert.equal((await stat(path.join(folder, 'session.json'))).mode & 0o777, 0o600);
    const [key = ''] = await secretKeys();
    await connect('session.json', () => writeNote(`kept: ${key}.`));
    assert.match(notes, /new: \[redacted\] or \[redacted\]\./);
    assert.match(notes, /Still connected[^]*kept: \[redacted\]\./);
  });

  it('tells once that the session cannot be kept', async () => {
    await connect('no-folder/session.json', ({ wallet }) => assert.equal(wallet?.address, running.address));
    assert.equal(notes.match(/could not be kept in "no-folder\/session\.json" \(ENOENT/g)?.length, 1, notes);
  });

  const requestOf = (value: bigint): MessageRequest => ({
    ...{ network: 'teststand', chain: '-239', destination: Address.parse(namedAccounts[1]!.address) },
    ...{ value, bounce: false, body: Cell.EMPTY, init: undefined },
    validUntil: Math.floor(Date.now() / 1000) + 300,
  });

  it('asks for several messages at once, and refuses more than its wallet signs', async () => {
    await connect('session.json', async (connection) => {
      const { signal } = new AbortController();
      const boc = await connection.hand([1n, 2n, 3n].map(requestOf), signal);
      const sent = orderedMessages(readExternalMessage(readBoc(Buffer.from(boc, 'base64'))));
      assert.deepEqual(
        sent?.map(({ value }) => value),
        [1n, 2n, 3n],
      );
      const most = connection.wallet?.mostMessages ?? 0;
      assert.equal(most, 255);
      const many = Array.from({ length: most + 1 }, (_, index) => requestOf(BigInt(index)));
      await assert.rejects(connection.hand(many, signal), {
        code: 'wallet-too-old',
        message: /signs at most 255 messages at once, and these are 256\./,
      });
    });
  });

  it('forgets a session that the wallet does not know any more', async () => {
    const request = requestOf(1n);
    await connect('session.json', async (connection) => {
      running.wallet.leave(running.wallet.sessions[0]!.id);
      await assert.rejects(connection.hand([request], new AbortController().signal), {
        code: 'wallet-declined',
        hint: /asked to connect/,
      });
      assert.equal(connection.wallet, undefined);
    });
    assert.deepEqual(await secretKeys(), []);
    await connect('session.json', ({ wallet }) => assert.equal(wallet?.address, running.address));
    assert.doesNotMatch(notes, /Still connected/);
  });
});
