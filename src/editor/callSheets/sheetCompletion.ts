import * as vscode from 'vscode';
import { signatureText } from '../../toolkit/abi/getMethodSignature';
import { typeText } from '../../toolkit/abi/abiType';
import type { AbiType } from '../../toolkit/abi/abiType';
import type { ContractMethod } from '../../toolkit/abi/describeContract';
import { callSheetAt } from '../../toolkit/callSheet/callSheetAt';
import type { SheetSpot } from '../../toolkit/callSheet/callSheetAt';
import type { CallSheet } from '../../toolkit/callSheet/callSheet';
import type { Services } from '../services';
import { parsedSheet } from './parsedSheets';
import type { ContractsOfSheets } from './sheetKnowledge';
import { shortAddress } from '../../toolkit/address/shortAddress';

/** Labels of value forms, and the text they insert. */
const forms: readonly [label: string, snippet: string, detail: string][] = [
  ['addr', 'addr ${1:EQ…}', 'an address, as a slice'],
  ['1.5ton', '${1:1.5}ton', 'an amount, in nanocoins'],
  ['true', 'true', '-1 on the stack'],
  ['false', 'false', '0'],
  ['null', 'null', 'null, or the empty list'],
  ['str', 'str "${1:text}"', 'a slice of the text’s bytes'],
  ['cell', 'cell ${1:te6cc…}', 'a cell from base64 or hex'],
  ['slice', 'slice x{${1:00}}', 'a slice of these bits'],
  ['b', 'b(${1:u32 0})', 'a cell built here: u32, i64, coins, addr, ref, str'],
  ['[…]', '[${1:1}, ${2:2}]', 'a tuple'],
  ['(…)', '(${1:1}, ${2:2})', 'a list'],
];

/** Completions at a position in a call sheet. */
export class SheetCompletion implements vscode.CompletionItemProvider {
  readonly #services: Services;
  readonly #contracts: ContractsOfSheets;

  constructor(services: Services, contracts: ContractsOfSheets) {
    this.#services = services;
    this.#contracts = contracts;
  }

  async provideCompletionItems(
    document: vscode.TextDocument,
    position: vscode.Position,
    token: vscode.CancellationToken,
    { triggerCharacter }: vscode.CompletionContext,
  ): Promise<vscode.CompletionItem[]> {
    const sheet = parsedSheet(document);
    const spot = callSheetAt(document.getText(), sheet, document.offsetAt(position));
    if (triggerCharacter === ' ' && spot.kind === 'argument') {
      // The list would cover the parameter hints; a letter, @, or Ctrl+Space opens it.
      return [];
    }
    const prefix = 'prefix' in spot ? spot.prefix : '';
    if ((spot.kind === 'argument' || spot.kind === 'value') && /^-?\d/.test(prefix)) {
      // A number is already complete: Enter must not turn it into an amount.
      return [];
    }
    const range = new vscode.Range(position.translate(0, -prefix.length), position);
    const items = await this.#items(spot, sheet, token);
    items.forEach((item, index) => {
      item.range = range;
      item.sortText = String(index).padStart(4, '0');
    });
    return items;
  }

