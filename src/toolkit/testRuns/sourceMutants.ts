import type { SourceLanguage } from '../contracts/abi/sourceLanguage';

/** A small change of a source, which a test should notice. */
export interface SourceMutant {
  /** Where it begins, from 1. */
  line: number;
  column: number;
  /** In UTF-16 code units of the text. */
  offset: number;
  length: number;
  /** What stands there instead. */
  text: string;
  /** The change in words: `<= becomes <`. */
  words: string;
}

interface Token {
  kind: 'word' | 'number' | 'sign';
  text: string;
  offset: number;
}

const pairs = [
  ['<', '<='],
  ['>', '>='],
  ['==', '!='],
  ['+', '-'],
  ['*', '/'],
  ['+=', '-='],
  ['*=', '/='],
  ['&&', '||'],
  ['true', 'false'],
] as const;
const swaps: ReadonlyMap<string, string> = new Map(bothWays(pairs));
/** FunC has words for the opposite of a condition, and no `&&`. */
const funcSwaps: ReadonlyMap<string, string> = new Map([
  ...swaps,
  ...bothWays([
    ['if', 'ifnot'],
    ['elseif', 'elseifnot'],
    ['&', '|'],
  ]),
]);
/** What begins a statement that cannot be left out. */
const needed = new Set(
  [
    'val',
    'var',
    'let',
    'const',
    'return',
    'if',
    'ifnot',
    'else',
    'elseif',
    'elseifnot',
    'while',
    'repeat',
    'until',
  ].concat([
    'do',
    'match',
    'fun',
    'get',
    'struct',
    'type',
    'enum',
    'global',
    'import',
    'contract',
    'asm',
    'foreach',
    'for',
    'try',
  ]),
);
const signs = [
  ...[
    '<=>',
    '<<=',
    '>>=',
    '~>>',
    '^>>',
    '/%',
    '->',
    '=>',
    '<=',
    '>=',
    '==',
    '!=',
    '&&',
    '||',
    '+=',
    '-=',
    '*=',
  ],
  ...['/=', '%=', '&=', '|=', '^=', '<<', '>>', '~/', '^/'],
];

/**
 * The mutants of a source, by its tokens: comparisons, arithmetic, constants, conditions, and statements that are left
 * out. Not all of them compile.
 */
export function sourceMutants(source: string, language: SourceLanguage): SourceMutant[] {
  const tokens = tokensOf(source, language);
  const found = [
    ...tokens.flatMap((token, index) => changed(token, tokens[index - 1], source, language)),
    ...(language === 'func' ? [] : negated(tokens, source)),
    ...removed(tokens, source),
  ];
  const lines = lineStarts(source);
  return found
    .sort((a, b) => a.offset - b.offset || a.length - b.length)
    .map((one) => ({ ...placeAt(lines, one.offset), ...one }));
}

/** The source with a mutant in it. */
export function mutated(source: string, { offset, length, text }: SourceMutant): string {
  return source.slice(0, offset) + text + source.slice(offset + length);
}

type Change = Omit<SourceMutant, 'line' | 'column'>;

function changed(
  { kind, text, offset }: Token,
  before: Token | undefined,
  source: string,
  language: SourceLanguage,
): Change[] {
  const { length } = text;
  if (kind === 'number') {
    // `.0` is a part of a tuple.
    const isPart = before?.text === '.' && before.offset + 1 === offset;
    return isPart ? [] : [change(offset, length, text, String(BigInt(text.replaceAll('_', '')) + 1n))];
  }
  const other = (language === 'func' ? funcSwaps : swaps).get(text);
  // The brackets of types have no space before them.
  const isType = (text === '<' || text === '>') && !/\s/.test(source[offset - 1] ?? ' ');
  return other === undefined || isType ? [] : [change(offset, length, text, other)];
}

function change(offset: number, length: number, was: string, text: string): Change {
  return { offset, length, text, words: `${was} becomes ${text}` };
}

