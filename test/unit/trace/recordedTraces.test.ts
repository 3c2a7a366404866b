import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { moneyOf } from '../../../src/toolkit/trace/money';
import { traceActions } from '../../../src/toolkit/trace/traceActions';
import type { TraceContext } from '../../../src/toolkit/trace/traceContext';
import { traceDocument } from '../../../src/toolkit/trace/traceDocument';
import { transactionText } from '../../../src/toolkit/trace/transactionText';
import { moneyFlows } from '../../../src/toolkit/trace/page/moneyFlows';
import { missingLeaves } from '../../support/missingLeaves';
import { contextOf, recordedAnswer, recordedNames } from './fixtures';

const goldenFolder = path.resolve('test/unit/trace/golden');

function documentsOf(context: TraceContext): string {
  return [traceDocument(context), ...context.model.nodes.map((node) => transactionText(node, context))].join(
    `\n${'─'.repeat(80)}\n\n`,
  );
}

describe('recorded traces', () => {
  for (const name of recordedNames) {
    describe(name, () => {
      const answer = recordedAnswer(name);
      const context = contextOf(answer);
      const documents = documentsOf(context);

      it('match the golden text, which was checked by eye', () => {
        const file = path.join(goldenFolder, `${name}.txt`);
        if (process.env.TONWB_UPDATE_GOLDEN === '1') {
          writeFileSync(file, documents);
        }
        assert.equal(documents, readFileSync(file, 'utf8'));
      });

      it('show every value of the answer somewhere', () => {
        assert.deepEqual(missingLeaves(answer, context), []);
      });

      it('add up to zero, coin by coin', () => {
        const money = moneyOf(context);
        const sum = money.rows.reduce((total, row) => total + row.coins, money.fees.total);
        assert.equal(sum, 0n);
        assert.deepEqual(money.unknown, []);
      });

      it('explain every known balance by messages and fees', () => {
        for (const node of context.model.nodes) {
          const before = node.transaction?.account_state_before?.balance;
          const after = node.transaction?.account_state_after?.balance;
          if (before != null && after != null) {
            const row = moneyOf(context).rows.find((r) => r.account === node.account);
            const alone = context.model.nodes.filter((n) => n.account === node.account).length === 1;
            if (alone) {
              assert.equal(row?.coins, BigInt(after) - BigInt(before));
            }
          }
        }
      });
    });
  }

  it('move the jettons from the sender to the receiver', () => {
    const money = moneyOf(contextOf(recordedAnswer('ft-sent-traces')));
    const jettons = money.rows.flatMap((row) => [...row.jettons.values()]);
    assert.deepEqual(jettons.sort(), [-1000000n, 1000000n]);
  });

  it('say what a swap took and gave, from the wallet to the exchange and back', () => {
    const context = contextOf(recordedAnswer('jetton-swap-localnet'));
    assert.deepEqual(
      traceActions(context).map(({ symbol, words }) => `${symbol} ${words}`),
      ['✓ swap 100 TKA for 246.787559 TKB by UQCSOv…ApwR on stonfi'],
    );
    const [coins, ...jettons] = moneyFlows(context);
    assert.equal(coins?.title, 'TON');
    assert.deepEqual(
      jettons.map(({ title, parties }) => [title, ...parties.map(({ name, text }) => `${name} ${text}`)]),
      [
        ['TKA', 'UQCSOv…ApwR -100 TKA', 'EQBDIf…1RMn +100 TKA'],
        ['TKB', 'EQBDIf…1RMn -246.787559 TKB', 'UQCSOv…ApwR +246.787559 TKB'],
      ],
    );
  });

  it('do not call a notification to a wallet without gas a failure', () => {
    const { model } = contextOf(recordedAnswer('ft-sent-traces'));
    assert.equal(model.nodes.filter((node) => node.outcome === 'notRun').length, 1);
    assert.equal(model.nodes.filter((node) => node.outcome === 'failed').length, 0);
  });
});
