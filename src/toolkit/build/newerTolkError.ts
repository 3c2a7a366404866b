import { plainSource } from '../abi/plainSource';
import { WorkbenchError } from '../errors';
import { fileName } from '../fileName';
import type { ProjectDescription, ProjectFolder } from '../project/projectDescription';
import { builtBefore } from './provenBuild';

/** What only newer versions of Tolk know, newest first. */
const newer = [
  {
    version: [1, 4],
    has: (text: string): boolean =>
      /^ ?contract \w+ ?\{/m.test(text) ||
      /@abi\.\w/.test(text) ||
      (/(?<![.\w])(?:grams|reserveGramsOnBalance)\(/.test(text) &&
        !/\bfun (?:grams|reserveGramsOnBalance)\b/.test(text)),
  },
] as const;

/** What is known where a Tolk source does not compile. */
export interface FailedTolk {
  path: string;
  /** Of the compiler. */
  version: string | undefined;
  /** The compiler, for the user: `the project's @ton/tolk-js 1.1.0`. */
  compiler: string;
  project: ProjectDescription;
  read: ProjectFolder['read'];
}

/**
 * The error for a source that its compiler is too old for: one sentence that says so, and what to do. There is nothing wrong
 * with the line at which the compiler stopped.
 *
 * @param texts all that the compiler has read
 * @returns the compiler's own error if it is new enough
 */
export function newerTolkError(cause: unknown, texts: readonly string[], failed: FailedTolk): unknown {
  if (!WorkbenchError.is(cause, 'compile-failed') || cause.kind !== 'input') {
    return cause;
  }
  const [major = 0, minor = 0] = (failed.version ?? '').split('.').map(Number);
  const plain = texts.map(plainSource);
  const needed = newer.find(
    ({ version: [most, least], has }) =>
      (major < most || (major === most && minor < least)) && plain.some(has),
  );
  if (failed.version === undefined || needed === undefined) {
    return cause;
  }
  const version = needed.version.join('.');
  return new WorkbenchError({
    code: 'compiler-too-old',
    kind: 'input',
    message: `${fileName(failed.path)} is written in Tolk ${version}, and was given to ${failed.compiler}: this project has no compiler for it.`,
    hint: [...pinned(failed, version), ...builtBefore(failed.path, failed.project, failed.read)].join(' '),
    cause,
  });
}

function pinned({ project, read }: FailedTolk, version: string): string[] {
  const asked = askedFor(`${project.root}/package.json`, read);
  return [
    asked === undefined
      ? `Install Acton, or @ton/tolk-js ${version} in the project.`
      : `Its package.json asks for @ton/tolk-js ${asked}: run "npm install", or install Acton.`,
  ];
}

function askedFor(file: string, read: ProjectFolder['read']): string | undefined {
  try {
    const { dependencies, devDependencies } = JSON.parse(read(file)) as Record<
      string,
      Record<string, unknown> | undefined
    >;
    const found = devDependencies?.['@ton/tolk-js'] ?? dependencies?.['@ton/tolk-js'];
    return typeof found === 'string' ? found : undefined;
  } catch {
    return undefined;
  }
}
