import type { Access } from '../toolkit/access/createAccess';
import { WorkbenchError } from '../toolkit/base/errors';

export interface Consent {
  /** `--yes` was given. */
  yes?: boolean | undefined;
  /** The message is signed here with published keys: never for the main network. */
  compose?: boolean | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Requires `--yes` for commands that move real coins. The network's answer decides which network it is, not its URL.
 * @throws WorkbenchError `confirmation-needed`, `compose-local-only` (input)
 */
export async function requireConsent(
  access: Access,
  { yes = false, compose = false, signal }: Consent,
): Promise<void> {
  // Composing already refuses networks that are not called local.
  if (compose ? access.network.kind !== 'local' : yes) {
    return;
  }
  const { isMainNetwork } = await import('../toolkit/access/networkIdentity');
  if (!(await isMainNetwork(access, { signal, priority: 'user' }))) {
    return;
  }
  if (compose) {
    const { composeLocalOnlyError } = await import('../toolkit/send/composeLineError');
    throw composeLocalOnlyError(access.network.name);
  }
  throw new WorkbenchError({
    code: 'confirmation-needed',
    kind: 'input',
    message:
      access.network.kind === 'mainnet'
        ? 'Sending on the main network moves real coins.'
        : `${access.network.name} is the main network, or does not say which network it is: sending may move real coins.`,
    hint: 'Check it with --dry-run, then add --yes.',
  });
}
