import * as fs from 'node:fs';
import { Socket } from 'node:net';
import type { GetMethodSignature } from '../toolkit/contracts/abi/getMethodSignature';
import type { LimitName } from '../toolkit/base/limits';
import { overLimitError } from '../toolkit/base/limits';
import { mostBytesOf, readUserFile } from '../toolkit/base/readUserFile';
import type { GivenFile } from './fileError';
import { fileError } from './fileError';
import { compileFile, pathHere } from './surroundings';

/**
 * Reads a file named on the command line; also a pipe, such as a shell's `<(…)`.
 * @param limit as of {@link readUserFile}
 * @throws WorkbenchError `over-limit`, and as {@link fileError}
 */
export async function readGivenFile(given: GivenFile, limit: LimitName): Promise<Buffer> {
  const path = pathHere(given.path);
  try {
    return fs.statSync(path).isFIFO() ? await readPipe(path, limit) : readUserFile(path, limit);
  } catch (cause) {
    throw fileError(given, cause);
  }
}

/** As {@link readGivenFile}, as text. */
export async function readGivenText(given: GivenFile, limit: LimitName): Promise<string> {
  return (await readGivenFile(given, limit)).toString('utf8');
}

/** The text of an ABI file. */
export function readAbiText(path: string): Promise<string> {
  return readGivenText({ path, what: 'The ABI file', code: 'abi-file-unreadable' }, 'givenFile');
}

/** Not opened as a file: that waits for a writer, and a process that waits so cannot end. */
async function readPipe(path: string, limit: LimitName): Promise<Buffer> {
  const { O_RDONLY, O_NONBLOCK = 0 } = fs.constants;
  const fd = fs.openSync(path, O_RDONLY | O_NONBLOCK);
  const parts: Buffer[] = [];
  let length = 0;
  const add = (part: Buffer): void => {
    parts.push(part);
    length += part.length;
    if (length > mostBytesOf(limit)) {
      throw overLimitError(limit, { what: `The pipe ${path}` });
    }
  };
  if (readsAll(fd, add)) {
    if (length === 0) {
      throw Object.assign(new Error('nobody writes to this pipe'), { code: 'ENOWRITER' });
    }
  } else {
    for await (const part of new Socket({ fd, readable: true, writable: false }) as AsyncIterable<Buffer>) {
      add(part);
    }
  }
  return Buffer.concat(parts);
}

/**
 * Reads what is in a pipe already. The end of one without a writer is told by reading alone, not by an event.
 * @returns whether that is all, and the pipe is closed; else a writer may write more
 */
function readsAll(fd: number, add: (part: Buffer) => void): boolean {
  let waits = false;
  try {
    for (;;) {
      const part = Buffer.alloc(65_536);
      const read = fs.readSync(fd, part);
      if (read === 0) {
        return true;
      }
      add(part.subarray(0, read));
    }
  } catch (error) {
    waits = (error as NodeJS.ErrnoException).code === 'EAGAIN';
    if (waits) {
      return false;
    }
    throw error;
  } finally {
    if (!waits) {
      fs.closeSync(fd);
    }
  }
}

/**
 * Reads the get-methods declared in a file (`--types`). A Tolk source with unions is compiled, too: only the compiler knows
 * the numbers of their types.
 * @throws WorkbenchError `file-unreadable`, `abi-unreadable` (input)
 */
export async function readTypesFile(file: string): Promise<GetMethodSignature[]> {
  const [{ readSignatures }, { lacksTypeIds }] = await Promise.all([
    import('../toolkit/contracts/abi/readSignatures'),
    import('../toolkit/contracts/abi/abiType'),
  ]);
  const given = { path: file, what: 'The --types file', code: 'file-unreadable' } as const;
  const signatures = await readSignatures(file, await readGivenText(given, 'givenFile'));
  const lacks = signatures.some(({ parameters, result }) =>
    [...parameters.map(({ type }) => type), result].some((type) => lacksTypeIds(type)),
  );
  if (!lacks || !file.endsWith('.tolk')) {
    return signatures;
  }
  const { signatureWithIds } = await import('../toolkit/contracts/abi/contractDescription');
  // What does not compile has types all the same.
  const built = await compileFile(pathHere(file), { isTrusted: true }).catch(() => []);
  const ids = built.find(({ typeIds }) => typeIds !== undefined)?.typeIds;
  return ids === undefined ? signatures : signatures.map((one) => signatureWithIds(one, ids));
}
