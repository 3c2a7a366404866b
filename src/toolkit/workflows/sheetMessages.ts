import { Address, Cell } from '@ton/core';
import type { Access } from '../access/createAccess';
import { isMainNetwork } from '../access/networkIdentity';
import type { SheetDeploy, SheetReplay, SheetSend } from '../callSheet/callSheet';
import { placedError } from '../callSheet/callSheet';
import type { SheetValues } from '../callSheet/sheetValues';
import { callSheetError } from '../callSheet/sheetValues';
import { composeDestination, composeLocalOnlyError } from '../send/composeLineError';
import { parseComposeLine } from '../send/parseComposeLine';
import type { ComposedMessage } from '../send/prepareComposed';
import { prepareComposed } from '../send/prepareComposed';
import { WorkbenchError } from '../base/errors';
import { exampleOfLayout } from '../contracts/layouts/exampleOfLayout';
import { initialLayout } from '../contracts/layouts/initialLayout';
import type { StorageLayout } from '../contracts/layouts/layoutSet';
import { readStorageText } from '../contracts/layouts/readStorageText';
import { limits } from '../base/limits';
import { systemClock } from '../base/time';
import { callControl } from '../localnet/callControl';
import { controlOf } from '../localnet/controlOf';
import { replayedTrace } from '../replay/gatherGetMethod';
import { runReplay } from '../replay/runReplay';
import { missingContractError } from '../send/deploymentFate';
import { missingMessage } from '../send/sendableMessage';
import type { StackValue } from '../stack/stackValue';
import type { TraceModel } from '../trace/traceModel';
import { followMessage, handOver } from './followMessage';
import { composedRequest } from './composedRequest';
import type { Deployment } from './planDeployment';
import { hasContract, planDeployment } from './planDeployment';
import type { DeployedOutcome, SheetMessages, SheetNetwork } from './sheetRunTypes';
import { ownWalletName } from './sheetRunTypes';

/** Milliseconds after which a message that is in no block is given up. */
const unseenMs = 30_000;

/**
 * Ensures that the network is local: nowhere else can a message be signed without its owner.
 * @throws WorkbenchError `compose-local-only` (input), and the network's errors
 */
export async function requireLocalNetwork(access: Access): Promise<void> {
  // A local address may lead to a relay of the main network, so its answer decides.
  if (access.network.kind !== 'local' || (await isMainNetwork(access))) {
    throw composeLocalOnlyError(access.network.name);
  }
}

/**
 * Sends the message of a `send` step and follows it to the end.
 * @throws WorkbenchError `call-sheet-invalid` (input), positioned in the sheet; those of {@link
 * sendAndFollow}
 */
export async function sendLine<Opened extends SheetNetwork>(
  step: SheetSend,
  network: Opened,
  values: SheetValues,
  messages: SheetMessages<Opened>,
  signal: AbortSignal,
): Promise<TraceModel> {
  const composed = await composeLine(step, network, values, messages, signal);
  return sendAndFollow(step, network, composed, messages, signal);
}

/**
 * The message of a `send` step, not signed yet.
 * @throws WorkbenchError `call-sheet-invalid` (input), positioned in the sheet
 */
export async function composeLine<Opened extends SheetNetwork>(
  { line }: SheetSend,
  network: Opened,
  values: SheetValues,
  messages: SheetMessages<Opened>,
  signal: AbortSignal,
): Promise<ComposedMessage> {
  const layouts = await messages.layouts();
  const { accounts = new Map<string, string>() } = values.options();
  const to = composeDestination(line.text, accounts);
  const contract = to === undefined ? undefined : await messages.contractAt?.(to, network, signal);
  return placed(line.offset, () =>
    parseComposeLine(line.text, {
      ...values.options(),
      wallets: walletNames(network, messages),
      layouts,
      contractAt: (address) => (address === to ? contract : undefined),
    }),
  );
}

/**
 * Runs the transaction of a `replay` step again, with the code that its source has now. Asks no network.
 * @throws WorkbenchError those of reading, of compiling, and of {@link runReplay}
 */
export async function runReplayStep<Opened extends SheetNetwork>(
  { file, source }: SheetReplay,
  { replays, build }: SheetMessages<Opened>,
  signal: AbortSignal,
): Promise<TraceModel> {
  if (replays === undefined) {
    throw new WorkbenchError({
      code: 'replay-impossible',
      kind: 'input',
      message: 'Nothing is replayed here.',
    });
  }
  const inputs = await replays.open(file.text);
  const code = source && Cell.fromBase64((await build(source.text)).built.code);
  const replay = await runReplay(inputs, await replays.emulator(), { edits: code && { code }, signal });
  return replayedTrace({ inputs, replay });
}

/**
 * Deploys the contract of a `deploy` step, unless it is deployed already, and gives it its name.
 * @throws WorkbenchError `call-sheet-invalid` (input), positioned in the sheet; `contract-not-deployed`
 * (failed); those of compiling and of {@link sendAndFollow}
 */
export async function deploySheetContract<Opened extends SheetNetwork>(
  step: SheetDeploy,
  network: Opened,
  values: SheetValues,
  messages: SheetMessages<Opened>,
  signal: AbortSignal,
): Promise<{ deployed: DeployedOutcome; model?: TraceModel }> {
  const { access } = network;
  const { deployment: plan, composed } = await composeDeployment(step, network, values, messages, signal);
  const { name, address } = plan;
  const deployed = { name, address, wasThere: plan.isDeployed === true };
  const own = messages.plan?.isFor(network) === true ? messages.plan : undefined;
  if (deployed.wasThere) {
    await own?.deployed(step, plan, network);
    return { deployed };
  }
  const model = await sendAndFollow(step, network, composed, messages, signal);
  if ((await hasContract(access, plan.address, { signal, priority: 'user' })) === false) {
    throw missingContractError(
      name,
      plan.address,
      'Its code did not run, or failed. Try more coins: write them before as, such as 2ton.',
    );
  }
  await own?.deployed(step, plan, network);
  if (access.network.kind === 'local') {
    await callControl(controlOf(access.network) ?? '', 'name', { address, name }, signal);
  }
  return { deployed, model };
}

