import { Cell } from '@ton/core';
import { readBocInput } from '../cell/parseBocInput';
import { toCoreCell } from '../cell/toCoreCell';
import { WorkbenchError } from '../errors';
import { fileName } from '../fileName';
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

/** Fields in which the Tolk, FunC, and Tact compilers and their wrappers put the code, as a BoC in base64. */
const codeFields = ['codeBoc64', 'codeBoc', 'code_boc64', 'code', 'boc', 'base64'] as const;

/**
 * Reads compiler output: Blueprint's `build/*.compiled.json` ({hex}), Tact's package (*.pkg), or a JSON file
 * with the code as a BoC, as printed by the Tolk and FunC compilers.
 * @param path of the file; names the contract if the content does not
 * @throws WorkbenchError `build-unreadable` (input)
 */
export function readBuiltContract(text: string, path: string): BuiltContract {
  try {
    const built = JSON.parse(text) as Record<string, unknown>;
    const code = readCode(built);
    if (code !== undefined) {
      const given = built['contractName'] ?? built['name'];
      return {
        ...contractOf(typeof given === 'string' ? given : path, code),
        initial: tactInitialData(built['init'], built['compiler']),
      };
    }
  } catch (cause) {
    throw unreadable(cause);
  }
  throw unreadable(undefined);
}

/**
 * Reads a code cell from a BoC: its bytes, or hex or base64 text.
 * @throws WorkbenchError `build-unreadable` (input)
 */
export function readBuiltCode(bytes: Buffer, path: string): BuiltContract {
  try {
    const boc = readBocInput(bytes);
    return contractOf(path, toCoreCell(boc, boc.roots[0] ?? 0));
  } catch (cause) {
    throw unreadable(cause);
  }
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
    .replace(/(\.compiled)?\.[a-z]+$/i, '')
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

function readCode(built: Record<string, unknown>): Cell | undefined {
  if (typeof built['hex'] === 'string') {
    return Cell.fromBoc(Buffer.from(built['hex'], 'hex'))[0];
  }
  const boc = codeFields.map((name) => built[name]).find((one) => typeof one === 'string');
  return boc === undefined ? undefined : Cell.fromBoc(Buffer.from(boc, 'base64'))[0];
}

function unreadable(cause: unknown): WorkbenchError {
  return new WorkbenchError({
    code: 'build-unreadable',
    kind: 'input',
    message: 'This file does not contain compiled code.',
    hint: "Give a source in Tolk, FunC or Tact, Blueprint's build/*.compiled.json, Tact's *.pkg, or a compiler's output with the code as a BoC.",
    cause,
  });
}
