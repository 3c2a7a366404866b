import * as vscode from 'vscode';
import { runCommand } from '../../contributions';
import { canFindLine, canRun, hasHappened } from '../../toolkit/trace/traceAbilities';
import type { TraceNode } from '../../toolkit/trace/traceModel';
import { nodeMessage } from '../../toolkit/trace/traceText';
import { causeOf } from '../../toolkit/trace/verdict';
import type { PageCommand } from '../../toolkit/tracePage/tracePage';
import { isOfLocalNetwork } from './openTraces';
import type { OpenTrace } from './openTraces';
import type { TraceServices } from './traceServices';

/** What is run with the whole trace or with one of its transactions, as it is. */
const commandIds = {
  debug: 'tonWorkbench.debug',
  replay: 'tonWorkbench.replayTransaction',
  replayWithChanges: 'tonWorkbench.replayWithChanges',
  sendAgain: 'tonWorkbench.sendAgain',
  steps: 'tonWorkbench.showReplaySteps',
} as const;

/**
 * What can be done with a whole trace, in the order of the buttons. What is done with one of its transactions is beside
 * the details of that transaction, and nowhere else.
 */
export function traceCommands({ traces }: TraceServices, trace: OpenTrace): PageCommand[] {
  return [...only(trace.sendable !== undefined && !traces.isSent(trace), 'send'), 'compare', 'text', 'save'];
}

/** What can be done with one of its transactions. */
export async function nodeCommands(
  services: TraceServices,
  trace: OpenTrace,
  node: TraceNode,
  isUndone: boolean,
): Promise<PageCommand[]> {
  const runs = !isUndone && node.hash !== undefined && canRun(trace);
  const isReal = runs && hasHappened(trace);
  return [
    ...only(runs && canFindLine(trace, node), 'line'),
    ...only(runs, 'debug'),
    ...only(runs, 'steps'),
    ...only(isReal, 'replay'),
    ...only(isReal, 'replayWithChanges'),
    ...only(isReal && isOfLocalNetwork(services.networks, trace), 'sendAgain'),
    ...only(node.account !== undefined, 'account'),
    ...only((await contractOf(services, node)) !== undefined, 'source'),
    ...only(true, 'text'),
  ];
}

/** Does what a button or link of the page asks for, with a transaction or the whole trace. */
export async function runPageCommand(
  services: TraceServices,
  trace: OpenTrace,
  command: PageCommand,
  node: TraceNode | undefined,
): Promise<void> {
  const whole = { key: trace.key };
  const ref = node === undefined ? whole : { ...whole, index: node.index };
  switch (command) {
    case 'text':
      await ('index' in ref
        ? runCommand(vscode.commands, 'tonWorkbench.showTransaction', ref)
        : runCommand(vscode.commands, 'tonWorkbench.showTrace', ref));
      return;
    case 'line': {
      const cause = node ?? causeOf(trace.model);
      if (cause !== undefined) {
        await runCommand(vscode.commands, 'tonWorkbench.goToThrow', { ...whole, index: cause.index });
      }
      return;
    }
    case 'debug':
    case 'replay':
    case 'replayWithChanges':
    case 'sendAgain':
    case 'steps':
      await runCommand(vscode.commands, commandIds[command], ref);
      return;
    case 'send':
      if (trace.sendable !== undefined) {
        await runCommand(vscode.commands, 'tonWorkbench.sendBoc', trace.sendable);
      }
      return;
    case 'compare':
      await runCommand(vscode.commands, 'tonWorkbench.compareTraces', whole);
      return;
    case 'undo': {
      const undo = services.traces.undoable.get(trace.key);
      await runCommand(vscode.commands, 'tonWorkbench.undoSendAgain', undo);
      return;
    }
    case 'account':
      if (node?.account !== undefined) {
        await runCommand(vscode.commands, 'tonWorkbench.openAccount', node.account);
      }
      return;
    case 'source':
      if (node !== undefined) {
        await goToContract(services, trace, node);
      }
      return;
    case 'save':
      await runCommand(vscode.commands, 'tonWorkbench.saveTrace', whole);
      return;
  }
}

/** Opens the source at the struct of the message, if it has one. */
async function goToContract(services: TraceServices, trace: OpenTrace, node: TraceNode): Promise<void> {
  const contract = await contractOf(services, node);
  const network = 'network' in trace.origin ? trace.origin.network : services.networks.current().name;
  await runCommand(vscode.commands, 'tonWorkbench.goToSource', {
    pin: { network, address: node.account ?? '' },
    contract,
    ...(contract === undefined ? {} : { target: { message: nodeMessage(node, trace.context), contract } }),
  });
}

/** The contract of the workspace that has the code of the transaction's account. */
async function contractOf(
  { project }: TraceServices,
  { transaction }: TraceNode,
): Promise<string | undefined> {
  const hash = transaction?.account_state_after?.code_hash ?? transaction?.account_state_before?.code_hash;
  return hash == null ? undefined : (await project.list()).find(({ codeHash }) => codeHash === hash)?.name;
}

function only(isPossible: boolean, command: PageCommand): PageCommand[] {
  return isPossible ? [command] : [];
}
