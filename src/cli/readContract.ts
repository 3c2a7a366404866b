import { sourceLanguage } from '../toolkit/contracts/abi/sourceLanguage';
import type { BuiltContract } from '../toolkit/build/readBuiltContract';
import type { StorageLayout } from '../toolkit/contracts/layouts/layoutSet';
import { writeNote } from './output';
import { readGivenFile } from './readGivenFile';
import type { DryRunOption } from './projectWith';
import { compileFile, pathHere } from './surroundings';

/**
 * Reads a contract from a file: a source, which is compiled and remembered, or compiler output.
 * @param wanted its name, if the source declares several
 * @throws WorkbenchError `file-unreadable`, `build-unreadable`, `contract-ambiguous` (input), and as {@link compileFile}
 */
export async function readContract(
  file: string,
  wanted?: string,
  dryRun: DryRunOption = {},
): Promise<BuiltContract> {
  const given = { path: file, code: 'file-unreadable' } as const;
  if (sourceLanguage(file) !== undefined) {
    await readGivenFile(given, 'projectFileBytes');
    const [built, { rememberBuilt }, { oneContract }] = await Promise.all([
      compileFile(file, { isTrusted: true }),
      import('./projectWith'),
      import('../toolkit/build/oneContract'),
    ]);
    await rememberBuilt(file, built, dryRun);
    const chosen = oneContract(built, file, wanted);
    chosen.notes?.forEach((note) => writeNote(note));
    return chosen;
  }
  const [{ readBuiltContract }, bytes] = await Promise.all([
    import('../toolkit/build/readBuiltContract'),
    readGivenFile(given, 'givenFile'),
  ]);
  const built = readBuiltContract(bytes, file);
  await noteAge(file);
  return built;
}

/** Says so if the sources that a build records are others now. */
async function noteAge(file: string): Promise<void> {
  const { nameInProject, readProjectOf } = await import('./projectWith');
  const [path, project] = [await nameInProject(pathHere(file)), await readProjectOf(pathHere(file))];
  const { source } = project.find((one) => one.file === path && one.hasChanged === true) ?? {};
  if (source !== undefined) {
    writeNote(`${path} is older than its source: ${source}, or a file that it imports, has changed since.`);
  }
}

/** The layout of the contract's data, from the project around its file. */
export async function readStorageOf(file: string, name: string): Promise<StorageLayout | undefined> {
  const [{ nameInProject, readProjectOf }, { projectStorage }] = await Promise.all([
    import('./projectWith'),
    import('../toolkit/contracts/layouts/projectLayouts'),
  ]);
  const path = pathHere(file);
  return projectStorage(await readProjectOf(path), { name, file: await nameInProject(path) });
}
