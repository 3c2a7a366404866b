import { Address, Cell } from '@ton/core';
import { loadAnyTransaction } from '../cell/loadAnyTransaction';
import { WorkbenchError } from '../errors';
import { readCoins } from '../stack/readCoins';
import type { ReplayEdits } from './editReplay';
import type { ReplayInputs } from './replayInputs';
import { secondsProblem } from '../numberWidths';

/** Reads the values of edits; both throw on text that is none. */
export interface EditValueReaders {
  /** A cell: stack text such as `b(u32 1)`, a BoC, or a file. */
  cell(text: string): Promise<Cell>;
  /** A body as messages are composed, `Increase {by: 5}` or `comment "hi"`; undefined for text that is a cell. */
  body?(text: string): Promise<Cell | undefined>;
  /** The raw address for an address or name. */
  address(text: string): Promise<string>;
}

const keys = ['body', 'value', 'sender', 'time', 'balance', 'code', 'data', 'config.N', 'signature'];

/**
 * Edits as text, `KEY=VALUE`: `body=b(u32 1)` or `body=Increase {by: 5}`, `value=0.5`, `sender=bob`, `time=1767225600` or `time=+60` (seconds),
 * `balance=10`, `code=FILE`, `data=b(u64 7)`, `config.8=BOC`, `signature=ignored`.
 *
 * @param inputs the transaction's, for its time
 * @throws WorkbenchError `replay-edit-invalid` (input), and the errors of the readers
 */
export async function readReplayEdits(
  texts: readonly string[],
  inputs: ReplayInputs,
  readers: EditValueReaders,
): Promise<ReplayEdits> {
  const { now } = loadAnyTransaction(Cell.fromBase64(inputs.target.boc));
  let edits: ReplayEdits = {};
  const given = new Set<string>();
  for (const text of texts) {
    const [, key = '', value = ''] = /^\s*([\w.]+)\s*=(.*)$/s.exec(text) ?? [];
    if (given.has(key)) {
      throw invalidError(text, `${key} is given twice`);
    }
    given.add(key);
    edits = { ...edits, ...(await readEdit({ text, key, value: value.trim(), now, readers }, edits)) };
  }
  return edits;
}

interface EditText {
  text: string;
  key: string;
  value: string;
  now: number;
  readers: EditValueReaders;
}

async function readEdit(edit: EditText, before: ReplayEdits): Promise<ReplayEdits> {
  const { text, key, value, readers } = edit;
  switch (key) {
    case 'body':
      return { body: (await readers.body?.(value)) ?? (await readers.cell(value)) };
    case 'code':
      return { code: await readers.cell(value) };
    case 'data':
      return { data: await readers.cell(value) };
    case 'sender':
      return { sender: Address.parse(await readers.address(value)) };
    case 'value':
      return { value: coins(edit) };
    case 'balance':
      return { balance: coins(edit) };
    case 'time':
      return { now: time(edit) };
    case 'signature':
      if (value !== 'ignored') {
        throw invalidError(text, 'the only value of signature is ignored');
      }
      return { ignoreSignatures: true };
    default: {
      const [, id] = /^config\.(-?\d{1,9})$/.exec(key) ?? [];
      if (id === undefined) {
        throw invalidError(text, key === '' ? 'it has no KEY=' : `there is nothing called ${key} to change`);
      }
      return { config: new Map([...(before.config ?? []), [Number(id), await readers.cell(value)]]) };
    }
  }
}

function coins({ text, value }: EditText): bigint {
  const amount = readEditCoins(value);
  if (amount === undefined) {
    throw invalidError(text, 'its value is not an amount such as 0.5');
  }
  return amount;
}

/** Nanocoins for an amount such as `0.5` or `0.5ton`; undefined if the text is none. */
export function readEditCoins(text: string): bigint | undefined {
  return readCoins(text.endsWith('ton') ? text.slice(0, -3) : text);
}

function time({ text, value, now }: EditText): number {
  const wanted = readEditTime(value, now);
  if (wanted === undefined) {
    throw invalidError(text, 'its value is neither Unix seconds nor a change such as +60');
  }
  return wanted;
}

/** Unix seconds, or a change such as `+60` of `now`; undefined if the text is neither. */
export function readEditTime(text: string, now: number): number | undefined {
  const [, sign, digits] = /^([+-]?)(\d{1,10})$/.exec(text) ?? [];
  const seconds = Number(digits);
  const wanted = sign === '+' ? now + seconds : sign === '-' ? now - seconds : seconds;
  return digits === undefined || secondsProblem(wanted) !== undefined ? undefined : wanted;
}

function invalidError(text: string, problem: string): WorkbenchError {
  return new WorkbenchError({
    code: 'replay-edit-invalid',
    kind: 'input',
    message: `The change ${JSON.stringify(text.slice(0, 200))} cannot be made: ${problem}.`,
    hint: `Write KEY=VALUE with one of ${keys.join(', ')}.`,
  });
}
