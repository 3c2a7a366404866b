import type { Cell, TupleItem } from '@ton/core';
import type { IExecutor } from '@ton/sandbox';
import { randomBytes } from 'node:crypto';
import type { ExecutionLine, GetMethodLine, RecordedBlock, RecordedBlocks } from './recordLines';

type TransactionArgs = Parameters<IExecutor['runTransaction']>[0];
type TickTockArgs = Parameters<IExecutor['runTickTock']>[0];
type CommonArgs = Omit<TransactionArgs, 'message'>;
type GetMethodArgs = Parameters<IExecutor['runGetMethod']>[0];
type Emulation = Awaited<ReturnType<IExecutor['runTransaction']>>;

/** What the executor does not know itself. */
export interface RecordingPlace {
  /** Begins a record: what the test is doing now. Undefined if nothing is recorded. */
  begin(): RecordSink | undefined;
  /** Writes a stack as the project's own @ton/core does. */
  serializeStack(items: TupleItem[]): Cell;
}

/** Takes one record. */
export interface RecordSink {
  blob(boc: string): string;
  /** Adds what all records have. */
  write(line: OwnFields<ExecutionLine> | OwnFields<GetMethodLine>): void;
}

/** The fields that the executor knows. */
type OwnFields<Line> = Omit<Line, 'n' | 'test' | 'at' | 'chain' | 'replaced'>;

/** Runs code: the same executor each time, or another one that gives the same results. */
export type ExecutorFor = (config: string, verbosity: string) => Promise<IExecutor>;

/**
 * An executor that runs on others and records the inputs and results. The sandbox's seed of zeros makes the engine draw
 * one and keep it for itself, so it is drawn here.
 */
export class RecordingExecutor implements IExecutor {
  constructor(
    private readonly executorFor: ExecutorFor,
    private readonly place: RecordingPlace,
  ) {}

  async runTransaction(given: TransactionArgs): Promise<Emulation> {
    const sink = this.place.begin();
    const args = sink === undefined ? given : withSeed(given);
    return this.#execute(given, args, 'message', sink, async (executor) => executor.runTransaction(args));
  }

  async runTickTock(given: TickTockArgs): Promise<Emulation> {
    const sink = this.place.begin();
    const args = sink === undefined ? given : withSeed(given);
    return this.#execute(given, args, given.which, sink, async (executor) => executor.runTickTock(args));
  }

