import { Address } from '@ton/core';
import type { Transaction } from '@ton/core';
import { shortAddress } from '../address/shortAddress';
import type { ExitSource } from '../contracts/exitCodes';
import { exitWords } from '../contracts/exitCodes';
import { formatTable } from '../base/formatTable';
import type { Recording } from '../recording/recording';
import type { MappedSteps } from '../sourceMap/mapSteps';
import { thrownText } from '../sourceMap/thrownAt';
import { fileName, shortenMiddle, visibleText } from '../base/text';
import { counted, formatCoins, formatInteger } from '../trace/figures';
import { failureAt } from './failureAt';
import type { ReplayInputs } from './replayInputs';
import type { FieldKind, Replay, ReplayVerdict } from './runReplay';
import { tvmVersions, versionsSentence } from './tvmVersions';
import { actionPhaseOf, computePhaseOf } from './replayErrors';

const verdicts: Readonly<Record<ReplayVerdict, string>> = {
  exact: 'Exact: the replayed transaction is identical, byte for byte.',
  'exact-state':
    'Exact state: the account ends in the same state, but other fields of the transaction differ.',
  'same-computation':
    'Same computation: exit code, gas, and actions are the same, but fees or balances differ.',
  diverged: 'Diverged: the replay behaved differently.',
};

/** What there is to say about a replay. */
export interface ReplayReport {
  inputs: ReplayInputs;
  replay: Replay;
  /** The changes as they were given; empty for a replay of what happened. */
  edits: readonly string[];
  /** The transaction was only rehearsed: there is nothing that it could agree with. */
  isRehearsal?: boolean | undefined;
  /** Its steps; undefined if no code ran. */
  recording: Recording | undefined;
  /** Their source lines, if they were looked for and are known. */
  lines?: MappedSteps | undefined;
  /** Requests made; 0 for a file. */
  requests: number;
  /** The account's name, if it has one. */
  name?: string | undefined;
  /** Names the exit codes of its code. */
  exits?: ExitSource | undefined;
}

/** Longest change in the first line, in characters: a cell can have megabytes. */
const longestEdit = 80;

/** The verdict as a sentence, with the first field that differs. With edits there is none: it did not happen. */
function replaySentence({
  replay,
  edits,
  isRehearsal,
}: Pick<ReplayReport, 'replay' | 'edits' | 'isRehearsal'>): string {
  if (edits.length > 0) {
    return `Edited: this did not happen. Changed: ${edits.map((edit) => visibleText(edit, longestEdit)).join(', ')}.`;
  }
  if (isRehearsal === true) {
    return 'Rehearsal: this has not happened.';
  }
  const [first] = replay.differences;
  return replay.verdict === 'diverged' && first !== undefined
    ? `${verdicts.diverged} First difference: ${first.field}, ${first.replayed ?? 'none'} instead of ${first.original ?? 'none'}.`
    : verdicts[replay.verdict];
}

/**
 * A replay for people: the verdict, the execution's figures, the line that threw, what differs, and what the result
 * rests on.
 * @param nameOf how files are named
 * @param accountName the name of an account by its raw address
 */
export function replayText(
  report: ReplayReport,
  nameOf: (file: string) => string = fileName,
  accountName: (address: string) => string | undefined = () => undefined,
): string {
  const { inputs, replay, requests, lines } = report;
  const thrown = lines && failureAt(lines, replay.replayed);
  const facts: [string, string][] = [
    // Nobody could look up the hash of what has not happened.
    ...(report.isRehearsal === true
      ? []
      : [['transaction', replay.original.hash().toString('hex')] as [string, string]]),
    ['account', report.name === undefined ? inputs.account : `${report.name}  ${inputs.account}`],
    inputs.seqno === undefined
      ? ['from', inputs.network]
      : [
          'block',
          `${inputs.network}, ${report.isRehearsal === true ? 'rehearsed for' : 'masterchain'} block ${inputs.seqno}`,
        ],
    ['result', resultText(report)],
    ['state before', stateText(inputs)],
    ...(requests === 0 ? [] : [['requests', formatInteger(requests)] as [string, string]]),
  ];
  const differences = shownDifferences(report, accountName);
  return [
    replaySentence(report),
    '',
    ...formatTable(facts, ['left', 'left']),
    ...(thrown === undefined ? [] : ['', ...thrownText(thrown, nameOf, accountName)]),
    ...[...versionsText(report), ...replayDoubts(report)].map((sentence) => `\n${sentence}`),
    ...(differences.length === 0
      ? []
      : [
          '',
          ...formatTable(
            [['', 'original', report.edits.length > 0 ? 'edited' : 'replay'], ...differences],
            ['left', 'left', 'left'],
          ),
        ]),
  ].join('\n');
}

