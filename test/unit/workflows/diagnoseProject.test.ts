import assert from 'node:assert/strict';
import { WorkbenchError } from '../../../src/toolkit/base/errors';
import { diagnoseProject } from '../../../src/toolkit/workflows/diagnoseProject';
import type { DiagnosedProject, Finding } from '../../../src/toolkit/workflows/diagnosedProject';
import { diagnosisText } from '../../../src/toolkit/workflows/diagnosedProject';
import type { SourceMap } from '../../../src/toolkit/sourceMap/sourceMap';

const tolk = 'fun onInternalMessage(in: InMessage) { }';
const map: SourceMap = {
  ...{ codeHash: 'aa', name: 'Gate', language: 'tolk', places: [], names: [], branches: [], functions: [] },
  ...{ calls: [], globals: [], constants: [], libraries: [] },
  methods: [
    {
      id: 0,
      name: 'onInternalMessage',
      refused: 'the listing has ADD, the code SUB',
      marks: [],
      parents: [],
    },
  ],
};
const project: DiagnosedProject = {
  ...{ folder: '/shop', isProject: true, contracts: [], problems: [], now: 0, ownTolk: '1.3.0' },
  files: [{ path: 'Gate.tolk', text: tolk }],
  read: () => undefined,
  modified: () => undefined,
  installed: () => undefined,
  mayRun: () => true,
  compile: () => Promise.resolve([{ name: 'Gate', code: '', codeHash: 'aa' }]),
  map: () => Promise.resolve([{ ...map, methods: [] }]),
  network: { url: 'http://127.0.0.1:8081', state: 'none' },
  port: { number: 8081, user: 'nobody' },
};
const first = async (changes: Partial<DiagnosedProject>): Promise<Finding> =>
  (await diagnoseProject({ ...project, ...changes }))[0]!;

describe('the diagnosis of a project', () => {
  it('begins with what is wrong', async () => {
    assert.equal((await first({})).state, 'good');
    const lines = await first({ map: () => Promise.resolve([map]) });
    assert.equal(lines.subject, 'lines');
    assert.match(
      lines.text,
      /^Gate\.tolk: onInternalMessage has no lines: its listing differs from its code/,
    );
    const taken = await first({ port: { number: 8081, user: 'another program' } });
    assert.match(taken.text, /^Port 8081, .* is in use by another program\.$/);
    const shared = await first({ port: { number: 8081, user: 'local network' } });
    assert.match(shared.next ?? '', /^Use that one with --network http:\/\/127\.0\.0\.1:8081/);
    const restricted = await first({
      files: [{ path: 'till.tact', text: 'contract Till {}' }],
      installed: () => '1.6.7',
      mayRun: () => 'Trust this workspace.',
    });
    assert.deepEqual(restricted, {
      subject: 'trust',
      state: 'wrong',
      text: "The project's @tact-lang/compiler 1.6.7 is not run here.",
      next: 'Trust this workspace.',
    });
  });

  it('names the compiler that compiled, and none as good that could not', async () => {
    const texts = async (compile: DiagnosedProject['compile']): Promise<string[]> =>
      (await diagnoseProject({ ...project, compile }))
        .filter(({ subject }) => subject === 'compiler')
        .map(({ state, text }) => `${state}: ${text}`);
    const built = { name: 'Gate', code: '', codeHash: 'aa', compiledBy: 'acton on the PATH, as "Gate"' };
    assert.deepEqual(await texts(() => Promise.resolve([built])), [
      'good: Tolk is compiled by acton on the PATH.',
    ]);
    const message = 'Gate.tolk is written in Tolk 1.4.';
    const tooOld = new WorkbenchError({ code: 'compiler-too-old', kind: 'input', message });
    assert.deepEqual(await texts(() => Promise.reject(tooOld)), [`wrong: ${message}`]);
    const faulty = new WorkbenchError({
      code: 'compile-failed',
      kind: 'input',
      message: 'Gate.tolk: line 1',
    });
    assert.deepEqual(await texts(() => Promise.reject(faulty)), [
      "good: Tolk is compiled by TON Workbench's Tolk 1.3.0.",
    ]);
  });

  it('puts the cause before what follows from it', async () => {
    const all = await diagnoseProject({
      ...project,
      read: (file) => (file === 'package.json' ? '{ oops' : undefined),
      map: () => Promise.resolve([map]),
      network: { url: 'http://127.0.0.1:9', state: 'stopped' },
      port: { number: 8081, user: 'another program' },
    });
    assert.deepEqual(
      all.filter(({ state }) => state === 'wrong').map(({ subject }) => subject),
      ['project', 'lines', 'network', 'port'],
    );
    const text = diagnosisText(all, [['TON Workbench', '1.0.0']]).split('\n');
    assert.match(text[0] ?? '', /^package\.json is not JSON/);
    assert.match(text[1] ?? '', /^Correct package\.json/);
    assert.equal(text.at(-1), 'TON Workbench: 1.0.0');
  });
});
