import type { LightCell } from '../../cell/light/lightCell';
import { readLightCell, writeLightCell } from '../../cell/light/lightCell';
import { readAccount } from '../../cell/light/readMessage';
import type { ExecutedBlock, KeptBlock, KeptTransaction } from '../records/blockInput';
import { packAccount } from '../records/packAccount';
import { transactionHead } from '../records/records';
import type { Ledger } from './ledger';
import { readInOrder } from './ledger';

/** A code encountered before, with its hash. */
interface KnownCode {
  code: LightCell;
  hash: string;
}

/**
 * What the ledger will store for a block, computed before it is applied: so it can be written first, and need not be
 * undone if the disk fails. Equals the later result of `blockInput`.
 */
export function keepBlock(ledger: Ledger, input: ExecutedBlock): KeptBlock {
  const { genUtime, startLt, changes, failed, dropped } = input;
  const codes = new Map<string, Buffer>();
  const inChanges = new Set<string>();
  // Only a transaction introduces a code that must be stored besides the changes.
  for (const { shardAccount } of input.transactions.length === 0 ? [] : changes) {
    const { code } = readAccount(readLightCell(shardAccount));
    if (code !== null) {
      inChanges.add(code.hexHash);
    }
  }
  const latest = new Map<string, KnownCode>();
  const sent = new Set<string>();
  const transactions: KeptTransaction[] = [];
  for (const { transaction, facts } of readInOrder(input.transactions)) {
    const head = transactionHead(facts, (hash) => sent.has(hash) || ledger.isUnderWay(hash));
    head.outMessages.forEach(({ hash }) => sent.add(hash));
    const { address, boc, shardAccount, ignoreSignatures = false } = transaction;
    const cell = readLightCell(shardAccount);
    const account = readAccount(cell);
    const code = account.code && knownCode(ledger, latest.get(address), address, account.code);
    if (code !== null) {
      latest.set(address, code);
      if (!ledger.codes.has(code.hash) && !inChanges.has(code.hash) && !codes.has(code.hash)) {
        codes.set(code.hash, writeLightCell(code.code));
      }
    }
    transactions.push({
      ...{ address, boc, packed: packAccount(cell, account), codeHash: code?.hash ?? null, head },
      ...(ignoreSignatures ? { ignoreSignatures } : {}),
    });
  }
  return { genUtime, startLt, changes, codes: [...codes.values()], transactions, failed, dropped };
}

/** Recognizes unchanged code without hashing it. */
function knownCode(
  ledger: Ledger,
  known: KnownCode | undefined,
  address: string,
  code: LightCell,
): KnownCode {
  if (known?.code.sameAs(code) === true) {
    return known;
  }
  const account = ledger.accounts.get(address);
  const hash = account?.versions.at(-1)?.codeHash;
  const isUnchanged = hash != null && ledger.codes.get(hash)?.sameAs(code) === true;
  return { code, hash: isUnchanged ? hash : code.hexHash };
}
