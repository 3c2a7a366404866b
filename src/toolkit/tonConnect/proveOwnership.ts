import { createHash } from 'node:crypto';
import { Address } from '@ton/core';
import type { LocalAccount } from '../localnet/accounts/localAccount';
import { signEd25519 } from '../signEd25519';
import { uint32, uint64 } from './wireNumbers';

/** The answer to `ton_proof`. */
export interface OwnershipProof {
  /** Unix seconds. */
  timestamp: number;
  domain: { lengthBytes: number; value: string };
  /** Base64. */
  signature: string;
  payload: string;
}

/** Signs `ton_proof`: that the owner of the account is at this domain, now. */
export function proveOwnership(
  payload: string,
  wallet: Pick<LocalAccount, 'address' | 'secretKey'>,
  domain: string,
  timestamp: number,
): OwnershipProof {
  const { workChain, hash } = Address.parseRaw(wallet.address);
  const name = Buffer.from(domain);
  const message = Buffer.concat([
    Buffer.from('ton-proof-item-v2/'),
    uint32(workChain, 'big'),
    hash,
    uint32(name.length, 'little'),
    name,
    uint64(timestamp, 'little'),
    Buffer.from(payload),
  ]);
  const signed = sha256(
    Buffer.concat([Buffer.from([0xff, 0xff]), Buffer.from('ton-connect'), sha256(message)]),
  );
  return {
    timestamp,
    domain: { lengthBytes: name.length, value: domain },
    signature: signEd25519(signed, Buffer.from(wallet.secretKey, 'hex')).toString('base64'),
    payload,
  };
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}
