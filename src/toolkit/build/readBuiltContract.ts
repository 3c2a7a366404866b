import { Cell } from '@ton/core';
import { WorkbenchError } from '../errors';
import { fileName } from '../fileName';
import { readArtifact } from '../project/readArtifact';
import type { InitialData } from './tactInitialData';
import { tactInitialData } from './tactInitialData';

/** A compiled contract, with what deploying it needs. */
export interface BuiltContract {
  /** The name for the contract: letters, digits, _ and -. */
  name: string;
  /** The code cell, a BoC in base64. */
  code: string;
  /** Hash of the code cell, lower-case hex. */
  codeHash: string;
  /** What the build says about the initial data. */
  initial?: InitialData | undefined;
  /** The ids of types in unions, by the types' texts; only of Tolk compiled here ({@link tolkTypeIds}). */
  typeIds?: Readonly<Record<string, number>> | undefined;
  /** What compiled it here, and how: `the project's @ton/tolk-js 1.1.0, as Pool in Pool.compile.ts`. */
  compiledBy?: string | undefined;
  /** In what it may differ from what its project builds, as sentences; only if compiled here. */
  notes?: readonly string[] | undefined;
  /** SHA-256 of each source text it was compiled from, lower-case hex, by path; only if compiled here. */
  texts?: Readonly<Record<string, string>> | undefined;
}

/**
 * Reads what was built of a contract, in any of the forms that {@link readArtifact} knows.
 * @param content the text of the file; of a `.boc` its bytes
 * @param path of the file; names the contract if the content does not
 * @throws WorkbenchError `build-unreadable` (input)
 */
export function readBuiltContract(content: string | Buffer, path: string): BuiltContract {
  const { name = path, code, tact } = readArtifact(contentOf(content, path), path);
  if (code === undefined) {
    throw new WorkbenchError({
      code: 'build-unreadable',
      kind: 'input',
      message: `${fileName(path)} does not contain compiled code.`,
      hint: "Give a source in Tolk, FunC or Tact, Blueprint's build/*.compiled.json, Acton's build/*.json, Tact's *.pkg, a .boc, or a compiler's output with the code as a BoC.",
    });
  }
  return { ...builtFrom(name, code), initial: tactInitialData(tact?.init, tact?.compiler) };
}

/** A .boc is binary, or text. */
function contentOf(content: string | Buffer, path: string): string {
  if (typeof content === 'string') {
    return content;
  }
  return content.toString(/\.boc$/i.test(path) && content[0] === 0xb5 ? 'base64' : 'utf8');
}

/**
 * A contract that was just compiled.
 * @param path the source's path
 * @param code a BoC in base64
 */
export function builtFrom(path: string, code: string): BuiltContract {
  return contractOf(path, Cell.fromBase64(code));
}

function contractOf(nameOrPath: string, code: Cell): BuiltContract {
  return {
    name: contractName(nameOrPath),
    code: code.toBoc().toString('base64'),
    codeHash: code.hash().toString('hex'),
  };
}

/**
 * A contract name, made from a file name or the author's own name for it. The words of a file name are joined as
 * Blueprint joins them: `func_counter.fc` has the contract `FuncCounter`.
 */
export function contractName(text: string): string {
  const word = fileName(text)
    .replace(/(\.compiled|\.source)?\.[a-z]+$/i, '')
    .replaceAll(/[^\w-]+/g, '-')
    .replace(/^[^A-Za-z_]+/, '')
    .slice(0, 60);
  const joined = /[A-Z]/.test(word)
    ? word
    : word.replace(
        /([^_-])[_-]+([a-z\d])/g,
        (_, before: string, after: string) => before + after.toUpperCase(),
      );
  return joined === '' ? 'contract' : joined[0]!.toUpperCase() + joined.slice(1);
}
