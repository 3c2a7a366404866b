import type { TupleItem } from '@ton/core';
import { Address, Cell } from '@ton/core';
import { methodIdOf } from '../../contracts/abi/methodIdOf';
import type { V2TypedStackEntry } from '../../api/v2Objects';
import type { GetMethodOutcome } from '../../execution/emulator/emulator';
import { limits } from '../../base/limits';
import { ApiError, hexNumber } from '../api/apiError';
import { executeGetMethod } from '../chain/executeGetMethod';
import type { LocalChain } from '../chain/localChain';
import { lastTransactionId, viewAccount } from './accounts';
import type { V2Answer } from './encodeIds';
import { encodeBlockId } from './encodeIds';
import type { V2Parameters } from './transactions';

/** The service refuses results with this many entries. */
const maximumDepth = 100;

export async function v2RunGetMethod(
  chain: LocalChain,
  parameters: V2Parameters,
): Promise<V2Answer<'runGetMethod'>> {
  const outcome = await execute(chain, parameters, decodeLegacyStack);
  const { facts, block } = viewAccount(chain, parameters);
  return {
    '@type': 'smc.runResult',
    gas_used: Number(outcome.gasUsed),
    stack: encodeLegacyStack(outcome.stack),
    exit_code: outcome.exitCode,
    block_id: encodeBlockId(block, -1),
    last_transaction_id: lastTransactionId(facts),
    ...printed(outcome),
  };
}

export async function runGetMethodStd(
  chain: LocalChain,
  parameters: V2Parameters,
): Promise<V2Answer<'runGetMethodStd'>> {
  const outcome = await execute(chain, parameters, decodeStdStack);
  return {
    '@type': 'smc.runResult',
    gas_used: Number(outcome.gasUsed),
    stack: encodeStdStack(outcome.stack),
    exit_code: outcome.exitCode,
    ...printed(outcome),
  };
}

/** Only on local networks, as on v3. */
function printed({ debugOutput }: GetMethodOutcome): { debug_output?: string[] } {
  return debugOutput.length === 0 ? {} : { debug_output: [...debugOutput] };
}

async function execute(
  chain: LocalChain,
  parameters: V2Parameters,
  decode: (stack: unknown) => TupleItem[],
): Promise<GetMethodOutcome> {
  const address = parameters.address();
  const method = parameters.text('method');
  if (method === undefined) {
    throw parameters.invalid('empty method');
  }
  const id = /^-?\d+$/.test(method) ? Number(method) : methodIdOf(method);
  if (Math.abs(id) >= 2 ** 31) {
    return parameters.fail('failed to parse method');
  }
  const outcome = await runAt(chain, parameters, address, id, decode(parameters.values.stack));
  if (outcome.stack.length >= maximumDepth) {
    throw new ApiError(533, `Result stack depth >= ${maximumDepth}`);
  }
  return outcome;
}

/** Any JSON value under a name. */
type Fields = Readonly<Record<string, unknown>>;

/** A cell as a tree of objects. */
interface CellObject {
  data: { b64: string; len: number };
  refs: CellObject[];
  special: boolean;
  left_out?: string;
}

const fail = (text: string): never => {
  throw new ApiError(422, `failed to parse post request: ${text}`);
};

/** Arguments as pairs `[type, value]`. */
function decodeLegacyStack(stack: unknown): TupleItem[] {
  return asList(stack).map((entry) => {
    if (!Array.isArray(entry)) {
      return fail('Expected 2 elements in stack entry, got: 1');
    }
    const pair: readonly unknown[] = entry;
    if (pair.length !== 2) {
      return fail(`Expected 2 elements in stack entry, got: ${pair.length}`);
    }
    const [tag, value] = pair;
    return typeof tag === 'string'
      ? decodePair(tag, value)
      : fail('Expected string as first element in stack entry');
  });
}

