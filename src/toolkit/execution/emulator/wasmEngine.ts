import createModule from '@ton/sandbox/dist/executor/emulator-emscripten.js';
import type { EmscriptenModule, EmscriptenOptions } from '@ton/sandbox/dist/executor/emulator-emscripten.js';
import { EmulatorEmscriptenWasm } from '@ton/sandbox/dist/executor/emulator-emscripten.wasm.js';
import { WorkbenchError } from '../../base/errors';
import { emulatorFailedError } from './emulator';

const stackPointer = 'stackPointer';

/**
 * Bytes. The package's build has a stack of 64 KiB right above its static data: a cell tree or list of some 310
 * levels overflows it, with unpredictable results. With this size the thread's own stack overflows first, which
 * WebAssembly detects; untouched pages take no memory.
 */
const stackSize = 64 * 1024 * 1024;

let compiled: Promise<WebAssembly.Module> | undefined;

/**
 * The TVM and transaction executor of @ton/sandbox: its WebAssembly, with a stack large enough for cell trees of any
 * depth.
 */
export class WasmEngine {
  #emulator: { pointer: number; config: string; verbosity: number } | undefined;

  private constructor(private readonly module: EmscriptenModule) {}

  static async create(): Promise<WasmEngine> {
    compiled ??= WebAssembly.compile(
      exportStackPointer(Buffer.from(EmulatorEmscriptenWasm, 'base64'), stackPointer),
    );
    const wasm = await compiled;
    let exports: WebAssembly.Exports = {};
    const module = await new Promise<EmscriptenModule>((resolve, reject) => {
      const options: EmscriptenOptions = {
        // Only used if instantiateWasm is missing.
        wasmBinary: new Uint8Array(),
        instantiateWasm: (imports, ready) => {
          WebAssembly.instantiate(wasm, imports).then((instance) => {
            exports = instance.exports;
            ready(instance, wasm);
          }, reject);
        },
        // Otherwise it prints "Aborted()" and then throws.
        onAbort: (reason) => {
          throw new Error(`aborted ${String(reason)}`);
        },
      };
      createModule(options).then(resolve, reject);
    });
    const top = module._malloc(stackSize) + stackSize;
    (exports[stackPointer] as WebAssembly.Global).value = top - (top % 16);
    return new WasmEngine(module);
  }

  /** The sources it was built from. */
  version(): { emulatorLibCommitHash: string; emulatorLibCommitDate: string } {
    return this.#call(() => this.module._version(), []);
  }

  /**
   * Executes a message, or calls a special account. The configuration is parsed whenever it or the verbosity changes.
   * @throws WorkbenchError `emulator-failed`; then the state of the instance's memory is unknown, so use a new one
   */
  transact(
    input: {
      config: string;
      verbosity: number;
      libraries: string | null;
      shardAccount: string;
      message: string;
    },
    parameters: object,
  ): WasmTransaction {
    const emulator = this.#emulatorFor(input.config, input.verbosity);
    const texts = [input.shardAccount, input.message, JSON.stringify(parameters), input.libraries ?? ''];
    return this.#call(
      ([shardAccount = 0, message = 0, json = 0, libraries = 0]) =>
        this.module._emulate_with_emulator(
          emulator,
          input.libraries === null ? 0 : libraries,
          shardAccount,
          message,
          json,
        ),
      texts,
    );
  }

  /**
   * Runs a get-method. @param stack BoC, base64
   * @throws like {@link transact}
   */
  runGetMethod(parameters: object, stack: string, config: string): WasmGetMethod {
    return this.#call(
      ([json = 0, boc = 0, root = 0]) => this.module._run_get_method(json, boc, root),
      [JSON.stringify(parameters), stack, config],
    );
  }

  #emulatorFor(config: string, verbosity: number): number {
    const known = this.#emulator;
    if (known?.config === config && known.verbosity === verbosity) {
      return known.pointer;
    }
    this.#emulator = undefined;
    if (known !== undefined) {
      this.module._destroy_emulator(known.pointer);
    }
    const pointer = this.#guarded(() =>
      this.#with([config], ([root = 0]) => this.module._create_emulator(root, verbosity)),
    );
    if (pointer === 0) {
      throw emulatorFailedError('it does not support the configuration');
    }
    this.#emulator = { pointer, config, verbosity };
    return pointer;
  }

  /** Its answers are JSON: `output`, or `fail` with a message about the input. */
  #call<T>(call: (texts: readonly number[]) => number, texts: readonly string[]): T {
    const answer = this.#guarded(() => {
      const pointer = this.#with(texts, call);
      const text = this.module.UTF8ToString(pointer);
      this.module._free(pointer);
      return text;
    });
    const { fail, message, output, ...rest } = JSON.parse(answer) as WasmAnswer;
    if (fail === true) {
      throw emulatorFailedError(message ?? 'it gave no reason');
    }
    return (output ?? rest) as T;
  }

  #with(texts: readonly string[], call: (pointers: readonly number[]) => number): number {
    const { module } = this;
    const pointers = texts.map((text) => {
      const size = module.lengthBytesUTF8(text) + 1;
      const pointer = module._malloc(size);
      module.stringToUTF8(text, pointer, size);
      return pointer;
    });
    const result = call(pointers);
    pointers.forEach((pointer) => module._free(pointer));
    return result;
  }

  /** WebAssembly errors (traps, C++ exceptions as bare numbers) mean nothing to people; they become the cause. */
  #guarded<T>(work: () => T): T {
    try {
      return work();
    } catch (cause) {
      throw WorkbenchError.is(cause) ? cause : emulatorFailedError(brokenDown(cause), cause);
    }
  }
}

