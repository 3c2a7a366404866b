import type { MessageRelaxed, StateInit } from '@ton/core';
import { Cell, Dictionary, SendMode, beginCell, external, storeMessage } from '@ton/core';
import { runTolkCompiler } from '@ton/tolk-js';
import { TonClient, WalletContractV4, WalletContractV5R1 } from '@ton/ton';
import type { Access } from '../../src/toolkit/access/createAccess';
import { createAccess } from '../../src/toolkit/access/createAccess';
import { callControl } from '../../src/toolkit/localnet/callControl';
import type { ControlApi, ControlName } from '../../src/toolkit/localnet/control/controlApi';
import type { Localnet } from '../../src/toolkit/localnet/localnet';
import { findTrace } from '../../src/toolkit/trace/findTrace';
import { HastyClock } from './hastyClock';
import { followTrace } from '../../src/toolkit/trace/followTrace';
import type { FollowEvent } from '../../src/toolkit/trace/readFollowTarget';
import { TraceContext } from '../../src/toolkit/trace/traceContext';
import type { TraceKnowledge } from '../../src/toolkit/trace/traceModel';
import { traceSourceOf } from '../../src/toolkit/access/traceSourceOf';
import type { TraceSource } from '../../src/toolkit/trace/readTraces';

/** Compiles a contract and gives the state init of one whose data begins with `salt`. */
export async function compileContract(source: string, salt = 0): Promise<StateInit> {
  const compiled = await runTolkCompiler({ entrypointFileName: 'main.tolk', fsReadCallback: () => source });
  if (compiled.status !== 'ok') {
    throw new Error(compiled.message);
  }
  return { code: Cell.fromBase64(compiled.codeBoc64), data: beginCell().storeUint(salt, 64).endCell() };
}

/** Sends from a local network's named wallets and reads the traces that come of it, through the HTTP API alone. */
export class LocalTraces {
  readonly source: TraceSource;
  readonly names: ReadonlyMap<string, string>;
  readonly access: Access;
  readonly #client: TonClient;

  constructor(readonly network: Localnet) {
    const { v2, v3 } = network;
    this.access = createAccess({ network: { name: 'Local', kind: 'local', v2, v3, globalId: -239 } });
    this.source = traceSourceOf(this.access);
    this.#client = new TonClient({ endpoint: `${v2}/jsonRPC` });
    this.names = new Map(network.accounts.map(({ name, address }) => [address, name]));
  }

  /** The newest traces of an account. */
  async newest(account: string, limit: number, knowledge: TraceKnowledge = {}): Promise<TraceContext[]> {
    const models = await findTrace(this.source, account, { limit });
    return models.map((model) => new TraceContext(model, { names: this.names, ...knowledge }));
  }

  /** Asks the control API. */
  control<Name extends ControlName>(
    command: Name,
    parameters: ControlApi[Name]['parameters'],
  ): Promise<ControlApi[Name]['result']> {
    return callControl(this.network.control, command, parameters);
  }

  /** Changes one parameter of the network's configuration. */
  async configure(id: number, parameter: Cell): Promise<void> {
    const { config } = await this.access.v2.getConfigAll({});
    const parameters = Cell.fromBase64(config.bytes)
      .beginParse()
      .loadDictDirect(Dictionary.Keys.Int(32), Dictionary.Values.Cell())
      .set(id, parameter);
    const boc = beginCell().storeDictDirect(parameters).endCell().toBoc().toString('base64');
    await this.control('config', { boc, origin: `test: parameter ${id}` });
  }

  /** A named wallet's contract. */
  wallet(name: string): WalletContractV4 | WalletContractV5R1 {
    const { kind, publicKey: hex } = this.#account(name);
    const publicKey = Buffer.from(hex, 'hex');
    return kind === 'v5r1'
      ? WalletContractV5R1.create({ publicKey })
      : WalletContractV4.create({ workchain: 0, publicKey });
  }

  /** Signs and sends a message; returns its normalized hash. */
  async submit(
    name: string,
    messages: MessageRelaxed[],
    mode = SendMode.PAY_GAS_SEPARATELY,
  ): Promise<string> {
    const wallet = this.wallet(name);
    const seqno = await this.#client.open(wallet as WalletContractV4).getSeqno();
    const secretKey = Buffer.from(this.#account(name).secretKey, 'hex');
    const parameters = { seqno, secretKey, messages, sendMode: mode };
    const body =
      wallet instanceof WalletContractV4
        ? wallet.createTransfer(parameters)
        : wallet.createTransfer(parameters);
    const boc = beginCell()
      .store(storeMessage(external({ to: wallet.address, body })))
      .endCell()
      .toBoc()
      .toString('base64');
    const sent = await this.access.v3.message({ boc });
    return sent.message_hash_norm ?? '';
  }

  /** Signs and sends; the events of following it to its end, and the finished trace. */
  async send(
    name: string,
    messages: MessageRelaxed[],
    { mode, knowledge = {} }: { mode?: SendMode; knowledge?: TraceKnowledge } = {},
  ): Promise<{ context: TraceContext; events: FollowEvent[] }> {
    const hash = await this.submit(name, messages, mode);
    const events: FollowEvent[] = [];
    for await (const event of followTrace(this.source, { hashes: [hash], clock: new HastyClock() })) {
      events.push(event);
    }
    const last = events.at(-1);
    if (last?.type !== 'trace' || !last.isFinal) {
      throw new Error(`following ended with ${last?.type ?? 'nothing'}`);
    }
    return { context: new TraceContext(last.model, { names: this.names, ...knowledge }), events };
  }

  #account(name: string): Localnet['accounts'][number] {
    const found = this.network.accounts.find((account) => account.name === name);
    if (found === undefined) {
      throw new Error(`The local network has no ${name}.`);
    }
    return found;
  }
}
