import { beginCell, Cell } from '@ton/core';
import type { Access } from '../access/createAccess';
import { callControl } from '../localnet/callControl';
import { localControlOf } from '../localnet/controlOf';
import { paymentLocalOnlyError } from './paymentErrors';
import type { PaymentStore } from './paymentStore';

interface Surroundings {
  access: Access;
  store: Pick<PaymentStore, 'throwing' | 'setThrowing'>;
  signal?: AbortSignal | undefined;
}

/** Code that throws at once: THROW 40. */
const throwingCode = beginCell().storeUint(0xf228, 16).endCell();

/**
 * Runs work while an account throws at every message, then gives it its code back. An ordinary wallet takes every
 * message, so that no payment to it would bounce by itself. Its code is in the store before it is replaced.
 */
export async function whileThrowing<T>(
  address: string,
  surroundings: Surroundings,
  work: () => Promise<T>,
): Promise<T> {
  const code = await codeOf(address, surroundings);
  if (code === undefined) {
    // Not deployed: a message that may bounce does.
    return work();
  }
  await surroundings.store.setThrowing({ address, code });
  try {
    await setCode(address, throwingCode.toBoc().toString('base64'), surroundings);
    return await work();
  } finally {
    await endThrowing(surroundings);
  }
}

/** Gives the account that throws its code back: also the one that a killed run has left so. */
export async function endThrowing(surroundings: Surroundings): Promise<void> {
  const { store } = surroundings;
  if (store.throwing === null) {
    return;
  }
  const { address, code } = store.throwing;
  const current = await codeOf(address, { ...surroundings, signal: undefined });
  // The network may have gone back, or started over.
  if (current !== undefined && Cell.fromBase64(current).equals(throwingCode)) {
    await setCode(address, code, surroundings);
  }
  await store.setThrowing(null);
}

async function codeOf(address: string, { access, signal }: Surroundings): Promise<string | undefined> {
  const { accounts } = await access.v3.accountStates({ address: [address], include_boc: true }, { signal });
  return accounts?.[0]?.code_boc ?? undefined;
}

async function setCode(address: string, code: string, { access }: Surroundings): Promise<void> {
  const control = localControlOf(access.network);
  if (control === undefined) {
    throw paymentLocalOnlyError(access.network.name);
  }
  await callControl(control, 'setAccount', { address, code });
}
