import { Cell } from '@ton/core';
import { evidentTokenContent } from '../../cell/tokenContent';
import { visibleText } from '../../base/text';
import { opcodeHex } from './opcodes';
import type { SignedBody, WalletChange, WalletOrders } from './readSignedBody';
import { actionsOfV5, readSignedBody } from './readSignedBody';
import type { WalletFamily } from './walletCodes';
import { walletTags } from './walletCodes';

/**
 * The signed body of a wallet as named fields. Wallets v1 to v4 and the highload wallets put the signature first and
 * no opcode, so the receiver's interface (`wallet_v3r2`, `wallet_highload_v2r2`, …) determines the layout; without
 * one, its length does.
 */
export function decodeSigned(cell: Cell, interfaces: readonly string[]): DecodedBody | undefined {
  const signed = readSignedBody(cell, familyOf(interfaces)) ?? readSignedBody(cell);
  return signed === undefined ? undefined : signedFields(signed);
}

/** The request of an extension of a wallet v5 as named fields; undefined if it has another layout (wallet v5 source). */
export function decodeExtensionAction(cell: Cell): DecodedBody | undefined {
  try {
    const slice = cell.beginParse().skip(32);
    const queryId = slice.loadUintBig(64);
    const orders = actionsOfV5(slice);
    return {
      name: 'wallet_extension_action_v5_r1',
      opcode: opcodeHex(walletTags.extensionAction),
      source: 'wallet v5',
      fields: [...changeFields(orders), ...integer('query_id', queryId), ...messageFields(orders)],
      broken: false,
      left: { bits: slice.remainingBits, refs: slice.remainingRefs },
      bounced: false,
    };
  } catch {
    return undefined;
  }
}

/** A signed request as named fields; every message is a cell. */
function signedFields(signed: SignedBody): DecodedBody {
  const v5 = signed.family === 'v5' || signed.family === 'v5-beta';
  return {
    name: signed.internal ? 'wallet_signed_internal_v5_r1' : names[signed.family],
    opcode: v5
      ? opcodeHex(signed.internal ? walletTags.signedInternal : walletTags.signedExternal)
      : undefined,
    source: 'wallet source',
    fields: [
      ...changeFields(signed),
      ...integer('subwallet_id', signed.walletId),
      ...integer('query_id', signed.queryId),
      ...integer('valid_until', signed.validUntil),
      ...integer('msg_seqno', signed.seqno),
      ...messageFields(signed),
      { name: 'signature', value: { type: 'bytes', value: signed.signature.toString('hex') } },
    ],
    broken: false,
    left: { bits: 0, refs: 0 },
    bounced: false,
  };
}

/** Who may give the wallet orders from now on: it says more than all messages, so it comes first. */
function changeFields({ changes }: WalletOrders): DecodedBody['fields'] {
  return changes.map((change) =>
    change.kind === 'signatures'
      ? { name: changeNames.signatures, value: { type: 'bool', value: change.isAllowed } }
      : {
          name: changeNames[change.kind],
          value: { type: 'address', value: change.account },
        },
  );
}

/** What a decoded request changes in the wallet itself, and in whose favor. */
export function walletChanges(body: DecodedBody | undefined): WalletChange[] {
  return (body?.fields ?? []).flatMap(({ name, value }): WalletChange[] => {
    const kind = name === changeNames.add ? 'add' : name === changeNames.remove ? 'remove' : undefined;
    if (kind !== undefined && value.type === 'address' && value.value !== undefined) {
      return [{ kind, account: value.value }];
    }
    return name === changeNames.signatures && value.type === 'bool'
      ? [{ kind: 'signatures', isAllowed: value.value }]
      : [];
  });
}

const changeNames = {
  add: 'gives_control_to',
  remove: 'takes_control_from',
  signatures: 'signatures_allowed',
} as const;

/** A change as the end of a sentence about the wallet: `gives bob control of all it has`. */
export function walletChangeText(change: WalletChange, name: (account: string) => string): string {
  switch (change.kind) {
    case 'add':
      return `gives ${name(change.account)} control of all it has`;
    case 'remove':
      return `takes its control from ${name(change.account)}`;
    case 'signatures':
      return change.isAllowed ? 'takes signed requests again' : 'stops taking signed requests';
  }
}

function messageFields({ messages }: WalletOrders): DecodedBody['fields'] {
  return messages.flatMap(({ mode, message }, index) => [
    ...integer(`mode_${index + 1}`, mode),
    { name: `message_${index + 1}`, value: messageCell(message) },
  ]);
}

const names: Record<WalletFamily, string> = {
  v1: 'wallet_signed_v1',
  v2: 'wallet_signed_v2',
  v3: 'wallet_signed_v3',
  v4: 'wallet_signed_v4',
  'v5-beta': 'wallet_signed_external_v5_beta',
  v5: 'wallet_signed_external_v5_r1',
  'highload-v2': 'highload_wallet_signed_v2',
  'highload-v3': 'highload_wallet_signed_v3',
};

function familyOf(interfaces: readonly string[]): WalletFamily | undefined {
  for (const name of interfaces) {
    const compact = name.toLowerCase().replace(/[\s_]/g, '');
    const highload = /^(?:wallet)?highload(?:wallet)?v([23])/.exec(compact);
    if (highload !== null) {
      return `highload-v${highload[1] as '2' | '3'}`;
    }
    const wallet = /^walletv([1-5])(beta)?/.exec(compact);
    if (wallet !== null) {
      const version = wallet[1] as '1' | '2' | '3' | '4' | '5';
      return version === '5' && wallet[2] !== undefined ? 'v5-beta' : `v${version}`;
    }
  }
  return undefined;
}

