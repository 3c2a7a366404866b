import type { AccountRow } from '../../commandArguments';
import type { ComposedMessage } from '../../toolkit/compose/composedMessage';
import type { ComposeLineOptions } from '../../toolkit/compose/parseComposeLine';
import { accountName, accountsByName } from '../accounts/knownAccounts';
import { itemAddress } from '../accounts/itemAddress';
import { withProgress } from '../ui/withProgress';
import { askComposedLine } from './askComposedLine';
import { deliverMessage } from './deliverMessage';
import type { SendServices } from './sendServices';

const recentKey = 'composedLines';
const recentLimit = 10;

/**
 * TON: Compose Message…: an internal message, step by step or as one line, signed by a wallet of the local network or
 * sent in a contract's name; then rehearsed and sent like any message.
 *
 * @param given a line to send, or the row of the recipient; asked for when absent
 * @param as raw address of the contract in whose name to send; asked for when absent
 */
export async function composeCommand(
  services: SendServices,
  given: string | AccountRow | undefined,
  { as }: { as?: string | undefined } = {},
): Promise<void> {
  const [
    { parseComposeLine },
    { printComposeLine },
    { composeLocalOnlyError },
    { prepareComposed },
    { projectLayouts },
  ] = await Promise.all([
    import('../../toolkit/compose/parseComposeLine'),
    import('../../toolkit/compose/printComposeLine'),
    import('../../toolkit/compose/composeLineError'),
    import('../../toolkit/compose/prepareComposed'),
    import('../../toolkit/layouts/projectLayouts'),
  ]);
  const network = services.networks.current();
  if (network.kind !== 'local') {
    throw composeLocalOnlyError(network.name);
  }
  const access = await withProgress('Connecting', (signal) => services.connections.current(signal));
  const { accounts } = await services.localNetwork.ensureRunning();
  const options: ComposeLineOptions = {
    accounts: accountsByName(services),
    wallets: accounts.map(({ name }) => name),
    layouts: await projectLayouts(await services.project.list()),
  };
  const { workspaceState } = services.context;
  const recent = workspaceState.get<string[]>(recentKey, []);
  const read = (line: string): ComposedMessage => parseComposeLine(line, options);
  const address = typeof given === 'string' ? undefined : itemAddress(given);
  const destination = address === undefined ? undefined : (accountName(services)(address) ?? address);
  const sender = as === undefined ? undefined : `as ${accountName(services)(as) ?? as}`;
  const line =
    typeof given === 'string'
      ? given
      : await askComposedLine(services, { read, options, recent, destination, sender });
  if (line === undefined) {
    return;
  }
  const composed = read(line);
  const printed = printComposeLine(composed, { name: accountName(services) });
  await workspaceState.update(
    recentKey,
    [printed, ...recent.filter((one) => one !== printed)].slice(0, recentLimit),
  );
  const message = await withProgress('Composing the message', (signal) =>
    prepareComposed(access, composed, accounts, signal),
  );
  await deliverMessage(services, access, message);
}
