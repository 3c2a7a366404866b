import * as vscode from 'vscode';
import type { CommandArguments, CommandId } from '../../commandArguments';
import { accountName } from '../project/accountName';
import type { Services } from '../project/services';
import { shortCoins } from '../../toolkit/trace/figures';
import { findForms, mayHoldSecrets } from '../../toolkit/trace/chainForms';
import type { ChainForm } from '../../toolkit/trace/chainForms';
import { coinLabel } from '../ui/readWorkspaceFile';

/** Longer lines are data and get no hover. */
const longestLine = 20_000;

const commands: CommandId[] = [
  'tonWorkbench.openAccount',
  'tonWorkbench.recentTraces',
  'tonWorkbench.runGetMethod',
  'tonWorkbench.openTrace',
];

/**
 * Describes the address or hash under the pointer. Only the local network is queried automatically: what the user
 * looks at is private, so public services are queried only after a click, and the hover names them.
 */
export async function chainHover(
  services: Services,
  document: vscode.TextDocument,
  { line, character }: vscode.Position,
  token: vscode.CancellationToken,
  forms: readonly ChainForm[] = ['address', 'hash'],
): Promise<vscode.Hover | undefined> {
  const { text } = document.lineAt(line);
  if (text.length > longestLine) {
    return undefined;
  }
  const at = (found: { offset: number; text: string }): boolean =>
    found.offset <= character && character < found.offset + found.text.length;
  const address = findForms(text, 'address').find(at);
  const hash =
    !forms.includes('hash') || mayHoldSecrets(document.uri.path)
      ? undefined
      : findForms(text, 'hash').find(at);
  const found = address ?? hash;
  if (found === undefined) {
    return undefined;
  }
  const lines =
    address === undefined
      ? await hashLines(services, found.text)
      : await addressLines(services, found.text, token);
  if (lines === undefined || token.isCancellationRequested) {
    return undefined;
  }
  const markdown = new vscode.MarkdownString(lines.join('  \n'));
  markdown.isTrusted = { enabledCommands: commands };
  return new vscode.Hover(
    markdown,
    new vscode.Range(line, found.offset, line, found.offset + found.text.length),
  );
}

async function addressLines(
  services: Services,
  text: string,
  token: vscode.CancellationToken,
): Promise<string[] | undefined> {
  const { parseAddressInput } = await import('../../toolkit/address/parseAddressInput');
  let address: ReturnType<typeof parseAddressInput>;
  try {
    address = parseAddressInput(text);
  } catch (error) {
    return [
      `Looks like an address, but is not valid: ${error instanceof Error ? error.message : String(error)}`,
    ];
  }
  const raw = address.toRawString();
  const network = services.networks.current();
  const name = accountName(services)(raw);
  const state = network.kind === 'local' ? await localState(services, raw, token) : undefined;
  return [
    `**${name === undefined ? 'TON address' : escape(name)}**${address.workChain === -1 ? ', masterchain' : ''}`,
    ...(state === undefined ? [] : [`${escape(network.name)}: ${state}`]),
    `\`${address.toString()}\` bounceable`,
    `\`${address.toString({ bounceable: false })}\` non-bounceable`,
    `\`${raw}\``,
    [
      link('Open Account', 'tonWorkbench.openAccount', raw),
      link('Recent Traces', 'tonWorkbench.recentTraces', { account: { address: raw } }),
      link('Run Get-Method…', 'tonWorkbench.runGetMethod', { address: raw }),
    ].join(' · ') + ` on ${escape(network.name)}`,
  ];
}

/** Balance and state on the local network if it is running: a hover starts nothing. */
async function localState(
  services: Services,
  address: string,
  token: vscode.CancellationToken,
): Promise<string | undefined> {
  if (services.localNetwork.state().kind !== 'running') {
    return undefined;
  }
  const controller = new AbortController();
  token.onCancellationRequested(() => controller.abort());
  try {
    const access = await services.connections.current(controller.signal);
    const { balance, state } = await access.v2.getAddressInformation(
      { address },
      { signal: controller.signal },
    );
    const coin = coinLabel();
    return `${state}, ${shortCoins(balance)} ${escape(coin)}`;
  } catch {
    // Without the network, the hover shows what is known.
    return undefined;
  }
}

async function hashLines(services: Services, text: string): Promise<string[]> {
  const network = escape(services.networks.current().name);
  const code = await codeLine(services, text);
  return [
    ...(code === undefined ? [] : [code]),
    '**32 bytes**, perhaps a transaction, a message, or a trace',
    `${link('Open Trace', 'tonWorkbench.openTrace', text)}: looks up this hash on ${network}`,
  ];
}

/** If the project has built a contract with the code of this hash: which, by what file, and how old that is. */
async function codeLine({ project }: Services, text: string): Promise<string | undefined> {
  const [{ parseHashInput }, { describeContract }] = await Promise.all([
    import('../../toolkit/address/hash'),
    import('../../toolkit/contracts/abi/contractDescription'),
  ]);
  let codeHash: string;
  try {
    codeHash = parseHashInput(text);
  } catch {
    // 44 characters of something else.
    return undefined;
  }
  const { name, nameOrigin } = describeContract({ codeHash }, await project.list());
  return name === undefined
    ? undefined
    : `Code of **${escape(name)}**${nameOrigin === undefined ? '' : `, by ${escape(nameOrigin)}`}`;
}

function link<K extends CommandId>(title: string, command: K, ...args: CommandArguments[K]): string {
  return `[${title}](command:${command}?${encodeURIComponent(JSON.stringify(args))})`;
}

/** Names come from the user's own list, but must not act as markup. */
function escape(text: string): string {
  return text.replaceAll(/[\\`*_{}[\]()#+\-.!<>|~]/g, String.raw`\$&`);
}
