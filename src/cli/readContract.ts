import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { BuiltContract } from '../toolkit/build/readBuiltContract';
import type { StorageLayout } from '../toolkit/layouts/findStorage';
import { fileError } from './fileError';

/**
 * Reads a contract from a file: a Tolk source, which is compiled, or compiler output.
 * @throws WorkbenchError `file-unreadable`, `build-unreadable`, `tolk-compile-failed` (input)
 */
export async function readContract(file: string): Promise<BuiltContract> {
  if (file.toLowerCase().endsWith('.tolk')) {
    const { compileTolk } = await import('../toolkit/build/compileTolk');
    await readGiven(file);
    const slashed = path.resolve(file).replaceAll('\\', '/');
    return compileTolk(slashed, (name) => readFileSync(name, 'utf8'));
  }
  const [{ readBuiltContract, readBuiltCode }, bytes] = await Promise.all([
    import('../toolkit/build/readBuiltContract'),
    readGiven(file),
  ]);
  return file.toLowerCase().endsWith('.boc')
    ? readBuiltCode(bytes, file)
    : readBuiltContract(bytes.toString('utf8'), file);
}

/** The layout of the contract's data, from the project around its file. */
export async function readStorageOf(file: string, name: string): Promise<StorageLayout | undefined> {
  const [{ readProjectOf }, { projectLayouts }, { findStorage }] = await Promise.all([
    import('./readProjectOf'),
    import('../toolkit/layouts/projectLayouts'),
    import('../toolkit/layouts/findStorage'),
  ]);
  return findStorage(await projectLayouts(await readProjectOf(file)), name);
}

async function readGiven(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (cause) {
    throw fileError({ path: file, code: 'file-unreadable' }, cause);
  }
}
