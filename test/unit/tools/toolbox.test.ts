import assert from 'node:assert/strict';
import * as z from 'zod';
import { defineTool } from '../../../src/toolkit/tools/tool';
import type { ToolHost } from '../../../src/toolkit/tools/tool';
import { Toolbox } from '../../../src/toolkit/tools/toolbox';

/** A place with an allowed network, and a local one that does not run. */
const host = {
  networks: ['testnet'],
  control: () => 'http://127.0.0.1:1/control',
} as unknown as ToolHost;

function boxWith(document: object, data: z.ZodObject = z.looseObject({})): Toolbox {
  const tool = defineTool({
    ...{ name: 'steps', title: '', sentence: '', changes: 'local network', output: data },
    input: z.strictObject({ network: z.string().default('local') }),
    run: () => Promise.resolve(document),
  });
  return new Toolbox([tool], host);
}

describe('the toolbox', () => {
  it('takes a snapshot of the local network only before calls that go there', async () => {
    const box = boxWith({ passed: 1 });
    assert.deepEqual(await box.call('steps', { network: 'testnet' }), { ok: true, data: { passed: 1 } });
    for (const input of [{ network: 'local' }, {}]) {
      const { ok, error } = await box.call('steps', input);
      assert.equal(ok, false);
      assert.equal(error?.code, 'localnet-unreachable');
    }
  });

  it('keeps long answers below its limit as they are written, with each bracket in six characters', async () => {
    const box = boxWith({ lines: Array.from({ length: 300 }, () => '<'.repeat(60)) });
    const answer = await box.call('steps', { network: 'testnet' });
    const written = JSON.stringify(answer).replaceAll('<', '\\u003c');
    assert.ok(answer.rest !== undefined && answer.data !== undefined);
    assert.ok(written.length <= 18_000, `${written.length} characters`);
  });
});
