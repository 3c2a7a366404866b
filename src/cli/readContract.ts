import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { BuiltContract } from '../toolkit/build/readBuiltContract';
import type { StorageLayout } from '../toolkit/layouts/findStorage';
import { sourceLanguage } from '../toolkit/abi/sourceReadings';
import { compileFile } from './compileFile';
import { fileError } from './fileError';
import { writeNote } from './output';
import { pathHere } from './surroundings';

/**
 * Reads a contract from a file: a source, which is compiled and remembered, or compiler output.
 * @param wanted its name, if the source declares several
 * @throws WorkbenchError `file-unreadable`, `build-unreadable`, `contract-ambiguous` (input), and as {@link compileFile}
 */
export async function readContract(file: string, wanted?: string): Promise<BuiltContract> {
  if (sourceLanguage(file) !== undefined) {
    await readGiven(file);
    const [built, { rememberBuilt }, { oneContract }] = await Promise.all([
      compileFile(file, { isTrusted: true }),
      import('./readProjectOf'),
      import('../toolkit/build/oneContract'),
    ]);
    await rememberBuilt(file, built);
    const chosen = oneContract(built, file, wanted);
    if (sourceLanguage(file) === 'tact') {
      const { tactOptionsNote } = await import('../toolkit/build/tactOptionsNote');
      const source = pathHere(file).replaceAll('\\', '/');
      const note = tactOptionsNote(source, chosen.name, (name) => readFileSync(name, 'utf8'));
      if (note !== undefined) {
        writeNote(note);
      }
    }
    return chosen;
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
  const [{ readProjectOf }, { projectStorage }] = await Promise.all([
    import('./readProjectOf'),
    import('../toolkit/layouts/projectStorage'),
  ]);
  return projectStorage(await readProjectOf(pathHere(file)), name);
}

async function readGiven(file: string): Promise<Buffer> {
  try {
    return await readFile(pathHere(file));
  } catch (cause) {
    throw fileError({ path: file, code: 'file-unreadable' }, cause);
  }
}
