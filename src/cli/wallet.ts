import type { Command } from 'commander';
import { Option } from 'commander';
import { createInterface } from 'node:readline';
import { version } from '../../package.json';
import type { Emulator } from '../toolkit/execution/emulator/emulator';
import { WorkbenchError } from '../toolkit/base/errors';
import type { Approval, WalletVerdict } from '../toolkit/tonConnect/protocol';
import { approvals, decisionWords } from '../toolkit/tonConnect/protocol';
import type { RunningTestWallet } from '../toolkit/tonConnect/startTestWallet';
import type { TestWallet } from '../toolkit/tonConnect/testWallet';
import { requestUnknownError } from '../toolkit/tonConnect/walletBook';
import type { FeatureWord } from '../toolkit/tonConnect/walletFeatures';
import { featureWords, parseFeatureWords } from '../toolkit/tonConnect/walletFeatures';
import { openAccess, originsText } from './networkOptions';
import { addJsonOptions, networkHere } from './networkHere';
import { noteLog, openLines, writeJsonLine, writeNote, writeText } from './output';
import { parsePort } from './parsePort';
import { readGivenText } from './readGivenFile';
import { stopSignal } from './runTests';
import { keepRun, pathHere, surroundings } from './surroundings';

interface WalletOptions {
  network: string;
  account?: string;
  approve: Approval;
  features?: FeatureWord[];
  script?: string;
  port: number;
  state?: string;
  disconnect?: string[];
  json?: true;
}

/** `wallet`: a test wallet for dApps, until it is stopped. */
export function registerWalletCommand(program: Command): void {
  const command = program
    .command('wallet')
    .summary('run a test wallet that dApps connect to (TON Connect)')
    .description(
      'Runs a wallet for dApps on this machine, with the accounts of a local network: connect, pay, sign. It serves ' +
        'the bridge, the link, a wallets list, and the script of an injected wallet on 127.0.0.1 until you stop it.\n\n' +
        'With --approve ask, decisions are read from the standard input, one per line, with the number of the request ' +
        'if several are pending: approve, reject 2, approve-lose-answer, answer-late 2 5 (after 5 s), answer-twice, ' +
        'wrong-network, connect-only. After signMessage: submit, submit-twice, let-expire do what a relayer would. ' +
        'A link to pay (ton://transfer/…) on a line is paid at once.',
    )
    .option('-n, --network <network>', 'a local network: local, or its URL', 'local')
    .option('--account <name>', 'the wallet that dApps get (default: the first one)')
    .addOption(
      new Option(
        '--approve <which>',
        'decide requests of dApps that connect: ask, approve all, or reject all (none)',
      )
        .choices(approvals)
        .default('ask'),
    )
    .option(
      '--features <list>',
      `be an older or smaller wallet, for dApps that connect: ${Object.keys(featureWords).join(', ')}`,
      parseFeatureWords,
    )
    .option('--script <file>', 'a JSON list of decisions for the first requests, in order')
    .option('-p, --port <number>', 'port to listen on; 0 uses any free port', parsePort, 0)
    .option('--state <folder>', 'keep connections and requests in this folder (default: until it stops)')
    .option(
      '--disconnect <dApp...>',
      'with --state: first end the connections of a dApp, by its name or domain, or all',
    );
  addJsonOptions(
    command,
    'print the addresses as one JSON line, then one line per request and answer',
    async () => (await import('./walletLines')).walletAnswerSchema,
  ).action(async (options: WalletOptions) => {
    await runWallet(options);
  });
}

async function runWallet(options: WalletOptions): Promise<void> {
  const stop = stopSignal();
  const script = options.script === undefined ? undefined : await readScript(options.script);
  const [{ openWalletNetwork }, { startTestWallet }, { createSandboxEmulator }] = await Promise.all([
    import('../toolkit/workflows/openWalletNetwork'),
    import('../toolkit/tonConnect/startTestWallet'),
    import('../toolkit/execution/emulator/createSandboxEmulator'),
  ]);
  const { network } = networkHere(options.network);
  const log = noteLog();
  let emulator: Promise<Emulator> | undefined;
  const emulators = {
    get: () => (emulator ??= createSandboxEmulator()),
    dispose: () => (emulator = undefined),
  };
  const access = await openAccess(network, {});
  const running = await startTestWallet({
    network: await openWalletNetwork(access, emulators, log),
    account: options.account,
    approval: options.approve,
    features: options.features ?? [],
    script,
    port: options.port,
    folder: options.state && pathHere(options.state),
    version,
    log,
  });
  try {
    await serve(running, options, { place: originsText(network), stop });
  } finally {
    await running.close();
  }
}

