import type { Command } from 'commander';
import { realpathSync } from 'node:fs';
import { version } from '../../package.json';
import { WorkbenchError } from '../toolkit/base/errors';
import { collect } from './webhookOptions';
import { stopSignal } from './runTests';
import type { RunCommandLine } from './surroundings';
import { pathHere, surroundings } from './surroundings';

interface McpOptions {
  root?: string;
  allowNetwork?: string[];
}

/** `mcp`: serves the tools for agents over the Model Context Protocol. */
export function registerMcpCommand(program: Command, run: RunCommandLine): void {
  program
    .command('mcp')
    .summary('serve tools for agents (Model Context Protocol)')
    .description(
      'Serves tools for agents over the Model Context Protocol on standard input and output: contracts, get-methods, ' +
        'traces, replays, tests, and the local network of this folder. Files outside the root are refused, no tool ' +
        'takes or returns a key, and public networks are read-only and only used if you allow them by name.',
    )
    .option('--root <folder>', 'the folder whose files the tools may use (default: the working folder)')
    .option(
      '--allow-network <name-or-url>',
      'a network that the tools may read besides the local one, such as mainnet or testnet; may be repeated',
      collect,
    )
    .action(async (options: McpOptions) => {
      await serve(options, run);
    });
}

async function serve({ root = '.', allowNetwork = [] }: McpOptions, run: RunCommandLine): Promise<void> {
  const { environment, clock, input, output } = surroundings();
  const [{ openToolHost }, { Toolbox }, { toolTable }, { serveTools }] = await Promise.all([
    import('./openToolHost'),
    import('../toolkit/tools/toolbox'),
    import('../toolkit/tools/toolTable'),
    import('./toolServer'),
  ]);
  const place = { root: realRoot(root), networks: allowNetwork, environment, clock, run };
  const toolbox = new Toolbox(toolTable, openToolHost(place));
  await serveTools(toolbox, { version, input, output, signal: stopSignal({ isReaderNeeded: true }) });
}

function realRoot(root: string): string {
  try {
    return realpathSync(pathHere(root));
  } catch (cause) {
    throw new WorkbenchError({
      code: 'file-unreadable',
      kind: 'input',
      message: `The folder ${JSON.stringify(root)} does not exist.`,
      hint: 'Give the root of a project.',
      cause,
    });
  }
}
