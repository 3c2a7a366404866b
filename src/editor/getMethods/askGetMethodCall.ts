import type { GetMethodCall } from '../../contributions';
import { WorkbenchError } from '../../toolkit/errors';
import type { parseAddressInput } from '../../toolkit/access/address';
import type { parseStackText } from '../../toolkit/stack/parseStackText';
import type { Services } from '../services';
import { askText } from '../ui/askText';
import { back } from '../ui/back';
import type { Back } from '../ui/back';
import { pickOrType } from '../ui/pickOrType';
import type { Suggestion } from '../ui/pickOrType';
import { shortAddress } from '../ui/shortAddress';
import { accountName, accountsByName, knownAccounts } from './knownAccounts';
import { readMethodName } from './readMethodName';
import type { CompleteCall, RecentCalls } from './recentCalls';

type Answer = string | Back | undefined;
const totalSteps = 3;

/** Methods that many contracts have; offered below the recent ones. */
const commonMethods: readonly [name: string, meaning: string][] = [
  ['seqno', 'wallets: the next sequence number'],
  ['get_public_key', 'wallets: the key that signs'],
  ['get_jetton_data', 'jetton minter (TEP-74): supply, admin, content'],
  ['get_wallet_address', "jetton minter (TEP-74): an owner's jetton wallet; takes an address"],
  ['get_wallet_data', 'jetton wallet (TEP-74): balance, owner, minter'],
  ['get_nft_data', 'NFT item (TEP-62): index, collection, owner'],
  ['get_collection_data', 'NFT collection (TEP-62): next index, content, owner'],
];

/**
 * Asks for what a call lacks, in three steps with a way back: address, method, stack.
 * @returns the complete call, or undefined when the user left.
 */
export async function askGetMethodCall(
  services: Services,
  recent: RecentCalls,
  given: GetMethodCall,
): Promise<CompleteCall | undefined> {
  const network = services.networks.current().name;
  const call: GetMethodCall = { ...given };
  // Before the first question: nothing may stand between two steps while the user types.
  const readers: Readers = {
    ...(await import('../../toolkit/access/address')),
    ...(await import('../../toolkit/stack/parseStackText')),
  };
  let step = 1;
  while (step <= totalSteps) {
    const answer = await askStep({ services, recent, network, readers }, call, given, step);
    if (answer === undefined) {
      return undefined;
    }
    step += answer === back ? -1 : 1;
  }
  return { address: call.address ?? '', method: call.method ?? '', stack: call.stack ?? '' };
}

interface Readers {
  parseAddressInput: typeof parseAddressInput;
  parseStackText: typeof parseStackText;
}

/** What every step needs. */
interface Asking {
  services: Services;
  recent: RecentCalls;
  network: string;
  readers: Readers;
}

async function askStep(
  asking: Asking,
  call: GetMethodCall,
  given: GetMethodCall,
  step: number,
): Promise<'next' | Back | undefined> {
  if (step === 1) {
    const answer = given.address ?? (await askAddress(asking, call.address));
    call.address = answer;
    return answer === undefined ? undefined : 'next';
  }
  if (step === 2) {
    const answer = given.method ?? (await askMethod(asking, call));
    call.method = answer === back ? call.method : answer;
    return answer === back ? backTo(given.address) : answer === undefined ? undefined : 'next';
  }
  const answer = given.stack ?? (await askStack(asking, call));
  call.stack = answer === back ? call.stack : answer;
  return answer === back ? backTo(given.method) : answer === undefined ? undefined : 'next';
}

/** A step that was given beforehand cannot be gone back to: leaving is the honest thing. */
function backTo(givenBefore: string | undefined): Back | undefined {
  return givenBefore === undefined ? back : undefined;
}

