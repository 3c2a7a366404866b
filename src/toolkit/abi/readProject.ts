import { Cell } from '@ton/core';
import type { GetMethodSignature } from './getMethodSignature';
import type { ProjectContract } from './projectContract';
import { readSignatures } from './readSignatures';
import { readSourceErrors } from './sourceErrors';
import { readSourceMessages } from './sourceMessages';

/** A file of a project. */
export interface ProjectFile {
  /** With `/` between its parts. */
  path: string;
  text: string;
}

const endings = /\.(compiled\.json|[a-z]+)$/i;
const importLine = /^\s*(?:import|#include)\s+"([^"]+)"/gm;

/**
 * What the files of a project tell of its contracts: sources, compiler ABIs, Tact packages, Blueprint's build output and
 * wrappers. A file that cannot be read as what its name says tells nothing; `onProblem` hears of it.
 */
export async function readProject(
  files: readonly ProjectFile[],
  onProblem: (path: string, error: unknown) => void = () => {},
): Promise<ProjectContract[]> {
  const found: ProjectContract[] = [];
  for (const file of files) {
    try {
      found.push(...(await readFile(file, files)));
    } catch (error) {
      onProblem(file.path, error);
    }
  }
  return found;
}

async function readFile(file: ProjectFile, files: readonly ProjectFile[]): Promise<ProjectContract[]> {
  switch (endings.exec(file.path)?.[1]?.toLowerCase()) {
    case 'compiled.json':
      return [readBuild(file)];
    case 'pkg':
    case 'abi':
    case 'json':
      return readCompilerAbi(file);
    case 'ts':
      return byContract(file, await readSignatures(file.path, file.text));
    default:
      return readSource(file, files);
  }
}

/** Sources take part with what they import: its types, its get-methods, its error codes. */
async function readSource(file: ProjectFile, files: readonly ProjectFile[]): Promise<ProjectContract[]> {
  const imported = importedBy(file, files);
  const texts = imported.map(({ text }) => text);
  const own = await readSignatures(file.path, file.text, texts);
  const inherited = file.path.endsWith('.tact')
    ? []
    : (await Promise.all(imported.map(({ path, text }) => readSignatures(path, text, texts)))).flat();
  const all = [file.text, ...texts];
  const errors = new Map(all.flatMap((text) => [...readSourceErrors(text)]).reverse());
  const messages = new Map(all.flatMap((text) => [...readSourceMessages(text)]).reverse());
  return byContract(file, [...own, ...inherited], { errors, messages });
}

function importedBy(file: ProjectFile, files: readonly ProjectFile[]): ProjectFile[] {
  const seen = new Set([file]);
  for (const one of seen) {
    for (const [, target = ''] of one.text.matchAll(importLine)) {
      const wanted = baseName(target);
      const next = files.find(
        ({ path }) => baseName(path) === wanted && /\.(tolk|fc|func|tact)$/.test(path) && path !== one.path,
      );
      if (next !== undefined) {
        seen.add(next);
      }
    }
  }
  seen.delete(file);
  return [...seen];
}

/** One entry per contract the file declares; a file of helpers without a get-method is none. */
function byContract(
  file: ProjectFile,
  methods: readonly GetMethodSignature[],
  words: Pick<ProjectContract, 'errors' | 'messages'> = { errors: new Map() },
): ProjectContract[] {
  const groups = new Map<string, GetMethodSignature[]>();
  for (const method of methods) {
    const name = method.contract ?? baseName(file.path);
    groups.set(name, [...(groups.get(name) ?? []), method]);
  }
  return [...groups].map(([name, group]) => {
    const origin = group[0]?.origin;
    return { name, file: file.path, ...(origin === undefined ? {} : { origin }), methods: group, ...words };
  });
}

async function readCompilerAbi({ path, text }: ProjectFile): Promise<ProjectContract[]> {
  const isTolk = /"abi_schema_version"/.test(text);
  if (path.endsWith('.json') && !isTolk) {
    return [];
  }
  const abi = isTolk
    ? (await import('./tolkAbi')).readTolkAbi(text)
    : (await import('./tactAbi')).readTactAbi(text);
  const code = path.endsWith('.pkg') ? (JSON.parse(text) as { code?: unknown }).code : undefined;
  const codeHash = typeof code === 'string' ? hashOf(Buffer.from(code, 'base64')) : undefined;
  return [
    {
      name: abi.contract ?? baseName(path),
      file: path,
      origin: 'compiler ABI',
      ...(codeHash === undefined ? {} : { codeHash }),
      methods: abi.methods,
      errors: abi.errors,
    },
  ];
}

/** Blueprint's `build/NAME.compiled.json`: `{hex}`, the code as a BoC. */
function readBuild({ path, text }: ProjectFile): ProjectContract {
  const { hex } = JSON.parse(text) as { hex?: unknown };
  const codeHash = hashOf(Buffer.from(typeof hex === 'string' ? hex : '', 'hex'));
  return { name: baseName(path), file: path, codeHash, methods: [], errors: new Map() };
}

function hashOf(boc: Buffer): string {
  const [root] = Cell.fromBoc(boc);
  if (root === undefined) {
    throw new Error('a bag without a cell');
  }
  return root.hash().toString('hex');
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(endings, '');
}
