import * as z from 'zod';
import type { ProjectContract } from '../contracts/abi/projectContract';
import type { BuiltContract } from '../build/readBuiltContract';
import type { DebugProgram } from '../debug/debugProgram';
import { WorkbenchError } from '../base/errors';

/** What a command of the command line has printed with `--json`. */
export interface CommandAnswer {
  /** Each line of its output. */
  documents: readonly unknown[];
  /** Why it did not end with 0; it may have printed documents all the same. */
  error: ToolError | undefined;
  /** What it told besides its result. */
  notes: readonly string[];
}

/** An error as agents get it. */
export interface ToolError {
  code: string;
  message: string;
}

/** What is to be stepped through. */
export interface ProgramRequest {
  what: string;
  network: string;
  source: string | undefined;
}

/** The place where tools work. Its files are those below its root, after links are followed. */
export interface ToolHost {
  /** Networks besides the local one that the user allows, by name or URL. */
  readonly networks: readonly string[];
  /**
   * Runs a command of the command line to its end.
   *
   * @param name with that of a subcommand: `boc`, `webhook check`
   * @param args words after the name, without `--json`
   */
  command(name: string, args: readonly string[], signal: AbortSignal): Promise<CommandAnswer>;
  /** Compiles a source, by its path from the root. */
  compile(file: string): Promise<readonly BuiltContract[]>;
  /** What the files below the root say about contracts. */
  project(): Promise<readonly ProjectContract[]>;
  /** Opens the executions of a trace, or of a test; they can be loaded until `use` is done. */
  useProgram<Result>(
    request: ProgramRequest,
    signal: AbortSignal,
    use: (program: DebugProgram) => Promise<Result>,
  ): Promise<Result>;
  /** The path of a file from the root, as agents should write it. */
  shownFile(file: string): string;
  /** Base URL of the control API of the local network that is named `local` here. */
  control(): string | undefined;
}

/** One call of a tool. */
export interface ToolCall {
  host: ToolHost;
  signal: AbortSignal;
  /** Tells the agent something besides the result. */
  note(text: string): void;
  /** Says that the tool did not do what it was asked for, beside the document that it returns. */
  fail(error: ToolError): void;
}

/** What a tool changes. */
export type ToolChanges = 'nothing' | 'files' | 'local network';

/** A row of the table. */
export interface Tool {
  /** As agents call it: lowercase words and underscores. */
  name: string;
  /** For people. */
  title: string;
  /** For the model: what it answers, and when to use it. */
  sentence: string;
  input: z.ZodObject;
  /** Of the document in the answer. */
  output: z.ZodObject;
  changes: ToolChanges;
  /** No snapshot of the local network is taken before it: it takes one, or says itself how to go back. */
  takesNoSnapshot?: true;
  /**
   * @returns a document of the output's schema
   * @throws WorkbenchError `tool-input-invalid`, and what the tool throws; ZodError for a document of another schema
   */
  run(input: unknown, call: ToolCall): Promise<object>;
}

/** Makes a row whose function gets the input by its schema. */
export function defineTool<Input extends z.ZodObject>(
  row: Omit<Tool, 'run' | 'input'> & {
    input: Input;
    run: (input: z.output<Input>, call: ToolCall) => Promise<object>;
  },
): Tool {
  return {
    ...row,
    run: async (given, call) => {
      const read = row.input.safeParse(given ?? {});
      if (!read.success) {
        throw inputError(row.name, z.prettifyError(read.error));
      }
      return row.output.parse(await row.run(read.data, call));
    },
  };
}

/** `tool-input-invalid` (input) */
function inputError(tool: string, problem: string): WorkbenchError {
  return new WorkbenchError({
    code: 'tool-input-invalid',
    kind: 'input',
    message: `The input of ${tool} is invalid: ${problem.replaceAll('\n', ' ')}`,
    hint: 'The schema of the tool says what it takes.',
  });
}

/**
 * A text as a positional word of a command.
 * @throws WorkbenchError `tool-input-invalid` (input) for one that the command would read as an option
 */
export function word(text: string): string {
  if (/^-(?!\.?\d)/.test(text)) {
    throw inputError('this tool', `${JSON.stringify(text.slice(0, 60))} begins with a hyphen.`);
  }
  return text;
}

/** Options of a command: `--name=value`; none for undefined. */
export function options(given: Readonly<Record<string, string | number | boolean | undefined>>): string[] {
  return Object.entries(given).flatMap(([name, value]) =>
    value === undefined || value === false ? [] : [value === true ? `--${name}` : `--${name}=${value}`],
  );
}

/**
 * All that a command printed; its error is told beside it.
 * @throws CommandFailed if it printed nothing but an error
 */
export function documentsOf({ documents, error, notes }: CommandAnswer, call: ToolCall): readonly unknown[] {
  notes.forEach((note) => call.note(note));
  if (error !== undefined) {
    if (documents.length === 0) {
      throw new CommandFailed(error);
    }
    call.fail(error);
  }
  return documents;
}

/**
 * The only document of a command, as {@link documentsOf}.
 * @throws CommandFailed if it printed none
 */
export function onlyDocument(answer: CommandAnswer, call: ToolCall): object {
  const [document] = documentsOf(answer, call);
  if (typeof document !== 'object' || document === null) {
    throw new CommandFailed(
      answer.error ?? { code: 'internal-error', message: 'The command printed nothing.' },
    );
  }
  return document;
}

/** A command's error, whose words and code are handed on. */
export class CommandFailed extends Error {
  constructor(readonly told: ToolError) {
    super(told.message);
  }
}

/** Fields that several tools take. */
export const inputs = {
  network: z
    .string()
    .max(200)
    .default('local')
    .describe(
      'The network to ask: "local" (the local network of this project) or one that the user has allowed by name.',
    ),
  what: z
    .string()
    .max(200_000)
    .describe(
      'The hash of a transaction or message (hex or base64), an account (its last transaction), a saved file (*.tonreplay), or a record of a test as run_tests names it (FILE.tontests#12).',
    ),
  source: z
    .string()
    .max(1_000)
    .optional()
    .describe('The source file of the code, if its lines are not found without it (FunC and Tact).'),
} as const;
