import type { ContractDescription, ContractMethod } from '../../toolkit/abi/describeContract';
import type { Back } from '../ui/back';
import { pickOrType } from '../ui/pickOrType';
import type { Suggestion } from '../ui/pickOrType';
import { methodNameProblem } from '../../toolkit/getMethods/methodNameProblem';
import type { RecentCalls } from './recentCalls';
import { withGroups } from './withGroups';
import { shortAddress } from '../../toolkit/address/shortAddress';

/** Methods of many contracts; offered if the contract's own are unknown. */
const commonMethods: readonly [name: string, meaning: string][] = [
  ['seqno', 'wallets: the next sequence number'],
  ['get_public_key', 'wallets: the key that signs'],
  ['get_jetton_data', 'jetton minter (TEP-74): supply, admin, content'],
  ['get_wallet_address', "jetton minter (TEP-74): an owner's jetton wallet; takes an address"],
  ['get_wallet_data', 'jetton wallet (TEP-74): balance, owner, minter'],
  ['get_nft_data', 'NFT item (TEP-62): index, collection, owner'],
  ['get_collection_data', 'NFT collection (TEP-62): next index, content, owner'],
];

export interface AskMethodParameters {
  recent: RecentCalls;
  network: string;
  address: string;
  /** The contract's name, if it has one. */
  name: string | undefined;
  /** The previous answer. */
  value: string | undefined;
  /** What is known about the contract; undefined if it cannot be read. */
  description: Promise<ContractDescription | undefined>;
  /** Why it cannot be read, once that is known. */
  problem: () => { label: string; detail: string } | undefined;
}

/** Asks for a get-method: one of the contract's, shown with signature and source, or any name or id. */
export async function askMethod(parameters: AskMethodParameters): Promise<string | Back | undefined> {
  const { recent, network, address, name, value, description, problem } = parameters;
  const [here, elsewhere] = [recent.methodsOf(network, address), recent.methods(network)];
  const { methodSuggestion } = await import('./methodSuggestion');
  return pickOrType({
    title: `TON: Run Get-Method on ${name ?? shortAddress(address)}`,
    placeholder: 'Name of the get-method',
    step: 2,
    totalSteps: 3,
    ...(value === undefined ? {} : { value }),
    suggestions: untyped([...new Set([...here, ...elsewhere])]),
    later: description.then((known) =>
      known === undefined || known.methods.length === 0
        ? untyped([...new Set([...here, ...elsewhere])])
        : ownMethods(known.methods, here, methodSuggestion),
    ),
    problem,
    read: (text) => {
      const reason = methodNameProblem(text);
      return reason === undefined ? { ok: true, label: text } : { ok: false, reason };
    },
  });
}

/** Previously called ones first. */
function ownMethods(
  methods: readonly ContractMethod[],
  used: readonly string[],
  suggestion: (method: ContractMethod, isRecent: boolean) => Suggestion,
): Suggestion[] {
  const called = used.flatMap((name) => methods.find((method) => method.name === name) ?? []);
  const others = methods.filter((method) => !called.includes(method));
  return withGroups(
    [
      ...called.map((method) => suggestion(method, true)),
      ...others.map((method) => suggestion(method, false)),
    ],
    called.length,
    'recent',
    'methods of this contract',
  );
}

function untyped(used: readonly string[]): Suggestion[] {
  const common = commonMethods.filter(([name]) => !used.includes(name));
  return withGroups(
    [
      ...used.map((method) => ({ value: method, label: method, icon: 'history' })),
      ...common.map(([name, meaning]) => ({ value: name, label: name, description: meaning })),
    ],
    used.length,
    'recent',
    'common',
  );
}
