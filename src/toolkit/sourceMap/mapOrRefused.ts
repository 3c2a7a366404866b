import type { Cell } from '@ton/core';
import { WorkbenchError } from '../base/errors';
import { NotAlignedError } from './alignBlocks';
import { readCodeTree } from './readCodeTree';
import type { SourceMap } from './sourceMap';

/**
 * The map of a code, or one without lines that says why: whoever asks has the code's own source all the same.
 * @throws what is no fault of the listing or the code
 */
export async function mapOrRefused(
  { name, language, code }: Pick<SourceMap, 'name' | 'language'> & { code: Cell },
  make: () => Promise<SourceMap>,
): Promise<SourceMap> {
  try {
    return await make();
  } catch (error) {
    const isOwn =
      error instanceof NotAlignedError ||
      WorkbenchError.is(error, 'source-map-unreadable') ||
      WorkbenchError.is(error, 'over-limit');
    if (!isOwn) {
      throw error;
    }
    const refused = error.message.replace(/\.$/, '');
    const { entries } = await readCodeTree(code).catch(() => ({ entries: [] }));
    const methods = entries.map(({ id, cells }) => ({ id, name: methodName(id), cells: cells() }));
    const all = methods.length > 0 ? methods : [{ id: 0, name: 'The code', cells: [] }];
    return {
      ...{ codeHash: code.hash().toString('hex'), name, language },
      methods: all.map((one) => ({ ...one, refused, isAlike: true, marks: [], parents: [] })),
      ...{ places: [], names: [], branches: [], functions: [], calls: [] },
      ...{ globals: [], constants: [], libraries: [] },
    };
  }
}

function methodName(id: number): string {
  return id === 0 ? 'recv_internal' : id === -1 ? 'recv_external' : `method ${id}`;
}
