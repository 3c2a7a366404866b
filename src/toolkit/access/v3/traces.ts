import { v3Get } from '../endpoint';
import { address, flag, hash, integer, list, text } from '../parameter';
import { page, ranges, sort } from './common';
import { traceList } from './traceObjects';

const category = 'Actions and traces';

const supportedActionTypes = list(
  text(
    'Action types or sets (v1 … v4, latest, jettons, nft, …) the reader understands; others become simpler ones.',
  ),
);

export const traces = {
  traces: v3Get({
    path: '/traces',
    category,
    purpose: 'Traces by account, trace, transaction or message; the newest without any of them.',
    parameters: {
      account: address('Account that takes part. One of account, trace_id, tx_hash, msg_hash may be given.'),
      trace_id: list(hash('Hashes of root transactions.')),
      tx_hash: list(hash('Hashes of any transactions of the traces.')),
      msg_hash: list(hash('Hashes, raw or normalised, of any messages of the traces.')),
      mc_seqno: integer('Masterchain block in which the traces ended.', { minimum: 0 }),
      ...ranges,
      include_actions: flag('With the actions of each trace.', { default: false }),
      supported_action_types: supportedActionTypes,
      ...page,
      sort,
    },
    result: traceList,
  }),
  pendingTraces: v3Get({
    path: '/pendingTraces',
    category,
    purpose: 'Traces that are still running; needs account or ext_msg_hash.',
    parameters: {
      account: address('Account that takes part; wins over ext_msg_hash.'),
      ext_msg_hash: list(hash('Normalised hashes of external messages, or hashes of any in-messages.')),
    },
    result: traceList,
  }),
};
