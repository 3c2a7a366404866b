import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { Cell } from '@ton/core';
import { isContractSource } from '../../src/toolkit/contracts/abi/sourceLanguage';
import { isExcludedFolder } from '../../src/toolkit/contracts/abi/projectFile';
import { sourceLanguage } from '../../src/toolkit/contracts/abi/sourceLanguage';
import type { SourceLanguage } from '../../src/toolkit/contracts/abi/sourceLanguage';
import { compileSource } from '../../src/toolkit/build/compileSource';
import { mapSource } from '../../src/toolkit/build/mapSource';
import { readCodeTree } from '../../src/toolkit/sourceMap/readCodeTree';
import type { CodeBody } from '../../src/toolkit/sourceMap/readCodeTree';
import { refusedNotes } from '../../src/toolkit/sourceMap/refusedNotes';
import type { SourceMap } from '../../src/toolkit/sourceMap/sourceMap';

/** What became of the contracts in a folder. */
export interface MeasuredMaps {
  contracts: MeasuredContract[];
  /** Contracts that their compilers refuse, with the reason. */
  failed: string[];
  /** Methods without lines, or with instructions that have none, with the reason. */
  refused: string[];
  /** Instructions with lines. */
  instructions: number;
  /** Instructions that throw a number, so that their line can be judged by another way than the map was made. */
  judged: number;
  /** Those whose line has neither the number nor a name with this value. */
  wrong: string[];
}

/** What became of one contract. */
export interface MeasuredContract {
  /** Its file and, of a file with several, its name. */
  name: string;
  methods: number;
  /** Methods with lines. */
  withLines: number;
  /** What receives messages: of methods, those with the numbers 0 and -1. */
  handlers: number;
  handlersWithLines: number;
}

/** Exit codes for which the compilers make code by themselves. */
const ofCompilers: Record<SourceLanguage, (exitCode: number) => boolean> = {
  tolk: (exitCode) => [0, 9, 63].includes(exitCode),
  func: () => false,
  tact: (exitCode) => exitCode < 64 || (exitCode >= 128 && exitCode <= 138),
};

/** Maps the contracts in a folder, and judges the lines of instructions that throw. */
export async function measureMaps(folder: string): Promise<MeasuredMaps> {
  const measured: MeasuredMaps = {
    ...{ contracts: [], failed: [], refused: [] },
    ...{ instructions: 0, judged: 0, wrong: [] },
  };
  const files = await readdir(folder, { recursive: true });
  for (const name of files.toSorted()) {
    const language = sourceLanguage(name);
    if (language === undefined || name.split(/[\\/]/).some(isExcludedFolder)) {
      continue;
    }
    const file = path.join(folder, name).replaceAll('\\', '/');
    if (isContractSource(readFileSync(file, 'utf8'), language)) {
      await measure(file, name, measured);
    }
  }
  return measured;
}

/** What is in a folder, folders with a slash. */
export function namesIn(folder: string): string[] {
  try {
    const found = readdirSync(folder, { withFileTypes: true });
    return found.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name));
  } catch {
    return [];
  }
}

async function measure(file: string, name: string, measured: MeasuredMaps): Promise<void> {
  const texts: string[] = [];
  const read = (one: string): string => {
    const text = readFileSync(one, 'utf8');
    texts.push(text);
    return text;
  };
  try {
    const options = { read, list: namesIn, isTrusted: true };
    const maps = await mapSource(file, options);
    const built = await compileSource(file, options);
    const values = namedNumbers(texts);
    // The file that is built with others has their contracts, too.
    const own = maps.filter(({ codeHash }) => built.some((one) => one.codeHash === codeHash));
    for (const map of own.length > 0 ? own : maps) {
      const code = built.find(({ codeHash }) => codeHash === map.codeHash);
      const handlers = map.methods.filter(({ id }) => id === 0 || id === -1);
      const have = ({ refused }: { refused?: string | undefined }): boolean => refused === undefined;
      measured.contracts.push({
        name: own.length <= 1 ? name : `${name} ${map.name}`,
        methods: map.methods.length,
        withLines: map.methods.filter(have).length,
        handlers: handlers.length,
        handlersWithLines: handlers.filter(have).length,
      });
      measured.refused.push(...refusedNotes(map).map((note) => `${name}: ${note}`));
      measured.instructions += map.methods.flatMap(({ marks }) =>
        marks.filter(({ place }) => place >= 0),
      ).length;
      if (code === undefined) {
        measured.wrong.push(`${name}: the map is not of the code that is built`);
      } else {
        await judge(map, Cell.fromBase64(code.code), { name, values, measured });
      }
    }
  } catch (error) {
    measured.failed.push(`${name}: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`);
  }
}

