import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import path from 'node:path';

/**
 * The one way to write a file that the user named. Nobody reads half of it: it is replaced in one step, with its mode. What
 * would lose something by that is written into instead: pipes, devices, files with other names or another owner, and files
 * in folders that take no new ones. Links are followed.
 *
 * @param options `isNew`: fail with `EEXIST` if something is there; `mode`: of a file that is not there yet
 * @throws the file system's errors
 */
export async function writeUserFile(
  file: string,
  content: string | Uint8Array,
  { isNew = false, mode }: { isNew?: boolean; mode?: number } = {},
): Promise<void> {
  if (isNew) {
    await fs.writeFile(file, content, { flag: 'wx', mode });
    return;
  }
  const found = await fs.stat(file).catch(unlessMissing);
  const isLink = (await fs.lstat(file).catch(unlessMissing))?.isSymbolicLink() === true;
  if (found === undefined ? isLink : !isReplaceable(found)) {
    await fs.writeFile(file, content);
    return;
  }
  if (found !== undefined) {
    // A file that may not be written could still be replaced.
    await fs.access(file, fs.constants.W_OK);
  }
  const target = found === undefined ? file : await fs.realpath(file);
  const fresh = `${target}.${randomUUID()}.tmp`;
  try {
    await fs.writeFile(fresh, content, { flag: 'wx', mode: found?.mode ?? mode });
    if (found !== undefined) {
      // The process's own mask may have taken some bits.
      await fs.chmod(fresh, found.mode & 0o7777);
    }
    await fs.rename(fresh, target);
  } catch (error) {
    await fs.rm(fresh, { force: true }).catch(() => undefined);
    if (found === undefined || !takesNoNewFiles(error)) {
      throw error;
    }
    await fs.writeFile(target, content);
  }
}

/**
 * Writes files that are worth something only together, with their folders: all of them are looked for before the first is
 * written, so that one that is there leaves the others unwritten, too. The last is written first: the others need it.
 *
 * @param files their paths are relative to the root
 * @returns their absolute paths, in the same order
 * @throws the file system's errors, with the absolute `path`; `EEXIST` if one of them is there
 */
export async function writeNewFiles(
  root: string,
  files: readonly { path: string; text: string }[],
): Promise<string[]> {
  const paths = files.map((one) => path.join(root, one.path));
  for (const file of paths) {
    if ((await fs.lstat(file).catch(unlessMissing)) !== undefined) {
      throw Object.assign(new Error(`${file} is there already`), { code: 'EEXIST', path: file });
    }
  }
  for (const [index, { text }] of [...files.entries()].reverse()) {
    const file = paths[index]!;
    await fs.mkdir(path.dirname(file), { recursive: true });
    await writeUserFile(file, text, { isNew: true });
  }
  return paths;
}

/** Whether a new file in its place is the same to everybody. */
function isReplaceable(found: Awaited<ReturnType<typeof fs.stat>>): boolean {
  const { getuid, getgid } = process;
  const isOwn =
    getuid === undefined || getgid === undefined || (found.uid === getuid() && found.gid === getgid());
  return found.isFile() && found.nlink === 1 && isOwn;
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') {
    throw error;
  }
}

function takesNoNewFiles(error: unknown): boolean {
  return ['EACCES', 'EPERM', 'EROFS', 'EBUSY'].includes((error as NodeJS.ErrnoException).code ?? '');
}
