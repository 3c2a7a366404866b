import * as vscode from 'vscode';
import type { SecretChange } from '../../commandTargets';
import { WorkbenchError } from '../../toolkit/base/errors';
import { capitalized } from '../../toolkit/base/text';
import type { WebhookServices } from './listenerCommands';
import { askText } from '../ui/askText';
import type { SecretForm } from '../../toolkit/webhook/delivery/secretForm';
import type { WebhookProvider } from '../../toolkit/webhook/provider/webhookProvider';
import { listenedService } from './listenedService';
import { usableSecrets } from '../../toolkit/webhook/provider/webhookProvider';
import type { SecretName, StoredSecret } from './webhookSecrets';

const apiKey = {
  label: '$(key) Paste the API key',
  detail: 'Optional (Developer, API). The service may sign with it, so add it as well as the secret.',
  proposal: 'api-key',
  make: false,
};

const changes = [
  { label: '$(add) Add…', detail: 'Paste one, or create one for local tests.', what: 'add' },
  {
    label: '$(sync) Replace…',
    detail: 'A new value; the old one may stay accepted for a while.',
    what: 'replace',
  },
  { label: '$(trash) Remove…', detail: 'Deliveries with it are refused from then on.', what: 'remove' },
  {
    label: '$(copy) Copy Test Secret…',
    detail: 'One that was created here, for your application.',
    what: 'copy',
  },
] as const;

/** Adds, replaces, removes, or copies a secret. @param what asked for if absent */
export async function changeSecrets(services: WebhookServices, what?: SecretChange): Promise<void> {
  const chosen =
    what ??
    (
      await vscode.window.showQuickPick(changes, {
        title: 'TON: Webhook Secrets',
        placeHolder: 'Choose what to do',
      })
    )?.what;
  switch (chosen) {
    case 'add':
      return addWebhookSecret(services);
    case 'replace':
      return replaceWebhookSecret(services);
    case 'remove':
      return removeWebhookSecret(services);
    case 'copy':
      return copyWebhookSecret(services);
    case undefined:
  }
}

/** Asks for a name and a secret, or generates a secret for local tests. */
async function addWebhookSecret(services: WebhookServices): Promise<void> {
  const { secrets } = services.webhooks;
  const { secretForm, mayUseApiKey } = await listenedService();
  const { word, source } = secretForm;
  const kind = await vscode.window.showQuickPick(
    [
      {
        label: `$(key) Paste a ${word}`,
        detail: `From ${source}, or from your server.`,
        proposal: 'main',
        make: false,
      },
      ...(mayUseApiKey === true ? [apiKey] : []),
      {
        label: `$(sparkle) Create a test ${word}`,
        detail: `A random ${word} for test webhooks to this listener.`,
        proposal: 'test',
        make: true,
      },
    ],
    { title: 'TON: Add Webhook Secret', placeHolder: `Choose how to add a ${word}` },
  );
  if (kind === undefined) {
    return;
  }
  const taken = (await secrets.names()).map(({ name }) => name);
  const name = await askName(taken, kind.proposal, secretForm);
  if (name === undefined) {
    return;
  }
  if (kind.make) {
    await secrets.make(name, secretForm);
    await services.webhooks.refresh();
    await tellMadeSecret(services, name);
    return;
  }
  const value = await askSecret(`TON: ${capitalized(word)} ${name}`, secretForm);
  if (value === undefined) {
    return;
  }
  await secrets.set(name, value);
  await services.webhooks.refresh();
  void vscode.window.setStatusBarMessage(`Saved the webhook ${word} ${name}`, 4000);
}

/** Says that a test secret was made, and offers to copy it. */
export async function tellMadeSecret(services: WebhookServices, name: string): Promise<void> {
  const { word, proof } = (await listenedService()).secretForm;
  const copy = `Copy ${capitalized(word)}`;
  const replace = 'Add My Own…';
  const answer = await vscode.window.showInformationMessage(
    `Made a test ${word}, named “${name}”. Deliveries ${proof} are accepted: give it to your application too.`,
    copy,
    replace,
  );
  if (answer === copy) {
    await copyWebhookSecret(services);
  } else if (answer === replace) {
    await addWebhookSecret(services);
  }
}

/** Says that the application has a secret that nobody knows here anymore. */
export async function tellForgottenSecrets(services: WebhookServices): Promise<void> {
  const { word } = (await listenedService()).secretForm;
  const copy = `Copy ${capitalized(word)}`;
  const answer = await vscode.window.showWarningMessage(
    `This editor did not keep its webhook ${word}s: there is a new test ${word} now. Give it to your application, which still has the earlier one.`,
    copy,
  );
  if (answer === copy) {
    await copyWebhookSecret(services);
  }
}

/** Copies a secret that was made here; others are never given out. */
async function copyWebhookSecret({ webhooks }: WebhookServices): Promise<void> {
  const made = await webhooks.secrets.made();
  const { word } = (await listenedService()).secretForm;
  if (made.length === 0) {
    throw new WorkbenchError({
      code: 'secret-missing',
      kind: 'input',
      message: `There is no test ${word} to copy.`,
      hint: `Only ${word}s made here are given out again; add one with TON: Webhook Secrets…`,
    });
  }
  const name =
    made.length === 1
      ? made[0]?.name
      : await vscode.window.showQuickPick(
          made.map((secret) => secret.name),
          { title: 'TON: Copy Test Secret', placeHolder: `Which ${word}?` },
        );
  const secret = made.find((one) => one.name === name);
  if (secret !== undefined) {
    await vscode.env.clipboard.writeText(secret.value);
    void vscode.window.setStatusBarMessage(`Copied the test ${word} named “${secret.name}”`, 4000);
  }
}

