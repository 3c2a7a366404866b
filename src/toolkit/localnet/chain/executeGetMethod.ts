import type { TupleItem } from '@ton/core';
import { Address } from '@ton/core';
import type { GetMethodOutcome } from '../../execution/emulator/emulator';
import { writeLightCell } from '../../cell/light/lightCell';
import type { LightCell } from '../../cell/light/lightCell';
import type { LocalChain } from './localChain';
import type { AccountRecord } from '../records/records';

/** What get-methods run on. */
export type GetMethodChain = Pick<
  LocalChain,
  'config' | 'emulator' | 'fork' | 'ledger' | 'libraries' | 'load' | 'now'
> &
  // Emulations on a temporary state have no log.
  Partial<Pick<LocalChain, 'tellPrinted'>>;

/** Maximum libraries that a get-method on a fork may load one after the other. */
const mostMissingLibraries = 8;

/**
 * Runs a get-method on the account's current state. An account without code returns exit code -13 with the method id
 * on the stack, like the public service.
 */
export async function executeGetMethod(
  chain: GetMethodChain,
  address: string,
  methodId: number,
  stack: TupleItem[],
): Promise<GetMethodOutcome> {
  await chain.load(address);
  const account = chain.ledger.accounts.get(address);
  if (account?.facts.code == null) {
    const left: TupleItem[] = [{ type: 'int', value: BigInt(methodId) }];
    return { exitCode: -13, gasUsed: 0n, stack: left, vmLog: '', debugOutput: [], missingLibrary: null };
  }
  for (let missing = 0; ; missing += 1) {
    const outcome = await run(chain, account, methodId, stack);
    const { missingLibrary } = outcome;
    const isNew =
      missingLibrary !== null &&
      missing < mostMissingLibraries &&
      (await chain.fork?.loadLibrary(missingLibrary)) !== undefined;
    if (!isNew) {
      chain.tellPrinted?.(address, outcome.debugOutput);
      return outcome;
    }
  }
}

function run(
  chain: GetMethodChain,
  account: AccountRecord,
  methodId: number,
  stack: TupleItem[],
): Promise<GetMethodOutcome> {
  const { facts, address } = account;
  return chain.emulator.runGetMethod({
    config: chain.config.getMethodBase64,
    libraries: chain.libraries,
    code: codeBoc(account, facts.code as LightCell),
    data: dataBoc(account),
    methodId,
    stack,
    address: Address.parseRaw(address),
    now: chain.now(),
    balance: facts.balance,
  });
}

/** Code as BoC, base64. */
export function codeBoc(account: AccountRecord, code: LightCell): string {
  return (account.codeBoc ??= writeLightCell(code).toString('base64'));
}

/** Data as BoC, base64; an empty cell if there is none. */
export function dataBoc(account: AccountRecord): string {
  const { data } = account.facts;
  return (account.dataBoc ??=
    data === null ? 'te6ccgEBAQEAAgAAAA==' : writeLightCell(data).toString('base64'));
}
