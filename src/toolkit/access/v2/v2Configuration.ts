import * as z from 'zod';
import { hashValue } from '../../api/wire';
import { v2Read } from '../endpoint/endpoint';
import { hash, integer, list, required } from '../endpoint/parameter';
import { v2TvmCell, v2Type } from '../../api/v2Objects';

const category = 'Configuration';

const seqno = integer('Masterchain block to read at; the newest by default.', { minimum: 1 });
const configInfo = z.looseObject({ ...v2Type, config: v2TvmCell });

export const v2Configuration = {
  getConfigParam: v2Read({
    path: '/getConfigParam',
    category,
    purpose: 'One parameter of the network configuration, as a cell.',
    parameters: { config_id: required(integer('Number of the parameter.', { otherName: 'param' })), seqno },
    result: configInfo,
  }),
  getConfigAll: v2Read({
    path: '/getConfigAll',
    category,
    purpose: 'The whole network configuration, as a dictionary cell.',
    parameters: { seqno },
    result: configInfo,
  }),
  getLibraries: v2Read({
    path: '/getLibraries',
    category,
    purpose: 'Library cells by their hashes; unknown ones are left out.',
    parameters: { libraries: list(hash('Hashes of library cells.')) },
    result: z.looseObject({
      ...v2Type,
      result: z.array(z.looseObject({ ...v2Type, hash: hashValue, data: z.string() })),
    }),
  }),
};
