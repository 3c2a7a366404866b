import { existsSync } from 'node:fs';
import path from 'node:path';
import { WorkbenchError } from '../base/errors';
import { readUserText } from '../base/readUserFile';
import { findPackage } from '../build/projectCompiler';
import { sourceLanguage } from '../contracts/abi/sourceLanguage';
import type { TestedFolder } from './runProjectTests';
import { findTestedFolder, namesInFolder } from './runProjectTests';
import type { TestRunner } from './testRunner';

/** How the tests of a project are written. */
export interface TestStyle {
  runner: TestRunner;
  /** The folder of tests, relative to the project; empty if it has none. */
  folder: string;
  /** How the names of test files end: `.spec.ts`. */
  ending: string;
  modules: 'import' | 'require';
  /** What Blueprint calls the contract, if it compiles it. */
  blueprint: string | undefined;
  /** The language whose compiler is a package of the project, if it is the source's. */
  compiler: 'tolk' | 'func' | undefined;
}

/** Where a source's tests are, and how they are written. */
interface StyleAround {
  root: string;
  /** Relative to the root. */
  source: string;
  style: TestStyle;
  /** What runs the project's own tests. */
  projectRunner: TestRunner;
}

/**
 * The project around a source whose tests can have its code, and how they are written.
 *
 * @param source an absolute path
 * @param given the runner to write for, whatever the project has; then its tests need not compile by themselves
 * @param highest where to stop looking
 * @returns undefined if the project has no @ton/sandbox, or without `given` no runner or no compiler
 * @throws WorkbenchError `runner-missing` (input) with `given`
 */
export function testStyleAround(
  source: string,
  given?: TestRunner,
  highest?: string,
): StyleAround | undefined {
  let found: TestedFolder;
  try {
    found = findTestedFolder(path.dirname(source), highest);
  } catch (error) {
    if (!WorkbenchError.is(error, 'runner-missing') || given !== undefined) {
      throw error;
    }
    return undefined;
  }
  const { root, runner } = found;
  const inRoot = path.relative(root, source).replaceAll('\\', '/');
  const style = readTestStyle(root, given ?? runner, inRoot);
  const isUsable = given !== undefined || (style?.blueprint ?? style?.compiler) !== undefined;
  return style === undefined || !isUsable
    ? undefined
    : { root, source: inRoot, style, projectRunner: runner };
}

/**
 * Looks at a project's tests and packages; nothing of it runs.
 *
 * @param root the folder of its package.json
 * @param source the contract's source, relative to the root
 * @returns undefined if the project does not have @ton/sandbox
 */
function readTestStyle(root: string, runner: TestRunner, source: string): TestStyle | undefined {
  const has = (name: string): boolean => findPackage(path.join(root, 'package.json'), name) !== undefined;
  if (!has('@ton/sandbox')) {
    return undefined;
  }
  const folder = ['tests', 'test', 'spec'].find((name) => existsSync(path.join(root, name))) ?? '';
  const names = namesInFolder(path.join(root, folder));
  const known = names.flatMap((name) => /\.(?:spec|test)\.[cm]?[jt]sx?$/.exec(name)?.[0] ?? []);
  const ending = known[0] ?? (existsSync(path.join(root, 'tsconfig.json')) ? '.spec.ts' : '.spec.js');
  const language = sourceLanguage(source);
  return {
    ...{ runner, folder, ending },
    modules:
      /ts$/.test(ending) || /mjs$/.test(ending) || isModule(root) || runner === 'vitest'
        ? 'import'
        : 'require',
    blueprint: has('@ton/blueprint') ? blueprintName(root, source) : undefined,
    compiler:
      language === 'tolk' && has('@ton/tolk-js')
        ? 'tolk'
        : language === 'func' && has('@ton-community/func-js')
          ? 'func'
          : undefined,
  };
}

/** The name of the file `NAME.compile.ts` that names the source. */
function blueprintName(root: string, source: string): string | undefined {
  for (const folder of ['wrappers', 'compilables']) {
    for (const name of namesInFolder(path.join(root, folder))) {
      const [, contract] = /^(.+)\.compile\.[jt]s$/.exec(name) ?? [];
      if (
        contract !== undefined &&
        textOf(path.join(root, folder, name)).includes(path.posix.basename(source))
      ) {
        return contract;
      }
    }
  }
  return undefined;
}

function isModule(root: string): boolean {
  try {
    return (JSON.parse(textOf(path.join(root, 'package.json'))) as { type?: unknown }).type === 'module';
  } catch {
    return false;
  }
}

function textOf(file: string): string {
  try {
    return readUserText(file, 'projectFileBytes');
  } catch {
    return '';
  }
}
