import { suites } from 'virtual:host-suites';

/**
 * What the editor calls in its extension host: runs every suite of test/host.
 * @throws where a test failed, which ends the editor with exit code 1
 */
export async function run(): Promise<void> {
  const { default: Mocha } = await import('mocha');
  const { CountingReporter } = await import('../../scripts/lib/countingReporter.mjs');
  const { pace } = await import('../../scripts/lib/pace.mjs');
  const mocha = new Mocha({
    reporter: CountingReporter,
    timeout: 120_000 * pace,
    forbidOnly: true,
    ...(process.env['TONWB_GREP'] === undefined ? {} : { grep: process.env['TONWB_GREP'] }),
  });
  // In Restricted Mode only what has to hold there.
  const isRestricted = process.env['TONWB_RESTRICTED'] !== undefined;
  const only = process.env['TONWB_FILES']?.split(',') ?? [];
  const chosen = [...suites]
    .filter(([file]) => !isRestricted || file.includes('hostileWorkspace'))
    .filter(([file]) => only.length === 0 || only.some((wanted) => wanted.endsWith(file)));
  for (const [file, load] of chosen) {
    // What mocha does before it loads a file: describe and it become known, bound to that file.
    mocha.suite.emit('pre-require', globalThis, file, mocha);
    await load();
  }
  const failures = await new Promise<number>((resolve) => mocha.run(resolve));
  if (failures > 0) {
    throw new Error(`${failures} failed`);
  }
}
