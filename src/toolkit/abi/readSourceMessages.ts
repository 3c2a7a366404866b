import { crc32 } from 'node:zlib';
import { limits } from '../limits';
import { plainSource } from './plainSource';

/**
 * The three languages' ways to assign an opcode to a message: `struct (0x7e8764ef) Increase` (Tolk),
 * `message(0x7e8764ef) Increase` (Tact), `const int op::increase = 0x7e8764ef;`, `const op::increase =
 * "op::increase"c;` and `int op::increase() asm "0x7e8764ef PUSHINT"` (FunC).
 */
const declarations = [
  /\bstruct\s?\(\s?(?<code>0x[0-9a-fA-F]{5,8})\s?\)\s?(?<name>\w{1,100})/g,
  /\bmessage\s?\(\s?(?<code>0x[0-9a-fA-F]{1,8}|\d{1,10})\s?\)\s?(?<name>\w{1,100})/g,
  /\bconst\s(?:int\s)?op(?:::|_)(?<name>\w{1,100})\s?=\s?(?<code>0x[0-9a-fA-F]{1,8}|\d{1,10})\b/gi,
  /\bconst\s(?:int\s)?op(?:::|_)(?<name>\w{1,100})\s?=\s?(?:stringCrc32\()?"(?<text>[^"\n]{1,200})"[c)]/gi,
  /\bint\sop::(?<name>\w{1,100})\s?\(\s?\)\s?asm\s?"(?<code>0x[0-9a-fA-F]{1,8}|\d{1,10})\sPUSHINT"/g,
];

/**
 * The names of message opcodes in a Tolk, FunC, or Tact text, by 32-bit number. Opcodes that the compiler computes
 * (Tact's `message` without a number) are not in the text; the compiler's ABI has them.
 */
export function readSourceMessages(text: string): Map<number, string> {
  const plain = plainSource(text);
  const messages = new Map<number, string>();
  for (const declaration of declarations) {
    for (const { groups } of plain.matchAll(declaration)) {
      if (messages.size === limits.sourceNames.most) {
        return messages;
      }
      const code = groups?.text === undefined ? Number(groups?.code) : crc32(groups.text);
      if (groups?.name !== undefined && code < 2 ** 32 && !messages.has(code)) {
        messages.set(code, groups.name);
      }
    }
  }
  return messages;
}
