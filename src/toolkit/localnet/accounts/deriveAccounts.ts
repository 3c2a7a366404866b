import { keyPairFromSeed } from '@ton/crypto';
import { deriveMnemonicsPath } from '@ton/crypto/dist/hd/mnemonics';
import { mnemonicToHDSeed, mnemonicToSeed, mnemonicValidate } from '@ton/crypto/dist/mnemonic/mnemonic';
import { WalletContractV4, WalletContractV5R1 } from '@ton/ton';
import { WorkbenchError } from '../../base/errors';
import type { LocalAccount } from '../../accounts/localAccount';
import { namedAccounts } from './namedAccounts';

/** Maximum number of wallets: each takes a tenth of a second to derive. */
const mostAccounts = 100;

/**
 * The wallets of these mnemonics, in order, and more up to `count`, each with its own mnemonic derived from the
 * first. They get the names and kinds of the usual ten by position, then `wallet11` and so on. Without mnemonics,
 * they start with the usual ten.
 * @throws WorkbenchError `localnet-accounts-invalid` (input)
 */
export async function deriveAccounts(
  mnemonics: readonly string[],
  count = mnemonics.length === 0 ? namedAccounts.length : mnemonics.length,
): Promise<LocalAccount[]> {
  if (!Number.isInteger(count) || count < Math.max(1, mnemonics.length) || count > mostAccounts) {
    throw invalid(
      `${count} is not a valid number of wallets`,
      `Give a number from ${Math.max(1, mnemonics.length)} to ${mostAccounts}.`,
    );
  }
  const own = await Promise.all(mnemonics.map(checked));
  const first = own[0] ?? (namedAccounts[0] as LocalAccount).mnemonic.split(' ');
  const accounts = own.length === 0 ? namedAccounts.slice(0, count) : [];
  for (let index = accounts.length; index < count; index += 1) {
    accounts.push(await accountOf(own[index] ?? (await wordsBelow(first, index)), index));
  }
  return accounts;
}

async function checked(mnemonic: string, index: number): Promise<string[]> {
  const words = mnemonic.trim().toLowerCase().split(/\s+/);
  if (words.length !== 24 || !(await mnemonicValidate(words))) {
    // The words are a secret: they must not appear in messages.
    throw invalid(
      `Mnemonic ${index + 1} is not a TON mnemonic`,
      'Give 24 words without a password, separated by spaces.',
    );
  }
  return words;
}

async function wordsBelow(words: string[], index: number): Promise<string[]> {
  return deriveMnemonicsPath(await mnemonicToHDSeed(words), [index], 24);
}

async function accountOf(words: string[], index: number): Promise<LocalAccount> {
  const usual = namedAccounts[index];
  const kind = usual?.kind ?? (index % 2 === 0 ? 'v5r1' : 'v4r2');
  const seed = (await mnemonicToSeed(words, 'TON default seed')).subarray(0, 32);
  const { publicKey, secretKey } = keyPairFromSeed(seed);
  const v5 = (networkGlobalId: number): string =>
    WalletContractV5R1.create({ publicKey, walletId: { networkGlobalId } }).address.toRawString();
  return {
    name: usual?.name ?? `wallet${index + 1}`,
    kind,
    address:
      kind === 'v5r1' ? v5(-239) : WalletContractV4.create({ workchain: 0, publicKey }).address.toRawString(),
    ...(kind === 'v5r1' ? { testnetAddress: v5(-3) } : {}),
    mnemonic: words.join(' '),
    publicKey: publicKey.toString('hex'),
    secretKey: secretKey.toString('hex'),
  };
}

function invalid(message: string, hint: string): WorkbenchError {
  return new WorkbenchError({
    code: 'localnet-accounts-invalid',
    kind: 'input',
    message: `${message}.`,
    hint,
  });
}
