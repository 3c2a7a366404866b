import * as vscode from 'vscode';
import type { SourceRow } from '../../commandTargets';
import { runCommand } from '../../contributions';
import { plainName } from '../../toolkit/abi/projectContract';
import { sourceLanguage } from '../../toolkit/abi/sourceReadings';
import { sourcePlaces } from '../../toolkit/abi/sourcePlaces';
import { methodsOf } from '../project/methodsOf';
import type { Services } from '../services';

/** Opens the source of a row: of the contract, the get-method, or the message's struct. */
export async function goToSource(services: Services, row: SourceRow): Promise<void> {
  const place = (await placeOf(services, row)) ?? (await chosenPlace(services, row));
  if (place === undefined) {
    return;
  }
  const document = await vscode.workspace.openTextDocument(place.uri);
  const start = document.positionAt(place.offset);
  await vscode.window.showTextDocument(document, { selection: new vscode.Range(start, start) });
}

/** The place in the source that the user chooses for a contract whose source is not known. */
async function chosenPlace(services: Services, row: SourceRow): Promise<Place | undefined> {
  const choose = 'Choose Contract Source…';
  const answer = await vscode.window.showInformationMessage(
    'No source of this contract is known in this workspace.',
    choose,
  );
  if (answer !== choose) {
    return undefined;
  }
  const { network: named, address } = row.pin;
  await runCommand(vscode.commands, 'tonWorkbench.chooseContractSource', { account: { address } });
  const network = services.networks.list().find(({ name }) => name === named);
  const { name } = await methodsOf(services, network ?? services.networks.current(), address);
  return name === undefined ? undefined : placeOf(services, { ...row, contract: name });
}

interface Place {
  uri: vscode.Uri;
  offset: number;
}

async function placeOf(
  { project }: Services,
  { contract, method, target }: SourceRow,
): Promise<Place | undefined> {
  if (contract === undefined) {
    return undefined;
  }
  const all = (await project.list()).filter(({ file }) => sourceLanguage(file) !== undefined);
  const own = all.filter(({ name }) => plainName(name) === plainName(contract));
  const at = (file: string, offset: number): Place | undefined => {
    const uri = project.uriOf(file);
    return uri === undefined ? undefined : { uri, offset };
  };
  if (method !== undefined) {
    for (const { file, methods } of own) {
      const { offset } = methods.find(({ name }) => name === method.name) ?? {};
      if (offset !== undefined) {
        return at(file, offset);
      }
    }
  }
  if (target !== undefined) {
    // The struct can be in a file that the contract imports.
    const others = all.filter((one) => !own.includes(one));
    for (const { file } of [...own, ...others]) {
      const place = at(file, 0);
      const offset = place && (await structAt(place.uri, target.message));
      if (place !== undefined && offset !== undefined) {
        return { ...place, offset };
      }
    }
  }
  const [first] = own;
  return first === undefined ? undefined : at(first.file, 0);
}

async function structAt(uri: vscode.Uri, name: string): Promise<number | undefined> {
  const language = sourceLanguage(uri.path);
  if (language === undefined) {
    return undefined;
  }
  const text = (await vscode.workspace.openTextDocument(uri)).getText();
  return sourcePlaces(text, language).structs.get(name);
}
