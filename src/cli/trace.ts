import type { Command } from 'commander';
import type { Access } from '../toolkit/access/createAccess';
import { WorkbenchError } from '../toolkit/base/errors';
import type { TraceModel } from '../toolkit/trace/traceModel';
import type { TraceContext } from '../toolkit/trace/traceContext';
import type { TraceWordsOptions } from './reachedAccountNames';
import { jettonsOf, reachedAccountNames, traceWords } from './reachedAccountNames';
import type { NetworkOptions } from './networkOptions';
import { addNetworkOptions, openAccess } from './networkOptions';
import { addJsonOptions, networkHere, takesLinks } from './networkHere';
import { noteRetry, usageError, writeJsonLine, writeNote, writeText } from './output';
import { whenRead } from './outputStreams';
import { readGivenFile } from './readGivenFile';
import { stopSignal } from './runTests';
import { pathHere, surroundings } from './surroundings';
import { whereItThrew } from './whereItThrew';
import { limitOption, pathExists, writeWholeFile } from './writeWholeFile';

interface TraceOptions extends NetworkOptions {
  json?: true;
  follow?: true;
  limit: string;
  full?: true;
  html?: string;
  abi?: string[];
}

/** `trace HASH|ACCOUNT|LINK|TRACE_ID|BOC|FILE`: what happened, why, and where the money went. */
export function registerTraceCommand(program: Command): void {
  const command = program
    .command('trace')
    .summary('show traces: what happened, why, and where the money went')
    .description(
      'Shows the trace of a transaction or message hash or of a message that was sent (its BoC), the newest traces of ' +
        'an account, or those in a file (a saved answer of /api/v3/traces, or a trace saved by the editor). A link of ' +
        'an explorer chooses the network.',
    )
    .argument(
      '<what>',
      'a hash (hex or base64), an account, an explorer link, a trace id, a BoC that was sent, or a file',
    )
    .option('--follow', 'follow a message until its trace is complete, or an account until stopped (Ctrl+C)')
    .option('--full', 'print the documents of the trace and of every transaction')
    .option('--html <file>', 'also write the page of the first one as a file that opens anywhere, offline')
    .option(
      '--abi <file>',
      'decode messages with a compiler ABI (Tact .abi or .pkg, Tolk .json); may be repeated',
      (file: string, before: string[] | undefined) => [...(before ?? []), file],
    )
    .option('--limit <count>', 'for an account: how many traces, newest first', '10');
  addJsonOptions(
    command,
    'print each trace as one JSON line',
    async () => (await import('../toolkit/trace/traceSummary')).traceSummarySchema,
  );
  takesLinks(addNetworkOptions(command)).action(async (what: string, options: TraceOptions) => {
    if (options.follow === true && options.html !== undefined) {
      throw usageError('--html does not go with --follow.', 'Write the page once the trace is complete.');
    }
    await (options.follow === true ? follow(what, options) : show(what, options));
  });
}

async function show(what: string, options: TraceOptions): Promise<void> {
  const { network } = networkHere(options.network);
  const inFile = await readTraceFile(what);
  const [given, ofFile] = typeof inFile === 'string' ? [inFile] : [what, inFile];
  // A file does not say which network it is from, and needs none.
  const access = ofFile === undefined ? await openAccess(network, options) : undefined;
  const [{ openTrace }, words] = await Promise.all([
    import('../toolkit/workflows/openTrace'),
    traceWords({ ...wordsOptions(options), network }),
  ]);
  const from =
    access === undefined
      ? (ofFile ?? [])
      : { access, text: await byName(access, given), limit: await limitOption(options.limit) };
  const jettons = access && (await jettonsOf(access));
  let isFirst = true;
  let findsLine = false;
  for await (const event of openTrace({ from, words, jettons })) {
    if (event.type === 'found') {
      // A replay costs about as much again as the trace, and on a public network some requests.
      findsLine = network.kind === 'local' && access !== undefined && event.contexts.length === 1;
    }
    if (event.type === 'complete') {
      if (!isFirst && options.json !== true) {
        writeText('');
      }
      const page = isFirst ? options.html : undefined;
      isFirst = false;
      await print(event.context, options, findsLine);
      if (page !== undefined) {
        await writePage(page, event.context, access?.network.name ?? '');
      }
    }
  }
}

async function writePage(file: string, context: TraceContext, title: string): Promise<void> {
  const { tracePageFile } = await import('../toolkit/trace/page/standalonePage');
  await writeWholeFile('page', file, await tracePageFile(context, title));
  writeNote(`The page is in ${file}.`);
}

function wordsOptions({ abi, json }: TraceOptions): Pick<TraceWordsOptions, 'abi' | 'wholeAddresses'> {
  return { abi, wholeAddresses: json === true };
}

