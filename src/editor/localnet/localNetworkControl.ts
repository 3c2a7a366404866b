import * as vscode from 'vscode';
import type { AccountRow, ChainChange, FailedMessageRow } from '../../commandTargets';
import type { Services } from '../project/services';
import { accountName } from '../project/accountName';
import { askAccount } from '../project/askAccount';
import { askText } from '../ui/askText';
import { itemAddress } from '../project/itemAddress';
import { controlNetwork, say, sure } from './controlNetwork';
import { coinLabel } from '../ui/readWorkspaceFile';
import { shortAddress } from '../../toolkit/address/shortAddress';
import { numberWidths } from '../../toolkit/base/numberWidths';
import { parseDuration } from '../../toolkit/base/time';
import { formatUnits } from '../../toolkit/base/text';
import { giftWords, jettonAmountWords } from '../../toolkit/localnet/control/giftWords';
import { readGift } from '../../toolkit/localnet/control/readGift';

/** Gives coins or jettons to an account, from nowhere. */
export async function faucet(services: Services, item: AccountRow | undefined): Promise<void> {
  const title = 'TON: Faucet';
  const address =
    itemAddress(item) ??
    (await askAccount(services, { title, placeholder: 'Choose who gets coins or jettons', local: true }));
  if (address === undefined) {
    return;
  }
  const answer = await askText({
    title,
    prompt: 'How many coins to give; or jettons: 100 USDT, or 100 and the address of the minter',
    placeholder: '100',
    value: '100',
    validate: (text) =>
      readGift(text) === undefined
        ? 'Enter an amount in coins, such as 1.5, or of a jetton: 1.5 USDT.'
        : undefined,
  });
  const wanted = typeof answer === 'string' ? readGift(answer) : undefined;
  if (wanted?.kind === 'coins') {
    await controlNetwork(services, 'Giving coins', 'faucet', { address, amount: wanted.coins.toString() });
    say(`Gave ${formatUnits(wanted.coins, 9)} ${coinLabel()}`);
  } else if (wanted !== undefined) {
    const { kind: _, ...asked } = wanted;
    const gift = await controlNetwork(services, 'Giving jettons', 'faucetJetton', { address, ...asked });
    if (gift.rose === gift.asked) {
      say(`Gave ${jettonAmountWords(BigInt(gift.asked), gift)}`);
    } else {
      const name = accountName(services, services.networks.local())(address);
      void vscode.window.showWarningMessage(giftWords(gift, name ?? shortAddress(address)));
    }
  }
}

/** Makes a block, moves the time, or sets when blocks are made. @param what asked for if absent */
export async function changeChain(services: Services, what?: ChainChange): Promise<void> {
  const changes = [
    { label: 'Mine Block', detail: 'Now, even an empty one.', what: 'mine' },
    { label: 'Move Time Forward…', detail: 'By seconds, hours, or days.', what: 'time' },
    { label: 'Set Block Mode…', detail: 'Automatic, every 5 seconds, or by hand.', what: 'mode' },
  ] as const;
  const title = 'TON: Blocks and Time';
  const chosen =
    what ?? (await vscode.window.showQuickPick(changes, { title, placeHolder: 'Choose what to do' }))?.what;
  if (chosen === 'mine') {
    await mine(services);
  } else if (chosen === 'time') {
    await moveTime(services);
  } else if (chosen === 'mode') {
    await setBlockMode(services);
  }
}

/** Makes a block now. */
async function mine(services: Services): Promise<void> {
  const { seqno } = await controlNetwork(services, 'Mining a block', 'mine', {});
  say(`Block ${seqno}`);
}

/** How far the clock moves if the user presses Enter in the empty box. */
const usualTime = '1h';

/** Moves the network's clock forward. */
async function moveTime(services: Services): Promise<void> {
  const read = (text: string): number | undefined => parseDuration(text.trim() === '' ? usualTime : text);
  const answer = await askText({
    title: 'TON: Move Time Forward',
    prompt: 'How far: 90 (seconds), 15m, 6h, 30d, or 1y; Enter for 1h. To go back, restore a snapshot.',
    placeholder: usualTime,
    validate: (text) => {
      const seconds = read(text);
      return seconds === undefined
        ? 'Enter a number, optionally followed by s, m, h, d, or y.'
        : seconds > numberWidths.seconds - Date.now() / 1000
          ? 'Block times end in 2106: enter less.'
          : undefined;
    },
  });
  if (typeof answer === 'string') {
    const { now } = await controlNetwork(services, 'Moving time', 'time', {
      seconds: read(answer),
    });
    say(`Local network time: ${new Date(now * 1000).toLocaleString()}`);
  }
}

