import type { Transaction } from '@ton/core';
import { shortAddress } from '../address/shortAddress';
import type { StorageLayout } from '../contracts/layouts/layoutSet';
import { exitWords } from '../contracts/exitCodes';
import { opcodeHex } from '../contracts/opcodes/opcodes';
import { followRegisters } from '../recording/followRegisters';
import { missingStepsNotes } from '../recording/recording';
import { failedActionOf } from '../replay/failureAt';
import { exitText, replayDoubts } from '../replay/replayReport';
import type { ReplayReport } from '../replay/replayReport';
import { startRegisters } from '../replay/startRegisters';
import { actionPhaseOf, computePhaseOf } from '../replay/replayErrors';
import type { MappedSteps } from '../sourceMap/mapSteps';
import { visibleText } from '../base/text';
import { formatCoins } from '../trace/figures';
import type { AccountNames } from './debugValue';
import type { DebugRun } from './debugProgram';
import { constantsOf } from './globalOf';
import { storageReader } from './storageReader';
import type { MessageNames } from '../contracts/opcodes/decodeBody';
import { nameOfBody } from '../contracts/opcodes/decodeBody';

/** What is known about a replay besides its report. */
export interface ReplayKnowledge {
  lines: MappedSteps | undefined;
  /** The layout of the contract's data. */
  storage: StorageLayout | undefined;
  /** Names of the contract's messages. */
  messages: MessageNames | undefined;
  nameOf: AccountNames;
  /** What the project calls the contract. */
  contract?: string | undefined;
  /** What is uncertain about its lines, as sentences. */
  notes?: readonly string[];
}

/** A replayed transaction as a debug session shows it. */
export function replayRun(report: ReplayReport, knowledge: ReplayKnowledge): DebugRun {
  const { inputs, replay, recording, exits } = report;
  const { lines, storage, notes = [] } = knowledge;
  return {
    recording,
    lines,
    registers: recording && followRegisters(recording, startRegisters(inputs, replay, recording)),
    cause: causeText(report, knowledge),
    failure: failureText(replay.replayed),
    failedStep: recording && failedActionOf(recording, replay.replayed),
    exitText: (code) => exitText(code, exits),
    constants: constantsOf(exits?.errors),
    readStorage: storageReader(storage),
    contract: knowledge.contract,
    transaction: replay.replayed,
    notes: [
      ...notes,
      ...missingStepsNotes(recording),
      ...replayDoubts(report),
      ...(replay.verdict === 'diverged' && report.edits.length === 0 && report.isRehearsal !== true
        ? ['The replay differs from what the network did: what you see did not happen exactly like this.']
        : []),
      ...(report.edits.length > 0
        ? [`Edited: this did not happen. Changed: ${report.edits.join(', ')}.`]
        : []),
    ],
  };
}

/** `alice → counter: Increase, 1 TON` */
function causeText({ inputs, replay, name }: ReplayReport, { messages, nameOf }: ReplayKnowledge): string {
  const named = (address: string): string => visibleText(nameOf(address) ?? shortAddress(address));
  const to = visibleText(name ?? named(inputs.account));
  const { inMessage, description } = replay.replayed;
  if (inMessage == null) {
    return description.type === 'tick-tock'
      ? `the masterchain → ${to}: ${description.isTock ? 'tock' : 'tick'}`
      : to;
  }
  const { info, body } = inMessage;
  const slice = body.beginParse();
  const opcode = slice.remainingBits >= 32 ? slice.preloadUint(32) : undefined;
  const message = nameOfBody(messages ?? new Map(), body);
  const what =
    message !== undefined
      ? visibleText(message)
      : opcode === undefined
        ? 'a message without an opcode'
        : opcode === 0
          ? 'a comment'
          : opcodeHex(opcode);
  switch (info.type) {
    case 'internal':
      return `${named(info.src.toRawString())} → ${to}: ${info.bounced ? 'a bounced message' : what}, ${formatCoins(info.value.coins)} TON`;
    default:
      return `from outside → ${to}: an external message`;
  }
}

function failureText(transaction: Transaction): string | undefined {
  const compute = computePhaseOf(transaction);
  if (compute?.type === 'skipped') {
    return `No code ran: ${compute.reason}.`;
  }
  const action = actionPhaseOf(transaction);
  return action === undefined || action.success
    ? undefined
    : `The code succeeded, but its actions failed with result code ${action.resultCode} (${exitWords(action.resultCode, 'action')}).`;
}