function integer(name: string, value: number | bigint | undefined): DecodedBody['fields'] {
  return value === undefined ? [] : [{ name, value: { type: 'int', value: BigInt(value) } }];
}

function messageCell(cell: Cell): BodyValue {
  return { type: 'cell', value: cell.toBoc().toString('base64'), isMessage: true };
}

/**
 * A value from a body. Cells nest: a known message inside a payload is decoded too. `isReferred`: of (Either Cell
 * ^Cell), the cell in a reference.
 */
export type BodyValue =
  /** `words`: what a number of an enumeration means. */
  | { type: 'int'; value: bigint; words?: string }
  /** `isJetton`: in base units of a jetton that the body does not name; else in nanocoins. */
  | { type: 'coins'; value: bigint; isJetton?: true }
  | { type: 'bool'; value: boolean }
  /** `workchain:hex`, or undefined for addr_none; for an external address text, and its number in `external`. */
  | { type: 'address'; value: string | undefined; external?: { bits: number; value: bigint } }
  | { type: 'text'; value: string }
  /** Hex digits. */
  | { type: 'bytes'; value: string }
  | { type: 'none' }
  | { type: 'body'; value: DecodedBody; isReferred?: true }
  /** A dictionary, in key order. */
  | { type: 'map'; entries: { key: BodyValue; value: BodyValue }[] }
  /**
   * An undecoded cell, as a bag of cells in base64. `isMessage`: a message that a wallet is ordered to send.
   */
  | { type: 'cell'; value: string; isMessage?: true; isReferred?: true };

/** A decoded message body. */
export interface DecodedBody {
  name: string;
  /** `0x` and eight digits; undefined for bodies without an opcode. */
  opcode: string | undefined;
  /** A declared prefix of another length than an opcode's, in as many digits as it has: `0x77`. */
  prefix?: string;
  /** The origin of the layout. */
  source: string;
  fields: { name: string; value: BodyValue }[];
  /** The layout did not fit: `fields` contains what was read before the mismatch. */
  broken: boolean;
  /** Of a broken body: the first field that does not fit, and what is left for it and those after it. */
  mismatch?: { field: string; bits: number; refs: number };
  /** What is wrong with a body that can be read all the same: whole clauses. */
  remarks?: string[];
  /** Bits and references not covered by the layout. */
  left: { bits: number; refs: number };
  /** The body was bounced by its receiver. */
  bounced: boolean;
}

/** One field of a decoded body. */
export function valueOf(body: DecodedBody | undefined, name: string): BodyValue | undefined {
  return body?.fields.find((field) => field.name === name)?.value;
}

/** An integer or coins field of a decoded body. */
export function integerOf(body: DecodedBody | undefined, name: string): bigint | undefined {
  const value = valueOf(body, name);
  return value?.type === 'coins' || value?.type === 'int' ? value.value : undefined;
}

/** An address field of a decoded body. */
export function addressOf(body: DecodedBody | undefined, name: string): string | undefined {
  const value = valueOf(body, name);
  return value?.type === 'address' ? value.value : undefined;
}

/** Maximum entries shown; further ones are only counted. */
const mostShown = 8;

/**
 * A value on one line, with everything in it: `{who: bob, weight: 5}`, `{bob: 5, alice: 7}`.
 * @param one the text of a value without nested values
 */
export function inlineValue(
  value: BodyValue,
  one: (value: Exclude<BodyValue, { type: 'map' | 'body' }>) => string,
): string {
  const inline = (part: BodyValue): string => inlineValue(part, one);
  switch (value.type) {
    case 'map':
      return braces(value.entries.map((entry) => `${inline(entry.key)}: ${inline(entry.value)}`));
    case 'body':
      return braces(
        value.value.fields.map((field) => `${visibleText(field.name, 60)}: ${inline(field.value)}`),
      );
    default:
      return one(value);
  }
}

function braces(parts: readonly string[]): string {
  const more = parts.length - mostShown;
  return `{${parts.slice(0, mostShown).join(', ')}${more > 0 ? `, and ${more} more` : ''}}`;
}

/** Larger cells are code or data, and reading them again for every row would cost more than it tells. */
const longestBoc = 100_000;

/** What TEP-64 content says, as named fields; undefined for a cell that is not evidently content. */
export function tokenContentBody(cell: Cell): DecodedBody | undefined {
  const content = evidentTokenContent(cell);
  if (content === undefined) {
    return undefined;
  }
  return {
    name: content.layout === 'onchain' ? 'on-chain token content' : 'off-chain token content',
    opcode: undefined,
    source: 'TEP-64',
    fields: Object.entries(content.attributes).map(([name, value]) => ({
      name,
      value: { type: 'text', value },
    })),
    broken: content.isCut === true,
    left: { bits: 0, refs: 0 },
    bounced: false,
  };
}

/** The value as it is shown: a cell with token content is a body, anything else stays what it is. */
export function withTokenContent(value: BodyValue): BodyValue {
  if (value.type !== 'cell' || value.isMessage === true || value.value.length > longestBoc) {
    return value;
  }
  const content = tokenContentBody(Cell.fromBase64(value.value));
  return content === undefined ? value : { type: 'body', value: content };
}
