import { Address } from '@ton/core';
import { readLightCell } from '../../cell/light/readLightCell';
import { BitCursor } from '../../cell/light/bitCursor';
import { readMessage, readOpcode } from '../../cell/light/readMessage';
import { walletTags } from '../../opcodes/walletTags';

/**
 * Wallet v5r1: the bits of a wallet id that do not depend on the network, for workchain 0, version 0, subwallet 0.
 */
const usualContext = 2 ** 31;

/**
 * Why an external message (BoC, base64) finds no account, and what to do: usually the wallet's id, and so its
 * address, differs from the one the user has in mind.
 */
export function noAccount(boc: string, destination: string): string {
  const address = Address.parseRaw(destination).toString({ bounceable: false });
  return `this network has no account ${address}; ${cause(boc)}`;
}

function cause(boc: string): string {
  const { body } = readMessage(readLightCell(Buffer.from(boc, 'base64')));
  if (readOpcode(body) !== walletTags.signedExternal || body.bitLength < 64) {
    return 'send it coins first (control/faucet), or check which wallet version and workchain the address was made with';
  }
  const walletId = new BitCursor(body).skip(32).uint(32);
  const network = (walletId ^ usualContext) | 0;
  const known =
    network === -239 || network === -3 ? `network ${network}, subwallet 0` : 'not one of the usual ones';
  return (
    `its v5r1 wallet id is ${walletId} (${known}): send it coins first (control/faucet), ` +
    'or use the mnemonic of a wallet in control/accounts, with its version'
  );
}
