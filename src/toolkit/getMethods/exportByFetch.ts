import { encodeV2StdStack } from '../stack/v2StdStack';
import { encodeV2Stack } from '../stack/v2Stack';
import { encodeV3Stack, v3CanCarry } from '../stack/v3Stack';
import type { ExportedCall } from './exportedCall';
import { requestedMethod } from './runGetMethod';
import { quote } from './quote';

/** Whether @ton/ton's TonClient can make the call: it uses v2, and takes only numbers, cells, and slices. */
export function tonClientCanMake({ network, stack }: ExportedCall): boolean {
  return network.v2 !== undefined && v3CanCarry(stack);
}

/**
 * Lines of TypeScript that make any other call and store its answer in `result`. An API key is read from TON_API_KEY.
 *
 * @param isPairs whether the answer uses v2's older format, pairs, as from servers without runGetMethodStd
 */
export function fetchLines(call: ExportedCall, isPairs = false): string[] {
  const { network, address, stack } = call;
  const isV2 = network.v2 !== undefined;
  const why = isV2
    ? '// TonClient of @ton/ton sends no tuples, lists and null, so this asks the API itself.'
    : '// TonClient of @ton/ton needs API v2, which this network lacks, so this asks v3 itself.';
  const url = isV2 ? `${network.v2}/runGetMethod${isPairs ? '' : 'Std'}` : `${network.v3}/runGetMethod`;
  const encode = isV2 ? (isPairs ? encodeV2Stack : encodeV2StdStack) : encodeV3Stack;
  const answer = '{ exit_code: number; stack: unknown[] }';
  return [
    why,
    `const response = await fetch(${quote(url)}, {`,
    `  method: 'POST',`,
    `  headers: {`,
    `    'Content-Type': 'application/json',`,
    `    ...(process.env.TON_API_KEY ? { 'X-API-Key': process.env.TON_API_KEY } : {}),`,
    `  },`,
    `  body: ${quote(JSON.stringify({ address, method: requestedMethod(call), stack: encode(stack) }))},`,
    `});`,
    isV2
      ? `const { result } = (await response.json()) as { result: ${answer} };`
      : `const result = (await response.json()) as ${answer};`,
  ];
}
