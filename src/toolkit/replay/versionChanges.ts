import type { Transaction } from '@ton/core';
import { Cell, loadShardAccount } from '@ton/core';
import { loadAnyMessage } from '../cell/loadFolded';
import { actionTags } from '../contracts/opcodes/walletCodes';
import type { Recording } from '../recording/recording';
import { instructionAt, stackTextAt } from '../recording/recording';
import type { VmValue } from '../recording/vmValue';
import { readTopValues } from '../recording/vmValue';
import { actionPhaseOf } from './replayErrors';

/** Something that an execution used, and that a version after the engine's changed. */
export interface VersionChange {
  /** The version that changed it. */
  version: number;
  /** Such as `ECRECOVER with v 27 or 28 (step 31)`. */
  what: string;
}

/** An execution as the engine ran it. Cells are BoCs in base64. */
export interface EngineRun {
  transaction: Transaction;
  /** Its steps; undefined if no code ran. */
  recording: Recording | undefined;
  /** The account right before it: ShardAccount. */
  stateBefore: string;
  outcome: {
    /** The account afterward: ShardAccount. */
    shardAccount: string;
    /** The list of actions (c5). */
    actions: string | null;
  };
}

/**
 * What an execution under the rules of version 12 used of what the versions 13 to 15 changed: the first of each kind,
 * with its step. Empty if all of them give the same result. Rules: doc/GlobalVersions.md of ton-blockchain/ton.
 */
export function versionChanges(run: EngineRun): VersionChange[] {
  return [
    ...(run.recording === undefined ? [] : instructionChanges(run.recording, run)),
    ...caseChanges(run),
  ];
}

/**
 * Instructions that later versions changed, as the VM's log names them: it leaves out the Q of quiet ones, and names
 * compound shifts by their kind.
 */
const changed =
  /(?:[LR]SHIFT|POW2|AND|OR|SENDMSG|RIST255_MUL|ECRECOVER|CHKSIGN[US])\b|(?:SHR|MULSHR|SHLDIV)\/MOD|SET(?:CONT|RET|ALT)CTR|SAVE(?:ALT)?CTR|SETLIBCODE|CHANGELIB/y;
/** Ed25519 public keys that are refused since version 14, as integers: zero, and the one that encodes the identity. */
const refusedKeys: ReadonlySet<bigint> = new Set([0n, 1n << 248n]);
/** The order of the Ristretto group. */
const ristrettoOrder = (1n << 252n) + 27_742_317_777_372_353_535_851_937_790_883_648_493n;
/** Exceptions of the VM. */
const [rangeCheck, typeCheck] = [5, 7];

function instructionChanges(recording: Recording, run: EngineRun): VersionChange[] {
  const { log, instruction, steps, stepsMissing } = recording;
  if (stepsMissing > 0) {
    return [
      { version: 13, what: `perhaps something in the first ${stepsMissing} steps, which are not in the log` },
    ];
  }
  const found = new Map<string, VersionChange>();
  for (let step = 0; step < steps; step += 1) {
    changed.lastIndex = instruction[2 * step] ?? 0;
    const [name] = changed.exec(log) ?? [];
    const change = name === undefined ? undefined : changeAt(recording, step, name, run);
    if (change !== undefined && !found.has(change.what)) {
      found.set(change.what, { ...change, what: `${change.what} (step ${step + 1})` });
    }
  }
  return [...found.values()];
}

function changeAt(
  recording: Recording,
  step: number,
  name: string,
  run: EngineRun,
): VersionChange | undefined {
  const top = (count: number): VmValue[] => readTopValues(stackTextAt(recording, step), count);
  switch (name) {
    case 'SENDMSG': {
      const [message] = top(2);
      return message?.type === 'cell' && !hasOwnFees(message.cell)
        ? undefined
        : { version: 14, what: 'the fee that SENDMSG estimates for a message with fees of its own' };
    }
    case 'RIST255_MUL': {
      const [point, factor] = top(2);
      const isKnown = point?.type === 'int' && factor?.type === 'int';
      const isIdentity = isKnown && (point.value === 0n || factor.value % ristrettoOrder === 0n);
      return isIdentity && (point.value !== 0n || factor.value !== 0n)
        ? { version: 14, what: 'RIST255_MUL whose result is the identity' }
        : undefined;
    }
    case 'ECRECOVER': {
      const [, v] = top(4);
      return v?.type === 'int' && (v.value === 27n || v.value === 28n)
        ? { version: 14, what: 'ECRECOVER with v 27 or 28' }
        : undefined;
    }
    case 'CHKSIGNU':
    case 'CHKSIGNS': {
      const [key] = top(1);
      return key?.type === 'int' && refusedKeys.has(key.value)
        ? { version: 14, what: `signatures of the ${key.value === 0n ? 'zero' : 'identity'} key` }
        : undefined;
    }
    case 'SETLIBCODE':
    case 'CHANGELIB':
      return { version: 15, what: 'who may change a library' };
    default:
      return /^S(?:ET|AVE)/.test(name)
        ? registerChange(recording, step, top)
        : arithmeticChange(recording, step, name, { run, top });
  }
}

