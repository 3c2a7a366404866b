import { Address } from '@ton/core';
import type { Message, MessageRelaxed } from '@ton/core';
import { isNetworkLt, isNetworkTime, isNetworkWorkchain } from '../cell/networkFacts';

/**
 * Whether a cell that parses as a message clearly is one. The layout alone proves little: everything after the head
 * counts as the body, and the head of an external out-message without addresses fits nearly any bits (such as an
 * account's state). Real messages have accounts in existing workchains and plausible times; those without a source
 * were made by a contract, not sent yet, and leave empty what the network fills in. Nobody sets an import fee.
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