/**
 * The contract of a `deploy` step, and the message that deploys it, not signed yet.
 * @throws WorkbenchError `call-sheet-invalid` (input), positioned in the sheet; those of compiling
 */
export async function composeDeployment<Opened extends SheetNetwork>(
  step: SheetDeploy,
  network: Opened,
  values: SheetValues,
  messages: SheetMessages<Opened>,
  signal: AbortSignal,
): Promise<{ deployment: Deployment; composed: ComposedMessage }> {
  const { built, storage } = await messages.build(step.file.text);
  const data = initialData(step, built.initial?.text, storage, values);
  const plan = await planDeployment(network.access, { ...built, name: step.name.text }, data, signal);
  return {
    deployment: plan,
    composed: {
      sender: { kind: 'wallet', name: walletOf(step, walletNames(network, messages)) },
      to: Address.parse(plan.address),
      value: step.value === undefined ? 1_000_000_000n : coinsOf(step.value, values.one(step.value)),
      bounce: false,
      body: Cell.EMPTY,
      init: { code: plan.code, data: plan.data },
    },
  };
}

/** The wallets that a sheet may name on a network: where the user's own one signs, only that. */
export function walletNames<Opened extends SheetNetwork>(
  network: Opened,
  { plan }: Pick<SheetMessages<Opened>, 'plan'>,
): readonly string[] {
  return plan?.isFor(network) === true ? [ownWalletName] : (network.wallets ?? []).map(({ name }) => name);
}

/**
 * @throws WorkbenchError the network's rejection; `trace-not-found` (failed) if the message is in no block in
 * time
 */
async function sendAndFollow<Opened extends SheetNetwork>(
  step: SheetSend | SheetDeploy,
  network: Opened,
  composed: ComposedMessage,
  messages: SheetMessages<Opened>,
  signal: AbortSignal,
): Promise<TraceModel> {
  const { access, wallets = [] } = network;
  if (messages.plan?.isFor(network) === true) {
    const request = await composedRequest(access, composed, systemClock.now(), signal);
    return messages.plan.send(step, request, network, signal);
  }
  const message = await prepareComposed(access, composed, wallets, signal);
  const delivered = await messages.deliver?.(message, step, network);
  if (delivered !== undefined) {
    return delivered;
  }
  const sent = await handOver(access, message, signal);
  if (sent.type === 'failed') {
    throw sent.outcome.error;
  }
  const seconds = limits.sheetStepSeconds.most;
  const limit = AbortSignal.timeout(seconds * 1000);
  const events = followMessage({
    ...{ access, message: missingMessage(sent.hash, message), patienceMs: unseenMs },
    signal: AbortSignal.any([signal, limit]),
  });
  for await (const event of events) {
    if (event.type !== 'ended') {
      continue;
    }
    const { last, error } = event;
    signal.throwIfAborted();
    if (last?.isFinal === true) {
      return last.model;
    }
    throw error !== undefined && !limit.aborted ? error : slowTraceError(sent.hash, seconds);
  }
  throw new Error('following ends with its last event');
}

function slowTraceError(hash: string, seconds: number): WorkbenchError {
  return new WorkbenchError({
    code: 'trace-not-found',
    kind: 'failed',
    message: `The trace of the message ${hash} did not end within ${seconds} s.`,
    hint: 'If blocks are made by hand, let the local network make them automatically.',
  });
}

function walletOf({ from, name }: SheetDeploy, wallets: readonly string[]): string {
  const wanted = from?.text.replace(/^@/, '') ?? wallets[0];
  if (wanted === undefined || !wallets.includes(wanted)) {
    const place = from ?? name;
    throw callSheetError(
      place.offset,
      place.length,
      wanted === undefined ? 'There is no wallet to pay with.' : `No wallet here is called “${wanted}”.`,
      wallets.length === 0 ? undefined : `Known here: ${wallets.slice(0, 12).join(', ')}.`,
    );
  }
  return wanted;
}

function coinsOf(place: { offset: number; length: number }, value: StackValue): bigint {
  if (value.type !== 'int' || value.value < 0n) {
    throw callSheetError(place.offset, place.length, 'This is not an amount.', 'Write 1ton.');
  }
  return value.value;
}

function initialData(
  { data, name }: SheetDeploy,
  initial: string | undefined,
  storage: StorageLayout | undefined,
  values: SheetValues,
): Cell {
  const own = storage && initialLayout(storage, data?.text);
  if (data === undefined && own !== undefined && own.layout.cells.flat().length > 0) {
    const example = exampleOfLayout(own.layout, own.set, 'alice');
    throw callSheetError(
      name.offset,
      name.length,
      `${name.text} needs initial data.`,
      `Write it before as: ${example}`,
    );
  }
  const empty = own === undefined ? (initial ?? 'b()') : '{}';
  return placed((data ?? name).offset, () => readStorageText(data?.text ?? empty, own, values.options()));
}

/** Converts errors in a part of the sheet, which starts at `start`, to errors of the sheet. */
function placed<T>(start: number, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const { offset, length, error: found } = placedError(error);
    throw callSheetError(start + offset, length, found.message, found.hint);
  }
}