async function askAddress(
  { services, recent, network, readers }: Asking,
  value: string | undefined,
): Promise<string | undefined> {
  const names = accountName(services);
  const accounts = accountsByName(services);
  const suggestions: Suggestion[] = [
    ...recent.addresses(network).map((address) => ({
      value: address,
      label: names(address) ?? shortAddress(address),
      description: address,
      icon: 'history',
    })),
    ...knownAccounts(services).map((account) => ({
      value: account.name,
      label: account.name,
      description: account.kind,
      detail: account.address,
      icon: 'account',
    })),
  ];
  const answer = await pickOrType({
    title: `TON: Run Get-Method on ${network}`,
    placeholder: 'Address of the contract (any form), or the name of an account',
    step: 1,
    totalSteps,
    ...(value === undefined ? {} : { value }),
    suggestions: withGroups(suggestions, recent.addresses(network).length, 'recent', 'accounts'),
    read: (text) => {
      const named = accounts.get(text.replace(/^@/, ''));
      if (named !== undefined) {
        return { ok: true, label: text, description: named };
      }
      try {
        const raw = readers.parseAddressInput(text).toRawString();
        return { ok: true, label: names(raw) ?? shortAddress(text), description: raw };
      } catch (error) {
        return { ok: false, reason: unknownName(text, [...accounts.keys()]) ?? reasonOf(error) };
      }
    },
  });
  return answer === back ? undefined : answer;
}

function askMethod({ recent, network }: Asking, call: GetMethodCall): Promise<Answer> {
  const used = recent.methods(network, call.address ?? '');
  const common = commonMethods.filter(([name]) => !used.includes(name));
  const suggestions: Suggestion[] = [
    ...used.map((method) => ({ value: method, label: method, icon: 'history' })),
    ...common.map(([name, meaning]) => ({ value: name, label: name, description: meaning })),
  ];
  return pickOrType({
    title: `TON: Run Get-Method on ${shortAddress(call.address ?? '')}`,
    placeholder: 'Name of the get-method',
    step: 2,
    totalSteps,
    ...(call.method === undefined ? {} : { value: call.method }),
    suggestions: withGroups(suggestions, used.length, 'recent', 'common'),
    read: (text) => {
      const reading = readMethodName(text);
      return reading.ok ? { ok: true, label: text } : reading;
    },
  });
}

function askStack({ services, recent, network, readers }: Asking, call: GetMethodCall): Promise<Answer> {
  const accounts = accountsByName(services);
  const before = recent.stack(network, call.address ?? '', call.method ?? '');
  return askText({
    title: `TON: Arguments of ${call.method ?? ''}`,
    prompt:
      'One value per argument, empty for none: 42  1.5ton  addr EQ…  cell te6cc…  str "text"  [1, 2]  @name',
    placeholder: 'Empty for a method without arguments',
    step: 3,
    totalSteps,
    ...(call.stack === undefined && before === undefined ? {} : { value: call.stack ?? before ?? '' }),
    validate: (text) => {
      try {
        readers.parseStackText(text, { accounts });
        return undefined;
      } catch (error) {
        return reasonOf(error);
      }
    },
  });
}

/** What reads like a name is told from what reads like a damaged address. */
function unknownName(text: string, known: readonly string[]): string | undefined {
  if (!/^@?[a-z][\w-]{0,23}$/i.test(text)) {
    return undefined;
  }
  const names = known.length === 0 ? '' : ` Known here: ${known.slice(0, 10).join(', ')}.`;
  return `No account is called "${text.replace(/^@/, '')}".${names}`;
}

/** Message and place of an input error, as a validation message shows it. */
function reasonOf(error: unknown): string {
  if (!WorkbenchError.is(error)) {
    return String(error);
  }
  const { offset } = error.details;
  const place = typeof offset === 'number' ? `Position ${offset + 1}: ` : '';
  return place + error.message + (error.hint === undefined ? '' : ` ${error.hint}`);
}

function withGroups(suggestions: Suggestion[], split: number, first: string, second: string): Suggestion[] {
  return suggestions.map((suggestion, index) => {
    if (index === 0 && split > 0) {
      return { ...suggestion, group: first };
    }
    return index === split ? { ...suggestion, group: second } : suggestion;
  });
}
