import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beginCell } from '@ton/core';
import { runCommandLine } from '../support/commandLine';

const tolk = [
  'fun onInternalMessage(in: InMessage) {',
  '    assert (in.valueCoins > 5) throw 70;',
  '}',
  'get fun answer(): int {',
  '    return 42;',
  '}',
].join('\n');
/** Code of something else. */
const olderCode = beginCell().storeUint(7, 8).endCell().toBoc().toString('hex');
const func = '() recv_internal() impure { throw_if(70, 1 > 2); }\n';
const tact = 'contract Till {\n  receive() {}\n}\n';

/** A package in node_modules, which is there but does nothing. */
function fakePackage(name: string, version: string, text = ''): Record<string, string> {
  const folder = `node_modules/${name}`;
  return {
    [`${folder}/package.json`]: JSON.stringify({ name, version, main: 'index.js' }),
    [`${folder}/index.js`]: text,
  };
}

const packageJson = (devDependencies: Record<string, string> = {}): Record<string, string> => ({
  'package.json': JSON.stringify({ name: 'shop', devDependencies }),
});

interface SetUp {
  files: Record<string, string>;
  /** What `doctor` is given. */
  named?: string;
  /** What comes first. */
  cause: RegExp;
  next: RegExp;
}

/** Folders in which something is missing; each has one cause. */
const setUps: Readonly<Record<string, SetUp>> = {
  'an empty folder': {
    files: {},
    cause: /^There is no source in Tolk, FunC, or Tact in .+ in its folders contracts, sources/,
    next: /^Open the folder of a project/,
  },
  'a folder that nothing marks as a project, with sources where they are not looked for': {
    files: { 'src/deep/Gate.tolk': tolk },
    cause: /^There is no source .+ in its folders contracts, sources, wrappers/,
    next: /one with package\.json, Acton\.toml/,
  },
  'a project with no sources but wrappers': {
    files: { ...packageJson(), 'wrappers/Gate.ts': 'export class Gate {}' },
    cause: /^There is no source .+, only build output and wrappers\.$/,
    next: /^Open the folder of the contracts/,
  },
  'sources of which none is a contract': {
    files: { ...packageJson(), 'contracts/errors.tolk': 'const ERR_WEAK = 70\n' },
    cause: /^None of the 1 sources is a contract/,
    next: /onInternalMessage \(Tolk\)/,
  },
  'a package.json that is not JSON': {
    files: { 'package.json': '{ "name": "shop", }', 'contracts/Gate.tolk': tolk },
    cause: /^package\.json is not JSON: /,
    next: /^Correct package\.json/,
  },
  'a tact.config.json that is not JSON': {
    files: {
      ...packageJson({ '@tact-lang/compiler': '^1.6.0' }),
      'tact.config.json': '{',
      'till.tact': tact,
    },
    cause: /^tact\.config\.json is not JSON: /,
    next: /^Correct tact\.config\.json/,
  },
  'an Acton.toml with an error': {
    files: { 'Acton.toml': '[contracts.Gate\nsrc = "contracts/Gate.tolk"\n', 'contracts/Gate.tolk': tolk },
    cause: /^Acton\.toml, line 1: /,
    next: /./,
  },
  'FunC without its compiler': {
    files: { ...packageJson(), 'contracts/gate.fc': func },
    cause: /^FunC is compiled by @ton-community\/func-js, which the project does not have\.$/,
    next: /^Run "npm install --save-dev @ton-community\/func-js"\.$/,
  },
  'FunC whose packages were not installed': {
    files: { ...packageJson({ '@ton-community/func-js': '^0.10.0' }), 'contracts/gate.fc': func },
    cause: /^package\.json asks for @ton-community\/func-js \^0\.10\.0, which is not installed\.$/,
    next: /^Run "npm install"\.$/,
  },
  'Tact whose packages were not installed': {
    files: { ...packageJson({ '@tact-lang/compiler': '1.6.7' }), 'contracts/till.tact': tact },
    cause: /^package\.json asks for @tact-lang\/compiler 1\.6\.7, which is not installed\.$/,
    next: /^Run "npm install"\.$/,
  },
  'Tolk of a version that is not installed': {
    files: {
      ...packageJson({ '@ton/tolk-js': '=1.4.0' }),
      'contracts/Gate.tolk': `contract Gate {\n    author: "me"\n}\n${tolk}`,
    },
    cause:
      /^package\.json asks for @ton\/tolk-js =1\.4\.0, which is not installed; TON Workbench's Tolk [\d.]+ is used instead\.$/,
    next: /^Run "npm install"\.$/,
  },
  "a compiler of the project's own that was not allowed to run": {
    files: { ...packageJson(), ...fakePackage('@ton-community/func-js', '0.9.1'), 'contracts/gate.fc': func },
    cause: /^The project's @ton-community\/func-js 0\.9\.1 is not run here\.$/,
    next: /ton-workbench doctor contracts\/gate\.fc$/,
  },
  'a compiler that cannot be loaded': {
    files: {
      ...packageJson(),
      ...fakePackage('@ton-community/func-js', '0.9.1', "require('./gone')"),
      'contracts/gate.fc': func,
    },
    named: 'contracts/gate.fc',
    cause: /@ton-community\/func-js cannot be loaded: /,
    next: /^Install it again/,
  },
  'a source with an error': {
    files: { ...packageJson(), 'contracts/Gate.tolk': tolk.replace('throw 70;', 'throw;') },
    cause: /^Gate\.tolk does not compile: line 2, /,
    next: /./,
  },
  'a source that imports a file that is not there': {
    files: { ...packageJson(), 'contracts/Gate.tolk': `import "./errors"\n${tolk}` },
    cause: /^Gate\.tolk does not compile: line 1, .*errors/,
    next: /./,
  },
  'build output of older code': {
    files: {
      ...packageJson(),
      'contracts/Gate.tolk': tolk,
      'build/Gate.compiled.json': JSON.stringify({ hex: olderCode }),
    },
    cause:
      /^build\/Gate\.compiled\.json \(3 days old\) has other code than contracts\/Gate\.tolk compiles to\.$/,
    next: /^Run the project's build again/,
  },
  'build output that is not JSON': {
    files: { ...packageJson(), 'contracts/Gate.tolk': tolk, 'build/Gate.compiled.json': '{"hex": "b5ee' },
    cause: /^build\/Gate\.compiled\.json is not JSON, so nothing of it is used\.$/,
    next: /^Run the project's build again\.$/,
  },
  'build output that was cut off': {
    files: {
      ...packageJson(),
      'contracts/Gate.tolk': tolk,
      'build/Gate.compiled.json': JSON.stringify({ hex: olderCode.slice(0, -4) }),
    },
    cause: /^build\/Gate\.compiled\.json has no code that can be read\.$/,
    next: /^Run the project's build again\.$/,
  },
  'a local network that was killed': {
    files: {
      ...packageJson(),
      'contracts/Gate.tolk': tolk,
      '.ton/local.json': JSON.stringify({ v2: 'http://127.0.0.1:9/api/v2', v3: 'http://127.0.0.1:9/api/v3' }),
    },
    cause: /^The folder's local network at http:\/\/127\.0\.0\.1:9 has stopped unexpectedly\.$/,
    next: /^Start it again: ton-workbench localnet/,
  },
};

