import { fork } from 'node:child_process';
import path from 'node:path';
import { onEnd } from './cleanUp.mjs';
import { cpuSeconds, endProcessTree } from './processTree.mjs';
import { runScript } from './runScript.mjs';

/** @typedef {import('./countingReporter.mjs').Counts} Counts */
/** @typedef {import('./tiers.mjs').Tier} Tier */
/**
 * @typedef {object} Job
 * @property {Tier} tier
 * @property {string[]} files one; or, of a tier that has a script, those that it is to run, by default all
 */
/**
 * @typedef {object} JobResult
 * @property {Job} job
 * @property {Counts} counts
 * @property {string} output
 * @property {number} seconds
 * @property {number | undefined} cpuSeconds of all processes that worked for it, where the system tells them
 */
/**
 * @typedef {object} LaneOptions
 * @property {NodeJS.ProcessEnv} env
 * @property {number} pace by what time limits are multiplied
 * @property {number} cores that jobs may keep busy at a time
 * @property {(job: Job) => NodeJS.ProcessEnv} [fresh] each job gets a process of its own, with this environment added:
 *   nothing that one loads is there for the next
 * @property {(result: JobResult) => void} onResult as each job ends
 */

const script = path.join(import.meta.dirname, 'lane.mjs');

/** A process that runs files of one tier. */
class LaneProcess {
  #output = '';
  #hasAll = () => {};
  #hangs = false;
  #forget;

