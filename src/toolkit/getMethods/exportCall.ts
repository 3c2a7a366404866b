import { fetchLines, tonClientCanMake } from './exportByFetch';
import { quote } from './quote';
import { encodeV2Stack } from '../stack/v2Stack';
import { encodeV3Stack, v3CanCarry } from '../stack/v3Stack';
import { encodeCell, notCarriedError } from '../stack/wireValue';
import type { StackValue } from '../stack/stackValue';
import type { ExportedCall } from './exportedCall';
import { cellToAddress } from '../stack/cellToAddress';
import { requestedMethod } from './runGetMethod';
import { shellWord } from '../shellWord';

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
