import { v2Post } from '../endpoint/endpoint';
import { address, integer, method, required, stack } from '../endpoint/parameter';
import { v2RunResult, v2RunResultStd } from '../../api/v2Objects';
import type { V2LegacyStackEntry, V2TypedStackEntry } from '../../api/v2Objects';

const category = 'Run method';

const common = {
  address: required(address('The contract.')),
  method: required(method('Name of the get-method, or its number.')),
};
const seqno = integer('Masterchain block to run at; the newest by default.', { minimum: 1 });

export const v2RunMethod = {
  runGetMethod: v2Post({
    path: '/runGetMethod',
    category,
    purpose: 'Runs a get-method. If it fails, the answer has an exit code.',
    parameters: {
      ...common,
      stack: required(
        stack<V2LegacyStackEntry>(
          'Arguments as pairs: ["num", "0x2a"], ["tvm.Cell", base64], ["tvm.Slice", base64].',
        ),
      ),
      seqno,
    },
    result: v2RunResult,
  }),
  runGetMethodStd: v2Post({
    path: '/runGetMethodStd',
    category,
    purpose: 'Runs a get-method with typed stack entries in both directions, so that a slice stays a slice.',
    parameters: {
      ...common,
      stack: required(
        stack<V2TypedStackEntry>(
          'Arguments as typed entries: {"@type": "tvm.stackEntryNumber", "number": …}.',
        ),
      ),
      seqno,
    },
    result: v2RunResultStd,
  }),
};
