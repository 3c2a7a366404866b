import path from 'node:path';
import type { Command } from 'commander';
import type * as z from 'zod';
import { networkOfLink } from '../toolkit/access/networkOfLink';
import type { NetworkChoice } from '../toolkit/access/resolveNetwork';
import type { Network } from '../toolkit/access/network';
import { readNetworkSettings } from '../toolkit/access/network';
import {
  configuredNetworks,
  isReservedName,
  networkAt,
  resolveNetwork,
} from '../toolkit/access/resolveNetwork';
import { friendlyWallet, readAddressForm, toFriendlyAddress } from '../toolkit/address/canonicalAddress';
import { WorkbenchError } from '../toolkit/base/errors';
import { isLoopbackHost } from '../toolkit/base/loopback';
import type { LocalAccount } from '../toolkit/accounts/localAccount';
import type { LocalnetStatus } from '../toolkit/localnet/control/localnetStatus';
import { findLocalNetwork, lastLocalNetwork } from '../toolkit/localnet/folder/localNetworkFile';
import { readUserText } from '../toolkit/base/readUserFile';
import { shellWord } from '../toolkit/base/text';
import { answerVersion, writeJsonLine, writeNote, writeText } from './output';
import type { Surroundings } from './surroundings';
import { perRun, surroundings } from './surroundings';

/**
 * The network for a name or URL. `local` is the one that the editor announces to its terminals (TON_LOCAL_V2,
 * TON_LOCAL_V3), else the folder's (`.ton/local.json`), running or crashed, else the one at the default address.
 * @throws WorkbenchError `network-unknown` (input)
 */
export function networkHere(
  nameOrUrl: string,
  { environment, folder }: Pick<Surroundings, 'environment' | 'folder'> = surroundings(),
): NetworkChoice {
  const choice = resolveNetwork(nameOrUrl, ownNetworksFor(nameOrUrl, { environment, folder }));
  if (choice.network !== configuredNetworks[0]) {
    return choice;
  }
  const { TON_LOCAL_V2: v2, TON_LOCAL_V3: v3 } = environment;
  const urls = v2 || v3 ? { v2, v3 } : (findLocalNetwork(folder) ?? lastLocalNetwork(folder));
  const first = urls?.v2 || urls?.v3;
  if (urls === undefined || !first) {
    return choice;
  }
  const { network } = resolveNetwork(first);
  return { network: { ...network, name: 'Local', v2: urls.v2 || network.v2, v3: urls.v3 || network.v3 } };
}

/**
 * All networks with a name, the user's own last.
 * @throws WorkbenchError `network-unknown` (input) if the user's own cannot be read
 */
export function namedNetworks(): Network[] {
  return [...configuredNetworks, ...ownNetworks(surroundings())];
}

/**
 * The user's own networks, if what is looked for may be one of their names: a mistake in them costs only these names.
 * @throws WorkbenchError `network-unknown` (input) if they cannot be read
 */
export function ownNetworksFor(
  nameOrUrl: string,
  place: Pick<Surroundings, 'environment' | 'folder'> = surroundings(),
): Network[] {
  return isReservedName(nameOrUrl) || isLink(nameOrUrl) ? [] : ownNetworks(place);
}

function isLink(text: string): boolean {
  return networkOfLink(text, []) !== undefined;
}

/**
 * Those of the variable TON_NETWORKS, which has the value of the setting `tonWorkbench.networks` or names a file with it.
 * The editor sets it in its terminals.
 */
function ownNetworks({ environment, folder }: Pick<Surroundings, 'environment' | 'folder'>): Network[] {
  const given = environment.TON_NETWORKS?.trim();
  if (!given) {
    return [];
  }
  let value: unknown;
  try {
    // No argument of a command: the file need not be below the root.
    const file = path.isAbsolute(given) ? given : path.join(folder, given);
    const text = given.startsWith('[') ? given : readUserText(file, 'localNetworkFile');
    value = JSON.parse(text);
  } catch (cause) {
    throw ownNetworksError('It is neither a list of networks nor a file with one', cause);
  }
  const { networks, problems } = readNetworkSettings(value, [...configuredNetworks.map(({ name }) => name)]);
  if (!Array.isArray(value) || problems[0] !== undefined) {
    throw ownNetworksError(problems[0]?.replace('tonWorkbench.networks', 'the list') ?? 'It is no list');
  }
  return networks;
}

