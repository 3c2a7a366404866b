import type { AccountRow } from '../../commandTargets';
import type { ContractRef } from '../../toolkit/contracts/abi/projectContract';
import type { ContractDescription } from '../../toolkit/contracts/abi/contractDescription';
import type { Access } from '../../toolkit/access/createAccess';
import type { AccountsByName } from '../../toolkit/address/resolveAccount';
import { domainsIn, isDomain, resolveAccount } from '../../toolkit/address/resolveAccount';
import { shortAddress } from '../../toolkit/address/shortAddress';
import type { ComposeLineOptions } from '../../toolkit/send/parseComposeLine';
import type { ComposedMessage } from '../../toolkit/send/prepareComposed';
import type { FormAction } from '../../toolkit/send/fieldForm';
import type { Message } from '../../toolkit/contracts/layouts/messagesOfContract';
import type { LocalAccount } from '../../toolkit/accounts/localAccount';
import type { SendableMessage } from '../../toolkit/send/sendableMessage';
import { systemClock } from '../../toolkit/base/time';
import { formatCoins } from '../../toolkit/trace/figures';
import { itemAddress } from '../project/itemAddress';
import { accountName, accountToType, accountsByName } from '../project/accountName';
import { domainLookUp } from '../project/domainLookUp';
import type { StructQuestions } from '../project/structQuestions';
import { structQuestions } from '../project/structQuestions';
import { findInstances } from '../project/findInstances';
import { codeLookUp, compiledCodes } from '../project/codeLookUp';
import { methodsOf } from '../project/methodsOf';
import { coinLabel } from '../ui/readWorkspaceFile';
import { withProgress } from '../ui/withProgress';
import { askComposedLine } from './askComposedLine';
import type { ComposeAsking } from './composeAsking';
import { deliverMessage, rehearseOnly } from './deliverMessage';
import type { SendServices } from './showRehearsal';

/** What is done with a composed message. */
export interface MessageUse {
  /** `Send`, for titles. */
  verb: string;
  action: FormAction;
  /** Sends it, or does something else with it. */
  deliver: typeof deliverMessage;
}

/** A message is sent. */
export const sendUse: MessageUse = {
  verb: 'Send',
  action: { label: 'Rehearse and Send', icon: 'play' },
  deliver: deliverMessage,
};

const recentKey = 'composedLines';
const recentLimit = 10;

/**
 * TON: Compose Message…: an internal message, step by step or as one line. On the local network, one of its wallets signs
 * it, or it is sent in a contract's name; elsewhere the user's own wallet signs it. Rehearsed first, like any message.
 *
 * @param given a line to send, or the row of the recipient; asked for when absent
 * @param as raw address of the contract in whose name to send; asked for when absent
 */
export async function composeCommand(
  services: SendServices,
  given: string | AccountRow | undefined,
  { as }: { as?: string | undefined } = {},
): Promise<void> {
  const composing = await startComposing(services);
  const sender = as === undefined ? undefined : `as ${accountToType(services)(as) ?? as}`;
  const address = typeof given === 'string' ? undefined : itemAddress(given);
  const line =
    typeof given === 'string'
      ? given
      : await askLine(services, composing, { destination: nameOr(services, address), sender });
  if (line !== undefined) {
    await deliverLine(services, composing, line);
  }
}

/**
 * Sends a workspace contract's message to an instance on the current network: asks for its fields, the amount, and
 * the sender in one form.
 *
 * @param address raw
 */
export async function composeNamedMessage(
  services: SendServices,
  message: Message,
  address: string,
  use: MessageUse,
): Promise<void> {
  const composing = await startComposing(services);
  const destination = nameOr(services, address);
  const line = await askLine(
    services,
    composing,
    { destination, called: calledAt(services, address), message },
    use,
  );
  if (line !== undefined) {
    await deliverLine(services, composing, line, use.deliver);
  }
}

