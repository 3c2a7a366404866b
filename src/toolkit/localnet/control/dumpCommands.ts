import { limits } from '../../limits';
import { readDump } from '../dump/readDump';
import { dumpOfForkError } from '../dump/dumpErrors';
import { writeDump } from '../dump/writeDump';
import type { ControlCommands } from './controlCommand';
import { networkTime } from './setTime';
import { untilIdle } from './untilIdle';

/** Milliseconds to wait for running blocks before a dump. */
const patience = 10_000;

/** Saves a network's state to a file and loads it. */
export const dumpCommands: Pick<ControlCommands, 'dump' | 'load'> = {
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
