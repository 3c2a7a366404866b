import { Cell, loadShardAccount } from '@ton/core';
import type { Recording } from '../recording/recording';
import { instructionAt, stackTextAt } from '../recording/recording';
import { readTopValues, readTryHandler } from '../recording/vmValue';
import type { Replay } from './runReplay';
import { vmPhaseOf } from './replayErrors';

/** The newest version of TVM and rules (parameter 8 of the configuration) that the engine implements. */
export const engineVersion = 12;
/** What later versions changed is known up to this one. */
const newestVersion = 15;

/** Which versions of TVM and rules give the result of a replay. */
export interface TvmVersions {
  /** Those that do, ascending: the one that it ran under, and later ones. */
  same: readonly number[];
  /** The network's: parameter 8. */
  network: number;
  /** What the execution used that a later version changed; empty if nothing. */
  changes: readonly VersionChange[];
}

interface VersionChange {
  /** The version that changed it. */
  version: number;
  /** Such as `ECRECOVER with v 27 or 28 (step 31)`. */
  what: string;
}

/**
 * Works out from the instructions and cases that were really used which versions give the same result: those after the
 * engine's whose changes the execution did not touch. The network's own version gave the original, so it is among them
 * if the replay is exact. Undefined if code ran whose steps were not recorded.
 */
export function tvmVersions(
  replay: Pick<Replay, 'verdict' | 'replayed' | 'config'> & Partial<Pick<Replay, 'stateBefore'>>,
  recording: Recording | undefined,
  isEdited = false,
): TvmVersions | undefined {
  if (recording === undefined && vmPhaseOf(replay.replayed) !== undefined) {
    return undefined;
  }
  const network = replay.config.version;
  const own = Math.min(network, engineVersion);
  // What changed up to the engine's version, it does itself, but as one version: the network's.
  const changes = own < engineVersion ? [] : [...instructionChanges(recording), ...caseChanges(replay)];
  const first = Math.min(...changes.map(({ version }) => version), newestVersion + 1);
  const later = own < engineVersion ? own : first - 1;
  const same = new Set(Array.from({ length: later - own + 1 }, (_, index) => own + index));
  if (replay.verdict === 'exact' && !isEdited) {
    same.add(network);
  }
  return { same: [...same].sort((one, other) => one - other), network, changes };
}

/** {@link TvmVersions} as a sentence. */
export function versionsSentence({ same, network, changes }: TvmVersions): string {
  const versions = same.length === 1 ? `TVM version ${same.join()}` : `TVM versions ${listed(same)}`;
  const why = same.includes(network)
    ? ''
    : network > newestVersion
      ? ` The network runs version ${network}, whose changes are not known here.`
      : ` The network runs version ${network}, and may give another result.`;
  const used = changes.length === 0 ? '' : ` Later versions changed: ${changes.map(changeText).join('; ')}.`;
  return `${versions} ${same.length === 1 ? 'gives' : 'give'} this result.${why}${used}`;
}

function changeText({ version, what }: VersionChange): string {
  return `${what}, in ${version}`;
}

function listed(numbers: readonly number[]): string {
  return numbers.length < 3
    ? numbers.join(' and ')
    : `${numbers.slice(0, -1).join(', ')}, and ${numbers.at(-1)}`;
}

/** Instructions that later versions changed; most only for certain operands. */
const changed =
  /[A-Z]*(?:[LR]SHIFT|POW2)|Q?(?:AND|OR|XOR|NOT)\b|SENDMSG|RIST255_Q?MUL\b|ECRECOVER|CHKSIGN[US]|SETCONTCTR|SETRETCTR|SETALTCTR|SAVE(?:ALT|BOTH)?(?:CTR)? |SETLIBCODE|CHANGELIB/y;
/** Ed25519 public keys that are refused since version 14, as integers: zero, and the one that encodes the identity. */
const refusedKeys: ReadonlySet<bigint> = new Set([0n, 1n << 248n]);
/** Exceptions of the VM. */
const [rangeCheck, typeCheck] = [5, 7];

function instructionChanges(recording: Recording | undefined): VersionChange[] {
  if (recording === undefined) {
    return [];
  }
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
    const change = name === undefined ? undefined : changeAt(recording, step, name);
    if (change !== undefined && !found.has(change.what)) {
      found.set(change.what, { ...change, what: `${change.what} (step ${step + 1})` });
    }
  }
  return [...found.values()];
}

