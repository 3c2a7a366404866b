/** A type of a Tolk ABI that is 3^60 types when it is written out. */
export function explodingTolkAbi(): string {
  const types: unknown[] = [{ kind: 'int' }];
  for (let i = 1; i <= 60; i++) {
    types.push({ kind: 'tensor', items_ty_idx: [i - 1, i - 1, i - 1] });
  }
  return JSON.stringify({
    abi_schema_version: '1',
    contract_name: 'Exploding',
    unique_types: types,
    declarations: [],
    get_methods: [
      { name: 'tripled', parameters: [{ name: 'a', ty_idx: 60 }], return_ty_idx: 60 },
      { name: 'plain', parameters: [], return_ty_idx: 0 },
    ],
  });
}

const tactField = (name: string, type: string): unknown => ({ name, type: { kind: 'simple', type } });

/** Structs in structs, 2^40 fields when they are written out, and one that holds itself. */
export function explodingTactAbi(): string {
  const types = Array.from({ length: 40 }, (_, i) => ({
    name: `S${i}`,
    header: null,
    fields: [tactField('a', i === 0 ? 'int' : `S${i - 1}`), tactField('b', i === 0 ? 'int' : `S${i - 1}`)],
  }));
  types.push({ name: 'Self', header: null, fields: [tactField('a', 'Self'), tactField('b', 'Self')] });
  return JSON.stringify({
    name: 'Exploding',
    types,
    receivers: [],
    getters: [
      { name: 'get', arguments: [tactField('a', 'S39')], returnType: { kind: 'simple', type: 'Self' } },
    ],
    errors: {},
  });
}

/**
 * Files that a stranger's project may hold: each is small, and asks for more work than there is time by a reader that
 * does not bound it. Paths are relative to the folder of the project.
 */
export function hostileProject(size = 1_000_000): { path: string; text: string }[] {
  const filled = (part: string): string => part.repeat(Math.ceil(size / part.length)).slice(0, size);
  const parts: Record<string, string> = {
    lines: '\n',
    tabs: '\t\n',
    comments: '/*{',
    nested: '{-',
    brackets: '(',
    braces: '{ ',
    quotes: '"',
    structs: 'struct a{b:(',
    enums: 'enum a { x = ',
    gets: 'get fun a(b: (',
    arrows: 'get fun a(b: A -> A -> ',
    questions: 'get fun a(b: int',
    forall: 'forall\n',
    methods: 'a b() method_id\n',
    consts: 'const ERR_A   :    ',
    imports: 'import "',
    gt: 'a<',
  };
  const files = Object.entries(parts).flatMap(([name, part]) =>
    ['tolk', 'fc', 'tact'].map((ending) => ({
      path: `contracts/${name}.${ending}`,
      text: name === 'questions' ? part + filled('?') : filled(part),
    })),
  );
  const methods = Array.from({ length: 30_000 }, (_, i) => i);
  const doubled = Array.from({ length: 60 }, (_, i) =>
    i === 0 ? 'type T0 = (int, int)' : `type T${i} = (T${i - 1}, T${i - 1})`,
  ).join('\n');
  return [
    ...files,
    { path: 'contracts/many.tolk', text: methods.map((i) => `get fun m${i}(): int {}`).join('\n') },
    { path: 'contracts/many.fc', text: methods.map((i) => `int m${i}() method_id {}`).join('\n') },
    {
      path: 'contracts/many.tact',
      text: methods.map((i) => `contract C${i} with C${i + 1} { get fun m(): Int {} }`).join('\n'),
    },
    { path: 'contracts/types.tolk', text: `${doubled}\nget fun a(x: T59): T59 {}` },
    {
      path: 'contracts/generic.tolk',
      text: `${Array.from({ length: 22 }, (_, i) => `type G${i}<T> = (G${i + 1}<(T, int)>, G${i + 1}<(int, T)>)`).join('\n')}\nget fun a(): G0<int> {}`,
    },
    {
      path: 'wrappers/Many.ts',
      text: methods
        .map((i) => `provider.get('m${i}', []); stack.readNumber();`)
        .join('\n')
        .slice(0, size),
    },
    {
      path: 'wrappers/Builder.ts',
      text: filled("const b = new TupleBuilder(); provider.get('a', b.build());\n"),
    },
    { path: 'build/tensor.abi.json', text: explodingTolkAbi() },
    { path: 'build/structs.abi', text: explodingTactAbi() },
    {
      path: 'build/rows.abi.json',
      text: `{"abi_schema_version":"1","declarations":[],"get_methods":[],"unique_types":[${filled('0,').slice(0, -2)}0]}`.slice(
        0,
        size + 100,
      ),
    },
    { path: 'build/deep.abi.json', text: `{"abi_schema_version":${filled('[')}` },
    { path: 'build/Deep.compiled.json', text: `{"hex":${'['.repeat(size / 2)}${']'.repeat(size / 2)}}` },
    { path: 'build/Hex.compiled.json', text: `{"hex":"b5ee9c72${'0'.repeat(size - 100)}"}` },
  ];
}

/** Sources that all import one another. */
export function importingProject(count = 500): { path: string; text: string }[] {
  const names = Array.from({ length: count }, (_, i) => `f${i}`);
  const imports = names.map((name) => `import "${name}"`).join('\n');
  return names.map((name) => ({
    path: `contracts/${name}.tolk`,
    text: `${imports}\nstruct S_${name} { a: int }\nconst ERR_${name.toUpperCase()} = 1${name.slice(1)}\nget fun ${name}(): S_${name} {}`,
  }));
}
