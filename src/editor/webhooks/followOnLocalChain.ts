import type { Disposable } from 'vscode';
import type { Delivery } from '../../toolkit/webhook/delivery/delivery';
import { lookUpPayment } from './checkOnChainCommand';
import { serviceOfDelivery } from './webhookService';
import type { WebhookServices } from './webhookServices';

/**
 * Looks for each accepted payment on the local network, if it runs, as soon as its delivery arrives: there it costs nothing
 * and tells nobody anything. On other networks, the command does that when it is asked to.
 */
export function followOnLocalChain(services: WebhookServices): Disposable {
  const ends = new AbortController();
  const look = async ({ id }: Delivery): Promise<void> => {
    const delivery = await services.webhooks.inbox()?.delivery(id);
    const access = await services.connections.to(services.networks.local());
    // A service that does not tell the asset would seem to differ.
    if (delivery !== undefined && (await serviceOfDelivery(delivery)).carries.includes('asset')) {
      // What this network does not know may be on another one.
      await lookUpPayment(services, delivery, { access, signal: ends.signal }, isThere);
    }
  };
  const following = services.webhooks.onDidReceive((delivery) => {
    const isRunning = services.networks.local().v3 !== undefined;
    if (isRunning && delivery.verdict === 'accepted' && delivery.payment !== null) {
      look(delivery).catch((error: unknown) => {
        if (!ends.signal.aborted) {
          services.log.warn(
            `The payment of delivery ${delivery.id} could not be looked up: ${String(error)}`,
          );
        }
      });
    }
  });
  return {
    dispose: () => {
      ends.abort();
      following.dispose();
    },
  };
}

function isThere({ traceId }: { traceId?: string | undefined }): boolean {
  return traceId !== undefined;
}
