import { cellFlow } from './cellFlow';
import { dictionaryFlow } from './dictionaryFlow';
import { stackMoves } from './stackMoves';
import type { ResultFlow, SeenInstruction } from './valueParts';
import { intAt, madeOf, readWord, sameAs } from './valueParts';

/** What an instruction does with the stack. */
export interface InstructionFlow {
  /** By result, the deepest first. */
  results: readonly ResultFlow[];
}

/** All of the results are worked out from all that the instruction takes. */
function madeOfAll(count: number, grown: number): ResultFlow[] {
  const sources = Array.from({ length: Math.max(0, count - grown) }, (_, index) => ({
    slot: count - grown - 1 - index,
    part: { path: [] },
  }));
  return Array.from({ length: count }, () => () => ({ kind: 'made', sources }));
}

const given: ResultFlow = () => ({ kind: 'given' });

/** Instructions that only jump, by how many values they take. Another number means that the stack was divided. */
const control: Readonly<Record<string, readonly number[]>> = {
  ...{
    NOP: [0],
    EXECUTE: [1],
    CALLX: [1],
    JMPX: [1],
    RET: [0, 1],
    RETALT: [0],
    RETBOOL: [1],
    implicit: [0, 1],
  },
  ...{ CALLREF: [0], JMPREF: [0], JMPDICT: [0], IFRET: [1], IFNOTRET: [1], IFRETALT: [1], IFNOTRETALT: [1] },
  ...{ IF: [2], IFNOT: [2], IFJMP: [2], IFNOTJMP: [2], IFELSE: [3], IFREF: [1], IFNOTREF: [1] },
  ...{ IFJMPREF: [1], IFNOTJMPREF: [1], IFREFELSE: [2], IFELSEREF: [2], IFREFELSEREF: [1] },
  ...{ IFBITJMP: [1], IFNBITJMP: [1], IFBITJMPREF: [0], IFNBITJMPREF: [0] },
  ...{ REPEAT: [2], REPEATEND: [1], UNTIL: [1], UNTILEND: [0], WHILE: [2], WHILEEND: [1], AGAIN: [1] },
  ...{ AGAINEND: [0], REPEATBRK: [2], REPEATENDBRK: [1], UNTILBRK: [1], UNTILENDBRK: [0], WHILEBRK: [2] },
  ...{ WHILEENDBRK: [1], AGAINBRK: [1], AGAINENDBRK: [0], TRY: [2] },
};