/** Sets when blocks are made. */
async function setBlockMode(services: Services): Promise<void> {
  const picked = await vscode.window.showQuickPick(
    [
      {
        label: 'automatic',
        detail: 'One block 20 ms after the first message (default)',
        parameters: { mode: 'automatic' as const },
      },
      {
        label: 'interval',
        detail: 'One block every 5 seconds, as on the public network',
        parameters: { mode: 'interval' as const, milliseconds: 5000 },
      },
      {
        label: 'manual',
        detail: 'Only when you mine a block: messages stay pending until then',
        parameters: { mode: 'manual' as const },
      },
    ],
    { title: 'TON: Set Block Mode', placeHolder: 'Choose when the local network makes blocks' },
  );
  if (picked !== undefined) {
    await controlNetwork(services, 'Setting the block mode', 'mode', picked.parameters);
    say(`Blocks: ${picked.label}`);
  }
}

/** Saves the current state under a name. */
export async function takeSnapshot(services: Services): Promise<void> {
  const name = await askText({
    title: 'TON: Take Snapshot',
    prompt: 'Name for the current state of the local network',
    placeholder: 'Before the upgrade',
    validate: (text) => (text.trim() === '' ? 'Enter a name.' : undefined),
  });
  if (typeof name === 'string') {
    const { seqno } = await controlNetwork(services, 'Taking a snapshot', 'snapshot', {
      name: name.trim(),
    });
    say(`Snapshot "${name.trim()}" of block ${seqno}`);
  }
}

/** Restores a snapshot, after confirmation: later changes are lost. */
export async function restoreSnapshot(services: Services): Promise<void> {
  const snapshots = await controlNetwork(services, 'Reading the snapshots', 'snapshots', {});
  const items = Object.entries(snapshots).map(([label, seqno]) => ({ label, description: `block ${seqno}` }));
  if (items.length === 0) {
    const action = await vscode.window.showInformationMessage(
      'There are no snapshots yet.',
      'Take Snapshot…',
    );
    if (action !== undefined) {
      await takeSnapshot(services);
    }
    return;
  }
  const picked = await vscode.window.showQuickPick(items, {
    title: 'TON: Restore Snapshot',
    placeHolder: 'Choose the snapshot to restore',
  });
  if (
    picked !== undefined &&
    (await sure(`Restore "${picked.label}"?`, 'Everything since that block is lost.', 'Restore'))
  ) {
    await controlNetwork(services, 'Going back', 'restore', { name: picked.label });
  }
}

/** Restores the state just before a trace, after confirmation. */
export async function rewindBefore(services: Services, trace: string): Promise<void> {
  if (
    await sure('Go back to before this trace?', 'This trace and everything after it are lost.', 'Go Back')
  ) {
    const { seqno } = await controlNetwork(services, 'Going back', 'restore', { trace });
    say(`Back at block ${seqno}`);
  }
}

/** Resets the network, after confirmation. */
export async function resetNetwork(services: Services): Promise<void> {
  const detail = 'All contracts, balances, transactions, and snapshots of this workspace are lost.';
  if (await sure('Reset the local network?', detail, 'Reset')) {
    await controlNetwork(services, 'Resetting the local network', 'reset', {});
  }
}

/** Retries a message that made the emulator fail; without a row, all of them. */
export async function retryMessage(services: Services, row: FailedMessageRow | undefined): Promise<void> {
  const answer = await controlNetwork(services, 'Retrying the message', 'retry', {
    hash: row?.failed.hash,
  });
  if (answer.failed > 0) {
    void vscode.window.showWarningMessage(
      'The emulator failed again. Change the account (code, data, balance) or restore a snapshot.',
    );
  } else {
    say('The message was executed');
  }
}

/** Discards a message that made the emulator fail, after confirmation. */
export async function dropMessage(services: Services, { failed }: FailedMessageRow): Promise<void> {
  const detail = 'Its coins are lost, and its trace ends before it.';
  if (await sure('Discard the message?', detail, 'Discard')) {
    await controlNetwork(services, 'Discarding the message', 'drop', { hash: failed.hash });
  }
}
