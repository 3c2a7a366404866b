/**
 * How the pages that a browser shows are built: each is one script and one style sheet.
 * @satisfies {import('esbuild').BuildOptions}
 */
export const webviewBuild = {
  bundle: true,
  platform: /** @type {const} */ ('browser'),
  target: 'es2022',
  format: /** @type {const} */ ('iife'),
  jsx: /** @type {const} */ ('automatic'),
  jsxImportSource: 'preact',
  define: { 'process.env.NODE_ENV': '"production"' },
};
