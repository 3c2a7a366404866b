import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SheetProject } from '../../src/cli/sheetProject';
import { sheetKnowledge } from '../../src/cli/sheetKnowledge';
import { createAccess, createFetchTransport } from '../../src/toolkit/access/createAccess';
import type { Network } from '../../src/toolkit/access/network';
import { WorkbenchError } from '../../src/toolkit/base/errors';
import type { Clock } from '../../src/toolkit/base/time';
import { systemClock } from '../../src/toolkit/base/time';
import { parseCallSheet } from '../../src/toolkit/callSheet/parseCallSheet';
import { callControl } from '../../src/toolkit/localnet/callControl';
import type { MessageRequest } from '../../src/toolkit/send/messageRequest';
import { OwnWalletPlan } from '../../src/toolkit/workflows/ownWalletPlan';
import { PlanRecord } from '../../src/toolkit/workflows/planRecord';
import { runCallSheet } from '../../src/toolkit/workflows/runCallSheet';
import type { SheetMessages, SheetNetwork } from '../../src/toolkit/workflows/sheetRunTypes';
import { HastyClock } from '../support/hastyClock';
import type { LocalnetCommand } from '../support/localnetCommand';
import { startLocalnetHere } from '../support/localnetCommand';
import { pairSource } from '../support/pairSource';

const isLong = process.env['TONWB_LONG'] === '1';
/** How many runs are killed; with --long all of the 200 that the promise is about. */
const runs = isLong ? 200 : 12;

/** What a wallet does with what it is asked for. */
type Manner = 'sends' | 'sends and its answer is lost' | 'declines once' | 'sends after the kill';
const manners: Manner[] = ['sends', 'sends and its answer is lost', 'declines once', 'sends after the kill'];

/** A process that is killed at one of the things that it does to the world, and does nothing after. */
class Life {
  readonly #end = new AbortController();
  readonly signal = this.#end.signal;
  #done = 0;

  constructor(private readonly killedAt: number) {}

  get done(): number {
    return this.#done;
  }

  /** Does one thing, which is killed before it or right after it. */
  async act<T>(act: () => Promise<T> | T): Promise<T> {
    this.point();
    const done = await act();
    this.point();
    return done;
  }

  point(): void {
    this.#done++;
    if (this.#done === this.killedAt) {
      this.#end.abort();
    }
    this.signal.throwIfAborted();
  }
}

/** The user's wallet, which lives on when the process is killed. */
class PatientWallet {
  #declined = new Set<string>();
  #late: MessageRequest[] = [];
  /** It sends something just now. */
  #busy = 0;
  /** The process that had asked was killed. */
  isLater = false;

  constructor(
    private readonly localnet: LocalnetCommand,
    private readonly manner: Manner,
  ) {}

  async hand(request: MessageRequest): Promise<undefined> {
    const key = request.destination.toString() + request.body.hash().toString('hex');
    if (this.manner === 'declines once' && !this.#declined.has(key)) {
      this.#declined.add(key);
      throw new WorkbenchError({ code: 'wallet-declined', kind: 'failed', message: 'declined' });
    }
    if (this.manner === 'sends after the kill' && !this.isLater) {
      this.#late.push(request);
      return undefined;
    }
    await this.#send(request);
    if (this.manner === 'sends and its answer is lost') {
      throw new Error('the connection is gone');
    }
    return undefined;
  }

  get isWaiting(): boolean {
    return this.#late.length > 0 || this.#busy > 0;
  }

  /** The user comes back to the wallet. */
  async confirmAll(): Promise<void> {
    for (const request of this.#late.splice(0)) {
      await this.#send(request);
    }
  }

  async #send({ destination, value, bounce, body, init }: MessageRequest): Promise<void> {
    this.#busy++;
    const boc = (cell: typeof body): string => cell.toBoc().toString('base64');
    const control = `${this.localnet.origin}/control`;
    await callControl(control, 'sendAs', {
      ...{ from: this.localnet.rawOf('alice'), to: destination.toRawString() },
      ...{ value: value.toString(), bounce, body: boc(body) },
      ...(init?.code == null ? {} : { code: boc(init.code) }),
      ...(init?.data == null ? {} : { data: boc(init.data) }),
    });
    await this.localnet.untilIdle();
    this.#busy--;
  }
}

