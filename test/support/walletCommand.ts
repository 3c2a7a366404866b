import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { root } from '../../scripts/lib/root.mjs';
import { checkAnswers } from './checkAnswers';
import { until } from './until';

/** What `wallet --json` prints when it is ready. */
export interface WalletReady {
  bridge: string;
  universalLink: string;
  walletsList: string;
  inject: string;
  account: string;
  address: string;
}

/** A line about a request or an answer. */
export interface WalletLine {
  request?: number;
  answer?: number;
  method: string;
  asks?: string;
  dApp?: { name?: string; isFetched: boolean };
  decision?: string | null;
  answered?: boolean;
  hash?: string;
  error?: { code: number; message: string };
  rehearsal?: { accepted: boolean | null; words: string; fees: string } | null;
}

/** A wallet run by `ton-workbench wallet --json`. */
export interface WalletCommand {
  ready: WalletReady;
  /** All lines so far. */
  lines: WalletLine[];
  /** The next line that fits, from the first one not taken yet. */
  take(fits: (line: WalletLine) => boolean): Promise<WalletLine>;
  /** A decision, as typed. */
  type(line: string): void;
  /** Ends it in order, or with `SIGKILL` at once. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/** Starts a wallet for the network at `origin`. */
export async function startWalletCommand(origin: string, ...options: string[]): Promise<WalletCommand> {
  const child = spawn(
    process.execPath,
    [path.join(root, 'dist/cli.js'), 'wallet', '--network', origin, '--json', ...options],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const ended = once(child, 'close');
  const lines: WalletLine[] = [];
  let printed = '';
  let taken = 0;
  const reader = createInterface({ input: child.stdout });
  const ready = await new Promise<WalletReady>((resolve, reject) => {
    let isFirst = true;
    // From the start: what comes in one piece with the first line is told before anything else runs here.
    reader.on('line', (line) => {
      printed += `${line}\n`;
      if (isFirst) {
        isFirst = false;
        resolve(JSON.parse(line) as WalletReady);
      } else {
        lines.push(JSON.parse(line) as WalletLine);
      }
    });
    void ended.then(() => reject(new Error('the wallet ended before its first line')));
  });
  return {
    ready,
    lines,
    take: async (fits) => {
      const { at } = await until(
        () => {
          const index = lines.findIndex((line, place) => place >= taken && fits(line));
          return index < 0 ? undefined : { at: index };
        },
        () => `a line of the wallet; it wrote ${JSON.stringify(lines.slice(-6))}`,
        60_000,
      );
      taken = at + 1;
      return lines[at] as WalletLine;
    },
    type: (line) => void child.stdin.write(`${line}\n`),
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal);
      await ended;
      await checkAnswers(['wallet', '--json'], printed);
    },
  };
}
