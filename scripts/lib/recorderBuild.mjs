/**
 * How the recorder of tests is built: one file that needs nothing but Node.js, because other people's tests load it.
 * @satisfies {import('esbuild').BuildOptions}
 */
export const recorderBuild = {
  bundle: true,
  format: /** @type {const} */ ('cjs'),
  platform: /** @type {const} */ ('node'),
  target: 'node20.19',
  minifySyntax: true,
};

/** Its source. */
export const recorderSource = 'src/library/record.ts';
