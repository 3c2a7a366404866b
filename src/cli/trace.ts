import type { Command } from 'commander';
import type { TraceModel } from '../toolkit/trace/traceModel';
import { localAccounts } from './localAccounts';
import { addNetworkOptions, openAccess, resolveNetwork } from './network';
import type { NetworkOptions } from './network';
import { stopSignal, writeJsonLine, writeNote, writeText } from './output';

interface TraceOptions extends NetworkOptions {
  json?: true;
  follow?: true;
  limit: string;
  full?: true;
}

/** `trace HASH|ACCOUNT|TRACE_ID|FILE`: what happened, why, and where the money went. */
export function registerTrace(program: Command): void {
  const command = program
    .command('trace')
    .summary('show traces: what happened, why, and where the money went')
    .description(
      'Shows the trace of a transaction or message hash, the newest traces of an account, or those in a file ' +
        '(a saved answer of /api/v3/traces, or a trace saved by the editor).',
    )
    .argument('<what>', 'a hash (hex or base64), an account, an explorer link, a trace id, or a file')
    .option('--json', 'print each trace as one JSON line')
    .option('--follow', 'follow a message (or an account) until its traces are complete')
    .option('--full', 'print the documents of the trace and of every transaction')
    .option('--limit <count>', 'for an account: how many traces, newest first', '10');
  addNetworkOptions(command).action(async (what: string, options: TraceOptions) => {
    await (options.follow === true ? follow(what, options) : show(what, options));
  });
}

async function show(given: string, options: TraceOptions): Promise<void> {
  const what = await byName(given, options);
  const models = (await tracesOfFile(what)) ?? (await tracesOfNetwork(what, options));
  for (const [index, model] of models.entries()) {
    if (index > 0 && options.json !== true) {
      writeText('');
    }
    await print(model, options);
  }
}

/** An account of the local network may be given by its name. */
async function byName(what: string, options: TraceOptions): Promise<string> {
  const accounts = await localAccounts(resolveNetwork(options.network).network);
  return accounts.get(what.replace(/^@/, '')) ?? what;
}

/** A file wins over a hash: nobody calls a file by 64 hex digits. */
async function tracesOfFile(what: string): Promise<TraceModel[] | undefined> {
  const [{ readFile }, { openTraces }] = await Promise.all([
    import('node:fs/promises'),
    import('../toolkit/trace/traceFile'),
  ]);
  let text: string;
  try {
    text = await readFile(what, 'utf8');
  } catch (error) {
    if (!(await isQuery(what))) {
      const { WorkbenchError } = await import('../toolkit/errors');
      throw new WorkbenchError({
        code: 'file-unreadable',
        kind: 'input',
        message: `${JSON.stringify(what.slice(0, 200))} is neither a file that can be read nor a hash, account or link.`,
        hint: 'Give the hash of a transaction or message, an account, or the path of a saved trace.',
        cause: error,
      });
    }
    return undefined;
  }
  return openTraces(text);
}

async function isQuery(what: string): Promise<boolean> {
  const { parseTraceQuery } = await import('../toolkit/trace/parseTraceQuery');
  try {
    parseTraceQuery(what);
    return true;
  } catch {
    return false;
  }
}

async function tracesOfNetwork(what: string, options: TraceOptions): Promise<TraceModel[]> {
  const { network } = resolveNetwork(options.network);
  const [{ findTrace }, { traceSourceOf }] = await Promise.all([
    import('../toolkit/trace/findTrace'),
    import('../toolkit/access/traceSourceOf'),
  ]);
  const access = await openAccess(network, options);
  return findTrace(traceSourceOf(access), what, { limit: await limitOf(options), signal: stopSignal() });
}

async function limitOf({ limit }: TraceOptions): Promise<number> {
  const count = Number(limit);
  if (Number.isInteger(count) && count >= 1 && count <= 1000) {
    return count;
  }
  const { WorkbenchError } = await import('../toolkit/errors');
  throw new WorkbenchError({
    code: 'usage',
    kind: 'input',
    message: `--limit ${JSON.stringify(limit)} is not a number from 1 to 1000.`,
  });
}

/** Every change is one text or line; the notes go to stderr, so that the output stays a list of traces. */
async function follow(given: string, options: TraceOptions): Promise<void> {
  const what = await byName(given, options);
  const [{ followTrace }, { traceSourceOf }, { parseTraceQuery }] = await Promise.all([
    import('../toolkit/trace/followTrace'),
    import('../toolkit/access/traceSourceOf'),
    import('../toolkit/trace/parseTraceQuery'),
  ]);
  const { network } = resolveNetwork(options.network);
  const query = parseTraceQuery(what);
  const access = await openAccess(network, options);
  const target = query.kind === 'account' ? { account: query.account } : { hashes: [query.hash] };
  const intervalMs = network.kind === 'local' ? 300 : 2000;
  let unseen = false;
  for await (const event of followTrace(traceSourceOf(access), {
    ...target,
    intervalMs,
    signal: stopSignal(),
  })) {
    switch (event.type) {
      case 'trace':
        await print(event.model, options);
        break;
      case 'waiting':
        writeNote(`◌ ${event.hash}: sent, waiting for a block`);
        break;
      case 'gone':
        writeNote(`The pending trace ${event.key} has disappeared: it was dropped or replaced.`);
        break;
      case 'unseen':
        unseen = true;
        break;
      case 'error':
        writeNote(`${event.error.message} Trying again in ${Math.round(event.retryInMs / 1000)} s.`);
        break;
    }
  }
  if (unseen) {
    const { WorkbenchError } = await import('../toolkit/errors');
    throw new WorkbenchError({
      code: 'trace-not-found',
      kind: 'failed',
      message: 'Nothing was seen of this message; it was probably not accepted.',
      hint: 'Check the network, and whether the message has expired.',
    });
  }
}

async function print(model: TraceModel, options: TraceOptions): Promise<void> {
  const { TraceContext } = await import('../toolkit/trace/traceContext');
  const accounts = await localAccounts(resolveNetwork(options.network).network);
  const names = new Map([...accounts].map(([name, address]) => [address, name]));
  const context = new TraceContext(model, { names, wholeAddresses: options.json === true });
  if (options.json === true) {
    const { traceSummary } = await import('../toolkit/trace/traceSummary');
    writeJsonLine(traceSummary(context));
    return;
  }
  if (options.full !== true) {
    const { traceText } = await import('../toolkit/trace/traceText');
    writeText(traceText(context));
    return;
  }
  const [{ traceDocument }, { transactionText }] = await Promise.all([
    import('../toolkit/trace/traceDocument'),
    import('../toolkit/trace/transactionText'),
  ]);
  writeText(traceDocument(context));
  for (const node of model.nodes) {
    writeText(`\n${transactionText(node, context)}`);
  }
}
