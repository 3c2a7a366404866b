import { contractAddress } from '@ton/core';
import { absentShardAccount } from '../../accounts/makeShardAccount';
import { rawAddress } from '../../cell/light/readMessage';
import { hashToBase64 } from '../../address/hash';
import { limits } from '../../limits';
import { accountNames } from '../accounts/accountNames';
import { ApiError } from '../api/apiError';
import { stateSource } from '../api/stateSource';
import type { LocalChain } from '../chain/localChain';
import type { SentMessage } from './controlApi';
import type { ControlCommands } from './controlCommand';
import { freeName, nameContract } from './nameContract';
import { registerDomain } from './registerDomain';
import { faucetAddress } from '../accounts/faucetAddress';
import { sendAs } from './sendAs';
import { setAccount } from './setAccount';
import { numberWidths } from '../../numberWidths';

const absentFacts = { status: 'nonexist', balance: 0n, lastTransactionLt: 0n };

/** Commands about single accounts: reading them, sending to them, and changes that only a local network allows. */
export const accountCommands: Pick<
  ControlCommands,
  | 'accounts'
  | 'contracts'
  | 'account'
  | 'signingState'
  | 'faucet'
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
