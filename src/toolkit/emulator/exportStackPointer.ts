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
