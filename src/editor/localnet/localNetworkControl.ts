import * as vscode from 'vscode';
import { readSetting } from '../../contributions';
import { WorkbenchError } from '../../toolkit/errors';
import type { Services } from '../services';
import { askAccount } from '../ui/askAccount';
import { askText } from '../ui/askText';
import { itemAddress } from '../ui/itemAddress';
import { withProgress } from '../ui/withProgress';

/** Sends one command to the running local network; starts it first if it does not run. */
async function control<Result>(
  services: Services,
  title: string,
  name: string,
  parameters?: Record<string, unknown>,
): Promise<Result> {
  return withProgress(title, async (signal) => {
    const localnet = await services.localNetwork.ensureRunning(signal);
    const { callControl } = await import('../../toolkit/localnet/callControl');
    return callControl<Result>(localnet.control, name, parameters, signal);
  });
}

function say(text: string): void {
  void vscode.window.setStatusBarMessage(text, 5000);
}

/** Gives coins to an account, out of nothing. */
export async function faucet(services: Services, item: unknown): Promise<void> {
  const address =
    itemAddress(item) ??
    (await askAccount(services, { title: 'TON: Faucet', placeholder: 'Who gets coins?' }));
  if (address === undefined) {
    return;
  }
  const amount = await askCoins('TON: Faucet', 'How many coins, out of nothing', '100');
  if (amount === undefined) {
    return;
  }
  await control(services, 'Giving coins', 'faucet', { address, amount: amount.nanocoins });
  say(`Gave ${amount.text} ${readSetting(vscode.workspace, 'tonWorkbench.coinLabel')}`);
}

/** Sets the balance of an account. */
export async function setBalance(services: Services, item: unknown): Promise<void> {
  const address =
    itemAddress(item) ??
    (await askAccount(services, { title: 'TON: Set Balance', placeholder: 'Whose balance?' }));
  const amount =
    address === undefined ? undefined : await askCoins('TON: Set Balance', 'The new balance in coins', '0');
  if (amount !== undefined) {
    await control(services, 'Setting the balance', 'setAccount', { address, balance: amount.nanocoins });
  }
}

/** Makes a block now. */
export async function mine(services: Services): Promise<void> {
  const { seqno } = await control<{ seqno: number }>(services, 'Making a block', 'mine', {});
  say(`Block ${seqno}`);
}

/** Moves the network's clock forward. */
export async function moveTime(services: Services): Promise<void> {
  const units: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 };
  const read = (text: string): number | undefined => {
    const match = /^(\d{1,9})\s*([smhd])?$/.exec(text.trim());
    return match === null ? undefined : Number(match[1]) * (units[match[2] ?? 's'] ?? 1);
  };
  const answer = await askText({
    title: 'TON: Move Time Forward',
    prompt: 'How far: 90, 15m, 6h, 30d. The clock never goes back; restore a snapshot for that.',
    placeholder: '1h',
    validate: (text) =>
      read(text) === undefined ? 'Enter a number with s, m, h or d behind it.' : undefined,
  });
  if (typeof answer === 'string') {
    const { now } = await control<{ now: number }>(services, 'Moving time', 'time', {
      seconds: read(answer),
    });
    say(`The local network's time is ${new Date(now * 1000).toLocaleString()}`);
  }
}

/** Chooses when blocks are made. */
export async function setBlockMode(services: Services): Promise<void> {
  const picked = await vscode.window.showQuickPick(
    [
      {
        label: 'automatic',
        detail: 'A block 20 ms after the first message; the default',
        parameters: { mode: 'automatic' },
      },
      {
        label: 'interval',
        detail: 'A block every 5 seconds, as on the public network',
        parameters: { mode: 'interval', milliseconds: 5000 },
      },
      {
        label: 'manual',
        detail: 'A block only when you make one: messages stay pending until then',
        parameters: { mode: 'manual' },
      },
    ],
    { title: 'TON: When Blocks Are Made', placeHolder: 'Mode of the local network' },
  );
  if (picked !== undefined) {
    await control(services, 'Changing the mode', 'mode', picked.parameters);
    say(`Blocks: ${picked.label}`);
  }
}

/** Remembers the present state under a name. */
export async function takeSnapshot(services: Services): Promise<void> {
  const name = await askText({
    title: 'TON: Take Snapshot',
    prompt: 'A name for the present state of the local network',
    placeholder: 'before the upgrade',
    validate: (text) => (text.trim() === '' ? 'Give it a name.' : undefined),
  });
  if (typeof name === 'string') {
    const { seqno } = await control<{ seqno: number }>(services, 'Taking a snapshot', 'snapshot', {
      name: name.trim(),
    });
    say(`Snapshot "${name.trim()}" of block ${seqno}`);
  }
}

/** Goes back to a snapshot, after asking: what happened since is lost. */
export async function restoreSnapshot(services: Services): Promise<void> {
  const snapshots = await control<Record<string, number>>(services, 'Reading the snapshots', 'snapshots');
  const items = Object.entries(snapshots).map(([label, seqno]) => ({ label, description: `block ${seqno}` }));
  if (items.length === 0) {
    const action = await vscode.window.showInformationMessage('There is no snapshot yet.', 'Take One…');
    if (action !== undefined) {
      await takeSnapshot(services);
    }
    return;
  }
  const picked = await vscode.window.showQuickPick(items, {
    title: 'TON: Restore Snapshot',
    placeHolder: 'Which state?',
  });
  if (
    picked !== undefined &&
    (await sure(`Go back to "${picked.label}"?`, 'Everything since that block is lost.', 'Go Back'))
  ) {
    await control(services, 'Going back', 'restore', { name: picked.label });
  }
}

