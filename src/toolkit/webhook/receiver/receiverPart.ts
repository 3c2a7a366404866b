import { importsOf } from './importsOf';
import type { ReceiverCode, ReceiverPart } from './receiverCode';
import type { ReceiverFramework } from './receiverFrameworks';
import { receiverHandlers } from './receiverHandlers';

const aboutReceive =
  '// receive() is your code: it verifies these bytes, does what they say, and returns the status.\n';

/** A part of a receiver that may need a fix. */
export type FixPart = ReceiverPart | 'rawBody' | 'status';

/** How exactly 200 is answered. */
const exactStatus: Readonly<Record<ReceiverFramework, string>> = {
  express: 'response.status(200).end();\n',
  fastify: 'return reply.code(200).send();\n',
  next: 'return new Response(null, { status: 200 });\n',
  hono: 'return context.body(null, 200);\n',
};

/**
 * One part of a service's receiver as code, with what it imports.
 * @param part `rawBody` is how the framework hands over the bytes; `status` is how it answers exactly 200;
 *   one that the service has no part for is in `receive`
 */
export function receiverPart(
  part: FixPart,
  framework: ReceiverFramework,
  { parts, receive }: ReceiverCode,
): string {
  if (part === 'rawBody') {
    const code = receiverHandlers[framework];
    return `${importsOf(code)}${aboutReceive}${code}`;
  }
  if (part === 'status') {
    return exactStatus[framework];
  }
  const rule = parts[part];
  if (rule === undefined) {
    return `${importsOf(receive)}${receive}`;
  }
  const { code, call } = rule;
  return `${importsOf(code + call)}${code}\n// In receive(), which is given the body as bytes and the headers:\n${call.replace(/^ {2}/gm, '')}`;
}