function changeAt(recording: Recording, step: number, name: string): VersionChange | undefined {
  const stack = stackTextAt(recording, step);
  switch (name) {
    case 'SENDMSG':
      return { version: 14, what: 'the fee that SENDMSG estimates' };
    case 'RIST255_MUL':
    case 'RIST255_QMUL':
      return { version: 14, what: 'RIST255_MUL of the identity' };
    case 'ECRECOVER': {
      const [, v] = readTopValues(stack, 4);
      return v?.type === 'int' && (v.value === 27n || v.value === 28n)
        ? { version: 14, what: 'ECRECOVER with v 27 or 28' }
        : undefined;
    }
    case 'CHKSIGNU':
    case 'CHKSIGNS': {
      const [key] = readTopValues(stack, 1);
      return key?.type === 'int' && refusedKeys.has(key.value)
        ? { version: 14, what: `signatures of the ${key.value === 0n ? 'zero' : 'identity'} key` }
        : undefined;
    }
    case 'SETCONTCTR':
    case 'SETRETCTR':
    case 'SETALTCTR':
      return mayFillAgain(instructionAt(recording, step), stack)
        ? { version: 14, what: 'setting a register of a continuation that has one already' }
        : undefined;
    case 'SETLIBCODE':
    case 'CHANGELIB':
      return { version: 15, what: 'who may change a library' };
    default:
      return name.startsWith('SAVE')
        ? savedAgain(recording, step)
        : arithmeticChange(recording, step, name, stack);
  }
}

/** The register is filled if the instruction fails: later versions leave it as it is. */
function savedAgain(recording: Recording, step: number): VersionChange | undefined {
  return failsWith(recording, step, typeCheck)
    ? { version: 14, what: 'saving a register that is saved already' }
    : undefined;
}

/** Shifts and logic: NaN operands, and shifts out of range by quiet instructions. */
function arithmeticChange(
  recording: Recording,
  step: number,
  name: string,
  stack: string,
): VersionChange | undefined {
  const isPlain = /^Q?(?:[LR]SHIFT|POW2|AND|OR|XOR|NOT)$/.test(name);
  if (stack.includes('NaN') && readTopValues(stack, isPlain ? 2 : 4).some(({ type }) => type === 'nan')) {
    return { version: 13, what: `NaN operands of ${name}` };
  }
  return name.startsWith('Q') && failsWith(recording, step, rangeCheck)
    ? { version: isPlain ? 13 : 14, what: `a shift out of range by ${name}` }
    : undefined;
}

/** Whether the instruction of a step throws this by itself: the exception is a step of its own. */
function failsWith({ exceptions }: Recording, step: number, code: number): boolean {
  return exceptions.some((exception) => exception.step === step + 1 && exception.code === code);
}

/** Whether a SETCONTCTR… may set a register that the continuation on top of the stack brings along already. */
function mayFillAgain(instruction: string, stack: string): boolean {
  const text = stack.trimEnd();
  const handler = readTryHandler(text.slice(text.lastIndexOf(' ') + 1));
  const [, mask] = /^SETCONTCTRMANY (\d+)$/.exec(instruction) ?? [];
  const [, register] = / c(\d+)$/.exec(instruction) ?? [];
  if (handler === undefined || (mask === undefined && register === undefined)) {
    return true;
  }
  return [...handler.registers].some((one) =>
    mask === undefined ? one === Number(register) : ((Number(mask) >> one) & 1) === 1,
  );
}

/** What version 15 allows all messages of a transaction together, unless parameter 43 says otherwise. */
const [mostMessageBits, mostMessageCells] = [5_242_880n, 20_480n];

function hasPrivateLibraries(shardAccount: string): boolean {
  const { account } = loadShardAccount(Cell.fromBase64(shardAccount).beginParse());
  const state = account?.storage.state;
  return state?.type === 'active' && (state.state.libraries?.size ?? 0) > 0;
}

/** Result codes of the action phase for an invalid source address, and for libraries. */
const laterIgnored = new Set([35, 41, 42, 43]);

/** Cases of the transaction around the execution that later versions changed. */
function caseChanges({
  replayed,
  stateBefore,
}: Pick<Replay, 'replayed'> & Partial<Pick<Replay, 'stateBefore'>>): VersionChange[] {
  const { description, oldStatus, endStatus, inMessage } = replayed;
  const action = 'actionPhase' in description ? description.actionPhase : undefined;
  const bounce = 'bouncePhase' in description ? description.bouncePhase : undefined;
  const storage = 'storagePhase' in description ? description.storagePhase : undefined;
  const extra = inMessage?.info.type === 'internal' ? (inMessage.info.value.other?.size ?? 0) : 0;
  const cases: [applies: boolean, version: number, what: string][] = [
    [oldStatus === 'frozen' || endStatus === 'frozen', 13, 'the final status of frozen accounts'],
    [
      (action?.skippedActions ?? 0) > 0 || laterIgnored.has(action?.resultCode ?? 0),
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
    [stateBefore !== undefined && hasPrivateLibraries(stateBefore), 15, "the account's own libraries"],
  ];
  return cases.filter(([applies]) => applies).map(([, version, what]) => ({ version, what }));
}
