import * as vscode from 'vscode';
import { readSetting } from '../../contributions';
import type { Access } from '../../toolkit/access/createAccess';
import type { Network } from '../../toolkit/access/network';
import { WorkbenchError } from '../../toolkit/base/errors';
import { systemClock } from '../../toolkit/base/time';
import type { PreparedSend, Rehearsal } from '../../toolkit/send/preparedSend';
import type { SendableMessage } from '../../toolkit/send/sendableMessage';
import type { SendNames } from '../../toolkit/send/sendQuestion';
import type { DeliveryEvent } from '../../toolkit/workflows/runDelivery';
import { accountName } from '../project/accountName';
import { projectBodies, projectWords } from '../project/projectWords';
import type { TraceServices } from '../traces/liveTraces';
import { traceKnowledge } from '../traces/traceKnowledge';
import { coinLabel } from '../ui/readWorkspaceFile';
import { showRehearsal } from './showRehearsal';

/** Milliseconds after which the user is asked without a rehearsal. */
export const patienceMs = 30_000;

/** What a command that sends a message wants of it. */
export interface DeliveryCare {
  /** With an error, nothing is sent. */
  objection?: (rehearsed: PreparedSend) => WorkbenchError | undefined;
  /** Names by raw address that nobody knows yet: that of a contract which the message deploys. */
  names?: ReadonlyMap<string, string>;
  /** How the user's own wallet signs was chosen before. */
  isWayChosen?: boolean;
  /** It is on its way, and followed next; one that the user's own wallet has signed was followed to its end. */
  onSent?: (sent: Extract<DeliveryEvent, { type: 'sent' }>) => Promise<void>;
}

/**
 * Whether a network is the main one is decided by its answer, whatever its name or URL; one that does not
 * identify itself is treated as the main network.
 */
export async function asItIs(access: Access): Promise<Network> {
  const { isMainNetwork } = await import('../../toolkit/access/networkIdentity');
  const isMain = await isMainNetwork(access).catch(() => true);
  return isMain ? { ...access.network, kind: 'mainnet' } : access.network;
}

/** The workspace's names for the exit codes of the rehearsed contracts. */
export async function exitSource(
  { project }: TraceServices,
  rehearsed: PreparedSend | WorkbenchError,
): Promise<SendNames['exitSource']> {
  if (WorkbenchError.is(rehearsed)) {
    return undefined;
  }
  const { rehearsalExits } = await import('../../toolkit/workflows/runDelivery');
  return rehearsalExits(rehearsed.rehearsal, projectWords(project));
}

/** Names of accounts, with some that nobody else knows yet. */
export function nameBy(
  services: TraceServices,
  names: ReadonlyMap<string, string> = new Map(),
): SendNames['name'] {
  const name = accountName(services);
  return (raw) => names.get(raw) ?? name(raw);
}

/** Maximum changed values in the question; the rehearsal's document shows all. */
const mostChanges = 4;

/** The names of the messages, and what they change in the data of workspace contracts. */
export async function predictedNames(
  services: TraceServices,
  rehearsed: PreparedSend | WorkbenchError,
  patience: number,
  names: ReadonlyMap<string, string> = new Map(),
): Promise<Pick<SendNames, 'readBody' | 'changes' | 'failure'>> {
  const rehearsal = WorkbenchError.is(rehearsed) ? undefined : rehearsed.rehearsal;
  const trace = rehearsal?.trace;
  if (rehearsal === undefined || trace === undefined) {
    return projectBodies(services.project);
  }
  const [{ describeTrace }, { stateChangeLines }, { orderNames }, { failureHeadline }] = await Promise.all([
    import('../../toolkit/workflows/describeTrace'),
    import('../../toolkit/trace/stateChangeLines'),
    import('../../toolkit/send/orderNames'),
    import('../../toolkit/trace/failureHeadline'),
    findThrownLine(services, rehearsal, patience),
  ]);
  const known = traceKnowledge(services);
  const context = await describeTrace(trace, {
    ...known,
    ...projectWords(services.project),
    names: new Map([...(known.names ?? []), ...names]),
  });
  const { readBody } = orderNames(context.knowledge);
  return {
    ...(readBody && { readBody }),
    changes: stateChangeLines(context, mostChanges),
    failure: failureHeadline(context),
  };
}

