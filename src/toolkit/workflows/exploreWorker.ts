import path from 'node:path';
import { Cell } from '@ton/core';
import { accountNames } from '../accounts/localAccount';
import { createAccess } from '../access/createAccess';
import { readUserFile } from '../base/readUserFile';
import type { RemoteCall, RemoteResult } from '../base/serviceThread';
import { RemoteCalls, serveCall } from '../base/serviceThread';
import { systemClock } from '../base/time';
import { workerPort } from '../base/workerService';
import { parseCallSheet } from '../callSheet/parseCallSheet';
import type { ContractDescription } from '../contracts/abi/contractDescription';
import { methodNamed } from '../contracts/abi/methodNamed';
import type { ProjectContract } from '../contracts/abi/projectContract';
import { projectLayouts } from '../contracts/layouts/projectLayouts';
import type { Emulator } from '../execution/emulator/emulator';
import { createSandboxEmulator } from '../execution/emulator/createSandboxEmulator';
import { readDeployedCode } from '../getMethods/readDeployedCode';
import { namedAccounts } from '../localnet/accounts/namedAccounts';
import type { ReplayInputs } from '../replay/replayInputs';
import { describeTrace } from './describeTrace';
import { exploreSheet } from './exploreSheet';
import type { ExploredScenario } from './exploreSheet';
import type {
  CrossingScenario,
  ExploreFace,
  ExploreHelper,
  ExploreWish,
  FromExploreWorker,
} from './exploreThread';
import { crossingCode } from './exploreThread';
import { namesInTraces } from './namesInTraces';
import type { SheetMessages, SheetNetwork } from './sheetRunTypes';

/** Milliseconds between two counts of orders. */
const countMs = 200;

const port = workerPort();
const post = (message: FromExploreWorker | RemoteResult): void => port.postMessage(message);
const helper = new RemoteCalls<ExploreHelper>((asked) => post({ asked }));
const face: ExploreFace = { explore };

port.on('message', (message: RemoteCall | RemoteResult) => {
  if (message.type === 'call') {
    void serveCall<ExploreFace>(face, message).then(post);
  } else {
    helper.receive(message);
  }
});

async function explore({ text, folder, ...bounds }: ExploreWish): Promise<CrossingScenario[]> {
  const project = new AskedProject();
  let [orders, toldAt] = [0, systemClock.monotonic()];
  const onOrder = (): void => {
    orders += 1;
    if (systemClock.monotonic() - toldAt > countMs) {
      toldAt = systemClock.monotonic();
      post({ orders });
    }
  };
  const explored = await exploreSheet<SheetNetwork>(parseCallSheet(text), {
    signature: async (address, method, at) =>
      methodNamed(await project.describe(address, at), method)?.signature,
    exits: (address, at) => project.describe(address, at),
    isDeployed: async (address, at) => {
      const found = await project.describe(address, at);
      return found === undefined ? undefined : found.codeHash !== undefined;
    },
    messages: project.messages(),
    codes: (used) => project.codes(used),
    readFile:
      folder === undefined ? undefined : (name) => readUserFile(path.resolve(folder, name), 'bocText'),
    open: (network) =>
      Promise.resolve({
        access: createAccess({ network }),
        accounts: new Map(accountNames(namedAccounts)),
        wallets: namedAccounts,
      }),
    bounds: { ...bounds, onOrder },
    clock: systemClock,
  });
  return explored.map(crossing);
}

/** What the starting thread knows about the project, asked once until something is compiled. */
class AskedProject {
  readonly #known = new Map<string, ContractDescription>();
  /** Codes (hashes) of which it is known whether the user has chosen a contract for them. */
  readonly #asked = new Set<string>();
  readonly #chosen = new Map<string, string>();
  #contracts: Promise<readonly ProjectContract[]> | undefined;
  #emulator: Promise<Emulator> | undefined;

  /** Undefined if the code cannot be read. */
  async describe(address: string, { access }: SheetNetwork): Promise<ContractDescription | undefined> {
    const before = this.#known.get(address);
    if (before !== undefined) {
      return before;
    }
    const deployed = await readDeployedCode(access, address).catch(() => undefined);
    if (deployed === undefined) {
      return undefined;
    }
    const description = await helper.call('describe', crossingCode(deployed));
    // What is not deployed yet may be later.
    if (description.codeHash !== undefined) {
      this.#known.set(address, description);
      // Its source may have been compiled to recognize it.
      this.#contracts = undefined;
    }
    return description;
  }

  async codes(used: string): Promise<ReadonlyMap<string, Cell>> {
    const found = await helper.call('codes', used);
    if (found.size > 0) {
      this.#contracts = undefined;
    }
    return new Map([...found].map(([name, boc]) => [name, Cell.fromBase64(boc)]));
  }

  messages(): SheetMessages {
    return {
      layouts: async () => projectLayouts(await this.#list([])),
      contractAt: async (address, at) => {
        const { name, file } = (await this.describe(address, at)) ?? {};
        return name === undefined ? undefined : { name, file };
      },
      describe: (model, { access, accounts }) =>
        describeTrace(model, {
          names: namesInTraces(access.network, accounts),
          contracts: (hashes) => this.#list([...hashes]),
          chosen: (hash) => this.#chosen.get(hash),
        }),
      replays: {
        open: (file) => helper.call('openReplay', file),
        emulator: () => (this.#emulator ??= createSandboxEmulator()),
      },
      build: async (file) => {
        const built = await helper.call('build', file);
        this.#known.clear();
        this.#contracts = undefined;
        return built;
      },
    };
  }

  #list(codeHashes: readonly string[]): Promise<readonly ProjectContract[]> {
    const isAsked = codeHashes.every((hash) => this.#asked.has(hash));
    if (this.#contracts === undefined || !isAsked) {
      codeHashes.forEach((hash) => this.#asked.add(hash));
      this.#contracts = helper.call('project', codeHashes).then(({ contracts, chosen }) => {
        chosen.forEach((name, hash) => this.#chosen.set(hash, name));
        return contracts;
      });
    }
    return this.#contracts;
  }
}

/** Functions do not cross threads, nor do the states of accounts need to. */
function crossing({ order, trace, ...scenario }: ExploredScenario): CrossingScenario {
  return {
    ...scenario,
    order: order.map(({ number }) => ({ number })),
    trace: trace && {
      ...{ model: trace.context.model, names: trace.context.knowledge.names ?? new Map(), last: trace.last },
      inputs: new Map(
        trace.context.model.nodes.flatMap(({ hash }): [string, ReplayInputs][] => {
          const inputs = hash === undefined ? undefined : trace.inputsOf(hash);
          return hash === undefined || inputs === undefined ? [] : [[hash, inputs]];
        }),
      ),
    },
  };
}
