import { readFile } from 'node:fs/promises';
import type { GetMethodSignature } from '../toolkit/abi/getMethodSignature';
import { fileError } from './fileError';
import { pathHere } from './surroundings';

/**
 * Reads the get-methods declared in a file (`--types`).
 * @throws WorkbenchError `file-unreadable`, `abi-unreadable` (input)
 */
export async function readTypesFile(file: string): Promise<GetMethodSignature[]> {
  const { readSignatures } = await import('../toolkit/abi/readSignatures');
  let text: string;
  try {
    text = await readFile(pathHere(file), 'utf8');
  } catch (cause) {
    throw fileError({ path: file, what: 'The --types file', code: 'file-unreadable' }, cause);
  }
  return readSignatures(file, text);
}
