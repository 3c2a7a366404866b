import { stat } from 'node:fs/promises';
import type { Network } from '../toolkit/access/network';
import { WorkbenchError } from '../toolkit/base/errors';
import { connectionSecrets } from '../toolkit/tonConnect/connectionSecrets';
import { readUserText } from '../toolkit/base/readUserFile';
import type { ConnectionStore, DAppConnection } from '../toolkit/tonConnect/dAppConnection';
import { writeUserFile } from '../toolkit/base/writeUserFile';
import { redactor, writeJsonLine, writeNote, writeText } from './output';
import type { SigningOptions } from './signingOptions';
import { closeWithRun, keepRun, pathHere, perRun, surroundings } from './surroundings';

/** Only the user may read a session: its secret speaks for the connection. */
const sessionMode = 0o600;

type Session = Record<string, Record<string, string>>;

/**
 * The connection to the user's wallet over TON Connect, one a network. Without a kept one, a wallet is asked to connect.
 * @throws WorkbenchError `usage`, `session-unusable`, `wallet-not-connected`, `manifest-unreachable` (input), `aborted`
 */
export function connectWallet(
  network: Network,
  options: SigningOptions & { json?: true },
  signal: AbortSignal,
): Promise<DAppConnection> {
  const known = connections().get(network.name) ?? connect(network, options, signal);
  connections().set(network.name, known);
  return known;
}

/** Those of this run: a sheet asks once for all its messages. */
const connections = perRun(() => new Map<string, Promise<DAppConnection>>());

async function connect(
  network: Network,
  { session, wallet, manifest, json }: SigningOptions & { json?: true },
  signal: AbortSignal,
): Promise<DAppConnection> {
  if (session === undefined) {
    throw new WorkbenchError({
      code: 'usage',
      kind: 'input',
      message: '--sign connect needs --session FILE.',
      hint: 'Name a file outside of what you share: it keeps the connection, with mode 600.',
    });
  }
  const [{ DAppConnection: Connection }, { serveManifest }] = await Promise.all([
    import('../toolkit/tonConnect/dAppConnection'),
    import('../toolkit/tonConnect/serveManifest'),
  ]);
  const isList = wallet !== undefined && /^https?:\/\//.test(wallet);
  const connection = await Connection.open({
    store: await openSession(session, network.name),
    manifest: {
      local: async () => {
        const served = await serveManifest();
        closeWithRun(() => Promise.resolve(served.close()));
        return served.url;
      },
      public: manifest,
    },
    walletsList: isList ? wallet : undefined,
    clock: surroundings().clock,
  });
  closeWithRun(() => Promise.resolve(connection.close()));
  const kept = connection.wallet;
  if (kept === undefined) {
    const name = wallet === undefined || isList ? undefined : wallet;
    const { link, connected } = await connection.connect(isList ? await onlyWallet(wallet) : name, signal);
    if (json === true) {
      writeJsonLine({ connect: link });
    } else {
      const { qrText } = await import('../toolkit/send/qrCode');
      writeText(`Open this link in the wallet to connect it, or scan it:\n\n${qrText(link)}\n\n${link}\n`);
    }
    await connected;
  }
  const { name, address } = connection.wallet ?? { name: 'The wallet', address: '' };
  writeNote(`${kept === undefined ? 'Connected' : 'Still connected'}: ${name}, ${address}.`);
  return connection;
}

/** A test wallet's list has one wallet: its name is that wallet's link. */
async function onlyWallet(list: string): Promise<string | undefined> {
  const answer = await fetch(list, { signal: AbortSignal.timeout(10_000) }).catch((cause: unknown) => {
    throw new WorkbenchError({
      code: 'wallet-not-connected',
      kind: 'network',
      message: `The list of wallets at ${list} cannot be read.`,
      hint: 'Start the test wallet, and give the list that it prints.',
      cause,
    });
  });
  const wallets: unknown = await answer.json().catch(() => undefined);
  const [first] = Array.isArray(wallets) ? (wallets as { name?: unknown }[]) : [];
  return typeof first?.name === 'string' ? first.name : undefined;
}

async function openSession(file: string, network: string): Promise<ConnectionStore> {
  const path = pathHere(file);
  let all = await readSession(path, file);
  const write = async (values: Readonly<Record<string, string>>): Promise<void> => {
    all = { ...all, [network]: { ...values } };
    hideKeys(values);
    await writeUserFile(path, `${JSON.stringify(all)}\n`, { mode: sessionMode });
  };
  let isTold = false;
  hideKeys(all[network] ?? {});
  return {
    read: () => Promise.resolve(all[network] ?? {}),
    write: keepRun((values) =>
      write(values).catch((error: unknown) => {
        if (!isTold) {
          isTold = true;
          writeNote(notKeptWords(file, error));
        }
      }),
    ),
  };
}

function notKeptWords(file: string, error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  return `The connection could not be kept in ${JSON.stringify(file)} (${reason}): next time, the wallet may have to be connected again.`;
}

function hideKeys(values: Readonly<Record<string, string>>): void {
  connectionSecrets(values).forEach((secret) => redactor().add(secret));
}

async function readSession(path: string, file: string): Promise<Session> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) {
    return {};
  }
  if (process.platform !== 'win32' && (found.mode & 0o077) !== 0) {
    throw sessionError(file, 'others may read it', `Run: chmod 600 ${file}`);
  }
  try {
    const value: unknown = JSON.parse(readUserText(path, 'secretFile', { isOwn: true }));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Session;
    }
  } catch (cause) {
    throw sessionError(
      file,
      'it cannot be read',
      'Name another file; the wallet is asked to connect again.',
      cause,
    );
  }
  throw sessionError(file, 'it is none', 'Name another file; the wallet is asked to connect again.');
}

function sessionError(file: string, reason: string, hint: string, cause?: unknown): WorkbenchError {
  return new WorkbenchError({
    code: 'session-unusable',
    kind: 'input',
    message: `The session file ${JSON.stringify(file)} cannot be used: ${reason}.`,
    hint,
    cause,
  });
}
