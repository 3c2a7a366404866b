import type { Cell, Message } from '@ton/core';
import { Address, beginCell, storeMessage } from '@ton/core';
import * as z from 'zod';
import { checkShape } from '../toolkit/base/checkShape';
import { WorkbenchError } from '../toolkit/base/errors';
import { visibleText } from '../toolkit/base/text';
import { subtreeSize } from '../toolkit/cell/bocStatistics';
import { fromCoreCell } from '../toolkit/cell/readBoc';
import { readGivenText } from './readGivenFile';
import type { GasUse } from './testGas';

interface CellMetric {
  cells: number;
  bits: number;
}

/** One run, as Blueprint's snapshots of gas have it. */
interface Metric {
  testName?: string | undefined;
  /** In its friendly form. */
  address: string;
  /** `0x` and 64 hex digits. */
  codeHash: string;
  contractName: string;
  methodName?: string;
  receiver?: string | undefined;
  /** `0x0` if there is none. */
  opCode: string;
  execute: {
    compute: { type: 'vm'; success: boolean; gasUsed: number; exitCode: number; vmSteps?: number };
    action?: {
      success: boolean;
      totalActions: number;
      skippedActions: number;
      resultCode: number;
      totalActionFees: number;
      totalFwdFees?: number;
      totalMessageSize: CellMetric;
    };
  };
  message: { in: CellMetric; out: CellMetric };
  state: { code: CellMetric; data: CellMetric };
}

/** A snapshot of gas, in the format of `blueprint snapshot`. */
export interface GasSnapshot {
  label: string;
  /** ISO 8601. */
  createdAt: string;
  items: Metric[];
}

/** A message or get-method whose gas is another one than before. */
export interface GasChange {
  contract: string;
  /** The message, or the get-method. */
  ran: string;
  /** Mean gas; null if it did not run before. */
  before: number | null;
  /** Null if it does not run any more. */
  after: number | null;
}

/** What is read of a snapshot. Its other parts may be missing. */
const snapshotSchema = z.object({
  label: z.string(),
  items: z.array(
    z.object({
      contractName: z.string().optional(),
      methodName: z.string().optional(),
      address: z.string().optional(),
      opCode: z.string().optional(),
      execute: z.object({ compute: z.object({ gasUsed: z.number().optional() }) }),
    }),
  ),
});

const nothing: CellMetric = { cells: 0, bits: 0 };
const noOpcode = '0x0';

/**
 * The gas of tests in the format of `blueprint snapshot`, which leaves get-methods out: here they are runs without an
 * opcode. Equal runs are there once.
 *
 * @param at milliseconds since the Unix epoch
 */
export function gasSnapshot(uses: readonly GasUse[], label: string, at: number): GasSnapshot {
  const items = new Map<string, Metric>();
  for (const use of uses) {
    const metric = metricOf(use);
    items.set(JSON.stringify(metric), metric);
  }
  return { label, createdAt: new Date(at).toISOString(), items: [...items.values()] };
}

/**
 * Reads a snapshot of gas that Blueprint or {@link gasSnapshot} has made.
 * @throws WorkbenchError `file-unreadable`, `gas-snapshot-unreadable`, `over-limit` (input)
 */
export async function readGasSnapshot(file: string): Promise<z.infer<typeof snapshotSchema>> {
  const text = await readGivenText(
    { path: file, what: 'The snapshot of gas', code: 'file-unreadable' },
    'testRecording',
  );
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (cause) {
    throw unreadableError('it is not JSON', cause);
  }
  const { data, problem } = checkShape(snapshotSchema, content);
  if (problem !== undefined) {
    throw unreadableError(`${problem.path || 'it'} ${problem.words}`);
  }
  return data;
}

type ReadItem = z.infer<typeof snapshotSchema>['items'][number];

/**
 * What takes other gas than in a snapshot, the largest change first. A message is the same if its contract has the same
 * name, and its opcode or its name is the same: Blueprint calls messages by the methods of wrappers.
 */
export function gasChanges(
  before: z.infer<typeof snapshotSchema>,
  now: Pick<GasSnapshot, 'items'>,
): { changes: GasChange[]; same: number } {
  const rows = new Map<string, GasPair>();
  const byKey = new Map<string, GasPair>();
  const rowOf = (item: ReadItem): GasPair => {
    const [contract, ran] = [item.contractName ?? item.address ?? '?', item.methodName ?? item.opCode ?? '?'];
    const name = JSON.stringify([contract, ran]);
    const row = rows.get(name) ?? { contract, ran, before: [], after: [] };
    rows.set(name, row);
    return row;
  };
  for (const item of now.items) {
    const row = rowOf(item);
    row.after.push(item.execute.compute.gasUsed);
    keysOf(item).forEach((key) => byKey.set(key, row));
  }
  for (const item of before.items) {
    const { gasUsed } = item.execute.compute;
    if (gasUsed !== undefined) {
      const known = keysOf(item).find((key) => byKey.has(key));
      (byKey.get(known ?? '') ?? rowOf(item)).before.push(gasUsed);
    }
  }
  const all = [...rows.values()].map((row) => ({ ...row, before: mean(row.before), after: mean(row.after) }));
  const changes = all.filter((one) => one.before !== one.after);
  const size = (one: GasChange): number => Math.abs((one.after ?? 0) - (one.before ?? 0));
  return {
    changes: changes.sort((one, other) => size(other) - size(one)),
    same: all.length - changes.length,
  };
}

