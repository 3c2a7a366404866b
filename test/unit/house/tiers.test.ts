import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from '../../../scripts/lib/root.mjs';
import type { Counts } from '../../../scripts/lib/countingReporter.mjs';
import { runScript } from '../../../scripts/lib/runScript.mjs';
import { runLanes } from '../../../scripts/lib/runLanes.mjs';
import { tiers } from '../../../scripts/lib/tiers.mjs';
import { until } from '../../support/until';

describe('npm test', () => {
  const names = tiers.map(({ name }) => name);
  const scratch = mkdtempSync(path.join(tmpdir(), 'ton-workbench-tiers-'));
  after(() => rmSync(scratch, { recursive: true }));

  /** Runs a tier whose whole script this is. The name is of no folder below test/, unless given. */
  const run = async (
    script: string,
    parameters: { limitS?: number; name?: string } = {},
    after?: (work: () => void, ms: number) => () => void,
  ): Promise<Counts> => {
    const file = path.join(scratch, 'tier.mjs');
    writeFileSync(file, script);
    const tier = { name: 'probe-of-npm-test', script: file, limitS: 20, testMs: 1000, ...parameters };
    const env = { ...process.env, TONWB_GREP: undefined };
    return (await runScript(tier, { env, pace: 1, results: scratch, ...(after && { after }) })).counts;
  };
  const write = (counts: object): string =>
    `import { writeFileSync } from 'node:fs';
     const counts = { passed: 0, failed: 0, failures: [], files: [], ...${JSON.stringify(counts)} };
     writeFileSync(process.env.TONWB_RESULT, JSON.stringify(counts));`;

  it('collects every test file of the project in a tier', () => {
    const files = readdirSync(root)
      .filter((name) => !['node_modules', 'dist', '.cache', '.git', 'examples'].includes(name))
      .flatMap((name) =>
        statSync(path.join(root, name)).isDirectory()
          ? readdirSync(path.join(root, name), { recursive: true, encoding: 'utf8' }).map((file) =>
              path.posix.join(name, file.replaceAll('\\', '/')),
            )
          : [name],
      );
    const strays = files.filter(
      (file) =>
        /\.(test|spec)\.[cm]?[jt]sx?$/.test(file) &&
        !names.some((name) => file.startsWith(`test/${name}/`) && /\.test\.tsx?$/.test(file)),
    );
    assert.deepEqual(strays, []);
  });

  it('has no time limit in a test that does not grow with the pace of the machine', () => {
    const limit =
      /AbortSignal\.timeout\([\d_]+\)|defaultTimeout = [\d_]+;|\btimeout: \d+_000\b(?! \*| _)|\.newContext\(/;
    const fixed = readdirSync(path.join(root, 'test'), { recursive: true, encoding: 'utf8' })
      .filter(
        (file) => file.endsWith('.ts') && !file.endsWith('windowPage.ts') && !file.endsWith('tiers.test.ts'),
      )
      .filter((file) => limit.test(readFileSync(path.join(root, 'test', file), 'utf8')));
    assert.deepEqual(fixed, []);
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
    const script = `${write({ passed: 3 })} setInterval(() => undefined, 1000);`;
    const result = path.join(scratch, 'probe-of-npm-test.json');
    const counts = await run(script, { limitS: 1800 }, (work, ms) => {
      assert.equal(ms, 1_800_000);
      void until(() => existsSync(result) && readFileSync(result, 'utf8').endsWith('}'), result).then(work);
      return () => undefined;
    });
    assert.deepEqual([counts.passed, counts.failed], [3, 1]);
  });

  it('counts a suite file without tests as a failure', async () => {
    const counts = await run(write({ passed: 1, files: ['test/host/other.test.ts'] }), { name: 'host' });
    assert.ok(counts.failures.some((title) => title.startsWith('test/host/commands.test.ts')));
  });

  describe('in lanes', () => {
    const folder = mkdtempSync(path.join(root, 'dist/test/test/unit/lanes-'));
    after(() => rmSync(folder, { recursive: true }));

    /** Runs files of these texts one after the other. */
    const runFiles = async (texts: string[], limitS = 20): Promise<Counts[]> => {
      const files = texts.map((text, index) => {
        const name = `${index}.test.js`;
        writeFileSync(path.join(folder, name), text);
        return path.posix.join('test/unit', path.basename(folder), name);
      });
      const tier = { name: 'unit', limitS, testMs: 1000 };
      const results = await runLanes(
        files.map((file) => ({ tier, files: [file] })),
        { env: { ...process.env, TONWB_GREP: undefined }, pace: 1, cores: 1, onResult: () => undefined },
      );
      return results.map(({ counts }) => counts);
    };
    const passing = "it('passes', () => undefined);";

    it('counts each file by itself, in one process', async () => {
      const kept = 'globalThis.files = (globalThis.files ?? 0) + 1;';
      const [first, second] = await runFiles([
        `${kept} ${passing}`,
        `${kept} ${passing} it('sees the first', () => { if (globalThis.files !== 2) throw new Error(); }); it.skip('counts as failed');`,
      ]);
      assert.deepEqual([first?.passed, first?.failed], [1, 0]);
      assert.deepEqual([second?.passed, second?.failed], [2, 1]);
    });

    it('counts a file that cannot be loaded, that has no test, or that ends the process, and goes on', async () => {
      const counts = await runFiles(['throw new Error("no");', '', 'process.exit(0);', passing]);
      assert.deepEqual(
        counts.map(({ passed, failed }) => [passed, failed]),
        [
          [0, 1],
          [0, 1],
          [0, 1],
          [1, 0],
        ],
      );
    });

    it('stops a file that does not end', async () => {
      const [first, second] = await runFiles(["it('hangs', () => { for (;;); });", passing], 1);
      assert.match(first?.failures[0] ?? '', /did not end within 1 s/);
      assert.equal(second?.passed, 1);
    });
  });
});
