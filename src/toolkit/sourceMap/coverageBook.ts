import type { RunCounts } from './mapSteps';
import { isLibraryFile } from './sourceMap';
import type { SourceBranch, SourceFunction, SourceMap } from './sourceMap';

/** What ran of a source. */
export interface SourceCoverage {
  file: string;
  /** By line that has code: how often execution came to it. */
  lines: ReadonlyMap<number, number>;
  /** The functions that have code, with how often execution came into them. */
  functions: readonly { name: string; line: number; calls: number }[];
  /** By line, those of a line in the order of its code. */
  branches: readonly BranchCoverage[];
}

/** How often a choice of a line went each way. */
export interface BranchCoverage {
  line: number;
  kind: SourceBranch['kind'];
  /** Of an `assert`: threw, went on. Of a `choice`: the tested value was true, was false. */
  ways: readonly [first: number, second: number];
}

/** A method without lines, of which nothing is counted but how many executions ran it. */
export interface UnlinedMethod {
  /** Name of the contract. */
  contract: string;
  name: string;
  /** Why it has no lines. */
  why: string;
  runs: number;
}

/** What is counted of a file. */
interface FileCounts {
  lines: Map<number, number>;
  /** By line and name. */
  functions: Map<string, SourceFunction>;
  calls: Map<string, number>;
  /** By the key of the branch. */
  branches: Map<string, BranchCoverage>;
}

/**
 * Adds up what executions ran of their sources, and what not: only lines of methods that are mapped, because nothing is
 * known of others. Files of libraries are left out.
 */
export class CoverageBook {
  /** By the hash of their code. */
  readonly #maps = new Map<string, SourceMap>();
  readonly #files = new Map<string, FileCounts>();
  /** By code and method. */
  readonly #unlined = new Map<string, UnlinedMethod>();

  /** Adds the lines of a code, none of which has run. Only the first time that a code is added counts. */
  addMap(map: SourceMap): void {
    if (this.#maps.has(map.codeHash)) {
      return;
    }
    this.#maps.set(map.codeHash, map);
    const marks = map.methods.flatMap((method) => method.marks);
    for (const place of new Set(marks.map((mark) => mark.place))) {
      this.#count(map, place, 0);
    }
    map.branches.forEach((branch) => this.#addWays(map, branch, [0, 0]));
    for (const one of map.functions) {
      this.#files.get(one.file)?.functions.set(`${one.line} ${one.name}`, one);
    }
  }

  /**
   * Adds what an execution ran.
   *
   * @param codeHash of a code whose map was added
   * @throws Error without its map
   */
  addRun(codeHash: string, { places, calls, branches, methods }: RunCounts): void {
    const map = this.#maps.get(codeHash);
    if (map === undefined) {
      throw new Error(`The lines of the code ${codeHash} were not added.`);
    }
    places.forEach((hits, place) => this.#count(map, place, hits));
    branches.forEach((ways, number) => this.#addWays(map, map.branches[number]!, ways));
    methods.forEach((method) => this.#countUnlined(map, method));
    for (const [key, times] of calls) {
      const file = this.#files.get(key.slice(key.indexOf(' ') + 1));
      file?.calls.set(key, (file.calls.get(key) ?? 0) + times);
    }
  }

  /** What ran so far, file by file. */
  files(): SourceCoverage[] {
    return [...this.#files].map(([file, { lines, functions, calls, branches }]) => ({
      file,
      lines: new Map([...lines].sort(([a], [b]) => a - b)),
      functions: [...functions.values()]
        .filter(({ line, end }) => [...lines.keys()].some((one) => one >= line && one <= end))
        .map(({ name, line }) => ({ name, line, calls: calls.get(`${name} ${file}`) ?? 0 })),
      branches: [...branches.values()].sort((a, b) => a.line - b.line),
    }));
  }

  /** The methods without lines that ran. */
  unlined(): UnlinedMethod[] {
    return [...this.#unlined.values()];
  }

  #countUnlined({ codeHash, name: contract, methods }: SourceMap, method: number): void {
    const { name, refused: why } = methods[method]!;
    if (why !== undefined) {
      const key = `${codeHash} ${method}`;
      const runs = (this.#unlined.get(key)?.runs ?? 0) + 1;
      this.#unlined.set(key, { contract, name, why, runs });
    }
  }

  #count({ places }: SourceMap, place: number, hits: number): void {
    const { file, line = 0 } = places[place] ?? {};
    const lines = this.#own(file)?.lines;
    lines?.set(line, (lines.get(line) ?? 0) + hits);
  }

  #addWays({ places }: SourceMap, { key, place, kind }: SourceBranch, ways: BranchCoverage['ways']): void {
    const { file, line = 0 } = places[place] ?? {};
    const branches = this.#own(file)?.branches;
    const [first, second] = branches?.get(key)?.ways ?? [0, 0];
    branches?.set(key, { line, kind, ways: [first + ways[0], second + ways[1]] });
  }

  /** The counts of a file that is not a library's. */
  #own(file: string | undefined): FileCounts | undefined {
    if (file === undefined || isLibraryFile(file)) {
      return undefined;
    }
    const known = this.#files.get(file) ?? {
      lines: new Map(),
      functions: new Map(),
      calls: new Map(),
      branches: new Map(),
    };
    this.#files.set(file, known);
    return known;
  }
}
