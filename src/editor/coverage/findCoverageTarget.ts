import * as vscode from 'vscode';
import type { AccountRow } from '../../commandTargets';
import type { Network } from '../../toolkit/access/network';
import { sourceLanguage } from '../../toolkit/abi/sourceReadings';
import { fileName } from '../../toolkit/fileName';
import { accountWord } from '../accounts/accountWord';
import { askAccount } from '../accounts/askAccount';
import { itemAddress } from '../accounts/itemAddress';
import { findInstances, isInstanceOf } from '../instances/findInstances';
import type { Services } from '../services';
import { withProgress } from '../ui/withProgress';

/** A deployed contract of the workspace. */
export interface CoverageTarget {
  network: Network;
  /** Raw. */
  address: string;
}

const title = 'TON: Show Coverage of Contract';

/**
 * The contract of a row or of a source: the only one on the current network that has the code of the source in the
 * editor, else the user is asked.
 *
 * @returns undefined if the user canceled
 */
export async function findCoverageTarget(
  services: Services,
  given: string | vscode.Uri | AccountRow | undefined,
): Promise<CoverageTarget | undefined> {
  const network = services.networks.current();
  const isAccount = typeof given === 'string' || (given !== undefined && 'account' in given);
  const file = isAccount ? undefined : (given ?? vscode.window.activeTextEditor?.document.uri);
  const address = isAccount
    ? itemAddress(given)
    : ((await ofSource(services, network, file)) ??
      (await askAccount(services, { title, placeholder: 'Choose a contract of this workspace' })));
  // A link may have switched the network.
  return typeof address === 'string' ? { network: services.networks.current(), address } : undefined;
}

/** The deployed contract of a source; undefined if there is none, or none was chosen. */
async function ofSource(
  services: Services,
  network: Network,
  file: vscode.Uri | undefined,
): Promise<string | undefined> {
  if (file === undefined || sourceLanguage(file.path) === undefined) {
    return undefined;
  }
  const contract = fileName(file.path).replace(/\.[a-z]+$/i, '');
  const found = await withProgress(`Looking for ${contract} on ${network.name}`, async (signal) => {
    await services.connections.open(network, signal);
    return findInstances(services, network);
  });
  const same = found.filter((one) => isInstanceOf(one, contract));
  if (same.length < 2) {
    return same[0]?.address;
  }
  const word = accountWord(services, network);
  const items = same.map(({ address, name }) => ({ label: word(address), description: name, address }));
  const other = { label: '$(edit) Another contract…', description: undefined, address: undefined };
  const picked = await vscode.window.showQuickPick([...items, other], {
    title: `${title} on ${network.name}`,
    placeHolder: `Several contracts are deployed from ${fileName(file.path)}`,
  });
  return picked?.address;
}
