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

/** The gas that tests used, as the sandbox told them. */
export async function testGas(recordings: Iterable<TestRecording>): Promise<GasRow[]> {
  const used = new Map<string, { contract: string; ran: string; gas: number[] }>();
  for (const recording of recordings) {
    for (const record of recording.records) {
      const one = await gasOf(recording, record);
      if (one !== undefined) {
        const key = JSON.stringify([one.contract, one.ran]);
        const known = used.get(key) ?? { contract: one.contract, ran: one.ran, gas: [] };
        known.gas.push(one.gas);
        used.set(key, known);
      }
    }
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

/** Undefined if no code ran, or if the sandbox does not say what it used. */
async function gasOf(
  recording: TestRecording,
  record: TestRecord,
): Promise<{ contract: string; ran: string; gas: number } | undefined> {
  if (record.kind === 'get') {
    const code = Cell.fromBase64(recording.blob(record.code));
    const description = await described(code);
    return record.gas === undefined
      ? undefined
      : {
          contract: description.called,
          ran: recordWords(record, description, description.map),
          gas: Number(record.gas),
        };
  }
  if (record.transaction === undefined) {
    return undefined;
  }
  const transaction = loadAnyTransaction(Cell.fromBase64(record.transaction));
  const compute = vmPhaseOf(transaction);
  const code = codeBefore(record)?.code ?? transaction.inMessage?.init?.code;
  if (compute === undefined || code == null) {
    return undefined;
  }
  const description = await described(code);
  const { inMessage } = transaction;
  return {
    contract: description.called,
    ran: inMessage == null ? record.kind : messageWords(inMessage, description.messages),
    gas: Number(compute.gasUsed),
  };
}

function messageWords(
  { info, body }: NonNullable<ReturnType<typeof loadAnyTransaction>['inMessage']>,
  names: ReturnType<typeof describeContract>['messages'],
): string {
  if (info.type !== 'internal') {
    return 'an external message';
  }
  if (info.bounced) {
    return 'a bounced message';
  }
  const slice = body.beginParse();
  return (
    nameOfBody(names, body) ??
    (slice.remainingBits < 32 ? 'a message without an opcode' : opcodeHex(slice.preloadUint(32)))
  );
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
