import { freePort } from '../../support/freePort';

/** Settings for a window beside others: the services' usual ports are the same in all. */
export async function ownPorts(): Promise<Record<string, number>> {
  const services = ['localNetwork', 'wallet', 'payments', 'webhooks'];
  const entries = services.map(async (name) => [`tonWorkbench.${name}.port`, await freePort()] as const);
  return Object.fromEntries(await Promise.all(entries));
}
