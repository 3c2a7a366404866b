import { importsOf } from './importsOf';
import type { ReceiverFramework } from './receiverFrameworks';
import { receiverHandlers } from './receiverHandlers';
import { receiverParts } from './receiverParts';

/** The parts of a receiver that rules are about. */
export type ReceiverPart = 'rawBody' | 'signature' | 'event' | 'order' | 'once' | 'chain';

/** Not in the made receiver, which knows no network. */
const chain = `/** Whether the payment is on the chain, from its v3 API. Answer 503 if not: the service delivers again. */
async function isOnChain(v3, { txHash }, order) {
  const answer = await fetch(v3 + '/transactions?hash=' + encodeURIComponent(txHash));
  const [transaction] = (await answer.json()).transactions ?? [];
  // The message must be the one that was asked for: bodyBase64Hash from creating the payment.
  return (
    transaction?.description.aborted === false &&
    BigInt(transaction.in_msg.value ?? 0) === BigInt(order.rawAmount) &&
    transaction.in_msg.message_content.hash === order.bodyBase64Hash
  );
}
`;

const aboutReceive =
  '// receive() is your code: it verifies these bytes, does what they say, and returns the status.\n';

/** One part of a receiver as code, with what it imports. */
export function receiverPart(part: ReceiverPart, framework: ReceiverFramework): string {
  const code =
    part === 'rawBody' ? receiverHandlers[framework] : part === 'chain' ? chain : receiverParts[part];
  return `${importsOf(code)}${part === 'rawBody' ? aboutReceive : ''}${code}`;
}
