import type { Cell, Slice } from '@ton/core';

import type { BodyValue, DecodedBody } from './decodeBody';

type Fields = DecodedBody['fields'];

/**
 * The signed body of a wallet. Wallets v1 to v4 and the highload wallets put the signature first and no opcode, so the
 * receiver's interface (`wallet_v3r2`, `wallet_highload_v2r2`, …) says how to read it; v5 has an opcode of its own.
 * Layouts: the wallets' published sources.
 */
export function decodeSigned(cell: Cell, interfaces: readonly string[]): DecodedBody | undefined {
  const slice = cell.beginParse();
  const code = slice.preloadUint(32);
  const v5 = code === 0x7369676e || code === 0x73696e74;
  const kind = v5 ? 'v5' : kindOf(interfaces);
  if (kind === undefined) {
    return undefined;
  }
  const fields: Fields = [];
  let broken = false;
  try {
    readers[kind](slice, fields);
  } catch {
    broken = true;
  }
  return {
    name: v5 && code === 0x73696e74 ? 'wallet_signed_internal_v5_r1' : names[kind],
    opcode: v5 ? `0x${code.toString(16)}` : undefined,
    source: 'wallet source',
    fields,
    broken,
    left: { bits: slice.remainingBits, refs: slice.remainingRefs },
    bounced: false,
  };
}

type Kind = 'v1' | 'v2' | 'v3' | 'v4' | 'v5' | 'highload2' | 'highload3';

const names: Record<Kind, string> = {
  v1: 'wallet_signed_v1',
  v2: 'wallet_signed_v2',
  v3: 'wallet_signed_v3',
  v4: 'wallet_signed_v4',
  v5: 'wallet_signed_external_v5_r1',
  highload2: 'highload_wallet_signed_v2',
  highload3: 'highload_wallet_signed_v3',
};

function kindOf(interfaces: readonly string[]): Kind | undefined {
  for (const name of interfaces) {
    const compact = name.toLowerCase().replace(/[\s_]/g, '');
    const highload = /^(?:wallet)?highload(?:wallet)?v([23])/.exec(compact);
    if (highload !== null) {
      return `highload${highload[1] as '2' | '3'}`;
    }
    const wallet = /^walletv([1-4])/.exec(compact);
    if (wallet !== null) {
      return `v${wallet[1] as '1' | '2' | '3' | '4'}`;
    }
  }
  return undefined;
}

const int = (slice: Slice, bits: number): BodyValue => ({ type: 'int', value: slice.loadUintBig(bits) });
const cellOf = (cell: Cell): BodyValue => ({ type: 'cell', value: cell.toBoc().toString('base64') });

function signature(slice: Slice, fields: Fields): void {
  fields.push({ name: 'signature', value: { type: 'bytes', value: slice.loadBuffer(64).toString('hex') } });
}

function integers(slice: Slice, fields: Fields, layout: readonly (readonly [string, number])[]): void {
  for (const [name, bits] of layout) {
    fields.push({ name, value: int(slice, bits) });
  }
}

/** Pairs of send mode and message, up to four. */
function messages(slice: Slice, fields: Fields): void {
  for (let number = 1; slice.remainingRefs > 0 && slice.remainingBits >= 8; number++) {
    fields.push({ name: `mode_${number}`, value: int(slice, 8) });
    fields.push({ name: `message_${number}`, value: cellOf(slice.loadRef()) });
  }
}

const readers: Record<Kind, (slice: Slice, fields: Fields) => void> = {
  v1: (slice, fields) => {
    signature(slice, fields);
    integers(slice, fields, [['seqno', 32]]);
    messages(slice, fields);
  },
  v2: (slice, fields) => {
    signature(slice, fields);
    integers(slice, fields, [
      ['seqno', 32],
      ['valid_until', 32],
    ]);
    messages(slice, fields);
  },
  v3: (slice, fields) => {
    signature(slice, fields);
    integers(slice, fields, walletHead);
    messages(slice, fields);
  },
  v4: (slice, fields) => {
    signature(slice, fields);
    integers(slice, fields, [...walletHead, ['op', 8]]);
    messages(slice, fields);
  },
  v5: (slice, fields) => {
    integers(slice.skip(32), fields, walletHead);
    if (slice.loadBit()) {
      fields.push({ name: 'actions', value: cellOf(slice.loadRef()) });
    }
    // The signature stands last; in between there may be extended actions.
    const extended = slice.loadBit() ? slice.remainingBits - 512 : 0;
    if (extended > 0) {
      fields.push({
        name: 'extended_actions',
        value: { type: 'bytes', value: slice.loadBits(extended).toString() },
      });
    }
    signature(slice, fields);
  },
  highload2: (slice, fields) => {
    signature(slice, fields);
    integers(slice, fields, [
      ['subwallet_id', 32],
      ['query_id', 64],
    ]);
    if (slice.loadBit()) {
      fields.push({ name: 'payload', value: cellOf(slice.loadRef()) });
    }
  },
  highload3: (slice, fields) => {
    signature(slice, fields);
    const inner = slice.loadRef().beginParse();
    integers(inner, fields, [['subwallet_id', 32]]);
    fields.push({ name: 'message', value: cellOf(inner.loadRef()) });
    integers(inner, fields, [
      ['send_mode', 8],
      ['query_id', 23],
      ['created_at', 64],
      ['timeout', 22],
    ]);
  },
};

const walletHead = [
  ['subwallet_id', 32],
  ['valid_until', 32],
  ['msg_seqno', 32],
] as const;
