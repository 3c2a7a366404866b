import type { V3Message } from '../api/v3Objects';
import { opcodeHex } from '../contracts/opcodes/opcodes';
import type { TraceKnowledge } from '../trace/traceModel';
import type { OrderTextOptions } from './orderText';
import { nameOfBody } from '../contracts/opcodes/decodeBody';

/**
 * Names the messages of orders as the trace names them, so that a sentence and the trace below it agree: by the sources
 * of their receivers, else by their opcodes.
 */
export function orderNames({
  decodeBody,
  exitSource,
}: Pick<TraceKnowledge, 'decodeBody' | 'exitSource'>): Pick<OrderTextOptions, 'readBody' | 'messageName'> {
  return {
    ...(decodeBody === undefined
      ? {}
      : {
          readBody: (body, receiver) => {
            const slice = body.beginParse();
            const message: Partial<V3Message> = {
              destination: receiver,
              opcode: slice.remainingBits < 32 ? null : opcodeHex(slice.preloadUint(32)),
              message_content: { body: body.toBoc().toString('base64') },
            };
            return decodeBody(message);
          },
        }),
    messageName: (body, receiver) => nameOfBody(exitSource?.(receiver)?.messages ?? new Map(), body),
  };
}
