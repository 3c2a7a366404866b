import type { Arbitrary } from 'fast-check';
import * as fc from 'fast-check';
import { WorkbenchError } from '../base/errors';
import type { ContractMethod } from '../contracts/abi/contractDescription';
import type { ContractRef } from '../contracts/abi/projectContract';
import type { LayoutSet } from '../contracts/layouts/layoutSet';
import { messageWord, messagesOfContract } from '../contracts/layouts/messagesOfContract';
import type { ValueSources } from '../explore/valueTexts';
import { argumentTexts, structTexts } from '../explore/valueTexts';

/** A random message or call, as a line of a sheet. */
export interface FuzzLine {
  kind: 'send' | 'call';
  /** Of a call the whole line; of a message without its sender. */
  text: string;
  /** Of a message: the name of the wallet. */
  sender: string;
}

/** A contract of the sheet. */
export interface FuzzedContract {
  /** Its name in the sheet. */
  name: string;
  /** Which one of the project it is. */
  contract: ContractRef | undefined;
  methods: readonly ContractMethod[];
}

/** Random lines, and what none can be written for. */
export interface FuzzTargets {
  /** Messages and get-methods that lines are for, such as `Pot Take` and `Pot total()`. */
  names: readonly string[];
  /** Those with values of a type that has no text. */
  leftOut: readonly string[];
  hasMessages: boolean;
  lines: Arbitrary<FuzzLine>;
}

/** The coins of a message: enough for the gas of most. */
const values = ['0.1ton', '0.2ton', '0.5ton', '1ton', '5ton', '20ton'];

interface Target {
  name: string;
  /** What it may be asked for by. */
  words: readonly string[];
  kind: FuzzLine['kind'];
  lines: Arbitrary<FuzzLine> | undefined;
}

/**
 * Random messages to contracts, and calls of their get-methods, with values by the types in their sources.
 *
 * @param wallets names of those that send
 * @param only the name of one message or get-method, `Take` or `Pot.Take`; default: all
 * @throws WorkbenchError `fuzz-target-unknown` (input) if there is none
 */
export function fuzzTargets(
  contracts: readonly FuzzedContract[],
  layouts: readonly LayoutSet[],
  wallets: readonly string[],
  only: string | undefined,
): FuzzTargets {
  const addresses = [...wallets, ...contracts.map(({ name }) => name)];
  const all = contracts.flatMap((one) => [
    ...messageTargets(one, layouts, wallets, addresses),
    ...methodTargets(one, addresses),
  ]);
  const chosen = only === undefined ? all : all.filter(({ words }) => words.includes(only));
  const writable = chosen.flatMap(({ lines }) => lines ?? []);
  const [first, ...others] = writable;
  if (first === undefined) {
    throw unknownTargetError(all, chosen, only);
  }
  return {
    names: chosen.filter(({ lines }) => lines !== undefined).map(({ name }) => name),
    leftOut: chosen.filter(({ lines }) => lines === undefined).map(({ name }) => name),
    hasMessages: chosen.some(({ kind, lines }) => kind === 'send' && lines !== undefined),
    lines: fc.oneof(first, ...others),
  };
}

function messageTargets(
  { name, contract }: FuzzedContract,
  layouts: readonly LayoutSet[],
  wallets: readonly string[],
  addresses: readonly string[],
): Target[] {
  const receiver = contract ?? name;
  return messagesOfContract(layouts, receiver).map((message) => {
    const { set, layout } = message;
    const word = messageWord(layouts, message, receiver);
    const texts = structTexts(layout, set, sourcesOf(addresses, set.constants));
    return {
      ...{ name: `${name} ${layout.name}`, kind: 'send' },
      words: [layout.name, `${name}.${layout.name}`],
      lines:
        texts &&
        fc
          .tuple(texts, fc.constantFrom(...values), fc.constantFrom(...wallets))
          .map(([fields, value, sender]) => ({
            kind: 'send',
            text: `${name} ${word} ${fields} ${value}`,
            sender,
          })),
    };
  });
}

function methodTargets({ name, methods }: FuzzedContract, addresses: readonly string[]): Target[] {
  return methods.flatMap(({ name: method, signature }) => {
    if (signature === undefined) {
      return [];
    }
    const types = signature.parameters.map(({ type }) => type);
    const texts = argumentTexts(types, sourcesOf(addresses, signature.constants));
    return [
      {
        ...{ name: `${name} ${method}()`, kind: 'call' as const },
        words: [method, `${name}.${method}`],
        lines: texts?.map((given): FuzzLine => ({
          kind: 'call',
          text: `${name} ${method}(${given})`,
          sender: '',
        })),
      },
    ];
  });
}

function sourcesOf(
  addresses: readonly string[],
  constants: ReadonlyMap<string, bigint> = new Map(),
): ValueSources {
  return { addresses, numbers: [...constants.values()] };
}

function unknownTargetError(
  all: readonly Target[],
  chosen: readonly Target[],
  only: string | undefined,
): WorkbenchError {
  const names = all.map(({ name }) => name);
  const [left] = chosen;
  return new WorkbenchError({
    code: 'fuzz-target-unknown',
    kind: 'input',
    message:
      left !== undefined
        ? `${left.name} has values of a type that cannot be written.`
        : only === undefined
          ? 'The sources declare no messages and no get-methods of these contracts.'
          : `No contract that is deployed here has a message or get-method “${only}”.`,
    hint:
      names.length === 0
        ? 'In FunC, declare messages in TL-B comments: ;; take#00000001 amount:Coins = InternalMsgBody;'
        : `There are: ${names.slice(0, 12).join(', ')}.`,
  });
}