function decodePair(tag: string, value: unknown): TupleItem {
  switch (tag) {
    case 'num':
    case 'int':
    case 'number':
    case 'integer':
      return { type: 'int', value: decodeNumber(value) };
    case 'tvm.Cell':
      return { type: 'cell', cell: decodeCell(value, tag) };
    case 'tvm.Slice':
      return { type: 'slice', cell: decodeCell(value, tag) };
    case 'cell':
      return { type: 'cell', cell: decodeCell(bytesOf(value, tag), tag) };
    case 'slice':
      return { type: 'slice', cell: decodeCell(bytesOf(value, tag), tag) };
    case 'tuple':
    case 'tvm.Tuple':
      return { type: 'tuple', items: elementsOf(value, 'tuple').map(decodeEntry) };
    case 'list':
    case 'tvm.List':
      return listOf(elementsOf(value, 'list').map(decodeEntry));
    default:
      throw new ApiError(542, `Unsupported stack entry type: ${tag}`);
  }
}

/** Arguments as typed entries (runGetMethodStd, and inside tuples and lists). */
function decodeStdStack(stack: unknown): TupleItem[] {
  return asList(stack).map(decodeEntry);
}

function decodeEntry(entry: unknown): TupleItem {
  const fields = (
    typeof entry === 'object' && entry !== null && !Array.isArray(entry) ? entry : {}
  ) as Fields;
  switch (fields['@type']) {
    case 'tvm.stackEntryNumber':
      return { type: 'int', value: decodeNumber((fields.number as Fields | undefined)?.number) };
    case 'tvm.stackEntryCell':
      return { type: 'cell', cell: decodeCell((fields.cell as Fields | undefined)?.bytes, 'cell') };
    case 'tvm.stackEntrySlice':
      return { type: 'slice', cell: decodeCell((fields.slice as Fields | undefined)?.bytes, 'slice') };
    case 'tvm.stackEntryTuple':
      return { type: 'tuple', items: elementsOf(fields.tuple, 'tuple').map(decodeEntry) };
    case 'tvm.stackEntryList':
      return listOf(elementsOf(fields.list, 'list').map(decodeEntry));
    default:
      return fail('Wrong type of stack entry');
  }
}

/** A TVM list is a chain of pairs that ends with null. */
function listOf(items: readonly TupleItem[]): TupleItem {
  return items.reduceRight<TupleItem>((tail, head) => ({ type: 'tuple', items: [head, tail] }), {
    type: 'null',
  });
}

function asList(stack: unknown): readonly unknown[] {
  if (stack === undefined || stack === null) {
    return [];
  }
  return Array.isArray(stack) ? stack : fail('stack must be a list');
}

function decodeNumber(value: unknown): bigint {
  if (typeof value !== 'number' && typeof value !== 'string') {
    return fail('Wrong type of number in stack entry');
  }
  const match = /^(-?)(0x[0-9a-f]+|\d+)$/i.exec(String(value));
  if (match === null) {
    return fail(`Invalid number: ${value}`);
  }
  const size = BigInt(match[2] as string);
  return match[1] === '-' ? -size : size;
}

function bytesOf(value: unknown, tag: string): unknown {
  const fields = typeof value === 'object' && value !== null ? (value as Fields) : {};
  return 'bytes' in fields ? fields.bytes : fail(`Invalid ${tag}, object with field bytes expected`);
}

function elementsOf(value: unknown, tag: string): readonly unknown[] {
  const fields = typeof value === 'object' && value !== null ? (value as Fields) : {};
  return Array.isArray(fields.elements)
    ? fields.elements
    : fail(`Invalid ${tag}, object with field elements expected`);
}

function decodeCell(value: unknown, tag: string): Cell {
  if (value === '') {
    return fail(`Empty ${tag}`);
  }
  if (typeof value !== 'string') {
    return fail(`Invalid ${tag}, base64 string expected`);
  }
  try {
    return Cell.fromBase64(value);
  } catch {
    return fail(`Invalid ${tag}, base64 string expected`);
  }
}

