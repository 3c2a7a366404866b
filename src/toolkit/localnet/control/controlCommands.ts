import { importNetworkConfig, writeParameters } from '../../execution/emulator/networkConfig';
import { ownValue } from '../../base/collections';
import { limits } from '../../base/limits';
import type { Clock } from '../../base/time';
import { systemClock } from '../../base/time';
import { ApiError, parseHash } from '../api/apiError';
import { configWords } from '../chain/configWords';
import type { LocalChain } from '../chain/localChain';
import { tryConfig } from '../chain/tryConfig';
import { readDump } from '../dump/readDump';
import { dumpOfForkError, writeDump } from '../dump/writeDump';
import type { Faults } from '../faults/faults';
import { noFaults } from '../faults/faults';
import type { BlockMode } from '../records/blockInput';
import { accountCommands } from './accountCommands';
import type { RestorePreview } from './controlApi';
import type { ControlCommands, ControlParameters, ControlParametersOf } from './controlParameters';
import { networkTime, setTime } from './controlParameters';
import { forgetUndone } from './nameContract';

/** Commands about blocks: when they are made, at what time, and rollback. */
const blockCommands: Pick<
  ControlCommands,
  | 'time'
  | 'mine'
  | 'mode'
  | 'snapshot'
  | 'snapshots'
  | 'restore'
  | 'restorePreview'
  | 'undoRestore'
  | 'reset'
  | 'dropPending'
  | 'finality'
  | 'invalidate'
> = {
  time: {
    run: ({ chain }, parameters) => setTime(chain, parameters),
  },
  mine: {
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
    run: ({ chain }, parameters) => {
      chain.mode = readMode(parameters);
      return chain.mode;
    },
  },
  snapshot: {
    run: ({ chain }, parameters) => {
      const { seqno } = chain.ledger.last;
      chain.configure({ snapshots: { ...chain.settings.snapshots, [parameters.text('name')]: seqno } });
      return { seqno };
    },
  },
  finality: {
    run: ({ streams }, parameters) => {
      const hold = parameters.optionalFlag('hold');
      if (hold !== undefined) {
        streams.hold(hold);
      }
      return streams.held;
    },
  },
  invalidate: {
    run: async ({ chain, streams }, parameters) => {
      const { ledger } = chain;
      const hash = parseHash(parameters.text('trace'), true);
      if (hash === null) {
        throw new ApiError(422, 'trace is not a hash');
      }
      const trace = await streams.invalidate(hash);
      forgetUndone(chain, ledger);
      return { trace };
    },
  },
  snapshots: { run: ({ chain }) => chain.settings.snapshots },
  restore: {
    run: async ({ chain }, parameters) => {
      const { ledger } = chain;
      const keep = parameters.optionalFlag('keep') ?? false;
      const undo = await chain.restore(restorePoint(chain, parameters), { keep });
      forgetUndone(chain, ledger);
      return { seqno: chain.ledger.last.seqno, ...(undo === undefined ? {} : { undo }) };
    },
  },
  restorePreview: { run: ({ chain }, parameters) => restorePreview(chain, restorePoint(chain, parameters)) },
  undoRestore: {
    run: async ({ chain }, parameters) => {
      const undone = chain.undone.find(parameters.optionalNumber('undo', 1, Number.MAX_SAFE_INTEGER) ?? 0);
      if (undone === undefined) {
        throw new ApiError(
          422,
          'this can no longer be undone: it was undone already, or the network has gone back further, was reset, or was stopped',
        );
      }
      await chain.undoRestore(undone);
      return { seqno: chain.ledger.last.seqno };
    },
  },
  reset: {
    run: async ({ chain }) => {
      await chain.reset();
      return { seqno: chain.ledger.last.seqno };
    },
  },
  dropPending: { run: async ({ chain }) => ({ dropped: await chain.dropPending() }) },
};

function readMode(parameters: ControlParametersOf<'mode'>): BlockMode {
  const kind = parameters.text('mode');
  switch (kind) {
    case 'automatic':
      return { kind, delay: parameters.optionalNumber('milliseconds', 0, 3_600_000) ?? 20 };
    case 'interval':
      return { kind, every: parameters.optionalNumber('milliseconds', 10, 3_600_000) ?? 5_000 };
    case 'manual':
      return { kind };
    default:
      throw new ApiError(422, 'mode must be automatic, interval, or manual');
  }
}

