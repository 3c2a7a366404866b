import type { Cell } from '@ton/core';

import type { DecodedBody } from './decodedBody';
import type { BodyValue } from './decodedBody';
import { opcodeHex } from './opcodes';
import { actionsOfV5, readSignedBody } from './readSignedBody';
import type { SignedBody, WalletChange, WalletOrders } from './readSignedBody';
import { walletTags } from './walletTags';
import type { WalletFamily } from './walletCodes';

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
