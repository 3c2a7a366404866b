import assert from 'node:assert/strict';
import type { LastAnswer } from '../../../src/toolkit/getMethods/summaryText';
import { LastAnswers, answerTitle } from '../../../src/toolkit/getMethods/summaryText';

function answer(changes: Partial<LastAnswer> = {}): LastAnswer {
  return {
    contract: 'Counter',
    method: 'currentCounter',
    network: 'TON Local',
    address: `0:${'1'.repeat(64)}`,
    stack: '',
    answer: [{ text: '42' }],
    failed: false,
    gas: 1723,
    at: 1_000,
    isAsked: true,
    ...changes,
  };
}

const onCounter = { instance: 'Counter', isEdited: false, cost: 'gas 1 723' };

describe('getMethods: the last answer, above its get-method', () => {
  it("is found by the contract's name in a file, a build, or a wrapper", () => {
    const answers = new LastAnswers();
    assert.equal(answers.note(answer()), true);
    for (const name of ['counter', 'Counter', 'CounterContract']) {
      assert.equal(answers.of(name, 'currentCounter')?.gas, 1723);
    }
    assert.equal(answers.of('Counter', 'initialId'), undefined);
    assert.equal(answers.of('Vault', 'currentCounter'), undefined);
  });

  it("is replaced by another call's answer only if the user ran that call", () => {
    const answers = new LastAnswers();
    const other = answer({ address: `0:${'2'.repeat(64)}`, answer: [{ text: '7' }] });
    answers.note(answer());
    assert.equal(answers.note({ ...other, isAsked: false }), false);
    assert.deepEqual(answers.of('counter', 'currentCounter')?.answer, [{ text: '42' }]);
    assert.equal(answers.note(other), true);
    assert.deepEqual(answers.of('counter', 'currentCounter')?.answer, [{ text: '7' }]);
  });

  it('reports a change only if the shown text differs', () => {
    const answers = new LastAnswers();
    answers.note(answer({ typed: 'bob', stack: 'addr …', block: 3 }));
    const again = answer({ stack: 'addr …', block: 4, at: 2_000, isAsked: false });
    assert.equal(answers.note(again), false);
    // It is still asked for, with what was typed, and of the newer block.
    const { typed, isAsked, block } = answers.of('counter', 'currentCounter') ?? {};
    assert.deepEqual([typed, isAsked, block], ['bob', true, 4]);
    assert.equal(answers.note({ ...again, answer: [{ text: '43' }] }), true);
    assert.equal(answers.note({ ...again, answer: [{ text: '43' }], gas: 1735 }), true);
  });

  it('is forgotten for the right call', () => {
    const answers = new LastAnswers();
    answers.note(answer());
    assert.equal(answers.forget(answer({ stack: '1' })), false);
    assert.equal(answers.forget(answer()), true);
    assert.equal(answers.of('Counter', 'currentCounter'), undefined);
  });

  it('is kept for the newest 200 calls', () => {
    const answers = new LastAnswers();
    for (let number = 0; number <= 200; number++) {
      answers.note(answer({ method: `method${number}` }));
    }
    assert.equal(answers.of('Counter', 'method0'), undefined);
    assert.equal(answers.of('Counter', 'method1')?.method, 'method1');
  });

  it('reads as a sentence', () => {
    assert.equal(answerTitle(answer(), onCounter), 'currentCounter() = 42 on Counter, gas 1 723');
    const fields = [{ name: 'owner', text: 'alice' }, { name: 'count', text: '0' }, { text: '… 2 more' }];
    assert.equal(
      answerTitle(answer({ method: 'info', answer: fields }), { ...onCounter, cost: undefined }),
      'info() = {owner: alice, count: 0, … 2 more} on Counter',
    );
    assert.equal(
      answerTitle(answer({ stack: 'addr EQ', typed: 'bob' }), { ...onCounter, isEdited: true }),
      'currentCounter(bob) = 42 on Counter, gas 1 723 (source edited since)',
    );
    assert.equal(
      answerTitle(answer(), { ...onCounter, elsewhere: 'Testnet, 12:04:11' }),
      'currentCounter() = 42 on Counter (Testnet, 12:04:11), gas 1 723',
    );
    assert.equal(
      answerTitle(answer({ failed: true, answer: [{ text: '✗ exit 9, cell underflow' }] }), onCounter),
      'currentCounter() ✗ exit 9, cell underflow on Counter, gas 1 723',
    );
  });

  it('stays one line of limited length, whatever the chain returns', () => {
    const hostile = { text: `a\nb\u202e${'x'.repeat(500)}` };
    const title = answerTitle(answer({ answer: [hostile], stack: '1 '.repeat(100) }), onCounter);
    assert.ok(title.length < 250 && !/[\n\u202e]/.test(title), title);
  });
});