async function serve(
  running: RunningTestWallet,
  { json, approve, disconnect: wanted = [] }: WalletOptions,
  { place, stop }: { place: string; stop: AbortSignal },
): Promise<void> {
  const { wallet, bridge, universalLink, walletsList, inject, nameOf } = running;
  const { walletLine, walletText } = await import('./walletLines');
  const lines = openLines();
  /** Numbers of the requests that were shown: nobody decides what cannot be read yet. */
  const shown = new Set<number>();
  wallet.onEvent((event) => {
    if (event.type === 'sessions') {
      return;
    }
    if (event.type === 'request') {
      shown.add(event.request.number);
    } else if (event.type === 'answer') {
      shown.delete(event.answer.number);
    }
    // Later: the dApp's answer does not wait for whoever reads the lines.
    setImmediate(() => {
      if (json === true) {
        lines.writeJson(walletLine(event));
      } else {
        lines.writeText(walletText(event, nameOf));
      }
    });
  });
  if (json === true) {
    const { account, address } = running;
    writeJsonLine({ bridge, universalLink, walletsList, inject, account, address });
  } else {
    writeText(
      [
        `Test wallet with the account ${wallet.account}; press Ctrl+C to stop.`,
        `  network        ${place}`,
        `  wallets list   ${walletsList}`,
        `  bridge         ${bridge}`,
        `  link           ${universalLink}`,
        `  injected       <script src="${inject}"></script>`,
      ].join('\n'),
    );
  }
  const kept = wallet.sessions.filter((one) => one.state !== 'ended' && one.approval !== approve);
  if (kept.length > 0) {
    const { dAppWords } = await import('../toolkit/tonConnect/requestWords');
    const list = kept.map(({ dApp, approval }) => `${dAppWords(dApp)}: ${approval}`).join(', ');
    writeNote(`Connected earlier, and decided as then: ${list}.`);
  }
  if (approve === 'ask' && surroundings().errors.isTTY === true) {
    writeNote('Type approve or reject to decide a request; help lists the other lines.');
  }
  const { parseTypedDecision, parseTypedRelay } = await import('../toolkit/tonConnect/walletScript');
  const { signedMessageOf } = await import('../toolkit/tonConnect/walletBook');
  let lastSigned: number | undefined;
  wallet.onEvent((event) => {
    if (event.type === 'answer' && signedMessageOf(event.answer) !== undefined) {
      lastSigned = event.answer.number;
    }
  });
  const read = keepRun((line: string) => {
    if (/^\s*(?:ton|https?):\/\//i.test(line)) {
      void pay(wallet, line);
      return;
    }
    const relay = parseTypedRelay(line);
    if (relay !== undefined) {
      void wallet
        .relay(relay.number ?? lastSigned ?? 0, relay.way)
        .catch((error: unknown) => writeNote(WorkbenchError.is(error) ? error.message : String(error)));
    } else if (line.trim() !== '') {
      decide(wallet, shown, parseTypedDecision(line));
    }
  });
  // With its listener at once: a line that comes while nobody listens is lost.
  const input = createInterface({ input: surroundings().input }).on('line', read);
  await disconnect(wallet, wanted);
  wallet.resume();
  await new Promise<void>((resolve) => {
    if (stop.aborted) {
      resolve();
    }
    stop.addEventListener('abort', () => resolve(), { once: true });
  });
  input.close();
}

/** A pasted link is one that was scanned and confirmed. */
async function pay(wallet: TestWallet, link: string): Promise<void> {
  try {
    const hash = await wallet.payLink(link);
    writeNote(hash === undefined ? 'This is no link to pay.' : `Paid by the link: ${hash}.`);
  } catch (error) {
    writeNote(WorkbenchError.is(error) ? error.message : String(error));
  }
}

/** Ends connections of earlier runs, and says which ones. */
async function disconnect(wallet: TestWallet, wanted: readonly string[]): Promise<void> {
  const { dAppWords } = await import('../toolkit/tonConnect/requestWords');
  for (const name of wanted) {
    const open = wallet.sessions.filter(({ state }) => state !== 'ended');
    const found = open.filter(({ dApp }) => name === 'all' || name === dApp.name || name === dApp.domain);
    found.forEach(({ id }) => wallet.disconnect(id));
    const known = [...new Set(open.map(({ dApp }) => dAppWords(dApp)))].join(', ');
    writeNote(
      found.length > 0
        ? `Disconnected ${found.map(({ dApp }) => dAppWords(dApp)).join(', ')}.`
        : `No dApp ${JSON.stringify(name)} is connected; these are: ${known || 'none'}.`,
    );
  }
}

/** What else the wallet reads, beside decisions. */
const lineWords = {
  submit: 'submit the last signed message as a relayer',
  'submit-twice': 'the same two times',
  'let-expire': 'let it expire before it is submitted',
  'ton://transfer/…': 'pay by the link',
};

/** A wrong line must not end the wallet: it is told, and the request stays pending. */
function decide(
  wallet: TestWallet,
  shown: ReadonlySet<number>,
  typed: { number: number | undefined; verdict: WalletVerdict } | undefined,
): void {
  const pending = wallet.pending.filter((request) => shown.has(request.number));
  const number = typed?.number ?? (pending.length === 1 ? pending[0]?.number : undefined);
  if (typed === undefined) {
    const all = Object.entries({ ...decisionWords, ...lineWords });
    const known = all.map(([word, what]) => `  ${word.padEnd(20)} ${what}`);
    writeNote(['This is none of the lines that the wallet reads:', ...known].join('\n'));
  } else if (number === undefined) {
    const numbers = pending.map((one) => one.number).join(', ');
    writeNote(pending.length === 0 ? 'No request is pending.' : `Add the number of the request: ${numbers}.`);
  } else {
    try {
      if (!shown.has(number) && wallet.pending.some((request) => request.number === number)) {
        throw requestUnknownError(number);
      }
      wallet.decide(number, typed.verdict);
    } catch (error) {
      writeNote(WorkbenchError.is(error) ? error.message : String(error));
    }
  }
}

async function readScript(file: string): Promise<WalletVerdict[]> {
  const { parseWalletScript } = await import('../toolkit/tonConnect/walletScript');
  const hint = 'Give a JSON file with a list of decisions.';
  const given = { path: file, what: 'The script', code: 'wallet-script-invalid', hint } as const;
  return parseWalletScript(await readGivenText(given, 'givenFile'));
}
