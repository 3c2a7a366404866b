import assert from 'node:assert/strict';
import {
  builtContract,
  contractGroups,
  contractSources,
  staleBuilds,
} from '../../../src/toolkit/contracts/abi/projectContract';
import { describeContract } from '../../../src/toolkit/contracts/abi/contractDescription';
import type { ProjectContract } from '../../../src/toolkit/contracts/abi/projectContract';
import { readProject } from '../../../src/toolkit/contracts/abi/readProject';
import { sourceCodes } from '../../../src/toolkit/build/sourceCodes';
import { WorkbenchError } from '../../../src/toolkit/base/errors';
import { projectStorage } from '../../../src/toolkit/contracts/layouts/projectLayouts';
import { findSourceMap } from '../../../src/toolkit/sourceMap/findSourceMap';
import type { ActonOutput } from '../../support/actonLamp';
import { actonOutput, lampErrors, lampFiles, lampSource } from '../../support/actonLamp';

const source = 'contracts/lamp_main.tolk';

describe('what a project has built', () => {
  let acton: ActonOutput;
  before(async () => {
    acton = await actonOutput();
  });

  /** The contracts of the lamp's project with more files; `others` are read only if the project names them. */
  const projectWith = async (
    files: Record<string, string>,
    others: Record<string, string> = {},
    problems: string[] = [],
  ): Promise<ProjectContract[]> =>
    readProject(
      Object.entries({ ...lampFiles, ...files }).map(([path, text]) => ({ path, text })),
      (path, error) => problems.push(`${path}: ${WorkbenchError.is(error) ? error.code : String(error)}`),
      () => Promise.resolve(),
      { readImported: (path) => Promise.resolve(others[path]) },
    );

  it('names a code, its storage, messages, and exit codes, of every tool, though nothing here compiles the source', async () => {
    const hex = Buffer.from(acton.code, 'base64').toString('hex');
    const toml = (more: string): Record<string, string> => ({
      'Acton.toml': `${lampFiles['Acton.toml']}${more}`,
    });
    const forms: [string, Record<string, string>, Record<string, string>?][] = [
      ["Acton's build", { 'build/Lamp.json': acton.build }],
      [
        "Acton's build in another folder",
        toml('[build]\nout-dir = "out"\n'),
        { 'out/Lamp.json': acton.build },
      ],
      ["Acton's bundle", { 'sources/Lamp.source.json': acton.bundle }],
      ["Acton's .boc", toml('output = "out/lamp.boc"\n'), { 'out/lamp.boc': acton.code }],
      ["Blueprint's build", { 'build/lamp-main.compiled.json': JSON.stringify({ hex }) }],
      [
        "Blueprint's build under another name",
        {
          'Acton.toml': '',
          'wrappers/Bulb.compile.ts': `export const compile = { lang: 'tolk', entrypoint: '${source}' };`,
          'build/Bulb.compiled.json': JSON.stringify({ hex }),
        },
      ],
      ['what a compiler prints', { 'build/lamp_main.json': JSON.stringify({ codeBoc64: acton.code }) }],
    ];
    for (const [form, files, others] of forms) {
      const project = await projectWith(files, others);
      const described = describeContract({ codeHash: acton.codeHash }, project);
      assert.equal(described.file, form === "Acton's bundle" ? source : described.file, form);
      assert.ok(['lamp_main', 'Lamp'].includes(described.name ?? ''), `${form}: ${described.name}`);
      assert.deepEqual(
        described.methods.map(({ name }) => name),
        ['level'],
        form,
      );
      assert.equal(described.errors.get(412), 'ERR_DARK', form);
      const storage = await projectStorage(project, {
        name: described.name ?? '',
        file: described.file ?? '',
      });
      assert.equal(storage?.layout.name, 'Light', form);
      assert.ok(
        [...storage.set.structs.values()].some(({ name }) => name === 'Dim'),
        form,
      );
      assert.equal(contractGroups(project).length, 1, form);
    }
  });

  it('is tied to its source also if the project, the file, and the header each call it otherwise', async () => {
    const project = await projectWith({
      'Acton.toml': `[contracts.Torch]\nsrc = "${source}"\n`,
      'build/Torch.json': acton.build,
      'build/abi/Torch.json': acton.abi,
      'other/lamp_main.tolk': 'fun onInternalMessage(in: InMessage) { }',
    });
    const groups = contractGroups(project);
    const own = groups.find((group) => group.source === source);
    assert.deepEqual(own?.parts.map(({ file }) => file).sort(), [
      'build/Torch.json',
      'build/abi/Torch.json',
      source,
    ]);
    assert.equal(groups.find((group) => group.source === 'other/lamp_main.tolk')?.parts.length, 1);
    assert.equal(describeContract({ codeHash: acton.codeHash }, project).file, source);
  });

  it('that is given as code has the types of the source beside it', async () => {
    const project = await projectWith(
      {
        'Acton.toml': '[contracts.Lamp]\nsrc = "given/lamp.boc"\ntypes = "given/lamp.types.tolk"\n',
        'given/lamp.types.tolk': `${lampErrors}${lampSource.replace('import "errors"', '')}`,
        [source]: '',
      },
      { 'given/lamp.boc': acton.code },
    );
    const described = describeContract({ codeHash: acton.codeHash }, project);
    assert.equal(described.name, 'Lamp');
    assert.equal(described.errors.get(411), 'ERR_TOO_LITTLE');
    assert.deepEqual(
      described.methods.map(({ name }) => name),
      ['level'],
    );
  });

  it('from another text than the source has now is marked wherever it is shown, and does not count as its types', async () => {
    const bundle = { 'sources/Lamp.source.json': acton.bundle, 'build/Lamp.json': acton.build };
    const current = await projectWith(bundle);
    assert.ok(current.every(({ hasChanged }) => hasChanged !== true));
    assert.deepEqual(staleBuilds(current, source), []);
    const changes: Record<string, string>[] = [
      { [source]: lampSource.replace('level: uint16', 'level: uint8') },
      { 'contracts/errors.tolk': `${lampErrors}const ERR_MORE = 413\n` },
    ];
    for (const change of changes) {
      const project = await projectWith({ ...bundle, ...change });
      const old = project.filter(({ hasChanged }) => hasChanged === true).map(({ file }) => file);
      assert.deepEqual(old.sort(), ['build/Lamp.json', 'sources/Lamp.source.json']);
      const stale = staleBuilds(project, source).map(({ file, reason }) => `${file}: ${reason}`);
      assert.deepEqual(stale.sort(), ['build/Lamp.json: older', 'sources/Lamp.source.json: older']);
      const described = describeContract({ codeHash: acton.codeHash }, project);
      assert.equal(described.changedSource, source);
      assert.equal(described.nameOrigin, `its code, which an earlier version of ${source} compiled to`);
      assert.equal(described.errors.get(412), 'ERR_DARK');
      assert.ok(
        contractSources(project)[0]?.detail.includes('sources/Lamp.source.json (older than its source)'),
      );
      assert.deepEqual([...sourceCodes(source, project).earlier.keys()], [acton.codeHash]);
      const storage = await projectStorage(project, { name: 'lamp_main', file: source });
      assert.equal(storage?.set.origin, source);
    }
  });

  it('is marked if its source compiles to other code here, also where the build records no texts', async () => {
    const project = await projectWith({ 'build/Lamp.json': acton.build });
    const compiled = (codeHash: string): ProjectContract[] => [
      ...project,
      builtContract('lamp_main', source, codeHash),
    ];
    assert.deepEqual(staleBuilds(compiled(acton.codeHash), source), []);
    assert.deepEqual(staleBuilds(compiled('11'.repeat(32)), source), [
      { file: 'build/Lamp.json', reason: 'other code' },
    ]);
    assert.deepEqual(staleBuilds(compiled('11'.repeat(32)), 'contracts/errors.tolk'), []);
  });

  it('is not of a source with its name in another part of the project', async () => {
    const hex = Buffer.from(acton.code, 'base64').toString('hex');
    const files = {
      'impl/plain/lamp.tolk': 'struct Storage { on: bool }\nfun onInternalMessage(in: InMessage) {}',
    };
    const built = { [`impl/governed/Lamp.compiled.json`]: JSON.stringify({ hex }) };
    const project = await readProject(
      Object.entries({ ...files, ...built }).map(([path, text]) => ({ path, text })),
    );
    const sources = contractGroups(project).map(({ source: from, parts }) => [from, parts.length]);
    assert.deepEqual(sources, [
      ['impl/plain/lamp.tolk', 1],
      [undefined, 1],
    ]);
    // In a folder for what is built it is.
    const beside = await readProject(
      Object.entries({ ...files, 'impl/build/Lamp.compiled.json': JSON.stringify({ hex }) }).map(
        ([path, text]) => ({ path, text }),
      ),
    );
    assert.deepEqual(
      contractGroups(beside).map(({ parts }) => parts.length),
      [2],
    );
  });

  it('that is damaged, or is something else, is told, and the rest goes on', async () => {
    const other = '00'.repeat(32);
    const problems: string[] = [];
    const project = await projectWith(
      {
        'build/Lamp.json': acton.build.replace(acton.codeHash.toUpperCase(), other),
        'build/Cut.json': JSON.stringify({ code_boc64: acton.code.slice(0, 40) }),
        'build/Text.json': '{',
        'build/List.json': '[]',
        'build/report.json': '{"passed": 3}',
        'build/abi/Lamp.json': '{"abi_schema_version": "1.0", "get_methods": 3}',
        'sources/Lamp.source.json': acton.bundle.replace('"storage_ty_idx":5', '"storage_ty_idx":"x"'),
      },
      {},
      problems,
    );
    assert.deepEqual(problems.sort(), [
      'build/Cut.json: build-unreadable',
      'build/Lamp.json: build-unreadable',
      'build/List.json: build-unreadable',
      'build/Text.json: build-unreadable',
      'build/abi/Lamp.json: abi-unreadable',
      ...problems.filter((one) => one.startsWith('sources/')),
    ]);
    assert.equal(describeContract({ codeHash: acton.codeHash }, project).file, source);
  });

  it('does not count a file with get-methods that a contract imports as another one', async () => {
    const project = await projectWith({
      [source]: `import "parts/getters"\n${lampSource}`,
      'contracts/parts/getters.tolk': 'get fun twice(): int { return 2; }\n',
      'contracts/alone.tolk': 'get fun only(): int { return 1; }\n',
    });
    assert.deepEqual(
      contractGroups(project).map(({ name, parts }) => [
        name,
        parts.flatMap(({ methods }) => methods.map((one) => one.name)),
      ]),
      [
        ['lamp_main', ['level', 'twice']],
        ['alone', ['only']],
      ],
    );
  });

  it('knows what the files declare that Blueprint combines a FunC contract with', async () => {
    const project = await projectWith({
      'wrappers/Gate.compile.ts': "export const compile = { targets: ['func/codes.fc', 'func/gate.fc'] };",
      'func/codes.fc': 'const int op::open = 0x5ab20009;\nconst int error::shut = 431;\n',
      'func/gate.fc':
        '() recv_internal(slice body) impure { throw_unless(error::shut, body~load_uint(32) == op::open); }\n',
    });
    const gate = project.find(({ file }) => file === 'func/gate.fc');
    assert.equal(gate?.messages?.get(0x5ab20009), 'open');
    assert.equal(gate.errors.get(431), 'error::shut');
  });

  it('does not count a file that only declares what receives messages', async () => {
    const files = {
      'master.fc': '() recv_internal(int value, cell message, ;; { later\n slice body) impure { }',
      'admin.fc': '() recv_internal(slice body) impure;\n() upgrade() impure { recv_internal(x()); }',
    };
    const project = await readProject(Object.entries(files).map(([path, text]) => ({ path, text })));
    assert.deepEqual(
      project.map(({ name }) => name),
      ['master'],
    );
  });

  it('does not count the tests of Acton as contracts', async () => {
    const project = await projectWith({ 'tests/lamp.test.tolk': 'get fun `test that it is on`() { }\n' });
    assert.deepEqual(
      contractGroups(project).map(({ name }) => name),
      ['lamp_main'],
    );
  });

  it('has the lines of its code, found by the hash', async () => {
    const project = await projectWith({ 'sources/Lamp.source.json': acton.bundle });
    const asked: string[] = [];
    await findSourceMap(acton.codeHash, project, (file) => {
      asked.push(file);
      return Promise.resolve([]);
    });
    assert.deepEqual(asked, ['sources/Lamp.source.json', source]);
  });
});
