import type { Cell } from '@ton/core';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { WorkbenchError, abortedError, toWorkbenchError } from '../base/errors';
import type { Clock } from '../base/time';
import { writeUserFile } from '../base/writeUserFile';
import type { SourceLanguage } from '../contracts/abi/sourceLanguage';
import type { Emulator } from '../execution/emulator/emulator';
import type { TestedFolder, TestsRun } from './runProjectTests';
import type { RecordInTests } from './seenByTests';
import { codeOfRecord, seenOfRecord } from './seenByTests';
import { mutated, sourceMutants } from './sourceMutants';
import type { SourceMutant } from './sourceMutants';
import type { TestRecording } from './testRecording';

/** A test, by its file (relative to the project) and full name. */
export interface NamedTest {
  file: string;
  name: string;
}

/** A contract whose source is mutated. */
export interface MutableContract {
  /** Hash of the code that the tests ran, lowercase hex. */
  codeHash: string;
  /** The source to compile, absolute. */
  entry: string;
  /** The entry and what it imports, absolute, as far as tests ran it. */
  files: readonly MutableFile[];
}

/** A file of a contract. */
export interface MutableFile {
  path: string;
  text: string;
  language: SourceLanguage;
  /** By line, from 1: the tests that ran it. */
  ran: ReadonlyMap<number, readonly NamedTest[]>;
  /** The lines that were changed lately, which come first. */
  changed: ReadonlySet<number>;
}

/** How mutants are judged. */
export interface MutateOptions {
  tested: TestedFolder;
  contracts: readonly MutableContract[];
  /** Of the tests as they are, all of which passed. */
  recordings: readonly TestRecording[];
  /** The code of a contract with other texts; undefined if that does not compile. */
  compile: (contract: MutableContract, texts: Readonly<Record<string, string>>) => Promise<Cell | undefined>;
  /** Runs tests of a copy of the project. */
  run: (tested: TestedFolder, tests: readonly NamedTest[], signal: AbortSignal) => Promise<TestsRun>;
  /** Reads the recordings of such a run. */
  read: (run: TestsRun) => Promise<readonly TestRecording[]>;
  emulator: Pick<Emulator, 'runTransaction' | 'runTickTock' | 'runGetMethod'>;
  /** Called after each mutant. `left`: at most so many are still to be judged. */
  onJudged?: ((progress: { judged: number; survived: number; left: number }) => void) | undefined;
  /** Bounds: mutants to judge, milliseconds for all and for each run of tests. */
  most: number;
  allMs: number;
  runMs: number;
  clock: Clock;
  signal: AbortSignal;
}

/** What became of a mutant. */
export interface JudgedMutant {
  mutant: SourceMutant;
  file: string;
  isChanged: boolean;
  /** `timed-out` counts as killed. */
  verdict: 'killed' | 'survived' | 'timed-out';
  /** The test that failed; of a survivor, the one that ran the line and little else: it should have failed. */
  test: NamedTest;
  /** Of a survivor: nothing that any test could see came out otherwise. */
  isUnseen: boolean;
}

/** What tests notice of a contract's faults. */
export interface MutationReport {
  judged: readonly JudgedMutant[];
  /** Candidates on lines that tests ran; more than were judged if a bound was met. */
  candidates: number;
  /** That do not compile, or compile to the same code: these are no mutants. */
  none: number;
  /** Runs of single tests that were needed, and those that running all tests for each mutant would have taken. */
  testRuns: number;
  allRuns: number;
  stoppedBy: 'mutants' | 'time' | undefined;
}

/**
 * Changes a contract's source in small ways, one at a time, in a copy of the project, and tells which changes no test
 * notices. A test runs only if something that it can see comes out otherwise with the changed code; tests that share a
 * `Blockchain` run together.
 *
 * @throws WorkbenchError `tests-not-recorded` (failed) if the tests do not compile the source themselves, `aborted`
 */
