import { createRequire } from 'node:module';
import path from 'node:path';
import type { Address, Cell, Contract, ContractProvider, Sender } from '@ton/core';
import type * as TonModule from '@ton/ton';
import { installDexClients } from '../../../scripts/lib/installClients.mjs';

/** The @ton/ton that the SDKs share. */
export type Ton = typeof TonModule;

interface JettonData {
  totalSupply: bigint;
  adminAddress: Address | null;
}
interface StonWallet extends Contract {
  getBalance(provider: ContractProvider): Promise<bigint>;
  getWalletData(provider: ContractProvider): Promise<{
    balance: bigint;
    ownerAddress: Address;
    jettonMasterAddress: Address;
    jettonWalletCode: Cell;
  }>;
}
interface StonPool extends Contract {
  getJettonData(
    provider: ContractProvider,
  ): Promise<JettonData & { canIncSupply: boolean; contentRaw: Cell; jettonWalletCode: Cell }>;
  getWalletAddress(provider: ContractProvider, owner: Address): Promise<Address>;
  getJettonWallet(provider: ContractProvider, options: { ownerAddress: Address }): Promise<StonWallet>;
}
interface StonRouter extends Contract {
  getPool(
    provider: ContractProvider,
    options: { token0: Address | string; token1: Address | string },
  ): Promise<StonPool>;
  getRouterData(
    provider: ContractProvider,
  ): Promise<{ isLocked: boolean; adminAddress: Address; poolCode: Cell }>;
  sendSwapJettonToJetton(provider: ContractProvider, via: Sender, options: object): Promise<void>;
}
/** The part of @ston-fi/sdk that is used here. */
export interface Ston {
  DEX: {
    v1: {
      Router: { create(address: Address): StonRouter };
      Pool: { create(address: Address): StonPool };
    };
  };
}

interface DedustWallet extends Contract {
  getWalletData(
    provider: ContractProvider,
  ): Promise<{ balance: bigint; ownerAddress: Address; minterAddress: Address; walletCode: Cell }>;
  getBalance(provider: ContractProvider): Promise<bigint>;
  sendTransfer(provider: ContractProvider, via: Sender, value: bigint, options: object): Promise<void>;
}
interface DedustRoot extends Contract {
  getJettonData(
    provider: ContractProvider,
  ): Promise<JettonData & { isMintable: boolean; content: Cell; walletCode: Cell }>;
  getWalletAddress(provider: ContractProvider, owner: Address): Promise<Address>;
  getWallet(provider: ContractProvider, owner: Address): Promise<DedustWallet>;
}
interface DedustVault extends Contract {
  getReadinessStatus(provider: ContractProvider): Promise<string>;
}
interface DedustNativeVault extends DedustVault {
  sendSwap(provider: ContractProvider, via: Sender, options: object): Promise<void>;
}
interface DedustFactory extends Contract {
  getNativeVault(provider: ContractProvider): Promise<DedustNativeVault>;
  getJettonVault(provider: ContractProvider, root: Address): Promise<DedustVault>;
}
/** The part of @dedust/sdk that is used here. */
export interface Dedust {
  Factory: { createFromAddress(address: Address): DedustFactory };
  JettonRoot: { createFromAddress(address: Address): DedustRoot };
  VaultNative: { createFromAddress(address: Address): DedustNativeVault };
  VaultJetton: { createSwapPayload(options: { poolAddress: Address; limit?: bigint }): Cell };
  ReadinessStatus: Record<'NOT_DEPLOYED' | 'READY', string>;
}

/**
 * The SDKs with the @ton/ton that they share, as in a project of their users. Whoever calls them uses that one too: an
 * address of one @ton/core is not an address to another.
 */
export async function loadDexClients(): Promise<{ ton: Ton; ston: Ston; dedust: Dedust }> {
  const load = createRequire(path.join(await installDexClients(), 'package.json'));
  return {
    ton: load('@ton/ton') as Ton,
    ston: load('@ston-fi/sdk') as Ston,
    dedust: load('@dedust/sdk') as Dedust,
  };
}