/** Changes a secret's value; the old value can stay accepted while both are in use. */
async function replaceWebhookSecret(services: WebhookServices): Promise<void> {
  const { secrets } = services.webhooks;
  const chosen = await pickSecret(services, 'TON: Replace Webhook Secret', ({ accepted }) => accepted);
  if (chosen === undefined) {
    return;
  }
  const { secretForm } = await listenedService();
  const { word } = secretForm;
  const value = await askSecret(`TON: New ${capitalized(word)} for ${chosen.name}`, secretForm);
  if (value === undefined) {
    return;
  }
  const old = await vscode.window.showQuickPick(
    [
      {
        label: 'Accept both',
        detail: `Until you remove the old one. Each delivery shows which ${word} matched.`,
        accepted: true,
      },
      {
        label: 'Accept only the new one',
        detail: `A refusal says when a delivery came with the old ${word}.`,
        accepted: false,
      },
    ],
    { title: `TON: Replace ${chosen.name}`, placeHolder: `Choose what happens to the old ${word}` },
  );
  if (old === undefined) {
    return;
  }
  const kept = await secrets.rotate(chosen.name, value, old.accepted);
  await services.webhooks.refresh();
  void vscode.window.showInformationMessage(
    `${chosen.name} has a new ${word}. The old one is kept as "${kept}", ${old.accepted ? 'and still accepted' : 'no longer accepted'}.`,
  );
}

/** Removes a secret after confirmation. */
async function removeWebhookSecret(services: WebhookServices): Promise<void> {
  const chosen = await pickSecret(services, 'TON: Remove Webhook Secret', () => true);
  if (chosen === undefined) {
    return;
  }
  const { word, proof } = (await listenedService()).secretForm;
  const answer = await vscode.window.showWarningMessage(
    `Remove the webhook ${word} ${chosen.name}?`,
    {
      modal: true,
      detail: `Deliveries ${proof} will be refused.`,
    },
    'Remove',
  );
  if (answer === 'Remove') {
    await services.webhooks.secrets.remove(chosen.name);
    await services.webhooks.refresh();
  }
}

/** Lets the user choose among matching secrets; a single one is used without asking, and none is reported. */
async function pickSecret(
  services: WebhookServices,
  title: string,
  fits: (secret: SecretName) => boolean,
): Promise<SecretName | undefined> {
  const names = (await services.webhooks.secrets.names()).filter(fits);
  const { word } = (await listenedService()).secretForm;
  if (names.length === 0) {
    const answer = await vscode.window.showInformationMessage(
      `There is no webhook ${word} yet.`,
      'Add Secret…',
    );
    if (answer === 'Add Secret…') {
      await addWebhookSecret(services);
    }
    return undefined;
  }
  const picked = await vscode.window.showQuickPick(
    names.map((secret) => ({
      label: secret.name,
      description: secret.accepted ? 'accepted' : 'no longer accepted',
      secret,
    })),
    { title, placeHolder: `Which ${word}?` },
  );
  return picked?.secret;
}

/**
 * The secret to sign with: the only accepted one that the service can have, or the chosen one. If there is none, offers
 * to add one, unless the service also delivers without.
 * @returns undefined if the user canceled
 */
export async function askSigningSecret(
  services: WebhookServices,
  title: string,
  provider: WebhookProvider,
): Promise<{ name: string; value: string } | undefined> {
  const read = async (): Promise<readonly StoredSecret[]> =>
    usableSecrets(provider, await services.webhooks.secrets.all()).filter(
      ({ accepted }) => accepted !== false,
    );
  let usable = await read();
  if (usable.length === 0 && provider.isSecretOptional) {
    return { name: 'none', value: '' };
  }
  if (usable.length === 0) {
    await addWebhookSecret(services);
    usable = await read();
  }
  if (usable.length <= 1) {
    return usable[0];
  }
  const name = await vscode.window.showQuickPick(
    usable.map((secret) => secret.name),
    { title, placeHolder: `Which ${provider.secretForm.word} do the deliveries use?`, ignoreFocusOut: true },
  );
  return usable.find((secret) => secret.name === name);
}

async function askName(
  taken: readonly string[],
  proposal: string,
  { word }: SecretForm,
): Promise<string | undefined> {
  const name = await askText({
    title: `TON: Name of the Webhook ${capitalized(word)}`,
    prompt: 'Shown beside each delivery that it matched.',
    placeholder: proposal,
    value: taken.includes(proposal) ? '' : proposal,
    validate: (text) => {
      if (!/^[\w .()-]{1,60}$/.test(text.trim())) {
        return 'Up to 60 letters, digits, spaces, dots, and dashes.';
      }
      return taken.includes(text.trim())
        ? `A ${word} with this name exists. Replace it to change it.`
        : undefined;
    },
  });
  return typeof name === 'string' ? name.trim() : undefined;
}

async function askSecret(title: string, form: SecretForm): Promise<string | undefined> {
  const value = await askText({
    title,
    prompt: `Kept in the editor's secret storage and never shown again. ${form.use}`,
    placeholder: `Paste the ${form.word}`,
    password: true,
    validate: (text) => secretProblem(text, form) ?? form.problem(text),
  });
  return typeof value === 'string' ? value : undefined;
}

/** Whitespace around a secret is nearly always a copying mistake, and would make every signature fail. */
function secretProblem(text: string, { word }: SecretForm): string | undefined {
  if (text === '') {
    return `Enter a ${word}, or press Escape to cancel.`;
  }
  return text === text.trim() ? undefined : `The ${word} begins or ends with a space. Paste it without.`;
}