export async function mutateTests(options: MutateOptions): Promise<MutationReport> {
  const { contracts, most, clock, allMs, signal } = options;
  const tests = testsOf(options.recordings);
  const candidates = contracts.flatMap((contract) => candidatesOf(contract)).sort(byUse);
  const judged: JudgedMutant[] = [];
  const known = new Set(contracts.map(({ codeHash }) => codeHash));
  const began = clock.monotonic();
  let [none, testRuns] = [0, 0];
  let stoppedBy: MutationReport['stoppedBy'];
  const copy = await ProjectCopy.make(options.tested);
  try {
    for (const candidate of candidates) {
      if (signal.aborted) {
        throw abortedError(signal.reason);
      }
      stoppedBy = judged.length >= most ? 'mutants' : clock.monotonic() - began > allMs ? 'time' : undefined;
      if (stoppedBy !== undefined) {
        break;
      }
      const { contract, file, mutant } = candidate;
      const text = mutated(file.text, mutant);
      const code = await options.compile(contract, { [file.path]: text });
      const hash = code?.hash().toString('hex');
      // Two changes may be the same one.
      if (code === undefined || hash === undefined || known.has(hash)) {
        none += 1;
        continue;
      }
      known.add(hash);
      const noticing = await noticingTests(contract, code, tests, options);
      const ended = await runNoticing(copy, { ...candidate, text, hash }, noticing, options);
      testRuns += ended.runs;
      judged.push({
        ...{ mutant, file: file.path, isChanged: file.changed.has(mutant.line) },
        verdict: ended.verdict,
        test: ended.test ?? closestTest(file, mutant, contract),
        isUnseen: noticing.length === 0,
      });
      options.onJudged?.({
        judged: judged.length,
        survived: judged.filter(({ verdict }) => verdict === 'survived').length,
        left: Math.min(candidates.length - none, most) - judged.length,
      });
    }
  } finally {
    await copy.remove();
  }
  const allRuns = judged.length * tests.length;
  return { judged, candidates: candidates.length, none, testRuns, allRuns, stoppedBy };
}

interface Candidate {
  contract: MutableContract;
  file: MutableFile;
  mutant: SourceMutant;
  /** How many of its line are before it. */
  rank: number;
}

/** Those on lines that a test ran. */
function candidatesOf(contract: MutableContract): Candidate[] {
  return contract.files.flatMap((file) => {
    const ranks = new Map<number, number>();
    return sourceMutants(file.text, file.language)
      .filter(({ line }) => file.ran.has(line))
      .map((mutant) => {
        const rank = ranks.get(mutant.line) ?? 0;
        ranks.set(mutant.line, rank + 1);
        return { contract, file, mutant, rank };
      });
  });
}

/** Changed lines first, and one mutant of each line before a second one. */
function byUse(a: Candidate, b: Candidate): number {
  const isChanged = ({ file, mutant }: Candidate): number => (file.changed.has(mutant.line) ? 0 : 1);
  return isChanged(a) - isChanged(b) || a.rank - b.rank;
}

/** A test, what it ran, and the tests that have to run before it, because it goes on with their `Blockchain`. */
interface TestRuns extends NamedTest {
  runs: readonly RecordInTests[];
  chains: ReadonlySet<string>;
}

function testsOf(recordings: readonly TestRecording[]): TestRuns[] {
  return recordings.flatMap((recording) => {
    const { file } = recording.header;
    const names = [...new Set(recording.records.flatMap(({ test }) => test ?? []))];
    return names.map((name) => {
      const own = recording.records.filter(({ test }) => test === name);
      const chains = new Set(own.map(({ chain }) => chain));
      // What a set-up for all tests ran on the same chain is a part of each.
      const all = recording.records.filter(
        ({ test, chain }) => test === name || (test === undefined && chains.has(chain)),
      );
      return {
        ...{ file, name },
        runs: all.map((record) => ({ recording, record })),
        chains: new Set([...chains].map((chain) => `${file} ${chain}`)),
      };
    });
  });
}

/** What tests saw of records with the code as it is; worked out once. */
const seenBefore = new WeakMap<RecordInTests['record'], Promise<string>>();

/** The tests that can see a difference. A change of what one record does can change those after it, but none before. */
async function noticingTests(
  contract: MutableContract,
  code: Cell,
  tests: readonly TestRuns[],
  { emulator }: MutateOptions,
): Promise<TestRuns[]> {
  const verdicts = new Map<RecordInTests['record'], Promise<boolean>>();
  const differs = async (run: RecordInTests): Promise<boolean> => {
    const own = ownCode(run);
    if (own?.hash().toString('hex') !== contract.codeHash) {
      return false;
    }
    const before = seenBefore.get(run.record) ?? seenOfRecord(run, own, emulator);
    seenBefore.set(run.record, before);
    return (await before) !== (await seenOfRecord(run, code, emulator));
  };
  const found: TestRuns[] = [];
  for (const test of tests) {
    for (const run of test.runs) {
      const verdict = verdicts.get(run.record) ?? differs(run);
      verdicts.set(run.record, verdict);
      if (await verdict) {
        found.push(test);
        break;
      }
    }
  }
  return found;
}

