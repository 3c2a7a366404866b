import type { ControlCommand } from './controlCommand';
import { contractAddress } from '@ton/core';
import { importNetworkConfig } from '../../emulator/networkConfig';
import { ownValue } from '../../ownValue';
import { ApiError } from '../api/apiError';
import { parseHash } from '../api/parseHash';
import type { BlockMode } from '../records/blockMode';
import type { LocalChain } from '../chain/localChain';
import { tryConfig } from '../chain/tryConfig';
import { rawAddress } from '../../cell/light/readMessage';
import { goodManners } from '../faults/manners';
import { readManners } from './readManners';
import type { ControlParameters } from './controlParameters';
import { freeName, nameContract } from './nameContract';
import { registerDomain } from './registerDomain';
import { faucetAddress, sendAs } from './sendAs';
import { setAccount } from './setAccount';
import { setTime } from './setTime';
import { withParameter } from './withParameter';
import { dumpCommands } from './dumpCommands';
import { failureCommands } from './failureCommands';
import { untilIdle } from './untilIdle';
import { stateSource } from '../api/stateSource';

const absentFacts = { status: 'nonexist', balance: 0n, lastTransactionLt: 0n };

/** The control API, one row per path below /control. Answers are JSON; amounts are nanocoins as texts. */
export const controlCommands: Readonly<Record<string, ControlCommand>> = {
  status: {
    verb: 'GET',
    purpose: 'State of the network. wait? (seconds): answers when it is idle, or after that time.',
    run: async (context, parameters) => {
      await untilIdle(context.chain, (parameters.optionalNumber('wait', 0, 600) ?? 0) * 1_000);
      return context.status();
    },
  },
  accounts: {
    verb: 'GET',
    purpose: 'The named accounts with their keys (worthless by design) and balances.',
    run: async ({ chain }) => {
      const { accounts } = chain.genesis;
      await Promise.all(accounts.map(({ address }) => chain.load(address.toUpperCase())));
      return accounts.map((account) => ({
        ...account,
        balance: (chain.ledger.accounts.get(account.address.toUpperCase())?.facts.balance ?? 0n).toString(),
      }));
    },
  },
  account: {
    verb: 'GET',
    purpose: 'One account: status, balance, and on a fork how well its state is known. address.',
    run: async ({ chain }, parameters) => {
      const address = parameters.address('address');
      await chain.load(address);
      const account = chain.ledger.accounts.get(address);
      const { status, balance, lastTransactionLt } = account?.facts ?? absentFacts;
      return {
        address: address.toLowerCase(),
        status,
        balance: balance.toString(),
        lastTransactionLt: lastTransactionLt.toString(),
        codeHash: account?.versions.at(-1)?.codeHash ?? null,
        transactions: account?.transactions.length ?? 0,
        state: stateSource(chain, address),
      };
    },
  },
  faucet: {
    verb: 'POST',
    purpose: 'Sends coins out of nothing. address, amount.',
    run: async ({ chain }, parameters) => {
      const to = parameters.address('address');
      const message = await sendAs(chain, { from: faucetAddress, to, value: parameters.amount('amount') });
      return traceOf(chain, message);
    },
  },
  sendAs: {
    verb: 'POST',
    purpose: 'Sends an internal message as any contract. from, to, value, body?, code?, data?, bounce?.',
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
    verb: 'POST',
    purpose: 'Deploys a contract. code, data, value?, workchain?, body?, name?; answers its address.',
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
      // After the message: a refused deployment leaves no name behind.
      const name = wish === undefined ? undefined : nameContract(chain, to, wish);
      return { address: to.toLowerCase(), name, ...traceOf(chain, message) };
    },
  },
  name: {
    verb: 'POST',
    purpose: 'Remembers what a contract is called. address, name; answers the name it has.',
    run: ({ chain }, parameters) => ({
      name: nameContract(chain, parameters.address('address'), parameters.text('name')),
    }),
  },
  domain: {
    verb: 'POST',
    purpose: 'Makes a name below .ton point to a wallet. domain, wallet, owner?; answers the item.',
    run: ({ chain, domains }, parameters) => registerDomain(chain, domains, parameters),
  },
  setAccount: {
    verb: 'POST',
    purpose: 'Sets balance, code or data of an account. address, balance?, code?, data?, tick?, tock?.',
    run: async ({ chain }, parameters) => {
      const tick = parameters.optionalFlag('tick');
      const tock = parameters.optionalFlag('tock');
      const address = parameters.address('address');
      await chain.load(address);
      // What could not be executed on the account as it was may go now.
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
  ...failureCommands,
  time: {
    verb: 'POST',
    purpose:
      "Moves the network's clock. seconds? (forward) or at? (Unix seconds, not before the last block); neither: the machine's time. Answers the time.",
    takes: ['seconds', 'at'],
    run: ({ chain }, parameters) => setTime(chain, parameters),
  },
  mine: {
    verb: 'POST',
    purpose: 'Makes blocks now. blocks? (1).',
    takes: ['blocks'],
    run: async ({ chain }, parameters) => {
      const count = parameters.optionalNumber('blocks', 1, 10_000) ?? 1;
      let { seqno } = chain.ledger.last;
      for (let made = 0; made < count; made += 1) {
        ({ seqno } = await chain.mine());
      }
      return { seqno };
    },
  },
  mode: {
    verb: 'POST',
    purpose: 'When blocks are made. mode: automatic, interval or manual; milliseconds?.',
    run: ({ chain }, parameters) => {
      chain.mode = readMode(parameters);
      return chain.mode;
    },
  },
  snapshot: {
    verb: 'POST',
    purpose: 'Remembers the present state under a name. name.',
    run: ({ chain }, parameters) => {
      const { seqno } = chain.ledger.last;
      chain.configure({ snapshots: { ...chain.settings.snapshots, [parameters.text('name')]: seqno } });
      return { seqno };
    },
  },
  snapshots: { verb: 'GET', purpose: 'Names and seqnos.', run: ({ chain }) => chain.settings.snapshots },
  restore: {
    verb: 'POST',
    purpose: 'Goes back to a snapshot (name), to a block (seqno) or to before a trace (trace).',
    run: async ({ chain }, parameters) => {
      await chain.restore(restorePoint(chain, parameters));
      return { seqno: chain.ledger.last.seqno };
    },
  },
  reset: {
    verb: 'POST',
    purpose: 'Begins anew.',
    run: async ({ chain }) => {
      await chain.reset();
      return { seqno: chain.ledger.last.seqno };
    },
  },
  ...dumpCommands,
  manners: {
    verb: 'POST',
    purpose:
      'Misbehaves on purpose: keys?, requestsPerSecond?, rateLimitBody?, latency?, failureShare?, failures?. Without any: behaves again.',
    takes: ['keys', 'requestsPerSecond', 'rateLimitBody', 'latency', 'failureShare', 'failures'],
    run: (context, { values }) => {
      context.manners = Object.keys(values).length === 0 ? goodManners : readManners(values);
      return context.manners;
    },
  },
  requests: {
    verb: 'GET',
    purpose: 'The last requests to the APIs. after? (an id).',
    run: ({ requests }, parameters) => requests.after(parameters.optionalNumber('after', 0, 2 ** 53) ?? 0),
  },
  replay: {
    verb: 'POST',
    purpose: 'Makes a recorded request again. id.',
    run: (context, parameters) => {
      const recorded = context.requests.get(parameters.optionalNumber('id', 1, 2 ** 53) ?? 0);
      if (recorded === undefined) {
        throw new ApiError(422, 'there is no such request any more');
      }
      if (recorded.isCut === true) {
        throw new ApiError(
          422,
          'only the beginning of this request was kept: make it again where it came from',
        );
      }
      return context.replay(recorded);
    },
  },
  config: {
    verb: 'POST',
    purpose:
      'Takes over the configuration of a real network: boc (as getConfigAll gives it), origin?. Or sets one parameter: param, value (a BoC). Tried on the engine first.',
    run: async ({ chain }, parameters) => {
      const changed = withParameter(chain.config, parameters);
      const boc = (changed?.root ?? parameters.cell('boc')).toBoc().toString('base64');
      const origin =
        parameters.optionalText('origin') ??
        changed?.origin ??
        `imported ${new Date(chain.now() * 1000).toISOString()}`;
      try {
        await tryConfig(chain.emulator, importNetworkConfig(boc, origin));
      } catch (error) {
        const what = changed === undefined ? 'boc is no configuration' : 'value is none for param';
        throw new ApiError(422, `${what}: ${error instanceof Error ? error.message : String(error)}`);
      }
      chain.configure({ config: { boc, origin } });
      // The configuration contract has it from the next block on.
      await chain.mine();
      return { origin, version: chain.config.version, globalId: chain.config.globalId };
    },
  },
  library: {
    verb: 'POST',
    purpose: 'Adds a library for contracts and get-methods. boc; answers its hash.',
    run: ({ chain }, parameters) => {
      const cell = parameters.cell('boc');
      const boc = cell.toBoc().toString('base64');
      chain.configure({ libraries: [...new Set([...chain.settings.libraries, boc])] });
      return { hash: cell.hash().toString('hex') };
    },
  },
};

/** Hashes are lower-case hex. */
interface SentMessage {
  message: string;
  /** Null while it has no transaction. */
  trace: string | null;
  /** Why the emulator could not execute it. */
  failed?: string;
}

/** In automatic mode the block was made at once, so that the answer can name the trace. */
function traceOf(chain: LocalChain, message: string): SentMessage {
  const trace = chain.ledger.messages(message)[0]?.consumer?.trace.transactions[0]?.hash;
  const hex = (hash: string): string => Buffer.from(hash, 'base64').toString('hex');
  const failed = chain.ledger.failed.get(message)?.error;
  return {
    message: hex(message),
    trace: trace === undefined ? null : hex(trace),
    ...(failed === undefined ? {} : { failed }),
  };
}

function readMode(parameters: ControlParameters): BlockMode {
  const kind = parameters.text('mode');
  switch (kind) {
    case 'automatic':
      return { kind, delay: parameters.optionalNumber('milliseconds', 0, 3_600_000) ?? 20 };
    case 'interval':
      return { kind, every: parameters.optionalNumber('milliseconds', 10, 3_600_000) ?? 5_000 };
    case 'manual':
      return { kind };
    default:
      throw new ApiError(422, 'mode is none of automatic, interval, manual');
  }
}

function restorePoint({ ledger, settings }: LocalChain, parameters: ControlParameters): number {
  const name = parameters.optionalText('name');
  const trace = parameters.optionalText('trace');
  const seqno =
    name !== undefined
      ? ownValue(settings.snapshots, name)
      : trace !== undefined
        ? beforeTrace(ledger.transaction(parseHash(trace, true) ?? '')?.trace.transactions[0]?.block.seqno)
        : parameters.optionalNumber('seqno', ledger.firstSeqno, ledger.last.seqno);
  if (seqno === undefined || !(seqno >= ledger.firstSeqno && seqno <= ledger.last.seqno)) {
    throw new ApiError(422, 'there is no such snapshot, block or trace');
  }
  return Math.floor(seqno);
}

function beforeTrace(seqno: number | undefined): number | undefined {
  return seqno === undefined ? undefined : seqno - 1;
}

function readCurrencies(value: unknown): Map<number, bigint> | undefined {
  if (value === undefined || value === null) {
    return undefined;
  }
  const entries = Object.entries(value);
  if (!entries.every(([id, amount]) => /^\d{1,10}$/.test(id) && /^\d{1,39}$/.test(String(amount)))) {
    throw new ApiError(422, 'extraCurrencies is no object of ids and amounts');
  }
  return new Map(entries.map(([id, amount]) => [Number(id), BigInt(String(amount))]));
}
