import type { Access } from '../toolkit/access/createAccess';
import { WorkbenchError } from '../toolkit/errors';

export interface Consent {
  /** `--yes` was given. */
  yes?: boolean | undefined;
  /** The message is made here and signed with published keys: never one for the main network. */
  compose?: boolean | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Lets a command go on that moves real coins only with `--yes`. Which network it is decides what answers there, not what
 * its URL looks like.
 * @throws WorkbenchError `confirmation-needed`, `compose-local-only` (input)
 */
export async function requireConsent(
  access: Access,
  { yes = false, compose = false, signal }: Consent,
): Promise<void> {
  // Composing refuses what is not called a local network by itself.
  if (compose ? access.network.kind !== 'local' : yes) {
    return;
  }
  const { isMainNetwork } = await import('../toolkit/access/networkIdentity');
  if (!(await isMainNetwork(access, { signal, priority: 'user' }))) {
    return;
  }
  if (compose) {
    const { composeLocalOnlyError } = await import('../toolkit/compose/composeLineError');
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
