import { createHash, createPublicKey, verify } from 'node:crypto';
import { Address, beginCell, Cell, contractAddress, loadStateInit } from '@ton/core';

/*
 * Written from TON Connect's specification alone, with Node's own Ed25519: it shares nothing with the wallet.
 */

/** The key of an Ed25519 signature, from its 32 bytes. */
function keyOf(hex: string): ReturnType<typeof createPublicKey> {
  const prefix = Buffer.from('302a300506032b6570032100', 'hex');
  return createPublicKey({
    key: Buffer.concat([prefix, Buffer.from(hex, 'hex')]),
    format: 'der',
    type: 'spki',
  });
}

const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();

function number(bytes: number, order: 'BE' | 'LE', value: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  if (bytes === 8) {
    buffer[order === 'BE' ? 'writeBigUInt64BE' : 'writeBigUInt64LE'](BigInt(value));
  } else {
    buffer[order === 'BE' ? 'writeUInt32BE' : 'writeUInt32LE'](value >>> 0);
  }
  return buffer;
}

/** The account in the `ton_addr` item. */
export interface ProvenAccount {
  address: string;
  publicKey?: string;
  walletStateInit: string;
}

/** Whether the account's state init leads to its address and holds its key, as a backend checks. */
export function ownsAddress({ address, publicKey = '', walletStateInit }: ProvenAccount): boolean {
  const init = loadStateInit(Cell.fromBase64(walletStateInit).beginParse());
  const data = init.data?.toBoc().toString('hex') ?? '';
  return (
    contractAddress(0, init).equals(Address.parse(address)) &&
    (data.includes(publicKey) || holdsKey(init.data, publicKey))
  );
}

function holdsKey(data: Cell | null | undefined, publicKey: string): boolean {
  const bits = data?.bits.toString() ?? '';
  const all = [...Array(data?.bits.length ?? 0).keys()]
    .map((at) => (data?.bits.at(at) === true ? '1' : '0'))
    .join('');
  const key = [...Buffer.from(publicKey, 'hex')].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return bits.length > 0 && all.includes(key);
}

export interface Proof {
  timestamp: number;
  domain: { lengthBytes: number; value: string };
  payload: string;
  signature: string;
}

export function verifiesProof({ address, publicKey = '' }: ProvenAccount, proof: Proof): boolean {
  const { workChain, hash } = Address.parse(address);
  const message = Buffer.concat([
    Buffer.from('ton-proof-item-v2/'),
    number(4, 'BE', workChain),
    hash,
    number(4, 'LE', proof.domain.lengthBytes),
    Buffer.from(proof.domain.value),
    number(8, 'LE', proof.timestamp),
    Buffer.from(proof.payload),
  ]);
  const signed = sha256(
    Buffer.concat([Buffer.from('ffff', 'hex'), Buffer.from('ton-connect'), sha256(message)]),
  );
  return (
    Buffer.byteLength(proof.domain.value) === proof.domain.lengthBytes &&
    verify(null, signed, keyOf(publicKey), Buffer.from(proof.signature, 'base64'))
  );
}

export interface SignedPayload {
  signature: string;
  address: string;
  timestamp: number;
  domain: string;
  payload: { type: string; text?: string; bytes?: string; cell?: string; schema?: string };
}

export function verifiesSignedData(publicKey: string, signed: SignedPayload): boolean {
  const { payload, domain, timestamp } = signed;
  const address = Address.parse(signed.address);
  let digest: Buffer;
  if (payload.type === 'cell') {
    const labels = domain
      .split('.')
      .reverse()
      .map((label) => `${label}\0`)
      .join('');
    digest = beginCell()
      .storeUint(0x75569022, 32)
      .storeUint(crc32(payload.schema ?? ''), 32)
      .storeUint(timestamp, 64)
      .storeAddress(address)
      .storeRef(beginCell().storeStringTail(labels).endCell())
      .storeRef(Cell.fromBase64(payload.cell ?? ''))
      .endCell()
      .hash();
  } else {
    const content =
      payload.type === 'text' ? Buffer.from(payload.text ?? '') : Buffer.from(payload.bytes ?? '', 'base64');
    digest = sha256(
      Buffer.concat([
        Buffer.from('ffff', 'hex'),
        Buffer.from('ton-connect/sign-data/'),
        number(4, 'BE', address.workChain),
        address.hash,
        number(4, 'BE', Buffer.byteLength(domain)),
        Buffer.from(domain),
        number(8, 'BE', timestamp),
        Buffer.from(payload.type === 'text' ? 'txt' : 'bin'),
        number(4, 'BE', content.length),
        content,
      ]),
    );
  }
  return verify(null, digest, keyOf(publicKey), Buffer.from(signed.signature, 'base64'));
}

/** Bit by bit, as in the standard (polynomial 0x04c11db7, reflected). */
function crc32(text: string): number {
  let sum = 0xffffffff;
  for (const byte of Buffer.from(text)) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) {
      sum = (sum >>> 1) ^ ((sum & 1) === 1 ? 0xedb88320 : 0);
    }
  }
  return (sum ^ 0xffffffff) >>> 0;
}
