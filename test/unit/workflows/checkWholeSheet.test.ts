import assert from 'node:assert/strict';
import { parseCallSheet } from '../../../src/toolkit/callSheet/parseCallSheet';
import { runCallSheet } from '../../../src/toolkit/workflows/runCallSheet';
import type { StepOutcome } from '../../../src/toolkit/workflows/sheetRunTypes';
import { servedChain } from '../localnet/support/servedChain';
import type { ServedChain } from '../localnet/support/servedChain';
import { addressOf } from '../localnet/support/testChain';

describe('a sheet that sends something', () => {
  let served: ServedChain;
  before(async () => {
    served = await servedChain({ mode: { kind: 'automatic', delay: 20 } });
  });
  after(async () => {
    await served.close();
  });

  const text = 'send bob 0.1ton\nalice seqno()\nnobody seqno()\n';
  const run = (more: { isTolerant?: true; only?: number[] }, sheet = text): Promise<StepOutcome[]> =>
    runCallSheet(parseCallSheet(sheet), {
      network: () =>
        Promise.resolve({
          access: served.access,
          accounts: new Map(['alice', 'bob'].map((name) => [name, addressOf(name)])),
        }),
      messages: {
        layouts: () => Promise.resolve([]),
        describe: () => Promise.reject(new Error('nothing is sent')),
        build: () => Promise.reject(new Error('nothing is built')),
      },
      isTolerant: more.isTolerant,
      only: ({ lineNumber }) => more.only?.includes(lineNumber) !== false,
    });

  it('is refused whole for what is wrong after its first message', async () => {
    await assert.rejects(run({}), { code: 'call-sheet-invalid', message: /nobody/ });
    assert.equal(served.chain.ledger.externalMessages.length, 0);
  });

  it('sends nothing where the editor runs all that can run, and says which line is why', async () => {
    const outcomes = await run({ isTolerant: true });
    assert.deepEqual(
      outcomes.map(({ passed, isSkipped, error }) => [passed, isSkipped, error?.code]),
      [
        [false, true, 'call-sheet-invalid'],
        [true, undefined, undefined],
        [false, undefined, 'call-sheet-invalid'],
      ],
    );
    assert.equal(outcomes[0]?.error?.message, 'Skipped: nothing is sent, because line 3 is wrong.');
    assert.equal(served.chain.ledger.externalMessages.length, 0);
  });

  it('does not run an order of deliveries that only explore repeats', async () => {
    const outcomes = await run(
      {},
      '### a\n@concurrent 2.1\nsend bob 1ton from alice\nsend alice 1ton from bob\n',
    );
    assert.deepEqual(
      outcomes.map(({ error }) => error?.message),
      Array.from({ length: 2 }, () => 'Only ton-workbench explore repeats an order of deliveries.'),
    );
    assert.equal(served.chain.ledger.externalMessages.length, 0);
  });

  it('is checked as far as it is run', async () => {
    const [outcome] = await run({ isTolerant: true, only: [2] });
    assert.equal(outcome?.passed, true);
  });
});
