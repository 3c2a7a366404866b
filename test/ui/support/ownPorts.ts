import { freePort } from '../../support/freePort';

/** Settings for a window beside others: the services' usual ports are the same in all. @param settings that may name some */
export async function ownPorts(settings: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
  const services = ['localNetwork', 'wallet', 'payments', 'webhooks'];
  const entries = services.map(async (name) => [name, await freePort()] as const);
  const own: object = Object.fromEntries(await Promise.all(entries));
  return { 'tonWorkbench.ports': { ...own, ...(settings['tonWorkbench.ports'] as object | undefined) } };
}