interface GasPair extends Pick<GasChange, 'contract' | 'ran'> {
  before: number[];
  after: number[];
}

/** The headings of {@link gasChangeCells}. */
export const gasChangeHeading = ['contract', 'message or get-method', 'before', 'now', 'change'];

/** A change as a row of a table. */
export function gasChangeCells(change: GasChange): string[] {
  const { contract, ran, before, after } = change;
  const figures = [before, after].map((gas) => (gas === null ? '' : String(gas)));
  return [contract, ran, ...figures, changeOf(change)];
}

/** `+12.5 %`, `new`, `gone`. */
function changeOf({ before, after }: GasChange): string {
  if (before === null || after === null) {
    return before === null ? 'new' : 'gone';
  }
  const percent = before === 0 ? undefined : ((after - before) / before) * 100;
  const sign = after > before ? '+' : '−';
  return percent === undefined ? `${sign}${Math.abs(after)}` : `${sign}${Math.abs(percent).toFixed(1)} %`;
}

function metricOf(use: GasUse): Metric {
  const { contract, ran, opcode, gas, code, data, record, transaction } = use;
  const { description, inMessage, outMessages } = transaction ?? {};
  const generic = description?.type === 'generic' ? description : undefined;
  const compute = generic?.computePhase.type === 'vm' ? generic.computePhase : undefined;
  const action = generic?.actionPhase;
  const exitCode = compute?.exitCode ?? record.exit ?? 0;
  return {
    ...(record.test === undefined ? {} : { testName: record.test }),
    address: addressOf(use),
    codeHash: `0x${code.hash().toString('hex')}`,
    contractName: contract,
    ...(ran === opcode ? {} : { methodName: ran }),
    ...(inMessage == null ? {} : { receiver: inMessage.info.type }),
    opCode: opcode ?? noOpcode,
    execute: {
      compute: {
        ...{ type: 'vm', success: compute?.success ?? exitCode < 2, gasUsed: gas, exitCode },
        ...(compute === undefined ? {} : { vmSteps: compute.vmSteps }),
      },
      ...(action == null
        ? {}
        : {
            action: {
              success: action.success,
              totalActions: action.totalActions,
              skippedActions: action.skippedActions,
              resultCode: action.resultCode,
              totalActionFees: Number(action.totalActionFees ?? 0),
              ...(action.totalFwdFees == null ? {} : { totalFwdFees: Number(action.totalFwdFees) }),
              totalMessageSize: {
                cells: Number(action.totalMessageSize.cells),
                bits: Number(action.totalMessageSize.bits),
              },
            },
          }),
    },
    message: {
      in: inMessage == null ? nothing : sizeOf(messageCell(inMessage)),
      out: [...(outMessages?.values() ?? [])].reduce((sum, message) => {
        const { cells, bits } = sizeOf(messageCell(message));
        return { cells: sum.cells + cells, bits: sum.bits + bits };
      }, nothing),
    },
    state: { code: sizeOf(code), data: data === undefined ? nothing : sizeOf(data) },
  };
}

function addressOf({ record, transaction }: GasUse): string {
  if (record.kind === 'get') {
    return Address.parseRaw(record.address).toString();
  }
  const hash = (transaction?.address ?? 0n).toString(16).padStart(64, '0');
  return Address.parseRaw(`0:${hash}`).toString();
}

function messageCell(message: Message): Cell {
  return beginCell().store(storeMessage(message)).endCell();
}

/** Each cell once. */
function sizeOf(cell: Cell): CellMetric {
  const { cells, bits } = subtreeSize(fromCoreCell(cell), 0);
  return { cells, bits };
}

function keysOf({ contractName, address, methodName, opCode }: ReadItem): string[] {
  const contract = (contractName ?? address ?? '').toLowerCase();
  const [opcode, name] = [Number(opCode ?? 0), methodName ?? opCode];
  return [
    ...(opcode > 0 ? [`${contract} ${opcode}`] : []),
    ...(name === undefined ? [] : [`${contract} ${name}`]),
  ];
}

/** Null of nothing. */
function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : Math.round(values.reduce((sum, one) => sum + one, 0) / values.length);
}

function unreadableError(what: string, cause?: unknown): WorkbenchError {
  return new WorkbenchError({
    code: 'gas-snapshot-unreadable',
    kind: 'input',
    message: `This is not a snapshot of gas: ${visibleText(what, 300)}.`,
    hint: 'Give a file that blueprint snapshot or ton-workbench test --gas-snapshot has written.',
    cause,
  });
}
