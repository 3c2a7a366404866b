import type { Cell } from '@ton/core';
import { Address, beginCell, external, storeMessage, Cell as CoreCell } from '@ton/core';
import { loadAnyTransaction } from '../../cell/loadFolded';
import { absentAccount } from '../../execution/emulator/emulator';
import { transactionSurroundings } from '../../execution/cascade';
import type { LocalChain } from './localChain';
import { rejection } from './inboundMessage';

/** Fees in nanocoins. */
export interface EstimatedFees {
  inForward: bigint;
  storage: bigint;
  gas: bigint;
  forward: bigint;
}

export interface EstimateInput {
  address: string;
  body: Cell;
  code?: Cell | undefined;
  data?: Cell | undefined;
  ignoreSignatures: boolean;
}

/** What an external message would now cost its receiver. Throws RejectedMessageError if it would be rejected. */
export async function estimateMessageFee(chain: LocalChain, input: EstimateInput): Promise<EstimatedFees> {
  const { body, code, data } = input;
  const init =
    code === undefined && data === undefined ? undefined : { code: code ?? null, data: data ?? null };
  const to = Address.parseRaw(input.address);
  await chain.load(input.address);
  const message = external({ to, body, ...(init === undefined ? {} : { init }) });
  const shardAccount = chain.ledger.accounts.get(input.address)?.current ?? absentAccount;
  const outcome = await chain.emulator.runTransaction({
    ...transactionSurroundings(chain, chain.newContext(), shardAccount),
    message: beginCell().store(storeMessage(message)).endCell().toBoc().toString('base64'),
    ignoreSignatures: input.ignoreSignatures,
  });
  if (!outcome.success) {
    throw rejection(input.address, outcome);
  }
  return readFees(CoreCell.fromBase64(outcome.transaction));
}

/** Total fees are the import fee, storage, gas, and the action phase's share of the forwarding. */
function readFees(cell: CoreCell): EstimatedFees {
  const { totalFees, description } = loadAnyTransaction(cell);
  if (description.type !== 'generic') {
    return { inForward: totalFees.coins, storage: 0n, gas: 0n, forward: 0n };
  }
  const { storagePhase, computePhase, actionPhase } = description;
  const storage = storagePhase?.storageFeesCollected ?? 0n;
  const gas = computePhase.type === 'vm' ? computePhase.gasFees : 0n;
  const action = actionPhase?.totalActionFees ?? 0n;
  return {
    inForward: totalFees.coins - storage - gas - action,
    storage,
    gas,
    forward: actionPhase?.totalFwdFees ?? 0n,
  };
}