/** Whether a message says a forwarding or IHR fee: the network sets both, so it can be anything. */
function hasOwnFees(cell: Cell): boolean {
  const message = loadAnyMessage(cell);
  return message === undefined || (message.info.type === 'internal' && message.info.forwardFee > 0n);
}

/** A register that is filled already: the instruction failed, and leaves it as it is in later versions. */
function registerChange(
  recording: Recording,
  step: number,
  top: (count: number) => VmValue[],
): VersionChange | undefined {
  const instruction = instructionAt(recording, step);
  if (!failsWith(recording, step, typeCheck) || !isFit(instruction, top)) {
    return undefined;
  }
  return { version: 14, what: 'setting a register of a continuation that has one already' };
}

/** Whether the value of an instruction that sets a register is of the register's type: if not, it fails for ever. */
function isFit(instruction: string, top: (count: number) => VmValue[]): boolean {
  const [, register] = / c(\d+)$/.exec(instruction) ?? [];
  const isByIndex = instruction === 'SETCONTCTRX';
  if (instruction.startsWith('SAVE') || instruction.startsWith('SETCONTCTRMANY')) {
    // The registers' own values.
    return true;
  }
  const values = top(isByIndex ? 3 : instruction.startsWith('SETCONTCTR') ? 2 : 1);
  const [value] = values;
  const last = values.at(-1);
  const index = isByIndex ? (last?.type === 'int' ? Number(last.value) : -1) : Number(register);
  const type = index < 4 ? 'continuation' : index === 7 ? 'tuple' : 'cell';
  return value === undefined || value.type === type || value.type === 'unknown';
}

/** Shifts and logic: operands that are not numbers, and shifts out of range by quiet instructions. */
function arithmeticChange(
  recording: Recording,
  step: number,
  name: string,
  { run, top }: { run: EngineRun; top: (count: number) => VmValue[] },
): VersionChange | undefined {
  if (failsWith(recording, step, rangeCheck)) {
    const quiet = isQuiet(recording, step, run);
    const version = /^(?:SHR|MULSHR)/.test(name) ? 14 : 13;
    return quiet === false
      ? undefined
      : { version, what: `${quiet === true ? 'a' : 'perhaps a'} quiet shift out of range by ${name}` };
  }
  const instruction = instructionAt(recording, step);
  const [, kind, shift] = /\/MOD (\d+),(-?\d+)$/.exec(instruction) ?? [];
  const operation = Number(kind ?? 4) >> 2;
  const isConstant = kind === undefined ? /\d$/.test(instruction) : shift !== '-1';
  const operands =
    (name === 'POW2' || name.startsWith('SHR') ? 1 : 2) +
    (kind === undefined ? 0 : (name.startsWith('SHLDIV') ? 0 : 1) + (operation === 0 ? 1 : 0)) -
    (isConstant ? 1 : 0);
  const isNan = ({ type }: VmValue): boolean => type === 'nan';
  if (!top(Math.max(1, operands)).some(isNan) || recording.exceptions.some((one) => one.step === step + 1)) {
    return undefined;
  }
  // Later versions give nothing but NaN, or throw.
  const results = kind !== undefined && operation % 3 === 0 ? 2 : 1;
  return step + 1 < recording.steps && readTopValues(stackTextAt(recording, step + 1), results).every(isNan)
    ? undefined
    : { version: 13, what: `operands of ${name} that are not numbers` };
}

/** Whether the instruction of a step throws this by itself: the exception is a step of its own. */
function failsWith({ exceptions }: Recording, step: number, code: number): boolean {
  return exceptions.some((exception) => exception.step === step + 1 && exception.code === code);
}

/** Cells of a code that are looked at. */
const mostCells = 5_000;

