import { Cell, Dictionary } from '@ton/core';
import type { Network } from '../../toolkit/access/network';
import type { AccountsByName } from '../../toolkit/address/resolveAccount';
import { resolveAccount } from '../../toolkit/address/resolveAccount';
import { loadFolded } from '../../toolkit/cell/loadFolded';
import { inputReason } from '../../toolkit/base/text';
import type { EditablePart } from '../../toolkit/replay/editableParts';
import { replayedBody } from '../../toolkit/replay/editableParts';
import { readEditTime } from '../../toolkit/replay/replayInputs';
import { readTonAmount } from '../../toolkit/stack/integerText';
import { readCellText } from '../../toolkit/stack/parseOneCell';
import { printCell } from '../../toolkit/stack/stackValue';
import { accountReader } from '../project/accountReader';
import { accountName, accountToType, accountsByName } from '../project/accountName';
import { domainLookUp } from '../project/domainLookUp';
import { accountFieldSuggestions } from '../project/accountFieldSuggestions';
import { structQuestions } from '../project/structQuestions';
import { readContractFile } from '../localnet/readContractFile';
import { coinLabel } from '../ui/readWorkspaceFile';
import type { Back, Suggestion } from '../ui/askText';
import { askText, back, pickOrType } from '../ui/askText';
import type { OpenReplay, ReplayServices } from './replays';

/** What the boxes need to know. */
export interface ChangeQuestions {
  services: ReplayServices;
  /** The replay of what happened. */
  original: OpenReplay;
  /** Whose accounts are offered. */
  network: Network;
  /** The changes by key, as text: those made last, then the answers. */
  texts: Map<string, string>;
  /** Cells that are not written out in the text of a change, by that text. */
  cells: Map<string, Cell>;
}

/** A box's title and place, and whether the user came back to it. */
export interface ChangeBox {
  title: string;
  step: number;
  totalSteps: number;
  isBack: boolean;
}

type Answer = [key: string, value: string] | Back | undefined;

/** Asks for the new value of one part; the box has the current one. */
export async function askChange(
  questions: ChangeQuestions,
  part: EditablePart,
  box: ChangeBox,
): Promise<Answer> {
  const { key } = part;
  const value = questions.texts.get(key) ?? part.value ?? '';
  const answered = (text: string | Back | undefined): Answer =>
    typeof text === 'string' ? [key, text.trim()] : text;
  switch (key) {
    case 'body':
      return answered(await askBody(questions, value, box));
    case 'code':
      return answered(await askCode(questions, value, box));
    case 'data':
      return answered(
        await askCell(questions, value, box, 'The data as one cell: b(…) with its values, or a BoC'),
      );
    case 'value':
    case 'balance':
      return answered(await askAmount(value, box));
    case 'sender':
      return answered(await askSender(questions, value, box));
    case 'time':
      return answered(await askTime(questions, value, box));
    case 'config':
      return askParameter(questions, box);
    case 'signature':
      return box.isBack ? back : [key, 'ignored'];
  }
}

/** By its fields, if the workspace's contracts describe the message. */
async function askBody(
  questions: ChangeQuestions,
  value: string,
  box: ChangeBox,
): Promise<string | Back | undefined> {
  const { services, original, network, cells } = questions;
  const [{ projectLayouts }, { fieldTexts }, { messagesOfContract }] = await Promise.all([
    import('../../toolkit/contracts/layouts/projectLayouts'),
    import('../../toolkit/contracts/layouts/fieldTexts'),
    import('../../toolkit/contracts/layouts/messagesOfContract'),
  ]);
  const sets = await projectLayouts(await services.project.list());
  const body = cells.get(value) ?? replayedBody(original.report.inputs);
  const { contract } = original;
  const own = contract === undefined ? [] : messagesOfContract(sets, contract).map(({ set }) => set);
  const known = body === undefined ? undefined : fieldTexts(body, [...own, ...sets]);
  if (known === undefined || known.texts.size === 0) {
    return askCell(questions, value, box, 'The body as one cell: b(…) with its values, or a BoC');
  }
  const { message } = known;
  const nameOf = accountToType(services, network);
  const texts = new Map([...known.texts].map(([field, text]) => [field, nameOf(text) ?? text]));
  const asked = await structQuestions(services, {
    ...message,
    key: `replay.${message.layout.name}`,
    network,
    texts,
  });
  const answer = await asked.fields.ask({
    ...box,
    title: `${box.title}: ${message.layout.name}`,
    action: { label: 'Use This Body', icon: 'check' },
  });
  if (answer !== 'next') {
    return answer;
  }
  const text = `${message.layout.name} ${asked.fields.text()}`;
  cells.set(text, asked.cell());
  return text;
}

