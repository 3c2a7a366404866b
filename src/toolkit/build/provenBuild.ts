import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { lowerHex } from '../address/lowerHex';
import { WorkbenchError } from '../errors';
import type { DescribedContract, ProjectDescription, ProjectFolder } from '../project/projectDescription';
import { builtFrom, readBuiltContract } from './readBuiltContract';
import type { BuiltContract } from './readBuiltContract';

/** What Acton records of a build, as far as it is read here. */
interface SourceArtifact {
  code_hash?: unknown;
  bundle?: {
    compiler?: { version?: unknown };
    files?: { path?: unknown; content_hash?: unknown; is_stdlib?: unknown }[];
    source_map?: { code_boc64?: unknown };
  };
}

/**
 * The code that a project has built from a source, if the build is proven to be of its current text: Acton's
 * `NAME.source.json` records the hash of each file. Times prove nothing: in a fresh clone they are all alike.
 *
 * @param path of the source
 */
export function provenBuild(
  path: string,
  project: ProjectDescription,
  read: ProjectFolder['read'],
): BuiltContract | undefined {
  for (const artifact of artifactsOf(path, project)) {
    const text = artifact.endsWith('.source.json') ? textOf(artifact, read) : undefined;
    const built = text === undefined ? undefined : currentBuild(text, path, project.root, read);
    if (built !== undefined) {
      return {
        ...built,
        compiledBy: `${built.compiledBy}, built before (${posix.relative(project.root, artifact)})`,
      };
    }
  }
  return undefined;
}

/** What a user can do with a build that is not proven to be current, in sentences; none if there is no build. */
export function builtBefore(
  path: string,
  project: ProjectDescription,
  read: ProjectFolder['read'],
): string[] {
  const found = artifactsOf(path, project).find((artifact) => isBuild(artifact, read));
  return found === undefined
    ? []
    : [`Or give ${posix.relative(project.root, found)}, if you know that it was built from this text.`];
}

function artifactsOf(path: string, { contracts }: ProjectDescription): readonly string[] {
  const own = ({ targets }: DescribedContract): boolean => targets.at(-1) === path;
  return contracts.filter(own).flatMap(({ artifacts }) => artifacts);
}

function isBuild(artifact: string, read: ProjectFolder['read']): boolean {
  const text = artifact.endsWith('.json') ? textOf(artifact, read) : undefined;
  try {
    return text !== undefined && readBuiltContract(text, artifact).code !== '';
  } catch (error) {
    if (WorkbenchError.is(error)) {
      return false;
    }
    throw error;
  }
}

function currentBuild(
  text: string,
  path: string,
  root: string,
  read: ProjectFolder['read'],
): BuiltContract | undefined {
  let artifact: SourceArtifact;
  try {
    artifact = JSON.parse(text) as SourceArtifact;
  } catch {
    return undefined;
  }
  const { files, source_map, compiler } = artifact.bundle ?? {};
  const own = (Array.isArray(files) ? files : []).filter(
    (file) => file.is_stdlib !== true && typeof file.path === 'string' && file.path.endsWith('.tolk'),
  );
  const isCurrent = own.every(
    (file) => hashOf(textOf(posix.resolve(root, String(file.path)), read)) === file.content_hash,
  );
  const names = own.map((file) => posix.resolve(root, String(file.path)));
  if (!isCurrent || !names.includes(path) || typeof source_map?.code_boc64 !== 'string') {
    return undefined;
  }
  const built = builtFrom(path, source_map.code_boc64);
  const isWhole = lowerHex(String(artifact.code_hash)) === built.codeHash;
  return isWhole ? { ...built, compiledBy: `Acton's Tolk ${String(compiler?.version)}` } : undefined;
}

function hashOf(text: string | undefined): string | undefined {
  return text === undefined ? undefined : createHash('sha256').update(text).digest('hex');
}

function textOf(path: string, read: ProjectFolder['read']): string | undefined {
  try {
    return read(path);
  } catch {
    return undefined;
  }
}