/** Traces listed in a preview. */
const mostListed = 20;

function restorePreview({ ledger }: LocalChain, seqno: number): RestorePreview {
  const undone = ledger.blocks.slice(seqno - ledger.base.seqno);
  const hashes = new Set<string>();
  const edited = new Set<string>();
  for (const { transactions, changed } of undone.reverse()) {
    for (const { address } of changed) {
      edited.add(address);
    }
    for (const { trace } of transactions.toReversed()) {
      hashes.add(trace.transactions[0]!.hash);
    }
  }
  return {
    seqno,
    blocks: undone.length,
    traces: hashes.size,
    newest: [...hashes].slice(0, mostListed),
    edited: [...edited].slice(0, mostListed),
  };
}

function restorePoint(
  { ledger, settings }: LocalChain,
  parameters: ControlParametersOf<'restore' | 'restorePreview'>,
): number {
  const name = parameters.optionalText('name');
  const trace = parameters.optionalText('trace');
  const seqno =
    name !== undefined
      ? ownValue(settings.snapshots, name)
      : trace !== undefined
        ? beforeTrace(ledger.transaction(parseHash(trace, true) ?? '')?.trace.transactions[0]?.block.seqno)
        : parameters.optionalNumber('seqno', ledger.firstSeqno, ledger.last.seqno);
  if (seqno === undefined || !(seqno >= ledger.firstSeqno && seqno <= ledger.last.seqno)) {
    throw new ApiError(422, 'there is no such snapshot, block, or trace');
  }
  return Math.floor(seqno);
}

function beforeTrace(seqno: number | undefined): number | undefined {
  return seqno === undefined ? undefined : seqno - 1;
}

/** Commands about the network as a whole and its server. */
const serverCommands: Pick<
  ControlCommands,
  'status' | 'faults' | 'requests' | 'replay' | 'config' | 'library'
> = {
  status: {
    run: async (context, parameters) => {
      await untilIdle(context.chain, (parameters.optionalSeconds('wait', 600) ?? 0) * 1_000);
      return context.status();
    },
  },
  faults: {
    run: (context, { values }) => {
      context.faults = Object.keys(values).length === 0 ? noFaults : readFaults(values);
      context.onFaults(context.faults);
      return context.faults;
    },
  },
  requests: {
    run: ({ requests }, parameters) => requests.after(parameters.optionalNumber('after', 0, 2 ** 53) ?? 0),
  },
  replay: {
    run: (context, parameters) => {
      const recorded = context.requests.get(parameters.optionalNumber('id', 1, 2 ** 53) ?? 0);
      if (recorded === undefined) {
        throw new ApiError(422, 'this request is no longer recorded');
      }
      if (recorded.isCut === true) {
        throw new ApiError(
          422,
          'only the beginning of this request was recorded: repeat it from the program that sent it',
        );
      }
      return context.replay(recorded);
    },
  },
  config: {
    run: async ({ chain }, parameters) => {
      const { config, settings } = chain;
      const id = parameters.optionalNumber('param', -(2 ** 31), 2 ** 31 - 1);
      const root =
        id === undefined
          ? parameters.cell('boc')
          : writeParameters(new Map(config.parameters).set(Math.trunc(id), parameters.cell('value')));
      const boc = root.toBoc().toString('base64');
      const given = parameters.optionalText('origin');
      const changed =
        given !== undefined
          ? { origin: given }
          : id === undefined
            ? { origin: `imported ${new Date(chain.now() * 1000).toISOString()}` }
            : {
                origin: config.origin,
                set: [...new Set(settings.config?.set).add(Math.trunc(id))],
              };
      try {
        await tryConfig(chain.emulator, importNetworkConfig(boc, changed.origin));
      } catch (error) {
        const what = id === undefined ? 'boc is not a configuration' : 'value does not fit param';
        throw new ApiError(422, `${what}: ${error instanceof Error ? error.message : String(error)}`);
      }
      chain.configure({ config: { boc, ...changed } });
      // The configuration contract has it from the next block on.
      await chain.mine();
      return { origin: configWords(chain), version: chain.config.version, globalId: chain.config.globalId };
    },
  },
  library: {
    run: ({ chain }, parameters) => {
      const cell = parameters.cell('boc');
      const boc = cell.toBoc().toString('base64');
      chain.configure({ libraries: [...new Set([...chain.settings.libraries, boc])] });
      return { hash: cell.hash().toString('hex') };
    },
  },
};

