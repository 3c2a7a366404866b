import assert from 'node:assert/strict';
import { movedNodes } from '../../../../src/webview/tracePage/movedNodes';
import { pageNode } from './pageNodes';

describe('page of a trace: while it grows', () => {
  const before = [
    pageNode({ hash: 'a' }),
    pageNode({ parent: 0, account: 1, hash: 'b' }),
    pageNode({ parent: 0, account: 2, message: 'waits' }),
    pageNode({ parent: 0, account: 2, message: 'waits' }),
  ];

  it('what is selected stays selected when another transaction comes before it', () => {
    const after = [
      before[0]!,
      before[1]!,
      pageNode({ parent: 1, account: 3, hash: 'new' }),
      pageNode({ parent: 0, account: 2, message: 'waits', hash: 'c' }),
      before[3]!,
    ];
    assert.deepEqual([...movedNodes(before, after)], [0, 1, 3, 4]);
  });

  it('what is gone is nowhere', () => {
    assert.deepEqual([...movedNodes(before, before.slice(0, 2))], [0, 1, -1, -1]);
  });
});
