import * as vscode from 'vscode';
import { runCommand } from '../../contributions';
import { WorkbenchError } from '../../toolkit/base/errors';
import { findPort } from '../../toolkit/base/isListening';
import type { ProviderChoice } from '../../toolkit/webhook/provider/providerOf';
import {
  receiverFiles,
  receiverPathProblem,
  receiverPaths,
} from '../../toolkit/webhook/receiver/receiverFiles';
import type { ReceiverFramework } from '../../toolkit/webhook/receiver/receiverSource';
import {
  frameworkTitles,
  guessFramework,
  receiverFrameworks,
  receiverPackages,
  receiverPort,
  receiverUrl,
} from '../../toolkit/webhook/receiver/receiverSource';
import { currentText } from '../ui/openDocument';
import { askText, back } from '../ui/askText';
import { fileExists } from '../ui/readWorkspaceFile';
import { rememberEndpoint } from './endpointTests';
import type { WebhookServices } from './listenerCommands';
import { askService } from './listenedService';

const title = 'TON: New Webhook Receiver';

/** What is made. */
interface NewReceiver {
  folder: vscode.Uri;
  service: ProviderChoice;
  framework: ReceiverFramework;
  /** In the folder. */
  path: string;
}

/**
 * TON: New Webhook Receiver…: a receiver of a service's webhooks that follows every rule, with its test, for the
 * framework of the workspace. Nothing is replaced without asking.
 */
export async function newReceiverCommand(services: WebhookServices): Promise<void> {
  const folder = await askFolder();
  for (;;) {
    const service = folder && (await askService(services, `${title} (1/3)`));
    const framework = service && (await askFramework(services, `${title} (2/3)`));
    const path = framework && (await askPath(folder, framework));
    if (path === back) {
      continue;
    }
    if (folder !== undefined && service !== undefined && framework !== undefined && path !== undefined) {
      await makeReceiver(services, { folder, service, framework, path });
    }
    return;
  }
}

async function makeReceiver(services: WebhookServices, receiver: NewReceiver): Promise<void> {
  const { folder, service, framework, path } = receiver;
  const { providerOf } = await import('../../toolkit/webhook/provider/providerOf');
  const { checkOptions } = await import('../../toolkit/webhook/check/checkOptions');
  const code = providerOf(service).receiver();
  const check = checkOptions(service.name === 'ton-pay' ? undefined : service);
  const files = receiverFiles(code, framework, path, check).map(({ path: at, text }) => ({
    name: at,
    uri: vscode.Uri.joinPath(folder, at),
    text,
  }));
  const found = await Promise.all(
    files.map(async ({ uri, name }) => ((await fileExists(uri)) ? [name] : [])),
  );
  if (!(await mayReplace(found.flat()))) {
    return;
  }
  for (const { uri, text } of files) {
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  }
  const [made] = files;
  if (made !== undefined) {
    await vscode.window.showTextDocument(made.uri, { preview: false });
  }
  void tellNext(services, receiver, code.variables);
}

/** The next steps: running it, then checking it. */
async function tellNext(
  services: WebhookServices,
  receiver: NewReceiver,
  variables: readonly string[],
): Promise<void> {
  const { service, framework, path } = receiver;
  const { word } = (await import('../../toolkit/webhook/provider/providerOf')).providerOf(service).secretForm;
  const [run, check] = ['Run', 'Check'];
  const packages = receiverPackages[framework];
  const first = packages.length === 0 ? '' : ` It needs ${packages.join(' and ')}.`;
  const needed = new Intl.ListFormat('en').format(variables);
  const canRun = framework !== 'next' && variables.length === 1 && vscode.workspace.isTrusted;
  const next = canRun
    ? `Run it with a test ${word}, then check it.`
    : framework === 'next'
      ? `Start your app with ${needed} set, then check it.`
      : vscode.workspace.isTrusted
        ? `Start it with ${needed} set, then check it.`
        : `This window is not trusted, so nothing of its folder is run: start it yourself with ${needed} set, then check it.`;
  const answer = await vscode.window.showInformationMessage(
    `Made ${path} and its test.${first} ${next}`,
    ...(canRun ? [run, check] : [check]),
  );
  const url = answer === run ? await runReceiver(services, receiver) : receiverUrl();
  const then =
    answer === run
      ? await vscode.window.showInformationMessage(
          `${path} runs in the terminal, at ${url}. Once it listens, check it.`,
          check,
        )
      : answer;
  if (then === check) {
    await runCommand(vscode.commands, 'tonWorkbench.checkWebhookEndpoint', url);
  }
}

