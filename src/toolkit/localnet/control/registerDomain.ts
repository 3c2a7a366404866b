import { createHash } from 'node:crypto';
import type { Cell } from '@ton/core';
import { Address, beginCell, contractAddress, Dictionary } from '@ton/core';
import { ApiError } from '../api/apiError';
import type { LocalChain } from '../chain/localChain';
import { rawAddress } from '../../cell/light/readMessage';
import type { LocalDomains } from '../dns/localDomains';
import { nameKey } from '../system/systemAccounts';
import { systemCodes } from '../system/systemCodes';
import type { ControlParametersOf } from './controlCommand';
import { faucetAddress } from '../accounts/faucetAddress';
import { sendAs } from './sendAs';

const deployment = 100_000_000n;

/** A label accepted by the `.ton` registry; a local network has no reason to be stricter. */
const form = /^[a-z0-9](?:[a-z0-9-]{0,124}[a-z0-9])?$/;

/**
 * Deploys a domain item with a wallet record, and waits until the `.ton` resolver has the name.
 * @returns the full name and the item's address (raw, lowercase hex)
 */
export async function registerDomain(
  chain: LocalChain,
  domains: LocalDomains,
  parameters: ControlParametersOf<'domain'>,
): Promise<{ domain: string; address: string }> {
  const name = parameters
    .text('domain')
    .toLowerCase()
    .replace(/\.ton$/, '');
  if (!form.test(name)) {
    throw new ApiError(422, 'domain is not a name of letters, digits, and hyphens below .ton');
  }
  if (chain.fork !== undefined) {
    throw new ApiError(422, 'a fork has the domains of its network');
  }
  await domains.settled();
  if (domains.resolverOf(name) !== undefined) {
    throw new ApiError(422, `${name}.ton is taken`);
  }
  const wallet = parameters.address('wallet');
  const owner = parameters.optionalAddress('owner') ?? wallet;
  const init = { code: systemCodes.domainItem, data: itemData(name, wallet, owner) };
  const { workChain, hash } = contractAddress(0, init);
  const to = rawAddress(workChain, hash);
  await sendAs(chain, { from: faucetAddress, to, value: deployment, init });
  if (chain.mode.kind === 'manual') {
    await chain.mine();
  }
  await domains.settled();
  await chain.mine();
  return { domain: `${name}.ton`, address: to };
}

/** The layout used by contracts/domainItem.tolk. */
function itemData(name: string, wallet: string, owner: string): Cell {
  const records = Dictionary.empty(Dictionary.Keys.BigUint(256), Dictionary.Values.Cell());
  records.set(keyOf('wallet'), walletRecord(wallet));
  const attributes = Dictionary.empty(Dictionary.Keys.BigUint(256), Dictionary.Values.Cell());
  attributes.set(keyOf('name'), beginCell().storeUint(0, 8).storeStringTail(`${name}.ton`).endCell());
  const content = beginCell().storeUint(0, 8).storeDict(attributes).endCell();
  return beginCell()
    .storeAddress(Address.parseRaw(owner))
    .storeUint(nameKey(name), 256)
    .storeRef(beginCell().storeBuffer(Buffer.from(name)).endCell())
    .storeDict(records)
    .storeRef(content)
    .endCell();
}

/** `dns_smc_address` of block.tlb, without capabilities. */
function walletRecord(wallet: string): Cell {
  return beginCell().storeUint(0x9fd3, 16).storeAddress(Address.parseRaw(wallet)).storeUint(0, 8).endCell();
}

function keyOf(text: string): bigint {
  return BigInt(`0x${createHash('sha256').update(text).digest('hex')}`);
}
