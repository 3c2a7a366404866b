import path from 'node:path';
import type { Access } from '../toolkit/access/createAccess';
import { WorkbenchError } from '../toolkit/base/errors';
import type { SendableMessage } from '../toolkit/send/sendableMessage';
import type { ComposedMessage } from '../toolkit/send/prepareComposed';
import { pathHere, surroundings } from './surroundings';
import { readUserFile } from '../toolkit/base/readUserFile';

/** Where the message comes from: exactly one of the two. */
export interface SendSource {
  boc?: string | undefined;
  /** A message as one line, in the syntax of parseComposeLine. */
  line?: string | undefined;
  /** The contract that the line deploys, and the file that it is from. */
  deploys?: { name: string; file: string } | undefined;
}

/**
 * The message to send: read from a BoC, or composed from a line and signed by a wallet of the local network.
 * @throws WorkbenchError `send-source-unclear`, `compose-line-invalid`, `compose-local-only` (input), and the
 * errors of reading
 */
export async function readSendable(
  access: Access,
  { boc, line, deploys }: SendSource,
  signal: AbortSignal,
): Promise<SendableMessage> {
  if ((boc === undefined) === (line === undefined)) {
    throw new WorkbenchError({
      code: 'send-source-unclear',
      kind: 'input',
      message: boc === undefined ? 'There is nothing to send.' : 'A BoC and --compose were both given.',
      hint: 'Give a BoC (a file, base64, hex or -), or --compose with one line of text.',
    });
  }
  if (line !== undefined) {
    return compose(access, line, deploys, signal);
  }
  const [{ readBocArgument }, { readExternalMessage }] = await Promise.all([
    import('./readBocArgument'),
    import('../toolkit/send/externalMessage'),
  ]);
  return readExternalMessage(await readBocArgument(boc ?? ''));
}

async function compose(
  access: Access,
  line: string,
  deploys: SendSource['deploys'],
  signal: AbortSignal,
): Promise<SendableMessage> {
  const [{ prepareComposed }, { composeLocalOnlyError }, { namedOnLocal }] = await Promise.all([
    import('../toolkit/send/prepareComposed'),
    import('../toolkit/send/composeLineError'),
    import('./reachedAccountNames'),
  ]);
  if (access.network.kind !== 'local') {
    throw composeLocalOnlyError(access.network.name);
  }
  const { wallets, accounts } = await namedOnLocal(access.network);
  const named = { accounts, wallets: wallets.map(({ name }) => name) };
  return prepareComposed(
    access,
    await readComposed(access, line, { deploys, named, signal }),
    wallets,
    signal,
  );
}

/**
 * Reads a message from one line, by the names of the network and the messages of the project.
 *
 * @param named the network's accounts, and the wallets that may sign
 * @throws WorkbenchError `compose-line-invalid` (input)
 */
export async function readComposed(
  access: Access,
  line: string,
  {
    deploys,
    named,
    signal,
  }: {
    deploys: SendSource['deploys'];
    named: { accounts: ReadonlyMap<string, string>; wallets: readonly string[] };
    signal: AbortSignal;
  },
): Promise<ComposedMessage> {
  const [
    { parseComposeLine },
    { projectLayouts },
    { nameInProject, projectAround },
    { namesInText },
    { composeDestination },
    { describeHere },
    { codesInText },
  ] = await Promise.all([
    import('../toolkit/send/parseComposeLine'),
    import('../toolkit/contracts/layouts/projectLayouts'),
    import('./projectWith'),
    import('./reachedAccountNames'),
    import('../toolkit/send/composeLineError'),
    import('./describeHere'),
    import('./codesInText'),
  ]);
  const accounts = await namesInText(access, line, named.accounts, signal);
  const to = composeDestination(line, accounts);
  const described = to === undefined ? undefined : await describeHere(access)(to).catch(() => undefined);
  const { name, file } = described ?? {};
  const source = deploys && pathHere(deploys.file);
  const folder = source === undefined ? surroundings().folder : path.dirname(source);
  const layouts = await projectLayouts(await projectAround(folder));
  return parseComposeLine(line, {
    accounts,
    codes: await codesInText(line),
    layouts,
    contractAt: (address) => (address === to && name !== undefined ? { name, file } : undefined),
    ...(source === undefined || deploys === undefined
      ? {}
      : { deploys: { name: deploys.name, file: await nameInProject(source) } }),
    wallets: named.wallets,
    readFile: (file) => readUserFile(pathHere(file), 'bocText'),
  });
}
