import type { Cell } from '@ton/core';
import type * as vscode from 'vscode';
import type { Network } from '../../toolkit/access/network';
import { contractName } from '../../toolkit/build/readBuiltContract';
import { inputReason } from '../../toolkit/base/text';
import { keepNewest, ownValue } from '../../toolkit/base/collections';
import { calledName } from '../../toolkit/contracts/layouts/layoutSet';
import type { Message } from '../../toolkit/contracts/layouts/messagesOfContract';
import type { StackTextOptions } from '../../toolkit/stack/stackTextContext';
import type { AccountServices } from './accountName';
import { accountsByName, knownAccounts } from './accountName';
import { domainLookUp } from './domainLookUp';
import { codeLookUp, compiledCodes } from './codeLookUp';
import type { Services } from './services';
import { accountFieldSuggestions } from './accountFieldSuggestions';
import { FieldQuestions } from './fieldQuestions';

/** The struct to ask for. */
export interface AskedStruct extends Message {
  /** Key under which the texts are remembered, such as `Vault.AddGuardian`. */
  key: string;
  /** The initial texts by field; default: those that were given last. */
  texts?: ReadonlyMap<string, string>;
  /** The network whose accounts are offered; default: the current one. */
  network?: Network;
  /** Parses all fields given as one text; default: as the struct. */
  readWhole?: (text: string, options: StackTextOptions) => Cell;
}

/** The questions for a struct, and the resulting cell. */
export interface StructQuestions {
  fields: FieldQuestions;
  /** The cell of the struct with the answers. */
  cell: () => Cell;
  /** Remembers the answers for the next time. */
  remember: () => Promise<void>;
}

/**
 * The questions for a struct's fields, with the comments in its source, the network's accounts for addresses,
 * and the last answers. Errors are shown while typing.
 */
export async function structQuestions(
  services: AccountServices & Pick<Services, 'context' | 'project'>,
  asked: AskedStruct,
): Promise<StructQuestions> {
  const { layout, set, key, network } = asked;
  const [{ encodeByLayout, encodeField }, { fieldPrompts, structText }] = await Promise.all([
    import('../../toolkit/contracts/layouts/encodeByLayout'),
    import('../../toolkit/contracts/layouts/fieldPrompts'),
  ]);
  const options = {
    // Read anew for each text: a domain in it may have been looked up in the meantime.
    get accounts() {
      return accountsByName(services, network);
    },
    codes: compiledCodes(services),
  };
  const lookUp = codeLookUp(services, domainLookUp(services, network));
  const wallet = knownAccounts(services, network).find(({ isWallet }) => isWallet);
  const { workspaceState } = services.context;
  const last = lastFieldTexts(workspaceState, key);
  const readWhole = asked.readWhole ?? ((text) => encodeByLayout(text, layout, set, options));
  const refuses = (encode: () => Cell): string | undefined => {
    try {
      encode();
      return undefined;
    } catch (error) {
      return inputReason(error);
    }
  };
  const prompts = fieldPrompts(layout, set, wallet?.name ?? 'none').map((prompt) => ({
    ...prompt,
    value:
      (asked.texts === undefined ? ownValue(last, prompt.field.name) : asked.texts.get(prompt.field.name)) ??
      prompt.start,
  }));
  // What the form begins with can be read at once.
  await lookUp.begin(prompts.map(({ value = '' }) => value).join(', '));
  const fields = prompts.map(({ field, typeText, value, choices, takesAccount }) => ({
    name: field.name,
    type: typeText,
    help: field.comment?.split('\n', 1)[0]?.trim() ?? '',
    value,
    suggestions: [...(takesAccount ? accountFieldSuggestions(services, network) : []), ...choices],
    refuses: (text: string) => refuses(() => encodeField(text, field, set, options)),
  }));
  const names = layout.cells.flat().map(({ name }) => name);
  const questions = new FieldQuestions({
    owner: ownerName(asked),
    fields,
    lookUp,
    before: [],
    whole: {
      title: ownerName(asked),
      prompt: `All fields: {${names.map((name) => `${name}: …`).join(', ')}}`,
      placeholder: '{…}',
      tooltip: 'Type All Fields as Text',
      textOf: (texts) => structText(layout, texts),
      refuses: (text) => refuses(() => readWhole(text, options)),
    },
  });
  return {
    fields: questions,
    cell: () => readWhole(questions.text(), options),
    remember: async () => {
      const texts = questions.texts();
      if (texts !== undefined) {
        const given = names.map((name, place): [string, string] => [name, texts[place] ?? '']);
        await rememberFieldTexts(workspaceState, key, Object.fromEntries(given));
      }
    },
  };
}

/** `Vault AddGuardian`: the contract's name and the struct's, as a line to send has them. */
function ownerName({ layout, set: { contract } }: AskedStruct): string {
  const called = calledName(layout.name);
  // That of a Tact contract's data has the contract in it.
  return contract === undefined || called !== layout.name ? called : `${contractName(contract)} ${called}`;
}

const key = 'fieldTexts';
/** Maximum number of structs whose texts are remembered; the oldest are dropped. */
const most = 200;

type Texts = Readonly<Record<string, string>>;

/** The texts last given for a struct, by field. */
function lastFieldTexts(state: vscode.Memento, struct: string): Texts {
  return new Map(state.get<[string, Texts][]>(key, [])).get(struct) ?? {};
}

/** Remembers the text of each field of a struct. */
async function rememberFieldTexts(state: vscode.Memento, struct: string, texts: Texts): Promise<void> {
  const all = new Map(state.get<[string, Texts][]>(key, []));
  keepNewest(all, struct, texts, most);
  await state.update(key, [...all]);
}