/** Milliseconds for finding the line that would throw, which takes a slow machine more than 5 s: it decides the answer. */
const questionPatienceMs = 15_000;

/** Lets the words of a predicted failure name the line: its states are there, so nothing is asked of the network. */
async function findThrownLine(
  { traces, log }: TraceServices,
  { trace, inputsOf }: Rehearsal,
  patience: number,
): Promise<void> {
  const { causeOf } = await import('../../toolkit/trace/verdict');
  const { hasFailedAtLine } = await import('../../toolkit/trace/outcomeOf');
  const cause = trace && causeOf(trace);
  const inputs =
    cause?.hash === undefined || !hasFailedAtLine(cause.transaction) ? undefined : inputsOf(cause.hash);
  if (inputs === undefined || traces.lineFinder === undefined) {
    return;
  }
  const late = new AbortController();
  try {
    await Promise.race([traces.lineFinder(inputs), systemClock.sleep(patience, late.signal)]);
  } catch (error) {
    log.debug(`the line that would throw was not found: ${String(error)}`);
  } finally {
    late.abort();
  }
}

/**
 * On a public network nothing is sent before the user has seen its destination and effects. A local network asks only
 * before a message that would fail, that could not be rehearsed, or if the user wants to be asked.
 *
 * @param network as {@link asItIs} tells it
 */
export async function confirmed(
  services: TraceServices,
  access: Access,
  message: SendableMessage,
  rehearsed: PreparedSend | WorkbenchError,
  {
    newNames,
    network,
    isWayChosen,
  }: {
    newNames: ReadonlyMap<string, string> | undefined;
    network: Network;
    isWayChosen?: boolean | undefined;
  },
): Promise<boolean> {
  const [{ sendQuestion }, { readAddressForm, toFriendlyAddress }] = await Promise.all([
    import('../../toolkit/send/sendQuestion'),
    import('../../toolkit/address/canonicalAddress'),
  ]);
  const names: SendNames = {
    name: nameBy(services, newNames),
    coin: coinLabel(),
    ...(await predictedNames(services, rehearsed, questionPatienceMs, newNames)),
    exitSource: await exitSource(services, rehearsed),
  };
  const testOnly = network.kind === 'testnet';
  const { question, detail, isSafe, ...asked } = sendQuestion(network, message, rehearsed, names, (raw) =>
    toFriendlyAddress(readAddressForm(raw), { bounceable: true, testOnly }),
  );
  const send = isWayChosen === true && isSafe ? 'Sign…' : asked.send;
  // A network that is only called local in the settings is treated like any other.
  const isLocal = network.kind === 'local' && network.name === services.networks.local().name;
  if (isLocal && isSafe && !readSetting(vscode.workspace, 'tonWorkbench.localNetwork.confirmSends')) {
    return true;
  }
  const show = 'Show Rehearsal';
  const prepared = WorkbenchError.is(rehearsed) ? undefined : rehearsed;
  const shown = prepared === undefined ? [] : [show];
  // A message that would fail, or whose result is unknown, must be reviewed first.
  const buttons = isSafe ? [send, ...shown] : [...shown, send];
  const modal = { modal: true, detail };
  const answer = await (isLocal && isSafe
    ? vscode.window.showInformationMessage(question, modal, ...buttons)
    : vscode.window.showWarningMessage(question, modal, ...buttons));
  if (answer === show && prepared !== undefined) {
    await showRehearsal(services, prepared, access.network.name, names);
  }
  return answer === send;
}
