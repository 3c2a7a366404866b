import { Cell } from '@ton/core';
import { readBocInput } from '../cell/parseBocInput';
import { toCoreCell } from '../cell/toCoreCell';
import { WorkbenchError } from '../errors';
import type { InitialData } from './tactInitialData';
import { tactInitialData } from './tactInitialData';

/** What a build left, as far as deploying needs it. */
export interface BuiltContract {
  /** What it will be called: a word of letters, digits, _ and -. */
  name: string;
  /** The code cell, a BoC in base64. */
  code: string;
  /** Hash of the code cell, lower-case hex. */
  codeHash: string;
  /** What the build says about the initial data. */
  initial?: InitialData | undefined;
  /** What it was compiled from here: the SHA-256 of each text, lower-case hex, by path. */
  texts?: Readonly<Record<string, string>> | undefined;
}

/** Where compilers put the code, as a BoC in base64: those of Tolk, FunC and Tact, and what wraps them. */
const codeFields = ['codeBoc64', 'codeBoc', 'code_boc64', 'code', 'boc', 'base64'] as const;

/**
 * Reads what a compiler left: Blueprint's `build/*.compiled.json` ({hex}), Tact's package (*.pkg), or a JSON file with the
 * code as a BoC, as the compilers of Tolk and FunC print it.
 * @param path of the file: it names the contract where its content does not
 * @throws WorkbenchError `build-unreadable` (input)
 */
export function readBuiltContract(text: string, path: string): BuiltContract {
  try {
    const built = JSON.parse(text) as Record<string, unknown>;
    const code = readCode(built);
    if (code !== undefined) {
      const given = built['contractName'] ?? built['name'];
      return {
        name: contractName(typeof given === 'string' ? given : path),
        code: code.toBoc().toString('base64'),
        codeHash: code.hash().toString('hex'),
        initial: tactInitialData(built['init']),
      };
    }
  } catch (cause) {
    throw unreadable(cause);
  }
  throw unreadable(undefined);
}

/**
 * A code cell as a BoC: the bytes, or their text in hex or base64.
 * @throws WorkbenchError `build-unreadable` (input)
 */
export function readBuiltCode(bytes: Buffer, path: string): BuiltContract {
  try {
    const boc = readBocInput(bytes);
    const code = toCoreCell(boc, boc.roots[0] ?? 0);
    return {
      name: contractName(path),
      code: code.toBoc().toString('base64'),
      codeHash: code.hash().toString('hex'),
    };
  } catch (cause) {
    throw unreadable(cause);
  }
}

/** The name of a contract from the name of its file or from what its author wrote. */
export function contractName(text: string): string {
  const file = text.replaceAll('\\', '/').split('/').at(-1) ?? '';
  const word = file
    .replace(/(\.compiled)?\.[a-z]+$/i, '')
    .replaceAll(/[^\w-]+/g, '-')
    .replace(/^[^A-Za-z_]+/, '')
    .slice(0, 60);
  return word === '' ? 'contract' : word[0]!.toUpperCase() + word.slice(1);
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
    hint: "Give Blueprint's build/*.compiled.json, Tact's *.pkg, a *.tolk file, or a compiler's output with the code as a BoC.",
    cause,
  });
}