/** What composing any message needs. */
export interface Composing {
  access: Access;
  /** The wallets of the local network; none where the user's own wallet signs. */
  wallets: readonly LocalAccount[];
  options: ComposeLineOptions;
  read: (line: string) => ComposedMessage;
}

/** The sender's name in a line for the user's own wallet, whatever it is called. */
const ownWallet = 'wallet';

/** @param deploys the contract of the project that a message to `new` deploys */
export async function startComposing(
  services: SendServices,
  network = services.networks.current(),
  deploys?: ContractRef,
): Promise<Composing> {
  const [{ parseComposeLine }, { projectLayouts }] = await Promise.all([
    import('../../toolkit/send/parseComposeLine'),
    import('../../toolkit/contracts/layouts/projectLayouts'),
  ]);
  const access = await withProgress('Connecting', (signal) => services.connections.open(network, signal));
  const isLocal = network.kind === 'local';
  const wallets = isLocal ? (await services.localNetwork.ensureRunning()).accounts : [];
  const instances = new Map(
    (await findInstances(services, network)).map((instance) => [instance.address, instance]),
  );
  const options: ComposeLineOptions = {
    // Read anew for each text: a domain in it may have been looked up in the meantime.
    get accounts() {
      return accountsByName(services, network);
    },
    deploys,
    wallets: isLocal ? wallets.map(({ name }) => name) : [ownWallet],
    layouts: await projectLayouts(await services.project.list()),
    codes: compiledCodes(services),
    contractAt: (address) => {
      const { name, file } = instances.get(address) ?? {};
      return name === undefined ? undefined : { name, file };
    },
  };
  return { access, wallets, options, read: (line) => parseComposeLine(line, options) };
}

function nameOr(services: SendServices, address: string | undefined): string | undefined {
  return address === undefined ? undefined : (accountToType(services)(address) ?? address);
}

/** `jettonWallet EQBI1r…ww11`: a name that others have, too, stands with its address. */
function calledAt(services: SendServices, address: string): string {
  const name = accountName(services)(address);
  const isOne = accountToType(services)(address) !== undefined;
  return [...(name === undefined ? [] : [name]), ...(isOne ? [] : [shortAddress(address)])].join(' ');
}

/**
 * Asks for a message; nothing is sent.
 * @returns its line, undefined if the user canceled
 */
export async function askLine(
  services: SendServices,
  composing: Composing,
  known: Pick<ComposeAsking, 'destination' | 'called' | 'sender' | 'message' | 'deploys'>,
  { verb, action }: Pick<MessageUse, 'verb' | 'action'> = sendUse,
): Promise<string | undefined> {
  const { access, options, read } = composing;
  const { messagesOfContract, messageWord } =
    await import('../../toolkit/contracts/layouts/messagesOfContract');
  const { workspaceState } = services.context;
  const layouts = options.layouts ?? [];
  let last: StructQuestions | undefined;
  const balances = new SenderBalances(services, access, composing.wallets);
  const line = await askComposedLine(services, {
    ...(access.network.kind === 'local' ? {} : { sender: `from ${ownWallet}` }),
    ...known,
    ...{ read, options, verb, action, word: messageWord },
    noteOf: (name) => balances.text(name),
    rehearse: async (text, signal) => {
      await balances.read(signal);
      const message = await prepareLine(services, composing, text, signal);
      return rehearseOnly(services, access, message, signal, known.deploys?.names);
    },
    recent: workspaceState.get<string[]>(recentKey, []),
    lookUp: codeLookUp(services, domainLookUp(services)),
    messagesOf: async (destination) => {
      const { name, file } = (await contractAt(services, access, destination)) ?? {};
      return name === undefined ? [] : messagesOfContract(layouts, { name, file });
    },
    fieldsOf: async (message) => {
      const key = `${message.set.contract ?? message.set.origin}.${message.layout.name}`;
      last = await structQuestions(services, { ...message, key, network: access.network });
      return last.fields;
    },
  });
  if (line !== undefined) {
    await last?.remember();
  }
  return line;
}

