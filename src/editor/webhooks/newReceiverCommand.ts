import * as vscode from 'vscode';
import { runCommand } from '../../contributions';
import { WorkbenchError } from '../../toolkit/errors';
import { findPort } from '../../toolkit/findPort';
import { receiverFiles, receiverPathProblem, receiverPaths } from '../../toolkit/webhook/check/receiverFiles';
import type { ReceiverFramework } from '../../toolkit/webhook/check/receiverFrameworks';
import { receiverPackages, receiverPort, receiverUrl } from '../../toolkit/webhook/check/receiverSource';
import { askText } from '../ui/askText';
import { back } from '../ui/back';
import { fileExists } from '../ui/fileExists';
import { askFramework } from './receiverFramework';
import type { WebhookServices } from './webhookServices';

const title = 'TON: New Webhook Receiver';

/**
 * TON: New Webhook Receiver…: a receiver that follows every rule, with its test, for the framework of the workspace.
 * Nothing is replaced without asking.
 */
export async function newReceiverCommand(services: WebhookServices): Promise<void> {
  const folder = await askFolder();
  for (;;) {
    const framework = folder && (await askFramework(services, title));
    const path = framework && (await askPath(folder, framework));
    if (path === back) {
      continue;
    }
    if (folder !== undefined && framework !== undefined && path !== undefined) {
      await makeReceiver(services, folder, framework, path);
    }
    return;
  }
}

async function makeReceiver(
  services: WebhookServices,
  folder: vscode.Uri,
  framework: ReceiverFramework,
  path: string,
): Promise<void> {
  const files = receiverFiles(framework, path).map(({ path: at, text }) => ({
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
  const [receiver] = files;
  if (receiver !== undefined) {
    await vscode.window.showTextDocument(receiver.uri, { preview: false });
  }
  void tellNext(services, folder, framework, path);
}

/** The next steps: running it, then checking it. */
async function tellNext(
  services: WebhookServices,
  folder: vscode.Uri,
  framework: ReceiverFramework,
  path: string,
): Promise<void> {
  const [run, check] = ['Run', 'Check'];
  const packages = receiverPackages[framework];
  const first = packages.length === 0 ? '' : ` It needs ${packages.join(' and ')}.`;
  const canRun = framework !== 'next' && vscode.workspace.isTrusted;
  const next = canRun
    ? 'Run it with a test secret, then check it.'
    : framework === 'next'
      ? 'Start your app with WEBHOOK_SECRET set, then check it.'
      : 'This window is not trusted, so nothing of its folder is run: start it yourself with WEBHOOK_SECRET set, then check it.';
  const answer = await vscode.window.showInformationMessage(
    `Made ${path} and its test.${first} ${next}`,
    ...(canRun ? [run, check] : [check]),
  );
  const url = answer === run ? await runReceiver(services, folder, path) : receiverUrl();
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
async function runReceiver({ webhooks }: WebhookServices, folder: vscode.Uri, path: string): Promise<string> {
  const port = await findPort(receiverPort);
  const { name, value } = await webhooks.secrets.forTests('receiver');
  await webhooks.refresh();
  const terminal = vscode.window.createTerminal({
    name: 'Webhook receiver',
    message: `WEBHOOK_SECRET is the test secret ${name}.`,
    cwd: folder,
    env: { PORT: String(port), WEBHOOK_SECRET: value },
  });
  terminal.show(true);
  terminal.sendText(`node "${path}"`);
  return receiverUrl(port);
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
    step: 2,
    totalSteps: 2,
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
