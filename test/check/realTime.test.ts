import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { root } from '../../scripts/lib/root.mjs';
import { nodesOf } from './sources';

/* Tests do not sleep: time is injected (test/support/hastyClock.ts, steppedClock.ts). */

/** Where time passes for real, and why. */
const homes: ReadonlyMap<string, string> = new Map([
  ['support/until.ts', 'looks again until another process or thread has done something'],
  ['support/hastyClock.ts', 'its sleeps take no time'],
  ['support/hurryTimers.ts', 'shortens the pauses of a library that takes no clock'],
  ['unit/localnet/streamClient.test.ts', 'nothing may be asked meanwhile, over a real socket'],
  ['support/startDApp.ts', 'a limit: what a dApp in another thread waits for may never come'],
  ['support/faultServer.ts', 'a reset drops what a client in another process has not read yet'],
]);

/** What makes a test wait for a time, as it is written in a source. */
function waitsIn(text: string): string[] {
  const tree = ts.createSourceFile('test.ts', text, ts.ScriptTarget.Latest, true);
  const timers = nodesOf(tree, ts.isIdentifier).filter((one) => one.text === 'setTimeout');
  const sleeps = nodesOf(tree, ts.isPropertyAccessExpression).filter(({ expression, name }) =>
    ['systemClock.sleep', 'Atomics.wait', 'scheduler.wait'].includes(`${expression.getText()}.${name.text}`),
  );
  // What a test runs elsewhere.
  const scripts = nodesOf(
    tree,
    (node): node is ts.Node => ts.isStringLiteralLike(node) || isTemplatePart(node),
  )
    .map((node) => node.getText())
    .filter((script) => /\bsetTimeout\(|\bsleep [\d.]/.test(script));
  return [...[...timers, ...sleeps].map((node) => node.parent.getText()), ...scripts];
}

function isTemplatePart(node: ts.Node): boolean {
  return ts.isTemplateHead(node) || ts.isTemplateMiddle(node) || ts.isTemplateTail(node);
}

describe('tests', () => {
  it('do not sleep, but for what has a reason', () => {
    const test = path.join(root, 'test');
    const files = ['unit', 'conformance', 'support'].flatMap((folder) =>
      readdirSync(path.join(test, folder), { recursive: true, encoding: 'utf8' })
        .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
        .filter((file) => /\.tsx?$/.test(file)),
    );
    assert.ok(files.length > 300, `${files.length} files were found`);
    const waiting = files.filter((file) => waitsIn(readFileSync(path.join(test, file), 'utf8')).length > 0);
    assert.deepEqual(waiting.sort(), [...homes.keys()].sort());
  });

  it('are seen to sleep where they do', () => {
    for (const text of [
      'await new Promise((resolve) => setTimeout(resolve, 100));',
      "import { setTimeout as sleep } from 'node:timers/promises';",
      'await systemClock.sleep(10);',
      'Atomics.wait(cells, 0, 0, 100);',
      "spawn('sh', ['-c', 'sleep 0.3; cat']);",
      'const script = `${start} setTimeout(() => stop(), 100);`;',
    ]) {
      assert.equal(waitsIn(text).length > 0, true, text);
    }
    for (const text of ['await clock.sleep(10);', 'clock.advance(100);', "it('does not sleep', () => {});"]) {
      assert.deepEqual(waitsIn(text), [], text);
    }
  });
});
