import { receiverFrameworks } from './receiverFrameworks';
import type { ReceiverFramework } from './receiverFrameworks';

/**
 * The framework that projects use; undefined if they use none of those known, or several.
 * @param manifests texts of package.json files; broken ones say nothing
 */
export function guessFramework(manifests: readonly string[]): ReceiverFramework | undefined {
  const used = new Set(manifests.flatMap(dependencyNames));
  const [framework, ...others] = receiverFrameworks.filter((name) => used.has(name));
  return others.length === 0 ? framework : undefined;
}

function dependencyNames(manifest: string): string[] {
  try {
    const read = JSON.parse(manifest) as Record<string, object> | null;
    return [read?.['dependencies'], read?.['devDependencies']].flatMap((group) => Object.keys(group ?? {}));
  } catch {
    return [];
  }
}
