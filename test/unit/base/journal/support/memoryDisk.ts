import type { JournalDisk } from '../../../../../src/toolkit/base/journal/journalDisk';

interface MemoryFile {
  bytes: Buffer;
  names: number;
}

export interface MemoryDisk extends JournalDisk {
  /** By path. */
  files: Map<string, MemoryFile>;
  put(name: string, bytes: Buffer): void;
}

/** A disk without a disk, for tests that open thousands of files. */
export function memoryDisk(): MemoryDisk {
  const files = new Map<string, MemoryFile>();
  const handles: MemoryFile[] = [];
  const file = (name: string): MemoryFile => {
    const found = files.get(name);
    if (found === undefined) {
      throw Object.assign(new Error(`no such file: ${name}`), { code: 'ENOENT' });
    }
    return found;
  };
  const remove = (name: string): void => {
    const found = files.get(name);
    if (found !== undefined) {
      found.names -= 1;
      files.delete(name);
    }
  };
  const opened = (handle: number): MemoryFile => handles[handle] as MemoryFile;
  const write: JournalDisk['write'] = (handle, bytes, offset, position) => {
    const target = opened(handle);
    const end = position + bytes.length - offset;
    if (end > target.bytes.length) {
      target.bytes = Buffer.concat([target.bytes, Buffer.alloc(end - target.bytes.length)]);
    }
    return bytes.copy(target.bytes, position, offset);
  };
  return {
    files,
    put: (name, bytes) => void files.set(name, { bytes: Buffer.from(bytes), names: 1 }),
    makeFolder: () => undefined,
    list: () => [...files.keys()],
    exists: (name) => files.has(name),
    readFile: (name) => Buffer.from(file(name).bytes),
    open: (name, create) => {
      if (create) {
        remove(name);
        files.set(name, { bytes: Buffer.alloc(0), names: 1 });
      }
      return handles.push(file(name)) - 1;
    },
    read: (handle, bytes, position) => opened(handle).bytes.copy(bytes, 0, position),
    write,
    writeLater: (...parameters) => Promise.resolve(write(...parameters)),
    truncate: (handle, length) => {
      opened(handle).bytes = Buffer.from(opened(handle).bytes.subarray(0, length));
    },
    sync: () => undefined,
    syncLater: () => Promise.resolve(),
    close: () => undefined,
    isDeleted: (handle) => opened(handle).names === 0,
    link: (name, other) => {
      if (files.has(other)) {
        throw Object.assign(new Error(`exists: ${other}`), { code: 'EEXIST' });
      }
      file(name).names += 1;
      files.set(other, file(name));
    },
    rename: (from, to) => {
      const moved = file(from);
      remove(to);
      files.delete(from);
      files.set(to, moved);
    },
    protect: () => undefined,
    remove,
    syncFolder: () => undefined,
  };
}
