import { beginCell, storeStateInit } from '@ton/core';
import { WalletContractV4, WalletContractV5R1 } from '@ton/ton';
import { mostOrders } from '../compose/signOrders';
import type { LocalAccount } from '../localnet/accounts/localAccount';
import type { ConnectRequest } from './connectLink';
import { proveOwnership } from './proveOwnership';
import { protocolCodes } from './protocol';

/** How the wallet calls itself in the protocol. */
export const walletAppName = 'ton-workbench';

/** The wallet's program, as dApps are told. */
export interface DeviceInfo {
  platform: 'windows' | 'mac' | 'linux';
  appName: string;
  appVersion: string;
  maxProtocolVersion: number;
  features: readonly unknown[];
}

/** What the wallet can do, for dApps that choose wallets by it. */
export function walletFeatures(kind: LocalAccount['kind']): readonly unknown[] {
  return [
    'SendTransaction',
    { name: 'SendTransaction', maxMessages: mostOrders[kind] },
    { name: 'SignData', types: ['text', 'binary', 'cell'] },
  ];
}

export function deviceInfo(
  kind: LocalAccount['kind'],
  version: string,
  platform: NodeJS.Platform = process.platform,
): DeviceInfo {
  return {
    platform: platform === 'win32' ? 'windows' : platform === 'darwin' ? 'mac' : 'linux',
    appName: walletAppName,
    appVersion: version,
    maxProtocolVersion: 2,
    features: walletFeatures(kind),
  };
}

/** The items of an approved connection. An item that is not known is answered with an error of its own. */
export function connectItems(
  { items }: ConnectRequest,
  wallet: LocalAccount,
  { chain, domain, timestamp }: { chain: string; domain: string; timestamp: number },
): object[] {
  return items.map((item) => {
    if (item.name === 'ton_addr') {
      return addressItem(wallet, chain);
    }
    if (item.name === 'ton_proof' && typeof item.payload === 'string') {
      return { name: 'ton_proof', proof: proveOwnership(item.payload, wallet, domain, timestamp) };
    }
    const error = { code: protocolCodes.notSupported, message: 'This item is not supported.' };
    return { name: item.name, error };
  });
}

/** The account, as `ton_addr` tells it. */
export function addressItem(wallet: LocalAccount, chain: string): object {
  const publicKey = Buffer.from(wallet.publicKey, 'hex');
  const { init } =
    wallet.kind === 'v4r2'
      ? WalletContractV4.create({ workchain: 0, publicKey })
      : WalletContractV5R1.create({ publicKey, walletId: { networkGlobalId: -239 } });
  return {
    ...{ name: 'ton_addr', address: wallet.address, network: chain, publicKey: wallet.publicKey },
    walletStateInit: beginCell().store(storeStateInit(init)).endCell().toBoc().toString('base64'),
  };
}
