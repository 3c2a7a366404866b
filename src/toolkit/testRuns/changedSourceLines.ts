import { execFile } from 'node:child_process';

/** Milliseconds that git may take. */
const patienceMs = 10_000;

/**
 * The lines of files that differ from a commit, by path as git gives it: relative to the folder.
 *
 * @param since a commit, such as `HEAD` or `origin/main`
 * @returns undefined if git cannot tell, such as outside of a repository
 */
export async function changedSourceLines(
  folder: string,
  since: string,
  environment: NodeJS.ProcessEnv,
): Promise<ReadonlyMap<string, ReadonlySet<number>> | undefined> {
  const args = ['diff', '--no-color', '--no-ext-diff', '--no-textconv', '--relative', '-U0', since, '--'];
  const text = await new Promise<string | undefined>((resolve) => {
    const options = { cwd: folder, env: environment, maxBuffer: 64 * 1024 * 1024, timeout: patienceMs };
    execFile('git', args, options, (error, stdout) => resolve(error === null ? stdout : undefined));
  });
  return text === undefined ? undefined : linesInDiff(text);
}

/** The new lines in a diff without context. */
export function linesInDiff(text: string): Map<string, Set<number>> {
  const found = new Map<string, Set<number>>();
  let lines = new Set<number>();
  for (const line of text.split('\n')) {
    const [, file] = /^\+\+\+ (?:b\/)?(.+)$/.exec(line) ?? [];
    const [, start, count = '1'] = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line) ?? [];
    if (file !== undefined) {
      lines = found.get(file) ?? new Set();
      found.set(file, lines);
    } else if (start !== undefined) {
      for (let n = 0; n < Number(count); n += 1) {
        lines.add(Number(start) + n);
      }
    }
  }
  return found;
}