  /**
   * @param {Tier} tier
   * @param {NodeJS.ProcessEnv} env
   */
  constructor(tier, env) {
    this.tier = tier;
    this.child = fork(script, [tier.name], {
      env,
      execArgv: ['--enable-source-maps'],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    const pid = this.child.pid ?? 0;
    this.#forget = onEnd(() => endProcessTree(pid));
    this.ended = new Promise((resolve) => void this.child.once('exit', resolve));
    // A file's time begins when the process can run it.
    this.ready = Promise.race([
      new Promise((resolve) => void this.child.once('message', resolve)),
      this.ended,
    ]);
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
        this.#output += text.replaceAll('\0', '');
        if (text.includes('\0')) {
          this.#hasAll();
        }
      });
    }
  }

  /**
   * @param {string} file
   * @param {number} limitS
   * @returns {Promise<{ counts: Counts, output: string, isOver: boolean }>} isOver: no further file can run here
   */
  async run(file, limitS) {
    await this.ready;
    /** @type {Promise<void>} */
    const printed = new Promise((resolve) => (this.#hasAll = resolve));
    /** @type {Promise<Counts>} */
    const counted = new Promise((resolve) =>
      this.child.once('message', (counts) => resolve(/** @type {Counts} */ (counts))),
    );
    /** @type {NodeJS.Timeout | undefined} */
    let timer;
    const late = new Promise((resolve) => (timer = setTimeout(resolve, limitS * 1000)));
    this.child.send({ file }, () => undefined);
    const counts = await Promise.race([
      Promise.all([counted, printed]).then(([one]) => one),
      this.ended.then((code) => `${file}: the process broke off (exit code ${String(code)})`),
      late.then(() => {
        this.#hangs = true;
        return `${file} did not end within ${limitS} s`;
      }),
    ]);
    clearTimeout(timer);
    this.child.removeAllListeners('message');
    const output = this.#output;
    this.#output = '';
    return typeof counts === 'string'
      ? { counts: { passed: 0, failed: 1, failures: [counts], files: [file] }, output, isOver: true }
      : { counts, output, isOver: false };
  }

  /** Lets it clean up, unless it hangs. */
  async end() {
    if (this.child.connected && !this.#hangs) {
      this.child.send('end', () => undefined);
    }
    const timer = setTimeout(() => void endProcessTree(this.child.pid ?? 0), this.#hangs ? 0 : 20_000);
    await this.ended;
    clearTimeout(timer);
    this.#forget();
  }
}

/** Runs one job after the other; keeps the process as long as jobs of the same tier come. */
class Lane {
  /** @type {LaneProcess | undefined} */
  #process;

  /** @param {LaneOptions} options */
  constructor(options) {
    this.options = options;
  }

  /**
   * @param {Job} job
   * @returns {Promise<JobResult>}
   */
  async run(job) {
    const started = performance.now();
    const { tier, files } = job;
    const { pace, fresh } = this.options;
    const env = { ...this.options.env, ...fresh?.(job) };
    const [file] = files;
    if (tier.script !== undefined || file === undefined) {
      await this.end();
      const result = await runScript(tier, { env, pace, files });
      return { job, ...result, seconds: (performance.now() - started) / 1000 };
    }
    if (this.#process?.tier !== tier) {
      await this.end();
      this.#process = new LaneProcess(tier, env);
    }
    const lane = this.#process;
    const pid = lane.child.pid ?? 0;
    const before = await cpuSeconds(pid);
    const { counts, output, isOver } = await lane.run(file, tier.limitS * pace);
    const after = isOver ? undefined : await cpuSeconds(pid);
    const seconds = (performance.now() - started) / 1000;
    if (isOver || fresh !== undefined) {
      await this.end();
    }
    const used = before === undefined || after === undefined ? undefined : after - before;
    return { job, counts: orMissing(counts, file, env), output, seconds, cpuSeconds: used };
  }

  async end() {
    const ended = this.#process;
    this.#process = undefined;
    await ended?.end();
  }
}

/**
 * @param {Counts} counts
 * @param {string} file
 * @param {NodeJS.ProcessEnv} env
 * @returns {Counts} a file that ran no test counts as a failure, unless only some titles were asked for
 */
const orMissing = (counts, file, env) =>
  counts.passed + counts.failed > 0 || env['TONWB_GREP'] !== undefined
    ? counts
    : { ...counts, failed: 1, failures: [`${file}: no test of this file was run`] };

/** Hands out the jobs in their order, each when enough cores are free. */
class Queue {
  #free;
  /** @type {(() => void)[]} */
  #waiting = [];

  /**
   * @param {readonly Job[]} jobs
   * @param {number} cores
   */
  constructor(jobs, cores) {
    this.jobs = [...jobs];
    this.cores = cores;
    this.#free = cores;
  }

  /** @param {Job} job */
  #need({ tier }) {
    return Math.min(tier.cores ?? 1, this.cores);
  }

  /** @returns {Promise<Job | undefined>} the next one; undefined when there is none left */
  async take() {
    for (let [job] = this.jobs; job !== undefined; [job] = this.jobs) {
      if (this.#need(job) <= this.#free) {
        this.#free -= this.#need(job);
        return this.jobs.shift();
      }
      /** @type {Promise<void>} */
      const freed = new Promise((resolve) => this.#waiting.push(resolve));
      await freed;
    }
    return undefined;
  }

  /** @param {Job} job that has ended */
  end(job) {
    this.#free += this.#need(job);
    this.#waiting.splice(0).forEach((wake) => wake());
  }
}

/**
 * Runs jobs in lanes: each takes the next one when it and enough cores are free.
 * @param {readonly Job[]} jobs in the order in which they are to start
 * @param {LaneOptions} options
 * @returns {Promise<JobResult[]>}
 */
export const runLanes = async (jobs, options) => {
  const queue = new Queue(jobs, options.cores);
  /** @type {JobResult[]} */
  const results = [];
  const work = async () => {
    const lane = new Lane(options);
    for (let job = await queue.take(); job !== undefined; job = await queue.take()) {
      const result = await lane.run(job);
      results.push(result);
      options.onResult(result);
      queue.end(job);
    }
    await lane.end();
  };
  const least = Math.min(...jobs.map(({ tier }) => tier.cores ?? 1));
  const lanes = Math.min(jobs.length, Math.floor(options.cores / least));
  await Promise.all(Array.from({ length: lanes }, work));
  return results;
};
