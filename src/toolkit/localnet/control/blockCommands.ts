import { ownValue } from '../../ownValue';
import { ApiError } from '../api/apiError';
import { parseHash } from '../api/parseHash';
import type { LocalChain } from '../chain/localChain';
import type { BlockMode } from '../records/blockMode';
import type { RestorePreview } from './controlApi';
import type { ControlCommands, ControlParametersOf } from './controlCommand';
import { forgetUndone } from './nameContract';
import { setTime } from './setTime';

/** Commands about blocks: when they are made, at what time, and rollback. */
export const blockCommands: Pick<
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
  for (const { transactions } of undone.reverse()) {
    for (const { trace } of transactions.toReversed()) {
      hashes.add(trace.transactions[0]!.hash);
    }
  }
  return {
    seqno,
    blocks: undone.length,
    traces: hashes.size,
    newest: [...hashes].slice(0, mostListed),
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
