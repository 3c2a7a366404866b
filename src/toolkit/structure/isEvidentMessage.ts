import { Address } from '@ton/core';
import type { Message, MessageRelaxed } from '@ton/core';
import { isNetworkLt, isNetworkTime, isNetworkWorkchain } from '../cell/networkFacts';

/**
 * Whether a cell that can be read as a message is one beyond doubt. The layout alone says little: a message takes
 * whatever follows its head for its body, and the head of an external out-message without parties fits nearly any bits
 * (an account's state among them). Real ones name accounts of workchains that exist and times of the network; those
 * without a source were made by a contract and not sent yet, and leave to the network what it fills in. Nobody sets an
 * import fee.
 */
export function isEvidentMessage({ info }: Message | MessageRelaxed): boolean {
  const accounts = [info.src, info.dest].filter((one) => one instanceof Address);
  if (!accounts.every(({ workChain }) => isNetworkWorkchain(workChain))) {
    return false;
  }
  if (info.type === 'external-in') {
    return info.importFee === 0n;
  }
  const isSent = info.createdLt !== 0n && info.createdAt !== 0;
  const isUnsent = info.createdLt === 0n && info.createdAt === 0;
  const isInTime = isNetworkTime(info.createdAt) && isNetworkLt(info.createdLt);
  return info.src == null ? isUnsent : (isSent || isUnsent) && isInTime;
}