/** The workspace contract with the code of an account. */
async function contractAt(
  services: SendServices,
  { network }: Access,
  destination: string,
): Promise<ContractDescription | undefined> {
  try {
    const address = resolveAccount(destination, accountsByName(services));
    return await methodsOf(services, network, address);
  } catch (error) {
    services.log.debug(`messages of ${destination}: ${String(error)}`);
    return undefined;
  }
}

async function deliverLine(
  services: SendServices,
  composing: Composing,
  line: string,
  deliver: MessageUse['deliver'] = deliverMessage,
): Promise<void> {
  const { access, read } = composing;
  const { printComposeLine } = await import('../../toolkit/send/printComposeLine');
  await codeLookUp(services, domainLookUp(services)).begin(line);
  const composed = read(line);
  // A message given by name keeps its name; everything else that was left to defaults is written out.
  const printed =
    composed.messageName !== undefined
      ? withoutDomains(line.trim(), accountsByName(services)).replace(` from ${ownWallet}`, '')
      : printComposeLine(composed, { name: (raw) => nameThatStays(accountToType(services)(raw)) });
  const { workspaceState } = services.context;
  const recent = workspaceState.get<string[]>(recentKey, []);
  await workspaceState.update(
    recentKey,
    [printed, ...recent.filter((one) => one !== printed)].slice(0, recentLimit),
  );
  const message = await withProgress('Composing the message', (signal) =>
    prepareLine(services, composing, line, signal),
  );
  await deliver(services, access, message);
}

/** The message of a line, ready to be rehearsed or sent. */
export async function prepareLine(
  services: SendServices,
  { access, wallets, read }: Composing,
  line: string,
  signal: AbortSignal,
): Promise<SendableMessage> {
  await codeLookUp(services, domainLookUp(services)).begin(line);
  const composed = read(line);
  if (access.network.kind === 'local') {
    const { prepareComposed } = await import('../../toolkit/send/prepareComposed');
    return prepareComposed(access, composed, wallets, signal);
  }
  const [{ composedRequest }, { requestedMessage }, { parseAddressInput }] = await Promise.all([
    import('../../toolkit/workflows/composedRequest'),
    import('../../toolkit/send/messageRequest'),
    import('../../toolkit/address/parseAddressInput'),
  ]);
  const request = await composedRequest(access, composed, systemClock.now(), signal);
  const wallet = services.wallets.known(access.network.name);
  return requestedMessage(request, wallet && parseAddressInput(wallet.address));
}

/** A domain can later name another account, so remembered lines have the address instead. */
function nameThatStays(name: string | undefined): string | undefined {
  return name === undefined || isDomain(name) ? undefined : name;
}

function withoutDomains(line: string, accounts: AccountsByName): string {
  return domainsIn(line).reduce(
    (text, domain) => text.replaceAll(domain, accounts.get(domain) ?? domain),
    line,
  );
}

/** The balances of the wallets that can sign, for the form of a message. */
class SenderBalances {
  readonly #balances = new Map<string, string>();

  constructor(
    private readonly services: SendServices,
    private readonly access: Access,
    private readonly wallets: readonly LocalAccount[],
  ) {}

  /** `999 999 TON`; undefined if it was not read yet. */
  text(name: string): string | undefined {
    const wallet = this.wallets.find((one) => one.name === name);
    return wallet && this.#balances.get(wallet.address);
  }

  /** Reads them anew. Nothing depends on them, so a failure is only noted. */
  async read(signal: AbortSignal): Promise<void> {
    const address = this.wallets.map((wallet) => wallet.address);
    try {
      const answer = await this.access.v3.accountStates({ address, include_boc: false }, { signal });
      for (const row of answer.accounts ?? []) {
        if (row.address != null) {
          this.#balances.set(row.address, `${formatCoins(row.balance ?? 0n)} ${coinLabel()}`);
        }
      }
    } catch (error) {
      this.services.log.debug(`balances of the wallets: ${String(error)}`);
    }
  }
}
