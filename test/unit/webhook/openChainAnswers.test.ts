import assert from 'node:assert/strict';
import type { V3TraceListWire } from '../../../src/toolkit/api/v3Traces';
import { checkAgainstChain } from '../../../src/toolkit/webhook/chain/checkAgainstChain';
import type { ChainReport } from '../../../src/toolkit/webhook/chain/checkAgainstChain';
import { describeChainReport } from '../../../src/toolkit/webhook/chain/describeChainReport';
import { v3ChainLookup } from '../../../src/toolkit/webhook/chain/chainOf';
import type { TransferData } from '../../../src/toolkit/webhook/payload/payload';
import { brokenLines, isAllowed, oddFields } from '../../support/oddFields';
import { traceFixtures } from '../../support/traceFixtures';
import { payload } from './support/sample';

type Answers = Record<'transactions' | 'traces' | 'jettonWallets', unknown>;

const recorded = JSON.parse(
  traceFixtures().find(({ file }) => file === 'ft-sent-traces.json')?.text ?? '',
) as V3TraceListWire;

/** What the service would report for the recording: 1 USDT with the comment "Hello!". */
const data: TransferData = payload({
  amount: '1',
  rawAmount: '1000000',
  asset: 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs',
  senderAddr: '0:9DA971AF38D2F03ABDF308D5F91636A97E5A2B07A66C39D71D7CBAE3B032EDDC',
  recipientAddr: '0:4e3664faee814fbdb6c1cb36d72bac52d15e186c11ecd664fe1b3f1a7cfd801d',
  txHash: 'jSE/gBnDgZOD8XG6nWYYvhoxQWQIMwI1S/8vyRJFu4A=',
  traceId: 'jSE/gBnDgZOD8XG6nWYYvhoxQWQIMwI1S/8vyRJFu4A=',
  bodyBase64Hash: 'pabMV6GVaDfFeP9hknjLSzz1mZihq2MQQDfOoD8f8mw=',
  commentToRecipient: 'Hello!',
  date: new Date(1_754_158_183_000).toISOString(),
}).data;

/** Without metadata, so that jetton wallets are requested. */
const answers: Answers = {
  transactions: { transactions: Object.values(recorded.traces?.[0]?.transactions ?? {}).slice(0, 1) },
  traces: { traces: recorded.traces, address_book: recorded.address_book },
  jettonWallets: {
    jetton_wallets: Object.entries(recorded.metadata ?? {}).flatMap(([address, row]) => {
      const jetton = row?.token_info?.find(({ type }) => type === 'jetton_wallets')?.extra?.['jetton'];
      return typeof jetton === 'string' ? [{ address, jetton, balance: '5', owner: data.senderAddr }] : [];
    }),
  },
};

/** @param known the network's answers */
const checked = (known: Answers): Promise<ChainReport> =>
  checkAgainstChain(
    data,
    v3ChainLookup((endpoint) => Promise.resolve(structuredClone(known[endpoint]))),
  );

describe('chain answers with a missing or odd field', () => {
  it('complete answers match the payment in every field', async () => {
    const { ok, fields } = await checked(answers);
    assert.deepEqual([ok, fields.filter(({ verdict }) => verdict !== 'equal')], [true, []]);
  });

  for (const endpoint of Object.keys(answers) as (keyof Answers)[]) {
    it(`${endpoint}: each field in turn; what is missing is unknown, and nothing differs`, async () => {
      let count = 0;
      for (const odd of oddFields(answers[endpoint])) {
        const what = `${odd.kind} ${odd.change}`;
        const report = await checked({ ...answers, [endpoint]: odd.answer });
        assert.deepEqual(brokenLines([describeChainReport(report, 'N'), JSON.stringify(report)]), [], what);
        if (isAllowed(odd)) {
          assert.deepEqual(
            report.fields.filter(({ verdict }) => verdict === 'differs'),
            [],
            what,
          );
        }
        count += 1;
      }
      assert.ok(count > 10, `${count} changes`);
    });
  }
});
