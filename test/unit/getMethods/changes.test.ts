import assert from 'node:assert/strict';
import { Address, beginCell, Dictionary } from '@ton/core';
import { readTolkSource } from '../../../src/toolkit/contracts/abi/readTolkSource';
import { describeGetMethodResult } from '../../../src/toolkit/getMethods/describeGetMethodResult';
import { exportAsTest } from '../../../src/toolkit/getMethods/exportAsTest';
import type { GetMethodResult } from '../../../src/toolkit/getMethods/getMethodResult';
import { readEntry } from '../../../src/toolkit/getMethods/readEntry';
import { summarizeResult } from '../../../src/toolkit/getMethods/summarizeResult';
import { changeText, summaryText } from '../../../src/toolkit/getMethods/summaryText';
import { parseStackText } from '../../../src/toolkit/stack/parseStackText';

const alice = Address.parse('EQCjk1hh952vWaE9bRguFkAhDAL5jj3xj9p0uPWrFBq_GEMS');
const [signature] = readTolkSource(`
  struct Data { supply: int64, admin: address, limits: [int32, int32], mintable: bool }
  get fun data(): Data {}`);

function result(answer: string, exitCode = 0): GetMethodResult {
  return {
    address: alice.toRawString(),
    method: 'data',
    network: 'Local',
    api: 'v3',
    exitCode,
    exitMeaning: 'of its own',
    gasUsed: 1,
    arguments: [],
    stack: parseStackText(answer).map((value) => readEntry(value)),
    raw: [],
    elapsedMs: 1,
  };
}

describe('getMethods: changes since the last answer', () => {
  const before = result('41 addr none [1, 2] -1');

  it('are marked with the previous value, and nothing else is', () => {
    const lines = describeGetMethodResult(result('42 addr none [1, 3] -1'), { signature, previous: before })
      .split('\n')
      .filter((line) => line.includes('←'))
      .map((line) => line.trim().replace(/ {2,}/g, ' | '));
    assert.deepEqual(lines, [
      'out | 0 supply | int64 | 42 | ← was 41',
      'out | 2 limits | [int32, int32] | 2 values | ← changed inside',
      '1 | int32 | 3 | ←',
    ]);
  });

  it('are empty if the answer is the same, or the last call failed', () => {
    const alone = describeGetMethodResult(before, { signature });
    assert.match(alone, /out +0 supply +int64 +41/);
    for (const previous of [before, result('', 73)]) {
      assert.equal(describeGetMethodResult(before, { signature, previous }), alone);
    }
  });

  it('include a different origin of the types', () => {
    const text = describeGetMethodResult(before, { signature, origin: 'Tolk source, contracts/data.tolk' });
    assert.match(text, /types by Tolk source, contracts\/data\.tolk: data\(\)/);
  });
});

describe('getMethods: an answer on one line', () => {
  it('names the first fields and counts the rest', () => {
    const accountName = (): string => 'alice';
    const answer = result(`41 addr ${alice.toString()} [1, 2] -1`);
    assert.equal(
      summaryText(summarizeResult(answer, { signature, accountName })),
      'supply 41, admin alice, limits [1, 2], … 1 more',
    );
    assert.equal(summaryText(summarizeResult(result('7'))), '7');
    assert.equal(summaryText(summarizeResult(result(''))), 'nothing');
  });

  it('lists what a map and a struct contain, as far as there is room', () => {
    const bob = Address.parse('EQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAM9c');
    const guardians = Dictionary.empty(Dictionary.Keys.Address(), Dictionary.Values.Uint(16));
    guardians.set(bob, 5).set(alice, 3);
    const many = Dictionary.empty(Dictionary.Keys.Int(32), Dictionary.Values.Uint(32));
    Array.from({ length: 20 }, (_, index) => many.set(index, index * 100));
    const boxed = beginCell().storeDictDirect(guardians).endCell().toBoc().toString('base64');
    const counted = beginCell().storeDictDirect(many).endCell().toBoc().toString('base64');
    const [method] = readTolkSource(`
      struct Limits { perDay: coins, keeper: address }
      get fun m(): (map<address, uint16>, map<int32, uint32>, [Limits]) {}`);
    const answer = result(`cell ${boxed} cell ${counted} [[1ton, addr ${bob.toString()}]]`);
    const accountName = (address: string): string | undefined =>
      address === alice.toRawString() ? 'alice' : undefined;
    assert.deepEqual(
      summarizeResult(answer, { signature: method, accountName }).map(({ text }) => text),
      [
        '{EQAAAA…AM9c: 5, alice: 3}',
        '{0: 0, 1: 100, 2: 200, … 17 more}',
        '[{perDay: 1 TON, keeper: EQAAAA…AM9c}]',
      ],
    );
  });

  it('shows only what is different, field by field', () => {
    const [before, now] = ['41 addr none [1, 2] -1', '42 addr none [1, 2] -1'].map((text) =>
      summarizeResult(result(text), { signature }),
    );
    assert.equal(changeText(before ?? [], now ?? []), 'supply 41 → 42');
    assert.equal(
      changeText(summarizeResult(result('', 73)), summarizeResult(result('7'))),
      '✗ exit 73, of its own → 7',
    );
  });

  it("says why it failed, in the contract's own words if they are known", () => {
    assert.equal(summaryText(summarizeResult(result('', 73))), '✗ exit 73, of its own');
    assert.equal(
      summaryText(summarizeResult(result('', 73), { exits: { errors: new Map([[73, 'not owner']]) } })),
      '✗ exit 73, not owner',
    );
  });
});

describe('getMethods: a call as a test', () => {
  const call = {
    network: { name: 'Local', v2: 'http://127.0.0.1:1/api/v2' },
    address: alice.toString(),
    method: 'data',
    stack: parseStackText('42'),
  };

  it('expects each entry of the answer', () => {
    const text = exportAsTest(call, result(`41 addr ${alice.toString()} null`), 'node:test');
    assert.ok(text.includes('assert.equal(stack.readBigNumber(), 41n);'), text);
    assert.ok(
      text.includes(`assert.equal(stack.readAddress().toRawString(), '${alice.toRawString()}');`),
      text,
    );
    assert.ok(text.includes(`assert.equal(stack.pop().type, 'null');`), text);
    assert.ok(text.includes(`[{ type: 'int', value: 42n }]`), text);
    assert.ok(text.includes('process.env.TON_API_KEY'));
    const jest = exportAsTest(call, result('41'), 'jest');
    assert.ok(jest.includes('expect(stack.readBigNumber()).toEqual(41n);') && !jest.includes('node:'), jest);
  });

  it('expects a failure if the call fails', () => {
    assert.match(
      exportAsTest(call, result('', 73), 'node:test'),
      /await assert\.rejects\(client\.runMethod.*\/73\/\);/,
    );
  });
});
