import assert from 'node:assert/strict';
import { tonPay } from '../../../src/toolkit/webhook/provider/tonPay';
import { guessFramework } from '../../../src/toolkit/webhook/receiver/receiverSource';
import { receiverFiles, receiverPathProblem } from '../../../src/toolkit/webhook/receiver/receiverFiles';

describe('a new webhook receiver', () => {
  it('is for the framework that package.json names, if it names one', () => {
    const uses = (...names: string[]): string =>
      JSON.stringify({ dependencies: Object.fromEntries(names.map((name) => [name, '*'])) });
    assert.equal(guessFramework([uses('fastify', 'zod')]), 'fastify');
    assert.equal(guessFramework([uses('zod'), '{"devDependencies":{"hono":"4"}}']), 'hono');
    assert.equal(guessFramework([uses('next'), uses('next')]), 'next');
    assert.equal(guessFramework([uses('next', 'express')]), undefined, 'two');
    for (const nothing of [[], [''], ['null'], ['[]'], ['{"dependencies":7}'], [uses('expressive')]]) {
      assert.equal(guessFramework(nothing), undefined, nothing[0]);
    }
  });

  it('stands beside its test; for Next.js, with its route', () => {
    const paths = receiverFiles(tonPay.receiver(), 'express', 'src/pay.mjs').map((file) => file.path);
    assert.deepEqual(paths, ['src/pay.mjs', 'src/pay.test.mjs']);
    const [receiver, test, route] = receiverFiles(tonPay.receiver(), 'next', 'app/webhook/receiver.mjs');
    assert.deepEqual([test?.path, route?.path], ['app/webhook/receiver.test.mjs', 'app/webhook/route.js']);
    assert.match(route?.text ?? '', /from '\.\/receiver\.mjs';[^]*export const POST/);
    assert.doesNotMatch(receiver?.text ?? '', /process\.argv/);
  });

  it('is a file inside the folder that every system can have', () => {
    for (const path of ['webhook-receiver.mjs', 'src/a b/[id]/pay.v2.mjs']) {
      assert.equal(receiverPathProblem(path), undefined, path);
    }
    for (const [path, why] of [
      ['', /ends with \.mjs/],
      ['pay.js', /ends with \.mjs/],
      ['.mjs', /ends with \.mjs/],
      ['pay.test.mjs', /without \.test/],
      ['../pay.mjs', /inside the folder/],
      ['src/../../pay.mjs', /inside the folder/],
      ['/etc/pay.mjs', /inside the folder/],
      ['C:/pay.mjs', /leave out/],
      ['src\\pay.mjs', /Write \//],
      ['a\u0000b/pay.mjs', /leave out/],
    ] as const) {
      assert.match(receiverPathProblem(path) ?? '', why, JSON.stringify(path));
    }
  });
});