/** Goes back to just before a trace, after asking. */
export async function rewindBefore(services: Services, trace: string): Promise<void> {
  if (await sure('Go back to before this trace?', 'This trace and everything since are lost.', 'Go Back')) {
    const { seqno } = await control<{ seqno: number }>(services, 'Going back', 'restore', { trace });
    say(`Back at block ${seqno}`);
  }
}

/** Begins anew, after asking. */
export async function resetNetwork(services: Services): Promise<void> {
  const detail = 'All contracts, balances, transactions and snapshots of this workspace are lost.';
  if (await sure('Begin the local network anew?', detail, 'Begin Anew')) {
    await control(services, 'Beginning anew', 'reset', {});
  }
}

/** Deploys a built contract, from the explorer or asked for, and offers what comes next. */
export async function deployContract(services: Services, resource: unknown): Promise<void> {
  const deployed = await deployBuilt(services, resource instanceof vscode.Uri ? resource : undefined);
  if (deployed === undefined) {
    return;
  }
  const { address } = deployed;
  const action = await vscode.window.showInformationMessage(
    `Deployed at ${address}.`,
    'Run Get-Method…',
    'Pin',
    'Open Account',
    'Copy Address',
  );
  if (action === 'Run Get-Method…') {
    await vscode.commands.executeCommand('tonWorkbench.runGetMethod', { address });
  } else if (action === 'Pin') {
    await vscode.commands.executeCommand('tonWorkbench.pinContract', address);
  } else if (action === 'Open Account') {
    await vscode.commands.executeCommand('tonWorkbench.openAccount', address);
  } else if (action === 'Copy Address') {
    await vscode.env.clipboard.writeText(address);
  }
}

/**
 * Deploys what a build left, Blueprint's *.compiled.json; which one and with which data is asked for.
 * @returns undefined when the user left
 */
export async function deployBuilt(
  services: Services,
  build: vscode.Uri | undefined,
): Promise<{ address: string } | undefined> {
  const file = build ?? (await pickBuild());
  if (file === undefined) {
    return undefined;
  }
  const { readBuiltContract } = await import('./readBuiltContract');
  const built = readBuiltContract(Buffer.from(await vscode.workspace.fs.readFile(file)).toString('utf8'));
  const { parseStackText } = await import('../../toolkit/stack/parseStackText');
  const { accountsByName } = await import('../getMethods/knownAccounts');
  await services.localNetwork.ensureRunning();
  const dataOf = (text: string): string => {
    const [value, ...more] = parseStackText(text, { accounts: accountsByName(services) });
    if (value === undefined || more.length > 0 || !('cell' in value)) {
      throw new WorkbenchError({
        code: 'data-not-a-cell',
        kind: 'input',
        message: 'The initial data is one cell: b(…) or cell te6cc….',
      });
    }
    return value.cell.toBoc().toString('base64');
  };
  const data = await askText({
    title: `TON: Deploy ${file.path.split('/').at(-1) ?? ''}`,
    prompt: 'Initial data, as a cell: b(addr @alice, i64 0), cell te6cc…, or b() for none',
    placeholder: 'b(…)',
    value: 'b()',
    validate: (text) => {
      try {
        dataOf(text);
        return undefined;
      } catch (error) {
        return WorkbenchError.is(error) ? error.message : String(error);
      }
    },
  });
  if (typeof data !== 'string') {
    return undefined;
  }
  return control<{ address: string }>(services, 'Deploying', 'deploy', {
    code: built.code,
    data: dataOf(data),
  });
}

async function pickBuild(): Promise<vscode.Uri | undefined> {
  const files = await vscode.workspace.findFiles('**/*.compiled.json', '**/node_modules/**', 200);
  const picked = await vscode.window.showQuickPick(
    files.map((file) => ({
      label: file.path.split('/').at(-1) ?? '',
      description: vscode.workspace.asRelativePath(file),
      file,
    })),
    {
      title: 'TON: Deploy a Built Contract',
      placeHolder:
        files.length === 0 ? 'No *.compiled.json in this workspace: build it first' : 'Which contract?',
    },
  );
  return picked?.file;
}

async function sure(question: string, detail: string, action: string): Promise<boolean> {
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, action)) === action;
}

async function askCoins(
  title: string,
  prompt: string,
  value: string,
): Promise<{ text: string; nanocoins: string } | undefined> {
  const read = (text: string): bigint | undefined => {
    const match = /^(\d{1,12})(?:\.(\d{1,9}))?$/.exec(text.trim());
    return match === null ? undefined : BigInt(`${match[1]}${(match[2] ?? '').padEnd(9, '0')}`);
  };
  const answer = await askText({
    title,
    prompt,
    placeholder: value,
    value,
    validate: (text) => (read(text) === undefined ? 'Enter an amount in coins, for example 1.5.' : undefined),
  });
  const nanocoins = typeof answer === 'string' ? read(answer) : undefined;
  return typeof answer === 'string' && nanocoins !== undefined
    ? { text: answer.trim(), nanocoins: nanocoins.toString() }
    : undefined;
}
