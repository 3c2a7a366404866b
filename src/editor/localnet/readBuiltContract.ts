import { Cell } from '@ton/core';
import { WorkbenchError } from '../../toolkit/errors';

/** What a build left, as far as deploying needs it. */
export interface BuiltContract {
  /** The code cell, a BoC in base64. */
  code: string;
  /** Hash of the code cell, lower-case hex. */
  codeHash: string;
}

/**
 * Reads what a compiler left: Blueprint's `build/*.compiled.json` ({hex}), or a JSON file with the code as a BoC in
 * `codeBoc64`, `code`, `boc` or `base64`, as the compilers of Tolk and FunC print it.
 * @throws WorkbenchError `build-unreadable` (input)
 */
export function readBuiltContract(text: string): BuiltContract {
  try {
    const built = JSON.parse(text) as Record<string, unknown>;
    const hex = typeof built['hex'] === 'string' ? Buffer.from(built['hex'], 'hex') : undefined;
    const base64 = ['codeBoc64', 'code', 'boc', 'base64']
      .map((name) => built[name])
      .find((one) => typeof one === 'string');
    const bytes = hex ?? (typeof base64 === 'string' ? Buffer.from(base64, 'base64') : undefined);
    const [root] = bytes === undefined ? [] : Cell.fromBoc(bytes);
    if (root !== undefined) {
      return { code: root.toBoc().toString('base64'), codeHash: root.hash().toString('hex') };
    }
  } catch (cause) {
    throw unreadable(cause);
  }
  throw unreadable(undefined);
}

function unreadable(cause: unknown): WorkbenchError {
  return new WorkbenchError({
    code: 'build-unreadable',
    kind: 'input',
    message: 'This file holds no compiled code.',
    hint: "Give Blueprint's build/*.compiled.json, or a compiler's output with the code as a BoC.",
    cause,
  });
}
