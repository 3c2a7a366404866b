import { opcodeNumber, opcodes } from '../opcodes/opcodes';
import type { TraceModel } from './traceModel';

/** Whether a message has an opcode unknown to both the service and the built-in table. */
export function hasUnnamedMessages(model: TraceModel): boolean {
  return model.nodes.some(({ message }) => {
    if (message == null || message.source == null) {
      return false;
    }
    const code = opcodeNumber(message.opcode);
    const isNamed = code === undefined || opcodes.get(code)?.fields !== undefined;
    return !isNamed || message.bounced === true;
  });
}