/** A cell, or what a source of the workspace compiles to now. */
async function askCode(
  questions: ChangeQuestions,
  value: string,
  box: ChangeBox,
): Promise<string | Back | undefined> {
  const { services, network, cells } = questions;
  const { isFromSource } = await import('../../toolkit/build/findSource');
  const sources = new Map(
    (await services.project.list())
      .filter((contract) => isFromSource(contract) && services.project.uriOf(contract.file) !== undefined)
      .map(({ name, file }) => [file, name]),
  );
  const suggestions: Suggestion[] = [...sources].map(([file, name]) => ({
    value: file,
    label: name,
    description: `what ${file} compiles to now`,
    icon: 'file-code',
  }));
  const accounts = accountsByName(services, network);
  const text = await pickOrType({
    ...boxOf(box),
    placeholder: 'Choose a source, or enter the code as one cell: b(…) or a BoC',
    ...(suggestions.length === 0 ? { value } : {}),
    suggestions,
    read: (typed) => {
      const reason = cells.has(typed) ? undefined : cellProblem(typed, accounts);
      return reason === undefined ? { ok: true, label: typed } : { ok: false, reason };
    },
  });
  const file = typeof text === 'string' && sources.has(text) ? services.project.uriOf(text) : undefined;
  if (typeof text !== 'string' || file === undefined) {
    return text;
  }
  const built = await readContractFile(services, file, undefined);
  if (built === undefined) {
    return back;
  }
  cells.set(text, Cell.fromBase64(built.code));
  return text;
}

function askCell(
  { services, network, cells }: ChangeQuestions,
  value: string,
  box: ChangeBox,
  prompt: string,
): Promise<string | Back | undefined> {
  return askText({
    ...boxOf(box),
    prompt,
    placeholder: 'b(…)',
    value,
    validate: (text) =>
      cells.has(text.trim()) ? undefined : cellProblem(text, accountsByName(services, network)),
    lookUp: domainLookUp(services, network),
  });
}

function askAmount(value: string, box: ChangeBox): Promise<string | Back | undefined> {
  return askText({
    ...boxOf(box),
    prompt: `Amount in ${coinLabel()}`,
    placeholder: '0.5',
    value,
    validate: (text) => (readTonAmount(text) === undefined ? 'Enter an amount such as 0.5.' : undefined),
  });
}

async function askSender(
  { services, network }: ChangeQuestions,
  value: string,
  box: ChangeBox,
): Promise<string | Back | undefined> {
  const nameOf = accountName(services, network);
  const accounts = (): ReturnType<typeof accountsByName> => accountsByName(services, network);
  const answer = await pickOrType({
    ...boxOf(box),
    placeholder: `Who sends it? Now ${nameOf(value) ?? value}`,
    suggestions: accountFieldSuggestions(services, network),
    read: accountReader(accounts, nameOf),
    lookUp: domainLookUp(services, network),
  });
  // By name where it has one; the name must mean the same account when the change is read.
  return typeof answer === 'string'
    ? (accountToType(services, network)(resolveAccount(answer, accounts())) ?? answer)
    : answer;
}

function askTime(
  { original }: ChangeQuestions,
  value: string,
  box: ChangeBox,
): Promise<string | Back | undefined> {
  const { now } = original.report.replay.original;
  return askText({
    ...boxOf(box),
    prompt: `Unix seconds, or a change such as +3600; it was ${new Date(now * 1000).toLocaleString()}`,
    placeholder: '+3600',
    value,
    validate: (text) =>
      readEditTime(text.trim(), now) === undefined
        ? 'Enter Unix seconds, or a change in seconds such as +3600 or -60.'
        : undefined,
  });
}

/** The number of a parameter, then its cell. */
async function askParameter(questions: ChangeQuestions, box: ChangeBox): Promise<Answer> {
  const { config } = questions.original.report.inputs;
  const parameters = loadFolded(Cell.fromBase64(config), (slice) =>
    slice.loadDictDirect(Dictionary.Keys.Int(32), Dictionary.Values.Cell()),
  );
  const before = [...questions.texts.keys()].find((key) => key.startsWith('config.'));
  for (;;) {
    const id = await pickOrType({
      ...boxOf(box),
      placeholder: 'Number of the configuration parameter',
      ...(before === undefined ? {} : { value: before.slice('config.'.length) }),
      suggestions: parameters.keys().map((key) => ({ value: String(key), label: String(key) })),
      read: (text) =>
        /^-?\d{1,9}$/.test(text) ? { ok: true, label: text } : { ok: false, reason: 'Enter a number.' },
    });
    if (typeof id !== 'string') {
      return id;
    }
    const key = `config.${id}`;
    const present = parameters.get(Number(id));
    const value = questions.texts.get(key) ?? (present === undefined ? 'b()' : `cell ${printCell(present)}`);
    const prompt = `Parameter ${id} as one cell: b(…) with its values, or a BoC`;
    const text = await askCell(questions, value, { ...box, step: Math.max(2, box.step) }, prompt);
    if (text !== back) {
      return text === undefined ? undefined : [key, text.trim()];
    }
  }
}

function boxOf({ title, step, totalSteps }: ChangeBox): Pick<ChangeBox, 'title' | 'step' | 'totalSteps'> {
  return { title, step, totalSteps };
}

function cellProblem(text: string, accounts: AccountsByName): string | undefined {
  try {
    readCellText(text, { accounts });
    return undefined;
  } catch (error) {
    return inputReason(error);
  }
}
