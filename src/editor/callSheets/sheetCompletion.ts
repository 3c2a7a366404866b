import * as vscode from 'vscode';
import { methodNamed } from '../../toolkit/contracts/abi/methodNamed';
import { signatureText } from '../../toolkit/contracts/abi/getMethodSignature';
import { typeText } from '../../toolkit/contracts/abi/abiType';
import type { AbiType } from '../../toolkit/contracts/abi/abiType';
import type { ContractMethod } from '../../toolkit/contracts/abi/contractDescription';
import { callSheetAt } from '../../toolkit/callSheet/callSheetAt';
import type { SheetSpot } from '../../toolkit/callSheet/callSheetAt';
import type { CallSheet } from '../../toolkit/callSheet/callSheet';
import { partNames, partType, plainType } from '../../toolkit/callSheet/callSheet';
import { fieldPrompts } from '../../toolkit/contracts/layouts/fieldPrompts';
import type { FieldPrompt } from '../../toolkit/contracts/layouts/fieldPrompts';
import { messageNamed, messageWord } from '../../toolkit/contracts/layouts/messagesOfContract';
import type { Message } from '../../toolkit/contracts/layouts/messagesOfContract';
import type { Services } from '../project/services';
import { parsedSheet } from './parsedSheet';
import type { ContractsOfSheets } from './contractsOfSheets';
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

/** Clauses that can follow a message. */
const clauses: readonly [label: string, snippet: string, detail: string][] = [
  ['0.1ton', '${1:0.1}ton', 'the amount'],
  ['from', 'from ', 'the wallet that sends it'],
  ['as', 'as ', 'in the name of a contract'],
  ['comment', 'comment "$1"', 'a text'],
  ['body', 'body ${1:b(u32 0)}', 'a cell'],
  ['no-bounce', 'no-bounce', 'coins are not returned if it fails'],
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
      // The list would cover the parameter hints, so it opens only on a letter, @, or Ctrl+Space.
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
        const method = methodNamed(contract, spot.method);
        const parameter = method?.signature?.parameters[spot.index];
        return method?.signature !== undefined && parameter === undefined
          ? []
          : this.#values(sheet, spot.network, parameter?.type);
      }
      case 'account':
        return this.#accountNames(sheet, spot.network);
      case 'message': {
        const { layouts, own } = await this.#contracts.messages(spot, sheet, token);
        return [
          ...own.map((message) => messageItem(message, messageWord(layouts, message, spot.target))),
          snippet('0.1ton', '${1:0.1}ton', 'only coins'),
        ];
      }
      case 'field': {
        const { layouts } = await this.#contracts.messages(spot, sheet, token);
        const found = messageNamed(layouts, spot.message, spot.target);
        return found === undefined || 'ambiguous' in found
          ? []
          : fieldPrompts(found.layout, found.set, 'alice')
              .filter(({ field }) => !spot.given.includes(field.name))
              .map(fieldItem);
      }
      case 'clause':
        return clauses.map(([label, text, detail]) => snippet(label, text, detail));
      case 'part': {
        const contract = await this.#contracts.at(spot, sheet, token);
        const signature = methodNamed(contract, spot.method)?.signature;
        return signature === undefined ? [] : partItems(typeAt(signature.result, spot.path));
      }
      case 'subject':
        return [
          ...(await this.#ownParts(spot, sheet, token)),
          ...this.#accountNames(sheet, spot.network),
          snippet('fails', 'fails', 'something goes wrong'),
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
      ...this.#accountNames(sheet, sheet.network?.text),
      snippet('send', 'send ', 'a message'),
      snippet(
        'deploy',
        'deploy ${1:contracts/counter.tolk} {$2} as ${3:Counter}',
        'a contract, compiled first',
      ),
      snippet(
        'replay',
        'replay ${1:failed.tonreplay} with ${2:contracts/counter.tolk}',
        'a saved transaction, with the code of today',
      ),
      snippet('###', '### ${1:what this shows}', 'title of a call or a scenario'),
      snippet('@network', '@network ${1:local}', 'network of the calls'),
      snippet('@restore', '@restore', 'undoes at the end what was sent'),
      snippet('@concurrent', '@concurrent', 'messages under way together, for ton-workbench explore'),
      snippet('@name = value', '@${1:name} = ${2:value}', 'a variable'),
    ];
  }

  /** Names and forms of a value; those that match its type first. */
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

  /** Names of contracts, including those that the sheet deploys. */
  #accountNames(sheet: CallSheet, network: string | undefined): vscode.CompletionItem[] {
    const deployed = sheet.steps.flatMap((step) =>
      step.kind === 'deploy' ? [item(step.name.text, vscode.CompletionItemKind.Class, step.file.text)] : [],
    );
    const names = new Set(deployed.map(({ label }) => (typeof label === 'string' ? label : label.label)));
    const accounts = this.#accounts(network).filter(([name]) => !names.has(name));
    return [
      ...deployed,
      ...accounts.map(([name, address]) =>
        item(name, vscode.CompletionItemKind.Constant, shortAddress(address)),
      ),
    ];
  }

  /** The fields of the answer that the expectations below a call refer to. */
  async #ownParts(
    { call, network }: Extract<SheetSpot, { kind: 'subject' }>,
    sheet: CallSheet,
    token: vscode.CancellationToken,
  ): Promise<vscode.CompletionItem[]> {
    const target = call?.target.text;
    const contract =
      target === undefined ? undefined : await this.#contracts.at({ target, network }, sheet, token);
    const method = call === undefined ? undefined : methodNamed(contract, call.method.text);
    return method?.signature === undefined ? [] : partItems(method.signature.result);
  }

  #accounts(network: string | undefined): [string, string][] {
    return [...(this.#contracts.accounts(network) ?? [])];
  }
}

