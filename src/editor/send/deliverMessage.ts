import * as vscode from 'vscode';
import { setContextKey } from '../../contextKeys';
import { readSetting, runCommand } from '../../contributions';
import type { Access } from '../../toolkit/access/createAccess';
import type { Network } from '../../toolkit/access/network';
import { WorkbenchError } from '../../toolkit/base/errors';
import type { FormVerdict } from '../../toolkit/send/fieldForm';
import type { PreparedSend, Rehearsal } from '../../toolkit/send/preparedSend';
import type { ExternalMessage } from '../../toolkit/send/externalMessage';
import type { SendableMessage } from '../../toolkit/send/sendableMessage';
import type { SendNames } from '../../toolkit/send/sendQuestion';
import { OpenOutcomes, openOutcomeWords } from '../../toolkit/send/sendQuestion';
import { systemClock } from '../../toolkit/base/time';
import type { TraceModel } from '../../toolkit/trace/traceModel';
import type { DeliveryEvent } from '../../toolkit/workflows/runDelivery';
import { accountName } from '../project/accountName';
import { gasFigures } from '../getMethods/gasFigures';
import { projectBodies, projectWords } from '../project/projectWords';
import type { TraceServices } from '../traces/liveTraces';
import { traceKnowledge } from '../traces/traceKnowledge';
import { coinLabel } from '../ui/readWorkspaceFile';
import { withProgress } from '../ui/withProgress';
import type { SendServices } from './showRehearsal';
import { showRehearsal } from './showRehearsal';

/** Milliseconds after which the user is asked without a rehearsal. */
const patienceMs = 30_000;

/** What a command that sends a message wants of it. */
export interface DeliveryCare {
  /** With an error, nothing is sent. */
  objection?: (rehearsed: PreparedSend) => WorkbenchError | undefined;
  /** Names by raw address that nobody knows yet: that of a contract which the message deploys. */
  names?: ReadonlyMap<string, string>;
  /** It is on its way, and followed next. */
  onSent?: (sent: Extract<DeliveryEvent, { type: 'sent' }>) => Promise<void>;
}

/**
 * The only code path that sends: warns if an earlier message may still be executed, rehearses the message, shows its
 * contents and effects, asks, sends it at most once, follows it, and compares the outcome with the rehearsal.
 */
export async function deliverMessage(
  services: SendServices,
  access: Access,
  message: SendableMessage,
  { objection, names, onSent }: DeliveryCare = {},
): Promise<void> {
  const { context, emulators } = services;
  const outcomes = new OpenOutcomes(context.workspaceState);
  if (message.kind === 'external' && !(await askBesideOpenOutcome(outcomes, access, message))) {
    return;
  }
  const log = services.log.area('send');
  const titles = { rehearse: 'Rehearsing the message', send: `Sending to ${access.network.name}` };
  const ends = new AbortController();
  const [{ runDelivery }, { tellFailure, tellDelivery }] = await Promise.all([
    import('../../toolkit/workflows/runDelivery'),
    import('./tellOutcome'),
  ]);
  const events = runDelivery({
    ...{ access, message, emulators, patienceMs, log, signal: ends.signal },
    phase: (name, work) => withProgress(titles[name], work),
    confirm: (rehearsed) => {
      if (WorkbenchError.is(rehearsed)) {
        log.warn(`no rehearsal: ${rehearsed.code}: ${rehearsed.message}`);
      }
      const trace = WorkbenchError.is(rehearsed) ? undefined : rehearsed.rehearsal.trace;
      if (trace !== undefined) {
        void gasFigures(services).noteTrace(trace);
      }
      const refused = WorkbenchError.is(rehearsed) ? undefined : objection?.(rehearsed);
      if (refused !== undefined) {
        throw refused;
      }
      return confirmed(services, access, message, rehearsed, names);
    },
  });
  for await (const event of events) {
    switch (event.type) {
      case 'failed':
        if (event.outcome.state === 'unknown' && message.kind === 'external') {
          await outcomes.remember(access.network.name, message, event.outcome.until);
        }
        await tellFailure(event.outcome, message, access.network.name);
        return;
      case 'sent':
        services.traces.sent(event.hash);
        setContextKey(vscode.commands, 'tonWorkbench.messageSent', true);
        await onSent?.(event);
        await tellDelivery(services, access.network, event, events, ends);
        return;
      default:
        return;
    }
  }
}

