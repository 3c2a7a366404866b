import type * as vscode from 'vscode';
import type { Boc } from '../../toolkit/cell/boc';
import type { BocDocument } from '../../toolkit/contracts/opcodes/describeBoc';
import { accountName } from '../project/accountName';
import { projectBodies } from '../project/projectWords';
import type { Services } from '../project/services';
import { coinLabel } from '../ui/readWorkspaceFile';
import { showTextPage } from '../ui/showTextPage';
import { readBocFile, readPickedBoc } from './readPickedBoc';

/** Fills the read-only editor of a *.boc file with the inspector's text. */
export async function showBocEditor(
  services: Services,
  uri: vscode.Uri,
  panel: vscode.WebviewPanel,
): Promise<void> {
  const page = {
    read: async () => (await describeInWorkspace(services, await readPickedBoc(await readBocFile(uri)))).text,
    label: 'Cells',
    link: { title: 'Open as text: fold, copy, compare, disassemble', command: 'tonWorkbench.inspectBoc' },
  } as const;
  await showTextPage(uri, panel, page, services.log);
}

/** Codes with more cells are not looked up. */
const mostCodeCells = 5_000;

/** A BoC as text, with this window's names and the workspace's sources. */
export async function describeInWorkspace(services: Services, boc: Boc, root?: number): Promise<BocDocument> {
  const { describeBoc } = await import('../../toolkit/contracts/opcodes/describeBoc');
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
    import('../../toolkit/contracts/abi/codeMethods'),
    import('../../toolkit/contracts/abi/codeTitle'),
    import('../../toolkit/contracts/opcodes/walletCodes'),
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

/** This window's names for addresses and coins. */
export async function bocWords(
  services: Services,
): Promise<{ address: (raw: string) => string; coin: string }> {
  const { readAddressForm, toFriendlyAddress } = await import('../../toolkit/address/canonicalAddress');
  const name = accountName(services);
  const testOnly = services.networks.current().kind === 'testnet';
  const address = (raw: string): string => {
    if (!/^-?\d+:[0-9a-f]{64}$/i.test(raw)) {
      return raw;
    }
    const friendly = toFriendlyAddress(readAddressForm(raw), { bounceable: true, testOnly });
    const known = name(raw);
    return known === undefined ? friendly : `${known} (${friendly})`;
  };
  return { address, coin: coinLabel() };
}
