/** For processes of Node.js that run the TVM or a compiler for a moment only: as in src/cli.ts, which says why. */
export const wasmFlags =
  Number.parseInt(process.versions.v8, 10) < 13 ? ['--wasm-tiering-budget=13000000'] : [];
