import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Cell } from '@ton/core';
import { listedMap, markedSource, notedMap } from './compilerMarks';

/** A contract in Tolk 1.4, which none of the compilers here compiles. */
export const lampSource = `import "errors"

/// A header, which the compilers before do not know.
contract Lamp {
    author: "a workshop"
    storage: Light
    incomingMessages: Toggle | Dim
}

struct Light {
    @abi.clientType(uint8)
    level: uint16
    turns: uint32
    price: coins = grams("0.05")
}

struct (0x5ab20001) Toggle {
    queryId: uint64
}

struct (0x5ab20002) Dim {
    queryId: uint64
    by: uint16
}

fun onInternalMessage(in: InMessage) {
    if (in.body.isEmpty()) { return }
    var light = Light.fromCell(contract.getData());
    assert (in.valueCoins >= grams("0.05")) throw ERR_TOO_LITTLE;
    if (in.body.preloadUint(32) == 0x5ab20002) {
        val dim = Dim.fromSlice(in.body);
        assert (dim.by <= light.level) throw ERR_DARK;
        light.level -= dim.by;
    }
    light.turns += 1;
    contract.setData(light.toCell());
}

get fun level(): uint16 {
    return Light.fromCell(contract.getData()).level;
}
`;
export const lampErrors = `const ERR_TOO_LITTLE = 411
const ERR_DARK = 412
`;

/** The same on the same lines, in the words that our compiler knows: what it gives stands for what Acton's gives. */
function inOurTolk(): string {
  const lines = lampSource.split('\n');
  const header = lines.indexOf('contract Lamp {');
  return [lampErrors.replaceAll('\n', ' '), ...lines.slice(1)]
    .map((line, index) => (index >= header && index <= header + 4 ? `// ${line}` : line))
    .map((line) => line.replace('grams(', 'ton(').replace(/@abi\.\w+\(\w+\)/, ''))
    .join('\n');
}

/** Its ABI as the compiler writes it. */
const lampAbi = {
  abi_schema_version: '1.0',
  contract_name: 'Lamp',
  compiler_name: 'tolk',
  compiler_version: '1.4.2',
  unique_types: [
    { kind: 'void' },
    { kind: 'uintN', n: 16 },
    { kind: 'uintN', n: 32 },
    { kind: 'uintN', n: 64 },
    { kind: 'coins' },
    { kind: 'StructRef', struct_name: 'Light' },
    { kind: 'StructRef', struct_name: 'Toggle' },
    { kind: 'StructRef', struct_name: 'Dim' },
  ],
  declarations: [
    {
      ...{ kind: 'struct', name: 'Light', ty_idx: 5 },
      fields: [
        { name: 'level', ty_idx: 1 },
        { name: 'turns', ty_idx: 2 },
        { name: 'price', ty_idx: 4 },
      ],
    },
    {
      ...{ kind: 'struct', name: 'Toggle', ty_idx: 6, prefix: { prefix_num: 0x5ab20001, prefix_len: 32 } },
      fields: [{ name: 'queryId', ty_idx: 3 }],
    },
    {
      ...{ kind: 'struct', name: 'Dim', ty_idx: 7, prefix: { prefix_num: 0x5ab20002, prefix_len: 32 } },
      fields: [
        { name: 'queryId', ty_idx: 3 },
        { name: 'by', ty_idx: 1 },
      ],
    },
  ],
  ...{ struct_instantiations: [], alias_instantiations: [], incoming_external: [], outgoing_messages: [] },
  ...{ emitted_events: [], incoming_messages: [{ body_ty_idx: 6 }, { body_ty_idx: 7 }] },
  storage: { storage_ty_idx: 5 },
  get_methods: [{ name: 'level', parameters: [], return_ty_idx: 1 }],
  thrown_errors: [
    { kind: 'constant', name: 'ERR_TOO_LITTLE', err_code: 411 },
    { kind: 'constant', name: 'ERR_DARK', err_code: 412 },
  ],
};

/** What Acton's compiler would write for the lamp. */
export interface ActonOutput {
  code: string;
  codeHash: string;
  /** `build/Lamp.json` */
  build: string;
  /** `build/abi/Lamp.json` */
  abi: string;
  /** `Lamp.source.json` */
  bundle: string;
  /** What `acton compile --source-map` writes. */
  map: string;
}

/** The files of the lamp's project. */
export const lampFiles: Readonly<Record<string, string>> = {
  'Acton.toml': '[package]\nname = "lamp"\n\n[contracts.Lamp]\nsrc = "contracts/lamp_main.tolk"\n',
  'contracts/lamp_main.tolk': lampSource,
  'contracts/errors.tolk': lampErrors,
};

export async function actonOutput(): Promise<ActonOutput> {
  const listed = 'contracts/lamp_main.tolk';
  const marked = await markedSource('/lamp/lamp.tolk', inOurTolk(), listed);
  const { code } = marked;
  const codeHash = Cell.fromBase64(code).hash().toString('hex');
  const file = (name: string, content: string): object => ({
    ...{ path: name, content, is_stdlib: false },
    content_hash: createHash('sha256').update(content).digest('hex'),
  });
  return {
    ...{ code, codeHash },
    build: JSON.stringify({ code_boc64: code, hash: codeHash.toUpperCase() }),
    abi: JSON.stringify(lampAbi),
    bundle: JSON.stringify({
      ...{ name: 'Lamp', display_name: 'Lamp', abi: lampAbi, code_hash: codeHash.toUpperCase() },
      bundle: {
        compiler: { language: 'tolk', version: '1.4.2' },
        compiler_abi: lampAbi,
        entrypoint: listed,
        files: [file(listed, lampSource), file('contracts/errors.tolk', lampErrors)],
        source_map: notedMap(marked),
      },
    }),
    map: JSON.stringify(listedMap(marked)),
  };
}

/** A folder with the lamp's project, and a folder with a program `acton` that answers with its recorded output. */
export function lampProject({ code, codeHash, map }: ActonOutput): { folder: string; bin: string } {
  const folder = mkdtempSync(path.join(tmpdir(), 'tonwb-lamp-'));
  const write = (name: string, text: string): void => {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  };
  Object.entries(lampFiles).forEach(([name, text]) => write(name, text));
  const program = path.join(folder, '.bin/acton');
  const answer = { success: true, code_boc64: code, code_hash_hex: codeHash };
  const texts = [lampSource, lampErrors];
  write(
    '.bin/acton',
    `#!${process.execPath}
const { readFileSync, writeFileSync } = require('fs');
const [command, file, ...options] = process.argv.slice(2);
const given = (name) => options[options.indexOf(name) + 1];
const root = given('--project-root');
const texts = ['contracts/lamp_main.tolk', 'contracts/errors.tolk'].map((one) => readFileSync(root + '/' + one, 'utf8'));
if (command !== 'compile' || JSON.stringify(texts) !== ${JSON.stringify(JSON.stringify(texts))}) {
  console.log(JSON.stringify({ success: false, error: file + ':1:1: error: nothing is recorded for this' }));
  process.exit(1);
}
if (options.includes('--source-map')) {
  writeFileSync(given('--source-map'), ${JSON.stringify(map)});
}
console.log(${JSON.stringify(JSON.stringify(answer))});
`,
  );
  chmodSync(program, 0o755);
  return { folder, bin: path.dirname(program) };
}