/**
 * Runs it in a terminal that has a test secret; one that was not made here is not given out.
 * @returns its URL
 */
async function runReceiver(
  services: WebhookServices,
  { folder, service, path }: NewReceiver,
): Promise<string> {
  const { providerOf } = await import('../../toolkit/webhook/provider/providerOf');
  const port = await findPort(receiverPort);
  const { name, value } = await services.webhooks.secrets.forTests('receiver');
  await services.webhooks.refresh();
  const terminal = vscode.window.createTerminal({
    name: 'Webhook receiver',
    message: `WEBHOOK_SECRET holds the test ${providerOf(service).secretForm.word} named “${name}”.`,
    cwd: folder,
    env: { PORT: String(port), WEBHOOK_SECRET: value },
  });
  terminal.show(true);
  terminal.sendText(`node "${path}"`);
  const url = receiverUrl(port);
  // A check offers it also when the notification is gone.
  await rememberEndpoint(services, url);
  return url;
}

/** The folder to put it in; asked for if there are several. @returns undefined if the user canceled */
async function askFolder(): Promise<vscode.Uri | undefined> {
  const [folder, ...others] = vscode.workspace.workspaceFolders ?? [];
  if (folder === undefined) {
    throw new WorkbenchError({
      code: 'no-folder',
      kind: 'input',
      message: 'No folder is open to put a receiver in.',
      hint: 'Open the folder of your server first.',
    });
  }
  return others.length === 0
    ? folder.uri
    : (await vscode.window.showWorkspaceFolderPick({ placeHolder: 'Choose the folder of your server' }))?.uri;
}

async function askPath(
  folder: vscode.Uri,
  framework: ReceiverFramework,
): Promise<string | typeof back | undefined> {
  const sources = vscode.Uri.joinPath(folder, 'src/app');
  const proposal = receiverPaths[framework];
  return askText({
    title,
    prompt: 'File in the workspace folder. Its test is made beside it.',
    placeholder: proposal,
    value: framework === 'next' && (await fileExists(sources)) ? `src/${proposal}` : proposal,
    step: 3,
    totalSteps: 3,
    validate: receiverPathProblem,
  });
}

async function mayReplace(files: readonly string[]): Promise<boolean> {
  if (files.length === 0) {
    return true;
  }
  const replace = 'Replace';
  const answer = await vscode.window.showWarningMessage(
    files.length === 1 ? `Replace ${files.join()}?` : `Replace ${files.length} files?`,
    {
      modal: true,
      detail: `${files.length === 1 ? 'This file exists' : `These files exist: ${files.join(', ')}`}. What is in ${files.length === 1 ? 'it' : 'them'} is lost.`,
    },
    replace,
  );
  return answer === replace;
}

const key = 'webhookFramework';
const mostManifests = 50;

/** The framework chosen in this workspace, else the one that its package.json names; undefined if neither says it. */
export async function knownFramework(services: WebhookServices): Promise<ReceiverFramework | undefined> {
  return chosenFramework(services) ?? usedFramework();
}

/** Asks for the framework, the known one first, and remembers it. @returns undefined if the user canceled */
export async function askFramework(
  services: WebhookServices,
  title: string,
): Promise<ReceiverFramework | undefined> {
  const chosen = chosenFramework(services);
  const used = await usedFramework();
  const known = chosen ?? used;
  const items = receiverFrameworks.map((framework) => ({
    label: frameworkTitles[framework],
    description: framework === used ? 'in package.json' : framework === chosen ? 'chosen before' : '',
    framework,
  }));
  const picked = await vscode.window.showQuickPick(
    items.toSorted((a, b) => Number(b.framework === known) - Number(a.framework === known)),
    { title, placeHolder: 'Choose what your server is written with', ignoreFocusOut: true },
  );
  if (picked !== undefined) {
    await services.context.workspaceState.update(key, picked.framework);
  }
  return picked?.framework;
}

function chosenFramework({ context }: WebhookServices): ReceiverFramework | undefined {
  const chosen = context.workspaceState.get<string>(key);
  return receiverFrameworks.find((name) => name === chosen);
}

async function usedFramework(): Promise<ReceiverFramework | undefined> {
  const files = await vscode.workspace.findFiles('**/package.json', '**/node_modules/**', mostManifests);
  return guessFramework(await Promise.all(files.map((file) => currentText(file).catch(() => ''))));
}
