import * as vscode from 'vscode';
import { Address, Cell } from '@ton/core';
import type { ContractRef } from '../../toolkit/contracts/abi/projectContract';
import type { Network } from '../../toolkit/access/network';
import { errorSentences, WorkbenchError } from '../../toolkit/base/errors';
import type { FormAction } from '../../toolkit/send/fieldForm';
import type { Message } from '../../toolkit/contracts/layouts/messagesOfContract';
import { faucetAddress } from '../../toolkit/accounts/localAccount';
import { deploymentIn, notDeployedError } from '../../toolkit/send/deploymentFate';
import type { DeploymentFate } from '../../toolkit/send/deploymentFate';
import type { SendableMessage } from '../../toolkit/send/sendableMessage';
import type { Deployment } from '../../toolkit/workflows/planDeployment';
import { domainLookUp } from '../project/domainLookUp';
import { withProgress } from '../ui/withProgress';
import { askText } from '../ui/askText';
import { codeLookUp } from '../project/codeLookUp';
import { deployTitle } from './askInitialData';
import { askLine, prepareLine, startComposing } from './composeCommand';
import type { Composing } from './composeCommand';
import { rehearseOnly } from './deliverMessage';
import type { SendServices } from './showRehearsal';

/** The coins that a contract starts with: on the local network as its `deploy` gives them, elsewhere a start. */
const startCoins = (network: Network): string => (network.kind === 'local' ? '1ton' : '0.05ton');

/** The message that deploys: an empty one of the local network's faucet, or what the user has chosen. */
export type FirstMessage = { kind: 'empty' } | { kind: 'chosen'; message: SendableMessage };

interface FirstRow extends vscode.QuickPickItem {
  answer: Message | 'body' | 'empty';
}

/**
 * The message that deploys a contract. It is empty unless the contract would refuse that one, or declares one for its
 * deployment: then the user chooses from its messages, fills in a form, or takes none.
 * @returns undefined if the user canceled
 * @throws WorkbenchError `contract-not-deployed` (failed) if there would be no contract after it; nothing was sent then
 */
export async function askFirstMessage(
  services: SendServices,
  plan: Deployment,
  contract: ContractRef,
  network: Network,
): Promise<FirstMessage | undefined> {
  const composing = await startComposing(services, network, contract);
  const [messages, { internalMessage }] = await Promise.all([
    messagesFor(composing, contract),
    import('../../toolkit/send/sendableMessage'),
  ]);
  const empty = internalMessage({
    source: Address.parseRaw(faucetAddress),
    destination: Address.parseRaw(plan.address),
    ...{ value: 1_000_000_000n, bounce: false, body: Cell.EMPTY, init: { code: plan.code, data: plan.data } },
  });
  const verdict = await withProgress('Rehearsing the deployment', (signal) =>
    rehearseOnly(services, composing.access, empty, signal, nameOf(plan)),
  );
  const fate = deploymentIn(verdict.trace, plan.address);
  if (fate === 'absent') {
    throw absentError(plan);
  }
  const isWanted = fate === 'refused' || messages.some(isForDeployment);
  const answer = isWanted
    ? await chooseMessage(
        deployTitle(plan.name, network),
        plan.name,
        { fate, reason: verdict.text },
        messages,
      )
    : 'empty';
  if (answer === undefined || (answer === 'empty' && network.kind === 'local')) {
    return answer && { kind: 'empty' };
  }
  const line = await (answer === 'empty'
    ? askCoins(composing, plan)
    : answer === 'body'
      ? askBody(services, composing, plan)
      : askForm(services, composing, { plan, contract, message: answer }));
  if (line === undefined) {
    return undefined;
  }
  const message = await withProgress('Composing the message', (signal) =>
    prepareLine(services, composing, line, signal),
  );
  return { kind: 'chosen', message };
}

/** Its name, which nobody knows before it is there. */
export function nameOf({ name, address }: Pick<Deployment, 'name' | 'address'>): ReadonlyMap<string, string> {
  return new Map([[address, name]]);
}

/** What is said of a deployment that would leave its coins at an address without a contract. */
export function absentError({ name, address }: Pick<Deployment, 'name' | 'address'>): WorkbenchError {
  return notDeployedError(
    name,
    address,
    'Its code would not run. Look at its code, its data, and the coins.',
  );
}

