import path from 'node:path';
import { Readable, Writable } from 'node:stream';
import type { DebugProgram } from '../toolkit/debug/debugProgram';
import { localControlOf } from '../toolkit/localnet/controlOf';
import type { CommandAnswer, ProgramRequest, ToolError, ToolHost } from '../toolkit/tools/tool';
import { networkHere } from './networkHere';
import type { RunCommandLine, Surroundings } from './surroundings';
import { compileFile, keepRun, runIn } from './surroundings';

/** The place in which tools run commands of this command line, one after another or side by side, in this process. */
export interface ToolPlace extends Pick<Surroundings, 'environment' | 'clock'> {
  /** Absolute, with links followed. */
  root: string;
  /** Networks that are allowed besides the local one. */
  networks: readonly string[];
  run: RunCommandLine;
}

/** Output that is kept of one command, in characters; the rest is dropped. */
const mostOutput = 32 * 1024 * 1024;

/** Opens the command line for tools. */
export function openToolHost(place: ToolPlace): ToolHost {
  const { root, networks } = place;
  return {
    networks,
    command: async (name, args, signal) => {
      const [output, errors] = [new KeptText(), new KeptText()];
      const words = [...name.split(' '), '--json', ...args];
      const status = await place.run(words, surroundingsOf(place, signal, output, errors));
      return readAnswer(output.text, errors.text, status);
    },
    compile: (file) =>
      runIn(surroundingsOf(place), async () => {
        const [{ readGivenFile }, { rememberBuilt }] = await Promise.all([
          import('./readGivenFile'),
          import('./projectWith'),
        ]);
        await readGivenFile({ path: file, code: 'file-unreadable' }, 'projectFileBytes');
        const built = await compileFile(file, { isTrusted: true });
        await rememberBuilt(file, built);
        return built;
      }),
    project: () =>
      runIn(surroundingsOf(place), async () => {
        const { projectAround } = await import('./projectWith');
        return projectAround(root);
      }),
    useProgram: (request, signal, use) =>
      runIn(surroundingsOf(place, signal), async () => use(await openProgram(request))),
    shownFile: (file) =>
      path.relative(root, path.isAbsolute(file) ? file : path.join(root, file)).replaceAll('\\', '/'),
    control: () =>
      localControlOf(networkHere('local', { environment: place.environment, folder: root }).network),
  };
}

async function openProgram({ what, network, source }: ProgramRequest): Promise<DebugProgram> {
  const { openNamed } = await import('./debug');
  const program = await openNamed(
    what,
    undefined,
    [],
    source === undefined ? { network } : { network, source },
  );
  return {
    ...program,
    threads: program.threads.map((thread) => ({ ...thread, load: keepRun(thread.load) })),
    pathOf: keepRun(program.pathOf),
  };
}

function surroundingsOf(
  { root, environment, clock }: ToolPlace,
  signal?: AbortSignal,
  output = new KeptText(),
  errors = new KeptText(),
): Surroundings {
  return {
    ...{ environment, clock, output, errors, root },
    folder: root,
    input: Readable.from([]),
    onStop: (callback) => {
      if (signal?.aborted === true) {
        callback();
      }
      signal?.addEventListener('abort', callback, { once: true });
    },
  };
}

function readAnswer(output: string, errors: string, status: number | undefined): CommandAnswer {
  const documents = linesOf(output).flatMap((line) => {
    const read = readJson(line);
    return read === undefined ? [] : [read];
  });
  const told = linesOf(errors);
  const last = told.at(-1);
  const error = status === 0 || last === undefined ? undefined : readError(readJson(last));
  return {
    documents,
    error:
      error ??
      (status === 0
        ? undefined
        : { code: 'failed', message: `It ended with status ${status ?? 'unknown'}.` }),
    // What a test runner prints is not for the agent; its results are.
    notes: (error === undefined ? told : told.slice(0, -1)).slice(0, 20).map((line) => line.slice(0, 1_000)),
  };
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '');
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function readError(value: unknown): ToolError | undefined {
  const { code, message } = (value ?? {}) as Partial<ToolError>;
  return typeof code === 'string' && typeof message === 'string' ? { code, message } : undefined;
}

/** A stream that keeps what is written to it. */
class KeptText extends Writable {
  text = '';

  constructor() {
    super({ decodeStrings: false });
  }

  override _write(chunk: string | Buffer, _encoding: BufferEncoding, done: () => void): void {
    if (this.text.length < mostOutput) {
      this.text += chunk.toString();
    }
    done();
  }
}
