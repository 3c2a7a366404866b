import * as vscode from 'vscode';
import type { MessageTarget } from '../../commandTargets';
import { asCommand } from '../../contributions';
import { typeText } from '../../toolkit/contracts/abi/abiType';
import { plainName } from '../../toolkit/contracts/abi/projectContract';
import type { ContractDescription, ContractMethod } from '../../toolkit/contracts/abi/contractDescription';
import type { ContractState } from '../../toolkit/accounts/contractStates';
import { wholeAddress } from '../../toolkit/address/shortAddress';
import { changeText, summaryText } from '../../toolkit/getMethods/summaryText';
import { ownValue } from '../../toolkit/base/collections';
import { clockTime, visibleText } from '../../toolkit/base/text';
import { formatCoins, shortCoins } from '../../toolkit/trace/figures';
import type { PinnedCall, PinnedContract } from '../project/pinnedContracts';
import { coinLabel } from '../ui/readWorkspaceFile';

/** Milliseconds for which a change is highlighted. */
export const freshMs = 8_000;
/** Maximum characters of the arguments in a row. */
const longestArguments = 40;

/** What is known about a pinned contract. */
interface PinnedContractFacts {
  state: ContractState | undefined;
  description: ContractDescription | undefined;
  /** Its label, the same everywhere. */
  word: string;
  /** Whose jetton wallet it is, if it is one. */
  owner: string | undefined;
  /** Whether it is on the local network. */
  isLocal: boolean;
  /** Its source in the workspace. */
  file: string | undefined;
}

export function contractItem(
  row: ContractElementRow,
  { state, description, word, owner, isLocal, file }: PinnedContractFacts,
): vscode.TreeItem {
  const { pin } = row;
  const names = [word, ...(description?.name === undefined ? [] : [description.name])];
  const [label = '', ...rest] = names;
  const others = rest.filter((name) => plainName(name) !== plainName(label));
  const what = [
    ...(file === undefined
      ? others.slice(0, 1)
      : [description?.changedSource === undefined ? file : `${file} (changed since)`]),
  ].concat(description?.interfaces.filter((one) => !names.join(' ').startsWith(one)) ?? []);
  const facts = [
    ...(owner === undefined ? [] : [`of ${owner}`]),
    ...what.slice(0, 2),
    ...(state === undefined ? ['loading…'] : [`${shortCoins(state.balance)} ${coinLabel()}`, state.status]),
  ];
  const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.Expanded);
  item.id = elementKey(row);
  item.description = facts.join('  ');
  item.iconPath = new vscode.ThemeIcon(state?.status === 'active' ? 'symbol-class' : 'circle-outline');
  const { isChosen, nameOfCode } = description ?? {};
  item.contextValue = `pinnedContract${isLocal ? 'Local' : ''}${isChosen ? 'Chosen' : ''}`;
  item.command = asCommand('tonWorkbench.openAccount', 'Open Account', { account: row.account });
  item.accessibilityInformation = { label: `${label}, ${facts.join(', ')}` };
  const tooltip = new vscode.MarkdownString();
  tooltip.appendText([label, ...facts].join(', '));
  if (description?.name !== undefined) {
    tooltip.appendText(`\n${description.name} by ${description.nameOrigin ?? 'its code'}`);
  }
  if (isChosen) {
    const undo = 'tonWorkbench.forgetContractSource';
    const query = encodeURIComponent(JSON.stringify([{ account: { address: pin.address } }]));
    tooltip.isTrusted = { enabledCommands: [undo] };
    tooltip.appendMarkdown(` · [Undo](command:${undo}?${query})`);
    tooltip.appendText(nameOfCode === undefined ? '' : `\nIts code is that of ${nameOfCode}.`);
  }
  tooltip.appendMarkdown(`\n\n\`${wholeAddress(pin.address)}\`\n\n`);
  tooltip.appendText(state === undefined ? '' : `${formatCoins(state.balance)} ${coinLabel()}\n`);
  tooltip.appendText(description?.codeHash === undefined ? '' : `code ${description.codeHash}`);
  item.tooltip = tooltip;
  return item;
}

export function groupItem(row: GroupElementRow): vscode.TreeItem {
  const item = new vscode.TreeItem(row.group, vscode.TreeItemCollapsibleState.Expanded);
  item.id = elementKey(row);
  item.tooltip =
    row.group === 'reads'
      ? 'Get-methods: they read the contract and cost nothing'
      : 'Messages that the contract accepts';
  return item;
}

export function messageItem(row: MessageElementRow): vscode.TreeItem {
  const { target, fields } = row;
  const item = new vscode.TreeItem(`${target.message}(${fields.join(', ')})`);
  item.id = elementKey(row);
  item.iconPath = new vscode.ThemeIcon('mail');
  item.contextValue = 'pinnedMessage';
  item.command = asCommand('tonWorkbench.sendMessage', 'Send…', target);
  item.tooltip = `Send ${target.message} to ${target.contract}`;
  return item;
}

/**
 * @param isWatched whether it runs automatically
 * @param block the newest one of a local network: answers from earlier ones are outdated
 */
