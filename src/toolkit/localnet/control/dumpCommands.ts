import { limits } from '../../limits';
import { readDump } from '../dump/readDump';
import { dumpOfForkError } from '../dump/dumpErrors';
import { writeDump } from '../dump/writeDump';
import type { ControlCommand } from './controlCommand';
import { networkTime } from './setTime';
import { untilIdle } from './untilIdle';

/** Milliseconds that blocks under way get before a dump. */
const patience = 10_000;

/** The state of a network as a file, and back. */
export const dumpCommands = {
  dump: {
    verb: 'POST',
    purpose: 'The whole state as JSON, without its history, for another network to load.',
    isFile: true,
    run: async ({ chain }) => {
      if (chain.mode.kind !== 'manual') {
        await untilIdle(chain, patience);
      }
      return writeDump(chain);
    },
  },
  load: {
    verb: 'POST',
    purpose: 'Goes on from a state instead of this one. The body is what dump has answered.',
    bodyLimit: limits.stateDump.most,
    run: async ({ chain }, { values }) => {
      if (chain.fork !== undefined) {
        throw dumpOfForkError();
      }
      await chain.takeOver(await readDump(values, chain.emulator));
      return { seqno: chain.ledger.last.seqno, accounts: chain.ledger.accounts.size, ...networkTime(chain) };
    },
  },
} satisfies Record<string, ControlCommand>;
