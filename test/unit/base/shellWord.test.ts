import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { shellWord } from '../../../src/toolkit/base/text';
import { itOnPosix } from '../../support/itOnPosix';

describe('shellWord', () => {
  itOnPosix('is one word for a shell, whatever the text contains', () => {
    const texts = ["it's", '$(id) `id` "x" \\ !', 'a\nb', '', "'"];
    const printed = execFileSync('/bin/sh', ['-c', `printf '%s\\0' ${texts.map(shellWord).join(' ')}`], {
      encoding: 'utf8',
    });
    assert.deepEqual(printed.split('\0').slice(0, -1), texts);
  });
});