describe('a plan that is killed at every point', () => {
  let localnet: LocalnetCommand;
  let network: Network;
  let folder: string;
  let messages: SheetMessages;
  let file: string;

  before(async () => {
    localnet = await startLocalnetHere();
    const { v2, v3 } = localnet.ready;
    network = { name: 'teststand', kind: 'testnet', v2, v3, globalId: -3 };
    folder = await mkdtemp(path.join(tmpdir(), 'tonwb-kills-'));
    file = path.join(folder, 'pair.toncall');
    await writeFile(path.join(folder, 'pair.tolk'), pairSource);
    const own = sheetKnowledge(file, new SheetProject(file, []), new AbortController().signal);
    const built = own.messages.build('pair.tolk');
    messages = { ...own.messages, build: () => built };
  });
  after(async () => {
    await localnet.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const sheetOf = (id: number): string =>
    `deploy pair.tolk {id: ${2 * id}, peer: null, count: 1} 0.2ton as First
deploy pair.tolk {id: ${2 * id + 1}, peer: First, count: 2} 0.2ton as Second
expect Second count() == 2
@before = First count()
send First SetPeer {peer: Second} 0.05ton
send First Increase {by: @before} 0.05ton
send First Increase {by: @before} 0.05ton
expect First count() == 3
send Second Increase {by: 5} 0.05ton
expect Second count() == 7
`;

  /**
   * One process.
   * @returns the contracts; undefined if it was killed, or the wallet has declined
   */
  async function live(
    text: string,
    life: Life,
    { wallet, kept }: { wallet: PatientWallet; kept: { text?: string } },
  ): Promise<string[] | undefined> {
    let ahead = 0;
    const hasty = new HastyClock();
    const clock: Clock = {
      ...systemClock,
      now: () => systemClock.now() + ahead,
      sleep: (_ms, signal) => {
        // Only while nothing is under way may a request run out.
        ahead += wallet.isWaiting ? 0 : 45_000;
        return hasty.sleep(0, signal);
      },
    };
    const send = createFetchTransport();
    const access = createAccess({ network, clock, transport: (request) => life.act(() => send(request)) });
    const sheet = parseCallSheet(text);
    const store = {
      read: () => kept.text,
      write: (written: string) => {
        life.point();
        kept.text = written;
        life.point();
      },
      remove: () => undefined,
    };
    const plan = new OwnWalletPlan<SheetNetwork>({
      ...{ sheet, record: new PlanRecord(store, 'pair.toncall'), clock },
      isFor: () => true,
      way: () =>
        Promise.resolve({ name: 'connect', hand: (request) => life.act(() => wallet.hand(request)) }),
    });
    const opened: SheetNetwork = { access, accounts: new Map(), wallets: [] };
    try {
      const outcomes = await runCallSheet(sheet, {
        ...sheetKnowledge(file, new SheetProject(file, []), life.signal),
        messages: { ...messages, plan },
        network: () => Promise.resolve(opened),
      });
      const failed = outcomes.find((one) => !one.passed);
      // Both say that nothing was sent: the user runs it again.
      const again = ['wallet-declined', 'request-expired'];
      assert.ok(failed === undefined || again.includes(failed.error?.code ?? ''), failed?.failures.join());
      return failed === undefined
        ? outcomes.flatMap(({ deployed }) => (deployed === undefined ? [] : [deployed.address]))
        : undefined;
    } catch (error) {
      if (life.signal.aborted) {
        return undefined;
      }
      throw error;
    }
  }

  async function received(address: string): Promise<number> {
    const answer = await fetch(`${network.v3}/transactions?account=${address}&limit=100`);
    return ((await answer.json()) as { transactions: unknown[] }).transactions.length;
  }

  it(`finishes, and sends each message once: ${runs} kills`, async () => {
    const whole = new Life(0);
    const kept: { text?: string } = {};
    const untouched = await live(sheetOf(1), whole, { wallet: new PatientWallet(localnet, 'sends'), kept });
    assert.equal(untouched?.length, 2);
    const points = whole.done;
    let killed = 0;
    for (let run = 0; run < runs; run++) {
      const manner = manners[run % manners.length] as Manner;
      const wallet = new PatientWallet(localnet, manner);
      const state: { text?: string } = {};
      const text = sheetOf(run + 10);
      const first = new Life(1 + Math.floor((run * points) / runs));
      let deployed = await live(text, first, { wallet, kept: state });
      killed += first.signal.aborted ? 1 : 0;
      wallet.isLater = true;
      for (let again = 0; deployed === undefined; again++) {
        assert.ok(again < 12, `run ${run} (${manner}) does not finish`);
        await wallet.confirmAll();
        deployed = await live(text, new Life(0), { wallet, kept: state });
      }
      const { actions } = JSON.parse(state.text ?? '') as { actions: Record<string, { state: string }> };
      assert.deepEqual(
        Object.values(actions).map((one) => one.state),
        Array(6).fill('done'),
      );
      const counts = await Promise.all(deployed.map((address) => received(address)));
      assert.deepEqual(counts, [4, 2], `run ${run}, ${manner}: one transaction for each message`);
    }
    assert.ok(killed > runs / 2, `${killed} of ${runs} were killed before their end`);
  });
});
