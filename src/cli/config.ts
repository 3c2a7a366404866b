import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import type { Network } from '../toolkit/access/network';
import type {
  NetworkParameter,
  NetworkParameters,
  ParameterDifference,
} from '../toolkit/cell/structures/networkParameters';
import { WorkbenchError } from '../toolkit/base/errors';
import { visibleText } from '../toolkit/base/text';
import { parseSeqno } from './localnet';
import type { NetworkOptions } from './networkOptions';
import { addNetworkOptions, openAccess } from './networkOptions';
import { addJsonOptions, networkHere } from './networkHere';
import { usageError, writeJsonLine, writeText } from './output';
import { stopSignal } from './runTests';

interface ConfigOptions extends NetworkOptions {
  param?: number;
  seqno?: number;
  against?: string;
  json?: true;
}

/** A configuration, and where it is from. */
interface ConfigOf extends NetworkParameters {
  network: Network;
  seqno: number | undefined;
}

/** Lines of one parameter, and values of one difference, where several are shown. */
const mostLines = 40;

/** Lines of the only parameter that is shown: more than any real one has. */
const mostOfOne = 50_000;

/** `config`: a network's configuration parameters in words, and what differs from another network or block. */
export function registerConfigCommand(program: Command): void {
  const command = program
    .command('config')
    .summary("show a network's configuration, or how two differ")
    .description(
      "Shows the parameters of a network's configuration (block.tlb) as fields, with what each decides; with --against " +
        'what differs (API v2).',
    )
    .option('--param <number>', 'only this parameter, complete', parseParameter)
    .option('--seqno <seqno>', 'as of this masterchain block (default: the newest)', parseSeqno)
    .option(
      '--against <network>',
      'show what differs on another network, or as of this seqno if it is a number',
    );
  addJsonOptions(
    command,
    'print one JSON line',
    async () => (await import('./configAnswers')).configAnswerSchema,
  );
  addNetworkOptions(command).action(async (options: ConfigOptions) => {
    await showConfig(options);
  });
}

async function showConfig(options: ConfigOptions): Promise<void> {
  const { network } = networkHere(options.network);
  const left = await configOf(network, options.seqno, options, network);
  if (options.against === undefined) {
    await printConfig(left, options);
    return;
  }
  const isSeqno = /^\d+$/.test(options.against.trim());
  const right = isSeqno
    ? await configOf(network, readSeqno(options.against), options, network)
    : await configOf(networkHere(options.against).network, undefined, options, network);
  await printDifferences(left, right, options);
}

async function configOf(
  network: Network,
  seqno: number | undefined,
  options: ConfigOptions,
  chosen: Network,
): Promise<ConfigOf> {
  const { readNetworkConfig } = await import('../toolkit/accounts/readNetworkConfig');
  const access = await openAccess(network, options, chosen);
  return { ...(await readNetworkConfig(access, seqno, stopSignal())), network, seqno };
}

async function printConfig(config: ConfigOf, { param, json }: ConfigOptions): Promise<void> {
  const shown = config.parameters.filter(({ id }) => param === undefined || id === param);
  if (shown.length === 0) {
    throw parameterMissingError(config, param);
  }
  if (json === true) {
    const { configAnswer } = await import('./configAnswers');
    writeJsonLine(configAnswer(config, shown));
    return;
  }
  const { structureFieldLines } = await import('../toolkit/cell/structures/structureText');
  const bounds = param === undefined ? { most: mostLines } : { most: mostOfOne, entries: mostOfOne };
  const address = await addressWords(config.network);
  writeText(
    [
      `Configuration of ${placeText(config)}`,
      ...shown.flatMap((one) => [
        '',
        headline(one),
        ...structureFieldLines(config.read, one.field, { address, ...bounds })
          .filter((line) => line.trim() !== '')
          .map((line) => `  ${line}`),
      ]),
      ...problemLines(config, shown),
    ].join('\n'),
  );
}