  async runGetMethod(args: GetMethodArgs): ReturnType<IExecutor['runGetMethod']> {
    const sink = this.place.begin();
    const executor = await this.executorFor(args.config, args.verbosity);
    try {
      const result = await executor.runGetMethod(args);
      const { output } = result;
      quietly(() =>
        sink?.write({
          ...this.#getMethodInputs(sink, args),
          ...(output.success
            ? { exit: output.vm_exit_code, gas: output.gas_used, answer: output.stack }
            : { error: output.error }),
        }),
      );
      return result;
    } catch (error) {
      quietly(() => sink?.write({ ...this.#getMethodInputs(sink, args), error: String(error) }));
      throw error;
    }
  }

  async #execute(
    given: CommonArgs & { message?: Cell },
    args: CommonArgs,
    kind: ExecutionLine['kind'],
    sink: RecordSink | undefined,
    run: (executor: IExecutor) => Promise<Emulation>,
  ): Promise<Emulation> {
    const executor = await this.executorFor(args.config, args.verbosity);
    const message = (): Pick<ExecutionLine, 'message'> =>
      given.message === undefined ? {} : { message: base64(given.message) };
    const inputs = (to: RecordSink): OwnFields<ExecutionLine> => ({
      kind,
      ...runInputs(to, args),
      ...(given === args ? {} : { drawn: true }),
      ...(args.ignoreChksig ? { ignoreSignatures: true } : {}),
      state: args.shardAccount,
      lt: String(args.lt),
    });
    try {
      const emulation = await run(executor);
      const { result } = emulation;
      quietly(() =>
        sink?.write({
          ...inputs(sink),
          ...(result.success
            ? { transaction: result.transaction }
            : { ...message(), error: result.error, exit: result.vmResults?.vmExitCode }),
        }),
      );
      return emulation;
    } catch (error) {
      quietly(() => sink?.write({ ...inputs(sink), ...message(), error: String(error) }));
      throw error;
    }
  }

  #getMethodInputs(sink: RecordSink, args: GetMethodArgs): OwnFields<GetMethodLine> {
    const { extraCurrency } = args;
    return {
      kind: 'get',
      ...runInputs(sink, { ...args, libs: args.libs ?? null, now: args.unixTime }),
      code: sink.blob(base64(args.code)),
      data: base64(args.data),
      address: args.address.toRawString(),
      balance: String(args.balance),
      ...(extraCurrency === undefined || Object.keys(extraCurrency).length === 0
        ? {}
        : {
            extra: Object.fromEntries(
              Object.entries(extraCurrency).map(([id, amount]) => [id, String(amount)]),
            ),
          }),
      methodId: args.methodId,
      stack: base64(this.place.serializeStack(args.stack)),
      gasLimit: String(args.gasLimit),
    };
  }
}

/** What a run shares with others is a blob. */
function runInputs(
  sink: RecordSink,
  {
    config,
    libs,
    now,
    randomSeed,
    debugEnabled,
    prevBlocksInfo,
  }: Pick<CommonArgs, 'config' | 'libs' | 'now' | 'randomSeed' | 'debugEnabled' | 'prevBlocksInfo'>,
): Pick<OwnFields<ExecutionLine>, 'config' | 'libs' | 'now' | 'seed' | 'debug' | 'blocks'> {
  return {
    config: sink.blob(config),
    ...(libs == null ? {} : { libs: sink.blob(base64(libs)) }),
    now,
    ...(randomSeed == null ? {} : { seed: randomSeed.toString('hex') }),
    ...(debugEnabled ? { debug: true } : {}),
    ...(prevBlocksInfo === undefined ? {} : { blocks: recordedBlocks(prevBlocksInfo) }),
  };
}

function recordedBlocks({
  lastMcBlocks,
  prevKeyBlock,
  lastMcBlocks100,
}: NonNullable<CommonArgs['prevBlocksInfo']>): RecordedBlocks {
  const block = ({ workchain, shard, seqno, rootHash, fileHash }: typeof prevKeyBlock): RecordedBlock => [
    workchain,
    String(shard),
    seqno,
    rootHash.toString('hex'),
    fileHash.toString('hex'),
  ];
  return {
    last: lastMcBlocks.map(block),
    key: block(prevKeyBlock),
    ...(lastMcBlocks100 === undefined ? {} : { hundreds: lastMcBlocks100.map(block) }),
  };
}

/** The same if it has a seed. */
function withSeed<Args extends CommonArgs>(args: Args): Args {
  const { randomSeed } = args;
  return randomSeed !== null && randomSeed.some((byte) => byte !== 0)
    ? args
    : { ...args, randomSeed: randomBytes(32) };
}

function base64(cell: Cell): string {
  return cell.toBoc().toString('base64');
}

/** A test never fails because it is recorded. */
function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // What was written stays; this record is missing.
  }
}

/** As many engines stay, each some 20 MB. */
const most = 4;

interface Shared {
  config: string;
  verbosity: string;
  executor: Promise<IExecutor>;
}

/**
 * Executors that all instances of `Blockchain` share. An engine parses its configuration again whenever that or the
 * verbosity changes, so there is one for each pair. One that throws is given up: the state of its memory is unknown.
 */
export function sharedExecutors(create: () => Promise<IExecutor>): ExecutorFor {
  let shared: readonly Shared[] = [];
  return async (config, verbosity) => {
    const known = shared.find((one) => one.config === config && one.verbosity === verbosity);
    const mine = known ?? { config, verbosity, executor: create() };
    if (known === undefined) {
      shared = [mine, ...shared.slice(0, most - 1)];
    }
    const giveUp = (error: unknown): never => {
      shared = shared.filter((one) => one !== mine);
      throw error;
    };
    const executor = await mine.executor.catch(giveUp);
    return {
      runGetMethod: async (args) => executor.runGetMethod(args).catch(giveUp),
      runTickTock: async (args) => executor.runTickTock(args).catch(giveUp),
      runTransaction: async (args) => executor.runTransaction(args).catch(giveUp),
    };
  };
}
