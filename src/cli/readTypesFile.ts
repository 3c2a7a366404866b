import type { GetMethodSignature } from '../toolkit/abi/getMethodSignature';
import { readGivenText } from './readGivenFile';

/**
 * Reads the get-methods declared in a file (`--types`).
 * @throws WorkbenchError `file-unreadable`, `abi-unreadable` (input)
 */
export async function readTypesFile(file: string): Promise<GetMethodSignature[]> {
  const { readSignatures } = await import('../toolkit/abi/readSignatures');
  const given = { path: file, what: 'The --types file', code: 'file-unreadable' } as const;
  return readSignatures(file, await readGivenText(given, 'givenFile'));
}
