import type { Account, AccountStorage, StateInit } from '@ton/core';
import {
  Address,
  Cell,
  Dictionary,
  beginCell,
  contractAddress,
  loadShardAccount,
  storeShardAccount,
} from '@ton/core';
import { createHash } from 'node:crypto';
import { absentShardAccount, storageUsed } from '../../accounts/makeShardAccount';
import { hashToBase64 } from '../../address/hash';
import { rawAddress } from '../../cell/light/readMessage';
import { loadFolded } from '../../cell/loadFolded';
import { absentAccount } from '../../execution/emulator/emulator';
import { limits } from '../../base/limits';
import { numberWidths } from '../../base/numberWidths';
import { accountNames, faucetAddress } from '../../accounts/localAccount';
import { ApiError, stateSource } from '../api/apiError';
import type { LocalChain } from '../chain/localChain';
import type { LocalDomains } from '../dns/localDomains';
import type { BlockRecord } from '../records/records';
import { nameKey } from '../system/systemAccounts';
import { systemCodes } from '../system/systemCodes';
import type { SentMessage } from './controlApi';
import type { ControlCommands, ControlParametersOf } from './controlParameters';
import { findJetton } from './findJetton';
import { giveJetton, readJettonAmount } from './giveJetton';
import { freeName, nameContract } from './nameContract';
import { sendAs } from './sendAs';

const absentFacts = { status: 'nonexist', balance: 0n, lastTransactionLt: 0n };

/** Commands about single accounts: reading them, sending to them, and changes that only a local network allows. */
export const accountCommands: Pick<
  ControlCommands,
  | 'accounts'
  | 'contracts'
  | 'account'
  | 'signingState'
  | 'faucet'
  | 'faucetJetton'
  | 'sendAs'
  | 'deploy'
  | 'name'
  | 'domain'
  | 'setAccount'
> = {
  accounts: {
    run: async ({ chain }) => {
      const { accounts } = chain.genesis;
      await Promise.all(accounts.map(({ address }) => chain.load(address)));
      return accounts.map((account) => ({
        ...account,
        balance: (chain.ledger.accounts.get(account.address)?.facts.balance ?? 0n).toString(),
      }));
    },
  },
  contracts: {
    run: ({ chain }) => {
      const wallets = new Set(accountNames(chain.genesis.accounts).values());
      const found = [...chain.ledger.accounts].flatMap(([address, { versions, transactions }]) => {
        const codeHash = versions.at(-1)?.codeHash ?? null;
        // On a fork, accounts without transactions of their own were only read.
        return codeHash === null || transactions.length === 0 || wallets.has(address)
          ? []
          : [{ address, codeHash }];
      });
      return Promise.resolve(found.slice(-limits.listedContracts.most));
    },
  },
  account: {
    run: async ({ chain }, parameters) => {
      const address = parameters.address('address');
      await chain.load(address);
      const account = chain.ledger.accounts.get(address);
      const { status, balance, lastTransactionLt } = account?.facts ?? absentFacts;
      const codeHash = account?.versions.at(-1)?.codeHash ?? null;
      return {
        address,
        status,
        balance: balance.toString(),
        lastTransactionLt: lastTransactionLt.toString(),
        codeHash: codeHash === null ? null : hashToBase64(codeHash),
        transactions: account?.transactions.length ?? 0,
        state: stateSource(chain, address),
      };
    },
  },
  signingState: {
    run: async ({ chain }, parameters) => {
      const address = parameters.address('address');
      await chain.load(address);
      const account = chain.ledger.accounts.get(address)?.current ?? absentShardAccount();
      return { account, ahead: chain.ahead, idle: chain.isIdle };
    },
  },
  faucet: {
    run: async ({ chain }, parameters) => {
      const to = parameters.address('address');
      const message = await sendAs(chain, { from: faucetAddress, to, value: parameters.amount('amount') });
      return traceOf(chain, message);
    },
  },
  faucetJetton: {
    run: async ({ chain, tokens }, parameters) => {
      const owner = parameters.address('address');
      const jetton = await findJetton(chain, tokens, parameters.text('jetton'));
      const isUnits = parameters.optionalFlag('units') ?? false;
      const amount = readJettonAmount(parameters.text('amount'), isUnits, jetton);
      const { message, wallet, form, rose, balance } = await giveJetton(chain, jetton, owner, amount);
      return {
        ...{ jetton: jetton.jetton, symbol: jetton.symbol, decimals: jetton.decimals },
        ...{ owner, wallet, form },
        asked: amount.toString(),
        rose: rose?.toString() ?? null,
        balance: balance?.toString() ?? null,
        ...traceOf(chain, message),
      };
    },
  },
  sendAs: {
    run: async ({ chain }, parameters) => {
      const code = parameters.optionalCell('code');
      const data = parameters.optionalCell('data');
      const init =
        code === undefined && data === undefined ? undefined : { code: code ?? null, data: data ?? null };
      const message = await sendAs(chain, {
        from: parameters.address('from'),
        to: parameters.address('to'),
        value: parameters.optionalAmount('value') ?? 0n,
        body: parameters.optionalCell('body'),
        init,
        bounce: parameters.optionalFlag('bounce') ?? true,
      });
      return traceOf(chain, message);
    },
  },
  deploy: {
    run: async ({ chain }, parameters) => {
      const init = { code: parameters.cell('code'), data: parameters.cell('data') };
      const address = contractAddress(parameters.optionalNumber('workchain', -1, 0) ?? 0, init);
      const to = rawAddress(address.workChain, address.hash);
      const value = parameters.optionalAmount('value') ?? 1_000_000_000n;
      const wish = parameters.optionalText('name');
      if (wish !== undefined) {
        freeName(chain, to, wish);
      }
      const message = await sendAs(chain, {
        from: faucetAddress,
        to,
        value,
        init,
        body: parameters.optionalCell('body'),
      });
      // After the message: a rejected deployment leaves no name behind.
      const name = wish === undefined ? undefined : nameContract(chain, to, wish);
      return { address: to, name, ...traceOf(chain, message) };
    },
  },
  name: {
    run: ({ chain }, parameters) => ({
      name: nameContract(chain, parameters.address('address'), parameters.text('name')),
    }),
  },
  domain: {
    run: ({ chain, domains }, parameters) => registerDomain(chain, domains, parameters),
  },
  setAccount: {
    run: async ({ chain }, parameters) => {
      const tick = parameters.optionalFlag('tick');
      const tock = parameters.optionalFlag('tock');
      const address = parameters.address('address');
      await chain.load(address);
      // Messages that failed on the old account may now succeed.
      chain.retry({ destination: address });
      const { seqno } = await setAccount(chain, {
        address,
        balance: parameters.optionalAmount('balance'),
        extraCurrencies: readCurrencies(parameters.values.extraCurrencies),
        code: parameters.optionalCell('code'),
        data: parameters.optionalCell('data'),
        tickTock:
          tick === undefined && tock === undefined ? undefined : { tick: tick ?? false, tock: tock ?? false },
      });
      return { seqno };
    },
  },
};

