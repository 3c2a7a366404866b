import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import prettier from 'prettier';
import ts from 'typescript';
import { apiDeclarations } from './apiDeclarations.mjs';
import { peers, sharedTypes } from './buildLibrary.mjs';
import { root } from './root.mjs';

/**
 * The declarations of one file of src/library, on its own: exports have explicit types, so nothing is inferred.
 * @param {string} name
 */
const declarationsOf = async (name) => {
  const fileName = path.join(root, `src/library/${name}.ts`);
  const { outputText, diagnostics = [] } = ts.transpileDeclaration(await readFile(fileName, 'utf8'), {
    fileName,
    reportDiagnostics: true,
    compilerOptions: { declaration: true, isolatedDeclarations: true, target: ts.ScriptTarget.ES2023 },
  });
  const [problem] = diagnostics;
  if (problem !== undefined) {
    throw new Error(`${fileName}: ${ts.flattenDiagnosticMessageText(problem.messageText, '\n')}`);
  }
  return outputText;
};

/**
 * Writes a .d.ts file for each subpath of the npm package. They may only import each other: the toolkit's
 * dependencies (zod, @ton/core) are bundled, so users of the package do not have their types.
 * @param {string} folder
 * @param {readonly string[]} subpaths
 */
export const writeDeclarations = async (folder, subpaths) => {
  const style = (await prettier.resolveConfig(path.join(root, 'package.json'))) ?? {};
  /** @param {string} name @param {string} text */
  const write = async (name, text) => {
    const { importedFiles } = ts.preProcessFile(text);
    const strangers = importedFiles
      .map(({ fileName }) => fileName)
      .filter(
        (target) =>
          ![...subpaths, ...sharedTypes, ...Object.keys(peers), 'apiTypes'].includes(
            target.replace(/^\.\//, ''),
          ),
      );
    if (strangers.length > 0) {
      throw new Error(
        `The declarations of ${name} need ${strangers.join(', ')}, which is not in the package.`,
      );
    }
    const formatted = await prettier.format(text, { ...style, parser: 'typescript' });
    await writeFile(path.join(folder, `${name}.d.ts`), formatted);
  };
  await write('apiTypes', apiDeclarations());
  for (const name of [...subpaths, ...sharedTypes]) {
    await write(name, await declarationsOf(name));
  }
};
