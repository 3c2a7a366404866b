import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import path from 'node:path';
import { root } from '../../../../scripts/lib/root.mjs';
import { checkAnswers } from '../../../support/checkAnswers';
import { until } from '../../../support/until';

const cli = path.join(root, 'dist/cli.js');

/** A `webhook listen` process. */
export interface ListenProcess {
  url: URL;
  child: ChildProcess;
  /** JSON lines after the first. */
  lines: Record<string, unknown>[];
  /** Waits until so many lines have come. */
  untilLines(count: number): Promise<Record<string, unknown>[]>;
  /** Ends it with a signal and waits for its end; resolves with exit code or signal. */
  end(signal: NodeJS.Signals): Promise<number | string | null>;
}

/** Starts `webhook listen --json` with these arguments. `limit`: largest file in blocks of 512 bytes. */
export async function startListen(args: readonly string[], limit?: number): Promise<ListenProcess> {
  const command = [cli, 'webhook', 'listen', '--port', '0', '--json', ...args];
  const child =
    limit === undefined
      ? spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'inherit'] })
      : spawn('/bin/sh', ['-c', `ulimit -f ${limit}; exec "$@"`, 'sh', process.execPath, ...command], {
          stdio: ['ignore', 'pipe', 'ignore'],
        });
  const lines: Record<string, unknown>[] = [];
  let printed = '';
  const ended = new Promise<number | string | null>((resolve) =>
    child.once('exit', (code, signal) => resolve(signal ?? code)),
  );
  const url = await new Promise<URL>((resolve, reject) => {
    let first = true;
    createInterface({ input: child.stdout }).on('line', (text) => {
      printed += `${text}\n`;
      const line = JSON.parse(text) as Record<string, unknown>;
      if (first) {
        first = false;
        resolve(new URL(String(line.url)));
      } else {
        lines.push(line);
      }
    });
    void ended.then((code) => reject(new Error(`webhook listen ended with ${code}`)));
  });
  return {
    url,
    child,
    lines,
    untilLines: async (count) => {
      await until(
        () => lines.length >= count,
        () => `${count} lines: ${JSON.stringify(lines)}`,
      );
      return lines;
    },
    end: async (signal) => {
      child.kill(signal);
      const how = await ended;
      await checkAnswers(['webhook', 'listen', '--json'], printed);
      return how;
    },
  };
}