  async #items(
    spot: SheetSpot,
    sheet: CallSheet,
    token: vscode.CancellationToken,
  ): Promise<vscode.CompletionItem[]> {
    switch (spot.kind) {
      case 'start':
        return this.#starts(sheet, spot.mayExpect);
      case 'network':
        return this.#services.networks
          .list()
          .map(({ name, kind }) => item(name.toLowerCase(), vscode.CompletionItemKind.Enum, kind));
      case 'method': {
        const contract = await this.#contracts.at(spot, sheet, token);
        return (contract?.methods ?? []).map(methodItem);
      }
      case 'argument': {
        const contract = await this.#contracts.at(spot, sheet, token);
        const method = contract?.methods.find(({ name }) => name === spot.method);
        const parameter = method?.signature?.parameters[spot.index];
        return method?.signature !== undefined && parameter === undefined
          ? []
          : this.#values(sheet, spot.network, parameter?.type);
      }
      case 'subject':
        return [
          snippet('exit', 'exit ${1:0}', 'the exit code'),
          snippet('gas', 'gas < ${1:5000}', 'gas used'),
          snippet('0', '0 == ${1:42}', 'first entry of the answer'),
          snippet('0.0', '0.0 == ${1:42}', 'the first entry of a tuple'),
        ];
      case 'value':
        return this.#values(sheet, spot.network);
      case 'text':
      case 'none':
        return [];
    }
  }

  #starts(sheet: CallSheet, mayExpect: boolean): vscode.CompletionItem[] {
    const expect = mayExpect
      ? [
          snippet('expect', 'expect ${1:0} == ${2:42}', 'what you expect of the answer'),
          snippet('expect exit', 'expect exit ${1:0}', 'the exit code'),
        ]
      : [];
    const variables = sheet.variables.map(({ name, value }) =>
      item(name.text, vscode.CompletionItemKind.Variable, value.text),
    );
    return [
      ...expect,
      ...variables,
      ...this.#accounts(sheet.network?.text).map(([name, address]) =>
        item(name, vscode.CompletionItemKind.Constant, shortAddress(address)),
      ),
      snippet('###', '### ${1:what this call shows}', 'title of a call'),
      snippet('@network', '@network ${1:local}', 'network of the calls'),
      snippet('@name = value', '@${1:name} = ${2:value}', 'a variable'),
    ];
  }

  /** Names and forms of a value; those that fit its type first. */
  #values(sheet: CallSheet, network: string | undefined, type?: AbiType): vscode.CompletionItem[] {
    const detail = type === undefined ? undefined : typeText(type);
    const wantsAddress = type?.kind === 'address' || type?.kind === 'slice';
    const accounts = this.#accounts(network ?? sheet.network?.text).map(([name, address]) =>
      item(
        wantsAddress && type.kind === 'address' ? name : `addr ${name}`,
        vscode.CompletionItemKind.Constant,
        shortAddress(address),
      ),
    );
    const variables = sheet.variables.map(({ name, value }) =>
      item(`@${name.text}`, vscode.CompletionItemKind.Variable, value.text),
    );
    const shown = forms.filter(([label]) => fits(label, type));
    const shapes = shown.map(([label, text, what]) =>
      snippet(label, text, detail === undefined ? what : `${what}; the type is ${detail}`),
    );
    return type === undefined || wantsAddress
      ? [...variables, ...accounts, ...shapes]
      : [...shapes, ...variables, ...(type.kind === 'int' || type.kind === 'coins' ? [] : accounts)];
  }

  #accounts(network: string | undefined): [string, string][] {
    return [...(this.#contracts.accounts(network) ?? [])];
  }
}

/** The forms in which values of a type can be written. */
function fits(label: string, type: AbiType | undefined): boolean {
  switch (type?.kind) {
    case 'int':
    case 'coins':
      return label === '1.5ton';
    case 'bool':
      return label === 'true' || label === 'false';
    case 'address':
      return label === 'addr';
    case 'cell':
      return label === 'cell' || label === 'b';
    case 'string':
      return label === 'str';
    default:
      return true;
  }
}

function methodItem({ name, signature, origin }: ContractMethod): vscode.CompletionItem {
  const made = new vscode.CompletionItem(name, vscode.CompletionItemKind.Method);
  const parameters = signature?.parameters ?? [];
  const places = parameters.map(
    (parameter, index) => `\${${index + 1}:${parameter.name.replace(/[\\$}]/g, '')}}`,
  );
  const inside = signature === undefined ? '$1' : places.join(', ');
  made.insertText = new vscode.SnippetString(`${name}(${inside})$0`);
  made.detail = signature === undefined ? origin : signatureText(signature);
  const comment = signature?.comment;
  made.documentation = [comment, `Known from: ${origin}`].filter((text) => text !== undefined).join('\n\n');
  return made;
}

function item(label: string, kind: vscode.CompletionItemKind, detail: string): vscode.CompletionItem {
  const made = new vscode.CompletionItem({ label, description: detail }, kind);
  return made;
}

function snippet(label: string, text: string, detail: string): vscode.CompletionItem {
  const made = item(label, vscode.CompletionItemKind.Keyword, detail);
  made.insertText = new vscode.SnippetString(text);
  return made;
}