/** Conditions that say the opposite, so that the branches are swapped. */
function negated(tokens: readonly Token[], source: string): Change[] {
  return tokens.flatMap(({ text }, index) => {
    const open = tokens[index + 1];
    const close = text === 'if' && open?.text === '(' ? closingOf(tokens, index + 1) : undefined;
    if (open === undefined || close === undefined) {
      return [];
    }
    const length = close.offset + 1 - open.offset;
    const condition = source.slice(open.offset, open.offset + length);
    return [
      { offset: open.offset, length, text: `(!${condition})`, words: 'the condition becomes its opposite' },
    ];
  });
}

function closingOf(tokens: readonly Token[], open: number): Token | undefined {
  let depth = 0;
  return tokens.slice(open).find(({ text }) => {
    depth += text === '(' ? 1 : text === ')' ? -1 : 0;
    return depth === 0;
  });
}

/** Statements that are left out; the text keeps its lines. */
function removed(tokens: readonly Token[], source: string): Change[] {
  const changes: Change[] = [];
  let start = 0;
  let depth = 0;
  for (const [index, { text, offset }] of tokens.entries()) {
    depth += '([{'.includes(text) ? 1 : ')]}'.includes(text) ? -1 : 0;
    if (text === ';') {
      const [first, second] = tokens.slice(start, index);
      const isCheck = first?.text === 'assert' || first?.text === 'throw';
      // Two words are a declaration, such as `int x = 5`.
      const isStatement =
        first?.kind === 'word' && (isCheck || second?.kind !== 'word') && !needed.has(first.text);
      if (first !== undefined && isStatement && depth > 0) {
        const length = offset + 1 - first.offset;
        const text = source.slice(first.offset, offset + 1).replaceAll(/[^\n]/g, ' ');
        changes.push({ offset: first.offset, length, text, words: 'the statement is left out' });
      }
    }
    // Brackets of a call are inside of a statement.
    if (text === ';' || text === '{' || text === '}') {
      start = index + 1;
    }
  }
  return changes;
}

function tokensOf(source: string, language: SourceLanguage): Token[] {
  const tokens: Token[] = [];
  const comments =
    language === 'func'
      ? ([
          [';;', '\n'],
          ['{-', '-}'],
        ] as const)
      : ([
          ['//', '\n'],
          ['/*', '*/'],
        ] as const);
  const space = /\s+/y;
  const word = /[A-Za-z_$][\w$?!']*/y;
  const number = /0x[\da-fA-F_]+|\d[\d_]*/y;
  let offset = 0;
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = offset;
    return pattern.exec(source)?.[0];
  };
  while (offset < source.length) {
    const comment = comments.find(([begin]) => source.startsWith(begin, offset));
    const quote = source[offset] === '"' ? '"' : undefined;
    if (comment !== undefined || quote !== undefined) {
      offset = skipped(source, offset, comment?.[1] ?? '"');
      continue;
    }
    const blank = match(space);
    if (blank !== undefined) {
      offset += blank.length;
      continue;
    }
    const [kind, text]: [Token['kind'], string] = match(word)
      ? ['word', match(word)!]
      : match(number)
        ? ['number', match(number)!]
        : ['sign', signs.find((sign) => source.startsWith(sign, offset)) ?? source[offset]!];
    tokens.push({ kind, text, offset });
    offset += text.length;
  }
  return tokens;
}

/** Where a comment or a text that begins here has ended. */
function skipped(source: string, offset: number, end: string): number {
  let at = source.indexOf(end, offset + 1);
  while (end === '"' && at > 0 && source[at - 1] === '\\') {
    at = source.indexOf(end, at + 1);
  }
  return at < 0 ? source.length : at + end.length;
}

function lineStarts(source: string): number[] {
  return [0, ...[...source.matchAll(/\n/g)].map(({ index }) => index + 1)];
}

function placeAt(starts: readonly number[], offset: number): { line: number; column: number } {
  const line = starts.findLastIndex((start) => start <= offset);
  return { line: line + 1, column: offset - (starts[line] ?? 0) + 1 };
}

function bothWays(given: readonly (readonly [string, string])[]): (readonly [string, string])[] {
  return given.flatMap(([one, other]) => [[one, other] as const, [other, one] as const]);
}
