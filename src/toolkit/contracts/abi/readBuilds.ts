import { posix } from 'node:path';
import { fileName } from '../../base/text';
import type { Artifact, RecordedSource } from '../../project/readArtifact';
import type { NamedContract, ProjectConfigs } from './sourceLanguage';
import { builtContract } from './projectContract';
import type { ProjectContract } from './projectContract';
import type { ProjectFile } from './projectFile';

/** What a build is compared with. */
export interface BuildSurroundings {
  configs: ProjectConfigs;
  /** The text of a source of the project by its path; undefined if there is none. */
  textOf: (path: string) => string | undefined;
  /** Is told of an ABI that cannot be read beside a code that can. */
  onProblem: (path: string, error: unknown) => void;
}

/**
 * What a file of build output says about a contract: its code, its ABI, and from which source it was built, which may have
 * changed since.
 *
 * @returns none if the file is JSON of another kind
 * @throws WorkbenchError `build-unreadable`, `abi-unreadable`
 */
export async function readBuild(
  { path, text }: ProjectFile,
  { configs, textOf, onProblem }: BuildSurroundings,
): Promise<ProjectContract[]> {
  const { readArtifact } = await import('../../project/readArtifact');
  const described = configs.byArtifact.get(path) ?? abiOwner(path, configs);
  const artifact = readArtifact(text, path);
  const { code, codeHash, abi } = artifact;
  if (code === undefined && abi === undefined) {
    return [];
  }
  const recorded = await recordedOf(path, artifact, textOf);
  const read =
    abi === undefined
      ? undefined
      : await readCompilerAbi(abi).catch((error: unknown) => {
          if (code === undefined) {
            throw error;
          }
          onProblem(path, error);
          return undefined;
        });
  const name = read?.contract || described?.name || artifact.name || builtName(path);
  const source = described?.source ?? recorded.entry;
  return [
    {
      ...builtContract(name, path, codeHash),
      ...(source === undefined ? {} : { source }),
      ...(recorded.hasChanged ? { hasChanged: true } : {}),
      ...(read === undefined || abi === undefined
        ? {}
        : {
            ...{ origin: 'compiler ABI', methods: read.methods, errors: read.errors },
            // Only Tact's package says how the data begins.
            layoutTexts: [artifact.tact === undefined ? abi : text],
          }),
    },
  ];
}

/** A build without a record of its sources is as old as one with the same code that has it. */
export function withKnownAges(contracts: readonly ProjectContract[]): ProjectContract[] {
  const old = new Map(
    contracts.flatMap((one) =>
      one.hasChanged === true && one.codeHash !== undefined ? [[one.codeHash, one] as const] : [],
    ),
  );
  return contracts.map((one) => {
    const same = one.codeHash === undefined ? undefined : old.get(one.codeHash);
    return same === undefined || one.source !== same.source ? one : { ...one, hasChanged: true };
  });
}

async function readCompilerAbi(
  abi: string,
): Promise<Pick<ProjectContract, 'methods' | 'errors'> & { contract?: string }> {
  return /"abi_schema_version"/.test(abi)
    ? (await import('./readTolkAbi')).readTolkAbi(abi)
    : (await import('./readTactAbi')).readTactAbi(abi);
}

/** `build/abi/ID.json` has no code, and belongs to the contract of `build/ID.json`. */
function abiOwner(path: string, { byArtifact }: ProjectConfigs): NamedContract | undefined {
  const [, folder, name] = /^(.*?)(?:^|\/)abi\/([^/]+)$/.exec(path) ?? [];
  return name === undefined ? undefined : byArtifact.get(posix.join(folder ?? '', name));
}

function builtName(path: string): string {
  return fileName(path).replace(/\.(?:compiled\.json|source\.json|[a-z]+)$/i, '');
}

/** The source that a build records as its own, and whether any of its texts is another now. */
async function recordedOf(
  path: string,
  { sources, entry }: Artifact,
  textOf: BuildSurroundings['textOf'],
): Promise<{ entry: string | undefined; hasChanged: boolean }> {
  const { recordedHash } = await import('../../project/readArtifact');
  const root = sources.length === 0 ? undefined : rootOf(path, sources, textOf);
  if (root === undefined) {
    return { entry: undefined, hasChanged: false };
  }
  const hasChanged = sources.some((one) => {
    const text = textOf(posix.join(root, one.path));
    return text !== undefined && recordedHash(text) !== one.hash;
  });
  const named = entry ?? (sources.length === 1 ? sources[0]?.path : undefined);
  return { entry: named === undefined ? undefined : posix.join(root, named), hasChanged };
}

/** The folder around a build from which its sources have the paths that it records. */
function rootOf(
  path: string,
  sources: readonly RecordedSource[],
  textOf: BuildSurroundings['textOf'],
): string | undefined {
  for (let folder = posix.dirname(path); ; folder = posix.dirname(folder)) {
    const root = folder === '.' ? '' : folder;
    if (sources.some((one) => textOf(posix.join(root, one.path)) !== undefined)) {
      return root;
    }
    if (folder === posix.dirname(folder)) {
      return undefined;
    }
  }
}
