import { existsSync } from 'node:fs';

/**
 * Where the build put a worker: beside the file that asks (extension, command line), or above it (chunks, tests).
 *
 * @param from the asking file's `import.meta.url`
 */
export function workerFile(name: string, from: string): URL {
  const candidates = ['./', '../', '../../', '../../../', '../../../../', '../../../../../'].map(
    (up) => new URL(`${up}${name}.js`, from),
  );
  return candidates.find((url) => existsSync(url)) ?? (candidates[0] as URL);
}
