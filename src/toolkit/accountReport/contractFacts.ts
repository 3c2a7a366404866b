import { Address, Cell } from '@ton/core';
import type { ContractDescription } from '../contracts/abi/contractDescription';
import type { GetMethodSignature } from '../contracts/abi/getMethodSignature';
import { ownMethodId } from '../contracts/abi/methodNamed';
import { changedSourceText, sourceLanguage } from '../contracts/abi/sourceLanguage';
import type { CallOptions } from '../access/createAccess';
import { contractName } from '../build/readBuiltContract';
import { WorkbenchError, toWorkbenchError } from '../base/errors';
import { formatTable } from '../base/formatTable';
import { withExits } from '../getMethods/withExits';
import type { GetMethodResult } from '../getMethods/getMethodResult';
import type { GetMethodAccess } from '../getMethods/runGetMethod';
import { runGetMethod } from '../getMethods/runGetMethod';
import { summarizeResult } from '../getMethods/summarizeResult';
import { summaryText } from '../getMethods/summaryText';
import { decodeByLayout } from '../contracts/layouts/decodeByLayout';
import { layoutOfData } from '../contracts/layouts/initialLayout';
import type { LayoutSet } from '../contracts/layouts/layoutSet';
import { calledName, findStorage } from '../contracts/layouts/layoutSet';
import { bodyLines } from '../contracts/opcodes/bodyLines';
import { countsJettons, isJettonMethod } from '../contracts/opcodes/countsJettons';
import type { DecodedBody } from '../contracts/opcodes/decodedBody';
import { visibleText } from '../base/text';
import type { TraceContext } from '../trace/traceContext';
import { factsLine, headline, traceSymbol } from '../trace/traceText';
import type { AccountReport } from './readAccountReport';

/** A contract's known sources and interfaces, and the answers of its get-methods. */
export interface ContractFacts {
  description: ContractDescription;
  /** The decoded data, if its source or ABI describes it. */
  storage: DecodedBody | undefined;
  /** The get-methods that take no arguments. */
  getters: readonly Getter[];
}

interface Getter {
  signature: GetMethodSignature;
  /** A failed run is an answer, too; an error says why there is none. */
  answer: GetMethodResult | WorkbenchError;
}

/** Maximum number of get-methods called. */
const mostGetters = 16;

/**
 * Decodes a contract's data and calls its get-methods that take no arguments. Each part that fails says so
 * itself.
 *
 * @throws WorkbenchError `aborted`
 */
export async function readContractFacts(
  access: GetMethodAccess,
  { raw, data }: Pick<AccountReport, 'raw' | 'data'>,
  description: ContractDescription,
  layouts: readonly LayoutSet[],
  call: CallOptions,
): Promise<ContractFacts> {
  const simple = description.methods.flatMap(({ signature }) =>
    signature?.parameters.length === 0 ? [signature] : [],
  );
  const getters = await Promise.all(
    simple.slice(0, mostGetters).map(async (signature): Promise<Getter> => {
      try {
        const methodId = ownMethodId(signature);
        const request = { address: raw, method: signature.name, methodId, stack: [] };
        return { signature, answer: withExits(await runGetMethod(access, request, call), description) };
      } catch (thrown) {
        const error = toWorkbenchError(thrown);
        if (error.code === 'aborted') {
          throw error;
        }
        return { signature, answer: error };
      }
    }),
  );
  return { description, storage: storageOf(data, description, layouts), getters };
}

/** @param data a BoC in base64 */
function storageOf(
  data: string | undefined,
  { name, file }: ContractDescription,
  layouts: readonly LayoutSet[],
): DecodedBody | undefined {
  const storage = name === undefined ? undefined : findStorage(layouts, { name, file });
  if (data === undefined || storage === undefined) {
    return undefined;
  }
  try {
    const cell = Cell.fromBase64(data);
    return decodeByLayout(cell, layoutOfData(storage, cell).layout, storage.set);
  } catch {
    return undefined;
  }
}

