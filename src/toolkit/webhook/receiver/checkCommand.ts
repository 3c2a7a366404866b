import type { ReceiverCode } from './receiverCode';
import { receiverUrl } from './receiverUrl';

/** The file that the secret of a made receiver is assumed to be in. */
export const secretFile = 'secret.txt';

/**
 * The command that checks a made receiver, with the order of its example.
 * @param choice the options that choose the service; empty for the usual one
 */
export function checkCommand({ example }: Pick<ReceiverCode, 'example'>, choice = ''): string {
  return [
    'ton-workbench webhook check',
    ...(choice === '' ? [] : [choice]),
    `--url ${receiverUrl()} --secret-file ${secretFile}`,
    ...(example === undefined ? [] : [`--set ${example}`]),
  ].join(' ');
}
