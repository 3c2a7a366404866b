import type { Command } from 'commander';
import { InvalidArgumentError, Option } from 'commander';
import type { Network } from '../toolkit/access/network';
import { WorkbenchError } from '../toolkit/base/errors';

/** The ways in which the user's own wallet signs. */
const signingWays = ['link', 'qr', 'connect', 'boc'] as const;

/** How a message is signed, if not by a wallet of the local network. */
export interface SigningWay {
  kind: (typeof signingWays)[number];
  /** Of `boc`: the file with the signed message. */
  file?: string;
}

/** The options of commands that hand messages to the user's own wallet. */
export interface SigningOptions {
  sign?: SigningWay;
  /** The file that keeps the connection to a wallet. */
  session?: string;
  /** A wallet's name, or the URL of a test wallet's list. */
  wallet?: string;
  manifest?: string;
  /** False with `--no-wait`. */
  wait?: boolean;
}

/**
 * Adds `--sign`, `--session`, `--wallet`, `--manifest` and, for a command with one message, `--no-wait`.
 */
export function addSigningOptions(command: Command, { isOne = true } = {}): Command {
  const ways = command
    .addOption(
      new Option(
        '--sign <way>',
        'how your own wallet signs, on any network: link, qr, connect (TON Connect), or boc=FILE (signed already)',
      ).argParser(readWay),
    )
    .option('--session <file>', 'with --sign connect: keeps the connection to the wallet; mode 600')
    .option(
      '--wallet <name-or-url>',
      "with --sign connect: the wallet to connect, or the URL of a test wallet's list (default: any that takes the link)",
    )
    .option('--manifest <url>', 'with --sign connect: the public manifest for a wallet on another device');
  return isOne
    ? ways.option(
        '--no-wait',
        'with --sign link or qr: end once it is handed over; the same command later finds it',
      )
    : ways;
}

function readWay(text: string): SigningWay {
  const [kind = '', ...rest] = text.split('=');
  const way = signingWays.find((one) => one === kind);
  const file = rest.join('=');
  if (way === undefined || (way === 'boc') !== (file !== '')) {
    throw new InvalidArgumentError('Choose link, qr, connect, or boc=FILE.');
  }
  return way === 'boc' ? { kind: way, file } : { kind: way };
}

/** On a public network nothing is signed here: the ways are listed. */
export function signingWayMissingError({ name }: Pick<Network, 'name'>): WorkbenchError {
  return new WorkbenchError({
    code: 'signing-way-missing',
    kind: 'input',
    message: `Nothing was sent: ${name} is no local network, so your own wallet signs, and --sign says how.`,
    hint: 'Add --sign link, --sign qr, --sign connect --session FILE, or --sign boc=FILE. --dry-run only rehearses.',
  });
}
