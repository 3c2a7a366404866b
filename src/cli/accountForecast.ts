import { InvalidArgumentError } from 'commander';
import type { Command } from 'commander';
import type { Access } from '../toolkit/access/createAccess';
import { lastBlockTime } from '../toolkit/accountReport/storageForecast';
import type { StorageForecast } from '../toolkit/accountReport/storageForecast';
import { WorkbenchError } from '../toolkit/base/errors';
import { parseDuration } from '../toolkit/base/time';
import { formatTime } from '../toolkit/trace/figures';
import { usageError } from './output';
import type { Words } from './printRehearsal';

/** The options of `account` about storage fees. */
export interface ForecastOptions {
  forecast?: true;
  /** A message as one line. */
  after?: string;
  /** Seconds. */
  unfrozenFor?: number;
}

/** What was forecast for an account. */
export interface AccountForecast {
  /** Undefined if the account does not exist. */
  current: StorageForecast | undefined;
  /** With `--after`. */
  after?: {
    /** Undefined if the account does not exist then. */
    forecast: StorageForecast | undefined;
    /** Whether the message, or one that follows from it, reaches the account. */
    isReached: boolean;
  };
}

/** Adds `--forecast`, `--after`, and `--unfrozen-for`. */
export function addForecastOptions(command: Command): Command {
  return command
    .option('--forecast', 'storage fees: what it owes, what a year costs, when it is frozen and deleted')
    .option('--after <line>', 'with --forecast: also after a message, as send --compose takes it')
    .option(
      '--unfrozen-for <time>',
      'exit status 1 if it can be frozen or deleted sooner, such as 90d or 1y',
      (text) => {
        const seconds = parseDuration(text);
        if (seconds === undefined) {
          throw new InvalidArgumentError(
            'Give a number of at most 9 digits with s, m, h, d, or y, such as 90d or 1y.',
          );
        }
        return seconds;
      },
    );
}

/** Whether the options ask for a forecast. */
export function asksForecast({ forecast, after, unfrozenFor }: ForecastOptions): boolean {
  return forecast === true || after !== undefined || unfrozenFor !== undefined;
}

/**
 * Forecasts an account's storage fees, also after the message of `--after`, which is only rehearsed.
 *
 * @param raw address `wc:hex`, lowercase
 * @throws WorkbenchError `config-unreadable` (service); with `--after`, `compose-line-invalid`, `compose-local-only`
 *   (input), `rehearsal-failed`, `message-refused`, `trace-failed` (failed)
 */
export async function forecastHere(
  access: Access,
  raw: string,
  { after: line }: ForecastOptions,
  { words, signal }: { words: Words; signal: AbortSignal },
): Promise<AccountForecast> {
  const { readStorageBasis, storageForecastOf } =
    await import('../toolkit/accountReport/readStorageForecast');
  const basis = await readStorageBasis(access, raw, signal);
  const current = storageForecastOf(basis);
  if (line === undefined) {
    return { current };
  }
  const [{ readSendable }, { requireRehearsed }, { prepareSend }, { createSandboxEmulator }] =
    await Promise.all([
      import('./readSendable'),
      import('./printRehearsal'),
      import('../toolkit/workflows/rehearseInTime'),
      import('../toolkit/execution/emulator/createSandboxEmulator'),
    ]);
  const message = await readSendable(access, { line }, signal);
  const prepared = await prepareSend({ access, message, emulator: await createSandboxEmulator(), signal });
  await requireRehearsed(prepared, { dryRun: true, network: access.network.name }, words);
  const state = prepared.rehearsal.accountAfter(raw);
  return { current, after: { forecast: storageForecastOf(basis, state), isReached: state !== undefined } };
}

/** The forecast as lines of its section. */
export async function forecastLines({ current, after }: AccountForecast, coin: string): Promise<string[]> {
  const [{ storageForecastText, sizeText }, { accountSections }, { formatCoins, formatChange }] =
    await Promise.all([
      import('../toolkit/accountReport/storageForecastText'),
      import('../toolkit/accountReport/accountSections'),
      import('../toolkit/trace/figures'),
    ]);
  const lines =
    current === undefined ? [accountSections.storageFees.none] : storageForecastText(current, coin);
  if (after === undefined) {
    return lines;
  }
  const { forecast, isReached } = after;
  const before = current?.yearly ?? 0n;
  return [
    ...lines,
    !isReached
      ? 'The message does not reach this account: its storage fees stay the same.'
      : forecast === undefined
        ? 'After the message, it does not exist.'
        : `After the message, a year costs ${formatCoins(forecast.yearly)} ${coin} (${formatChange(forecast.yearly - before, 9)}): ${sizeText(forecast.used)}.`,
  ];
}

/**
 * Ends with exit status 1 if a transaction can freeze or delete the account too soon.
 *
 * @param seconds for how long it must stay as it is
 * @throws WorkbenchError `frozen-too-soon` (failed), `usage` (input) if it is longer than block times last
 */
export function requireUnfrozen({ current }: AccountForecast, seconds: number, name: string): void {
  if (current === undefined) {
    throw frozenTooSoonError(`${name} does not exist.`);
  }
  const { status, time, freezesFrom, deletesFrom, isSpecial } = current;
  if (status === 'frozen') {
    throw frozenTooSoonError(`${name} is frozen.`);
  }
  const end = status === 'active' ? freezesFrom : deletesFrom;
  if (end === undefined && !isSpecial && time + seconds > lastBlockTime) {
    throw usageError('--unfrozen-for reaches beyond 2106, when block times end.', 'Give a shorter time.');
  }
  if (end !== undefined && end <= time + seconds) {
    const what = status === 'active' ? 'frozen' : 'deleted';
    const when = end <= time ? 'by its next transaction' : `from ${formatTime(end)}`;
    throw frozenTooSoonError(`${name} can be ${what} ${when}.`, 'Send it coins, or make its data smaller.');
  }
}

function frozenTooSoonError(message: string, hint?: string): WorkbenchError {
  return new WorkbenchError({ code: 'frozen-too-soon', kind: 'failed', message, hint });
}
