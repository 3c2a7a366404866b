import { importNetworkConfig, writeParameters } from '../../emulator/networkConfig';
import { ApiError } from '../api/apiError';
import { configWords } from '../chain/configWords';
import { tryConfig } from '../chain/tryConfig';
import { noFaults } from '../faults/faults';
import type { ControlCommands } from './controlCommand';
import { readFaults } from './readFaults';
import { untilIdle } from './untilIdle';

/** Commands about the network as a whole and its server. */
export const serverCommands: Pick<
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