/** Runs the tests that may notice a mutant: the first alone, and the others only if that one does not. */
async function runNoticing(
  copy: ProjectCopy,
  mutant: Candidate & { text: string; hash: string },
  noticing: readonly TestRuns[],
  options: MutateOptions,
): Promise<{ verdict: JudgedMutant['verdict']; test?: NamedTest; runs: number }> {
  const all = testsOf(options.recordings);
  let runs = 0;
  const [first, ...others] = noticing;
  for (const chosen of [first === undefined ? [] : [first], others].filter((some) => some.length > 0)) {
    const chains = new Set(chosen.flatMap((test) => [...test.chains]));
    const together = all.filter(
      (test) => chosen.some((one) => isSame(one, test)) || [...test.chains].some((one) => chains.has(one)),
    );
    runs += together.length;
    const ended = await copy.run(mutant, together, options);
    if (ended === undefined) {
      return { verdict: 'timed-out', test: chosen[0]!, runs };
    }
    const failed = ended.results.find(({ state }) => state === 'failed');
    if (failed !== undefined) {
      return { verdict: 'killed', test: { file: copy.nameOf(failed.file), name: failed.name ?? '' }, runs };
    }
    await requireCompiled(ended, mutant, options);
  }
  return { verdict: 'survived', runs };
}

/** @throws WorkbenchError `tests-not-recorded` (failed) if none of them ran the mutant */
async function requireCompiled(
  run: TestsRun,
  { contract, file }: Candidate & { hash: string },
  { read }: MutateOptions,
): Promise<void> {
  const ran = (await read(run)).flatMap((recording) =>
    recording.records.map((record) => codeOfRecord({ recording, record })?.hash().toString('hex')),
  );
  if (ran.includes(contract.codeHash)) {
    throw new WorkbenchError({
      code: 'tests-not-recorded',
      kind: 'failed',
      message: `The tests do not compile ${path.basename(file.path)}: with a change in it, they ran the same code as before.`,
      hint: 'Let them compile the source when they start, as Blueprint does, instead of reading what was built before.',
    });
  }
}

/** The test that ran the line of a survivor and the fewest others. */
function closestTest(file: MutableFile, { line }: SourceMutant, { files }: MutableContract): NamedTest {
  const size = (test: NamedTest): number =>
    files.reduce(
      (sum, { ran }) =>
        sum + [...ran.values()].filter((some) => some.some((one) => isSame(one, test))).length,
      0,
    );
  const [first, ...others] = file.ran.get(line) ?? [];
  if (first === undefined) {
    throw new Error('a line without tests has no mutants');
  }
  return others.reduce((best, one) => (size(one) < size(best) ? one : best), first);
}

function isSame(one: NamedTest, other: NamedTest): boolean {
  return one.file === other.file && one.name === other.name;
}

const codes = new WeakMap<RecordInTests['record'], Cell | undefined>();

function ownCode(run: RecordInTests): Cell | undefined {
  if (!codes.has(run.record)) {
    codes.set(run.record, codeOfRecord(run));
  }
  return codes.get(run.record);
}

/** What a copy leaves out, wherever it is. */
const leftOut = new Set(['node_modules', '.git', '.ton']);

/** A copy of a project in a folder of its own; packages are those of the project. */
class ProjectCopy {
  private constructor(
    private readonly place: string,
    private readonly tested: TestedFolder,
    private readonly from: string,
  ) {}

  static async make(tested: TestedFolder): Promise<ProjectCopy> {
    const place = await mkdtemp(path.join(tmpdir(), 'ton-workbench-mutants-'));
    const root = path.join(place, 'project');
    const copy = new ProjectCopy(place, { ...tested, root }, tested.root);
    try {
      await cp(tested.root, root, {
        recursive: true,
        filter: (file) => file === tested.root || !leftOut.has(path.basename(file)),
      });
      // Packages are looked for in the folders above, too.
      let link = path.join(root, 'node_modules');
      for (let folder = tested.root; ; folder = path.dirname(folder)) {
        const packages = path.join(folder, 'node_modules');
        if (existsSync(packages)) {
          await symlink(packages, link, 'junction');
          if (path.dirname(link) === place) {
            break;
          }
          link = path.join(place, 'node_modules');
        }
        if (folder === path.dirname(folder)) {
          break;
        }
      }
    } catch (error) {
      await copy.remove();
      throw error;
    }
    return copy;
  }

  /** Runs tests with a mutant in its place; undefined if they took too long. */
  async run(
    { file, text }: Pick<Candidate, 'file'> & { text: string },
    tests: readonly NamedTest[],
    { run, runMs, clock, signal }: MutateOptions,
  ): Promise<TestsRun | undefined> {
    const target = path.join(this.tested.root, path.relative(this.from, file.path));
    const limit = new AbortController();
    const forget = clock.after(runMs, () => limit.abort(), false);
    await writeUserFile(target, text);
    try {
      return await run(this.tested, tests, AbortSignal.any([signal, limit.signal]));
    } catch (error) {
      if (limit.signal.aborted && !signal.aborted && toWorkbenchError(error).code === 'aborted') {
        return undefined;
      }
      throw error;
    } finally {
      forget();
      await writeUserFile(target, file.text);
    }
  }

  /** The name of a test file, relative to the project. */
  nameOf(file: string): string {
    return path.relative(this.tested.root, file).replaceAll('\\', '/');
  }

  async remove(): Promise<void> {
    await rm(this.place, { recursive: true, force: true });
  }
}