/** A result as pairs. As in the service, slices are tagged `cell` and null is an empty list. */
export function encodeLegacyStack(items: readonly TupleItem[]): unknown[][] {
  const objects = new CellObjects();
  return items.map((item) => {
    switch (item.type) {
      case 'int':
        return ['num', hexNumber(item.value)];
      case 'cell':
      case 'slice':
      case 'builder':
        return ['cell', { bytes: item.cell.toBoc().toString('base64'), object: objects.of(item.cell) }];
      case 'null':
        return ['list', { '@type': 'tvm.list', elements: [] }];
      case 'tuple':
        return ['tuple', { '@type': 'tvm.tuple', elements: item.items.map(encodeEntry) }];
      default:
        return ['unsupported', ''];
    }
  });
}

function encodeStdStack(items: readonly TupleItem[]): V2TypedStackEntry[] {
  return items.map(encodeEntry);
}

function encodeEntry(item: TupleItem): V2TypedStackEntry {
  switch (item.type) {
    case 'int':
      return {
        '@type': 'tvm.stackEntryNumber',
        number: { '@type': 'tvm.numberDecimal', number: item.value.toString() },
      };
    case 'cell':
      return { '@type': 'tvm.stackEntryCell', cell: { '@type': 'tvm.cell', bytes: base64(item.cell) } };
    case 'slice':
      return { '@type': 'tvm.stackEntrySlice', slice: { '@type': 'tvm.slice', bytes: base64(item.cell) } };
    case 'null':
      return { '@type': 'tvm.stackEntryList', list: { '@type': 'tvm.list', elements: [] } };
    case 'tuple':
      return {
        '@type': 'tvm.stackEntryTuple',
        tuple: { '@type': 'tvm.tuple', elements: item.items.map(encodeEntry) },
      };
    default:
      return { '@type': 'tvm.stackEntryUnsupported' };
  }
}

function base64(cell: Cell): string {
  return cell.toBoc().toString('base64');
}

/** Replaces references for which an answer has no room. */
const leftOut = `left out: an answer has at most ${limits.stackObjectCells.most} cells as objects; "bytes" has all of them`;

/**
 * The cells of one answer as trees, which the service sends along with their bytes. A cell appears once for every
 * path to it, so 15 cells can expand to 4^14: beyond the limit, `refs` is empty and `left_out` says so.
 */
class CellObjects {
  #left: number = limits.stackObjectCells.most - 1;

  of({ bits, refs, isExotic }: Cell): CellObject {
    const bytes = Buffer.alloc(Math.ceil(bits.length / 8));
    for (let bit = 0; bit < bits.length; bit += 1) {
      if (bits.at(bit)) {
        bytes[bit >> 3] = (bytes[bit >> 3] as number) | (0x80 >> (bit & 7));
      }
    }
    const isWhole = refs.length <= this.#left;
    this.#left -= isWhole ? refs.length : 0;
    return {
      data: { b64: bytes.toString('base64'), len: bits.length },
      refs: isWhole ? refs.map((ref) => this.of(ref)) : [],
      special: isExotic,
      ...(isWhole ? {} : { left_out: leftOut }),
    };
  }
}

const emptyCell = 'te6ccgEBAQEAAgAAAA==';

/**
 * Runs a get-method on the current state, or on that at the end of the masterchain block `seqno`, at that block's
 * time.
 */
export async function runAt(
  chain: LocalChain,
  parameters: V2Parameters,
  address: string,
  methodId: number,
  stack: TupleItem[],
): Promise<GetMethodOutcome> {
  if (parameters.seqno() === undefined) {
    return executeGetMethod(chain, address, methodId, stack);
  }
  const { facts, code, data, block } = viewAccount(chain, parameters, address);
  if (code === '') {
    const left: TupleItem[] = [{ type: 'int', value: BigInt(methodId) }];
    return { exitCode: -13, gasUsed: 0n, stack: left, vmLog: '', debugOutput: [], missingLibrary: null };
  }
  return chain.emulator.runGetMethod({
    config: chain.config.getMethodBase64,
    libraries: chain.libraries,
    code,
    data: data === '' ? emptyCell : data,
    methodId,
    stack,
    address: Address.parseRaw(address),
    now: block.genUtime,
    balance: facts?.balance ?? 0n,
  });
}
