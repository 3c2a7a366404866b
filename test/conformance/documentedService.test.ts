import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { comment, contractAddress, internal, toNano } from '@ton/core';
import type { Address } from '@ton/core';
import { startLocalnet } from '../../src/toolkit/localnet/startLocalnet';
import { silentLog } from '../../src/toolkit/base/log';
import type { TraceSummary } from '../../src/toolkit/trace/traceSummary';
import { lastError, runCommandLine } from '../support/commandLine';
import type { CommandLineRun } from '../support/commandLine';
import { documentedVariants, startDocumentedService } from '../support/documentedService';
import type { DocumentedService } from '../support/documentedService';
import { documentedShapes } from '../support/documentedShapes';
import { LocalTraces, compileContract } from '../support/localTraces';

const refuser = `
fun onInternalMessage(in: InMessage) { if (!in.body.isEmpty()) { throw 73; } }
fun onBouncedMessage(in: InMessageBounced) {}
get fun answer(): int { return 42; }
get fun refuse(): int { throw 73; }
`;

/** What must not be on any screen. */
const noText = /.*\b(?:undefined|NaN|\[object|Invalid Date)\b.*/;

interface SendResult {
  sent: boolean;
  accepted: boolean;
  asPredicted: boolean | null;
  fees: string | null;
  trace: TraceSummary;
}

interface DeployResult {
  address: string;
  codeHash: string;
  /** Null if the network does not say. */
  isDeployed: boolean | null;
}

describe('a service that answers exactly as documented', () => {
  let local: LocalTraces;
  let service: DocumentedService;
  let folder: string;
  let contract: Address;
  /** A transfer from alice to bob, and a message that the contract refuses; lower-case hex. */
  let paid: string;
  let refused: string;

  before(async () => {
    local = new LocalTraces(await startLocalnet({ port: 0, log: silentLog, blockDelayMs: 300 }));
    service = await startDocumentedService(new URL(local.network.v3).origin);
    folder = await mkdtemp(path.join(tmpdir(), 'documented-'));
    const init = await compileContract(refuser);
    contract = contractAddress(0, init);
    await local.send('alice', [internal({ to: contract, value: toNano('1'), bounce: false, init })]);
    const bob = local.wallet('bob').address;
    const one = internal({ to: bob, value: toNano('1.5'), bounce: false, body: comment('rent') });
    paid = (await local.send('alice', [one])).context.model.id ?? '';
    const other = internal({ to: contract, value: toNano('0.5'), bounce: true, body: comment('no') });
    refused = (await local.send('alice', [other])).context.model.id ?? '';
  });
  after(async () => {
    await service.close();
    await local.network.close();
    await rm(folder, { recursive: true });
  });

  async function run(...args: string[]): Promise<CommandLineRun> {
    const done = await runCommandLine([...args, '--network', service.origin]);
    assert.equal(noText.exec(done.stdout + done.stderr)?.[0], undefined, args.join(' '));
    return done;
  }
  async function good(...args: string[]): Promise<string> {
    const done = await run(...args);
    assert.equal(done.status, 0, `${args.join(' ')}: ${done.stderr}`);
    return done.stdout;
  }
  /** Of {@link paid}, among the lines of an output. */
  const summary = (text: string): TraceSummary | undefined =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as TraceSummary)
      .find(({ traceId }) => traceId === paid);
  const answerOf = async (target: string): Promise<Record<string, unknown>> =>
    (await (await fetch(`${service.origin}${target}`)).json()) as Record<string, unknown>;

  for (const variant of documentedVariants) {
    const isFew = variant === 'few';

    describe(`as "${variant}"`, () => {
      before(() => {
        service.variant = variant;
      });

      it('returns the same trace by hash, by account, when followed, and from a file', async () => {
        const saved = path.join(folder, `${variant}.json`);
        const target = `/api/v3/traces?tx_hash=${paid}&include_actions=true`;
        await writeFile(saved, JSON.stringify(await answerOf(target)));
        const [byHash, byAccount, followed, fromFile] = (
          await Promise.all([
            good('trace', paid, '--json'),
            good('trace', local.wallet('bob').address.toRawString(), '--json'),
            good('trace', paid, '--follow', '--json'),
            good('trace', saved, '--json'),
          ])
        ).map(summary);
        assert.ok(byHash !== undefined && fromFile !== undefined);
        assert.deepEqual([byAccount, followed, fromFile], [byHash, byHash, byHash]);
        assert.deepEqual([byHash.traceId, byHash.transactions, byHash.incomplete], [paid, 2, false]);
        assert.equal(byHash.state, isFew ? 'unknown' : variant === 'forms' ? 'own-complete' : 'complete');
        assert.deepEqual(
          byHash.steps.map(({ outcome, exitCode }) => [outcome, exitCode]),
          isFew
            ? [
                ['unknown', null],
                ['unknown', null],
              ]
            : [
                ['ok', 0],
                ['ok', 0],
              ],
        );
        assert.equal(byHash.fees === null, isFew);
        assert.deepEqual(byHash.unknown, isFew ? ['The answer leaves out the fees of 2 transactions.'] : []);
        assert.match(byHash.actions[0] ?? '', /^transfer 1\.5 TON, alice → bob/);
      });

      it('has what is missing shown as unknown, also in text', async () => {
        const text = await good('trace', refused, '--full');
        if (isFew) {
          assert.match(
            text,
            /^\? .*\(outcome unknown\), and 1 more action\n {2}state unknown, 3 transactions, fees unknown\n/,
          );
          assert.match(text, /exit \? +unknown/);
          assert.match(text, /\nsum +unknown\n/);
          assert.doesNotMatch(text, /\b(?:complete|failed|no code)\b/);
        } else {
          assert.match(text, /^✗ .* refused .*: exit code 73$/m);
          assert.match(text, /\nsum +0\n/);
        }
      });

      it('runs get-methods, over v3 and v2', async () => {
        for (const layer of ['v2', 'v3']) {
          const done = await runCommandLine([
            'run',
            contract.toString(),
            'answer',
            '--json',
            '--network',
            `${service.origin}/api/${layer}`,
          ]);
          assert.equal(done.status, 0, done.stderr);
          const result = JSON.parse(done.stdout) as {
            exitCode: number | null;
            gasUsed: number | null;
            stack: { value: unknown }[];
          };
          assert.deepEqual(
            result.stack.map(({ value }) => value),
            ['42'],
          );
          assert.deepEqual(
            [result.exitCode, result.gasUsed === null],
            layer === 'v3' ? [null, true] : [0, false],
          );
        }
        const text = await good('run', contract.toString(), 'answer');
        assert.match(text, /gas/);
        const failed = await run('run', contract.toString(), 'refuse', '--json');
        assert.notEqual(failed.status, 0);
      });

      it('accepts a message, which is followed to its end', async () => {
        const done = await good('send', '--compose', 'send bob 0.25ton comment "sent" from carol', '--json');
        const result = JSON.parse(done) as SendResult;
        assert.deepEqual([result.sent, result.accepted], [true, true]);
        assert.notEqual(result.asPredicted, false);
        assert.equal(result.trace.transactions, 2);
        assert.equal(result.trace.pending, 0);
        assert.equal(result.trace.emulated, 0);
      });

      it('lets a contract be deployed, once', async () => {
        const source = path.join(folder, `${variant}.tolk`);
        // A separate contract for each, because each is deployed only once.
        const lines = (text: string): unknown[] =>
          text
            .trimEnd()
            .split('\n')
            .map((line) => JSON.parse(line) as unknown);
        await writeFile(source, refuser.replace('42', `${1000 + documentedVariants.indexOf(variant)}`));
        const planned = await good('deploy', source, '--dry-run', '--json');
        const [plan] = lines(planned) as [DeployResult];
        assert.equal(plan.isDeployed, isFew ? null : false);
        const [deployed] = lines(await good('deploy', source, '--from', 'dave', '--json')) as [
          DeployResult & { send: SendResult },
        ];
        const { send: sent } = deployed;
        assert.deepEqual(
          [deployed.address, deployed.codeHash, deployed.isDeployed],
          [plan.address, plan.codeHash, isFew ? null : true],
        );
        assert.deepEqual([sent.sent, sent.accepted, sent.trace.pending], [true, true, 0]);
        if (!isFew) {
          assert.match(await good('deploy', source), /is already deployed; nothing was sent/);
        }
      });

      it('has its accounts shown', async () => {
        const text = await good('account', contract.toRawString(), '--limit', '2');
        const told = JSON.parse(await good('account', contract.toRawString(), '--json')) as Record<
          string,
          unknown
        >;
        assert.deepEqual(
          [told['state'], told['balance'] === null],
          isFew ? ['unknown', true] : ['active', false],
        );
        assert.equal(/holds no jettons/.test(text), !isFew);
        assert.doesNotMatch(text, /nonexist/);
      });

      it('has its whole answer printed', async () => {
        const printed = JSON.parse(await good('api', 'v3', 'traces', `tx_hash=${paid}`, '--json')) as unknown;
        assert.deepEqual(printed, await answerOf(`/api/v3/traces?tx_hash=${paid}`));
        assert.equal((await run('api', 'v3', 'pendingTraces')).status, 4);
      });

      it('can be used to check a webhook', async () => {
        const payload = path.join(folder, 'payload.json');
        await writeFile(payload, JSON.stringify(await payloadOf()));
        const done = await run('webhook', 'verify', payload, '--json');
        assert.equal(done.status, 0, done.stderr + done.stdout);
        const { fields } = JSON.parse(done.stdout) as { fields: { field: string; verdict: string }[] };
        assert.deepEqual(
          fields.filter(({ verdict }) => verdict !== 'equal').map(({ field, verdict }) => [field, verdict]),
          (isFew ? ['bodyHash', 'comment', 'success', 'time'] : variant === 'forms' ? ['success'] : []).map(
            (field) => [field, 'unknown'],
          ),
        );
      });
    });
  }

  /** What the payment service would say of {@link paid}: every field that its document requires, and no other. */
  async function payloadOf(): Promise<unknown> {
    const { objects } = documentedShapes.payments;
    const [trace] = (await local.access.v3.traces({ tx_hash: [paid] })).traces ?? [];
    const arrived = Object.values(trace?.transactions ?? {}).find((one) => one?.in_msg?.source != null);
    const date = new Date((arrived?.now ?? 0) * 1000).toISOString();
    const data: Record<string, string> = {
      ...{
        amount: '1.5',
        rawAmount: '1500000000',
        asset: 'TON',
        status: 'success',
        reference: 'order-1',
        date,
      },
      senderAddr: local.wallet('alice').address.toString({ bounceable: false }),
      recipientAddr: local.wallet('bob').address.toString({ bounceable: false }),
      bodyBase64Hash: Buffer.from(arrived?.in_msg?.message_content?.hash ?? '', 'hex').toString('base64'),
      ...{ txHash: arrived?.hash ?? '', traceId: paid, commentToRecipient: 'rent' },
    };
    const required = Object.entries(objects['Transfer'] ?? {}).filter(([, type]) => !type.endsWith('?'));
    assert.deepEqual(
      required.map(([name]) => name).filter((name) => !(name in data)),
      [],
    );
    return { event: 'transfer.completed', timestamp: date, data };
  }

  it('reports what the documents say about an error', async () => {
    service.variant = 'whole';
    const none = await run('trace', 'ab'.repeat(32), '--json');
    assert.deepEqual([none.status, lastError(none).code], [1, 'trace-not-found']);
  });
});
