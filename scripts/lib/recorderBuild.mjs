/**
 * How the recorder of tests and the drop-in for @ton/sandbox are built: one file each that needs nothing but Node.js and
 * the project's own @ton/sandbox, because other people's tests load it.
 * @satisfies {import('esbuild').BuildOptions}
 */
export const recorderBuild = {
  bundle: true,
  format: /** @type {const} */ ('cjs'),
  platform: /** @type {const} */ ('node'),
  target: 'node20.19',
  minifySyntax: true,
  external: ['@ton/sandbox'],
};

/** Their sources, by the names of the files. */
export const recorderSources = { record: 'src/library/record.ts', sandbox: 'src/library/sandbox.ts' };
