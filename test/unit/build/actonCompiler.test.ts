import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findActon } from '../../../src/toolkit/build/findActon';
import { listFolder } from '../../../src/toolkit/build/compileRequest';
import type { CompileRequest } from '../../../src/toolkit/build/compileRequest';
import { compileSource } from '../../../src/toolkit/build/compileSource';
import { compileTolk } from '../../../src/toolkit/build/compileTolk';
import type { BuiltContract } from '../../../src/toolkit/build/readBuiltContract';
import { SourceCompiler } from '../../../src/toolkit/build/sourceCompiler';
import { WorkbenchError } from '../../../src/toolkit/base/errors';
import { limits } from '../../../src/toolkit/base/limits';
import { systemClock } from '../../../src/toolkit/base/time';

const newer = `import "types";
// A header, as in Tolk 1.4.
contract Lamp {
  storage: Light
}
fun onInternalMessage(in: InMessage) { }
`;
const toml = `[contracts.Lamp]
src = "src/Lamp.tolk"
depends = ["Bulb"]
[contracts.Bulb]
src = "src/Bulb.tolk"
[build]
output-sources = "build/sources"
`;

describe('a Tolk source of an Acton project', () => {
  let folder: string;
  let lamp: string;
  let acton: string;
  let code: BuiltContract;
  const write = (name: string, text: string): void => {
    mkdirSync(path.dirname(`${folder}/${name}`), { recursive: true });
    writeFileSync(`${folder}/${name}`, text);
  };
  /** A program that notes what it is given. */
  const program = (then: string): void => {
    write(
      'bin/acton',
      `#!${process.execPath}\nrequire('fs').writeFileSync(${JSON.stringify(`${folder}/called`)}, JSON.stringify([process.cwd(), ...process.argv.slice(2)]));\n${then}\n`,
    );
    chmodSync(acton, 0o755);
  };
  const answers = (answer: object, status = 0): void =>
    program(`console.log(${JSON.stringify(JSON.stringify(answer))}); process.exitCode = ${status};`);
  const failure = (compiling: Promise<unknown>): Promise<WorkbenchError> =>
    compiling.then(
      () => assert.fail('it compiled'),
      (error: unknown) => {
        assert.ok(WorkbenchError.is(error), String(error));
        return error;
      },
    );
  const compile = async (request: Partial<CompileRequest> = {}): Promise<BuiltContract[]> => {
    const compiler = new SourceCompiler();
    try {
      return await compiler.compile(lamp, { isTrusted: true, acton, ...request });
    } finally {
      await compiler.close();
    }
  };

  before(async () => {
    code = await compileTolk(
      'Lamp.tolk',
      () => 'fun onInternalMessage(in: InMessage) { assert (1 == 2) throw 77; }',
    );
  });
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'tonwb-acton-')).replaceAll('\\', '/');
    lamp = `${folder}/src/Lamp.tolk`;
    acton = `${folder}/bin/acton`;
    write('Acton.toml', toml);
    write('src/Lamp.tolk', newer);
    write('src/types.tolk', 'struct Light { on: bool }\n');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is compiled by the acton on the PATH, in its project', async () => {
    answers({ success: true, code_boc64: code.code, code_hash_hex: code.codeHash });
    const [built] = await compile();
    assert.deepEqual(
      [built?.codeHash, built?.name, built?.compiledBy],
      [code.codeHash, 'Lamp', 'acton on the PATH'],
    );
    assert.deepEqual(JSON.parse(readFileSync(`${folder}/called`, 'utf8')), [
      folder,
      ...['compile', lamp, '--json', '--project-root', folder],
    ]);
    const compiler = new SourceCompiler();
    const [map] = await compiler.map(lamp, { isTrusted: true, acton });
    await compiler.close();
    assert.equal(map?.codeHash, code.codeHash);
    assert.match(map?.methods[0]?.refused ?? '', /^acton compiled it/);
    write(
      'node_modules/@ton/tolk-js/package.json',
      '{"name":"@ton/tolk-js","version":"1.4.0","main":"index.js"}',
    );
    write(
      'node_modules/@ton/tolk-js/index.js',
      'exports.runTolkCompiler = async () => ({ status: "error", message: "the own one" });',
    );
    assert.match((await failure(compile())).message, /the own one/, "the project's own compiler comes first");
  });

  it('has the errors of acton, which says what must be built before', async () => {
    answers({ success: false, error: `${lamp}:4:12: error: unknown type \`Light\`` }, 1);
    const error = await failure(compile());
    assert.equal(
      error.message,
      'Lamp.tolk does not compile: line 4, unknown type `Light` (acton on the PATH).',
    );
    assert.match(error.hint ?? '', /needs the code of Bulb: run "acton build"/);
    const [problem] = error.details['problems'] as { line: number }[];
    assert.equal(problem?.line, 4);
  });

  it('is not compiled by a program that prints rubbish, cannot be started, or sees another text', async () => {
    for (const printed of ['rubbish\nmore', '{"success":true,"code_boc64":"!"}', '[]', 'null', '']) {
      program(`process.stdout.write(${JSON.stringify(printed)})`);
      const error = await failure(compile());
      assert.equal(error.code, 'compiler-unusable', printed);
      assert.match(error.message, /^The answer of acton on the PATH is not understood: /);
    }
    chmodSync(acton, 0o644);
    assert.equal((await failure(compile())).code, 'compiler-unusable');
    const unsaved = { [lamp]: `${newer}\n` };
    assert.match((await failure(compile({ unsaved }))).message, /^Lamp\.tolk has changes that are not saved/);
  });

  it('ends a program that hangs, after the time for compiling or with the compiler', async () => {
    let expire: (() => void) | undefined;
    const clock = {
      ...systemClock,
      after: (ms: number, work: () => void) => {
        assert.equal(ms, limits.compileSeconds.most * 1000);
        expire = work;
        return () => (expire = undefined);
      },
    };
    // The program is there as long as its connection.
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    program(`require('net').connect(${port}, '127.0.0.1');`);
    try {
      for (const end of [() => expire?.(), (compiler: SourceCompiler) => void compiler.close()]) {
        const compiler = new SourceCompiler({ clock });
        const failing = failure(compiler.compile(lamp, { isTrusted: true, acton }));
        const [running] = (await once(server, 'connection')) as [Socket];
        const ended = new Promise((resolve) => running.on('error', resolve).on('close', resolve).resume());
        end(compiler);
        const { message } = await failing;
        assert.match(message, /^The compiler did not finish: it was (?:not done after 30 seconds|closed)\.$/);
        assert.equal(expire, undefined);
        await ended;
      }
    } finally {
      server.close();
    }
  });

  it('is not given to a program in a window that is not trusted', async () => {
    answers({ success: true, code_boc64: code.code });
    assert.equal((await failure(compile({ isTrusted: false }))).code, 'compiler-too-old');
    assert.throws(() => readFileSync(`${folder}/called`));
  });

  it('says in one sentence that it needs a newer compiler, and what to do', async () => {
    const sentence =
      /^Lamp\.tolk is written in Tolk 1\.4, and was given to TON Workbench's Tolk 1\.3\.0: this project has no compiler for it\.$/;
    const compileHere = (): Promise<BuiltContract[]> =>
      compileSource(lamp, { read: (file) => readFileSync(file, 'utf8'), list: listFolder, isTrusted: true });
    const error = await failure(compileHere());
    assert.equal(error.code, 'compiler-too-old');
    assert.match(error.message, sentence);
    assert.equal(error.hint, 'Install Acton, or @ton/tolk-js 1.4 in the project.');
    write('package.json', '{"devDependencies": {"@ton/tolk-js": "1.4.0"}}');
    write('build/Lamp.json', JSON.stringify({ code_boc64: code.code, hash: code.codeHash.toUpperCase() }));
    assert.equal(
      (await failure(compileHere())).hint,
      'Its package.json asks for @ton/tolk-js 1.4.0: run "npm install", or install Acton. Or give build/Lamp.json, if you know that it was built from this text.',
    );
    for (const [text, isNewer] of [
      ['fun onInternalMessage(in: InMessage) { val a = grams("0.1"); }', true],
      ['struct A { @abi.clientType(int8) a: uint8 }', true],
      ['import "types"; // contract Lamp {\nfun f() { nothing(); }', false],
      ['fun grams(x: int) { return nothing; }\nfun f() { grams(1); }', false],
    ] as const) {
      write('src/Lamp.tolk', text);
      assert.equal(
        (await failure(compileHere())).code,
        isNewer ? 'compiler-too-old' : 'compile-failed',
        text,
      );
    }
  });

  it('is taken from a build that recorded this text, and from no other', async () => {
    const sha = (text: string): string => createHash('sha256').update(text).digest('hex');
    const recorded = (hash = code.codeHash.toUpperCase()): string =>
      JSON.stringify({
        code_hash: hash,
        bundle: {
          compiler: { language: 'tolk', version: '1.4.2' },
          files: [
            { path: 'src/Lamp.abi.json', content_hash: 'ff', is_stdlib: false },
            { path: 'src/Lamp.tolk', content_hash: sha(newer), is_stdlib: false },
            { path: 'src/types.tolk', content_hash: sha('struct Light { on: bool }\n'), is_stdlib: false },
            { path: '@stdlib/common.tolk', content_hash: 'ff', is_stdlib: true },
          ],
          source_map: { code_boc64: code.code },
        },
      });
    write('build/sources/Lamp.source.json', recorded());
    const [built] = await compile({ acton: undefined });
    assert.equal(built?.codeHash, code.codeHash);
    assert.equal(built.compiledBy, "Acton's Tolk 1.4.2, built before (build/sources/Lamp.source.json)");
    for (const [name, text] of [
      ['src/types.tolk', 'struct Light { on: bool, hue: uint8 }\n'],
      ['build/sources/Lamp.source.json', recorded('00'.repeat(32))],
      ['build/sources/Lamp.source.json', recorded().replaceAll('src/', 'old/')],
      ['build/sources/Lamp.source.json', '{"bundle": {"files": 3}}'],
      ['build/sources/Lamp.source.json', '{'],
    ] as const) {
      write('src/types.tolk', 'struct Light { on: bool }\n');
      write('build/sources/Lamp.source.json', recorded());
      write(name, text);
      assert.equal(
        (await failure(compile({ acton: undefined }))).code,
        'compiler-too-old',
        text.slice(0, 80),
      );
    }
  });

  it('finds acton in the absolute folders of the PATH only', () => {
    program('');
    write('other/acton', 'not a program');
    const here = path.relative(process.cwd(), `${folder}/bin`);
    assert.equal(
      findActon([`${folder}/none`, `${folder}/other`, `${folder}/bin`].join(path.delimiter)),
      path.join(folder, 'bin/acton'),
    );
    assert.equal(findActon([here, '', '.'].join(path.delimiter)), undefined);
    assert.equal(findActon(undefined), undefined);
  });
});