/** Whether values of a type can be written in a form. */
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

function messageItem({ layout, set }: Message, word: string): vscode.CompletionItem {
  const prompts = fieldPrompts(layout, set, 'alice');
  const fields = prompts.map(
    ({ field, start }, index) =>
      `${field.name}: \${${index + 1}:${(start ?? 'alice').replace(/[\\$}]/g, '\\$&')}}`,
  );
  const made = item(word, vscode.CompletionItemKind.Event, set.contract ?? set.origin);
  const text = `${word.replace(/[\\$}]/g, '\\$&')} {${fields.join(', ')}} `;
  made.insertText = new vscode.SnippetString(`${text}\${${fields.length + 1}:0.1ton}$0`);
  made.detail = prompts.map(({ field, typeText: type }) => `${field.name}: ${type}`).join(', ');
  return made;
}

function fieldItem({ field, typeText: type, start, choices }: FieldPrompt): vscode.CompletionItem {
  const made = item(field.name, vscode.CompletionItemKind.Field, type);
  const value = (start ?? choices[0]?.value ?? '').replace(/[\\$}]/g, '\\$&');
  made.insertText = new vscode.SnippetString(`${field.name}: \${1:${value}}`);
  // Text from sources is plain, never markdown.
  if (field.comment !== undefined) {
    made.documentation = field.comment;
  }
  return made;
}

function partItems(type: AbiType): vscode.CompletionItem[] {
  return (partNames(type) ?? []).map((name) => {
    const inner = partType(type, name);
    return item(name, vscode.CompletionItemKind.Field, inner === undefined ? '' : typeText(inner));
  });
}

/** @param path names, and keys in brackets */
function typeAt(result: AbiType, path: readonly string[]): AbiType {
  return path.reduce((at: AbiType, name) => {
    const type = plainType(at);
    const inner = name.startsWith('[') && type.kind === 'map' ? type.value : partType(type, name);
    return inner ?? { kind: 'unknown' };
  }, result);
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