/** Instructions by the number of their results that are worked out from all that they take. */
const plain: readonly (readonly [results: number, names: RegExp])[] = [
  // What has effects only.
  [
    0,
    /^(?:THROW(?:ARG)?(?:ANY)?(?:IF|IFNOT)?|ACCEPT|SETGASLIMIT|BUYGAS|COMMIT|SENDRAWMSG|RAWRESERVEX?|SETCODE|SETLIBCODE|CHANGELIB|SETCP0?|SETCPX|SAMEALT|SAMEALTSAVE|ATEXIT|ATEXITALT|SETEXITALT|SAVECTR|SAVEALTCTR|SAVEBOTHCTR|SAVE|SAVEALT|SAVEBOTH|SETRETCTR|SETALTCTR|POPSAVE|SETRAND|ADDRAND|RANDOMIZE|DEBUG|DEBUGSTR|DUMP|DUMPSTK|STRDUMP|STRPRINT|SETGLOB|SETGLOBVAR|ENDS|BCHKBITS|BCHKREFS|BCHKBITREFS|SCHKBITS|SCHKREFS|SCHKBITREFS)$/,
  ],
  // What the code itself has.
  [
    1,
    /^(?:PUSHINT|PUSHINTX|ZERO|ONE|TWO|TEN|TRUE|FALSE|PUSHPOW2|PUSHNEGPOW2|PUSHPOW2DEC|PUSHNAN|PUSHNULL|NULL|NIL|PUSHSLICE|PUSHREF|PUSHREFSLICE|PUSHREFCONT|PUSHCONT|CONT|NEWC|NEWDICT|CALLDICT|CALL)$/,
  ],
  [2, /^(?:DICTPUSHCONST|PREPAREDICT|PREPARE)$/],
  // Numbers.
  [
    1,
    /^Q?(?:ADD|SUB|SUBR|NEGATE|INC|DEC|ADDINT|ADDCONST|SUBINT|MUL|MULINT|MULCONST|POW2|AND|OR|XOR|NOT|MIN|MAX|ABS|SGN|LESS|EQUAL|LEQ|GREATER|NEQ|GEQ|CMP|EQINT|LESSINT|GTINT|NEQINT|LEQINT|GEQINT|ISNAN|BITSIZE|UBITSIZE|LSHIFT#?|RSHIFT[RC]?#?|LSHIFTD?|LSHIFT_VAR|RSHIFT_VAR)$/,
  ],
  [2, /^Q?(?:MINMAX|INTSORT2)$/],
  // Questions about values.
  [
    1,
    /^(?:ISNULL|ISTUPLE|TLEN|QTLEN|SEMPTY|SDEMPTY|SREMPTY|SDFIRST|SDLEXCMP|SDEQ|SDP?PFX(?:REV)?|SDP?SFX(?:REV)?|SDCNT\w+|SBITS|SREFS|BBITS|BREFS|BREMBITS|BREMREFS|[SCB]DEPTH|CLEVEL(?:MASK)?|DICTEMPTY|BOOLEVAL)$/,
  ],
  [2, /^(?:SBITREFS|BBITREFS|BREMBITREFS)$/],
  [
    1,
    /^(?:HASHCU|HASHSU|HASHBU|SHA256U|CHASHIX?|CDEPTHIX?|HASHEXTA?R?\w*|CHKSIGNU|CHKSIGNS|P256_CHKSIGN[US]|PARSEMSGADDR|BLS_\w+|RIST255_(?!PUSHL|Q)\w+|SENDMSG|GETGASFEE|GETSTORAGEFEE|GETFORWARDFEE|GETORIGINALFWDFEE|GETGASFEESIMPLE|GETFORWARDFEESIMPLE|RAND|CONFIGOPTPARAM)$/,
  ],
  [3, /^(?:CDATASIZE|SDATASIZE)$/],
  // Continuations.
  [
    1,
    /^(?:BLESS|BLESSARGS|BLESSVARARGS|SETCONTCTR|SETCONTCTRMANYX?|SETCONTVARARGS|SETNUMVARARGS|SETCONT|SETCONTARGS|SETNUMARGS|COMPOS|COMPOSALT|BOOLAND|BOOLOR|COMPOSBOTH|THENRET|THENRETALT|INVERT|CALLCC|PUSHCTRX)$/,
  ],
];

/** Most values that an instruction takes from the stack, but for those with a count of their own. */
const mostTaken = 8;

/** Rules by name are looked for once. */
const counts = new Map<string, number | undefined>();

function resultCount(name: string): number | undefined {
  if (!counts.has(name)) {
    counts.set(name, plain.find(([, names]) => names.test(name))?.[0]);
  }
  return counts.get(name);
}

/** Places in the tuple of a transaction's surroundings, by the instructions that read them. */
const parameters: Readonly<Record<string, readonly number[]>> = {
  ...{ NOW: [3], BLOCKLT: [4], LTIME: [5], RANDSEED: [6], BALANCE: [7], MYADDR: [8], CONFIGROOT: [9] },
  ...{ MYCODE: [10], INCOMINGVALUE: [11], STORAGEFEES: [12], PREVBLOCKSINFOTUPLE: [13] },
  ...{ UNPACKEDCONFIGTUPLE: [14], DUEPAYMENT: [15], INMSGPARAMS: [17] },
  ...{ INMSG_BOUNCE: [17, 0], INMSG_BOUNCED: [17, 1], INMSG_SRC: [17, 2], INMSG_FWDFEE: [17, 3] },
  ...{ INMSG_LT: [17, 4], INMSG_UTIME: [17, 5], INMSG_ORIGVALUE: [17, 6], INMSG_VALUE: [17, 7] },
  ...{ INMSG_VALUEEXTRA: [17, 8], INMSG_STATEINIT: [17, 9] },
};

/**
 * What an instruction does with the stack: which values it takes and where its results are from. Undefined for one that
 * this does not know.
 */
export function instructionFlow(seen: SeenInstruction): InstructionFlow | undefined {
  const { name, text, grown } = seen;
  const jump = control[name];
  if (jump !== undefined) {
    return jump.includes(-grown) ? { results: [] } : undefined;
  }
  const moves = stackMoves(text, (slot) => intAt(seen, slot));
  if (moves !== undefined) {
    return moves.results.length - moves.pops === grown ? { results: moves.results.map(sameAs) } : undefined;
  }
  const register = registerFlow(seen);
  if (register !== undefined) {
    return { results: register };
  }
  const results = cellFlow(seen) ?? dictionaryFlow(seen) ?? tupleFlow(seen) ?? chosen(seen);
  if (results !== undefined) {
    return { results };
  }
  const count = divisionCount(seen) ?? resultCount(name);
  return count === undefined || count < grown || count - grown > mostTaken
    ? undefined
    : { results: madeOfAll(count, grown) };
}

/** Divisions are named by their kind, with a number that says what they give: a quotient, a rest, or both. */
function divisionCount({ name, operands: [first = ''] }: SeenInstruction): number | undefined {
  if (!/^Q?[A-Z/]*(?:DIV|SHR|RSHIFT|POW2)\/MOD$/.test(name)) {
    return undefined;
  }
  const wanted = (Number(/^[a-f]$/.test(first) ? `0x${first}` : first) >> 2) & 3;
  return wanted === 0 || wanted === 3 ? 2 : 1;
}

function registerFlow({ name, operands, text, before }: SeenInstruction): ResultFlow[] | undefined {
  const [, register] = /^PUSH (c[457])$/.exec(text) ?? [];
  if (register === 'c4' || register === 'c5' || register === 'c7') {
    return [(part) => ({ kind: 'register', register, part })];
  }
  if (/^PUSH c\d+$/.test(text)) {
    return [given];
  }
  if (/^POP c\d+$/.test(text)) {
    return [];
  }
  const inGlobals = (...path: readonly number[]): ResultFlow[] => [
    (part) => ({
      kind: 'register',
      register: 'c7',
      part: { ...part, path: [...path, ...part.path] },
    }),
  ];
  const parameter = parameters[name];
  if (parameter !== undefined) {
    return inGlobals(0, ...parameter);
  }
  switch (name) {
    case 'GETGLOB':
      return inGlobals(Number(operands[0]));
    case 'GETGLOBVAR': {
      const index = intAt({ before }, 0);
      return index === undefined ? undefined : inGlobals(index);
    }
    case 'GETPARAM':
    case 'GETPARAMLONG':
      return inGlobals(0, Number(operands[0]));
    case 'INMSGPARAM':
      return inGlobals(0, 17, Number(operands[0]));
    case 'GASCONSUMED':
    case 'DEPTH':
    case 'RANDU256':
    case 'GLOBALID':
    case 'PREVMCBLOCKS':
    case 'PREVKEYBLOCK':
    case 'PREVMCBLOCKS_100':
    case 'GETPRECOMPILEDGAS':
      return [given];
    case 'CONFIGDICT':
      return [...inGlobals(0, 9), given];
    default:
      return undefined;
  }
}

/** Tuples. */
function tupleFlow(seen: SeenInstruction): ResultFlow[] | undefined {
  const { name, operands, grown } = seen;
  const [first = Number.NaN, second = 0, third = 0] = operands.map(Number);
  const item = (...path: readonly number[]): ResultFlow => {
    return (part) => ({
      kind: 'same',
      source: { slot: 0, part: { ...part, path: [...path, ...part.path] } },
    });
  };
  switch (name) {
    case 'TUPLE':
      return [tupleOf(first, 0)];
    case 'TUPLEVAR': {
      const count = intAt(seen, 0);
      return count === undefined ? undefined : [tupleOf(count, 1)];
    }
    case 'INDEX':
    case 'INDEXQ':
      return [item(first)];
    case 'INDEX2':
      return [item(first, second)];
    case 'INDEX3':
      return [item(first, second, third)];
    case 'INDEXVAR': {
      const index = intAt(seen, 0);
      return index === undefined
        ? undefined
        : [
            (part) => ({
              kind: 'same',
              source: { slot: 1, part: { ...part, path: [index, ...part.path] } },
            }),
          ];
    }
    case 'UNTUPLE':
    case 'UNPACKFIRST':
      return Array.from({ length: first }, (_, index) => item(index));
    case 'EXPLODE':
      return [...Array.from({ length: Math.max(0, grown) }, (_, index) => item(index)), ...madeOfAll(1, 0)];
    case 'SETINDEX':
    case 'SETINDEXQ':
      return [withItem(first, 1, 0)];
    case 'TPUSH':
    case 'COMMA': {
      const tuple = readWord(seen.before(1));
      return tuple.type === 'tuple' ? [withItem(tuple.items.length, 1, 0)] : undefined;
    }
    case 'LAST':
    case 'TPOP': {
      const tuple = readWord(seen.before(0));
      const last = tuple.type === 'tuple' ? item(tuple.items.length - 1) : undefined;
      return last === undefined ? undefined : name === 'LAST' ? [last] : [sameAs(0), last];
    }
    case 'NULLSWAPIF':
    case 'NULLSWAPIFNOT':
    case 'NULLSWAPIF2':
    case 'NULLSWAPIFNOT2':
      return [...Array.from({ length: grown }, () => madeOf()), sameAs(0)];
    case 'NULLROTRIF':
    case 'NULLROTRIFNOT':
    case 'NULLROTRIF2':
    case 'NULLROTRIFNOT2':
      return [...Array.from({ length: grown }, () => madeOf()), sameAs(1), sameAs(0)];
    default:
      return undefined;
  }
}

function tupleOf(count: number, above: number): ResultFlow {
  return ({ path: [index, ...path], bits }) =>
    index === undefined
      ? {
          kind: 'made',
          sources: Array.from({ length: count }, (_, one) => ({
            slot: above + count - 1 - one,
            part: { path: [] },
          })),
        }
      : { kind: 'same', source: { slot: above + count - 1 - index, part: { path, bits } } };
}

function withItem(index: number, tuple: number, item: number): ResultFlow {
  return (part) => {
    const [first, ...path] = part.path;
    if (first === undefined) {
      const sources = [tuple, item].map((slot) => ({ slot, part: { path: [] } }));
      return { kind: 'made', sources };
    }
    return {
      kind: 'same',
      source: first === index ? { slot: item, part: { ...part, path } } : { slot: tuple, part },
    };
  };
}

/** What is one of its operands as it is. */
function chosen(seen: SeenInstruction): ResultFlow[] | undefined {
  switch (seen.name) {
    case 'CONDSEL':
    case 'CONDSELCHK':
      return [sameAs(intAt(seen, 2) === 0 ? 0 : 1)];
    case 'FITS':
    case 'UFITS':
    case 'CHKBOOL':
    case 'CHKBIT':
    case 'CHKNAN':
      return [sameAs(0)];
    case 'FITSX':
    case 'UFITSX':
      return [sameAs(1)];
    default:
      return undefined;
  }
}
