import { WorkbenchError } from '../toolkit/base/errors';
import { numberWidths } from '../toolkit/base/numberWidths';

/**
 * The value of an option that is a port.
 * @throws WorkbenchError `port-invalid` (input)
 */
export function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text.trim()) || port > numberWidths.port) {
    throw new WorkbenchError({
      code: 'port-invalid',
      kind: 'input',
      message: `The port ${JSON.stringify(text)} is not a number from 0 to 65535.`,
      hint: 'Give 0 for any free port.',
    });
  }
  return port;
}
