import { beginCell, Cell } from '@ton/core';
import type { Access } from '../access/createAccess';
import { callControl } from '../localnet/callControl';
import { localControlOf } from '../localnet/controlOf';
import { paymentLocalOnlyError } from './paymentErrors';

interface Surroundings {
  access: Access;
  signal?: AbortSignal | undefined;
}

/** THROW 40. */
const throws = 0xf228;
/** How many accounts of a network are looked at for one that throws, and how many at once. */
const mostSearched = 1_000;
const atOnce = 100;

/**
 * Runs work while an account throws at every message, then gives it its code back. An ordinary wallet takes every
 * message, so that no payment to it would bounce by itself. The network itself keeps the code, so that a process that is
 * killed takes nothing with it.
 */
export async function whileThrowing<T>(
  address: string,
  surroundings: Surroundings,
  work: () => Promise<T>,
): Promise<T> {
  const [code] = await codesOf([address], surroundings);
  if (code === undefined) {
    // Not deployed: a message that may bounce does.
    return work();
  }
  try {
    if (originalOf(code.code) === undefined) {
      await setCode(address, throwingCode(code.code), surroundings);
    }
    return await work();
  } finally {
    await giveBack([address], { access: surroundings.access });
  }
}

/** Gives all accounts that a killed run has left throwing their code back. */
export async function endThrowing(surroundings: Surroundings): Promise<void> {
  const { access, signal } = surroundings;
  const rich = await access.v3.topAccountsByBalance({ limit: mostSearched }, { signal });
  const addresses = rich.flatMap(({ account }) => account ?? []);
  for (let start = 0; start < addresses.length; start += atOnce) {
    await giveBack(addresses.slice(start, start + atOnce), surroundings);
  }
}

async function giveBack(addresses: readonly string[], surroundings: Surroundings): Promise<void> {
  for (const { address, code } of await codesOf(addresses, surroundings)) {
    const original = originalOf(code);
    if (original !== undefined) {
      await setCode(address, original, surroundings);
    }
  }
}

/** Code that throws at once, with the code that it stands for in a reference (BoCs, base64). */
function throwingCode(original: string): string {
  return beginCell()
    .storeUint(throws, 16)
    .storeRef(Cell.fromBase64(original))
    .endCell()
    .toBoc()
    .toString('base64');
}

/** The code for which one that throws stands; undefined for any other. */
function originalOf(code: string): string | undefined {
  const cell = Cell.fromBase64(code);
  const isThrowing =
    !cell.isExotic &&
    cell.bits.length === 16 &&
    cell.beginParse().loadUint(16) === throws &&
    cell.refs.length === 1;
  return isThrowing ? cell.refs[0]?.toBoc().toString('base64') : undefined;
}

async function codesOf(
  addresses: readonly string[],
  { access, signal }: Surroundings,
): Promise<{ address: string; code: string }[]> {
  const { accounts } = await access.v3.accountStates(
    { address: [...addresses], include_boc: true },
    { signal },
  );
  return (accounts ?? []).flatMap(({ address, code_boc: code }) =>
    address == null || code == null ? [] : [{ address, code }],
  );
}

async function setCode(address: string, code: string, { access }: Surroundings): Promise<void> {
  const control = localControlOf(access.network);
  if (control === undefined) {
    throw paymentLocalOnlyError(access.network.name);
  }
  await callControl(control, 'setAccount', { address, code });
}
