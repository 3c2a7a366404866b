import type { Command } from 'commander';
import { WorkbenchError } from '../toolkit/base/errors';
import type { SentMessage } from '../toolkit/localnet/control/controlApi';
import { addJsonOptions, localNetworkHere } from './networkHere';
import { openAccess } from './networkOptions';
import { usageError, writeJsonLine, writeText } from './output';
import { reachedAccountNames } from './reachedAccountNames';
import { stopSignal } from './runTests';

interface FaucetOptions {
  network: string;
  units?: true;
  json?: true;
}

/** `faucet ACCOUNT AMOUNT [JETTON]`: coins, or any jetton, for anyone on a local network. */
export function registerFaucetCommand(program: Command): void {
  const command = program
    .command('faucet')
    .summary('give coins or any jetton to an account of the local network')
    .description(
      'Gives new coins to an account of the local network, or, if a jetton is named, new jettons, also on a fork. ' +
        "Jettons are minted in the name of the minter's admin through the contracts themselves. Each known mint " +
        'message is tried on a copy of the network first, and nothing is sent unless the account gets exactly the ' +
        "amount by its jetton wallet's get_wallet_data.\n\nExamples:\n  ton-workbench faucet bob 5\n" +
        '  ton-workbench faucet bob 100 USDT\n  ton-workbench faucet bob 1000 EQ… --units',
    )
    .argument('<account>', 'an address in any form, a name on the local network, or a TON DNS domain')
    .argument('<amount>', 'in coins, or in the unit of the jetton: 100, 0.5')
    .argument(
      '[jetton]',
      'a symbol that is on the chain, or the address or name of the minter (default: coins)',
    )
    .option('--units', 'the amount is in the smallest unit of the jetton')
    .option('-n, --network <network>', 'another local network, by its URL', 'local');
  addJsonOptions(
    command,
    'print what was given as one JSON line',
    async () => (await import('./faucetAnswer')).faucetAnswerSchema,
  ).action(give);
}

async function give(
  text: string,
  amount: string,
  jetton: string | undefined,
  options: FaucetOptions,
): Promise<void> {
  const { network, control } = await localNetworkHere(options.network);
  const { isCoin } = await import('../toolkit/localnet/control/readGift');
  const isCoins = jetton === undefined || isCoin(jetton);
  const coins = isCoins ? await coinsOf(amount, options.units === true) : 0n;
  const signal = stopSignal();
  const [{ findAccount, namesByAddress }, { callControl }, { shortAddress }, access] = await Promise.all([
    import('../toolkit/accounts/findAccount'),
    import('../toolkit/localnet/callControl'),
    import('../toolkit/address/shortAddress'),
    openAccess(network, {}),
  ]);
  const names = await reachedAccountNames(access);
  const address = await findAccount(access, text, names, signal);
  const name = namesByAddress(names).get(address) ?? shortAddress(address);
  const answers = await import('./faucetAnswer');
  if (isCoins) {
    const sent = await callControl(control, 'faucet', { address, amount: String(coins) }, signal);
    const { formatUnits } = await import('../toolkit/base/text');
    const words = `${formatUnits(coins, 9)} TON for ${name}${sent.trace === null ? ' wait for a block' : ''}.`;
    tell(sent, words, options.json === true ? answers.coinsAnswer(address, coins, sent) : undefined);
    return;
  }
  const asked = { address, jetton, amount, ...(options.units === true ? { units: true } : {}) };
  const gift = await callControl(control, 'faucetJetton', asked, signal);
  const { giftWords } = await import('../toolkit/localnet/control/giftWords');
  tell(gift, giftWords(gift, name), options.json === true ? answers.jettonsAnswer(gift) : undefined);
}

/** @throws WorkbenchError `usage` (input) */
async function coinsOf(text: string, isUnits: boolean): Promise<bigint> {
  const { readTonAmount } = await import('../toolkit/stack/integerText');
  const coins = isUnits ? undefined : readTonAmount(text);
  if (coins === undefined) {
    throw isUnits
      ? usageError('--units needs a jetton.', 'Name it after the amount.')
      : usageError(
          `${JSON.stringify(text.slice(0, 60))} is not an amount from 0 to 2^120-1 nanocoins.`,
          'Write a number such as 5 or 0.5.',
        );
  }
  return coins;
}

function tell({ trace, failed }: SentMessage, words: string, json: object | undefined): void {
  if (json === undefined) {
    writeText(trace === null ? words : `${words}\ntrace ${trace}`);
  } else {
    writeJsonLine(json);
  }
  if (failed !== undefined) {
    throw new WorkbenchError({
      code: 'emulator-failed',
      kind: 'failed',
      message: `The emulator could not execute the message: ${failed}.`,
      hint: 'The local network keeps it. Try it again with control/retry, or drop it with control/drop.',
    });
  }
}
