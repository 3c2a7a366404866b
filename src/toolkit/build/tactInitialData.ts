/** What a build says about a contract's initial data. */
export interface InitialData {
  /** Stack text of a cell to start from, with placeholder values. */
  text: string;
  /** The author's names and types of the values, for display: `owner: Address, id: Int as uint32`. */
  parameters: string;
}

interface TactType {
  kind: string;
  type: string;
  optional?: boolean | undefined;
  format?: number | string | undefined;
}

interface TactInit {
  kind: string;
  args: { name: string; type: TactType }[];
  prefix?: { bits: number; value: number } | undefined;
  deployment?: { kind: string; system: string | null } | undefined;
}

/** Bits of an address (addr_std). */
const addressBits = 267;
const coinsBits = 124;

/**
 * The initial data of a Tact package's contract: the system cell (older compilers), the bit that says that
 * init() has not run yet (contracts with init), then the arguments in order. If an argument is not of a plain
 * type, or they do not all fit into one cell, the text stops before it.
 * @param init the package's `init`; undefined for anything else
 * @param compiler the package's `compiler`
 */
export function tactInitialData(init: unknown, compiler?: unknown): InitialData | undefined {
  if (!isInit(init)) {
    return undefined;
  }
  const { args, prefix, deployment } = init;
  const before = [
    ...(deployment?.system == null || !hasSystemCell(compiler) ? [] : [`ref ${deployment.system}`]),
    ...(prefix === undefined ? [] : [`u${prefix.bits} ${prefix.value}`]),
  ];
  const fields = args.map(({ type }) => field(type));
  const bits = fields.reduce((sum, one) => sum + (one?.bits ?? 0), prefix?.bits ?? 0);
  const known = fields.filter((one) => one !== undefined);
  const fits = known.length === fields.length && bits <= 1023;
  const values = [...before, ...(fits ? known.map(({ text }) => text) : [])];
  return {
    text: `b(${values.join(', ')})`,
    parameters: args.map(({ name, type }) => `${name}: ${typeName(type)}`).join(', '),
  };
}

/** Packages still name the system cell with the codes of children, but since Tact 1.6 data does not hold it. */
function hasSystemCell(compiler: unknown): boolean {
  const version = (compiler as { version?: unknown } | undefined)?.version;
  const [major = 0, minor = 0] = typeof version === 'string' ? version.split('.').map(Number) : [];
  return major === 1 && minor < 6;
}

function isInit(init: unknown): init is TactInit {
  const { args } = (init ?? {}) as Partial<TactInit>;
  return (
    Array.isArray(args) && args.every((one) => typeof one?.name === 'string' && one.type?.kind !== undefined)
  );
}

/** One argument with a placeholder value; undefined if it cannot be written inline. */
function field({ kind, type, optional, format }: TactType): { text: string; bits: number } | undefined {
  if (kind !== 'simple') {
    return undefined;
  }
  if (type === 'address') {
    return { text: optional === true ? 'addr none' : 'addr @alice', bits: addressBits };
  }
  if (optional === true) {
    return { text: 'u1 0', bits: 1 };
  }
  switch (type) {
    case 'int':
    case 'uint': {
      if (format === 'coins') {
        return { text: 'coins 0', bits: coinsBits };
      }
      const bits = typeof format === 'number' ? format : format === undefined ? 257 : undefined;
      return bits === undefined ? undefined : { text: `${type === 'int' ? 'i' : 'u'}${bits} 0`, bits };
    }
    case 'bool':
      return { text: 'u1 0', bits: 1 };
    case 'cell':
      return { text: 'ref b()', bits: 0 };
    default:
      return undefined;
  }
}

function typeName({ kind, type, optional, format }: TactType): string {
  const plain = kind === 'simple' ? type : kind;
  return `${plain}${format === undefined ? '' : ` as ${format}`}${optional === true ? '?' : ''}`;
}
