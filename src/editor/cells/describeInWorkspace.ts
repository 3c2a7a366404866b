import type { Boc } from '../../toolkit/cell/boc';
import type { BocDocument } from '../../toolkit/structure/describeBoc';
import { projectBodies } from '../project/projectBodies';
import type { Services } from '../services';
import { bocWords } from './bocWords';

/** Codes with more cells are not looked up. */
const mostCodeCells = 5_000;

/** A BoC as text, with this window's names and the workspace's sources. */
export async function describeInWorkspace(services: Services, boc: Boc, root?: number): Promise<BocDocument> {
  const { describeBoc } = await import('../../toolkit/structure/describeBoc');
  const title = root === undefined && boc.roots.length === 1 ? await titleOf(services, boc) : undefined;
  return describeBoc(boc, {
    ...(await bocWords(services)),
    ...(await projectBodies(services.project)),
    ...(root === undefined ? {} : { root }),
    ...(title === undefined ? {} : { title }),
  });
}

/** The name of the contract that has this BoC as its code. */
async function titleOf({ project }: Services, boc: Boc): Promise<string | undefined> {
  const root = boc.roots[0]!;
  if (boc.cellCount > mostCodeCells || boc.kind(root) !== 'ordinary') {
    return undefined;
  }
  const [{ codeMethods }, { codeTitle }, { walletCodes }, { toCoreCell }] = await Promise.all([
    import('../../toolkit/abi/codeMethods'),
    import('../../toolkit/abi/codeTitle'),
    import('../../toolkit/opcodes/walletCodes'),
    import('../../toolkit/cell/toCoreCell'),
  ]);
  const code = toCoreCell(boc, root);
  const codeHash = boc.hashHex(root);
  if (codeMethods(code) !== undefined) {
    await project.findSource({ code, codeHash });
  }
  return codeTitle(code, await project.list(), {
    wallet: walletCodes.get(codeHash)?.name,
    chosen: project.chosen(codeHash),
  });
}