/** Each field that differs, with both values as people read them: `['gas fee', '0.000058068 TON', 'none']`. */
export function shownDifferences(
  report: Pick<ReplayReport, 'replay' | 'exits'>,
  accountName: (address: string) => string | undefined,
): [field: string, original: string, replayed: string][] {
  return report.replay.differences.map(({ field, kind, original, replayed }) => [
    field,
    shown(kind, original, report, accountName),
    shown(kind, replayed, report, accountName),
  ]);
}

/** Which versions of the TVM give the same result, if the steps are recorded. */
function versionsText({ inputs, replay, recording, edits, isRehearsal }: ReplayReport): string[] {
  const versions = tvmVersions(replay, recording, {
    isEdited: edits.length > 0 || isRehearsal === true,
    isOurs: inputs.isOurs,
  });
  return versions === undefined ? [] : [versionsSentence(versions)];
}

/** Why the verdict may be worse than the engine, or an edited run less certain, as sentences. */
export function replayDoubts({ inputs, replay }: ReplayReport): string[] {
  return [
    ...(inputs.state.fidelity === 'exact'
      ? []
      : [
          'The service does not provide the exact state of an account, so the state was rebuilt from code, data, ' +
            'and balance: storage fees can differ.',
        ]),
    ...(inputs.lacksPreviousBlocks === true
      ? [
          'The code reads previous masterchain blocks, which the service did not give: it finds none in the replay.',
        ]
      : []),
    ...(inputs.missingLibraries.length === 0
      ? []
      : [`The network does not have these libraries: ${inputs.missingLibraries.join(', ')}.`]),
    ...(replay.divergedBefore === undefined
      ? []
      : [`The replay of an earlier transaction of the account already differs: ${replay.divergedBefore}.`]),
  ];
}

/** One line about a replay among others: the verdict, the account, the result, and the transaction's hash. */
export function replayLine(report: ReplayReport): string {
  const { inputs, replay, name } = report;
  const hash = replay.original.hash().toString('hex');
  return `${replay.verdict.replace('-', ' ').padEnd(16)}  ${hash}  ${name ?? inputs.account}  ${resultText(report)}`;
}

/** Where the state that it ran on came from. */
function stateText({ state, seqno, earlier, libraries }: ReplayInputs): string {
  const origin = state.fidelity === 'exact' ? 'exact' : 'put together from its parts';
  return [
    seqno === undefined ? `${origin}, as recorded` : `${origin}, at block ${seqno - 1}`,
    ...(earlier.length === 0 ? [] : [`then ${counted(earlier.length, 'earlier transaction')}`]),
    ...(libraries.length === 0 ? [] : [counted(libraries.length, 'library cell')]),
  ].join(', ');
}

function resultText({ replay, exits }: ReplayReport): string {
  const compute = computePhaseOf(replay.replayed);
  if (compute?.type !== 'vm') {
    return `code not run${compute === undefined ? '' : `: ${compute.reason}`}`;
  }
  return (
    `exit code ${exitText(compute.exitCode, exits)}${failedActionsText(replay.replayed)}, ${formatInteger(compute.gasUsed)} gas, ` +
    `${formatInteger(compute.vmSteps)} steps, gas fee ${formatCoins(compute.gasFees)} TON`
  );
}

/** `, but its actions failed with 37 (not enough coins)`; empty if they did not. */
export function failedActionsText(transaction: Pick<Transaction, 'description'>): string {
  const action = actionPhaseOf(transaction);
  return action === undefined || action.success
    ? ''
    : `, but its actions failed with ${action.resultCode} (${exitWords(action.resultCode, 'action')})`;
}

/** `402 (ERR_OVER_LIMIT)`; `0` for success. */
export function exitText(code: number, exits: ExitSource | undefined): string {
  return code === 0 ? '0' : `${code} (${exitWords(code, 'compute', exits)})`;
}

/** A field of the table, which has room for the beginnings and ends of hashes only. */
function shown(
  kind: FieldKind,
  value: string | undefined,
  { exits }: Pick<ReplayReport, 'exits'>,
  accountName: (address: string) => string | undefined,
): string {
  if (value === undefined) {
    return 'none';
  }
  switch (kind) {
    case 'number':
      return formatInteger(BigInt(value));
    case 'coins':
      return `${formatCoins(BigInt(value))} TON`;
    case 'exit code':
      return exitText(Number(value), exits);
    case 'hash':
      return shortenMiddle(value);
    case 'address':
      return accountName(Address.parse(value).toRawString()) ?? shortAddress(value);
    case 'words':
      return value;
  }
}
