import { isLoopbackHost } from '../isLoopbackHost';
import { isPublicOrigin } from './publicPace';

/** The places to set a key, in the editor and on the command line. */
const places =
  'TON: API Key… in the editor, or with --api-key-file or the variable TON_API_KEY on the command line';

/** What to do, as a sentence. */
export const setKeySentence = `Set a key with ${places}.`;

/**
 * A sentence that names a missing API key as the likely cause and says how to set one; undefined if that is not likely.
 * Any service may refuse requests without a key (429). The public ones also answer late, with 503, or with 500 and
 * "context deadline exceeded" then; elsewhere, these have other causes.
 */
export function missingKeySentence(
  { origin, hasKey }: { origin: string; hasKey: boolean },
  shape: 'refused' | 'overloaded',
): string | undefined {
  const isLikely =
    !hasKey && !isLoopbackHost(new URL(origin).host) && (shape === 'refused' || isPublicOrigin(origin));
  return isLikely ? `The likely cause is that no API key is set: set one with ${places}.` : undefined;
}
