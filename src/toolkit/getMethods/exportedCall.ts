import type { Network } from '../access/network';
import type { StackValue } from '../stack/stackValue';
import { cellToAddress } from '../stack/stackValue';
import { encodeV2Stack, encodeV2StdStack } from '../stack/v2StdStack';
import { encodeCell, encodeV3Stack, notCarriedError, v3CanCarry } from '../stack/encodeV3Stack';
import { shellWord } from '../base/text';
import { requestedMethod } from './runGetMethod';

/** The call as a TypeScript module: with @ton/ton if possible. An API key is read from TON_API_KEY. */
export function exportAsTypeScript(call: ExportedCall): string {
  if (!tonClientCanMake(call)) {
    return [...fetchLines(call), 'console.log(result);', '', 'export {};', ''].join('\n');
  }
  const { address, stack } = call;
  return [
    ...clientLines(call),
    `const { stack, gas_used: gasUsed } = await client.runMethod(`,
    `  Address.parse(${quote(address)}),`,
    `  ${quote(requestedMethod(call))},`,
    `  [${stack.map(tupleItem).join(', ')}],`,
    `);`,
    `console.log({ gasUsed, stack });`,
    '',
  ].join('\n');
}

/** The imports and the client of a call with @ton/ton. */
export function clientLines({ network, stack }: ExportedCall): string[] {
  return [
    `import { Address${coreImports(stack)
      .map((name) => `, ${name}`)
      .join('')} } from '@ton/core';`,
    `import { TonClient } from '@ton/ton';`,
    '',
    `const client = new TonClient({ endpoint: ${quote(`${network.v2 ?? ''}/jsonRPC`)}, apiKey: process.env.TON_API_KEY });`,
  ];
}

/** The call as one curl command: to v3 if it can carry the arguments, else to v2. */
export function exportAsCurl(call: ExportedCall): string {
  const { network, address, stack } = call;
  const isV3 = network.v3 !== undefined && v3CanCarry(stack);
  const base = isV3 ? network.v3 : network.v2;
  const body = JSON.stringify({
    address,
    method: requestedMethod(call),
    stack: isV3 ? encodeV3Stack(stack) : encodeV2Stack(stack),
  });
  return [
    `curl ${shellWord(`${base}/runGetMethod`)}`,
    `-H 'Content-Type: application/json'`,
    '${TON_API_KEY:+-H "X-API-Key: $TON_API_KEY"}',
    `-d ${shellWord(body)}`,
  ].join(' \\\n  ');
}

/** A value that TonClient takes, as source text of @ton/core's TupleItem. */
export function tupleItem(value: StackValue): string {
  if (value.type === 'int') {
    return `{ type: 'int', value: ${value.value}n }`;
  }
  const address = plainAddress(value);
  if (address !== undefined) {
    return `{ type: 'slice', cell: beginCell().storeAddress(Address.parse(${quote(address)})).endCell() }`;
  }
  if ('cell' in value) {
    return `{ type: '${value.type}', cell: Cell.fromBase64(${quote(encodeCell(value.cell))}) }`;
  }
  throw notCarriedError(value);
}

/** The imports that the source text of {@link tupleItem} needs from @ton/core besides Address. */
function coreImports(stack: readonly StackValue[]): string[] {
  const cells = stack.filter((value) => 'cell' in value);
  const addresses = cells.filter((value) => plainAddress(value) !== undefined);
  return [
    ...(addresses.length > 0 ? ['beginCell'] : []),
    ...(cells.length > addresses.length ? ['Cell'] : []),
  ];
}

/** The address in a slice that contains a standard address and nothing else. */
function plainAddress(value: StackValue): string | undefined {
  return value.type === 'slice' ? (cellToAddress(value.cell)?.toString() ?? undefined) : undefined;
}

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

/** A text as a TypeScript literal in single quotes. */
export function quote(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n')}'`;
}

/** A call to be exported. */
export interface ExportedCall {
  network: Pick<Network, 'name' | 'v2' | 'v3'>;
  /** Raw or user-friendly. */
  address: string;
  method: string;
  /** Its id, if that is not the one of its name. */
  methodId?: number | undefined;
  stack: readonly StackValue[];
}