/** Compares the numbers that instructions throw with the statements at their lines. */
async function judge(
  map: SourceMap,
  code: Cell,
  { name, values, measured }: { name: string; values: ReadonlyMap<string, number>; measured: MeasuredMaps },
): Promise<void> {
  const thrown = new Map<string, number>();
  const collect = (body: CodeBody): void => {
    for (const { name: op, operands, cell, offset, bodies } of body ?? []) {
      if (/^THROW/.test(op) && !op.includes('ANY') && typeof operands[0] === 'bigint') {
        thrown.set(`${cell} ${offset}`, Number(operands[0]));
      }
      bodies.forEach(collect);
    }
  };
  (await readCodeTree(code)).entries.forEach(({ body }) => collect(body));
  const seen = new Set<string>();
  const { language } = map;
  if (language === 'fift') {
    return;
  }
  for (const { cell, offset, place } of map.methods.flatMap(({ marks }) => marks)) {
    const number = thrown.get(`${cell} ${offset}`);
    const { file, line, function: around } = map.places[place] ?? { file: '', line: 0 };
    if (number === undefined || place < 0 || seen.has(`${cell} ${offset} ${place}`)) {
      continue;
    }
    seen.add(`${cell} ${offset} ${place}`);
    const statement = file.startsWith('@') ? undefined : statementAt(readFileSync(file, 'utf8'), line);
    const isNamed =
      statement === undefined ||
      numbersIn(statement, values).has(number) ||
      isMoved(language, file, around, line, number, values) ||
      (language === 'tact' && tactCodes(statement).has(number));
    if (isNamed || !ofCompilers[language](number)) {
      measured.judged += 1;
    }
    if (!isNamed && !ofCompilers[language](number)) {
      measured.wrong.push(
        `${path.basename(file)}:${line} of ${name} throws ${number}: ${statement?.split('\n')[0]?.trim()}`,
      );
    }
  }
}

/**
 * Whether Tolk has moved the check to where a value is needed first: `lazy` reads only then, and the compiler's own listing
 * tells that line.
 */
function isMoved(
  language: SourceLanguage,
  file: string,
  around: string | undefined,
  line: number,
  number: number,
  values: ReadonlyMap<string, number>,
): boolean {
  if (language !== 'tolk' || around === undefined) {
    return false;
  }
  const before = readFileSync(file, 'utf8')
    .split('\n')
    .slice(Math.max(0, line - 40), line - 1)
    .join('\n');
  const reads = before.match(/\blazy\b[^;]{0,400}/g) ?? [];
  return reads.some((one) => numbersIn(one, values).has(number));
}

/** The codes that Tact makes of the texts in `require`. */
function tactCodes(statement: string): ReadonlySet<number> {
  const texts = statement.match(/"(?:\\.|[^"\\])*"/g) ?? [];
  return new Set(
    texts.map((text) => {
      const hash = createHash('sha256')
        .update(JSON.parse(text) as string)
        .digest();
      return (hash.readUInt32BE() % 63_000) + 1000;
    }),
  );
}

/** The text from a line to the end of its statement; of a condition, with what is thrown there. */
function statementAt(text: string, line: number): string {
  const rest = text
    .split('\n')
    .slice(line - 1)
    .join('\n');
  const end = /[;}]\s*(?:;;.*|\/\/.*)?$/m.exec(rest);
  return end === null ? rest : rest.slice(0, end.index);
}

function numbersIn(statement: string, values: ReadonlyMap<string, number>): ReadonlySet<number> {
  const words = statement.match(/[\w:?']+/g) ?? [];
  return new Set(words.map((word) => (/^\d/.test(word) ? Number(word) : (values.get(word) ?? -1))));
}

/** Constants with numbers, and FunC's functions that only return one. */
function namedNumbers(texts: readonly string[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const text of texts) {
    for (const [, name, value] of text.matchAll(
      /\bconst\s+(?:int\s+)?([\w:?']+)(?:\s*:\s*\w+)?\s*=\s*(0x[0-9a-fA-F]+|\d+)/g,
    )) {
      found.set(name!, Number(value));
    }
    for (const [, name, value] of text.matchAll(
      /\bint\s+([\w:?']+)\(\)\s*asm\s*"(0x[0-9a-fA-F]+|\d+) PUSHINT"/g,
    )) {
      found.set(name!, Number(value));
    }
  }
  return found;
}
