import type { Cell } from '@ton/core';
import { Address } from '@ton/core';
import * as vscode from 'vscode';
import { resolveAccount } from '../../toolkit/address/resolveAccount';
import type { EditKey, EditablePart } from '../../toolkit/replay/editableParts';
import { editableParts } from '../../toolkit/replay/editableParts';
import { readReplayEdits } from '../../toolkit/replay/replayInputs';
import { readCellText } from '../../toolkit/stack/parseOneCell';
import { visibleText } from '../../toolkit/base/text';
import { accountName, accountsByName } from '../project/accountName';
import { back } from '../ui/askText';
import type { ChangeQuestions } from './askChange';
import { askChange } from './askChange';
import type { OpenReplay, ReplayServices } from './replays';
import type { Changes } from './findReplayTarget';

/** The parts as the list names them. */
const names: Readonly<Record<EditKey, string>> = {
  body: 'Message Body',
  value: 'Message Value',
  sender: 'Sender',
  time: 'Time',
  balance: 'Balance Before',
  code: 'Code',
  data: 'Data',
  config: 'Configuration Parameter',
  signature: 'Ignore Signatures',
};

/** How to ask for changes. */
export interface ChangeWords {
  /** `TON: Replay With Changes` */
  title: string;
  placeHolder: string;
  /** Follows a part in the title of its box: `Message Body of the Replay`. */
  of: string;
  /** The parts that are offered; default all. */
  keys?: readonly EditKey[];
}

const ofReplay: ChangeWords = {
  title: 'TON: Replay With Changes',
  placeHolder: 'Choose what should be different; nothing is sent',
  of: 'of the Replay',
};

/**
 * Asks what should be different: which parts, then one box for each.
 *
 * @param last the changed replay to start from
 * @returns undefined if the user canceled
 */
export async function askChanges(
  services: ReplayServices,
  original: OpenReplay,
  last: OpenReplay | undefined,
  words: ChangeWords = ofReplay,
): Promise<Changes | undefined> {
  const { inputs, replay } = original.report;
  const { keys } = words;
  const parts = editableParts(inputs, replay).filter(({ key }) => keys?.includes(key) ?? true);
  const network = services.networks.find(inputs.network) ?? services.networks.current();
  const texts = new Map((last?.report.edits ?? []).map(keyAndValue));
  const cells = new Map(
    (['body', 'code', 'data'] as const).flatMap((key): [string, Cell][] => {
      const [text, cell] = [texts.get(key), last?.edits[key]];
      return text === undefined || cell === undefined ? [] : [[text, cell]];
    }),
  );
  const questions: ChangeQuestions = { services, original, network, texts, cells };
  for (;;) {
    const chosen = await chooseParts(questions, parts, words);
    if (chosen === undefined) {
      return undefined;
    }
    const answers = await askEach(questions, chosen, words);
    if (answers === undefined) {
      return undefined;
    }
    if (answers !== back) {
      const accounts = accountsByName(services, network);
      const edits = await readReplayEdits(answers, inputs, {
        cell: (text) => Promise.resolve(cells.get(text) ?? readCellText(text, { accounts })),
        address: (text) => Promise.resolve(resolveAccount(text, accounts)),
      });
      return { texts: answers, edits };
    }
  }
}

async function chooseParts(
  { services, network, texts }: ChangeQuestions,
  parts: readonly EditablePart[],
  { title, placeHolder }: ChangeWords,
): Promise<EditablePart[] | undefined> {
  const nameOf = accountName(services, network);
  const items = parts.map((part) => ({
    label: names[part.key],
    description: describe(part, nameOf),
    picked: [...texts.keys()].some((key) => key.split('.')[0] === part.key),
    part,
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title,
    placeHolder,
    canPickMany: true,
    ignoreFocusOut: true,
  });
  return picked === undefined || picked.length === 0 ? undefined : picked.map(({ part }) => part);
}

/** The value as it was, in a few characters. */
function describe({ key, value }: EditablePart, nameOf: (raw: string) => string | undefined): string {
  if (key === 'config') {
    return 'of the network, by number';
  }
  if (key === 'signature') {
    return 'every signature check passes';
  }
  if (value === undefined) {
    return '';
  }
  switch (key) {
    case 'sender':
      return nameOf(value) ?? Address.parse(value).toString();
    case 'time':
      return new Date(Number(value) * 1000).toLocaleString();
    case 'value':
    case 'balance':
      return `${value} TON`;
    default:
      return visibleText(value, 40);
  }
}

/** One box after the other; the changes as `KEY=VALUE`. */
async function askEach(
  questions: ChangeQuestions,
  parts: readonly EditablePart[],
  { of }: ChangeWords,
): Promise<string[] | typeof back | undefined> {
  let index = 0;
  let isBack = false;
  const answers: (readonly [key: string, value: string])[] = [];
  while (index < parts.length) {
    const part = parts[index]!;
    const answer = await askChange(questions, part, {
      title: `TON: ${names[part.key]} ${of}`,
      step: index + 1,
      totalSteps: parts.length,
      isBack,
    });
    if (answer === undefined) {
      return undefined;
    }
    isBack = answer === back;
    if (answer === back) {
      if (index === 0) {
        return back;
      }
      index -= 1;
    } else {
      questions.texts.set(...answer);
      answers[index] = answer;
      index += 1;
    }
  }
  return answers.map(([key, value]) => `${key}=${value}`);
}

function keyAndValue(edit: string): [string, string] {
  const at = edit.indexOf('=');
  return [edit.slice(0, at), edit.slice(at + 1)];
}