/** `20  Masterchain gas: Prices and limits of gas in the masterchain.` */
function headline({ id, known }: Pick<NetworkParameter, 'id' | 'known'>): string {
  return known === undefined
    ? `${id}  unknown: block.tlb does not describe this parameter`
    : `${id}  ${known.title}: ${known.meaning}`;
}

function problemLines({ read }: ConfigOf, shown: readonly NetworkParameter[]): string[] {
  const cells = new Set(shown.map(({ field }) => field.place.at));
  return read.problems
    .filter(({ place }) => {
      for (let at: typeof place.at | undefined = place.at; at !== undefined; at = at.parent) {
        if (cells.has(at)) {
          return true;
        }
      }
      return cells.size === 0;
    })
    .slice(0, 20)
    .map(({ place, reason }) => `✗ cell #${place.at.cell}, bit ${place.from}: ${reason}`);
}

async function printDifferences(left: ConfigOf, right: ConfigOf, options: ConfigOptions): Promise<void> {
  const { compareParameters } = await import('../toolkit/cell/structures/networkParameters');
  const { param, json } = options;
  if (
    param !== undefined &&
    ![left, right].some(({ parameters }) => parameters.some(({ id }) => id === param))
  ) {
    throw parameterMissingError(left, param);
  }
  const differences = compareParameters(left, right).filter(({ id }) => param === undefined || id === param);
  if (json === true) {
    const { configDifferenceAnswer } = await import('./configAnswers');
    writeJsonLine(configDifferenceAnswer(left, right, differences));
    return;
  }
  const [from, to] = [placeText(left), placeText(right)];
  const most = param === undefined ? mostLines : Infinity;
  const what = param === undefined ? 'The configurations' : `Parameter ${param}`;
  writeText(
    differences.length === 0
      ? `${what} of ${from} and ${to}: no difference.`
      : [`From ${from} to ${to}`, ...differences.flatMap((one) => differenceLines(one, to, most))].join('\n'),
  );
}

function differenceLines(difference: ParameterDifference, to: string, most: number): string[] {
  const { change, fields } = difference;
  const more = fields.length - most;
  return [
    '',
    headline(difference),
    ...(change === 'changed' ? [] : [`  ${change === 'added' ? 'only' : 'not'} in ${to}`]),
    ...(change === 'changed' && fields.length === 0
      ? ['  the cells differ, but no value that is shown']
      : []),
    ...fields
      .slice(0, most)
      .map(({ path, left, right }) => `  ${path}  ${left ?? 'not there'} → ${right ?? 'not there'}`),
    ...(more > 0 ? [`  … and ${more} more; --param ${difference.id} shows all`] : []),
  ];
}

function placeText({ network, seqno }: ConfigOf): string {
  return `${visibleText(network.name)}${seqno === undefined ? '' : ` as of block ${seqno}`}`;
}

async function addressWords({ kind }: Network): Promise<(raw: string) => string> {
  const { readAddressForm, toFriendlyAddress } = await import('../toolkit/address/canonicalAddress');
  return (raw) => toFriendlyAddress(readAddressForm(raw), { bounceable: true, testOnly: kind === 'testnet' });
}

function parseParameter(text: string): number {
  const value = Number(text);
  if (!/^\s*-?\d+$/.test(text) || value < -(2 ** 31) || value >= 2 ** 31) {
    throw new InvalidArgumentError('A parameter has a whole number, such as 20.');
  }
  return value;
}

/** @throws WorkbenchError `usage` (input) */
function readSeqno(text: string): number {
  try {
    return parseSeqno(text);
  } catch {
    throw usageError(`--against ${text} is neither a network nor a masterchain seqno.`);
  }
}

function parameterMissingError(config: ConfigOf, param: number | undefined): WorkbenchError {
  const ids = config.parameters.map(({ id }) => id).join(', ');
  return new WorkbenchError({
    code: 'config-parameter-missing',
    kind: 'input',
    message: `The configuration of ${placeText(config)} has no parameter ${param ?? ''}.`,
    hint: `It has ${ids}.`,
  });
}
