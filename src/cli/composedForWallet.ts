import type { Access } from '../toolkit/access/createAccess';
import type { ComposedMessage } from '../toolkit/send/prepareComposed';
import type { ExternalMessage } from '../toolkit/send/externalMessage';
import type { SendSource } from './readSendable';

/**
 * The message of a line for the user's own wallet, whatever it is called.
 * @throws WorkbenchError `compose-line-invalid` (input), and the network's errors
 */
export async function composedForWallet(
  access: Access,
  line: string,
  deploys: SendSource['deploys'],
  signal: AbortSignal,
): Promise<ComposedMessage> {
  const [{ readComposed }, { reachedAccountNames }] = await Promise.all([
    import('./readSendable'),
    import('./reachedAccountNames'),
  ]);
  const named = { accounts: await reachedAccountNames(access), wallets: ['wallet'] };
  return readComposed(access, line, { deploys, named, signal });
}

/**
 * Reads a message that was signed elsewhere, which must be the one that the command is about.
 * @throws WorkbenchError `wallet-sent-other` (input), and the errors of reading
 */
export async function requireSignedFor(
  access: Access,
  file: string,
  composed: ComposedMessage,
): Promise<ExternalMessage> {
  const [{ readBocArgument }, { readExternalMessage }, { requireSigned }] = await Promise.all([
    import('./readBocArgument'),
    import('../toolkit/send/externalMessage'),
    import('../toolkit/workflows/signedWay'),
  ]);
  const message = readExternalMessage(await readBocArgument(file));
  const { to: destination, ...rest } = composed;
  requireSigned({ ...rest, destination, network: access.network.name, chain: '', validUntil: 0 }, message);
  return message;
}
