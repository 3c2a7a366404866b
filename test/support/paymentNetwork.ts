import { createAccess } from '../../src/toolkit/access/createAccess';
import type { Access } from '../../src/toolkit/access/createAccess';
import { resolveNetwork } from '../../src/toolkit/access/resolveNetwork';
import { startLocalnetCommand } from './localnetCommand';
import type { LocalnetCommand } from './localnetCommand';

/** A local network on which a shop is paid. */
export interface PaymentNetwork extends LocalnetCommand {
  access: Access;
  /** The shop's address. */
  recipient: string;
}

/** Starts a network for the orders of a shop. */
export async function startPaymentNetwork(): Promise<PaymentNetwork> {
  const network = await startLocalnetCommand();
  const access = createAccess({ network: resolveNetwork(network.origin).network });
  return { ...network, access, recipient: network.rawOf('alice') };
}
