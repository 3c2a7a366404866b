import { signatureText } from '../contracts/abi/getMethodSignature';
import { knownMethods } from '../contracts/abi/knownInterfaces';

/**
 * A note for a well-known get-method called with too many arguments; it still runs, and the extra values stay at the
 * bottom of the stack.
 * @param given number of values
 */
export function extraArgumentsNote(method: string, given: number): string | undefined {
  const known = knownMethods(method);
  const [first] = known;
  return first !== undefined && known.every((one) => one.method.parameters.length < given)
    ? `${signatureText(first.method)} of a ${first.interfaceName} takes ` +
        `${countOf(first.method.parameters.length)}, not ${given}. The extra values stay on the stack, where most contracts ignore them.`
    : undefined;
}

function countOf(parameters: number): string {
  return parameters === 0 ? 'no arguments' : parameters === 1 ? 'one argument' : `${parameters} arguments`;
}
