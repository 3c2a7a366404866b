import { Address } from '@ton/core';
import { firstHashedId } from '../contracts/abi/codeMethods';
import { shortAddress } from '../address/shortAddress';
import { WorkbenchError } from '../base/errors';
import { formatTable } from '../base/formatTable';
import { formatUnits, visibleText } from '../base/text';
import { formatCoins, formatInteger, jettonSymbol } from '../trace/figures';
import type { AccountSectionId } from './accountSections';
import { accountSectionIds, accountSections, cutLine, notTold, sectionsOverV2 } from './accountSections';
import type { ContractText } from './contractFacts';
import type { AccountReport, WalletReport } from './readAccountReport';
import { mostJettons } from './readAccountReport';

/** What is known beyond the network's answer. */
export interface AccountTextOptions {
  /** The name for a raw address, if it has one. */
  name: (raw: string) => string | undefined;
  /** The name for a method id, if it is well known. */
  methodName: (id: number) => string | undefined;
  coin: string;
  /** Omits the sections that were not loaded, and the BoCs of code and data. */
  isBrief?: boolean | undefined;
  /** What is known from the contract's source and get-methods. */
  contract?: ContractText | undefined;
  /** The newest traces, as lines; left out if undefined. */
  traces?: readonly string[] | undefined;
  /** The lines of the loaded sections. */
  sections?: Readonly<Partial<Record<AccountSectionId, readonly string[]>>> | undefined;
}

export interface AccountDocument {
  text: string;
  /** Line numbers (zero-based) of the headings of sections. */
  headings: ReadonlyMap<AccountSectionId, number>;
  /** Those of the sections that are not loaded. */
  unread: { section: AccountSectionId; line: number }[];
  /** The line (zero-based) with the user's choice of source, if there is one. */
  choiceLine: number | undefined;
}

/** Renders an account. Text from the network is escaped. */
export function accountText(facts: AccountReport, options: AccountTextOptions): AccountDocument {
  const { contract, traces } = options;
  const lines = [
    `${options.name(facts.raw) ?? walletName(facts, options) ?? facts.friendly}, ${stateWord(facts)} on ${facts.network}`,
    ...(contract === undefined ? [] : [contract.kind]),
    '',
    ...table(factRows(facts, options)),
  ];
  const choiceLine = contract?.choice === undefined ? undefined : lines.length + contract.choice;
  lines.push(...(contract?.lines ?? []));
  if (traces !== undefined) {
    lines.push('', 'newest traces', ...(traces.length === 0 ? ['  It has none yet.'] : traces));
  }
  const unread: AccountDocument['unread'] = [];
  const headings = new Map<AccountSectionId, number>();
  const isOverV3 = facts.jettons !== undefined;
  lines.push(
    '',
    ...(isOverV3
      ? ['jettons', ...jettonLines(facts, options)]
      : ['  The network has no v3 API, so what the account owns is unknown.']),
  );
  for (const section of accountSectionIds.filter((id) => isOverV3 || sectionsOverV2.has(id))) {
    const read = options.sections?.[section];
    if (read === undefined && options.isBrief === true) {
      continue;
    }
    lines.push('', accountSections[section].title);
    headings.set(section, lines.length - 1);
    if (read === undefined) {
      unread.push({ section, line: lines.length - 1 });
    }
    lines.push(...(read ?? ['not loaded yet']).map((line) => `  ${line}`));
  }
  if (options.isBrief !== true) {
    lines.push(...bocLines('code', facts.code), ...bocLines('data', facts.data));
  }
  lines.push('');
  return { text: lines.join('\n'), headings, unread, choiceLine };
}

function stateWord({ state, isDeleted }: AccountReport): string {
  if (state !== 'nonexist') {
    return state === 'unknown' ? 'state unknown' : visibleText(state);
  }
  return isDeleted ? 'deleted' : 'does not exist';
}

function stateText({ state, isDeleted }: AccountReport): string {
  if (state !== 'nonexist') {
    return visibleText(state);
  }
  return isDeleted
    ? 'does not exist (deleted: its last transaction removed it)'
    : 'does not exist (nothing was ever sent to it, or it was deleted)';
}

function factRows(
  facts: AccountReport,
  { coin, methodName, contract }: AccountTextOptions,
): [string, string][] {
  const { balance, wallet, interfaces } = facts;
  // The compilers number other functions, too; without a source, a small number may be a get-method's.
  const methodIds = facts.methodIds.filter(
    (id) => contract?.hasSource !== true || id >= firstHashedId || methodName(id) !== undefined,
  );
  const optional = (label: string, value: string | undefined): [string, string][] =>
    value === undefined ? [] : [[label, visibleText(value)]];
  return [
    ['address', facts.raw],
    ['friendly', visibleText(facts.friendly)],
    ...otherForm(facts),
    [
      'balance',
      balance === undefined
        ? 'unknown'
        : `${formatCoins(balance)} ${coin}  (${formatInteger(balance)} nanocoins)`,
    ],
    ['state', stateText(facts)],
    ...(wallet === undefined ? [] : [['wallet', walletText(wallet)] as [string, string]]),
    ...optional('domain', facts.domain),
    ...optional('is a', interfaces.length === 0 ? undefined : interfaces.join(', ')),
    ...optional(
      'get-methods',
      methodIds.length === 0 ? undefined : methodIds.map((id) => methodName(id) ?? String(id)).join(', '),
    ),
    ...optional('last lt', facts.lastLt === undefined ? undefined : formatInteger(facts.lastLt)),
    ...optional('last tx', facts.lastHash),
    ...optional('code hash', facts.codeHash),
    ...optional('data hash', facts.dataHash),
  ];
}