/** What a rehearsal says about a message, in a few words. Nothing is sent, kept, or shown. */
export async function rehearseOnly(
  services: SendServices,
  access: Access,
  message: SendableMessage,
  signal: AbortSignal,
  names?: ReadonlyMap<string, string>,
): Promise<FormVerdict & { trace: TraceModel | undefined }> {
  const [{ rehearseInTime }, { rehearsalVerdict }] = await Promise.all([
    import('../../toolkit/workflows/rehearseInTime'),
    import('../../toolkit/send/sendQuestion'),
  ]);
  const { emulators } = services;
  const rehearsed = await rehearseInTime({ access, message, emulators, patienceMs, signal });
  return {
    ...rehearsalVerdict(rehearsed, {
      name: nameBy(services, names),
      coin: coinLabel(),
      failure: (await traceNames(services, rehearsed, formPatienceMs, names)).failure,
      exitSource: await exitSource(services, rehearsed),
    }),
    trace: WorkbenchError.is(rehearsed) ? undefined : rehearsed.rehearsal.trace,
  };
}

/**
 * Whether a network is the main one is decided by its answer, whatever its name or URL; one that does not
 * identify itself is treated as the main network.
 */
async function asItIs(access: Access): Promise<Network> {
  const { isMainNetwork } = await import('../../toolkit/access/networkIdentity');
  const isMain = await isMainNetwork(access).catch(() => true);
  return isMain ? { ...access.network, kind: 'mainnet' } : access.network;
}

/** The workspace's names for the exit codes of the rehearsed contracts. */
async function exitSource(
  { project }: TraceServices,
  rehearsed: PreparedSend | WorkbenchError,
): Promise<SendNames['exitSource']> {
  if (WorkbenchError.is(rehearsed)) {
    return undefined;
  }
  const { rehearsalExits } = await import('../../toolkit/workflows/runDelivery');
  return rehearsalExits(rehearsed.rehearsal, projectWords(project));
}

function nameBy(services: TraceServices, names: ReadonlyMap<string, string> = new Map()): SendNames['name'] {
  const name = accountName(services);
  return (raw) => names.get(raw) ?? name(raw);
}

/** Maximum changed values in the question; the rehearsal's document shows all. */
const mostChanges = 4;

/** The names of the messages, and what they change in the data of workspace contracts. */
async function traceNames(
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
/** A form keeps nothing back while it looks for the line, and stays as it is then. */
const formPatienceMs = 30_000;

/** Lets the words of a predicted failure name the line: its states are there, so nothing is asked of the network. */
async function findThrownLine(
  { traces, log }: TraceServices,
  { trace, inputsOf }: Rehearsal,
  patience: number,
): Promise<void> {
  const { causeOf } = await import('../../toolkit/trace/verdict');
  const { hasThrown } = await import('../../toolkit/trace/outcomeOf');
  const cause = trace && causeOf(trace);
  const inputs =
    cause?.hash === undefined || !hasThrown(cause.transaction) ? undefined : inputsOf(cause.hash);
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
 */
async function confirmed(
  services: TraceServices,
  access: Access,
  message: SendableMessage,
  rehearsed: PreparedSend | WorkbenchError,
  newNames: ReadonlyMap<string, string> | undefined,
): Promise<boolean> {
  const [{ sendQuestion }, { readAddressForm, toFriendlyAddress }] = await Promise.all([
    import('../../toolkit/send/sendQuestion'),
    import('../../toolkit/address/canonicalAddress'),
  ]);
  const network = await asItIs(access);
  const names: SendNames = {
    name: nameBy(services, newNames),
    coin: coinLabel(),
    ...(await traceNames(services, rehearsed, questionPatienceMs, newNames)),
    exitSource: await exitSource(services, rehearsed),
  };
  const testOnly = network.kind === 'testnet';
  const { question, detail, send, isSafe } = sendQuestion(network, message, rehearsed, names, (raw) =>
    toFriendlyAddress(readAddressForm(raw), { bounceable: true, testOnly }),
  );
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

/**
 * Warns if an earlier message of the same account may still be executed: signing again too early could pay
 * twice.
 * @returns whether to continue
 */
async function askBesideOpenOutcome(
  outcomes: OpenOutcomes,
  access: Access,
  message: ExternalMessage,
): Promise<boolean> {
  const [newest, ...more] = await withProgress('Looking for earlier messages', (signal) =>
    outcomes.openBeside(access, message, signal),
  );
  if (newest === undefined) {
    return true;
  }
  const { question, detail } = openOutcomeWords(newest, more.length);
  const [follow, goOn] = ['Follow It', 'Continue Anyway'];
  const answer = await vscode.window.showWarningMessage(question, { modal: true, detail }, follow, goOn);
  if (answer === follow) {
    await runCommand(vscode.commands, 'tonWorkbench.followTrace', newest.hash);
  }
  return answer === goOn;
}
