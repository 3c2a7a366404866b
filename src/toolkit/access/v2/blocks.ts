import { v2Read } from '../endpoint';
import { masterchainInfo } from './objects';

const category = 'Blocks';

export const blocks = {
  getMasterchainInfo: v2Read({
    path: '/getMasterchainInfo',
    category,
    purpose: 'The newest masterchain block and the zero state.',
    parameters: {},
    result: masterchainInfo,
  }),
};
