import { importsOf } from './importsOf';
import type { ReceiverCode, ReceiverPart } from './receiverCode';
import type { ReceiverFramework } from './receiverFrameworks';
import { receiverHandlers } from './receiverHandlers';

const aboutReceive =
  '// receive() is your code: it verifies these bytes, does what they say, and returns the status.\n';

/**
 * One part of a service's receiver as code, with what it imports.
 * @param part `rawBody` is how the framework hands over the bytes; one that the service has no part for is in `receive`
 */
export function receiverPart(
  part: ReceiverPart | 'rawBody' | 'receive',
  framework: ReceiverFramework,
  { parts, receive }: ReceiverCode,
): string {
  if (part === 'rawBody') {
    const code = receiverHandlers[framework];
    return `${importsOf(code)}${aboutReceive}${code}`;
  }
  const code = part === 'receive' ? receive : (parts[part] ?? receive);
  return `${importsOf(code)}${code}`;
}