describe('doctor', () => {
  let folder = '';

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'workbench-doctor-'));
  });

  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  function write(files: Record<string, string>): void {
    for (const [name, text] of Object.entries(files)) {
      const file = path.join(folder, name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, text);
      const written = new Date(Date.now() - (name.startsWith('build/') ? 3.5 * 86_400_000 : 0));
      utimesSync(file, written, written);
    }
  }

  for (const [name, { files, named, cause, next }] of Object.entries(setUps)) {
    it(`names the cause in ${name}`, async () => {
      write(files);
      const given = named === undefined ? [] : [named];
      const { status, stdout, stderr } = await runCommandLine(['doctor', ...given], {}, folder);
      assert.equal(status, 0, stderr);
      const [first, second] = stdout.split('\n');
      assert.match(first ?? '', cause, stdout);
      assert.match(second ?? '', next, stdout);
    });
  }

  it('refuses a file that is not there, instead of finding no source in the project', async () => {
    write({ ...packageJson(), 'contracts/Gate.tolk': tolk });
    const { status, stderr } = await runCommandLine(['doctor', 'contracts/Gat.tolk'], {}, folder);
    assert.equal(status, 2);
    assert.match(stderr, /^\{"code":"file-unreadable",.*contracts\/Gat\.tolk.* does not exist\./);
  });

  it('says that all is well, with what a report needs, and prints it as JSON', async () => {
    write({ ...packageJson(), 'contracts/Gate.tolk': tolk });
    const { stdout } = await runCommandLine(['doctor'], {}, folder);
    assert.match(stdout, /^✓ project: 1 contract found: 1 in Tolk\.$/m);
    assert.match(stdout, /^✓ compiler: Tolk is compiled by TON Workbench's Tolk 1\./m);
    assert.match(stdout, /^✓ source: contracts\/Gate\.tolk compiled\.$/m);
    assert.match(stdout, /^✓ lines: All 2 methods have source lines\.$/m);
    assert.match(stdout, /^TON Workbench: \d/m);
    const json = await runCommandLine(['doctor', '--json'], {}, folder);
    const { findings } = JSON.parse(json.stdout) as { findings: { subject: string; state: string }[] };
    const good = findings.filter(({ state }) => state === 'good').map(({ subject }) => subject);
    assert.deepEqual(good, ['project', 'compiler', 'source', 'lines']);
  });
});
