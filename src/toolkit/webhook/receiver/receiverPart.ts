import { importsOf } from './importsOf';
import type { ReceiverFramework } from './receiverFrameworks';
import { receiverHandlers } from './receiverHandlers';
import { receiverParts } from './receiverParts';

/** The parts of a receiver that rules are about. */
export type ReceiverPart = 'rawBody' | 'signature' | 'event' | 'order' | 'once' | 'chain';

const aboutReceive =
  '// receive() is your code: it verifies these bytes, does what they say, and returns the status.\n';

/** One part of a receiver as code, with what it imports. */
export function receiverPart(part: ReceiverPart, framework: ReceiverFramework): string {
  const code = part === 'rawBody' ? receiverHandlers[framework] : receiverParts[part];
  return `${importsOf(code)}${part === 'rawBody' ? aboutReceive : ''}${code}`;
}
