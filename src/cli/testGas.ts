import type { Message, Transaction } from '@ton/core';
import { Cell } from '@ton/core';
import { describeContract } from '../toolkit/contracts/abi/contractDescription';
import { loadAnyTransaction } from '../toolkit/cell/loadFolded';
import { nameOfBody } from '../toolkit/contracts/opcodes/decodeBody';
import { opcodeHex } from '../toolkit/contracts/opcodes/opcodes';
import { vmPhaseOf } from '../toolkit/replay/replayErrors';
import type { SourceMap } from '../toolkit/sourceMap/sourceMap';
import { recordWords, treasuryCode } from '../toolkit/testRuns/describeRecord';
import { codeBefore } from '../toolkit/testRuns/recordInputs';
import type { TestRecord, TestRecording } from '../toolkit/testRuns/testRecording';
import { sourceMapHere } from './linesHere';
import { projectWith } from './projectWith';
import { perRun, surroundings } from './surroundings';

/** The gas of one kind of message, or of a get-method, over all tests. */
export interface GasRow {
  /** Its name in the project, or the beginning of its code's hash. */
  contract: string;
  /** The message, or the get-method. */
  ran: string;
  runs: number;
  least: number;
  mean: number;
  most: number;
}

/** One run of a contract in a test. */
export interface GasUse extends Pick<GasRow, 'contract' | 'ran'> {
  gas: number;
  /** Of an internal message that has one, `0x` and eight hex digits. */
  opcode: string | undefined;
  code: Cell;
  /** Undefined if it had none before. */
  data: Cell | undefined;
  record: TestRecord;
  /** Undefined for a get-method. */
  transaction: Transaction | undefined;
}

/** The runs of tests, with the gas that the sandbox told them. */
export async function gasUses(recordings: Iterable<TestRecording>): Promise<GasUse[]> {
  const uses: GasUse[] = [];
  for (const recording of recordings) {
    for (const record of recording.records) {
      uses.push(...(await gasOf(recording, record)));
    }
  }
  return uses;
}

/** The gas that tests used, by messages and get-methods. */
export function gasRows(uses: readonly GasUse[]): GasRow[] {
  const used = new Map<string, { contract: string; ran: string; gas: number[] }>();
  for (const { contract, ran, gas } of uses) {
    const key = JSON.stringify([contract, ran]);
    const known = used.get(key) ?? { contract, ran, gas: [] };
    known.gas.push(gas);
    used.set(key, known);
  }
  return [...used.values()]
    .map(({ contract, ran, gas }) => ({
      ...{ contract, ran, runs: gas.length },
      least: gas.reduce((one, other) => Math.min(one, other)),
      mean: Math.round(gas.reduce((one, other) => one + other) / gas.length),
      most: gas.reduce((one, other) => Math.max(one, other)),
    }))
    .sort((one, other) => other.most - one.most);
}

/** None if no code ran, or if the sandbox does not say what it used. */
async function gasOf(recording: TestRecording, record: TestRecord): Promise<GasUse[]> {
  if (record.kind === 'get') {
    const code = Cell.fromBase64(recording.blob(record.code));
    const description = await described(code);
    return record.gas === undefined
      ? []
      : [
          {
            contract: description.called,
            ran: recordWords(record, description, description.map),
            gas: Number(record.gas),
            ...{
              opcode: undefined,
              code,
              data: Cell.fromBase64(record.data),
              record,
              transaction: undefined,
            },
          },
        ];
  }
  if (record.transaction === undefined) {
    return [];
  }
  const transaction = loadAnyTransaction(Cell.fromBase64(record.transaction));
  const compute = vmPhaseOf(transaction);
  const { inMessage } = transaction;
  const before = codeBefore(record);
  const code = before?.code ?? inMessage?.init?.code;
  if (compute === undefined || code == null) {
    return [];
  }
  const description = await described(code);
  return [
    {
      contract: description.called,
      ran: inMessage == null ? record.kind : messageWords(inMessage, description.messages),
      gas: Number(compute.gasUsed),
      opcode: inMessage == null ? undefined : opcodeOf(inMessage),
      ...{ code, data: before?.data ?? inMessage?.init?.data ?? undefined, record, transaction },
    },
  ];
}

function messageWords(
  { info, body }: Pick<Message, 'info' | 'body'>,
  names: ReturnType<typeof describeContract>['messages'],
): string {
  if (info.type !== 'internal') {
    return 'an external message';
  }
  if (info.bounced) {
    return 'a bounced message';
  }
  return nameOfBody(names, body) ?? opcodeOf({ info, body }) ?? 'a message without an opcode';
}

function opcodeOf({ info, body }: Pick<Message, 'info' | 'body'>): string | undefined {
  const slice = body.beginParse();
  return info.type !== 'internal' || info.bounced || slice.remainingBits < 32
    ? undefined
    : opcodeHex(slice.preloadUint(32));
}

/** What the project knows of a code, and if it is compiled only with trust, its names. */
type Described = ReturnType<typeof describeContract> & { called: string; map: SourceMap | undefined };

/** A code is described once. */
const known = perRun(() => new Map<string, Promise<Described>>());

function described(code: Cell): Promise<Described> {
  const codeHash = code.hash().toString('hex');
  const found = known().get(codeHash) ?? describe(code, codeHash);
  known().set(codeHash, found);
  return found;
}

async function describe(code: Cell, codeHash: string): Promise<Described> {
  const project = await projectWith(surroundings().folder, { codeHash });
  const description = describeContract({ code, codeHash }, project);
  const { map } = codeHash === treasuryCode ? {} : await sourceMapHere({ code, codeHash }, undefined, true);
  const short = codeHash === treasuryCode ? 'treasury' : `code ${codeHash.slice(0, 8)}`;
  return { ...description, called: description.name ?? map?.name ?? short, map };
}