function brokenDown(cause: unknown): string {
  return cause instanceof RangeError
    ? 'its data is nested too deeply for this emulator'
    : 'the emulator crashed';
}

interface WasmAnswer {
  fail?: boolean;
  message?: string;
  output?: unknown;
}

/** The engine's own field names. */
export type WasmTransaction =
  | { success: true; transaction: string; shard_account: string; vm_log: string; actions: string | null }
  | { success: false; error: string; vm_log?: string; vm_exit_code?: number };

export type WasmGetMethod =
  | {
      success: true;
      stack: string;
      gas_used: string;
      vm_exit_code: number;
      vm_log: string;
      missing_library: string | null;
    }
  | { success: false; error: string };

/** Section ids of a module, and export kinds (WebAssembly core specification, binary format). */
const globalSection = 6;
const exportSection = 7;
const exportedGlobal = 3;
const headerSize = 8;

/**
 * A WebAssembly module that also exports its first global under `name`: in LLVM's output, that is the stack pointer,
 * the only way to replace the 64 KiB stack it was linked with.
 * @throws Error if the module has no export section or its first global is not a mutable 32-bit number
 */
export function exportStackPointer(module: Uint8Array, name: string): Uint8Array<ArrayBuffer> {
  let sawPointer = false;
  for (let at = headerSize; at < module.length;) {
    const size = readNumber(module, at + 1);
    const content = size.next;
    const end = content + size.value;
    if (module[at] === globalSection) {
      const first = readNumber(module, content).next;
      sawPointer = module[first] === 0x7f && module[first + 1] === 1;
    }
    if (module[at] === exportSection && sawPointer) {
      const count = readNumber(module, content);
      const added = Buffer.concat([
        writeNumber(count.value + 1),
        module.subarray(count.next, end),
        writeNumber(Buffer.byteLength(name)),
        Buffer.from(name),
        Buffer.from([exportedGlobal, 0]),
      ]);
      const parts = [module.subarray(0, at + 1), writeNumber(added.length), added, module.subarray(end)];
      return new Uint8Array(Buffer.concat(parts));
    }
    at = end;
  }
  throw new Error('the WebAssembly module has no stack pointer to export');
}

/** LEB128. */
function readNumber(bytes: Uint8Array, at: number): { value: number; next: number } {
  let value = 0;
  let next = at;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[next] ?? 0;
    next += 1;
    value |= (byte & 0x7f) << shift;
    if ((byte & 0x80) === 0) {
      return { value: value >>> 0, next };
    }
  }
}

function writeNumber(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 0x80) {
      return Buffer.from([...bytes, rest]);
    }
    bytes.push((rest & 0x7f) | 0x80);
  }
}
