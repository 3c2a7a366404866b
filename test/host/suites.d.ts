/** Made by esbuild.mjs: every test/host/**\/*.test.ts by its path. */
declare module 'virtual:host-suites' {
  export const suites: Map<string, () => Promise<unknown>>;
}