/** What the document says about a contract. */
export interface ContractText {
  /** The line below the title: `contract · Vault (contracts/vault.tolk)`. */
  kind: string;
  /** The source, the decoded data, the answers. */
  lines: string[];
  /** Index of the line with the user's choice of source; undefined if there is none. */
  choice?: number;
  /** Its source is known, and so are all its get-methods. */
  hasSource?: true;
}

/**
 * What a contract is: its name and file in the project, else its wallet version, else its known interfaces.
 */
function contractKind({ name, file, interfaces }: ContractDescription): string {
  if (name !== undefined && file !== undefined) {
    return `contract · ${visibleText(contractName(name))} (${visibleText(file)})`;
  }
  const what = name ?? (interfaces.length === 0 ? 'no source known' : interfaces.join(', '));
  return what.startsWith('wallet') ? visibleText(what) : `contract · ${visibleText(what)}`;
}

/** Renders what is known about a contract. Text from files and from the network is escaped. */
export function contractText(
  { description, storage, getters }: ContractFacts,
  {
    name,
    coin,
    jetton,
  }: {
    name: (raw: string) => string | undefined;
    coin: string;
    /** How amounts of its jetton are written, if it is a jetton wallet or master. */
    jetton?: { symbol: string; decimals: number } | undefined;
  },
): ContractText {
  const { name: contract, nameOrigin, isChosen, nameOfCode, changedSource } = description;
  const address = (raw: string): string => name(raw) ?? Address.parseRaw(raw).toString();
  const isOfJetton = description.methods.some((method) => isJettonMethod(method.name));
  const rows = getters.map(({ signature, answer }) => [
    `  ${visibleText(signature.name, 60)}()`,
    WorkbenchError.is(answer)
      ? visibleText(`could not be called: ${answer.message}`)
      : summaryText(
          summarizeResult(answer, {
            ...{ signature, accountName: name, coinLabel: coin },
            ofJetton: isOfJetton && countsJettons({ name: signature.name, ofJetton: true }),
          }),
        ),
  ]);
  const lines = [
    ...(contract === undefined
      ? []
      : [
          '',
          'source',
          `  ${visibleText(description.file === undefined ? contract : contractName(contract))}, by ${visibleText(nameOrigin ?? 'its code')}`,
        ]),
    ...(nameOfCode === undefined ? [] : [`  Its code is that of ${visibleText(nameOfCode)}.`]),
    ...(changedSource === undefined ? [] : [`  ${changedSourceText(changedSource)}`]),
    ...(storage === undefined
      ? []
      : [
          '',
          'storage',
          ...bodyLines({ ...storage, name: calledName(storage.name) }, { address, coin, jetton }).map(
            (line) => `  ${line}`,
          ),
          ...(storage.broken || storage.left.bits + storage.left.refs > 0
            ? [
                `  These fields may be wrong: the data does not fit ${visibleText(calledName(storage.name))}${storage.broken ? '' : ' to its end'}. The contract may also load it in another form.`,
              ]
            : []),
        ]),
    ...(rows.length === 0
      ? []
      : ['', 'get-methods without arguments', ...formatTable(rows, ['left', 'left'])]),
  ];
  const hasSource = description.file !== undefined && sourceLanguage(description.file) !== undefined;
  return {
    kind: contractKind(description),
    lines,
    ...(isChosen && { choice: 2 }),
    ...(hasSource && { hasSource }),
  };
}

/** An account's traces as lines: what happened, figures, and the id to open the trace by. */
export function traceLines(contexts: readonly TraceContext[]): string[] {
  return contexts.flatMap((context) => [
    `  ${traceSymbol(context.model)} ${headline(context)}`,
    `    ${factsLine(context)}`,
    ...(context.model.id === undefined ? [] : [`    ${context.model.id}`]),
  ]);
}
