import type { GetMethodSource } from '../trace/getMethodSource';
import { isSuccess } from './getMethodResult';
import { runGetMethod } from './runGetMethod';
import type { GetMethodAccess } from './runGetMethod';

/** A network as a source of answers. Its requests have lower priority than any a user waits for. */
export function getMethodSourceOf(access: GetMethodAccess): GetMethodSource {
  return {
    async run(address, method, stack, signal) {
      const options = { signal, priority: 'background' } as const;
      const result = await runGetMethod(access, { address, method, stack }, options);
      return isSuccess(result) ? result.stack.map(({ value }) => value) : undefined;
    },
  };
}