function ownNetworksError(reason: string, cause?: unknown): WorkbenchError {
  return new WorkbenchError({
    code: 'network-unknown',
    kind: 'input',
    message: `The variable TON_NETWORKS cannot be used. ${reason.replace(/\.$/, '')}.`,
    hint: 'Set it to a JSON list such as [{"name": "teststand", "kind": "test", "v2": "http://…/api/v2", "v3": "http://…/api/v3"}], or to a file with one.',
    cause,
  });
}

/**
 * Lets a word of a command, or its `--address`, be a link: the command asks the network that the link names, unless
 * `--network` names another.
 * @param at the word's place
 */
export function takesLinks(command: Command, at = 0): Command {
  return command.hook('preAction', (_, action) => {
    const { address } = action.opts<{ address?: string }>();
    const link = [action.args[at], address].find((text) => text !== undefined && isLink(text));
    const linked = link === undefined ? undefined : networkOfLink(link, namedHere());
    if (linked === undefined) {
      return;
    }
    const { host, origin } = linked;
    // A key is never sent to a host only because a link names it: on this machine, none is.
    const network =
      linked.network ?? (isLoopbackHost(new URL(origin).hostname) ? networkAt(origin, origin) : undefined);
    const isChosen = action.getOptionValueSource('network') !== 'default';
    const asked = networkHere(action.opts<{ network: string }>().network).network;
    if (network === undefined) {
      const how = isChosen ? '' : ' Choose another with --network.';
      writeNote(`${host} does not say which network it shows: asking ${asked.name}.${how}`);
    } else if (!isChosen) {
      action.setOptionValueWithSource('network', network.name, 'implied');
    } else if (network.name !== asked.name) {
      writeNote(`The link belongs to ${network.name}: asking ${asked.name}, as --network says.`);
    }
  });
}

const running = perRun<{ command?: Command }>(() => ({}));

/** Notes the command that runs, for {@link networkWords}. */
export function notesNetwork(command: Command): Command {
  return command.hook('preAction', (_, action) => {
    running().command = action;
  });
}

/** ` -n NAME` for a command that is suggested, if the one that runs was told a network. */
export function networkWords(): string {
  const { command } = running();
  const source = command?.getOptionValueSource('network');
  const network = command?.opts<{ network?: string }>().network;
  return network === undefined || source === undefined || source === 'default'
    ? ''
    : ` -n ${/^[\w./:@-]+$/.test(network) ? network : shellWord(network)}`;
}

/** The networks with a name, the local one as it is here. */
function namedHere(): Network[] {
  return namedNetworks().map((one) => (isReservedName(one.name) ? networkHere(one.name).network : one));
}

/**
 * As {@link networkHere}, with the control API of the local network.
 * @throws WorkbenchError `network-unknown` (input) if it is none
 */
export async function localNetworkHere(nameOrUrl: string): Promise<{ network: Network; control: string }> {
  const { localControlOf } = await import('../toolkit/localnet/controlOf');
  const { network } = networkHere(nameOrUrl);
  const control = localControlOf(network);
  if (control === undefined) {
    throw new WorkbenchError({
      code: 'network-unknown',
      kind: 'input',
      message: `${network.name} is not a local network.`,
      hint: 'Leave --network out, or give the URL of a local network.',
    });
  }
  return { network, control };
}

interface StatusOptions {
  network: string;
  json?: true;
}

/** `localnet status`: shows the folder's running local network. */
export function registerLocalnetStatusCommand(localnet: Command): void {
  const command = localnet
    .command('status')
    .summary('show the running local network of this folder')
    .description(
      'Shows the URLs of the local network of this folder, its newest block, and its named accounts. The editor ' +
        'puts the URLs into TON_LOCAL_V2 and TON_LOCAL_V3 in its terminals; it and ton-workbench localnet write them into ' +
        '.ton/local.json in the folder.',
    )
    .option('-n, --network <network>', 'another local network, by its URL', 'local');
  addJsonOptions(
    command,
    'print one JSON line',
    async () => (await import('./networkAnswers')).localnetStatusSchema,
  ).action(async () => {
    // Options that `localnet` has too, such as --json, end up there if they come first.
    await showStatus(command.optsWithGlobals<StatusOptions>());
  });
}