async function messagesFor({ options }: Composing, contract: ContractRef): Promise<Message[]> {
  const { messagesOfContract } = await import('../../toolkit/contracts/layouts/messagesOfContract');
  return messagesOfContract(options.layouts ?? [], contract);
}

/** By convention: Tact's `Deploy`, an `Init` that a contract waits for. */
function isForDeployment({ layout }: Message): boolean {
  return /^(?:deploy|init)/i.test(layout.name);
}

async function chooseMessage(
  title: string,
  name: string,
  empty: { fate: DeploymentFate; reason: string },
  messages: readonly Message[],
): Promise<FirstRow['answer'] | undefined> {
  const isRefused = empty.fate === 'refused';
  const rows = messages.map((answer): FirstRow => {
    const { layout } = answer;
    const fields = layout.cells.flat().map((field) => field.name);
    return { label: `${layout.name}(${fields.join(', ')})`, iconPath: new vscode.ThemeIcon('mail'), answer };
  });
  const first = rows.filter(({ answer }) => typeof answer === 'object' && isForDeployment(answer));
  const none: FirstRow = {
    label: 'No Message',
    description: isRefused ? `deployed anyway, ✗ ${empty.reason}` : '✓ deployed, and accepted',
    iconPath: new vscode.ThemeIcon('circle-slash'),
    answer: 'empty',
  };
  const body: FirstRow = {
    label: 'Another Body…',
    description: 'comment "text", or body b(…)',
    iconPath: new vscode.ThemeIcon('edit'),
    answer: 'body',
  };
  const picked = await vscode.window.showQuickPick(
    [...first, ...rows.filter((row) => !first.includes(row)), ...(isRefused ? [body, none] : [none, body])],
    {
      title,
      placeHolder: isRefused
        ? `${name} would refuse an empty message. Which one deploys it?`
        : `Which message deploys ${name}?`,
      ignoreFocusOut: true,
    },
  );
  return picked?.answer;
}

const action: FormAction = { label: 'Rehearse and Deploy', icon: 'rocket' };

function clausesOf({ code, data }: Deployment): string {
  const cell = (one: Cell): string => `cell ${one.toBoc().toString('base64')}`;
  return `code ${cell(code)} data ${cell(data)}`;
}

function askForm(
  services: SendServices,
  composing: Composing,
  { plan, contract, message }: { plan: Deployment; contract: ContractRef; message: Message },
): Promise<string | undefined> {
  const deploys = {
    contract: { ...contract, name: plan.name },
    clauses: clausesOf(plan),
    value: startCoins(composing.access.network),
    names: nameOf(plan),
  };
  return askLine(services, composing, { destination: 'new', message, deploys }, { verb: 'Deploy', action });
}

async function askBody(
  services: SendServices,
  { read, access: { network } }: Composing,
  plan: Deployment,
): Promise<string | undefined> {
  const whole = (text: string): string => `send new ${startCoins(network)} ${clausesOf(plan)} ${text}`;
  const text = await askText({
    title: deployTitle(plan.name, network),
    prompt: 'The body of the first message: comment "text", or body b(u32 7, addr @bob)',
    placeholder: 'body b(u32 7)',
    validate: (typed) => problemOf(read, whole(typed)),
    lookUp: codeLookUp(services, domainLookUp(services, network)),
  });
  return typeof text === 'string' ? whole(text) : undefined;
}

/** Coins that come out of the user's own wallet are asked for. */
async function askCoins(
  { read, access: { network } }: Composing,
  plan: Deployment,
): Promise<string | undefined> {
  const whole = (text: string): string => `send new ${text} ${clausesOf(plan)}`;
  const text = await askText({
    title: deployTitle(plan.name, network),
    prompt: 'The coins that the contract starts with: it pays for its gas and its storage from them.',
    value: startCoins(network),
    placeholder: startCoins(network),
    validate: (typed) => problemOf(read, whole(typed)),
  });
  return typeof text === 'string' ? whole(text) : undefined;
}

function problemOf(read: Composing['read'], line: string): string | undefined {
  try {
    read(line);
    return undefined;
  } catch (error) {
    return WorkbenchError.is(error) ? errorSentences(error) : String(error);
  }
}
