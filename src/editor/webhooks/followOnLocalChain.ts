import type { Disposable } from 'vscode';
import type { Delivery } from '../../toolkit/webhook/delivery/delivery';
import { lookUpPayment } from './checkOnChainCommand';
import { serviceOfDelivery } from './webhookService';
import type { WebhookServices } from './webhookServices';

/**
 * Looks for each accepted payment on the local network, if it runs, as soon as its delivery arrives: there it costs nothing
 * and tells nobody anything; again when the network has gone back to an earlier block. On other networks, the command does that when it is asked to.
 */
export function followOnLocalChain(services: WebhookServices): Disposable {
  const ends = new AbortController();
  const warn =
    (what: string) =>
    (error: unknown): void => {
      if (!ends.signal.aborted) {
        services.log.warn(`${what}: ${String(error)}`);
      }
    };
  const look = async ({ id }: Delivery): Promise<void> => {
    const delivery = await services.webhooks.inbox()?.delivery(id);
    const access = await services.connections.to(services.networks.local());
    // A service that does not tell the asset would seem to differ.
    if (delivery !== undefined && (await serviceOfDelivery(delivery)).carries.includes('asset')) {
      // What this network does not know may be on another one.
      await lookUpPayment(services, delivery, { access, signal: ends.signal }, isThere);
    }
  };
  // What was seen on the chain may be undone by now, or be there again.
  const lookAgain = async (): Promise<void> => {
    const { webhooks, networks, connections } = services;
    const local = networks.local();
    const access = await connections.to(local);
    for (const [id, sighting] of webhooks.chain.all()) {
      const isSeen = sighting.network === local.name && sighting.result !== 'absent';
      const delivery = isSeen ? await webhooks.inbox()?.delivery(id) : undefined;
      if (delivery !== undefined) {
        const report = await lookUpPayment(services, delivery, { access, signal: ends.signal }, isThere);
        if (!isThere(report)) {
          await webhooks.chain.set(id, { ...sighting, result: 'undone' });
        }
      }
    }
  };
  let history = historyOf(services);
  const going = services.localNetwork.onDidChange(() => {
    const before = history;
    history = historyOf(services) ?? before;
    if (before !== undefined && history !== before) {
      lookAgain().catch(warn('What was undone on the local network could not be looked up'));
    }
  });
  const following = services.webhooks.onDidReceive((delivery) => {
    const isRunning = services.networks.local().v3 !== undefined;
    // A payment that was undone and made again is told of with the same reference.
    const isPaid = delivery.verdict === 'accepted' || delivery.verdict === 'repeat';
    if (isRunning && isPaid && delivery.payment !== null) {
      look(delivery).catch(warn(`The payment of delivery ${delivery.id} could not be looked up`));
    }
  });
  return {
    dispose: () => {
      ends.abort();
      going.dispose();
      following.dispose();
    },
  };
}

/** Changes when the local network goes back to an earlier block, or is another one. */
function historyOf({ localNetwork }: WebhookServices): string | undefined {
  const state = localNetwork.state();
  return state.kind === 'running' ? `${state.chain} ${state.turns}` : undefined;
}

function isThere({ traceId }: { traceId?: string | undefined }): boolean {
  return traceId !== undefined;
}
