import * as vscode from 'vscode';
import type { ExecutionTarget } from '../../commandTargets';
import { runCommand } from '../../contributions';
import { plainName } from '../../toolkit/contracts/abi/projectContract';
import { sourceLanguage } from '../../toolkit/contracts/abi/sourceLanguage';
import { contractName } from '../../toolkit/build/readBuiltContract';
import { gasWords } from '../../toolkit/gas/gasWords';
import { contractRuns } from '../../toolkit/gas/messageGas';
import { clockTime, fileName } from '../../toolkit/base/text';
import { counted } from '../../toolkit/trace/figures';
import { sourceAnswers } from '../getMethods/copyCallCommand';
import type { OpenTrace } from '../traces/openTraces';
import { originText } from '../traces/openTraces';
import type { ReplayServices } from './replays';
import { replayTitle } from './showReplay';

/** Traces that are searched; the newest ones. */
const mostTraces = 200;
/** Runs of a contract that are offered; the newest ones. */
const mostRuns = 50;

/** A run that this window knows of, to be run again. */
export interface KnownRun {
  /** Name of the contract. */
  contract: string;
  /** Name of the message; undefined for get-methods, and for messages without one. */
  message?: string | undefined;
  /** The same for runs of the same message or get-method. */
  what: string;
  label: string;
  description: string;
  target: ExecutionTarget;
}

/**
 * The runs of the contract in a file, the newest first: transactions and rehearsals of the listed traces, the last
 * answers of get-methods, and edited replays. Of a file without runs, which others may import, those of all contracts.
 */
export async function knownRuns(services: ReplayServices, file: vscode.Uri): Promise<KnownRun[]> {
  const contracts = await services.project.list();
  const path = vscode.workspace.asRelativePath(file);
  const inFile = contracts.filter((one) => one.file === path).map(({ name }) => name);
  const own = new Set([...inFile, contractName(fileName(file.path))].map(plainName));
  const all = [
    ...replayRuns(services),
    ...[...services.traces.list(), ...((await services.traces.recent?.()) ?? [])]
      .sort((one, other) => timeOf(other) - timeOf(one))
      .slice(0, mostTraces)
      .flatMap((trace) => traceRuns(services, trace, contracts)),
    ...[...new Set(contracts.map(({ name }) => plainName(name)))].flatMap((name) => callRuns(services, name)),
  ];
  const ofOwn = all.filter(({ contract }) => own.has(plainName(contract)));
  return (ofOwn.length > 0 ? ofOwn : all).slice(0, mostRuns);
}

/** When it began: Unix seconds; what has no time yet is the newest. */
function timeOf({ model }: OpenTrace): number {
  return model.nodes[0]?.transaction?.now ?? Number.MAX_SAFE_INTEGER;
}

function traceRuns(
  { project }: ReplayServices,
  trace: OpenTrace,
  contracts: Parameters<typeof contractRuns>[1],
): KnownRun[] {
  const canRun = trace.status !== 'rehearsal' || trace.inputsOf !== undefined;
  if (!canRun) {
    return [];
  }
  const runs = contractRuns(trace.model, contracts, (hash) => project.chosen(hash));
  return runs.flatMap(({ node, contract, message, gas, hasFailed }) => {
    if (node.hash === undefined) {
      return [];
    }
    const now = node.transaction?.now;
    const words = [
      gasWords(gas, undefined),
      hasFailed ? 'failed' : '',
      now == null ? '' : clockTime(now),
      originText(trace.origin),
    ];
    return [
      {
        ...{ contract, message },
        what: `${contract} ${message ?? ''}${hasFailed ? ' failed' : ''}`,
        label: `$(${hasFailed ? 'error' : 'mail'}) ${message ?? 'message'} to ${contractName(contract)}`,
        description: words.filter((word) => word !== '').join('  '),
        target: { key: trace.key, index: node.index },
      },
    ];
  });
}

function callRuns(services: ReplayServices, contract: string): KnownRun[] {
  const answers = sourceAnswers(services).ofContract(contract);
  return answers.map(({ contract: name, method, typed, stack, gas, at, network, address, block }) => ({
    contract: name,
    what: `${name} ${method}()`,
    label: `$(play) ${method}(${typed ?? stack}) on ${contractName(name)}`,
    description: [
      ...(gas === null ? [] : [gasWords(gas, undefined)]),
      clockTime(Math.floor(at / 1000)),
      network,
    ].join('  '),
    target: { network, address, method, stack, ...(block === undefined ? {} : { block }) },
  }));
}

/** What happened is in the traces. */
function replayRuns({ replays }: ReplayServices): KnownRun[] {
  return replays.list().flatMap((replay) => {
    const { contract, report, key } = replay;
    return contract === undefined || report.edits.length === 0
      ? []
      : [
          {
            contract,
            what: key,
            label: `$(edit) ${replayTitle(replay)}`,
            description: report.edits.join(', '),
            target: { replay: key },
          },
        ];
  });
}

/**
 * The executions that a command is about: the given one, or one of the last runs of the contract in the given source,
 * else in the editor's; or all of these runs, unless the command takes only one.
 *
 * @returns undefined if the user canceled; an undefined target is asked for later
 */
export async function chooseTargets(
  services: ReplayServices,
  title: string,
  given: ExecutionTarget | vscode.Uri | undefined,
  { one = false }: { one?: boolean } = {},
): Promise<readonly (ExecutionTarget | undefined)[] | undefined> {
  if (given !== undefined && !isUri(given)) {
    return [given];
  }
  const file = given ?? vscode.window.activeTextEditor?.document.uri;
  if (file?.scheme !== 'file' || sourceLanguage(file.path) === undefined) {
    return [undefined];
  }
  let runs = await knownRuns(services, file);
  if (runs.length === 0) {
    const next = await explainNoRuns();
    runs = next === 'run' ? await knownRuns(services, file) : [];
    if (runs.length === 0) {
      return next === 'enter' ? [undefined] : undefined;
    }
  }
  if (runs.length === 1) {
    return [runs[0]!.target];
  }
  const last = runs.filter((run, index) => runs.findIndex(({ what }) => what === run.what) === index);
  const all = {
    label: `$(checklist) The last run of each: ${counted(last.length, 'run')}`,
    description: '',
    targets: last.map(({ target }) => target),
  };
  const items = [
    ...runs.map(({ label, description, target }) => ({ label, description, targets: [target] })),
    { label: '$(search) A transaction by its hash…', description: '', targets: [undefined] },
  ];
  const picked = await vscode.window.showQuickPick(one || last.length < 2 ? items : [all, ...items], {
    title,
    placeHolder: 'Choose the run',
    matchOnDescription: true,
  });
  return picked?.targets;
}

/** Tells that there is nothing to choose from, and does what the user chooses: then there may be. */
async function explainNoRuns(): Promise<'run' | 'enter' | undefined> {
  const [run, enter] = ['Run Get-Method…', 'Enter a Hash…'];
  const choice = await vscode.window.showInformationMessage(
    'No run of this contract is known in this window yet. Send it a message or run a get-method first.',
    run,
    enter,
  );
  if (choice !== run) {
    return choice === enter ? 'enter' : undefined;
  }
  await runCommand(vscode.commands, 'tonWorkbench.runGetMethod');
  return 'run';
}

function isUri(given: ExecutionTarget | vscode.Uri): given is vscode.Uri {
  return typeof given === 'object' && 'scheme' in given;
}