/** Whether the instruction of a step is a quiet one; undefined if its code is not the account's or the message's. */
function isQuiet({ cells, cell, offset }: Recording, step: number, run: EngineRun): boolean | undefined {
  const hash = cells[cell[step] ?? -1];
  const state = loadShardAccount(Cell.fromBase64(run.stateBefore).beginParse()).account?.storage.state;
  const own = state?.type === 'active' ? state.state.code : undefined;
  const queue = [own, run.transaction.inMessage?.init?.code].filter((one) => one != null);
  const seen = new Set<string>();
  for (let next = queue.pop(); next !== undefined && seen.size < mostCells; next = queue.pop()) {
    const found = next.hash().toString('hex');
    if (found === hash) {
      const at = offset[step] ?? 0;
      return next.bits.length >= at + 8 && next.beginParse(true).skip(at).loadUint(8) === 0xb7;
    }
    if (!seen.has(found)) {
      seen.add(found);
      queue.push(...next.refs);
    }
  }
  return undefined;
}

/** What version 15 allows all messages of a transaction together, unless parameter 43 says otherwise. */
const [mostMessageBits, mostMessageCells] = [5_242_880n, 20_480n];
/** Result codes of the action phase: invalid or unsupported action, invalid source address, and libraries. */
const laterIgnored = new Set([34, 35, 41, 42, 43]);

/** Cases of the transaction around the execution that later versions changed. */
function caseChanges({ transaction, stateBefore, outcome }: EngineRun): VersionChange[] {
  const { description, oldStatus, endStatus, inMessage } = transaction;
  const action = actionPhaseOf(transaction);
  const bounce = 'bouncePhase' in description ? description.bouncePhase : undefined;
  const storage = 'storagePhase' in description ? description.storagePhase : undefined;
  const extra = inMessage?.info.type === 'internal' ? (inMessage.info.value.other?.size ?? 0) : 0;
  const before = loadShardAccount(Cell.fromBase64(stateBefore).beginParse()).account?.storage.state;
  const cases: [applies: boolean, version: number, what: string][] = [
    [
      // The account's hash is its address, so it is stored as an account without a state.
      endStatus === 'frozen' && statusOf(outcome.shardAccount) === 'uninit',
      13,
      'the final status of an account that freezes in the state of its address',
    ],
    [
      laterIgnored.has(action?.resultCode ?? 0) && mayBeIgnored(outcome.actions, action?.resultArg ?? 0),
      13,
      'which invalid actions are left out',
    ],
    [bounce != null && extra > 0, 13, 'the forward fee of bounced extra currencies'],
    [storage?.statusChange === 'deleted', 13, 'the mark of accounts deleted because of storage fees'],
    [bounce != null && action?.success === false, 14, 'the value that bounces after failed actions'],
    [
      action?.success === false && action.messagesCreated > 0,
      15,
      'the fine for messages before the action that failed',
    ],
    [
      (action?.totalMessageSize.bits ?? 0n) > mostMessageBits ||
        (action?.totalMessageSize.cells ?? 0n) > mostMessageCells,
      15,
      'the size of all messages of a transaction',
    ],
    [
      (inMessage?.init?.libraries?.size ?? 0) > 0 && oldStatus !== 'active',
      15,
      'deploying an account with libraries',
    ],
    [before?.type === 'active' && (before.state.libraries?.size ?? 0) > 0, 15, "the account's own libraries"],
  ];
  return cases.filter(([applies]) => applies).map(([, version, what]) => ({ version, what }));
}

function statusOf(shardAccount: string): string | undefined {
  return loadShardAccount(Cell.fromBase64(shardAccount).beginParse()).account?.storage.state.type;
}

/** Flag of an action's mode: it is left out if it fails. */
const ignoreErrors = 2;

/** Whether an action of the list says that it is left out if it fails. @param index of all, the first one is 0 */
function mayBeIgnored(actions: string | null, index: number): boolean {
  const modes: number[] = [];
  // out_list$_ prev:^(OutList n) action:OutAction: the last action is the outermost.
  for (let list = actions === null ? undefined : Cell.fromBase64(actions); list !== undefined;) {
    const [previous] = list.refs;
    if (list.bits.length < 40 || previous === undefined) {
      break;
    }
    const slice = list.beginParse();
    const tag = slice.loadUint(32);
    // SETCODE has no mode, and a change of a library has one with another meaning.
    const hasMode = tag === actionTags.sendMessage || tag === actionTags.reserve;
    modes.unshift(hasMode ? slice.loadUint(8) : 0);
    list = previous;
  }
  const mode = modes[index];
  return mode === undefined || (mode & ignoreErrors) !== 0;
}