/** The form for the opposite use: non-bounceable for a contract, bounceable for a wallet. */
function otherForm({ raw, friendly }: AccountReport): [string, string][] {
  const address = Address.parseRaw(raw);
  const testOnly = friendly.startsWith('k') || friendly.startsWith('0Q');
  const forms = [true, false].map((bounceable) => address.toString({ bounceable, testOnly }));
  const [bounceable, other] = forms;
  return friendly === bounceable
    ? [['non-bounceable', other ?? '']]
    : friendly === other
      ? [['bounceable', bounceable ?? '']]
      : [];
}

/** `wallet v5 r1, seqno 12, id 2147483409`; ids are not grouped, so that they can be copied. */
function walletText(wallet: WalletReport | WorkbenchError): string {
  if (WorkbenchError.is(wallet)) {
    return `could not be read: ${visibleText(wallet.message)}`;
  }
  const { type, seqno, id, isSignatureAllowed } = wallet;
  return [
    type === undefined ? 'type unknown' : visibleText(type),
    `seqno ${seqno ?? 'unknown'}`,
    `id ${id ?? 'unknown'}`,
    ...(isSignatureAllowed === false ? ['signatures are not allowed'] : []),
  ].join(', ');
}

function jettonLines(facts: AccountReport, options: AccountTextOptions): string[] {
  const own = ownJettonLines(facts, options);
  const held = heldLines(facts.jettons ?? 'unknown', options.coin);
  // What is in a jetton wallet belongs to its owner: the wallet itself holds no jettons.
  return own.length > 0 && held[0] === noJettons ? own : [...own, ...held];
}

/** `alice/USDt` for a jetton wallet whose owner has a name, as in traces. */
function walletName(
  { ownJetton: own }: AccountReport,
  { name, coin }: AccountTextOptions,
): string | undefined {
  const owner = own?.wallet?.owner;
  const called = owner === undefined ? undefined : name(owner);
  return called === undefined
    ? undefined
    : `${called}/${own?.unit === undefined ? 'jetton' : jettonSymbol(own.unit.symbol, coin)}`;
}

/** `It is the jetton wallet of alice at the master EQAB…1234, and holds 25 TST.` */
function ownJettonLines({ ownJetton: own }: AccountReport, { name, coin }: AccountTextOptions): string[] {
  if (own === undefined) {
    return [];
  }
  const called = (raw: string): string => visibleText(name(raw) ?? shortAddress(raw));
  const symbol = own.unit && jettonSymbol(own.unit.symbol, coin);
  if (own.wallet === undefined) {
    return [`  It is the master of ${symbol === undefined ? 'a jetton' : `the jetton ${symbol}`}.`];
  }
  const { owner, balance } = own.wallet;
  const whose = owner === undefined ? 'a jetton wallet' : `the jetton wallet of ${called(owner)}`;
  const amount =
    balance === undefined
      ? 'an unknown amount'
      : own.unit === undefined || symbol === undefined
        ? `${formatInteger(balance)} base units`
        : `${formatUnits(balance, own.unit.decimals)} ${symbol}`;
  return [`  It is ${whose} at the master ${called(own.master)}, and holds ${amount}.`];
}

const noJettons = '  It holds no jettons.';

function heldLines(jettons: NonNullable<AccountReport['jettons']>, coin: string): string[] {
  if (WorkbenchError.is(jettons)) {
    return [`  could not be read: ${visibleText(jettons.message)}`];
  }
  if (jettons === 'unknown') {
    return [`  ${notTold}`];
  }
  if (jettons.rows.length === 0) {
    return [noJettons];
  }
  const rows = jettons.rows.map(({ symbol, decimals, balance, master, isScam }) => [
    (symbol === undefined ? 'jetton' : jettonSymbol(symbol, coin)) + (isScam ? ' (scam)' : ''),
    balance === undefined
      ? 'unknown'
      : decimals === undefined
        ? `${formatInteger(balance)} base units`
        : formatUnits(balance, decimals),
    master ?? 'unknown',
  ]);
  return [
    ...formatTable(rows, ['left', 'decimal', 'left']),
    ...cutLine(jettons.isCut ? Infinity : 0, mostJettons),
  ].map((line) => `  ${line}`);
}

function table(rows: readonly [string, string][]): string[] {
  return formatTable(rows, ['left', 'left']).map((line) => `  ${line}`);
}

function bocLines(label: string, boc: string | undefined): string[] {
  return boc === undefined ? [] : ['', `${label}, a BoC in base64`, `  ${visibleText(boc)}`];
}