/** In automatic mode the block was made at once, so the answer can name the trace. */
function traceOf(chain: LocalChain, message: string): SentMessage {
  const trace = chain.ledger.messages(message)[0]?.consumer?.trace.transactions[0]?.hash;
  const failed = chain.ledger.failed.get(message)?.error;
  return {
    message,
    trace: trace ?? null,
    ...(failed === undefined ? {} : { failed }),
  };
}

function readCurrencies(value: unknown): Map<number, bigint> | undefined {
  if (value === undefined || value === null) {
    return undefined;
  }
  const entries = Object.entries(value);
  if (!entries.every(([id, amount]) => /^\d{1,10}$/.test(id) && /^\d{1,80}$/.test(String(amount)))) {
    throw new ApiError(422, 'extraCurrencies is not an object of ids and amounts');
  }
  const wide = entries.find(
    ([id, amount]) =>
      Number(id) > numberWidths.extraCurrencyId || BigInt(String(amount)) > numberWidths.extraCurrency,
  );
  if (wide !== undefined) {
    throw new ApiError(422, `extraCurrencies.${wide[0]} does not fit: ids have 32 bits, and amounts 248`);
  }
  return new Map(entries.map(([id, amount]) => [Number(id), BigInt(String(amount))]));
}

interface AccountEdit {
  /** Raw, in lowercase. */
  address: string;
  /** Nanocoins. */
  balance?: bigint | undefined;
  /** Amounts by currency id; replaces all. */
  extraCurrencies?: ReadonlyMap<number, bigint> | undefined;
  code?: Cell | undefined;
  data?: Cell | undefined;
  /** For masterchain accounts: called at the start and end of every block. */
  tickTock?: { tick: boolean; tock: boolean } | undefined;
}

/** Makes a block that sets an account's balance, code, or data; omitted values are unchanged. */
export function setAccount(chain: LocalChain, edit: AccountEdit): Promise<BlockRecord> {
  const current = chain.ledger.accounts.get(edit.address)?.current ?? absentAccount;
  const before = loadFolded(Cell.fromBase64(current), loadShardAccount);
  const storage = before.account?.storage;
  const state = storage?.state.type === 'active' ? storage.state.state : {};
  const init: StateInit = {
    ...state,
    ...(edit.code === undefined ? {} : { code: edit.code }),
    ...(edit.data === undefined ? {} : { data: edit.data }),
    ...(edit.tickTock === undefined ? {} : { special: edit.tickTock }),
  };
  const isActive = init.code != null || storage?.state.type === 'active';
  const other =
    edit.extraCurrencies === undefined ? storage?.balance.other : currencies(edit.extraCurrencies);
  const after: AccountStorage = {
    lastTransLt: storage?.lastTransLt ?? 0n,
    balance: { coins: edit.balance ?? storage?.balance.coins ?? 0n, ...(other == null ? {} : { other }) },
    state: isActive ? { type: 'active', state: init } : (storage?.state ?? { type: 'uninit' }),
  };
  const account: Account = {
    addr: Address.parseRaw(edit.address),
    storageStats: {
      used: storageUsed(after),
      // A hash of the cells before the edit would be wrong; the next transaction sets the new one.
      storageExtra: null,
      lastPaid: before.account?.storageStats.lastPaid ?? chain.now(),
      duePayment: before.account?.storageStats.duePayment ?? null,
    },
    storage: after,
  };
  const shardAccount = beginCell()
    .store(storeShardAccount({ ...before, account }))
    .endCell();
  return chain.changeNow({ address: edit.address, shardAccount: shardAccount.toBoc() });
}

function currencies(amounts: ReadonlyMap<number, bigint>): Dictionary<number, bigint> {
  const result = Dictionary.empty(Dictionary.Keys.Uint(32), Dictionary.Values.BigVarUint(5));
  for (const [id, amount] of amounts) {
    result.set(id, amount);
  }
  return result;
}

const deployment = 100_000_000n;

/** A label accepted by the `.ton` registry; a local network has no reason to be stricter. */
const form = /^[a-z0-9](?:[a-z0-9-]{0,124}[a-z0-9])?$/;

/**
 * Deploys a domain item with a wallet record, and waits until the `.ton` resolver has the name.
 * @returns the full name and the item's address (raw, lowercase hex)
 */
async function registerDomain(
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
