import type { Cell } from '@ton/core';

import type { DecodedBody } from './decodedBody';
import type { BodyValue } from './decodedBody';
import { readSignedBody } from './readSignedBody';
import type { SignedBody } from './readSignedBody';
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

/** A signed request as named fields; every message is a cell. */
function signedFields(signed: SignedBody): DecodedBody {
  const v5 = signed.family === 'v5' || signed.family === 'v5-beta';
  return {
    name: signed.internal ? 'wallet_signed_internal_v5_r1' : names[signed.family],
    opcode: v5 ? (signed.internal ? '0x73696e74' : '0x7369676e') : undefined,
    source: 'wallet source',
    fields: [
      ...integer('subwallet_id', signed.walletId),
      ...integer('query_id', signed.queryId),
      ...integer('valid_until', signed.validUntil),
      ...integer('msg_seqno', signed.seqno),
      ...signed.messages.flatMap(({ mode, message }, index) => [
        ...integer(`mode_${index + 1}`, mode),
        { name: `message_${index + 1}`, value: messageCell(message) },
      ]),
      ...(signed.otherActions
        ? [{ name: 'other_actions', value: { type: 'bool', value: true } as const }]
        : []),
      { name: 'signature', value: { type: 'bytes', value: signed.signature.toString('hex') } },
    ],
    broken: false,
    left: { bits: 0, refs: 0 },
    bounced: false,
  };
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
