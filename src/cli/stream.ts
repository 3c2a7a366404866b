import type { Command } from 'commander';
import type { StreamFinality, StreamType } from '../toolkit/api/v3Traces';
import { WorkbenchError } from '../toolkit/base/errors';
import type { NetworkOptions } from './networkOptions';
import { addNetworkOptions, openAccess } from './networkOptions';
import { addJsonOptions, networkHere, takesLinks } from './networkHere';
import { writeJsonLine, writeNote, writeText } from './output';
import { whenRead } from './outputStreams';
import { reachedAccountNames } from './reachedAccountNames';
import { stopSignal } from './runTests';

interface StreamOptions extends NetworkOptions {
  types: string;
  minFinality: string;
  ws?: true;
  json?: true;
}

/** `stream ACCOUNT…`: what happens to accounts, one line an event, until stopped. */
export function registerStreamCommand(program: Command): void {
  const command = program
    .command('stream')
    .summary('print what happens to accounts, one line an event')
    .description(
      'Prints what happens to accounts, one line an event, until stopped (Ctrl+C): over the stream of the network ' +
        '(Streaming v2), and while there is none, by asking API v3 every few seconds. What happened while the ' +
        'connection was lost is read over v3; what cannot be read is reported as a gap.',
    )
    .argument('<accounts...>', 'addresses, names, or links of an explorer')
    .option(
      '--types <list>',
      'transactions, actions, account_state_change, jettons_change; separated by commas',
      'transactions',
    )
    .option(
      '--min-finality <level>',
      'pending: also what is only expected; confirmed: once in a block; finalized: what stays',
      'finalized',
    )
    .option('--ws', 'over WebSocket, not server-sent events');
  addJsonOptions(
    command,
    'print each event as one JSON line',
    async () => (await import('./streamAnswers')).streamAnswerSchema,
  );
  takesLinks(addNetworkOptions(command)).action(follow);
}

async function follow(given: string[], options: StreamOptions): Promise<void> {
  const [
    { followEvents },
    { findAccount, namesByAddress },
    { streamFinalities, streamTypes },
    { streamAnswer, streamLine },
  ] = await Promise.all([
    import('../toolkit/access/followEvents'),
    import('../toolkit/accounts/findAccount'),
    import('../toolkit/api/v3Traces'),
    import('./streamAnswers'),
  ]);
  const kinds = streamTypes.filter((type) => type !== 'trace' && type !== 'trace_invalidated');
  const types = options.types.split(',').map((text) => oneOf(text.trim(), kinds, '--types'));
  const minFinality = oneOf(options.minFinality, streamFinalities, '--min-finality');
  const { network } = networkHere(options.network);
  const access = await openAccess(network, options);
  const names = await reachedAccountNames(access);
  const addresses = await Promise.all(given.map((account) => findAccount(access, account, names)));
  const words = namesByAddress(names);
  const signal = stopSignal();
  const request = { types, addresses, minFinality };
  for await (const told of followEvents(access, request, { signal, way: options.ws ? 'ws' : 'sse' })) {
    if (options.json === true) {
      writeJsonLine(streamAnswer(told));
    } else if (told.kind === 'event') {
      streamLine(told, words).forEach((line) => writeText(line));
    } else if (told.kind === 'gap') {
      const why = told.error === undefined ? 'too much has happened' : told.error.message;
      writeNote(`Events after logical time ${told.sinceLt} may be missing: ${why}`);
    } else if (told.kind === 'polling') {
      const what = told.isForGood ? 'No stream' : 'No stream now';
      writeNote(`${what}: asking every few seconds instead. ${told.error.message}`);
    } else {
      writeNote('Streaming.');
    }
    await whenRead(signal);
  }
}

function oneOf<Word extends StreamType | StreamFinality>(
  text: string,
  words: readonly Word[],
  option: string,
): Word {
  const found = words.find((word) => word === text);
  if (found === undefined) {
    throw new WorkbenchError({
      code: 'usage',
      kind: 'input',
      message: `${option} does not know ${JSON.stringify(text.slice(0, 60))}.`,
      hint: `Choose from ${words.join(', ')}.`,
    });
  }
  return found;
}
