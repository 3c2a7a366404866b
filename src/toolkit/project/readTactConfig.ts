import { posix } from 'node:path';
import type { DescribedContract, ProjectDescription, ProjectProblem } from './projectDescription';
import { lineOfOffset, projectProblem } from './projectProblem';

interface TactProject {
  name?: unknown;
  path?: unknown;
  output?: unknown;
  options?: unknown;
}

/**
 * Reads `tact.config.json`: its projects with their options. Without options, the compiler gives other code than with empty
 * ones, so what is absent stays absent.
 * @param path of the file
 */
export function readTactConfig(
  text: string,
  path: string,
): Pick<ProjectDescription, 'contracts' | 'problems'> {
  const root = posix.dirname(path);
  let projects: unknown;
  try {
    ({ projects } = JSON.parse(text) as { projects?: unknown });
  } catch (cause) {
    return { contracts: [], problems: [invalidJson(text, path, cause)] };
  }
  if (!Array.isArray(projects)) {
    const message = 'the list of projects is missing';
    return { contracts: [], problems: [projectProblem(path, 1, { code: 'project-file-invalid', message })] };
  }
  const contracts = (projects as (TactProject | null)[]).flatMap((one): DescribedContract[] => {
    const { name, path: source, output, options } = one ?? {};
    if (typeof source !== 'string') {
      return [];
    }
    const title = typeof name === 'string' ? name : posix.basename(source, '.tact');
    return [
      {
        ...{ name: title, title, depends: [], describedIn: path, notes: [] },
        targets: [posix.resolve(root, source)],
        options: typeof options === 'object' && options !== null ? { tact: options } : {},
        // Tact names the packages after this and the contracts in the source.
        artifacts: typeof output === 'string' ? [posix.resolve(root, output)] : [],
      },
    ];
  });
  return { contracts, problems: [] };
}

/** The engine names the place in one of two ways. */
function invalidJson(text: string, path: string, cause: unknown): ProjectProblem {
  const said = cause instanceof Error ? cause.message : String(cause);
  const [, offset] = /at position (\d{1,9})/.exec(said) ?? [];
  const isEnd = /end of JSON input/.test(said);
  const line = lineOfOffset(text, isEnd ? text.length : Number(offset ?? 0));
  const message = `it is not JSON: ${said.replace(/ in JSON at position.*| \(line \d+ column \d+\)$/s, '')}`;
  return projectProblem(path, line, { code: 'project-file-invalid', message, cause });
}
