import assert from 'node:assert/strict';
import { stageWords } from '../../../src/toolkit/tonConnect/stageWords';
import type { WalletDecision } from '../../../src/toolkit/tonConnect/protocol';

describe('where a request of a dApp stands, in words', () => {
  const decided = (decision: WalletDecision, notBefore?: number): string | undefined =>
    stageWords({ kind: 'decided', decided: { number: 6, decision, notBefore } });
  const answered = (decision: WalletDecision, isAnswered: boolean): string | undefined => {
    const answer = { number: 6, session: '', digest: '', method: 'sendTransaction', at: 0 };
    return stageWords({ kind: 'answered', answer: { ...answer, decision, isAnswered } });
  };

  it('says what was decided before it is answered, and when that will be', () => {
    assert.equal(stageWords({ kind: 'pending' }), undefined);
    assert.equal(decided('approve'), 'Approved; being carried out');
    assert.equal(decided('reject'), 'Rejected; being answered');
    const at = new Date(2026, 0, 2, 21, 19, 21).getTime();
    assert.equal(
      decided('answer-late', at),
      'Approved (Answer Late); the dApp is answered at 21:19:21, or later if it takes longer',
    );
  });

  it('names decisions by the words of their buttons', () => {
    assert.equal(answered('approve', true), 'Carried out (Approve)');
    assert.equal(
      answered('approve-lose-answer', false),
      'Carried out (Approve Without Answering); the dApp gets no answer',
    );
  });
});