/** An account may be given by name or domain; hashes, links, and addresses stay as they are. */
async function byName(access: Access, what: string): Promise<string> {
  if (await isQuery(what)) {
    return what;
  }
  const { findAccount } = await import('../toolkit/accounts/findAccount');
  return findAccount(access, what, await reachedAccountNames(access));
}

/**
 * The traces in a file, or the hash of the message that is in it. A file takes precedence over a hash or name: nobody
 * names a file with 64 hex digits.
 */
async function readTraceFile(what: string): Promise<TraceModel[] | string | undefined> {
  let content: Buffer;
  try {
    content = await readGivenFile({ path: what, code: 'file-unreadable' }, 'serviceAnswer');
  } catch (error) {
    if (WorkbenchError.is(error, 'over-limit')) {
      throw error;
    }
    const { readsLikeName, isDomain } = await import('../toolkit/address/resolveAccount');
    if (!(await isQuery(what)) && !readsLikeName(what) && !isDomain(what)) {
      throw new WorkbenchError({
        code: 'file-unreadable',
        kind: 'input',
        message: `${JSON.stringify(what.slice(0, 200))} is neither a readable file nor a hash, account, or link.`,
        hint: 'Give the hash of a transaction or message, an account, or the path of a saved trace.',
        cause: error,
      });
    }
    return undefined;
  }
  const [{ openTraces }, { sentHashIn }] = await Promise.all([
    import('../toolkit/trace/traceFile'),
    import('../toolkit/trace/sentHashIn'),
  ]);
  return sentHashIn(content) ?? openTraces(content.toString('utf8'));
}

/** Whether it is a hash, an account, a link, or a BoC: what is wrong with that is told by its reader. */
async function isQuery(what: string): Promise<boolean> {
  const [{ parseTraceQuery }, { looksLikeBoc }] = await Promise.all([
    import('../toolkit/trace/parseTraceQuery'),
    import('../toolkit/cell/parseBocInput'),
  ]);
  try {
    parseTraceQuery(what);
    return true;
  } catch {
    return looksLikeBoc(what);
  }
}

/** Every change is one text or line; notes go to stderr, so that stdout stays a list of traces. */
async function follow(given: string, options: TraceOptions): Promise<void> {
  const [{ followUntilDone }, { readFollowTarget }, { describeTrace }, { askJettons }] = await Promise.all([
    import('../toolkit/workflows/followUntilDone'),
    import('../toolkit/trace/readFollowTarget'),
    import('../toolkit/workflows/describeTrace'),
    import('../toolkit/workflows/openTrace'),
  ]);
  const { network } = networkHere(options.network);
  const access = await openAccess(network, options);
  const inFile = (await pathExists(pathHere(given))) ? await readTraceFile(given) : undefined;
  const target = readFollowTarget(typeof inFile === 'string' ? inFile : await byName(access, given));
  const signal = stopSignal();
  const [words, jettons] = await Promise.all([
    traceWords({ ...wordsOptions(options), network }),
    jettonsOf(access),
  ]);
  for await (const told of followUntilDone({ access, ...target, signal, clock: surroundings().clock })) {
    if (told.type === 'ended') {
      if (told.error !== undefined) {
        throw told.error;
      }
      const { unseenError, goneError } = await import('../toolkit/workflows/followMessage');
      for (const hash of told.unseen) {
        throw unseenError(hash);
      }
      for (const model of target.account === undefined ? told.gone : []) {
        throw await goneError(access, model, { signal });
      }
      return;
    }
    const { event } = told;
    switch (event.type) {
      case 'trace':
        await print(await askJettons(await describeTrace(event.model, words), jettons, signal), options);
        // A slow reader gets the next change later, instead of many at once.
        await whenRead(signal);
        break;
      case 'waiting':
        writeNote(`◌ ${event.hash}: waiting for its trace`);
        break;
      case 'gone':
        writeNote(`The pending trace ${event.key} has disappeared: it was dropped or replaced.`);
        break;
      case 'unseen':
        if (event.error !== undefined) {
          throw event.error;
        }
        break;
      case 'error':
        noteRetry(event);
        break;
    }
  }
}

async function print(context: TraceContext, options: TraceOptions, findsLine = false): Promise<void> {
  if (options.json === true) {
    const { traceSummary } = await import('../toolkit/trace/traceSummary');
    writeJsonLine(traceSummary(context));
    return;
  }
  if (options.full !== true) {
    const { traceText } = await import('../toolkit/trace/traceText');
    const thrown = await whereItThrew(context, options, findsLine);
    writeText(traceText(thrown?.context ?? context));
    if (thrown !== undefined) {
      writeNote(thrown.next);
    }
    return;
  }
  const [{ traceDocument }, { transactionText }] = await Promise.all([
    import('../toolkit/trace/traceDocument'),
    import('../toolkit/trace/transactionText'),
  ]);
  writeText(traceDocument(context));
  for (const node of context.model.nodes) {
    writeText(`\n${transactionText(node, context)}`);
  }
}
