import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from '../../../scripts/lib/root.mjs';
import type { Counts } from '../../../scripts/lib/countingReporter.mjs';
import { runTier } from '../../../scripts/lib/runTier.mjs';
import { tiers } from '../../../scripts/lib/tiers.mjs';

describe('npm test', () => {
  const names = tiers.map(({ name }) => name);
  const scratch = mkdtempSync(path.join(tmpdir(), 'ton-workbench-tiers-'));
  after(() => rmSync(scratch, { recursive: true }));

  /** Runs a tier whose whole script this is. The name is of no folder below test/, unless given. */
  const run = async (
    script: string,
    parameters: { limitS?: number; name?: string } = {},
  ): Promise<Counts> => {
    const file = path.join(scratch, 'tier.mjs');
    writeFileSync(file, script);
    const tier = { name: 'probe-of-npm-test', script: file, limitS: 20, testMs: 1000, ...parameters };
    return (
      await runTier(tier, { env: { ...process.env, TONWB_GREP: undefined }, long: false, results: scratch })
    ).counts;
  };
  const write = (counts: object): string =>
    `import { writeFileSync } from 'node:fs';
     const counts = { passed: 0, failed: 0, failures: [], files: [], ...${JSON.stringify(counts)} };
     writeFileSync(process.env.TONWB_RESULT, JSON.stringify(counts));`;

  it('collects every test file of the project in a tier', () => {
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).map((file) =>
      file.replaceAll('\\', '/'),
    );
    const strays = files.filter(
      (file) =>
        /\.(test|spec)\.[cm]?[jt]sx?$/.test(file) &&
        !/^(node_modules|dist|\.cache|examples)\//.test(file) &&
        !names.some((name) => file.startsWith(`test/${name}/`) && /\.test\.tsx?$/.test(file)),
    );
    assert.deepEqual(strays, []);
  });

  it('counts passed tests as passed', async () => {
    const counts = await run(write({ passed: 3 }));
    assert.deepEqual([counts.passed, counts.failed], [3, 0]);
  });

  it('counts a tier that crashes as a failure', async () => {
    assert.equal((await run('process.exit(0);')).failed, 1);
    assert.equal((await run('throw new Error("no start");')).failed, 1);
  });

  it('counts a tier without tests as a failure', async () => {
    assert.equal((await run(write({}))).failed, 1);
  });

  it('counts a bad exit after good tests as a failure', async () => {
    assert.equal((await run(`${write({ passed: 3 })} process.exit(7);`)).failed, 1);
  });

  it('counts a tier that does not end as a failure, and stops it', async () => {
    const counts = await run(`${write({ passed: 3 })} setInterval(() => undefined, 1000);`, { limitS: 0.5 });
    assert.deepEqual([counts.passed, counts.failed], [3, 1]);
  });

  it('counts a suite file without tests as a failure', async () => {
    const counts = await run(write({ passed: 1, files: ['test/host/other.test.ts'] }), { name: 'host' });
    assert.ok(counts.failures.some((title) => title.startsWith('test/host/presence.test.ts')));
  });
});
