import { importNetworkConfig } from '../../emulator/networkConfig';
import { ApiError } from '../api/apiError';
import { tryConfig } from '../chain/tryConfig';
import { noFaults } from '../faults/faults';
import type { ControlCommands } from './controlCommand';
import { readFaults } from './readFaults';
import { untilIdle } from './untilIdle';
import { withParameter } from './withParameter';

/** Commands about the network as a whole and its server. */
export const serverCommands: Pick<
  ControlCommands,
  'status' | 'faults' | 'requests' | 'replay' | 'config' | 'library'
> = {
  status: {
    run: async (context, parameters) => {
      await untilIdle(context.chain, (parameters.optionalNumber('wait', 0, 600) ?? 0) * 1_000);
      return context.status();
    },
  },
  faults: {
    run: (context, { values }) => {
      context.faults = Object.keys(values).length === 0 ? noFaults : readFaults(values);
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
      const changed = withParameter(chain.config, parameters);
      const boc = (changed?.root ?? parameters.cell('boc')).toBoc().toString('base64');
      const origin =
        parameters.optionalText('origin') ??
        changed?.origin ??
        `imported ${new Date(chain.now() * 1000).toISOString()}`;
      try {
        await tryConfig(chain.emulator, importNetworkConfig(boc, origin));
      } catch (error) {
        const what = changed === undefined ? 'boc is not a configuration' : 'value does not fit param';
        throw new ApiError(422, `${what}: ${error instanceof Error ? error.message : String(error)}`);
      }
      chain.configure({ config: { boc, origin } });
      // The configuration contract has it from the next block on.
      await chain.mine();
      return { origin, version: chain.config.version, globalId: chain.config.globalId };
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