const failures: readonly Faults['failures'][number][] = ['429', '500', '503', 'html', 'timeout', 'cut'];

/** Omitted fields keep their values. */
export function readFaults(values: Readonly<Record<string, unknown>>): Faults {
  const number = (name: 'requestsPerSecond' | 'latency' | 'failureShare', maximum: number): number => {
    const value = Number(ownValue(values, name) ?? noFaults[name]);
    return value >= 0 && value <= maximum ? value : refuse(`${name} is not a number from 0 to ${maximum}`);
  };
  const list = (name: string): readonly unknown[] | undefined => {
    const value = ownValue(values, name);
    return value === undefined || Array.isArray(value) ? value : refuse(`${name} is not a list`);
  };
  const body = ownValue(values, 'rateLimitBody') ?? noFaults.rateLimitBody;
  return {
    keys: (list('keys') ?? []).map(String),
    requestsPerSecond: number('requestsPerSecond', 100_000),
    rateLimitBody:
      body === 'result' || body === 'error' ? body : refuse('rateLimitBody is neither result nor error'),
    latency: number('latency', 60_000),
    failureShare: number('failureShare', 1),
    failures: (list('failures') ?? noFaults.failures).map(
      (value) =>
        failures.find((one) => one === String(value)) ?? refuse(`failures are ${failures.join(', ')}`),
    ),
  };
}

function refuse(text: string): never {
  throw new ApiError(422, text);
}

/** Reports from the emulator: debug output of contracts, and messages it could not execute. */
const failureCommands: Pick<ControlCommands, 'retry' | 'drop' | 'debug'> = {
  retry: {
    run: async ({ chain }, parameters) => {
      const hash = parameters.optionalText('hash') === undefined ? undefined : failedHash(chain, parameters);
      const tried = chain.retry({ hash, destination: parameters.optionalAddress('address') });
      if (chain.mode.kind !== 'manual') {
        await chain.mine();
      }
      return { tried, failed: chain.ledger.failed.size };
    },
  },
  debug: {
    run: ({ chain }, parameters) =>
      chain.ledger.debug.after(parameters.optionalNumber('after', 0, 2 ** 53) ?? 0),
  },
  drop: {
    run: async ({ chain }, parameters) => {
      const hash = failedHash(chain, parameters);
      chain.drop(hash);
      if (chain.mode.kind !== 'manual') {
        await chain.mine().catch((error: unknown) => {
          chain.failures.keep(hash);
          throw error;
        });
      }
      return { failed: chain.ledger.failed.size };
    },
  },
};

function failedHash({ ledger }: LocalChain, parameters: ControlParameters<'hash'>): string {
  const hash = parseHash(parameters.text('hash'));
  if (hash === null || !ledger.failed.has(hash)) {
    throw new ApiError(
      422,
      'hash is not that of a message that the emulator failed on; GET status lists them',
    );
  }
  return hash;
}

/** Milliseconds to wait for running blocks before a dump. */
const patience = 10_000;

/** Saves a network's state to a file and loads it. */
const dumpCommands: Pick<ControlCommands, 'dump' | 'load'> = {
  dump: {
    isFile: true,
    run: async ({ chain }) => {
      if (chain.mode.kind !== 'manual') {
        await untilIdle(chain, patience);
      }
      return writeDump(chain);
    },
  },
  load: {
    bodyLimit: limits.stateDump.most,
    run: async ({ chain }, { values }) => {
      if (chain.fork !== undefined) {
        throw dumpOfForkError();
      }
      await chain.takeOver(await readDump(values, chain.emulator));
      return { seqno: chain.ledger.last.seqno, accounts: chain.ledger.accounts.size, ...networkTime(chain) };
    },
  },
};

/** The implementation of each control API command. */
export const controlCommands: ControlCommands = {
  ...serverCommands,
  ...accountCommands,
  ...blockCommands,
  ...failureCommands,
  ...dumpCommands,
};

/** Milliseconds between checks. */
const pause = 10;

/** Resolves when nothing is left to do, or after this many milliseconds. */
async function untilIdle(chain: LocalChain, milliseconds: number, clock: Clock = systemClock): Promise<void> {
  const end = clock.monotonic() + milliseconds;
  while (!chain.isIdle && clock.monotonic() < end) {
    await clock.sleep(pause);
  }
}
