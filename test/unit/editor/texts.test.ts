import assert from 'node:assert/strict';
import { methodNameProblem } from '../../../src/toolkit/getMethods/getMethodErrors';
import { shortCoins } from '../../../src/toolkit/trace/figures';
import { shortenMiddle } from '../../../src/toolkit/base/text';
import { plainMessageText } from '../../../src/editor/ui/plainText';

describe('amounts in rows', () => {
  const cases: [bigint, string][] = [
    [0n, '0'],
    [1n, '<0.0001'],
    [1_500_000_000n, '1.5'],
    [999_999_706_782_259n, '999 999.7067'],
    [-250_000_000n, '-0.25'],
  ];
  for (const [nanocoins, text] of cases) {
    it(`${nanocoins} nanocoins are ${text}`, () => assert.equal(shortCoins(nanocoins), text));
  }
});

describe('short addresses', () => {
  it('show the first 6 and the last 4 characters', () => {
    assert.equal(shortenMiddle('EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs'), 'EQCxE6…_sDs');
  });
  it('leave short text as it is', () => assert.equal(shortenMiddle('alice'), 'alice'));
});

describe('the name of a get-method', () => {
  for (const name of ['seqno', 'get_wallet_address', '85143', '-1', 'is_owner?', 'currentCounter']) {
    it(`may be ${name}`, () => assert.equal(methodNameProblem(name), undefined));
  }
  it('may not be empty', () => assert.match(methodNameProblem('  ') ?? '', /Enter the name/));
  it('is rejected with the character that is not allowed', () => {
    assert.match(methodNameProblem('seq no') ?? '', /Character 4 \(" "\)/);
  });
});

describe('notifications about strangers', () => {
  it('have no links', () => {
    assert.equal(
      plainMessageText('[Approve](command:tonWorkbench.startWallet) asks: [a](https://a.example)'),
      '[Approve] (command:tonWorkbench.startWallet) asks: [a] (https://a.example)',
    );
  });
});