async function showStatus({ network: name, json }: StatusOptions): Promise<void> {
  const { callControl } = await import('../toolkit/localnet/callControl');
  const { network, control } = await localNetworkHere(name);
  let status: LocalnetStatus;
  let accounts: readonly LocalAccount[];
  try {
    status = await callControl(control, 'status', {});
    accounts = await callControl(control, 'accounts', {});
  } catch (error) {
    if (!WorkbenchError.is(error, 'localnet-unreachable')) {
      throw error;
    }
    throw new WorkbenchError({
      code: 'localnet-unreachable',
      kind: 'network',
      message: `No local network answers at ${new URL(control).origin}.`,
      hint: 'Start it in the editor (TON: Start Local Network), or with: ton-workbench localnet.',
      cause: error,
    });
  }
  const { v2, v3 } = network;
  const names = Object.entries(status.names ?? {}).map(([address, contract]) => ({
    name: contract,
    address,
  }));
  const { seqno, transactions, ahead, fork } = status;
  if (json === true) {
    const { localnetStatusAnswer } = await import('./networkAnswers');
    writeJsonLine(localnetStatusAnswer(network, status, accounts));
    return;
  }
  const rows = [
    ...names.map(({ name: contract, address }) => ({
      ...{ name: contract, kind: 'contract' },
      address: toFriendlyAddress(readAddressForm(address), { bounceable: true, testOnly: false }),
    })),
    ...accounts.map(({ name: wallet, address, kind }) => ({
      ...{ name: wallet, kind: `wallet ${kind}`, address: friendlyWallet(address) },
    })),
  ];
  const [nameWidth, kindWidth] = [
    Math.max(0, ...rows.map((row) => row.name.length)),
    Math.max(0, ...rows.map((row) => row.kind.length)),
  ];
  writeText(
    [
      `The local network is running${fork === undefined ? '' : `, a fork of ${fork.network} at block ${fork.seqno}`}: ` +
        `block ${seqno}, ${transactions} transactions${ahead === 0 ? '' : `, its clock ${ahead} s ahead`}.`,
      `  v2  ${v2}`,
      `  v3  ${v3}`,
      '',
      ...rows.map((row) => `  ${row.name.padEnd(nameWidth)}  ${row.kind.padEnd(kindWidth)}  ${row.address}`),
    ].join('\n'),
  );
}

/** Loads the schema of what a command prints with `--json`: each line is one such document. */
type AnswerSchema = () => Promise<z.ZodType>;

const schemas = new WeakMap<Command, AnswerSchema>();

/**
 * Adds `--json`, and `--json-schema`, which is answered before anything else of the line is read.
 *
 * @param words what `--json` prints
 */
export function addJsonOptions(command: Command, words: string, schema: AnswerSchema): Command {
  schemas.set(command, schema);
  return command.option('--json', words).option('--json-schema', 'print the JSON Schema of that output');
}

/** What `replay`, `profile`, and `debug` run again. */
export const replayedWords =
  'a transaction or message (hash), an account (its last transaction), a saved replay, or a record of a test ' +
  '(FILE.tontests#12, FILE.tontests#NAME)';

/** Adds `--source`, for the lines of `replay`, `profile`, `coverage`, and `debug`. */
export function addSourceOption(command: Command): Command {
  return command.option(
    '--source <file>',
    'the source of the code; FunC and Tact are compiled only if named',
  );
}

/** The schema of the command that a line names, with the version; undefined if it names none that prints JSON. */
export function answerSchemaOf(program: Command, args: readonly string[]): AnswerSchema | undefined {
  let command = program;
  for (const arg of args) {
    const next = command.commands.find((one) => one.name() === arg);
    if (next === undefined) {
      break;
    }
    command = next;
  }
  const schema = schemas.get(command);
  return schema && (async () => withVersion(await import('zod'), await schema()));
}

/** As writeJsonLine writes it: each document that is an object begins with the version. */
function withVersion(zod: typeof z, schema: z.ZodType): z.ZodType {
  const meta = schema.meta() ?? {};
  if (schema instanceof zod.ZodUnion) {
    return zod.union(schema.options.map((option) => withVersion(zod, option as z.ZodType))).meta(meta);
  }
  return schema instanceof zod.ZodObject
    ? zod.strictObject({ version: zod.literal(answerVersion), ...schema.shape }).meta(meta)
    : schema;
}

/** Answers `--json-schema`. False if the line does not ask for it. */
export async function printJsonSchema(program: Command, args: readonly string[]): Promise<boolean> {
  const schema = args.includes('--json-schema') ? answerSchemaOf(program, args) : undefined;
  if (schema === undefined) {
    return false;
  }
  const [{ toJSONSchema }, { writePrettyJson }] = await Promise.all([import('zod'), import('./output')]);
  writePrettyJson(toJSONSchema(await schema()));
  return true;
}
