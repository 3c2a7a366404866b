import type { Command } from 'commander';
import { networkOfLink } from '../toolkit/access/networkOfLink';
import { configuredNetworks, networkAt } from '../toolkit/access/resolveNetwork';
import { isLoopbackHost } from '../toolkit/isLoopbackHost';
import { networkHere } from './networkHere';
import { writeNote } from './output';

/**
 * Lets the first word of a command, or its `--address`, be a link: the command asks the network that the link names,
 * unless `--network` names another.
 */
export function takesLinks(command: Command): Command {
  return command.hook('preAction', (_, action) => {
    const { address } = action.opts<{ address?: string }>();
    const linked = [action.args[0], address]
      .map((text) => networkOfLink(text ?? '', configuredHere()))
      .find((one) => one !== undefined);
    if (linked === undefined) {
      return;
    }
    const { host, origin } = linked;
    // A key is never sent to a host only because a link names it: on this machine, none is.
    const network =
      linked.network ?? (isLoopbackHost(new URL(origin).hostname) ? networkAt(origin, origin) : undefined);
    const isChosen = action.getOptionValueSource('network') !== 'default';
    const asked = networkHere(action.opts<{ network: string }>().network).network;
    if (network === undefined) {
      const how = isChosen ? '' : ' Choose another with --network.';
      writeNote(`${host} does not say which network it shows: asking ${asked.name}.${how}`);
    } else if (!isChosen) {
      action.setOptionValueWithSource('network', network.name, 'implied');
    } else if (network.name !== asked.name) {
      writeNote(`The link is of ${network.name}: asking ${asked.name}, as --network says.`);
    }
  });
}

/** The networks with a name, the local one as it is here. */
function configuredHere(): ReturnType<typeof networkHere>['network'][] {
  return configuredNetworks.map(({ name }) => networkHere(name).network);
}
