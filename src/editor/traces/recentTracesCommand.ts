import type { Services } from '../services';
import { askAccount } from '../ui/askAccount';
import { itemAddress } from '../ui/itemAddress';
import type { OpenTraces } from './openTraces';
import { openTraceCommand } from './openTraceCommand';

/** TON: Recent Traces Of…: the newest traces of an account, of a row or asked for. */
export async function recentTracesCommand(
  services: Services,
  traces: OpenTraces,
  item: unknown,
): Promise<void> {
  const account =
    itemAddress(item) ??
    (await askAccount(services, { title: 'TON: Recent Traces', placeholder: 'Whose traces?' }));
  if (account !== undefined) {
    await openTraceCommand(services, traces, account);
  }
}
