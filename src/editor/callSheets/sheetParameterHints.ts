import * as vscode from 'vscode';
import { methodNamed } from '../../toolkit/abi/methodNamed';
import { typeText } from '../../toolkit/abi/abiType';
import type { AbiType } from '../../toolkit/abi/abiType';
import { exampleOf } from '../../toolkit/abi/exampleOf';
import { signatureText } from '../../toolkit/abi/getMethodSignature';
import type { GetMethodSignature, SignatureParameter } from '../../toolkit/abi/getMethodSignature';
import { callSheetAt } from '../../toolkit/callSheet/callSheetAt';
import { parsedSheet } from './parsedSheets';
import type { ContractsOfSheets } from './sheetKnowledge';

/** The parameters of the method whose arguments are being typed, with the current one highlighted. */
export class SheetParameterHints implements vscode.SignatureHelpProvider {
  readonly #contracts: ContractsOfSheets;

  constructor(contracts: ContractsOfSheets) {
    this.#contracts = contracts;
  }

  async provideSignatureHelp(
    document: vscode.TextDocument,
    position: vscode.Position,
    token: vscode.CancellationToken,
  ): Promise<vscode.SignatureHelp | undefined> {
    const sheet = parsedSheet(document);
    const spot = callSheetAt(document.getText(), sheet, document.offsetAt(position));
    if (spot.kind !== 'argument' && spot.kind !== 'text') {
      return undefined;
    }
    const contract = await this.#contracts.at(spot, sheet, token);
    const signature = methodNamed(contract, spot.method)?.signature;
    if (signature === undefined) {
      return undefined;
    }
    const help = new vscode.SignatureHelp();
    help.signatures = [informationOf(signature)];
    help.activeSignature = 0;
    help.activeParameter = spot.index;
    return help;
  }
}

/** Text from sources is shown as plain text, never as markdown. */
function informationOf(signature: GetMethodSignature): vscode.SignatureInformation {
  const made = new vscode.SignatureInformation(signatureText(signature), signature.comment);
  let start = signature.name.length + 1;
  made.parameters = signature.parameters.map((parameter) => {
    const { length } = `${parameter.name}: ${typeText(parameter.type)}`;
    const place: [number, number] = [start, start + length];
    start += length + 2;
    return new vscode.ParameterInformation(place, documentationOf(parameter));
  });
  return made;
}

function documentationOf({ type, defaultText }: SignatureParameter): string {
  return [
    partsOf(type),
    exampleOf(type),
    defaultText === undefined ? '' : `The source’s default is ${defaultText}.`,
  ]
    .filter((text) => text !== '')
    .join('\n');
}

/** The parts of a named type. */
function partsOf(type: AbiType): string {
  switch (type.kind) {
    case 'struct':
      return `{${type.fields.map((field) => `${field.name}: ${typeText(field.type)}`).join(', ')}}`;
    case 'enum':
      return `One of ${type.members.map(({ name }) => name).join(', ')}.`;
    case 'nullable':
      return [partsOf(type.inner), 'Or null.'].filter((text) => text !== '').join('\n');
    default:
      return '';
  }
}
