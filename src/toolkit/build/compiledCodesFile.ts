import * as fs from 'node:fs';
import path from 'node:path';
import { tonFolder, writeTonFile } from '../base/journal/tonFolder';
import { limits } from '../base/limits';
import { readUserText } from '../base/readUserFile';
import { withCompiled } from './compiledCode';
import type { CompiledCode, SourceNumbers } from './compiledCode';

const fileName = 'compiled.json';

/**
 * The codes that were compiled from a project's sources, as remembered in its `.ton/compiled.json`; the newest
 * last. A missing or broken file counts as empty, and what is not an entry is left out: anyone can put such a file
 * into a folder.
 */
export function readCompiledCodes(project: string): CompiledCode[] {
  const file = path.join(project, tonFolder, fileName);
  try {
    const { codes } = JSON.parse(readUserText(file, 'compiledCodesFile')) as { codes?: unknown };
    return Array.isArray(codes) ? codes.flatMap((one: unknown) => asCompiledCode(one) ?? []) : [];
  } catch {
    return [];
  }
}

/**
 * Remembers codes in `.ton/compiled.json`. The oldest are dropped when there are too many.
 * @throws the file system's errors, for example if the project is read-only
 */
export function rememberCompiledCodes(project: string, compiled: readonly CompiledCode[]): void {
  const known = readCompiledCodes(project);
  let codes = withCompiled(known, compiled, limits.compiledCodes.most);
  let content = contentOf(codes);
  while (Buffer.byteLength(content) > limits.compiledCodesFile.most && codes.length > 0) {
    codes = codes.slice(Math.ceil(codes.length / 4));
    content = contentOf(codes);
  }
  if (content !== contentOf(known)) {
    writeTonFile(project, fileName, content);
  }
}

/**
 * Remembers codes for the folder's other programs if it has a `.ton` folder already.
 * @throws the file system's errors, for example if the project is read-only
 */
export function shareCompiledCodes(project: string, compiled: readonly CompiledCode[]): void {
  if (fs.existsSync(path.join(project, tonFolder))) {
    rememberCompiledCodes(project, compiled);
  }
}

function contentOf(codes: readonly CompiledCode[]): string {
  return `${JSON.stringify({ codes }, undefined, 1)}\n`;
}

function asCompiledCode(value: unknown): CompiledCode | undefined {
  const { codeHash, file, name, texts, names, typeIds, by } = (value ?? {}) as Record<string, unknown>;
  const isEntry =
    typeof codeHash === 'string' &&
    /^[0-9a-f]{64}$/.test(codeHash) &&
    typeof name === 'string' &&
    typeof file === 'string' &&
    isInside(file);
  return isEntry
    ? {
        ...{ codeHash, file, name, texts: asTexts(texts), names: asNames(names) },
        ...(typeIds === undefined ? {} : { typeIds: asNumbers(typeIds) }),
        by: typeof by === 'string' ? by : undefined,
      }
    : undefined;
}

/** Sources are read by these paths, so they must not lead out of the project. */
function isInside(file: string): boolean {
  const normal = path.posix.normalize(file.replaceAll('\\', '/'));
  return file !== '' && !path.isAbsolute(file) && !normal.startsWith('/') && normal.split('/')[0] !== '..';
}

function asNames(value: unknown): SourceNumbers | undefined {
  const { errors, messages } = (value ?? {}) as Record<string, unknown>;
  return typeof errors === 'object' && typeof messages === 'object'
    ? { errors: asTexts(errors) ?? {}, messages: asTexts(messages) ?? {} }
    : undefined;
}

function asNumbers(value: unknown): Record<string, number> | undefined {
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(
        Object.entries(value).filter((entry): entry is [string, number] => Number.isSafeInteger(entry[1])),
      )
    : undefined;
}

function asTexts(value: unknown): Record<string, string> | undefined {
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(
        Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
      )
    : undefined;
}
