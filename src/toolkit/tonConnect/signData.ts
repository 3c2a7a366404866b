import { Address, beginCell } from '@ton/core';
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import * as z from 'zod';
import type { LocalAccount } from '../accounts/localAccount';
import { walletTags } from '../contracts/opcodes/walletCodes';
import { signEd25519 } from '../base/signEd25519';
import type { RequestBounds } from './checkTransaction';
import { checkTarget } from './checkTransaction';
import { readCell } from './checkMessage';
import { refuseRequest, uint32, uint64 } from './protocol';

const base = { network: z.string().max(20).optional(), from: z.string().max(200).optional() };
const payload = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string(), ...base }),
  z.strictObject({ type: z.literal('binary'), bytes: z.string(), ...base }),
  z.strictObject({ type: z.literal('cell'), schema: z.string(), cell: z.string(), ...base }),
]);

/** What a dApp wants signed. */
export type SignDataPayload = z.infer<typeof payload>;

/** The answer to `signData`. */
export interface SignedData {
  /** Base64. */
  signature: string;
  /** Raw, lowercase hex. */
  address: string;
  /** Unix seconds. */
  timestamp: number;
  domain: string;
  payload: SignDataPayload;
}

/**
 * Checks the parameter of `signData` as a wallet must.
 * @throws RefusedRequest
 */
export function readSignData(value: unknown, bounds: RequestBounds): SignDataPayload {
  const read = payload.safeParse(value);
  if (!read.success) {
    return refuseRequest('the payload is not a text, bytes, or a cell with its schema');
  }
  const { data } = read;
  checkTarget(data, bounds);
  if (data.type === 'cell') {
    readCell(data.cell, 'cell');
  } else if (data.type === 'binary' && !/^[A-Za-z0-9+/]*={0,2}$/.test(data.bytes)) {
    return refuseRequest('bytes are not base64');
  }
  return data;
}

/** Signs as the protocol says: text and bytes as one string of bytes, a cell as a cell. */
export function signData(
  data: SignDataPayload,
  wallet: Pick<LocalAccount, 'address' | 'secretKey'>,
  domain: string,
  timestamp: number,
): SignedData {
  const address = Address.parseRaw(wallet.address);
  const signed =
    data.type === 'cell'
      ? beginCell()
          .storeUint(walletTags.signedData, 32)
          .storeUint(crc32(data.schema), 32)
          .storeUint(timestamp, 64)
          .storeAddress(address)
          .storeStringRefTail(dnsForm(domain))
          .storeRef(readCell(data.cell, 'cell'))
          .endCell()
          .hash()
      : createHash('sha256')
          .update(bytesToSign(data, address, domain, timestamp))
          .digest();
  return {
    signature: signEd25519(signed, Buffer.from(wallet.secretKey, 'hex')).toString('base64'),
    ...{ address: wallet.address, timestamp, domain, payload: data },
  };
}

function bytesToSign(
  data: Exclude<SignDataPayload, { type: 'cell' }>,
  { workChain, hash }: Address,
  domain: string,
  timestamp: number,
): Buffer {
  const name = Buffer.from(domain);
  const content = data.type === 'text' ? Buffer.from(data.text) : Buffer.from(data.bytes, 'base64');
  return Buffer.concat([
    Buffer.from([0xff, 0xff]),
    Buffer.from('ton-connect/sign-data/'),
    uint32(workChain, 'big'),
    hash,
    uint32(name.length, 'big'),
    name,
    uint64(timestamp, 'big'),
    Buffer.from(data.type === 'text' ? 'txt' : 'bin'),
    uint32(content.length, 'big'),
    content,
  ]);
}

/** A domain as in TEP-81: `app.example` is `example\0app\0`. */
function dnsForm(domain: string): string {
  return `${domain.split('.').reverse().join('\0')}\0`;
}
