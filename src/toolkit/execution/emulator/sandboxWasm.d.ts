/** Parts of @ton/sandbox below its Executor, for which the package has no types. */
declare module '@ton/sandbox/dist/executor/emulator-emscripten.js' {
  export interface EmscriptenOptions {
    wasmBinary: Uint8Array;
    instantiateWasm(
      imports: WebAssembly.Imports,
      ready: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
    ): void;
    onAbort(reason: unknown): void;
  }

  /** All pointers are byte offsets into the instance's memory; texts are zero-terminated UTF-8. */
  export interface EmscriptenModule {
    _create_emulator(config: number, verbosity: number): number;
    _destroy_emulator(emulator: number): void;
    _emulate_with_emulator(
      emulator: number,
      libraries: number,
      shardAccount: number,
      message: number,
      parameters: number,
    ): number;
    _run_get_method(parameters: number, stack: number, config: number): number;
    _version(): number;
    _malloc(size: number): number;
    _free(pointer: number): void;
    lengthBytesUTF8(text: string): number;
    stringToUTF8(text: string, pointer: number, size: number): void;
    UTF8ToString(pointer: number): string;
  }

  const createModule: (options: EmscriptenOptions) => Promise<EmscriptenModule>;
  export { createModule as default };
}

declare module '@ton/sandbox/dist/executor/emulator-emscripten.wasm.js' {
  /** The binary, base64. */
  export const EmulatorEmscriptenWasm: string;
}
