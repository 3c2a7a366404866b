import { posix } from 'node:path';
import { WorkbenchError } from '../errors';
import type { DescribedContract, ProjectDescription, ProjectFolder } from '../project/projectDescription';
import { readArtifact, recordedHash } from '../project/readArtifact';
import type { Artifact, RecordedSource } from '../project/readArtifact';
import { builtFrom } from './readBuiltContract';
import type { BuiltContract } from './readBuiltContract';

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
    const built = artifactAt(artifact, read);
    if (built?.code !== undefined && isCurrent(built, path, project.root, read)) {
      const by = built.compiler === undefined ? '' : `Acton's ${built.compiler}, `;
      return {
        ...builtFrom(path, built.code),
        compiledBy: `${by}built before (${posix.relative(project.root, artifact)})`,
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
  const found = artifactsOf(path, project).find((artifact) => artifactAt(artifact, read)?.code !== undefined);
  return found === undefined
    ? []
    : [`Or give ${posix.relative(project.root, found)}, if you know that it was built from this text.`];
}

function artifactsOf(path: string, { contracts }: ProjectDescription): readonly string[] {
  const own = ({ targets }: DescribedContract): boolean => targets.at(-1) === path;
  return contracts.filter(own).flatMap(({ artifacts }) => artifacts);
}

/** What is built, in a file of JSON; undefined if it cannot be read. */
function artifactAt(path: string, read: ProjectFolder['read']): Artifact | undefined {
  const text = path.endsWith('.json') ? textOf(path, read) : undefined;
  try {
    return text === undefined ? undefined : readArtifact(text, path);
  } catch (error) {
    if (WorkbenchError.is(error)) {
      return undefined;
    }
    throw error;
  }
}

function isCurrent({ sources }: Artifact, path: string, root: string, read: ProjectFolder['read']): boolean {
  const files = sources.map((one) => ({ ...one, path: posix.resolve(root, one.path) }));
  const isSame = ({ path: file, hash }: RecordedSource): boolean => {
    const text = textOf(file, read);
    return text !== undefined && recordedHash(text) === hash;
  };
  return files.some((one) => one.path === path) && files.every(isSame);
}

function textOf(path: string, read: ProjectFolder['read']): string | undefined {
  try {
    return read(path);
  } catch {
    return undefined;
  }
}