export function methodItem(
  row: MethodElementRow,
  isWatched: boolean,
  now: number,
  block: number | undefined,
): vscode.TreeItem {
  const { pin, method } = row;
  const call = ownValue(pin.calls, method.name);
  const label = methodLabel(row, call);
  const isFresh = call?.was !== undefined && now - call.at < freshMs;
  const age = call === undefined || isWatched ? undefined : ageText(call, now, block);
  const isOld = age !== undefined;
  const item = new vscode.TreeItem(label);
  item.id = elementKey(row);
  item.description = call === undefined ? resultType(row) : answerText(row, call, isFresh, age);
  item.iconPath = methodIcon(call, isWatched, isFresh, isOld);
  item.contextValue = isWatched ? 'pinnedMethodWatched' : 'pinnedMethod';
  item.command = asCommand('tonWorkbench.runPinnedMethod', 'Run', { pin, method });
  const spoken = [label, isWatched ? 'watched' : '', item.description, method.origin]
    .filter(Boolean)
    .join(', ');
  item.accessibilityInformation = { label: spoken };
  const tooltip = new vscode.MarkdownString();
  tooltip.appendText(`${label}\n${method.origin}`);
  if (call !== undefined) {
    const block = call.block === undefined ? '' : `, block ${call.block}`;
    tooltip.appendText(
      `\n${new Date(call.at).toISOString()} (UTC)${block}\n${summaryText(call.answer)}${call.was === undefined ? '' : `\nbefore: ${summaryText(call.was)}`}`,
    );
  }
  item.tooltip = tooltip;
  return item;
}

/** `weightOf(bob)` with the arguments of the shown answer, else `weightOf(who)`. */
function methodLabel(
  { method: { name, signature } }: MethodElementRow,
  call: PinnedCall | undefined,
): string {
  if (signature === undefined) {
    return call === undefined || call.stack === '' ? name : `${name}(${argumentsText(call)})`;
  }
  return call === undefined || signature.parameters.length === 0
    ? `${name}(${signature.parameters.map((parameter) => parameter.name).join(', ')})`
    : `${name}(${argumentsText(call)})`;
}

function argumentsText({ texts, stack }: PinnedCall): string {
  return visibleText(texts?.join(', ') ?? stack, longestArguments);
}

/** The type of the answer, shown until the method has been run. */
function resultType({ method: { signature } }: MethodElementRow): string {
  const { result } = signature ?? {};
  return result === undefined || ['void', 'unknown'].includes(result.kind) ? '' : typeText(result);
}

/**
 * The answer, after an arrow if there are arguments, so that nobody takes one for the answer; then the time,
 * or the age of an old answer.
 */
function answerText(
  { method }: MethodElementRow,
  call: PinnedCall,
  isFresh: boolean,
  age: string | undefined,
): string {
  const change =
    isFresh && call.was !== undefined ? changeText(call.was, call.answer) : summaryText(call.answer);
  const takesNone = method.signature?.parameters.length === 0 || call.stack === '';
  const time = age ?? clockTime(call.at / 1000);
  return `${takesNone ? '' : '→ '}${change}  ${time}`;
}

/** The age of an answer that may be outdated; undefined for a current one. */
function ageText(call: PinnedCall, now: number, block: number | undefined): string | undefined {
  if (block !== undefined && call.block !== undefined) {
    const blocks = block - call.block;
    return blocks > 0 ? `${blocks} ${blocks === 1 ? 'block' : 'blocks'} old` : undefined;
  }
  const minutes = Math.floor((now - call.at) / 60_000);
  const hours = Math.floor(minutes / 60);
  const days = Math.floor(hours / 24);
  return days > 0
    ? `${days} d ago`
    : hours > 0
      ? `${hours} h ago`
      : minutes > 0
        ? `${minutes} min ago`
        : undefined;
}

function methodIcon(
  call: PinnedCall | undefined,
  isWatched: boolean,
  isFresh: boolean,
  isOld: boolean,
): vscode.ThemeIcon {
  if (isFresh) {
    return new vscode.ThemeIcon('circle-filled', new vscode.ThemeColor('charts.yellow'));
  }
  if (call?.failed === true) {
    return new vscode.ThemeIcon('error', new vscode.ThemeColor('testing.iconFailed'));
  }
  return isOld
    ? new vscode.ThemeIcon('history', new vscode.ThemeColor('disabledForeground'))
    : new vscode.ThemeIcon(isWatched ? 'eye' : 'symbol-method');
}

interface Row {
  pin: PinnedContract;
  /** The workspace contract with its code. */
  contract?: string | undefined;
}

export interface ContractElementRow extends Row {
  kind: 'contract';
  account: { address: string };
}

/** A group of get-methods or of messages; shown only if there are both. */
interface GroupElementRow extends Row {
  kind: 'group';
  group: 'reads' | 'messages';
}

interface MethodElementRow extends Row {
  kind: 'method';
  method: ContractMethod;
}

interface MessageElementRow extends Row {
  kind: 'message';
  target: MessageTarget;
  /** Names of its fields. */
  fields: readonly string[];
}

/** A row of the view "Contracts", as passed to its commands. */
export type ContractElement = ContractElementRow | GroupElementRow | MethodElementRow | MessageElementRow;

/** The key of a pinned contract. */
export function pinKey({ network, address }: PinnedContract): string {
  return `${network} ${address}`;
}

/** The key of a row among all rows of the view. */
export function elementKey(row: ContractElement): string {
  const key = pinKey(row.pin);
  switch (row.kind) {
    case 'contract':
      return key;
    case 'group':
      return `${key} ${row.group}:`;
    case 'method':
      return `${key} ${row.method.name}`;
    case 'message':
      return `${key} message ${row.target.message}`;
  }
}
